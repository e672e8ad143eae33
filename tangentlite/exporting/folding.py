"""Functions of the runtime without what they do for nests and for the adjoint that nothing has reached.

In: the text of a definition.
Out: the same for numbers and arrays only, without annotations.
Next: inlined.
"""

from __future__ import annotations

import ast
from typing import Any

import gast

from tangentlite.emit import printer
from tangentlite.exporting import texts
from tangentlite.parsing import parsed
from tangentlite.syntax import Blank
from tangentlite.translation import from_ast

ABSENT = ("ZERO", "INERT", "list", "tuple", "dict")
NESTS = ("NESTS", "list | tuple | dict")


def folded(text: str) -> str:
    """The definition for numbers and arrays.

    >>> text = "def f(b: Any) -> Any:\\n    if b is ZERO or b is INERT:\\n        return ZERO\\n    return b * b"
    >>> print(folded(text), end="")
    def f(b):
        return b * b
    >>> print(folded("e = 0.0 if b is ZERO else b"), end="")
    e = b
    """
    tree = _Folder().visit(texts.Plain().visit(parsed(text)))
    found = list(from_ast(ast.fix_missing_locations(tree)).body)
    for node in found:
        if isinstance(node, gast.ClassDef):
            node.body.insert(1, Blank())  # below the docstring
    return printer.text(found)


def _truth(test: ast.expr) -> bool | None:
    """What is known of a condition."""
    return bool(test.value) if isinstance(test, ast.Constant) else None


class _Folder(ast.NodeTransformer):
    """Knows that no operand is ZERO or a nest, and follows what is known."""

    def visit_Compare(self, node: ast.Compare) -> Any:
        """``b is ZERO``, ``kind is list``."""
        self.generic_visit(node)
        last = node.comparators[-1]
        if len(node.ops) == 1 and isinstance(last, ast.Name) and last.id in ABSENT:
            if isinstance(node.ops[0], ast.Is | ast.IsNot):
                return ast.Constant(isinstance(node.ops[0], ast.IsNot))
        return node

    def visit_Call(self, node: ast.Call) -> Any:
        """``isinstance(b, NESTS)``."""
        self.generic_visit(node)
        called = node.func.id if isinstance(node.func, ast.Name) else ""
        if called == "isinstance" and ast.unparse(node.args[1]) in NESTS:
            return ast.Constant(False)
        return node

    def visit_BoolOp(self, node: ast.BoolOp) -> Any:
        """``and`` and ``or``, up to the first operand that decides."""
        self.generic_visit(node)
        decisive = isinstance(node.op, ast.Or)
        values: list[ast.expr] = []
        for value in node.values:
            if _truth(value) is None:
                values.append(value)
            elif _truth(value) is decisive:
                values.append(value)
                break
        if not values:
            return ast.Constant(not decisive)
        if len(values) > 1:
            return ast.BoolOp(node.op, values)
        return values[0]

    def visit_UnaryOp(self, node: ast.UnaryOp) -> Any:
        """``not``."""
        self.generic_visit(node)
        known = _truth(node.operand)
        if isinstance(node.op, ast.Not) and isinstance(known, bool):
            return ast.Constant(not known)
        return node

    def visit_IfExp(self, node: ast.IfExp) -> Any:
        """``a if test else b``."""
        self.generic_visit(node)
        known = _truth(node.test)
        return node if known is None else node.body if known else node.orelse

    def visit_If(self, node: ast.If) -> Any:
        """A branch that is taken stands alone."""
        self.generic_visit(node)
        known = _truth(node.test)
        return node if known is None else node.body if known else node.orelse
