"""Vectors: rows of arrays, and what is made of them number by number.

In: expressions, ``Sizes``.
Out: ``Vectors``: ``is_row(expression)``, ``part(expression, place)``, ``along``: a range over all places.
Next: lines.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import gast

from tangentlite import syntax
from tangentlite.optimize.numbers.forms import INT, NUMBERS, axes_of
from tangentlite.slices.affine import Affine
from tangentlite.slices.sizes import Sizes


class NoRow(Exception):
    """A row that is used in another way than number by number."""


class Vectors:
    """What is known of rows; ``rows``: those that have names, ``same``: what must not be negative, so that they fit.

    >>> from tangentlite.slices.samples import sizes
    >>> found, c = Vectors(sizes("d = x[k] - A[k, :]")), syntax.name("c")
    >>> row = syntax.expression("np.sin(x[k] - A[k, :]) * 2.0")
    >>> found.is_row(row), syntax.unparse(found.part(row, c))
    (True, 'np.sin(x[k, c] - A[k, c]) * 2.0')
    >>> syntax.unparse(found.along(found.sides(row))), found.same
    ('range(x.shape[1])', ['x.shape[1] - A.shape[1]', 'A.shape[1] - x.shape[1]'])
    """

    def __init__(self, sizes: Sizes) -> None:
        self._sizes, self._sorts = sizes, sizes.sorts
        self.rows: dict[str, gast.expr] = {}
        self.same: list[str] = []

    def of(self, tree: Any) -> tuple[gast.Name, list[gast.expr]] | None:
        """The array and the indices of a row along its last axis."""
        match tree:
            case gast.Subscript(value=gast.Name(id=name) as array, slice=index):
                entries = index.elts if isinstance(index, gast.Tuple) else [index]
                rank = axes_of(self._sorts.known.get(name)) or 0
                front, back = entries[: rank - 1], entries[rank - 1 :]
                known = len(front) == rank - 1 > 0 and all(self._sorts.of(e) == INT for e in front)
                return (array, front) if known and all(map(_is_whole, back)) else None
        return None

    def is_row(self, tree: Any) -> bool:
        """Whether an expression is a row, or made of rows and numbers."""
        match tree:
            case gast.Name(id=name):
                return name in self.rows
            case gast.Subscript():
                return self.of(tree) is not None
            case gast.BinOp(op=gast.MatMult()):
                return False
            case gast.BinOp(left=left, right=right):
                return self._made_of((left, right))
            case gast.UnaryOp(op=gast.USub(), operand=operand):
                return self.is_row(operand)
            case gast.Call(func=func, args=args, keywords=[]):
                return self._sorts.is_elementwise(func) and self._made_of(args)
        return False

    def _made_of(self, parts: Sequence[gast.expr]) -> bool:
        rows = [part for part in parts if self.is_row(part)]
        others = [part for part in parts if part not in rows]
        return bool(rows) and all(self._sorts.of(p) in (*NUMBERS, 1) for p in others)

    def part(self, tree: Any, c: gast.expr) -> gast.expr:
        """The number of a row at a place."""
        found = self.of(tree)
        if found is not None:
            return syntax.at(
                gast.Subscript(found[0], gast.Tuple([*found[1], c], gast.Load()), gast.Load()), tree
            )
        match tree:
            case gast.Name(id=name) if name in self.rows:
                return self.part(self.rows[name], c)
            case gast.Name(id=name) if self._sorts.known.get(name) == 1:
                return syntax.expression("x[c]", x=name, c=c)
            case gast.BinOp(left=left, op=op, right=right) if self.is_row(tree):
                return gast.BinOp(self.part(left, c), op, self.part(right, c))
            case gast.UnaryOp(op=op, operand=operand) if self.is_row(tree):
                return gast.UnaryOp(op, self.part(operand, c))
            case gast.Call(func=func, args=args) if self.is_row(tree):
                return gast.Call(func, [self.part(arg, c) for arg in args], [])
        if self._sorts.of(tree) not in NUMBERS:
            raise NoRow
        return self.plain(tree)

    def sides(self, tree: Any) -> list[Affine]:
        """How long the rows of an expression are."""
        found = self.of(tree)
        match tree:
            case _ if found is not None:
                return [self._side(found[0].id)]
            case gast.Name(id=name) if name in self.rows:
                return self.sides(self.rows[name])
            case gast.Name(id=name) if self._sorts.known.get(name) == 1:
                return [self._side(name)]
            case gast.BinOp() | gast.UnaryOp() | gast.Call() if self.is_row(tree):
                parts = tree.args if isinstance(tree, gast.Call) else syntax.children(tree)
                return [side for part in parts for side in self.sides(part)]
        return []

    def _side(self, name: str) -> Affine:
        sides = {shape[-1] for shape in self._sizes.shapes(name)}
        if len(sides) != 1:
            raise NoRow
        return sides.pop()

    def along(self, sides: Sequence[Affine]) -> gast.expr:
        """What a counter runs through that comes to all places of rows, which are equally long."""
        first = sides[0]
        for other in sides[1:]:
            if other != first:
                if (other - first).constant is not None:
                    raise NoRow
                both = str(first - other), str(other - first)
                self.same += [text for text in both if text not in self.same]
        return syntax.expression("range(n)", n=first.tree())

    def plain(self, tree: Any) -> Any:
        """What has no rows with names in it."""
        if not self.rows.keys().isdisjoint(syntax.loads(tree)):
            raise NoRow
        return tree


def _is_whole(entry: Any) -> bool:
    """Whether an index is ``:``."""
    return isinstance(entry, gast.Slice) and entry.lower is entry.upper is entry.step is None
