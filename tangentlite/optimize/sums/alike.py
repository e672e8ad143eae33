"""Alike: adjoints of one part under two names, which are added to the same place, are one adjoint.

In: a block, ``Nests``.
Out: the same with fewer adjoints.
Next: slots.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any

import gast

from tangentlite import runtime, syntax
from tangentlite.optimize.facts.nests import EXACT, Nests
from tangentlite.optimize.replace import replaced

Body = list[gast.stmt]
Means = Callable[[gast.expr, Any], bool]


class Alike:
    """Adjoints in one function.

    >>> import tangentlite as tl
    >>> def loss(p, n):
    ...     s = 0.0
    ...     for k in range(n):
    ...         s = s + p[0]["w"] * p[0]["b"] * k
    ...     return s
    >>> df = tl.grad(loss)
    >>> _ = df([{"w": 2.0, "b": 3.0}], 4)
    >>> print("\\n".join(df.source.split("\\n\\n")[0].splitlines()[-5:]))
            bt5 = bs * k
            bb = bt5 * p[0]['w']
            bw = bt5 * p[0]['b']
            rt.add_at(bp, 0, {'w': bw, 'b': bb})
        return rt.like(bp, p)
    """

    def __init__(self, nests: Nests, means: Means) -> None:
        self._nests, self._means = nests, means

    def block(self, body: Body) -> Body:
        """The statements of a block with one adjoint for each part."""
        begun = [found for s in body if (found := self._zeros(s))]
        for n, (first, place) in enumerate(begun):
            for second, other in begun[n + 1 :]:
                made = self._joined(body, first, second) if place and place == other else None
                if made is not None:
                    return self.block(made)
        return body

    def _zeros(self, statement: gast.stmt) -> tuple[str, str] | None:
        """An adjoint that begins as zeros, and the place of what it belongs to."""
        match statement:
            case gast.Assign(
                targets=[gast.Name(id=name)],
                value=gast.Call(func=func, args=[gast.Name(id=source)], keywords=[]),
            ) if self._means(func, (runtime.zeros,)):
                if type(self._nests.kinds.get(source)) in EXACT:
                    return name, self._nests.places.get(source, "")
        return None

    def _joined(self, body: Body, first: str, second: str) -> Body | None:
        """The block in which the second is part of the first, if all that is done to both is to add them up."""
        uses = {
            name: [k for k, s in enumerate(body) if self._names(s, name)]
            for name in (first, second)
        }
        puts = {name: self._put(body[places[-1]], name) for name, places in uses.items()}
        whole, index = puts[first] or ("", "")
        if not whole or puts[first] != puts[second]:
            return None
        for name, (begun, *added, _) in uses.items():
            if not all(self._adds(body[k], name) for k in added) or not self._zeros(body[begun]):
                return None
        ends = sorted(places[-1] for places in uses.values())
        if not all(self._is_free(s, whole, index) for s in body[ends[0] + 1 : ends[1]]):
            return None
        gone = {uses[second][0], ends[0]}
        names = {second: syntax.name(first)}
        return [
            replaced(s, names) if k in uses[second] else s
            for k, s in enumerate(body)
            if k not in gone
        ]

    def _names(self, statement: gast.stmt, name: str) -> bool:
        return any(n.id == name for n in syntax.nodes([statement]) if isinstance(n, gast.Name))

    def _put(self, statement: Any, name: str) -> tuple[str, str] | None:
        """To what, and where, an adjoint is added as a whole."""
        match statement:
            case gast.Expr(
                value=gast.Call(
                    func=func, args=[gast.Name(id=whole), index, gast.Name(id=part)], keywords=[]
                )
            ) if part == name != whole and self._means(func, (runtime.add_at,)):
                return whole, syntax.unparse(index)
        return None

    def _adds(self, statement: Any, name: str) -> bool:
        """Whether a statement adds to a part of an adjoint."""
        match statement:
            case gast.Expr(
                value=gast.Call(func=func, args=[gast.Name(id=whole), *rest], keywords=[])
            ):
                inner = {n for e in rest for n in syntax.loads(e)}
                return whole == name not in inner and self._means(func, (runtime.add_at,))
        return False

    def _is_free(self, statement: gast.stmt, whole: str, index: str) -> bool:
        """Whether a statement leaves the place as it is, or adds to it."""
        named = {n.id for n in syntax.nodes([statement]) if isinstance(n, gast.Name)}
        stored = syntax.stores(statement)
        if not stored.isdisjoint(_words(index)):
            return False
        return whole not in named or self._adds(statement, whole)


def _words(index: str) -> Iterator[str]:
    return (n.id for n in syntax.nodes([syntax.expression(index)]) if isinstance(n, gast.Name))
