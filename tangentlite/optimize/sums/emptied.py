"""Emptied: what is added to a place that was just emptied is stored there.

In: the statements of a function, ``Scope``.
Out: the same values in fewer writes.
Next: restored.
"""

from __future__ import annotations

import gast

from tangentlite import syntax
from tangentlite.optimize.facts.buffers import Buffers
from tangentlite.optimize.facts.scope import Scope
from tangentlite.optimize.facts.solid import is_part
from tangentlite.optimize.replace import inside
from tangentlite.optimize.sums.gather import sum_of

Body = list[gast.stmt]


def emptied(body: Body, scope: Scope) -> Body:
    """Store where a place is emptied and then added to; sums to other places may come in between.

    >>> from tangentlite.optimize.samples import show
    >>> show(emptied, '''
    ... bx = np.zeros(n)
    ... t = bx[1:].copy()
    ... bx[1:] = 0.0
    ... bt1 = t * y
    ... bx[:-1] += t
    ... bx[1:] -= bt1
    ... ''')
    bx = np.zeros(n)
    t = bx[1:].copy()
    bt1 = t * y
    bx[1:] = -bt1
    bx[:-1] += t
    """
    if not any(_empties(s, scope) for s in syntax.statements(body)):
        return body
    return _Emptied(body, scope).block(body)


def _empties(statement: gast.stmt, scope: Scope) -> str | None:
    """The adjoint of which a statement empties a place."""
    match statement:
        case gast.Assign(
            targets=[gast.Subscript(value=gast.Name(id=name))], value=gast.Constant(value=0.0)
        ) if scope.adjoint(name):
            return str(name)
    return None


def _place(place: gast.Subscript) -> object:
    """An array and an index in it."""
    return place.value.id, syntax.key(place.slice)


def _read(place: gast.Subscript) -> gast.Subscript:
    """A place as it is read."""
    return gast.Subscript(place.value, place.slice, gast.Load())


class _Emptied:
    def __init__(self, body: Body, scope: Scope) -> None:
        self._scope, self._buffers = scope, Buffers(body, scope)

    def block(self, body: Body) -> Body:
        result = [inside(s, self.block) if syntax.blocks(s) else s for s in body]
        start, filled = 0, self._filled(result)
        while start < len(result):
            name = _empties(result[start], self._scope)
            found = None
            if name is not None and _place(result[start].targets[0]) in filled:
                found = self._sum(result, start, name)
            if found is None:
                start += 1
                continue
            place, end = found
            stored = self._store(result[end])
            result = [
                *result[:start],
                *result[start + 1 : place],
                stored,
                *result[place:end],
                *result[end + 1 :],
            ]
        return result

    def _filled(self, body: Body) -> set[object]:
        """The places to which statements of a block add, if any are emptied."""
        if not any(_empties(s, self._scope) for s in body):
            return set()
        return {_place(s.target) for s in body if sum_of(s, self._scope) is not None}

    def _sum(self, body: Body, start: int, name: str) -> tuple[int, int] | None:
        """Where a sum to the emptied place stands, and where it may be stored; None if something is in the way."""
        empty, place = body[start], None
        indices = syntax.loads(empty.targets[0].slice)
        touching = self._buffers.sharing(name) - self._taken(body[:start], empty) | {name}
        for end in range(start + 1, len(body)):
            other = body[end]
            if syntax.blocks(other) or isinstance(other, gast.Return):
                return None
            same = sum_of(other, self._scope) == name
            if same and syntax.same(other.target.slice, empty.targets[0].slice):
                place = end if place is None else place
                free = self._is_fresh(name, other) and touching.isdisjoint(
                    syntax.loads(other.value)
                )
                return (place, end) if free and self._rises(body[place:end], other, name) else None
            facts = self._scope.facts(other)
            if facts.effect or facts.seen or not indices.isdisjoint(facts.binds | facts.writes):
                return None
            if same:
                place = end if place is None else place
            elif not touching.isdisjoint(facts.reads | facts.writes):
                return None
            else:
                touching -= facts.binds  # made of what has other memory
        return None

    def _taken(self, before: Body, empty: gast.stmt) -> set[str]:
        """What was taken out of the place just before: a number or a copy, since a view would be empty, too."""
        match before[-1:]:
            case [gast.Assign(targets=[gast.Name(id=name)], value=part)]:
                match part:
                    case gast.Call(func=gast.Attribute(value=inner, attr="copy"), args=[]):
                        part = inner
                alike = syntax.same(part, _read(empty.targets[0]))
                return {name} if alike and self._scope.temporary(name) else set()
        return set()

    def _rises(self, passed: Body, sum_: gast.stmt, name: str) -> bool:
        """Whether a sum may come before others, and before what stands between them."""
        own = self._scope.facts(sum_).reads - {name}
        for statement in passed:
            facts = self._scope.facts(statement)
            changed = facts.binds | facts.writes
            if not own.isdisjoint(changed):
                return False
            others = facts.writes - {name}  # of `name` it reads nothing
            if others and any(not self._scope.members(n).isdisjoint(others) for n in own):
                return False
        return True

    def _is_fresh(self, name: str, sum_: gast.stmt) -> bool:
        """Whether a store is as good as a sum: what is stored in a list or a dict would not be copied."""
        made = isinstance(sum_.value, gast.BinOp | gast.UnaryOp) or isinstance(sum_.op, gast.Sub)
        return made or self._buffers.is_array(name) or is_part(sum_.target.slice)

    def _store(self, sum_: gast.stmt) -> gast.stmt:
        value = sum_.value
        if isinstance(sum_.op, gast.Sub):
            value = gast.UnaryOp(gast.USub(), value)
        return syntax.at(gast.Assign([sum_.target], value, None), sum_)
