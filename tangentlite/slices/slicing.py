"""Slicing: loops over places of arrays become statements about slices, where that says the same.

In: a function as it was read, what its arguments are.
Out: ``Sliced``: the function with slices, and what must hold of the arguments; None where no loop can be written so.
Next: sliced.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from types import CellType
from typing import Any

import gast
import numpy as np

from tangentlite import syntax
from tangentlite.ir import Function
from tangentlite.optimize.numbers.forms import Form
from tangentlite.slices.affine import Affine, Range
from tangentlite.slices.afterwards import After
from tangentlite.slices.conditions import alike, tests, worth
from tangentlite.slices.nests import Loop, NotSliced
from tangentlite.slices.parallel import Decided, has_windows
from tangentlite.slices.prepared import Prepared, takes_places
from tangentlite.slices.reader import Reader
from tangentlite.slices.renamed import renamed
from tangentlite.slices.sizes import Sizes
from tangentlite.slices.spelling import Reach
from tangentlite.slices.summed import summed
from tangentlite.slices.writing import Work, Writer
from tangentlite.values import immutable, replace

UNSEEN = frozenset((gast.FunctionDef, gast.Global, gast.Nonlocal, gast.NamedExpr, gast.Match))


@immutable(eq=False)
class Sliced:
    """A function whose loops are statements about slices.

    ``test``: what must hold of the arguments, as text. ``written``: the arguments into which it writes, which must
    share no memory with others. ``given``: the forms of the
    arguments; ``outside``: those of the numbers outside that are read. ``watched``: it is only right if no number
    overflows on its way, since functions of ``math`` raise errors of their own; ``chooses``: or if what it gives is
    finite, since what is not chosen is computed, too. ``axes``: those of arguments, where equal ones have one name.
    """

    function: Function
    test: str
    written: frozenset[str]
    given: Mapping[str, Form]
    outside: Mapping[str, Form]
    watched: bool
    chooses: bool
    axes: Mapping[str, tuple[str, ...]]


def sliced(function: Function, given: Mapping[str, Form], sums: bool) -> list[Sliced]:
    """A function in slices, first for arrays that are as long as each other; none if no loop becomes one.

    ``sums``: whether additions may be made in another order.

    >>> from tangentlite.slices.samples import show
    >>> show('''
    ... n = len(x)
    ... m = x.shape[1]
    ... y = np.zeros((n, m))
    ... for i in range(1, n - 1):
    ...     for j in range(m):
    ...         t = x[i - 1, j] + x[i + 1, j]
    ...         y[i, j] = t * w[j]
    ... ''')
    n = len(x)
    m = x.shape[1]
    y = np.zeros((n, m))
    t = x[:-2, :] + x[2:, :]
    y[1:-1, :] = t * w
    """
    kinds = function.contents.kinds
    if not kinds.isdisjoint(UNSEEN):
        return []
    plain = _summed(function, given) if sums else function
    if gast.For not in plain.contents.kinds or not takes_places(plain):
        return _as_it_is(plain, given) if plain is not function else []
    renewed = renamed(plain, given)
    prepared = Prepared(renewed, given)
    sums = sums and not prepared.asks_numbers
    found = _all(prepared, given, sums)
    if prepared.needed:  # in case that some array is shorter
        found += _all(Prepared(renewed, given, zips=False), given, sums)
    return found or (_as_it_is(plain, given) if plain is not function else [])


def _summed(function: Function, given: Mapping[str, Form]) -> Function:
    """The function without Python's ``sum``, if no condition depends on real numbers."""
    if not any(
        isinstance(c.func, gast.Name) and c.func.id == "sum" for c in function.contents.calls
    ):
        return function
    prepared = Prepared(function, given)
    return function if prepared.asks_numbers else summed(function, prepared.sorts)


def _as_it_is(function: Function, given: Mapping[str, Form]) -> list[Sliced]:
    """A function in which no loop became a slice, but Python's ``sum`` is NumPy's."""
    prepared, space = Prepared(function, given), function.namespace
    if not space.binds("np"):
        space = space.extended({"np": CellType(np)})
    if not prepared.is_quiet or "np" in function.local or space.lookup("np") is not np:
        return []
    function, nothing = replace(function, namespace=space), frozenset[str]()
    return [Sliced(function, "True", nothing, given, prepared.outside, False, False, {})]


