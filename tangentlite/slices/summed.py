"""Summed: Python's ``sum`` of an array is NumPy's, and that of a generator is a loop.

In: a function as it was read, what its names hold (``Sorts``).
Out: ``summed``: the function; it adds in another order.
Next: prepared.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from typing import Any

import gast
import numpy as np

from tangentlite import syntax
from tangentlite.ir import Function
from tangentlite.optimize.numbers.forms import is_array
from tangentlite.optimize.numbers.sorts import Sorts
from tangentlite.optimize.replace import exchanged

QUIET = (abs, len, max, min, float, int, range, sum, zip, enumerate, reversed)
# Their parts are computed whatever they are.
AROUND = (gast.BinOp, gast.UnaryOp, gast.Call, gast.Tuple)
WHERE = (gast.Assign, gast.AugAssign, gast.Return)


def summed(function: Function, sorts: Sorts) -> Function:
    """A function without ``sum``, as far as its parts are computed in any case.

    >>> from tangentlite.optimize.samples import text_of
    >>> from tangentlite.slices.samples import sizes
    >>> found = sizes("y = sum(w) * 2.0\\nz = y + sum(a * b for a, b in zip(w, u))")
    >>> print(text_of(summed(found.function, found.sorts).body))
    y = np.sum(w) * 2.0
    total = 0
    for a, b in zip(w, u):
        total = total + a * b
    z = y + total
    """
    found = _Sums(function, sorts)
    body = syntax.rewrite(function.body, found.step)
    return function.with_body(body) if found.done else function


class _Sums:
    """Looks for sums, statement by statement."""

    def __init__(self, function: Function, sorts: Sorts) -> None:
        self._sorts, self.done = sorts, 0
        self._taken = set(function.local | function.read)
        self._uses = _named(function.body)

    def step(self, statement: Any) -> list[gast.stmt]:
        """A statement, behind the loops that make its sums."""
        value = getattr(statement, "value", None) if isinstance(statement, WHERE) else None
        sums = list(self._sums(value)) if value is not None else []
        if not sums or not all(map(self._is_quiet, syntax.nodes([statement]))):
            return [statement]
        holes, before = dict[int, gast.expr](), list[gast.stmt]()
        for call in sums:
            (inner,) = call.args
            if is_array(form := self._sorts.of(inner)) and form == 1:
                holes[id(call)] = syntax.at(syntax.expression("np.sum(x)", x=inner), call)
            elif isinstance(inner, gast.GeneratorExp | gast.ListComp) and self._is_plain(inner):
                name = self._fresh()
                before += [syntax.at(s, statement) for s in _loop(inner, name)]
                holes[id(call)] = syntax.at(syntax.name(name), call)
        self.done += len(holes)
        return [*before, exchanged(statement, holes)] if holes else [statement]

    def _sums(self, tree: Any) -> Iterator[gast.Call]:
        """The sums in an expression that are made in any case."""
        match tree:
            case gast.Call(func=func, args=[_], keywords=[]) if self._sorts.means(func, (sum,)):
                yield tree
            case _ if isinstance(tree, AROUND):
                for part in syntax.children(tree):
                    yield from self._sums(part)

    def _is_quiet(self, node: Any) -> bool:
        """Whether a call does nothing but to give a value."""
        if not isinstance(node, gast.Call):
            return not isinstance(node, gast.NamedExpr | gast.Yield | gast.Await | gast.Lambda)
        meant = self._sorts.meaning(node.func)
        home = str(getattr(meant, "__module__", None))
        known = isinstance(meant, np.ufunc) or meant in QUIET or home in ("numpy", "math")
        return known and not home.startswith("numpy.random")

    def _is_plain(self, inner: Any) -> bool:
        """Whether a generator has one loop without conditions, whose names mean nothing outside."""
        (first, *others) = inner.generators
        names = syntax.stores([first.target])
        if others or first.ifs or first.is_async or not names.isdisjoint(syntax.loads(first.iter)):
            return False
        own = _named([inner])
        return all(own[name] == self._uses[name] for name in names)

    def _fresh(self) -> str:
        name = "total"
        while name in self._taken:
            name += "_"
        self._taken.add(name)
        return name


def _loop(inner: Any, name: str) -> list[gast.stmt]:
    (made,) = inner.generators
    begun, added = syntax.quote("s = 0\ns = s + e", s=name, e=inner.elt)
    return [begun, gast.For(made.target, made.iter, [added], [], None)]


def _named(body: list[Any]) -> Counter[str]:
    return Counter(n.id for n in syntax.nodes(body) if isinstance(n, gast.Name))
