"""The printer: gast trees with comments become text of at most 88 columns.

In: functions, statements and expressions as gast trees.
Out: text whose parse is the tree, comments aside.
Next: frequent, wrap, module.
"""

from __future__ import annotations

import ast
import copy
import math
from collections.abc import Iterable, Sequence
from inspect import Parameter
from typing import Any

import gast

from tangentlite.emit.frequent import Frequent
from tangentlite.emit.wrap import WIDTH, wrap
from tangentlite.errors import UnsupportedSyntaxError
from tangentlite.ir import EMPTY, Function, Param
from tangentlite.syntax import Blank, Comment, Inserted, inserted
from tangentlite.translation import ToStandard

NO_ARGUMENTS = gast.arguments([], [], None, [], [], None, [])
LITERALS = (bool, int, float, complex, str, bytes, type(None), type(...))


def function_text(function: Function) -> str:
    """The text of a function: its parameters come from ``params``, its body from the tree."""
    bare = copy.copy(function.tree)
    bare.args, bare.decorator_list, bare.returns = NO_ARGUMENTS, [], None
    (node,) = _standard([bare])
    node.name, node.args = function.name, _arguments(function.params)
    return _text([node])


def text(body: Sequence[ast.AST]) -> str:
    """The text of statements.

    >>> from tangentlite.syntax import comment, quote
    >>> print(text([comment("Forward"), *quote("x = c ** -2.0; y = a, (b, 1)")]), end="")
    # Forward
    x = c ** -2.0
    y = a, (b, 1)
    """
    return _text(_standard(body))


def _text(nodes: Iterable[ast.AST]) -> str:
    printer = Printer()
    for node in nodes:
        printer.visit(node)
    whole = "".join(printer.result)
    if max(map(len, whole.split("\n"))) > WIDTH:
        whole = "".join(_lines(printer.result))
    return whole.strip("\n") + "\n"


def _lines(items: Iterable[str]) -> Iterable[str]:
    """Join the printer's items; lines that are too long are wrapped, strings left alone."""
    line: list[str] = []
    for item in [*items, "\n"]:
        if item.startswith("\n"):
            yield wrap("".join(line))
            yield item
            line = []
        else:
            line.append(item)


class ToAst(ToStandard):
    """gast to the standard library's trees, keeping comments and splitting off minus signs."""

    def visit_Comment(self, node: Comment) -> Comment:
        """Comments pass; gast alone would make them None."""
        return node

    def visit_Blank(self, node: Blank) -> Blank:
        """Blank lines pass."""
        return node

    def visit_Inserted(self, node: Any) -> Inserted:
        """The statements inside."""
        return inserted(self.tree(node.lines))

    def visit_Constant(self, node: Any) -> ast.expr:
        """``Constant(-1) ** 2`` is ``(-1) ** 2``, which printers get wrong."""
        if type(node.value) is tuple:  # a default that is left out
            return ast.Tuple(
                [self.visit_Constant(gast.Constant(v, None)) for v in node.value], ast.Load()
            )
        if type(node.value) not in LITERALS:
            raise TypeError(f"not a literal: {node.value!r} of type {type(node.value).__name__}")
        return _literal(node.value)


def _standard(body: Sequence[ast.AST]) -> list[Any]:
    """Standard trees, made anew, so that the printer may write on them."""
    convert = ToAst()
    return [convert.tree(node) for node in body]


def _literal(value: Any) -> ast.expr:
    """An expression without negative constants that evaluates to ``value``."""
    if type(value) is complex:
        if math.copysign(1.0, value.real) < 0:
            return ast.UnaryOp(ast.USub(), _literal(-value))
        if value.real or math.copysign(1.0, value.imag) < 0:
            sign = ast.Sub() if math.copysign(1.0, value.imag) < 0 else ast.Add()
            return ast.BinOp(_literal(value.real), sign, ast.Constant(abs(value.imag) * 1j))
    elif (type(value) is int and value < 0) or (
        type(value) is float and math.copysign(1.0, value) < 0
    ):
        return ast.UnaryOp(ast.USub(), ast.Constant(-value))
    return ast.Constant(value)