def _all(prepared: Prepared, given: Mapping[str, Form], sums: bool) -> list[Sliced]:
    """A function in slices, with loops over windows, or over the numbers of rows, if these become slices."""
    windows = prepared.windows() if sums else None
    if windows is not None:
        made, around = windows
        found = _found(
            [made], given, sums
        )  # whole loops: what ends of loops reach would be written out
        if found := [f for f in found if around.isdisjoint(syntax.stores(f.function.body))]:
            return found
    rows = prepared.rows(sums)
    found = _found(_ways(rows), given, sums) if rows is not None else []
    return found or _found(_ways(prepared), given, sums)


def _found(ways: Iterable[Prepared], given: Mapping[str, Form], sums: bool) -> list[Sliced]:
    """A function in slices, those first that nobody has to watch."""
    plain, watched = list[Sliced](), list[Sliced]()
    for way in ways:
        made, found = _made(way, given, sums, {})
        if made is None:
            continue
        same = alike(found.reached, found.sizes)
        better = _made(way, given, sums, same)[0] if same else None
        known = watched if made.watched else plain
        known += [made] if better is None else [better, made]
        if way.at_ends and plain:
            break
    return plain + watched


def _ways(prepared: Prepared) -> Iterator[Prepared]:
    """A function as it may be written: loops that ask for their ends part, none does, or all that ask for places."""
    ends, parts = prepared.stretches(0), 0
    if ends is not None:
        yield ends
        parts = ends.parts
    yield prepared
    for others in (1, 2):
        found = prepared.stretches(others)
        if found is not None and found.parts > parts:
            yield found
            parts = found.parts


def _made(
    prepared: Prepared, given: Mapping[str, Form], sums: bool, same: Mapping[str, str]
) -> tuple[Sliced | None, _Slicing]:
    """A function in slices, if sides of arguments are as long as others."""
    found, function = _Slicing(prepared, sums, same), prepared.function
    body, space = found.whole(), function.namespace
    if not space.binds("np"):
        space = space.extended({"np": CellType(np)})
    numpy = not {"np", "max"} & function.local and space.lookup("np") is np
    if not numpy or not any(work.places for work in found.work):
        return None, found
    chooses = any(work.places and work.choices for work in found.work)
    if chooses and not prepared.shows_nothing:
        return None, found
    needed = [f"{a} == {b}" for a, b in same.items()]
    needed += [f"{text} >= 0" for text in (*prepared.needed, *found.needed)]
    needed += [*tests(found.reached, found.sizes), worth(found.work)]
    function = replace(function.with_body(body), namespace=space)
    written, axes = frozenset(found.written), found.sizes.axes()
    test = " and ".join(dict.fromkeys(needed))
    made = Sliced(function, test, written, given, prepared.outside, found.watched, chooses, axes)
    return made, found


