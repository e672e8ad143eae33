"""Settled: expressions in which nothing is asked whose answer is known.

In: an expression, ``Where`` its counters are.
Out: the expression in fewer words.
Next: parting.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import gast

from tangentlite import syntax
from tangentlite.slices.stretches.asked import Where


class Settled(gast.NodeTransformer):  # type: ignore[misc]
    """Says what names stand for that are gone, and what is known to be chosen.

    >>> from tangentlite.slices.samples import sizes
    >>> from tangentlite.slices.affine import Affine
    >>> n = Affine.of("w.shape[0]")
    >>> where = Where(sizes("n = len(w)"), {"i": n - 1}, (), (n - 2,), frozenset("i"))
    >>> tree = syntax.expression("w[(i + 1) % n] if i > 0 else w[i]")
    >>> syntax.unparse(Settled(where, {"w.shape[0]": "n"}).visit(tree))
    'w[0]'
    """

    def __init__(self, where: Where, names: Mapping[str, str]) -> None:
        self._where, self._names = where, names

    def visit_Name(self, node: gast.Name) -> gast.expr:
        """An integer, said where it is read."""
        if node.id in self._where.gone and isinstance(node.ctx, gast.Load):
            return syntax.at(self._where.known[node.id].tree(self._names), node)
        return node

    def visit_IfExp(self, node: gast.IfExp) -> Any:
        """What is chosen, if that is known."""
        told = self._where.told(node.test)
        return (
            self.generic_visit(node)
            if told is None
            else self.visit(node.body if told else node.orelse)
        )

    def visit_Call(self, node: gast.Call) -> Any:
        """The larger one, if that is known."""
        found = self._where.chosen(node)
        return self.generic_visit(node) if found is None else self.visit(found)

    def visit_BinOp(self, node: gast.BinOp) -> Any:
        """A remainder, if it is known in which turn."""
        found = self._where.chosen(node)
        return self.generic_visit(node) if found is None else self.visit(found)

    def visit_Subscript(self, node: gast.Subscript) -> gast.expr:
        """A place, said in few words where its words change."""
        node.value = self.visit(node.value)
        if isinstance(node.slice, gast.Tuple):
            node.slice.elts = list(map(self._index, node.slice.elts))
        else:
            node.slice = self._index(node.slice)
        return node

    def _index(self, index: gast.expr) -> gast.expr:
        made = self.visit(syntax.copy(index))
        found = None if syntax.same(made, index) else self._where.of(made)
        return made if found is None else syntax.at(found.tree(self._names), index)
