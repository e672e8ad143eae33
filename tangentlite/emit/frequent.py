"""astor's printer, made fast for the nodes that texts are made of.

In: standard trees.
Out: ``Frequent``, which prints what ``SourceGenerator`` prints, and is gone when nobody holds it.
Next: printer.
"""

from __future__ import annotations

import ast
import warnings
from typing import Any, ClassVar

with warnings.catch_warnings():  # astor reads ast.Num when it is imported
    warnings.simplefilter("ignore", DeprecationWarning)
    from astor.code_gen import SourceGenerator
    from astor.op_util import Precedence, get_op_symbol, precedence_data

NUMBERS = (int, float)
CLOSEST = precedence_data[ast.Constant]
INDENT = "    "


class Frequent(SourceGenerator):  # type: ignore[misc]
    """astor's own constructor makes functions that hold the printer; here they are methods."""

    visitors: ClassVar[dict[type[ast.AST], Any]]

    def __init_subclass__(cls) -> None:
        cls.visitors = {}

    def __init__(self) -> None:
        self.result: list[str] = []
        self.indent_with, self.add_line_information = INDENT, False
        self.indentation = self.new_lines = 0
        self.colinfo = 0, 0

    def pretty_string(self, value: str, *_: object) -> str:
        """A string as Python shows it; line breaks come later."""
        return repr(value)

    def write(self, *items: Any) -> None:
        """Trees are visited, functions called, text is put down, after the line breaks that wait."""
        for item in items:
            if isinstance(item, ast.AST):
                self.visit(item)
            elif callable(item):
                item()
            else:
                if self.new_lines:
                    self._break()
                if item:
                    self.result.append(item)

    def _break(self) -> None:
        self.result.append("\n" * self.new_lines)
        self.colinfo = len(self.result), 0
        self.result.append(INDENT * self.indentation)
        self.new_lines = 0

    def _put(self, text: str) -> None:
        if self.new_lines:
            self._break()
        self.result.append(text)

    def visit(self, node: ast.AST) -> None:
        """Print a tree."""
        kind = node.__class__
        visitor = self.visitors.get(kind)
        if visitor is None:
            visitor = self.visitors[kind] = getattr(type(self), f"visit_{kind.__name__}")
        visitor(self, node)

    def visit_Name(self, node: ast.Name) -> None:
        """A name."""
        self._put(node.id)

    def visit_Attribute(self, node: ast.Attribute) -> None:
        """``x.attr``."""
        self.visit(node.value)
        self.result += (".", node.attr)

    def visit_Constant(self, node: ast.Constant) -> None:
        """A literal; plain numbers are by far the most."""
        value = node.value
        bare = getattr(node, "_pp", Precedence.highest) <= CLOSEST  # not so in `(1).real`
        if bare and value.__class__ in NUMBERS and value - value == 0:
            self._put(repr(value))
        else:
            super().visit_Constant(node)

    def visit_Call(self, node: ast.Call) -> None:
        """``f(x, *xs, key=y)``."""
        args, keywords = node.args, node.keywords
        several = len(args) + len(keywords) > 1
        precedence = Precedence.Comma if several else Precedence.call_one_arg
        self.visit(node.func)
        before = "("
        for arg in args:
            self._put(before)
            arg._pp = precedence  # type: ignore[attr-defined]
            self.visit(arg)
            before = ", "
        for keyword in keywords:
            keyword.value._pp = Precedence.Comma  # type: ignore[attr-defined]
            self.result += (before, f"{keyword.arg}=" if keyword.arg else "**")
            self.visit(keyword.value)
            before = ", "
        self._put(")" if before == ", " else "()")

    def visit_BinOp(self, node: ast.BinOp) -> None:
        """``x op y``, in brackets where what is around it binds closer."""
        left, right, op = node.left, node.right, node.op.__class__
        binds = precedence_data[op]
        power = op is ast.Pow
        left._pp = Precedence.Pow + 1 if power else binds  # type: ignore[attr-defined]
        right._pp = Precedence.PowRHS if power else binds + 1  # type: ignore[attr-defined]
        bare = binds >= getattr(node, "_pp", Precedence.highest)
        if not bare:
            self._put("(")
        self.visit(left)
        self._put(get_op_symbol(node.op, " %s "))
        self.visit(right)
        if not bare:
            self._put(")")
