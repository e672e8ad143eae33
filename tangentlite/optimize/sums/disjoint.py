"""Disjoint: what is added to places of zeros where nothing was stored yet is stored there.

In: the statements of a function, ``Scope``.
Out: the same with fewer sums.
Next: filled.
"""

from __future__ import annotations

from typing import NamedTuple

import gast

from tangentlite import syntax
from tangentlite.analysis.shapes.broadcasting import whole
from tangentlite.optimize.facts.buffers import Buffers
from tangentlite.optimize.facts.scope import Scope
from tangentlite.optimize.facts.solid import is_part
from tangentlite.optimize.inherit import zeros
from tangentlite.optimize.replace import inside
from tangentlite.optimize.sums.gather import sum_of

Body = list[gast.stmt]
Term = tuple[str | None, int]  # a size, and how often; a number without a size
START: Term = (None, 0)


class Span(NamedTuple):
    """Where a slice begins and ends, as far as that is known, and by how much it steps."""

    start: Term | None
    end: Term | None
    step: int = 1


def disjoint(body: Body, scope: Scope) -> Body:
    """Store what comes first to its place.

    >>> from tangentlite.optimize.samples import show
    >>> show(disjoint, '''
    ... m = len(a) // 3
    ... bz = np.zeros(3 * m)
    ... bz[2 * m:] = bx
    ... bz[m:2 * m] += by
    ... bz[:m] -= by
    ... bz[1:m] += by[1:]
    ... ''')
    m = len(a) // 3
    bz = np.zeros(3 * m)
    bz[2 * m:] = bx
    bz[m:2 * m] = by
    bz[:m] = -by
    bz[1:m] += by[1:]
    """
    if gast.AugAssign not in scope.kinds:
        return body
    return _Disjoint(body, scope).block(body)


class _Disjoint:
    def __init__(self, body: Body, scope: Scope) -> None:
        self._body, self._scope, self._buffers = body, scope, Buffers(body, scope)
        self._made: dict[str, gast.expr] | None = None

    def block(self, body: Body) -> Body:
        result = [inside(s, self.block) if syntax.blocks(s) else s for s in body]
        for start, statement in enumerate(body):
            name = zeros(statement)
            if name is not None and self._scope.adjoint(name):
                self._store(result, start, name)
        return result if any(a is not b for a, b in zip(result, body)) else body

    def _store(self, body: Body, start: int, name: str) -> None:
        """Change the sums behind the zeros of ``name`` while it is known to which places something was stored."""
        taken: list[list[Span]] = []
        scope, shared = self._scope, self._buffers.sharing(name)
        for k in range(start + 1, len(body)):
            statement, facts = body[k], scope.facts(body[k])
            if name in facts.binds or (facts.effect and not shared.isdisjoint(facts.reads)):
                return
            if shared.isdisjoint(facts.writes):
                continue
            index = _place(statement, name)
            spans = None if index is None else self._spans(index)
            if index is None or spans is None:
                return
            if sum_of(statement, scope) == name and is_part(index) and _is_free(spans, taken):
                value = statement.value
                if isinstance(statement.op, gast.Sub):
                    value = syntax.at(gast.UnaryOp(gast.USub(), value), value)
                body[k] = syntax.at(gast.Assign([statement.target], value, None), statement)
            taken.append(spans)

    def _spans(self, index: gast.expr) -> list[Span] | None:
        """What an index takes of each of the first axes."""
        found: list[Span] = []
        for part in index.elts if isinstance(index, gast.Tuple) else [index]:
            number = whole(part)
            if isinstance(part, gast.Slice) and part.step is None:
                low = START if part.lower is None else self._term(part.lower)
                found.append(Span(low, None if part.upper is None else self._term(part.upper)))
            elif isinstance(part, gast.Slice) and (whole(part.step) or 0) > 0:
                low = START if part.lower is None else self._term(part.lower)
                found.append(Span(low, None, whole(part.step) or 1))
            elif number is not None:
                found.append(Span((None, number), None if number == -1 else (None, number + 1)))
            else:
                return None
        return found

    # Sizes ----------------------------------------------------------------------------------

    def _term(self, tree: gast.expr) -> Term | None:
        number = whole(tree)
        if number is not None:
            return None, number
        match tree:
            case gast.Name(id=name) if name in self._values:
                found = self._term(self._values[name])
                return found or ((name, 1) if self._is_size(tree) else None)
            case gast.BinOp(left=left, op=gast.Mult(), right=right):
                times, size = (left, right) if whole(left) is not None else (right, left)
                factor, term = whole(times), self._term(size)
                if factor is not None and factor >= 0 and term is not None and term[1] >= 0:
                    return term[0], term[1] * factor
        return None

    def _is_size(self, tree: gast.expr) -> bool:
        """Whether a number is no less than zero, as it is made of lengths."""
        match tree:
            case gast.Name(id=name):
                return name in self._values and self._is_size(self._values[name])
            case gast.Call(func=func, args=[_]):
                return self._scope.purity.means(func, (len,))
            case gast.Subscript(value=gast.Attribute(attr="shape")):
                return True
            case gast.BinOp(left=left, op=gast.FloorDiv(), right=right):
                return self._is_size(left) and (whole(right) or 0) > 0
        return False

    @property
    def _values(self) -> dict[str, gast.expr]:
        """What the names are that are bound once."""
        if self._made is None:
            times = syntax.times_stored(self._body)
            self._made = {
                s.targets[0].id: s.value
                for s in syntax.statements(self._body)
                if isinstance(s, gast.Assign) and isinstance(s.targets[0], gast.Name)
                if times[s.targets[0].id] == 1 and s.targets[0].id not in self._scope.params
            }
        return self._made


def _place(statement: gast.stmt, name: str) -> gast.expr | None:
    """The index at which a statement writes into an array, under its own name."""
    match statement:
        case gast.Assign(targets=[gast.Subscript(value=gast.Name(id=base), slice=index)]) | (
            gast.AugAssign(target=gast.Subscript(value=gast.Name(id=base), slice=index))
        ):
            return index if base == name else None
    return None


def _is_free(spans: list[Span], taken: list[list[Span]]) -> bool:
    """Whether no element is at another place, too: along some axis, one of them ends before the other begins."""
    return all(
        any(
            _before(a.end, b.start) or _before(b.end, a.start) or _between(a, b)
            for a, b in zip(spans, others)
        )
        for others in taken
    )


def _between(one: Span, other: Span) -> bool:
    """Whether both step by the same, one over the places of the other."""
    match one.start, other.start:
        case (None, int(a)), (None, int(b)) if one.step == other.step and a >= 0 and b >= 0:
            return (a - b) % one.step != 0
    return False


def _before(end: Term | None, start: Term | None) -> bool:
    """Whether what ends at ``end`` is over where the other starts; numbers below zero count from the end."""
    if end is None or start is None or end[0] != start[0]:
        return False
    return end[1] <= start[1] and (end[1] >= 0) == (start[1] >= 0)