def _arguments(params: Sequence[Param]) -> ast.arguments:
    """The parameter list as the user sees it: defaults as shown, no annotations."""
    result = ast.arguments([], [], None, [], [], None, [])
    for param in params:
        arg = ast.arg(param.name, None)
        default = _default(param)
        if param.kind is Parameter.VAR_POSITIONAL:
            result.vararg = arg
        elif param.kind is Parameter.VAR_KEYWORD:
            result.kwarg = arg
        elif param.kind is Parameter.KEYWORD_ONLY:
            result.kwonlyargs.append(arg)
            result.kw_defaults.append(default)
        else:
            only = param.kind is Parameter.POSITIONAL_ONLY
            (result.posonlyargs if only else result.args).append(arg)
            result.defaults.extend([default] if default else [])
    return result


def _default(param: Param) -> ast.expr | None:
    if param.default is EMPTY:
        return None
    if param.shown is not None:
        (shown,) = _standard([param.shown])
        return shown  # type: ignore[no-any-return]
    if type(param.default) in LITERALS:
        return _literal(param.default)
    return ast.Constant(...)


class Printer(Frequent):
    """astor's printer, with what it lacks; its own line breaking is not used."""

    def body(self, statements: Sequence[ast.stmt]) -> None:
        """A block of comments alone needs a ``pass``."""
        if all(isinstance(s, (Comment, Blank)) for s in statements):
            statements = [*statements, ast.Pass()]
        super().body(statements)

    def visit_Comment(self, node: Any) -> None:
        """One comment line for every line of the text."""
        for line in node.text.splitlines():
            self.statement(node, "# " + line)

    def visit_Inserted(self, node: Any) -> None:
        """The statements inside."""
        self.write(*node.lines)

    def visit_Blank(self, node: Blank) -> None:
        """An empty line."""
        self.newline(extra=1)

    def visit_Expr(self, node: Any) -> None:
        """An expression; strings that stand alone are documentation."""
        if isinstance(node.value, ast.Constant) and isinstance(node.value.value, str):
            self.statement(node, _docstring(node.value.value))
        else:
            super().visit_Expr(node)

    def visit_Tuple(self, node: ast.Tuple) -> None:
        """A tuple; one element has parentheses, a lone comma is easily overlooked."""
        if len(node.elts) == 1:
            self.write("(")
            self.comma_list(node.elts, trailing=True)
            self.write(")")
        else:
            super().visit_Tuple(node)

    def visit_JoinedStr(self, node: ast.JoinedStr) -> None:
        """An f-string; astor picks wrong quotes before Python 3.12."""
        self.write(ast.unparse(ast.fix_missing_locations(node)))

    def visit_FunctionDef(self, node: Any, is_async: bool = False) -> None:
        """A function; astor drops type parameters silently and forgets a space before ``->``."""
        if getattr(node, "type_params", None):
            raise UnsupportedSyntaxError(f"the type parameters of {node.name} cannot be printed")
        node.returns = None
        super().visit_FunctionDef(node, is_async)

    def visit_arguments(self, node: ast.arguments) -> None:
        """Parameters; astor shifts the defaults where some are positional only and others have none."""
        missing = len(node.args) - len(node.defaults)
        if node.posonlyargs and missing > 0:
            node = copy.copy(node)
            node.defaults = [*([None] * missing), *node.defaults]  # type: ignore[list-item]
        super().visit_arguments(node)

    def visit_Try(self, node: Any) -> None:
        """``try``, whose handlers are ``except`` or ``except*``."""
        self.statement(node, "try:")
        self.body(node.body)
        for handler in node.handlers:
            self._handler(handler, "except" if isinstance(node, ast.Try) else "except*")
        self.else_body(node.orelse)
        if node.finalbody:
            self.statement(node, "finally:")
            self.body(node.finalbody)

    visit_TryStar = visit_Try

    def _handler(self, node: ast.ExceptHandler, word: str) -> None:
        self.statement(node, word)
        if self.conditional_write(" ", node.type):
            self.conditional_write(" as ", node.name)
        self.write(":")
        self.body(node.body)

    def visit_Match(self, node: ast.Match) -> None:
        """``match``, which astor does not know."""
        self.statement(node, "match ", node.subject, ":")
        self.indentation += 1
        for case in node.cases:
            self.statement(case, "case ", ast.unparse(case.pattern))
            self.conditional_write(" if ", case.guard)
            self.write(":")
            self.body(case.body)
        self.indentation -= 1


def _docstring(value: str) -> str:
    """Triple quotes where that spells the same string."""
    plain = all(line.isprintable() for line in value.split("\n")) and "\\" not in value
    if plain and '"""' not in value and value[-1:] != '"':
        return f'"""{value}"""'
    return repr(value)
