"""Spelling: an expression of places as one of slices.

In: an expression in a loop, the loops around it that are done at once.
Out: ``Value``: an expression of slices; the places that must be there (``Reach``).
Next: writing.
"""

from __future__ import annotations

import functools
from collections.abc import Mapping, Sequence
from functools import reduce
from itertools import pairwise
from typing import Any, NamedTuple

import gast

from tangentlite import syntax
from tangentlite.slices.affine import Affine, Range
from tangentlite.slices.arithmetic import EXTREMA, MATH, is_constant
from tangentlite.slices.nests import Loop, NotSliced, Ref, Step
from tangentlite.slices.sizes import Sizes

NEAR = 4  # places that one counts from the end
FULL, NONE = gast.Slice(None, None, None), gast.Constant(None, None)


class Reach(NamedTuple):
    """Places of an array that are taken in one dimension, from the first to before the last, while counters run."""

    array: str
    axis: int
    first: Affine
    stop: Affine
    ranges: tuple[Range, ...]


class Value(NamedTuple):
    """An expression, and the loops on which it depends, among those of its statement."""

    tree: gast.expr
    axes: frozenset[Loop]


class Speller:
    """Spells the expressions of one nest; integers have shorter ``names``.

    ``trips``: the ranges of the loops that stay around an expression. ``arrays``: numbers with names that are arrays
    now, the loops over which they are, and those on which they depend.
    """

    def __init__(self, sizes: Sizes, names: Mapping[str, str]) -> None:
        self._sizes, self._names = sizes, dict(names)
        self.trips: tuple[Range, ...] = ()
        self.arrays: dict[str, tuple[list[Loop], frozenset[Loop]]] = {}
        self.reached: list[Reach] = []

    # Values -------------------------------------------------------------------------------------

    def value(self, step: Step, tree: Any, active: Sequence[Loop]) -> Value:
        """An expression over the trips of the active loops."""
        if id(tree) in step.refs:
            return self.place(step, step.refs[id(tree)], active)
        match tree:
            case gast.Name(id=name) if name in step.known:
                return self._integer(step.known[name], active)
            case gast.Name(id=name):
                return self._named(name, active)
            case gast.UnaryOp(op=op, operand=operand):
                found = self.value(step, operand, active)
                return Value(gast.UnaryOp(op, found.tree), found.axes)
            case gast.BinOp(left=left, op=op, right=right):
                a, b = self.value(step, left, active), self.value(step, right, active)
                return Value(gast.BinOp(a.tree, op, b.tree), a.axes | b.axes)
            case gast.Call(func=func, args=args):
                values = [self.value(step, arg, active) for arg in args]
                trees = [value.tree for value in values]
                axes = frozenset[Loop]().union(*(value.axes for value in values))
                return Value(gast.Call(self._function(func, args, axes), trees, []), axes)
            case gast.IfExp(test=test, body=body, orelse=orelse):
                return self._choice(step, test, (body, orelse), active)
            case gast.Compare() | gast.BoolOp():
                return self._condition(step, tree, active)
        return Value(tree, frozenset())

    def _choice(
        self, step: Step, test: Any, sides: tuple[Any, Any], active: Sequence[Loop]
    ) -> Value:
        """One of two values, in the shape of both."""
        asked = self._condition(step, test, active)
        a, b = (self.value(step, side, active) for side in sides)
        axes = asked.axes | a.axes | b.axes
        if not asked.axes and a.axes == b.axes:
            return Value(gast.IfExp(test, a.tree, b.tree), axes)
        tree = syntax.expression("np.where(c, a, b)", c=asked.tree, a=a.tree, b=b.tree)
        return Value(tree, axes)

    def _condition(self, step: Step, tree: Any, active: Sequence[Loop]) -> Value:
        """A condition, place by place."""
        match tree:
            case gast.UnaryOp(op=gast.Not(), operand=operand):
                found = self._condition(step, operand, active)
                op = gast.Invert() if found.axes else gast.Not()
                return Value(gast.UnaryOp(op, found.tree), found.axes)
            case gast.BoolOp(op=op, values=values):
                parts = [self._condition(step, value, active) for value in values]
            case gast.Compare(left=left, ops=ops, comparators=others):
                ends = [self.value(step, e, active) for e in (left, *others)]
                op, parts = gast.And(), []
                for (a, b), order in zip(pairwise(ends), ops):
                    made = gast.Compare(a.tree, [order], [b.tree])
                    parts.append(Value(made, a.axes | b.axes))
        return reduce(functools.partial(_both, op), parts)

    def _function(self, func: gast.expr, args: Any, axes: frozenset[Loop]) -> gast.expr:
        """The function that does for arrays what one of ``math``, ``max`` or ``min`` does for numbers."""
        callee = self._sizes.sorts.meaning(func)
        meant = MATH.get(callee)
        if callee in EXTREMA:
            meant = EXTREMA[callee][is_constant(args[0])]
        if meant is None or not axes:
            return func
        return syntax.expression(f"np.{meant.__name__}")

    def _named(self, name: str, active: Sequence[Loop]) -> Value:
        if name not in self.arrays:
            return Value(syntax.name(name), frozenset())
        over, axes = self.arrays[name]
        found = [loop for loop in active if loop in over]
        if not axes:
            return Value(syntax.name(name), axes)
        if not axes <= set(active) or found != over or list(active[: len(over)]) != over:
            raise NotSliced
        rank = len(over) - min(over.index(loop) for loop in axes)
        index = [FULL] * rank + [NONE] * (len(active) - len(over))
        return Value(_taken(syntax.name(name), index, len(active) > len(over)), axes)

    def _integer(self, value: Affine, active: Sequence[Loop]) -> Value:
        """Counters as numbers: arrays of them."""
        axes = [loop for loop in active if loop.counter in value.names]
        found, names = dict(self._names), {}
        for loop in axes:
            assert loop.range.high is not None
            ends = loop.range.low, loop.range.high + 1
            step = f", {loop.range.step}" if loop.range.step > 1 else ""
            first = f"{ends[0].shown(found)}, " if step or ends[0].constant != 0 else ""
            text = f"np.arange({first}{ends[1].shown(found)}{step})"
            behind = len(active) - 1 - list(active).index(loop)
            names[loop.counter] = text + (f"[:{', None' * behind}]" if behind else "")
        return Value(value.tree({**found, **names}), frozenset(axes))

    # Places -------------------------------------------------------------------------------------

    def place(self, step: Step, ref: Ref, active: Sequence[Loop]) -> Value:
        """A slice of an array, with its axes in the order of the loops."""
        index, found, back = list[Any](), list[Loop](), list[gast.expr]()
        for axis, place in enumerate(ref.index):
            loops = [loop for loop in active if loop.counter in place.names]
            if len(loops) > 1 or (loops and loops[0] in found):
                raise NotSliced
            if loops:
                found.append(loops[0])
                index.append(self._slice(ref, axis, place, loops[0]))
                falls = place.factor(loops[0].counter) < 0
                back.append(gast.Slice(None, None, syntax.constant(-1)) if falls else FULL)
            else:
                self._reach(ref, axis, place, place + 1)
                index.append(place.tree(self._names))
        whole = all(part is FULL for part in index) and step.target is not ref
        tree = _taken(syntax.name(ref.array), index, not whole)
        tree = _taken(tree, back, _turned(back))
        ordered = [loop for loop in active if loop in found]
        if ordered != found:
            if len(found) != 2:
                raise NotSliced
            tree = gast.Attribute(tree, "T", gast.Load())
        first = list(active).index(ordered[0]) if ordered else 0
        gaps = [FULL if loop in found else NONE for loop in active[first:]] if ordered else []
        if NONE in gaps and tree.__class__ is gast.Subscript and not _turned(back):
            return Value(_spread(tree.value, index, gaps), frozenset(found))
        return Value(_taken(tree, gaps, NONE in gaps), frozenset(found))

    def _slice(self, ref: Ref, axis: int, place: Affine, loop: Loop) -> gast.expr:
        factor, counted = place.factor(loop.counter), loop.range
        assert counted.high is not None
        if factor < 0 and (factor, counted.step) != (-1, 1):
            raise NotSliced
        ends = [place.with_({loop.counter: end}) for end in (counted.low, counted.high)]
        first, last = ends if factor > 0 else ends[::-1]
        self._reach(ref, axis, first, last + 1)
        lower = None if first.constant == 0 else first.tree(self._names)
        upper = self._upper(ref.array, axis, last + 1)
        stride = abs(factor) * counted.step
        step = syntax.constant(stride) if stride > 1 else None
        return FULL if lower is upper is step is None else gast.Slice(lower, upper, step)

    def _upper(self, array: str, axis: int, stop: Affine) -> gast.expr | None:
        """Where a slice stops, counted from the end where that is known."""
        left = {(shape[axis] - stop).constant for shape in self._sizes.shapes(array)}
        if left == {0}:
            return None
        if len(left) == 1 and 0 < (left.pop() or 0) <= NEAR:
            return syntax.expression(f"-{(self._sizes.shapes(array)[0][axis] - stop).rest}")
        return stop.tree(self._names)

    def _reach(self, ref: Ref, axis: int, first: Affine, stop: Affine) -> None:
        self.reached.append(Reach(ref.array, axis, first, stop, self.trips))


