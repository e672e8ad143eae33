"""Prepared: a function in few words, and what is known of its names.

In: a function as it was read, what its arguments are.
Out: ``Prepared``; ``takes_places``: whether it is worth looking at.
Next: slicing.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from copy import copy
from functools import cached_property
from typing import Any

import gast
import numpy as np

from tangentlite import syntax
from tangentlite.ir import Function
from tangentlite.optimize.facts.axes import MADE
from tangentlite.optimize.facts.purity import Purity
from tangentlite.optimize.numbers.forms import FLOAT, INT, Form, form_of, is_array
from tangentlite.optimize.numbers.sorts import Sorts
from tangentlite.slices.affine import Affine
from tangentlite.slices.counted import counted
from tangentlite.slices.reader import Reader
from tangentlite.slices.rows.lines import Rows
from tangentlite.slices.sizes import Sizes
from tangentlite.slices.stretches.parting import Stretches
from tangentlite.slices.windows import Windows

DOUBLE = (float, np.float64, np.double)
PURE: tuple[Any, ...] = (range, len, abs, max, min, float, int, zip, enumerate, sum)
CONDITIONAL = (gast.If, gast.IfExp, gast.While, gast.Assert)


class Prepared:
    """A function whose loops count, and the forms of its names.

    ``outside``: the numbers outside that it reads; ``needed``: what must not be negative; ``parts``: so many loops are
    parted; ``at_ends``: only there. ``zips``: whether loops over several arrays count, too.
    """

    def __init__(self, function: Function, given: Mapping[str, Form], *, zips: bool = True) -> None:
        space = function.namespace
        read = [name for name in function.read - function.local if space.binds(name)]
        forms = {name: form_of(space.lookup(name)) for name in sorted(read)}
        self.outside = {name: form for name, form in forms.items() if form in (INT, FLOAT)}
        self._given, self.needed = {**self.outside, **given}, list[str]()
        self.parts, self.at_ends = 0, False
        self._zips, self.function = zips, function.with_body(_plainly_made(function))
        self.sorts = self._sorts()
        body = counted(self.function.body, self.sorts, function.local | function.read, self._fits)
        if any(hasattr(s, "before") for s in syntax.statements(body)):
            self.function = function.with_body(body)
            self.sorts = self._sorts()

    def _fits(self, walked: list[tuple[str, int]]) -> bool:
        """Whether it can be asked that no array, less what is cut off, is shorter than the first one."""
        if len(set(walked)) == 1 or not self._zips:
            return len(set(walked)) == 1
        sides = [
            {shape[0] - Affine((), cut) for shape in self._sizes.shapes(x)} for x, cut in walked
        ]
        if {len(found) for found in sides} != {1}:
            return False
        first, *others = (found.pop() for found in sides)
        spare = [other - first for other in others]
        needed = (str(s) for s in spare if s.constant is None)
        self.needed += [text for text in needed if text not in self.needed]
        return all((s.constant or 0) >= 0 for s in spare)

    @cached_property
    def _sizes(self) -> Sizes:
        """The sizes before loops count."""
        return Sizes(self.function, self.sorts)

    def rows(self, sums: bool) -> Prepared | None:
        """The same with loops over the numbers of rows, if there are rows; ``sums``: also where these are summed."""
        found = Rows(Sizes(self.function, self._sorts()))
        body = found.whole()
        if not found.parts + found.sums or (found.sums and not sums):
            return None
        made = copy(self)
        made.function = self.function.with_body(body)
        made.needed = [*self.needed, *found.same]
        made.sorts = made._sorts()
        return None if found.sums and made.asks_numbers else made

    def windows(self) -> tuple[Prepared, set[str]] | None:
        """The same with loops over windows, if there are any, and the counters of the loops in which they are taken."""
        found = Windows(Sizes(self.function, self._sorts()))
        body = found.whole()
        if not found.around:
            return None
        made = copy(self)
        made.function = self.function.with_body(body)
        made.needed = [*self.needed, *found.same]
        made.sorts = made._sorts()
        return None if made.asks_numbers else (made, found.around)

    def stretches(self, others: int) -> Prepared | None:
        """The same with loops that need not ask where they are, if there are others; ``others`` as in ``Stretches``."""
        sizes = Sizes(self.function, self.sorts)
        found = Stretches(sizes, Reader(sizes).range_of, others)
        body = found.whole()
        if not found.parts:
            return None
        made = copy(self)
        made.parts, made.at_ends = found.parts, not others
        made.function, made.needed = (
            self.function.with_body(body),
            [*self.needed, *map(str, found.needed)],
        )
        made.sorts = made._sorts()
        return made

    def _sorts(self) -> Sorts:
        function = self.function
        purity = Purity(function.namespace, function.local, lambda callee: False)
        return Sorts(function.body, self._given, purity)

    @property
    def asks_numbers(self) -> bool:
        """Whether a condition depends on real numbers, which additions in another order change in the last digit."""
        nodes = [n for n in syntax.nodes(self.function.body) if isinstance(n, CONDITIONAL)]
        names = set[str]().union(*(syntax.loads(n.test) for n in nodes)) & self.function.local
        given = self._untouched()
        return any(self.sorts.known.get(name) != INT and name not in given for name in names)

    def _untouched(self) -> set[str]:
        """The arguments that stay what they are, and the names of what is made of them, trip by trip."""
        nodes = syntax.nodes(self.function.body)
        stored = [n for n in nodes if isinstance(getattr(n, "ctx", None), gast.Store | gast.Del)]
        written = {_base(n) for n in stored if isinstance(n, gast.Subscript)}
        bound, local = dict[str, list[Any]](), self.function.local
        for name, value, _, _ in self.sorts.bindings:
            bound.setdefault(name, []).append(value)
        known = {name for name, form in self.sorts.known.items() if form == INT}
        given = {p.name for p in self.function.params} - written - bound.keys()
        for name, values in bound.items():
            read = [
                syntax.loads(value) & local if value is not None else {name} for value in values
            ]
            if name not in written and set().union(*read) <= given | known - {name}:
                given.add(name)
        return given

    @property
    def is_quiet(self) -> bool:
        """Whether nobody sees that a function is called twice: it writes into no argument, and shows nothing."""
        params = {p.name for p in self.function.params}
        return self.shows_nothing and params.isdisjoint(map(_base, self._written()))

    @property
    def shows_nothing(self) -> bool:
        """Whether nobody sees that a function is called twice with copies of its arguments."""
        nodes = list(syntax.nodes(self.function.body))
        if not all(self._is_pure(n.func) for n in nodes if isinstance(n, gast.Call)):
            return False
        written, local = list(self._written()), self.function.local
        plain = not any(isinstance(place, gast.Attribute) for place in written)
        return plain and all(_base(place) in local for place in written)

    def _written(self) -> Iterator[gast.expr]:
        """What the function writes: places, and what is added to in place."""
        for node in syntax.nodes(self.function.body):
            if isinstance(node, gast.AugAssign):
                yield node.target
            elif isinstance(node, gast.Subscript | gast.Attribute):
                if not isinstance(node.ctx, gast.Load):
                    yield node

    def _is_pure(self, func: gast.expr) -> bool:
        """Whether a call does nothing but to give a value."""
        meant = self.sorts.meaning(func)
        home = str(getattr(meant, "__module__", None))
        if isinstance(meant, np.ufunc) or meant in PURE or home in ("numpy", "math"):
            return True
        own = isinstance(func, gast.Attribute) and is_array(self.sorts.of(func.value))
        return own and func.attr in ("copy", "sum", "mean", "dot", "max", "min")


def _base(node: Any) -> str | None:
    while isinstance(node, gast.Subscript | gast.Attribute):
        node = node.value
    return node.id if isinstance(node, gast.Name) else None


def _plainly_made(function: Function) -> list[gast.stmt]:
    """The statements, in which ``np.zeros(n, dtype=float)`` is ``np.zeros(n)``, and ``n = m = 3`` two statements."""
    purity = Purity(function.namespace, function.local, lambda callee: False)

    def step(statement: Any) -> list[gast.stmt]:
        match statement:
            case gast.Assign(targets=[_, _, *_] as targets, value=value) if _stays(value, targets):
                parts = [gast.Assign([target], value, None) for target in targets]
                return [syntax.at(part, statement) for part in parts]
            case gast.Assign(targets=[gast.Tuple(elts=left)], value=gast.Tuple(elts=right)) if (
                len(left) == len(right)
                and all(isinstance(name, gast.Name) for name in left)
                and syntax.stores(left).isdisjoint(syntax.loads(right))
            ):
                parts = [gast.Assign([name], value, None) for name, value in zip(left, right)]
                return [syntax.at(part, statement) for part in parts]
            case gast.Assign(
                targets=targets, value=gast.Call(func=func, args=args, keywords=[key])
            ):
                made = purity.means(func, MADE) and key.arg == "dtype"
                if made and purity.means(key.value, DOUBLE):
                    plain = gast.Assign(targets, gast.Call(func, args, []), None)
                    return [syntax.at(plain, statement)]
        return [statement]

    return syntax.rewrite(function.body, step)


def _stays(value: gast.expr, targets: list[gast.expr]) -> bool:
    """Whether a number, or a place, is the same after it was assigned to the first targets."""
    slices = any(isinstance(node, gast.Slice) for node in syntax.nodes([value]))
    place = isinstance(value, gast.Subscript) and not slices
    return (place or syntax.is_atom(value)) and syntax.loads(value).isdisjoint(
        syntax.stores(targets)
    )


def takes_places(function: Function) -> bool:
    """Whether a loop takes places of arrays, one by one."""
    loops = [s for s in syntax.statements(function.body) if isinstance(s, gast.For)]
    counters = syntax.stores([loop.target for loop in loops])
    indices = [n.slice for n in syntax.nodes(function.body) if isinstance(n, gast.Subscript)]
    return not counters.isdisjoint(syntax.loads(indices)) or any(map(_is_over_numbers, loops))


def _is_over_numbers(loop: gast.For) -> bool:
    """Whether a loop may run over the numbers of an array."""
    called = syntax.dotted(loop.iter.func) if isinstance(loop.iter, gast.Call) else ""
    return called in ("", "zip", "enumerate")
