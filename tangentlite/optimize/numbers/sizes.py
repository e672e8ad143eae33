"""Sizes: which names say how large an array is, so that a loop is known to come to most of its places.

In: ``Sorts``.
Out: ``Sizes``: ``pays(array, loop)``.
Next: lists.
"""

from __future__ import annotations

from collections.abc import Iterable

import gast

from tangentlite import syntax
from tangentlite.optimize.numbers.forms import INT, axes_of
from tangentlite.optimize.numbers.sorts import Sorts


class Sizes:
    """Names of which one is made as large as another one, or says how large it is.

    >>> from tangentlite.optimize.samples import USER, function, sample_is_pure
    >>> text = "k = len(x)\\ny = np.zeros(k)\\nfor i in range(k - 1):\\n    pass\\nfor i in range(n):\\n    pass"
    >>> f = function(text)
    >>> from tangentlite.optimize.facts.scope import Scope
    >>> purity = Scope(f, USER, sample_is_pure).purity
    >>> sizes = Sizes(Sorts(f.body, {"x": 1, "n": INT}, purity))
    >>> [sizes.pays(name, loop) for name in "xy" for loop in f.body[2:]]
    [True, False, True, False]
    """

    def __init__(self, sorts: Sorts) -> None:
        self._sorts = sorts
        self._parent: dict[str, str] = {}
        for name, value, path, _ in sorts.bindings:
            measured = not path or isinstance(value, gast.Attribute)
            if value is not None and measured and self._measures(name):
                self._tie(name, filter(self._measures, syntax.loads(value)))

    def _measures(self, name: str) -> bool:
        form = self._sorts.known.get(name)
        return form == INT or axes_of(form) is not None

    def _tie(self, name: str, others: Iterable[str]) -> None:
        for other in others:
            self._parent[self._find(other)] = self._find(name)

    def _find(self, name: str) -> str:
        top = name
        while (above := self._parent.get(top, top)) != top:
            top = above
        while name != top:
            self._parent[name], name = top, self._parent[name]
        return top

    def pays(self, array: str, loop: gast.stmt) -> bool:
        """Whether a loop, and as many in it as the array has axes, count as far as the array is long."""
        own, counters, found = self._find(array), set[str](), 0
        for inner in _loops(loop):
            head = inner.iter if isinstance(inner, gast.For) else inner.test
            read = syntax.loads(head)
            if read & counters or any(self._find(name) == own for name in read):
                counters |= syntax.stores(inner.target) if isinstance(inner, gast.For) else set()
                found += 1
        return found >= (axes_of(self._sorts.known[array]) or 0)

    def end(self, places: list[gast.expr], loop: gast.stmt) -> gast.expr | None:
        """How far a loop over places of a vector counts, if that is known when the outermost loop begins."""
        inside = syntax.stores(loop)
        for inner in _loops(loop):
            counted = self._range(inner.iter) if isinstance(inner, gast.For) else None
            if counted is None or syntax.loads(end := _end(counted)) & inside:
                continue
            if any(_counts(place, inner.target) for place in places):
                return end
        return None

    def _range(self, iterable: gast.expr) -> list[gast.expr] | None:
        """The arguments of the range that a loop runs over, one way or the other."""
        match iterable:
            case gast.Call(func=func, args=[inner]) if self._sorts.means(func, (reversed,)):
                return self._range(inner)
            case gast.Call(func=func, args=args) if self._sorts.means(func, (range,)):
                return args  # type: ignore[no-any-return]
        return None


def _counts(place: gast.expr, counter: gast.expr) -> bool:
    """Whether a place goes up or down by one with a counter."""
    match place, counter:
        case gast.Name(id=name), gast.Name(id=own):
            return bool(name == own)
        case gast.BinOp(left=left, op=gast.Add() | gast.Sub(), right=gast.Constant()), _:
            return _counts(left, counter)
    return False


def _end(args: list[gast.expr]) -> gast.expr:
    """The larger end of a range.

    >>> [syntax.unparse(_end(syntax.expression(f"range({t})").args)) for t in ("n", "1, n", "n - 2, -1, -1")]
    ['n', 'n', 'n - 2']
    """
    match args:
        case [first, _, gast.UnaryOp(op=gast.USub())]:
            return first
    return args[min(1, len(args) - 1)]


def _loops(statement: gast.stmt) -> list[gast.For | gast.While]:
    return [s for s in syntax.statements([statement]) if isinstance(s, gast.For | gast.While)]
