"""Axes: how many axes the arrays of a function have, as far as the text and the kinds of the arguments tell.

In: statements, the ranks of what comes from outside, ``Purity``.
Out: ``Axes``: ``known``, ``of(expression)``.
Next: together.
"""

from __future__ import annotations

from collections.abc import Mapping

import gast
import numpy as np

from tangentlite import runtime
from tangentlite.optimize.facts.purity import Purity
from tangentlite.optimize.facts.solid import bindings

MADE = (np.zeros, np.ones, np.empty, np.full)
ALIKE = (
    *(np.zeros_like, np.ones_like, np.empty_like, np.full_like),
    *(runtime.zeros, runtime.own, runtime.storage, runtime.room, runtime.outline, np.flip),
)
LIKE_SECOND = (runtime.buffer, runtime.unbroadcast)
PRODUCTS = {(1, 1): 0, (1, 2): 1, (2, 1): 1, (2, 2): 2}


class Axes:
    """The ranks of names all of whose bindings have one rank.

    >>> from tangentlite.optimize.samples import function, sample_is_pure
    >>> f = function("b = np.zeros(a.shape)\\nc = b[0, 1:] * 2.0\\nb = b[:, 1]")
    >>> sorted(Axes(f.body, {"a": 2}, Purity(f.namespace, set("bc"), sample_is_pure)).known.items())
    [('a', 2)]
    """

    def __init__(
        self,
        body: list[gast.stmt],
        given: Mapping[str, int],
        purity: Purity,
        integers: frozenset[str] = frozenset(),
    ) -> None:
        self._purity, self._integers = purity, integers
        self.known = {**dict.fromkeys(integers, 0), **given}
        self.bindings: dict[str, list[gast.expr | None]] = {}
        for name, value in bindings(body):
            self.bindings.setdefault(name, []).append(value)
        self._learn(given)

    def _learn(self, given: Mapping[str, int]) -> None:
        """Find ranks until no more are found, and forget those of names that are bound to something else."""
        before = -1
        while len(self.known) != before:
            before = len(self.known)
            for name, values in self.bindings.items():
                if name in self._integers:
                    continue
                ranks = {self.of(v) for v in values} | ({given[name]} if name in given else set())
                if len(ranks) == 1 and None not in ranks:
                    self.known[name] = ranks.pop()  # type: ignore[assignment]
        for name in self.bindings.keys() & given.keys():
            if any(self.of(v) != given[name] for v in self.bindings[name]):
                self.known.pop(name, None)

    def of(self, tree: gast.AST | None) -> int | None:
        """The rank of an expression; None if it is not known."""
        match tree:
            case gast.Constant(value=int() | float()):
                return 0
            case gast.Name(id=name):
                return self.known.get(name)
            case gast.UnaryOp(op=gast.USub(), operand=operand):
                return self.of(operand)
            case gast.BinOp(left=left, op=op, right=right):
                return self._operation(op, self.of(left), self.of(right))
            case gast.Subscript(value=gast.Attribute(attr="shape"), slice=gast.Constant()):
                return 0
            case gast.Subscript(value=value, slice=index):
                return self._part(self.of(value), index)
            case gast.Call(func=gast.Attribute(value=value, attr="copy"), args=[]):
                return self.of(value)
            case gast.Call(func=func, args=args):
                return self._called(func, args)
        return None

    @staticmethod
    def _operation(op: gast.operator, left: int | None, right: int | None) -> int | None:
        if left is None or right is None:
            return None
        return PRODUCTS.get((left, right)) if isinstance(op, gast.MatMult) else max(left, right)

    def _part(self, rank: int | None, index: gast.expr) -> int | None:
        entries = index.elts if isinstance(index, gast.Tuple) else [index]
        if rank is None or len(entries) > rank:
            return None
        numbers = [e for e in entries if not isinstance(e, gast.Slice)]
        plain = all(self.of(e) == 0 for e in numbers)
        return rank - len(numbers) if plain else None

    def _called(self, func: gast.expr, args: list[gast.expr]) -> int | None:
        means = self._purity.means
        match args:
            case [gast.Attribute(value=gast.Name() as like, attr="shape"), *_] if means(func, MADE):
                return self.of(like)
            case [gast.Tuple(elts=sizes), *_] if means(func, MADE):
                return len(sizes)
            case [size, *_] if means(func, MADE):
                return 1 if self.of(size) == 0 else None
            case [like, *_] if means(func, ALIKE):
                return self.of(like)
            case [_, like] if means(func, LIKE_SECOND):
                return self.of(like)
        return None
