"""Inherit: an adjoint that is added as a whole to zeros is the array that the sum begins with.

In: a block, ``Scope``.
Out: the same block with fewer arrays.
Next: prune.
"""

from __future__ import annotations

from collections import Counter

import gast

from tangentlite import syntax
from tangentlite.optimize.facts.scope import Scope
from tangentlite.optimize.replace import inside, remade, unchanged


def inherit(body: list[gast.stmt], scope: Scope) -> list[gast.stmt]:
    """Begin with what is added last, if nobody else needs it.

    >>> from tangentlite.optimize.samples import show
    >>> show(inherit, '''
    ... bz = bx
    ... bz[0] = 0.0
    ... bx = np.zeros(x.shape)
    ... bx[1:] += bt1
    ... # Grad of: z = x.copy()
    ... bx[...] += bz
    ... return bx
    ... ''')
    bz = bx
    bz[0] = 0.0
    bx = bz
    bx[1:] += bt1
    return bx

    An array that makes room for the sum under its own name keeps it.

    >>> show(inherit, '''
    ... bx = np.zeros(n)
    ... bx[0] += by
    ... bt1 = bx
    ... bx = np.zeros(x.shape)
    ... bx[...] += bt1
    ... return bx
    ... ''')
    bx = np.zeros(n)
    bx[0] += by
    bt1 = bx
    bx = bt1
    return bx
    """
    if not scope.in_place or not any(map(_whole, syntax.statements(body))):
        return body
    return _Inherit(scope, body).block(body)


def _whole(statement: gast.AST) -> tuple[str, str] | None:
    """The array to which another is added as a whole, and that other."""
    match statement:
        case gast.AugAssign(
            target=gast.Subscript(value=gast.Name(id=sum_), slice=gast.Constant(value=value)),
            op=gast.Add(),
            value=gast.Name(id=part),
        ) if value is ... and sum_ != part:
            return sum_, part
    return None


def zeros(statement: gast.stmt) -> str | None:
    """The name that begins as an array of zeros."""
    match statement:
        case gast.Assign(
            targets=[gast.Name(id=name)],
            value=gast.Call(func=gast.Attribute(attr="zeros"), args=[_], keywords=[]),
        ):
            return str(name)
    return None


def _without_gaps(body: list[gast.stmt], before: list[gast.stmt]) -> list[gast.stmt]:
    """Without the places of what was added as a whole, and the comments of those only."""
    gaps = [k for k, s in enumerate(body) if isinstance(s, gast.Pass) and s is not before[k]]
    for k in reversed(gaps):
        alone = k + 1 == len(body) or isinstance(body[k + 1], syntax.Comment | gast.Return)
        first = k - 1 if alone and k and isinstance(body[k - 1], syntax.Comment) else k
        del body[first : k + 1]
    return body


class _Inherit:
    def __init__(self, scope: Scope, body: list[gast.stmt]) -> None:
        self._scope = scope
        self._named = _named(body)

    def block(self, body: list[gast.stmt]) -> list[gast.stmt]:
        result = [inside(s, self.block) if syntax.blocks(s) else s for s in body]
        for start, name in [(k, zeros(s)) for k, s in enumerate(result)]:
            end = self._end(result, start, name) if name and self._scope.adjoint(name) else None
            if name is not None and end is not None:
                part = result[end].value
                self._scope.view(name, part.id)
                result[start] = remade(result[start], {"value": part})
                result[end] = syntax.at(gast.Pass(), result[end])
        return body if unchanged(body, result) else _without_gaps(result, body)

    def _end(self, body: list[gast.stmt], start: int, name: str) -> int | None:
        """Where an array of its own is added as a whole, after additions to parts only."""
        for k, statement in enumerate(body[start + 1 :], start + 1):
            pair = _whole(statement)
            if pair is not None and pair[0] == name:
                free = self._is_free(pair[1], name, body, start, k)
                return k if free else None
            if not self._adds(statement, name):
                return None
        return None

    def _adds(self, statement: gast.stmt, name: str) -> bool:
        """Whether a statement does no more with an array than to add to it."""
        if isinstance(statement, syntax.Comment | syntax.Blank):
            return True
        if syntax.blocks(statement):
            return False
        facts = self._scope.facts(statement)
        if name not in facts.reads | facts.binds | facts.writes:
            return not facts.seen
        match statement:
            case gast.AugAssign(
                target=gast.Subscript(value=gast.Name(id=sum_), slice=index), op=gast.Add(), value=e
            ) if sum_ == name:
                return name not in syntax.loads([index, e])
        return False

    def _is_free(self, part: str, name: str, body: list[gast.stmt], start: int, end: int) -> bool:
        """Whether an array was made and written in this block before, and is named nowhere else."""
        if not self._scope.adjoint(part) or self._scope.visible(part):
            return False
        if not self._scope.members(part) & self._named.keys() <= {part, name}:
            return False
        before = body[:start]
        bound = next((k for k, s in enumerate(before) if part in self._scope.facts(s).kills), None)
        if bound is None or self._named[part] != _named([*before[bound:], body[end]])[part]:
            return False
        if self._is_written(part, before):
            return True
        handed = self._hands_on(before[bound:], name) and not self._scope.visible(name)
        return handed and self._is_written(name, before[:bound])

    def _hands_on(self, body: list[gast.stmt], name: str) -> bool:
        """Whether an array changes its name to make room for the sum: ``bt1 = bx`` before ``bx = np.zeros(n)``."""
        match body[0]:
            case gast.Assign(value=gast.Name(id=source)) if source == name:
                return name not in _named(body[1:])
        return False

    def _is_written(self, name: str, before: list[gast.stmt]) -> bool:
        """Whether an array that was made in this block was written there."""
        made = [k for k, s in enumerate(before) if name in self._scope.facts(s).kills]
        after = before[made[-1] + 1 :] if made else []
        return any(name in self._scope.facts(s).writes for s in after)


def _named(body: list[gast.stmt]) -> Counter[str]:
    """How often each name stands in statements."""
    return Counter(n.id for n in syntax.names(body))
