"""Writing: the statements about slices that say what loops over places say.

In: a nest, what was ``Decided`` of it.
Out: statements, and the places that must be there.
Next: conditions.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any, NamedTuple

import gast

from tangentlite import syntax
from tangentlite.slices.affine import Affine, Range, is_natural, lowest
from tangentlite.slices.nests import Loop, NotSliced, Ref, Step, Whole
from tangentlite.slices.parallel import Decided, product
from tangentlite.slices.sizes import Sizes
from tangentlite.slices.spelling import Reach, Speller, Value


class Work(NamedTuple):
    """How often a statement is done, and over how many places: the ranges of counters of each kind.

    ``choices``: how many values are chosen there. ``loose``: no array is as large as what is computed.
    """

    trips: tuple[Range, ...]
    places: tuple[Range, ...]
    choices: int = 0
    loose: bool = False


class Writer:
    """Writes one nest."""

    def __init__(
        self,
        nest: Loop,
        decided: Decided,
        outer: Sequence[Range],
        names: Mapping[str, str],
        sizes: Sizes,
    ) -> None:
        self._decided, self._outer, self._last = decided, tuple(outer), None
        self._order, self._spell = _order(nest, decided), Speller(sizes, names)
        self._written = {s.name for s in nest.steps()}
        self.work: list[Work] = []
        self.needed: list[Affine] = []  # what must not be negative
        self._first: dict[str, Step] = {}
        self._unless: dict[str, list[Affine | None]] = {}

    @property
    def reached(self) -> list[Reach]:
        """The places that must be there."""
        return self._spell.reached

    def block(self, items: Sequence[Any]) -> Iterator[gast.stmt]:
        """The statements for a part of the nest."""
        for item in items:
            if isinstance(item, Loop):
                yield from self._loop(item)
            elif isinstance(item, Step):
                yield from self._step(item)
            elif isinstance(item, Whole) and not item.inside & self._at_once:
                yield item.node

    @property
    def _at_once(self) -> set[Loop]:
        return self._decided.whole | self._decided.summed

    def _loop(self, loop: Loop) -> Iterator[gast.stmt]:
        body = list(self.block(loop.body))
        if loop in self._at_once:
            yield from body
        else:
            node = loop.node
            yield syntax.at(gast.For(node.target, node.iter, body or [gast.Pass()], [], None), node)

    # Steps --------------------------------------------------------------------------------------

    def _step(self, step: Step) -> Iterator[gast.stmt]:
        active = sorted(self._decided.active(step), key=self._order.index)
        trips = [*self._outer, *(loop.range for loop in step.loops if loop not in active)]
        choices = sum(isinstance(n, gast.IfExp) for n in syntax.nodes([step.value]))
        places = tuple(loop.range for loop in active)
        self.work.append(Work(tuple(trips), places, choices, not _is_held(step, active)))
        if not active:
            if step.node is not self._last:  # several steps are one statement
                yield step.node
            self._last = step.node
            return
        self._spell.trips = tuple(trips)
        kept = [loop for loop in active if not self._decided.is_summed(step, loop)]
        self._ask(step, len(active) == len(kept) == 1)
        value = self._summed(step, active, kept) if len(kept) < len(active) else None
        value = value or self._spell.value(step, step.value, active)
        made = self._stored(step, value, kept)
        yield syntax.at(made, step.node)

    def _stored(self, step: Step, value: Value, kept: list[Loop]) -> gast.stmt:
        if isinstance(step.target, Ref):
            target = self._spell.place(step, step.target, kept)
            if target.axes != set(kept) or not isinstance(target.tree, gast.Subscript):
                raise NotSliced
            return _assign(target.tree, step.op, value.tree)
        self._bind(step, value, kept)
        if step.op is None or not kept:
            return _assign(syntax.name(step.target), step.op, self._own(step, value))
        whole = gast.BinOp(syntax.name(step.target), step.op, value.tree)
        return _assign(syntax.name(step.target), None, whole)

    def _own(self, step: Step, value: Value) -> gast.expr:
        """A value that no later statement changes."""
        seen = {step.refs[id(side)].array for side in _sides(step.value) if id(side) in step.refs}
        if value.axes and _is_seen(value.tree) and not seen.isdisjoint(self._written):
            return syntax.expression("a.copy()", a=value.tree)
        return value.tree

    def _bind(self, step: Step, value: Value, kept: list[Loop]) -> None:
        """Remember over which loops a number with a name is an array now."""
        assert isinstance(step.target, str)
        before = self._spell.arrays.get(step.target, (kept, frozenset()))
        if before[0] != kept:
            raise NotSliced
        first = self._first.setdefault(step.target, step)
        if not value.axes <= before[1]:
            found = self._trips([loop for loop in step.loops if loop not in first.loops], step)
            self._unless.setdefault(step.target, []).extend(found)
        self._spell.arrays[step.target] = kept, before[1] | value.axes

    def _trips(self, loops: Sequence[Loop], step: Step) -> Iterator[Affine | None]:
        """What is negative if loops are empty in which a number becomes an array: it is none then. None: who knows."""
        around = [*self._outer, *(loop.range for loop in step.loops)]
        for loop in loops:
            if loop not in self._at_once:
                high, low = loop.range.high, loop.range.low
                least = lowest(high - low, around) if high is not None else None
                if least is None or not is_natural(least):
                    yield least

    def _ask(self, step: Step, elementwise: bool) -> None:
        """Numbers that may not have become arrays are fine element by element, but not where places are counted."""
        read = syntax.loads(step.value) & self._unless.keys()
        found = [least for name in sorted(read) for least in self._unless[name]]
        if elementwise:
            if isinstance(step.target, str) and found:
                self._unless.setdefault(step.target, []).extend(found)
            return
        for least in found:
            if least is None or (least.constant or 0) < 0:
                raise NotSliced
            self.needed.append(least)

    def _summed(self, step: Step, active: list[Loop], kept: list[Loop]) -> Value:
        """What is added up over loops."""
        others = [loop for loop in active if loop not in kept]
        if len(others) == 1 and (factors := product(step, kept, others)) is not None:
            left, right = factors
            first = [k for k in kept if k in self._spell.value(step, left, [*kept, *others]).axes]
            a = self._spell.value(step, left, [*first, *others])
            b = self._spell.value(step, right, [*others, *(k for k in kept if k not in first)])
            if a.axes == {*first, *others} and b.axes == set(active) - set(first):
                return Value(gast.BinOp(a.tree, gast.MatMult(), b.tree), frozenset(kept))
        value = self._spell.value(step, step.value, active)
        if value.axes != set(active):
            raise NotSliced
        if not kept:
            return Value(syntax.expression("np.sum(a)", a=value.tree), frozenset())
        return Value(_sum(value.tree, [active.index(loop) for loop in others]), frozenset(kept))


def _sides(tree: gast.expr) -> Iterator[gast.expr]:
    """What an expression may give as it is."""
    if isinstance(tree, gast.IfExp):
        yield from (*_sides(tree.body), *_sides(tree.orelse))
    else:
        yield tree


def _is_seen(tree: gast.expr) -> bool:
    """Whether an expression may be part of an array, and not a new one."""
    return isinstance(tree, gast.IfExp | gast.Subscript | gast.Attribute | gast.Name)


def _sum(tree: gast.expr, axes: list[int]) -> gast.expr:
    """The sum over some axes; of an array itself, where one over its transpose is asked for.

    >>> syntax.unparse(_sum(syntax.expression("A.T"), [1])), syntax.unparse(_sum(syntax.expression("q"), [0, 2]))
    ('np.sum(A, axis=0)', 'np.sum(q, axis=(0, 2))')
    """
    if isinstance(tree, gast.Attribute) and len(axes) == 1:
        axes, tree = [1 - axes[0]], tree.value
    over = syntax.expression(str(axes[0] if len(axes) == 1 else tuple(axes)))
    return syntax.expression("np.sum(a, axis=b)", a=tree, b=over)


def _is_held(step: Step, active: Sequence[Loop]) -> bool:
    """Whether an array has a place for all trips of the active loops."""
    refs = [*step.refs.values(), *([step.target] if isinstance(step.target, Ref) else [])]
    named = [frozenset[str]().union(*(i.names for i in ref.index)) for ref in refs]
    counters = {loop.counter for loop in active}
    return len(active) < 2 or any(counters <= names for names in named)


def _order(nest: Loop, decided: Decided) -> list[Loop]:
    """The loops in the order of the dimensions of the first array that is written over several of them."""
    loops = list(nest.loops())
    for step in nest.steps():
        active = decided.active(step)
        if isinstance(step.target, Ref):
            named = [loop for i in step.target.index for loop in active if loop.counter in i.names]
            if len(named) > 1:
                places = sorted(map(loops.index, named))
                for place, loop in zip(places, named):
                    loops[place] = loop
                break
    return loops


def _assign(target: gast.expr, op: gast.operator | None, value: gast.expr) -> gast.stmt:
    if op is None:
        return syntax.assign(syntax.store(target), value)
    return gast.AugAssign(syntax.store(target), op, value)
