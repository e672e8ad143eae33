"""Trips: a loop whose trips do not need each other is done at once, by slices and products of matrices.

In: the finished functions of a derivative for NumPy.
Out: the same with fewer loops.
Next: emit.

Only sums to adjoints are taken together, so that what a function gives stays what it is to the last digit. Each
trip must come to places of its own in an array of which something is read; where the trips only add, they may meet.
"""

from __future__ import annotations

from collections import Counter

import gast

from tangentlite import syntax
from tangentlite.optimize.facts.axes import Axes
from tangentlite.optimize.facts.bounds import span
from tangentlite.optimize.facts.meetings import Uses
from tangentlite.optimize.facts.scope import Scope
from tangentlite.optimize.loops.together import Loop
from tangentlite.optimize.loops.vectors import Apart
from tangentlite.optimize.replace import inside

Body = list[gast.stmt]


def trips(body: Body, scope: Scope, axes: Axes) -> Body:
    """Do loops at once.

    >>> from tangentlite import runtime
    >>> from tangentlite.optimize.samples import USER, function, sample_is_pure, text_of
    >>> text = '''
    ... bx = np.zeros(x.shape)
    ... bA = np.zeros(A.shape)
    ... for i in reversed(range(A.shape[0])):
    ...     for k in reversed(range(A.shape[1])):
    ...         bt1 = by[i] * A[i, k]
    ...         bA[i, k] += by[i] * x[k]
    ...         bx[:i] += bt1 * A[:i, k]
    ... '''
    >>> sample = function(text, names={"rt": runtime})
    >>> scope = Scope(sample, USER, sample_is_pure)
    >>> axes = Axes(sample.body, {"A": 2, "x": 1, "by": 1}, scope.purity, scope.integers)
    >>> print(text_of(trips(sample.body, scope, axes)))
    bx = np.zeros(x.shape)
    bA = np.zeros(A.shape)
    for i in reversed(range(A.shape[0])):
        rt.within(range(A.shape[1]), x.shape[0])
        if A.shape[1]:
            bt1 = by[i] * A[i, :]
            bA[i, :] += by[i] * x[:A.shape[1]]
            bx[:i] += A[:i, :] @ bt1
    """
    return _Trips(body, scope, axes).block(body, ())


def unpacked_record(body: Body) -> tuple[list[str], Body]:
    """The names that the record of a pair is unpacked into, and the statements without that."""
    for k, statement in enumerate(body):
        match statement:
            case gast.Assign(
                targets=[gast.Tuple(elts=names)],
                value=gast.Name() | gast.Call(func=gast.Attribute(attr="private")),
            ):
                return [n.id for n in names], [*body[:k], *body[k + 1 :]]
            case syntax.Comment() | syntax.Blank():
                continue
        break
    return [], body


def record_of(body: Body) -> list[gast.expr]:
    """What the forward function of a pair hands on."""
    match body[-1]:
        case gast.Return(value=gast.Tuple(elts=[_, gast.Tuple(elts=parts)])):
            return list(parts)
    return []


def _adds(statement: gast.stmt) -> bool:
    """Whether something is added to what is there."""
    match statement:
        case gast.Assign(targets=[gast.Name(id=name)], value=gast.BinOp(left=gast.Name(id=left))):
            return bool(name == left)
    return isinstance(statement, gast.AugAssign)


class _Trips:
    def __init__(self, body: Body, scope: Scope, axes: Axes) -> None:
        self._scope, self._uses = scope, Uses(body, scope, axes)
        self._inside = Counter[str]()  # how often counters are read in their loops
        for loop in (s for s in syntax.statements(body) if isinstance(s, gast.For)):
            own = syntax.stores(loop.target)
            self._inside.update(n.id for n in syntax.names(loop.body) if n.id in own)

    def block(self, body: Body, around: tuple[gast.For, ...]) -> Body:
        result: Body = []
        for s in body:
            within = (*around, s) if isinstance(s, gast.For) else around
            nested = any(syntax.blocks(inner) for inner in getattr(s, "body", []))
            if isinstance(s, gast.For) and not nested:
                result += self._at_once(s, within) or [s]
            elif syntax.blocks(s):
                result.append(inside(s, lambda b: self.block(b, within)))  # noqa: B023
            else:
                result.append(s)
        return result

    def _at_once(self, loop: gast.For, around: tuple[gast.For, ...]) -> Body | None:
        """The statements of all trips; None if they need each other."""
        found = span(loop, self._scope)
        sums = any(map(_adds, loop.body))
        if found is None or not sums or loop.orelse or not isinstance(loop.target, gast.Name):
            return None
        if self._uses.loads[loop.target.id] != self._inside[loop.target.id]:
            return None
        try:
            return Loop(self._uses, loop, found, around).statements()
        except Apart:
            return None
