"""Parallel: which loops of a nest may be done at once, because their trips do not need each other.

In: a nest, the loops around it, what else the function reads.
Out: ``Decided``: loops that are done at once, loops that are sums, the numbers that become arrays.
Next: writing.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from typing import Any

import gast

from tangentlite import syntax
from tangentlite.slices.affine import Range
from tangentlite.slices.meeting import are_apart, inside, may_meet
from tangentlite.slices.nests import Loop, Ref, Step


class Decided:
    """What may be done at once in a nest; ``sums``: whether additions may be made in another order.

    Of loops that cannot all be sums, as those over windows (``x[i + k]``) and what is in them, the inner ones are,
    or the ``outer_first``.

    >>> from tangentlite.slices.samples import nest
    >>> def at_once(text, sums=True):
    ...     found = Decided(nest(text), [], lambda loop, names: False, sums)
    ...     return "".join(sorted(l.counter for l in found.whole)), "".join(sorted(l.counter for l in found.summed))
    >>> at_once("for i in range(1, n):\\n    t = x[i] * 2.0\\n    y[i] = x[i - 1] * t")
    ('i', '')
    >>> at_once("for i in range(1, n):\\n    y[i] = y[i - 1] * x[i]")
    ('', '')
    >>> at_once("for i in range(n):\\n    for j in range(i):\\n        y[i] += A[i, j] * y[j]")
    ('', 'j')
    """

    def __init__(
        self,
        nest: Loop,
        outer: list[Range],
        is_read: Any,
        sums: bool,
        outer_first: bool = False,
    ) -> None:
        self._outer, self._is_read = outer, is_read
        self.whole, self.summed = set[Loop](), set[Loop]()
        self._ranges: dict[int, list[Range]] = {}
        self._place(nest, outer)
        loops = list(nest.loops())[::-1]
        for loop in loops:
            if self._at_once(loop, False):
                self.whole.add(loop)
        for loop in (loops[::-1] if outer_first else loops) if sums else ():
            if loop not in self.whole and self._at_once(loop, True) and self._sums(loop):
                self.summed.add(loop)

    def _place(self, loop: Loop, outer: list[Range]) -> None:
        self._ranges[id(loop)] = outer
        for item in loop.body:
            if isinstance(item, Loop):
                self._place(item, [*outer, loop.range])

    def active(self, step: Step) -> list[Loop]:
        """The loops around a step that are done at once or summed, the outer ones first."""
        return [loop for loop in step.loops if loop in self.whole or loop in self.summed]

    def _at_once(self, loop: Loop, sums: bool) -> bool:
        inner = [item for item in loop.loops() if item is not loop]
        if any(loop.counter in r.range.low.names | _high(r.range).names for r in inner):
            return False
        steps = list(loop.steps())
        spared = {s for s in steps if sums and self._is_sum(s, loop, steps)}
        named = {s.name for s in steps if isinstance(s.target, str) and s not in spared}
        bound = {*named, *loop.integers(), loop.counter}
        if not is_private(loop, named) or self._is_read(loop, bound):
            return False
        return not any(self._must_wait(loop, a, b) for a, b in _pairs(steps, spared))

    def _must_wait(self, loop: Loop, a: Access, b: Access) -> bool:
        """Whether a trip must wait for an earlier one, by what the first does before and the second after."""
        (one, first, writes), (other, second, again) = a, b
        alone = all(inner in self.whole | self.summed for inner in _common(one, other, loop))
        if alone and (one.place < other.place or (one is other and again and not writes)):
            return False
        return may_meet(first, one, second, other, loop, self._ranges[id(loop)])

    def _is_sum(self, step: Step, loop: Loop, steps: Sequence[Step]) -> bool:
        """Whether each trip of a loop only adds to the same number, or the same places."""
        target = step.target
        others = [s for s in steps if s is not step]
        if not step.accumulates or any(step.name in s.reads for s in others):
            return False
        if any(s.name == step.name and not s.accumulates for s in others):
            return False
        if isinstance(target, str):
            return target not in step.reads
        if any(loop.counter in i.names for i in target.index):
            return False
        own = [ref for ref in step.refs.values() if ref.array == step.name]
        ranges = [*self._ranges[id(loop)], *(loop.range for loop in loop.loops())]
        return all(are_apart(target, ref, ranges) for ref in own)

    def _sums(self, loop: Loop) -> bool:
        """Whether what is added can be summed without an array of all trips of several loops."""
        steps = list(loop.steps())
        for step in steps:
            if self._is_sum(step, loop, steps):
                kept = [k for k in self.active(step) if not self.is_summed(step, k)]
                others = [k for k in self.active(step) if self.is_summed(step, k)]
                one = not others and product(step, kept, [loop]) is not None
                if kept and not one and not self._spans(step, loop):
                    return False
        return True

    def _spans(self, step: Step, loop: Loop) -> bool:
        """Whether one of the places that are read runs through all loops, so that there is an array of that size."""
        counters = {inner.counter for inner in (*self.active(step), loop)}
        found = ([i.names & counters for i in ref.index] for ref in step.refs.values())
        return any(set().union(*s) == counters and max(map(len, s)) == 1 for s in found)

    def is_summed(self, step: Step, loop: Loop) -> bool:
        """Whether a step adds up what the trips of a loop give."""
        if loop not in self.summed:
            return False
        return self._is_sum(step, loop, list(loop.steps()))


def has_windows(nest: Loop) -> bool:
    """Whether an array is read at places to which two counters lead: ``x[i + k]``."""
    return _leads_together(nest.steps(), {loop.counter for loop in nest.loops()})


def _leads_together(steps: Iterable[Step], counters: set[str]) -> bool:
    """Whether two counters lead to a place along the same axis."""
    places = (place for s in steps for ref in s.refs.values() for place in ref.index)
    return any(len(place.names & counters) > 1 for place in places)


Access = tuple[Step, Ref, bool]  # whether it is written


def _high(found: Range) -> Any:
    assert found.high is not None
    return found.high


def _accesses(step: Step) -> Iterator[Access]:
    yield from ((step, ref, False) for ref in step.refs.values())
    if isinstance(step.target, Ref):
        yield step, step.target, True
        if step.op is not None:
            yield step, step.target, False


def _pairs(steps: Sequence[Step], spared: set[Step]) -> Iterator[tuple[Access, Access]]:
    """The accesses to one array, of which one writes."""
    found = [a for s in steps for a in _accesses(s) if not (s in spared and a[1] is s.target)]
    for a in found:
        for b in found:
            if a[1].array == b[1].array and (a[2] or b[2]):
                yield a, b


def _common(one: Step, other: Step, loop: Loop) -> list[Loop]:
    """The loops in a loop that two steps share."""
    return [inner for inner in inside(one, loop) if inner in inside(other, loop)]


def is_private(loop: Loop, names: set[str]) -> bool:
    """Whether each trip binds numbers before it reads them."""
    return _reads_late(loop, names, set()) if names else True


def _reads_late(loop: Loop, names: set[str], bound: set[str]) -> bool:
    bound = set(bound)
    for item in loop.body:
        if isinstance(item, Loop):
            if not _reads_late(item, names, bound):
                return False
        elif isinstance(item, Step):
            read = item.reads | ({item.name} if item.op is not None else set())
            if not (read & names) <= bound:
                return False
            bound.add(item.name)
    return True


def product(step: Step, kept: Sequence[Loop], summed: Sequence[Loop]) -> tuple[Any, Any] | None:
    """The two factors of which the sum over a loop is a product of arrays."""
    value = step.value
    if not isinstance(value, gast.BinOp) or not isinstance(value.op, gast.Mult) or len(kept) > 2:
        return None
    inner = summed[0]
    if not kept:
        return _both(step, inner)
    sides = [depends(step, side, [*kept, inner]) for side in (value.left, value.right)]
    if _leads_together([step], {loop.counter for loop in (*kept, inner)}):
        return None
    if any(inner not in found for found in sides):
        return None
    left, right = (found - {inner} for found in sides)
    if left & right or left | right != set(kept):
        return None
    first = left if kept[0] in left else right
    if len(kept) == 2 and len(first) != 1:
        return None
    return (value.left, value.right) if first is left else (value.right, value.left)


def _both(step: Step, loop: Loop) -> tuple[Any, Any] | None:
    """The factors of a product of two vectors."""
    left, right = step.value.left, step.value.right
    one = all(depends(step, side, [loop]) == {loop} for side in (left, right))
    return (left, right) if one else None


def depends(step: Step, tree: gast.expr, loops: Sequence[Loop]) -> set[Loop]:
    """On which loops an expression of places depends; on all, if it reads numbers with names that a step binds."""
    found = set[Loop]()
    stepped = {s.name for s in loops[0].steps()} if loops else set()
    for node in _outermost(step, tree):
        if id(node) in step.refs:
            names = frozenset().union(*(i.names for i in step.refs[id(node)].index))
        elif isinstance(node, gast.Name):
            names = step.known[node.id].names if node.id in step.known else frozenset()
            if node.id in stepped:
                return set(loops)
        else:
            continue
        found |= {loop for loop in loops if loop.counter in names}
    return found


def _outermost(step: Step, tree: Any) -> Iterator[Any]:
    """The nodes of an expression that are not in an index."""
    yield tree
    if id(tree) not in step.refs:
        for child in syntax.children(tree):
            yield from _outermost(step, child)
