"""Turning: from which values of a counter on what branches and indices ask has another answer.

In: the statements of a loop, ``Where`` its counters are.
Out: ``points``; ``literal``: the trips of a loop over numbers that are written in the text.
Next: parting.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from typing import Any

import gast

from tangentlite import syntax
from tangentlite.slices.affine import Affine, Range, highest, lowest
from tangentlite.slices.nests import Known
from tangentlite.slices.stretches.asked import EQUAL, Where

SHORT = 9  # so many trips of an inner loop are looked at one by one
RangeOf = Callable[[gast.For, Known], tuple[Range, bool] | None]
Trips = list[dict[str, int]]


def points(
    body: Sequence[Any], counter: str, where: Where, range_of: RangeOf, far: bool = False
) -> Iterator[Affine]:
    """The values of a counter from which on some answer may be another one.

    ``range_of`` reads ranges of loops; ``far``: answers may also depend on the counters of long loops inside.

    >>> from tangentlite.slices.reader import Reader
    >>> from tangentlite.slices.samples import sizes
    >>> found = sizes("n = len(w)")
    >>> where = Where(found, {"i": Affine.of("i")}, (Range("i", Affine((), 0), Affine.of("w.shape[0]") - 1),), ())
    >>> def show(text):
    ...     body = syntax.parse(text)
    ...     print(*points(body, "i", where, Reader(found).range_of), sep="; ")
    >>> show("if i == 0 or i >= n - 1:\\n    w[i] = w[(i + 1) % n]")
    0; 1; w.shape[0] - 1; -1; w.shape[0] - 1
    >>> show("for k in range(3):\\n    if 0 <= i + k - 1 < n:\\n        w[i] += u[i + k - 1]")
    -1; 1; w.shape[0] - 1; w.shape[0] + 1; -1; 1
    """
    return _Turning(counter, where, range_of, far).block(body)


def is_near(point: Affine, own: Range) -> bool:
    """Whether a place is at an end of a range, wherever that is.

    >>> n = Affine.of("n")
    >>> own = Range("i", Affine((), 0), n - 1)
    >>> is_near(n - 3, own), is_near(n.times(2), own)
    (True, False)
    """
    assert own.high is not None
    return (point - own.low).constant is not None or (own.high - point).constant is not None


class _Turning:
    """Looks through statements in their order."""

    def __init__(self, counter: str, where: Where, range_of: RangeOf, far: bool) -> None:
        self._counter, self._where, self._range_of, self._far = counter, where, range_of, far
        self._long = set[str]()
        self._known: dict[str, Any] = dict(where.known)  # None: nothing is known of it
        self._inner: list[Range] = []

    def block(self, body: Sequence[Any]) -> Iterator[Affine]:
        """What statements ask."""
        for statement in body:
            for tree in _expressions(statement):
                for node in syntax.nodes([tree]):
                    yield from self._asked(node)
            self._learn(statement)
            for inner in ("body", "orelse"):
                yield from self.block(getattr(statement, inner, None) or [])

    def _learn(self, statement: Any) -> None:
        match statement:
            case gast.For():
                self._known |= dict.fromkeys(syntax.stores(statement.target))
                for own in self._short(statement):
                    self._known[own.counter] = Affine.of(own.counter)
                    self._inner.append(own)
            case gast.Assign(targets=[gast.Name(id=name)], value=value):
                found = self._of(value)
                if found is not None and self._where.sizes.count(name) == 1:
                    self._known[name] = found

    def _short(self, loop: gast.For) -> Iterator[Range]:
        """What the counters of a short loop run through."""
        trips, found = literal(loop), self._range_of(loop, self._known)
        for name in trips[0] if trips else ():
            numbers = [trip[name] for trip in trips or ()]
            yield Range(name, Affine((), min(numbers)), Affine((), max(numbers)))
        if found is not None and found[0].high is not None and found[0].step == 1:
            length = (found[0].high - found[0].low).constant
            if self._far and (length is None or length >= SHORT):
                self._long.add(found[0].counter)
                yield found[0]
            elif length is not None and 0 <= length < SHORT:
                yield found[0]

    def _of(self, tree: Any) -> Affine | None:
        return self._where.sizes.of(tree, self._known)

    def _asked(self, node: Any) -> Iterator[Affine]:
        """What one expression asks, without its parts."""
        match node:
            case gast.Compare(left=left, ops=ops, comparators=others):
                for a, op, b in zip([left, *others], ops, others):
                    yield from self._turns(self._difference(a, b), op)
            case gast.Call(func=func, args=[a, b], keywords=[]):
                found, means = self._of(a), self._where.sizes.sorts.means
                own, other = (a, b) if found and found.factor(self._counter) else (b, a)
                if means(func, (max, min)):  # the one with the counter, where they are equal
                    op = gast.GtE() if means(func, (max,)) else gast.LtE()
                    yield from self._turns(self._difference(own, other), op)
            case gast.BinOp(left=a, op=gast.Mod(), right=b):
                yield from self._turns(self._of(a), gast.GtE())
                yield from self._turns(self._difference(a, b), gast.GtE())
            case gast.Subscript(slice=index):
                for own in index.elts if isinstance(index, gast.Tuple) else [index]:
                    yield from self._from_the_end(self._of(own))

    def _from_the_end(self, index: Affine | None) -> Iterator[Affine]:
        """What an index asks that may be negative."""
        ranges = (*self._where.ranges, *self._inner)
        low = lowest(index, ranges) if index is not None else None
        if low is not None and (low.constant or 0) < 0:
            yield from self._turns(index, gast.GtE())

    def _difference(self, a: Any, b: Any) -> Affine | None:
        left, right = self._of(a), self._of(b)
        return None if left is None or right is None else left - right

    def _turns(self, value: Affine | None, op: Any) -> Iterator[Affine]:
        """From where on ``value op 0`` may be another answer, as the counter grows."""
        factor = value.factor(self._counter) if value is not None else 0
        if value is None or abs(factor) != 1:
            return
        zero = (value - Affine.of(self._counter).times(factor)).times(-factor)
        if isinstance(op, EQUAL) and zero.names & self._long:
            return  # each trip of a long loop asks for another place
        early = isinstance(op, (gast.Lt, gast.GtE) if factor > 0 else (gast.LtE, gast.Gt))
        if early or isinstance(op, EQUAL):
            yield from self._among(zero)
        if not early:
            yield from self._among(zero + 1)

    def _among(self, point: Affine) -> Iterator[Affine]:
        """A place, or the first and the last one that inner counters make of it."""
        far, own = point.names & self._long, self._where.ranges[-1]
        for found in dict.fromkeys((lowest(point, self._inner), highest(point, self._inner))):
            if found is not None and not (far and is_near(found, own)):
                yield found


def _expressions(statement: Any) -> Iterator[gast.expr]:
    """The expressions of a statement, without the statements in it."""
    for value in vars(statement).values():
        for own in value if isinstance(value, list) else [value]:
            if isinstance(own, gast.expr):
                yield own


def literal(loop: gast.For) -> Trips | None:
    """The integers that names are in the trips of a loop, if these are written in the text.

    >>> def show(text):
    ...     (loop,) = syntax.parse(text + ": pass")
    ...     print(literal(loop))
    >>> show("for a, b in ((0, 1), (1, 0))"), show("for d in (-1, 1)"), show("for d in (c, 1)")
    [{'a': 0, 'b': 1}, {'a': 1, 'b': 0}]
    [{'d': -1}, {'d': 1}]
    None
    (None, None, None)
    """
    match loop:
        case gast.For(target=target, iter=gast.Tuple(elts=rows) | gast.List(elts=rows), orelse=[]):
            found = [_bound(target, row) for row in rows]
            return found if found and None not in found and len(rows) <= SHORT else None  # type: ignore[return-value]
    return None


def _bound(target: Any, value: Any) -> dict[str, int] | None:
    """The integers that names are bound to."""
    match target, value:
        case gast.Name(id=name), gast.Constant(value=int() as number) if type(number) is int:
            return {name: number}
        case gast.Name(id=name), gast.UnaryOp(
            op=gast.USub(), operand=gast.Constant(value=int() as number)
        ):
            return {name: -number}
        case (
            gast.Tuple(elts=names),
            gast.Tuple(elts=values) | gast.List(elts=values),
        ) if len(names) == len(values):
            parts = [_bound(*pair) for pair in zip(names, values)]
            return None if None in parts else {n: v for part in parts for n, v in part.items()}  # type: ignore[union-attr]
    return None
