"""Measure: how wide an expression prints and how deep its brackets nest, without printing it.

In: expressions.
Out: ``Measure``: (width, depth), kept by identity.
Next: refold.
"""

from __future__ import annotations

import ast

import gast

from tangentlite import syntax

LEVEL = {gast.Add: 1, gast.Sub: 1, gast.Pow: 4}
PRODUCT, UNARY, ATOM, LOOSE = 2, 3, 9, 0
LEVELS: dict[type[ast.AST], int] = {gast.UnaryOp: UNARY}
LEVELS |= dict.fromkeys((gast.Compare, gast.BoolOp, gast.IfExp, gast.Lambda), LOOSE)


class Measure:
    """Widths are those of the printer or a little more; of slices a lot more, unless they are to be ``exact``: what is
    sliced keeps its name as long as passes look for what is alike.

    >>> measure = Measure()
    >>> [measure(syntax.expression(t)) for t in ("x", "a * b + c", "(a + b) * c", "f(g(x), 2)")]
    [(1, 0), (9, 0), (11, 1), (10, 2)]
    >>> [Measure(exact=True)(syntax.expression(t)) for t in ("x[1:n - 1, j]", "x[::2]", "f((a, b))")]
    [(13, 1), (6, 1), (9, 2)]
    """

    def __init__(self, exact: bool = False) -> None:
        self._exact = exact
        self._kept: dict[int, tuple[ast.AST, int, int]] = {}

    def __call__(self, tree: ast.AST) -> tuple[int, int]:
        kept = self._kept.get(id(tree))
        if kept is None:
            kept = self._kept[id(tree)] = tree, *self._study(tree)
        return kept[1], kept[2]

    def _study(self, tree: ast.AST) -> tuple[int, int]:
        match tree:
            case gast.Name(id=name):
                return len(name), 0
            case gast.Constant(value=value):
                return len(repr(value)), 0
            case gast.BinOp(left=left, op=op, right=right):
                level = LEVEL.get(type(op), PRODUCT)
                a = self._bracketed(left, level)
                b = self._bracketed(right, level + 1)
                return a[0] + b[0] + 4 - (not isinstance(op, gast.MatMult)), max(a[1], b[1])
            case gast.UnaryOp(operand=operand):
                width, depth = self._bracketed(operand, UNARY)
                return width + 1, depth
            case gast.Attribute(value=value, attr=attr):
                width, depth = self._bracketed(value, ATOM)
                return width + 1 + len(attr), depth
            case gast.Call() | gast.Subscript() | gast.Tuple():
                return self._list(tree)
            case gast.Slice(lower=lower, upper=upper, step=step) if self._exact:
                parts = [self(part) for part in (lower, upper, step) if part is not None]
                width = sum(w for w, _ in parts) + 1 + (step is not None)
                return width, max((d for _, d in parts), default=0)
        parts = [self(child) for child in syntax.children(tree)]
        return sum(w for w, _ in parts) + 4 * len(parts) + 4, 1 + max(
            (d for _, d in parts), default=0
        )

    def _list(self, tree: ast.AST) -> tuple[int, int]:
        parts = syntax.children(tree)
        first = (0, 0)
        if not isinstance(tree, gast.Tuple):
            head, *parts = parts
            first = self._bracketed(head, ATOM)
        if self._exact and isinstance(tree, gast.Subscript) and isinstance(tree.slice, gast.Tuple):
            parts = tree.slice.elts
        inside = [self(part) for part in parts]
        width = first[0] + 2 + sum(w for w, _ in inside) + 2 * max(len(parts) - 1, 0)
        return width, max(first[1], 1 + max((d for _, d in inside), default=0))

    def _bracketed(self, tree: ast.AST, level: int) -> tuple[int, int]:
        width, depth = self(tree)
        return (width + 2, depth + 1) if _level(tree) < level else (width, depth)


def _level(tree: ast.AST) -> int:
    if isinstance(tree, gast.BinOp):
        return LEVEL.get(tree.op.__class__, PRODUCT)
    return LEVELS.get(tree.__class__, ATOM)