def _taken(tree: gast.expr, index: Sequence[gast.expr], at_all: bool) -> gast.expr:
    """What an index takes, if it does anything."""
    if not at_all or not index:
        return tree
    entries = index[0] if len(index) == 1 else gast.Tuple(list(index), gast.Load())
    return gast.Subscript(tree, entries, gast.Load())


def _both(op: gast.boolop, a: Value, b: Value) -> Value:
    """Two conditions, both or either of which must hold."""
    if not a.axes and not b.axes:
        return Value(gast.BoolOp(op, [a.tree, b.tree]), a.axes)
    place = gast.BitAnd() if isinstance(op, gast.And) else gast.BitOr()
    return Value(gast.BinOp(a.tree, place, b.tree), a.axes | b.axes)


def _turned(back: Sequence[gast.expr]) -> bool:
    return any(part is not FULL for part in back)


def _spread(tree: gast.expr, index: Sequence[gast.expr], gaps: Sequence[gast.expr]) -> gast.expr:
    """A slice with new axes, in one index."""
    made, rest = list[gast.expr](), list(index)
    for gap in gaps:
        while rest and not isinstance(rest[0], gast.Slice):
            made.append(rest.pop(0))
        made.append(NONE if gap is NONE else rest.pop(0))
    return _taken(tree, [*made, *rest], True)
