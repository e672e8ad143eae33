"""Gather: what is added to one place of an array is added at once, and what comes first to zeros is stored.

In: the statements of a function, ``Scope``.
Out: the same sums in fewer writes.
Next: emit.
"""

from __future__ import annotations

import gast

from tangentlite import syntax
from tangentlite.optimize.facts.buffers import Buffers
from tangentlite.optimize.facts.scope import Scope
from tangentlite.optimize.facts.solid import is_part
from tangentlite.optimize.inherit import zeros
from tangentlite.optimize.replace import inside, remade
from tangentlite.optimize.sums.collect import collected

Body = list[gast.stmt]


def gather(body: Body, scope: Scope) -> Body:
    """Add once to each place, and store first.

    >>> from tangentlite.optimize.samples import show
    >>> show(gather, '''
    ... bx = np.zeros(x.shape)
    ... bx[:-1] -= by * x[1:]
    ... bt1 = by * 2.0
    ... bx[:-1] -= bt1 * x[:-1]
    ... bx[1:] += bt1
    ... ''')
    bx = np.zeros(x.shape)
    bt1 = by * 2.0
    bx[1:] = bt1
    bx[:-1] -= by * x[1:] + bt1 * x[:-1]
    """
    if not any(isinstance(s, gast.AugAssign) for s in syntax.statements(body)):
        return body
    return _Gather(scope, Buffers(body, scope)).block(body)


def sum_of(statement: gast.stmt, scope: Scope) -> str | None:
    """The array to a place of which a statement adds."""
    match statement:
        case gast.AugAssign(
            target=gast.Subscript(value=gast.Name(id=name), slice=index),
            op=gast.Add() | gast.Sub(),
            value=value,
        ) if scope.adjoint(name) and name not in syntax.loads([index, value]):
            return None if scope.facts(statement).effect else str(name)
    return None


class _Gather:
    def __init__(self, scope: Scope, buffers: Buffers) -> None:
        self._scope, self._buffers = scope, buffers

    def block(self, body: Body) -> Body:
        result = [inside(s, self.block) if syntax.blocks(s) else s for s in body]
        start = 0
        while start < len(result):
            name = sum_of(result[start], self._scope)
            while name is not None and (merged := self._merged(result, start, name)) is not result:
                result, name = merged, sum_of(merged[start], self._scope)
            start += 1
        for start, statement in enumerate(list(result)):
            name = zeros(statement)
            if name is not None and self._scope.adjoint(name) and result[start] is statement:
                result = self._stored(result, start, name)
        return result

    def _passes(self, statement: gast.stmt, other: gast.stmt, name: str) -> bool:
        """Whether a sum may come after another statement instead of before it."""
        if syntax.blocks(other) or isinstance(other, syntax.Comment | syntax.Blank | gast.Return):
            return False
        facts, own = self._scope.facts(other), self._scope.facts(statement)
        if facts.effect or facts.seen:
            return False
        read = own.reads - {name}
        if not facts.binds.isdisjoint(own.reads):
            return False
        if not all(read.isdisjoint(self._buffers.sharing(n)) for n in facts.writes):
            return False
        return sum_of(other, self._scope) == name or self._buffers.sharing(name).isdisjoint(
            facts.reads | facts.writes
        )

    def _merged(self, body: Body, start: int, name: str) -> Body:
        """The sum together with the next one to the same place."""
        statement = body[start]
        for end in range(start + 1, len(body)):
            other = body[end]
            if not self._passes(statement, other, name):
                break
            if sum_of(other, self._scope) == name and _same_place(statement, other):
                both = gast.BinOp(statement.value, gast.Add(), other.value)
                both = collected(syntax.at(both, other.value), self._scope.adjoint)
                whole = remade(other, {"value": both})
                return [*body[:start], *body[start + 1 : end], whole, *body[end + 1 :]]
        return body

    def _stored(self, body: Body, start: int, name: str) -> Body:
        """The first sum to zeros as a store; those that subtract come after it."""
        late: list[int] = []
        for end in range(start + 1, len(body)):
            statement = body[end]
            if sum_of(statement, self._scope) == name:
                if isinstance(statement.op, gast.Add):
                    if not is_part(statement.target.slice):
                        break
                    store = gast.Assign([statement.target], statement.value, None)
                    between = [
                        s for k, s in enumerate(body[start + 1 : end], start + 1) if k not in late
                    ]
                    first = [*body[: start + 1], *between, syntax.at(store, statement)]
                    return [*first, *(body[k] for k in late), *body[end + 1 :]]
                late.append(end)
            elif name in (
                facts := self._scope.facts(statement)
            ).reads | facts.binds | facts.writes or syntax.blocks(statement):
                break
            if not all(self._passes(body[k], statement, name) or k == end for k in late):
                break
        return body


def _same_place(one: gast.stmt, other: gast.stmt) -> bool:
    same = syntax.unparse(one.target) == syntax.unparse(other.target)
    return same and type(one.op) is type(other.op)
