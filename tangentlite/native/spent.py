"""Records that nobody reads again: their backward function takes the memory, and copies nothing.

In: trees of kernels and helpers.
Out: the same trees, changed in place.
Next: inlining.
"""

from __future__ import annotations

import ast
from collections.abc import Callable
from typing import Any

from tangentlite import runtime

Meaning = Callable[[ast.expr], Any]


def spent_record(node: ast.expr, meaning: Meaning) -> tuple[ast.expr, ast.expr | None] | None:
    """What ``rt.spent(record)`` gives up, and the record that this one is within; None for any other argument."""
    match node:
        case ast.Call(func=func, args=[record, *within], keywords=[]) if (
            meaning(func) is runtime.spent
        ):
            return record, within[0] if within else None
    return None


def take(
    tree: ast.FunctionDef, param: str, given: tuple[ast.expr, ast.expr | None], meaning: Meaning
) -> None:
    """A helper whose record is spent does not copy it; if that one is within another, this is decided there.

    >>> tree = ast.parse("def g(s, b):\\n a, n = rt.private(s)\\n c, m = rt.private(a, s)").body[0]
    >>> take(tree, "s", (ast.Name("saved"), None), lambda node: runtime.private)
    >>> print(ast.unparse(tree))
    def g(s, b):
        a, n = s
        c, m = a
    """
    _Taking(param, given[1], meaning).visit(tree)


class _Taking(ast.NodeTransformer):
    def __init__(self, param: str, within: ast.expr | None, meaning: Meaning) -> None:
        self._param, self._within, self._meaning = param, within, meaning

    def visit_Call(self, node: ast.Call) -> ast.expr:
        """``rt.private(saved)`` and what is within it."""
        self.generic_visit(node)
        match node:
            case ast.Call(func=func, args=[record, *rest]) if (
                self._meaning(func) is runtime.private
                and isinstance(record if not rest else rest[0], ast.Name)
                and (record if not rest else rest[0]).id == self._param  # type: ignore[attr-defined]
            ):
                return record if self._within is None else _within(node, self._within)
            case ast.Call(func=func, args=[record, ast.Name(id=outer)]) if (
                self._meaning(func) is runtime.spent and outer == self._param
            ):
                node.args = [record] if self._within is None else [record, self._within]
        return node


def _within(node: ast.Call, outer: ast.expr) -> ast.Call:
    return ast.Call(node.func, [node.args[0], outer], [])


def settle(tree: ast.FunctionDef, meaning: Meaning) -> None:
    """What is left of it: a record that may be read again is copied.

    >>> tree = ast.parse("def g(s, b):\\n a, n = rt.private(b, s)").body[0]
    >>> settle(tree, lambda node: runtime.private)
    >>> print(ast.unparse(tree))
    def g(s, b):
        a, n = rt.private(b)
    """
    _Settling(meaning).visit(tree)


class _Settling(ast.NodeTransformer):
    def __init__(self, meaning: Meaning) -> None:
        self._meaning = meaning

    def visit_Call(self, node: ast.Call) -> ast.expr:
        """``rt.spent(saved)`` is ``saved``."""
        self.generic_visit(node)
        meant = self._meaning(node.func)
        if meant is runtime.spent:
            return node.args[0]
        if meant is runtime.private:
            node.args = node.args[:1]
        return node