class _Slicing:
    """Slices the loops of one function."""

    def __init__(self, prepared: Prepared, sums: bool, same: Mapping[str, str]) -> None:
        function = self._function = prepared.function
        self.sizes, self._sums = Sizes(function, prepared.sorts, same), sums
        self._reader = Reader(self.sizes, sums and prepared.is_quiet)
        self._after = After(function.body)
        loops = [s for s in syntax.statements(function.body) if isinstance(s, gast.For)]
        self._counters = Counter(n for s in loops for n in syntax.stores(s.target))
        self._names, self._before = self.sizes.names(), set[str]()
        lambdas = [n for n in syntax.nodes(function.body) if isinstance(n, gast.Lambda)]
        self._captured = syntax.loads(lambdas)
        self.reached, self.work, self.needed = list[Reach](), list[Work](), list[str]()
        self.written, self.watched = set[str](), False

    def whole(self) -> list[gast.stmt]:
        """The statements of the function, with slices for loops."""
        made = list[gast.stmt]()
        for statement in self._function.body:
            made += self._statement(statement, {}, [])
            self._before |= (
                syntax.stores(statement) if isinstance(statement, gast.Assign) else set()
            )
        return made

    def _block(
        self, body: Sequence[Any], known: Mapping[str, Affine], outer: list[Range]
    ) -> list[gast.stmt]:
        """Statements, with slices for loops."""
        return [made for s in body for made in self._statement(s, known, outer)]

    def _statement(
        self, statement: Any, known: Mapping[str, Affine], outer: list[Range]
    ) -> list[gast.stmt]:
        if isinstance(statement, gast.For):
            try:
                self._reader.arithmetic.start()
                made = self._nest(self._reader.loop(statement, known), outer)
                self.watched = self.watched or self._reader.arithmetic.risky
                return made
            except NotSliced:
                before = getattr(statement, "before", None)
                return [before or self._within(statement, known, outer)]
        if isinstance(statement, gast.If | gast.While):
            made = syntax.copy(statement)
            made.body = self._block(statement.body, known, outer)
            made.orelse = self._block(statement.orelse, known, outer)
            return [made]
        return [statement]

    def _within(self, loop: gast.For, known: Mapping[str, Affine], outer: list[Range]) -> gast.stmt:
        """A loop that stays, with slices in it."""
        found = self._reader.range_of(loop, known)
        if found is None or not self._is_counter(found[0].counter, loop):
            body = self._block(loop.body, known, outer)
        else:
            known = {**known, found[0].counter: Affine.of(found[0].counter)}
            body = self._block(loop.body, known, [*outer, found[0]])
        made = gast.For(loop.target, loop.iter, body, loop.orelse, None)
        return syntax.at(made, loop)

    def _is_counter(self, name: str, loop: gast.For) -> bool:
        """Whether nothing but loops binds a name, and none inside this one."""
        only = self.sizes.count(name) == self._counters[name]
        return only and name not in syntax.stores(loop.body)

    def _nest(self, nest: Loop, outer: list[Range]) -> list[gast.stmt]:
        self._check(nest)
        decided = Decided(nest, outer, self._is_read, self._sums)
        if not decided.whole and not decided.summed:
            return [getattr(nest.node, "before", nest.node)]
        writer, made = self._one_of(nest, decided, outer)
        self.reached += writer.reached
        self.work += writer.work
        self.needed += map(str, writer.needed)
        self.written |= self._arguments(nest)
        return made

    def _one_of(
        self, nest: Loop, decided: Decided, outer: list[Range]
    ) -> tuple[Writer, list[gast.stmt]]:
        """The first of the ways to write a nest that can be: with sums, with sums over windows, without sums."""
        others = [(True, True), (False, False)] if has_windows(nest) else [(False, False)]
        for sums, outer_first in others if self._sums else []:
            try:
                return self._written(nest, decided, outer)
            except NotSliced:
                decided = Decided(nest, outer, self._is_read, sums, outer_first)
                if not decided.whole and not decided.summed:
                    raise
        return self._written(nest, decided, outer)

    def _written(
        self, nest: Loop, decided: Decided, outer: list[Range]
    ) -> tuple[Writer, list[gast.stmt]]:
        writer = Writer(nest, decided, outer, self._shorter(), self.sizes)
        made = list(writer.block([nest]))
        tests(writer.reached, self.sizes), worth(writer.work)
        return writer, made

    def _check(self, nest: Loop) -> None:
        """Whether the names of arrays in a nest hold memory of their own, if it writes, and counters are counters."""
        arrays = {ref.array for step in nest.steps() for ref in step.refs.values()}
        targets = {step.name for step in nest.steps() if not isinstance(step.target, str)}
        if targets and not all(map(self.sizes.apart, arrays | targets)):
            raise NotSliced
        counters = [loop.counter for loop in nest.loops()]
        bound = {step.name for step in nest.steps()}
        if (len(set(counters)) < len(counters) and _nested(nest)) or bound & set(counters):
            raise NotSliced

    def _arguments(self, nest: Loop) -> set[str]:
        """The arguments into which a nest writes."""
        targets = [step.name for step in nest.steps() if not isinstance(step.target, str)]
        return {n for t in targets for n in self.sizes.group(t)} & self.sizes.params

    def _is_read(self, loop: Loop, names: set[str]) -> bool:
        read = self._after.names(loop.node)
        return read is None or not names.isdisjoint(read | self._captured)

    def _shorter(self) -> dict[str, str]:
        """The names of integers that were bound before a nest."""
        return {text: name for text, name in self._names.items() if name in self._before}


def _nested(nest: Loop) -> bool:
    """Whether two loops, one in the other, have counters of the same name."""
    return any(
        loop.counter == inner.counter
        for loop in nest.loops()
        for inner in loop.loops()
        if inner is not loop
    )
