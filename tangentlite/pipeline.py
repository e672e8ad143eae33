"""The whole compiler on one page.

In: a function and a request.
Out: ``Compiled``: the unit that was emitted, and the units of its helpers.
Next: api.
"""

from __future__ import annotations

import functools
from collections.abc import Callable
from contextlib import suppress
from types import CellType
from typing import Any

from tangentlite import analysis, differentiate, emit, frontend, ir, lowering, optimize, summaries
from tangentlite.analysis import Decided
from tangentlite.analysis.calling.stood import told_of_call
from tangentlite.analysis.classes.elsewhere import started
from tangentlite.analysis.classes.expanded import MistakenError
from tangentlite.analysis.classes.members import noting
from tangentlite.analysis.closed import closed
from tangentlite.analysis.kinds import CONTAINERS, Kind
from tangentlite.analysis.operations import Summary
from tangentlite.analysis.storage.outside import Outside
from tangentlite.conditions import compiles
from tangentlite.emit import Unit
from tangentlite.errors import DerivativeError
from tangentlite.knowledge import Known
from tangentlite.links import Link, Links, called, split
from tangentlite.naming import owner_of, shown
from tangentlite.optimize.facts.purity import Effects
from tangentlite.runtime.checkpoints import runs_again
from tangentlite.standins import table
from tangentlite.values import field, mutable, replace

Finish = Callable[[ir.Derived], ir.Derived]


@mutable
class Linker:
    """Compiles the helpers of one derivative, each once, and hands out cells that will hold them."""

    known: Known = field(default_factory=Known)
    units: list[Unit] = field(default_factory=list)
    _links: Links = field(default_factory=Links)
    _outside: Outside = field(default_factory=Outside)
    _called: set[tuple[Any, tuple[Kind, ...]]] = field(default_factory=set)
    _looked: int = 0  # so many of what is known were looked at

    def pair(
        self,
        callee: Any,
        kinds: tuple[Kind, ...],
        wrt: tuple[str, ...],
        lent: tuple[str, ...] = (),
        bare: bool = False,
    ) -> tuple[CellType, CellType]:
        """The forward and the backward function of a helper."""
        request = split(callee, wrt, kinds, lent, bare)
        forward, backward = self._linked(callee, request, 2)
        if runs_again(callee):
            return self._again(callee, request, forward, backward)
        return forward, backward

    def _again(
        self, callee: Any, request: ir.Request, forward: CellType, backward: CellType
    ) -> tuple[CellType, CellType]:
        """The pair of a helper whose record is its arguments."""
        cells = {"plain": CellType(callee), "forward": forward, "backward": backward}
        known = self.summary(callee, request.kinds or ())
        written = sorted(known.writes | known.gathers)

        def write() -> Unit:
            return emit.module(differentiate.again(self.read(callee), request, cells, written))

        first, second = self._link((callee, request, "again"), write, 2).cells
        return first, second

    def record(
        self,
        callee: Any,
        kinds: tuple[Kind, ...],
        wrt: tuple[str, ...],
        lent: tuple[str, ...] = (),
        bare: bool = False,
    ) -> ir.Record | None:
        """What the pair of a helper hands on; None where that is not known: of a recursive one, of lists."""
        nests = any(isinstance(k, CONTAINERS) for k in kinds)
        if runs_again(callee):
            names = tuple(p.name for p in self.read(callee).params)
            changing = nests and self.known.in_place
            return None if changing else ir.Record(names, True, frozenset(names), False)
        made = self._links.made.get((callee, split(callee, wrt, kinds, lent, bare)))
        return made.record() if made is not None and not nests else None

    def leave_out(self, callee: Any, kinds: tuple[Kind, ...], wrt: tuple[str, ...]) -> None:
        """Do not show a pair that was only looked at."""
        made = self._links.made[callee, split(callee, wrt, kinds)]
        self.units = [unit for unit in self.units if unit is not made.unit]

    def tangent(
        self,
        callee: Any,
        kinds: tuple[Kind, ...],
        wrt: tuple[str, ...],
        near: tuple[str, ...] = (),
    ) -> CellType:
        """The forward-mode function of a helper."""
        request = ir.Request(
            mode="forward",
            wrt=wrt,
            kinds=kinds,
            seed="given",
            output="value, gradient",
            near=near,
            name=f"{shown(callee)}_tangent" if owner_of(callee) is not None else None,
        )
        (cell,) = self._linked(callee, request, 1)
        return cell

    def _linked(self, callee: Any, request: ir.Request, count: int) -> tuple[CellType, ...]:
        return self._link((callee, request), lambda: derive(callee, request, self), count).cells

    def _link(self, key: tuple[Any, ...], write: Callable[[], Unit], count: int) -> Link:
        """What was linked under a key, for this derivative or another one of the function."""
        found = self._links.ask(key) or self._taken(key)
        if found is not None:
            if found.unit is not None and all(unit is not found.unit for unit in self.units):
                self.units.append(found.unit)
            return found
        with self._links.making(key, count) as link:
            link.unit = write()
        for cell, function in zip(link.cells, link.unit.functions):
            cell.cell_contents = function
        self.units.append(link.unit)
        return link

    def _taken(self, key: tuple[Any, ...]) -> Link | None:
        """What another derivative has linked under a key, with all that it asked for."""
        link = self._links.take(key)
        if link is None or link.unit is None:
            return None
        if link.facts is not None:
            self._called |= called(link.facts)
            self.see(link.facts)
        for inner in link.inner:
            if inner not in self._links.made:
                self._taken(inner)
        self.units.append(link.unit)
        return link

    def summary(self, callee: Any, kinds: tuple[Kind, ...]) -> Summary:
        """What a caller must know of a helper."""
        found = self.known.summaries.of(callee, kinds, self._study)
        self.known.settle()
        return found

    def _study(self, callee: Any, kinds: tuple[Kind, ...]) -> Summary:
        if callee not in self.known.helpers:
            self.known.helpers.append(callee)
        request, decided = ir.Request(kinds=kinds, seed="given"), dict[Any, Decided]()
        try:
            with noting(self.known.methods):
                facts = analysis.study(self.normal(callee), request, self.summary, decided)
        except MistakenError:
            del self.known.normal[callee]
            return self._study(callee, kinds)
        self.known.see((callee, kinds), facts, decided)
        found = summaries.summarized(facts, self.summary)
        return replace(found, whole=True) if table.is_whole(callee) else found

    def read(self, function: Callable[..., Any]) -> ir.Function:
        """The tree of a function, read once."""
        if function not in self.known.sources:
            self.known.sources[function] = frontend.read(function)
        return self.known.sources[function]

    def normal(self, function: Callable[..., Any]) -> lowering.Normal:
        """The normal form of a function, made once."""
        if function not in self.known.normal:
            self.known.normal[function] = lowering.normalize(self.read(function))
        return self.known.normal[function]

    def facts(self, normal: lowering.Normal, request: ir.Request) -> analysis.Facts:
        """What a derivative must know of a function."""
        with noting(self.known.methods):
            facts = analysis.study(normal, request, self.summary, self.known.decided)
        self._called |= called(facts)
        return facts

    def studied(
        self, function: Callable[..., Any], request: ir.Request
    ) -> tuple[lowering.Normal, analysis.Facts]:
        """The normal form and its facts; again where it turns out that a method is an object's own."""
        while True:
            normal = self.normal(function)
            try:
                return normal, self.facts(normal, request)
            except MistakenError:
                del self.known.normal[function]

    def see(self, facts: analysis.Facts) -> None:
        """Take in what a function does to arrays outside, and before that what its helpers do."""
        for other in self.known.seen[self._looked :]:
            self._outside.see(other)
        self._looked = len(self.known.seen)
        self._outside.see(facts)
        self.known.in_place = self.known.in_place or facts.in_place

    def start(self, facts: analysis.Facts) -> None:
        """Take in the function of which a derivative is written, or a helper of it."""
        self.see(facts)
        if self._links.open:
            self._links.open[-1].facts = facts
        else:
            self._links.kept = self.known.links.setdefault(self._seen(), {})

    def end(self) -> None:
        """What was linked is for all derivatives, unless it was written for what was not known when it began."""
        if not self._links.open and self.known.links.get(self._seen()) is self._links.kept:
            self._links.keep()

    def _seen(self) -> frozenset[int]:
        return frozenset(self._outside.looked_at)

    def looks_at(self, container: int) -> bool:
        """Whether a list, dict or object outside, of this identity, is read."""
        return container in self._outside.looked_at

    def effects(self) -> Effects:
        """What helpers do, as they are called so far."""
        return summaries.effects(frozenset(self._called), self.summary)


@compiles
@started
def derive(
    function: Callable[..., Any],
    request: ir.Request,
    linker: Linker,
    finish: Finish = lambda derived: derived,
    waits: bool = False,
) -> Unit:
    """Source in, derivative out; it may ``wait`` to be written until it is read, if nothing in it can be refused."""
    try:
        normal, facts = linker.studied(function, request)
        linker.start(facts)
        write = functools.partial(_written, normal, facts, request, linker)
        title = None
        if waits and differentiate.is_granted(facts, request):
            name = differentiate.name(normal.function, request)
            title = emit.Title.of(request, normal.function, name)
        unit = emit.Late(write, title, normal.function.contents.loops)
    except DerivativeError as fault:
        if (told := told_of_call(fault, lambda: linker.read(function))) is not fault:
            raise told from None
        raise
    linker.end()
    unit.better = functools.partial(_improved, request, linker.effects(), finish)
    return unit


@compiles
def _written(
    normal: lowering.Normal, facts: analysis.Facts, request: ir.Request, linker: Linker
) -> ir.Derived:
    return differentiate.transform(normal, facts, request, linker)


@compiles
def _improved(
    request: ir.Request, effects: Effects, finish: Finish, derived: ir.Derived
) -> tuple[ir.Derived, ir.Derived]:
    """What was written, improved for a compiler, and for people."""
    better = finish(optimize.improve(derived, None, effects) if request.optimized else derived)
    return better, optimize.at_once(better)


@compiles
def gives_floats(function: Callable[..., Any], request: ir.Request, linker: Linker) -> bool:
    """Whether all that is computed for arguments of these kinds are Python floats."""
    return closed(linker.studied(function, request)[1], linker.summary)


def general(known: Known, request: ir.Request) -> tuple[Unit, Linker, ir.Request]:
    """The derivative for any arguments; if that is refused, for no optional ones."""
    linker, function = Linker(known), known.function
    frontend.lacking.refuse(linker.read(function))
    try:
        return derive(function, request, linker, waits=True), linker, request
    except DerivativeError as fault:
        absent = replace(request, absent=True)
        if not fault.of_kinds or _alike(linker.read(function), request, absent):
            raise
        linker, request = Linker(linker.known), absent
        with suppress(DerivativeError):
            return derive(function, request, linker), linker, request
        raise


def _alike(source: ir.Function, *requests: ir.Request) -> bool:
    """Whether the parameters are of the same kinds for all requests."""
    return len({r.kinds or analysis.default_kinds(source, r) for r in requests}) == 1


def stages(function: Callable[..., Any], request: ir.Request) -> dict[str, str]:
    """The source after each stage."""
    _, linker, request = general(Known(function), request)
    source = linker.read(function)
    normal, facts = linker.studied(function, request)
    derived = differentiate.transform(normal, facts, request, linker)
    better = optimize.improve(derived, None, linker.effects())
    shown = {
        "source": replace(derived, functions=(source,)),
        "normal": replace(derived, functions=(normal.function,)),
        "derived": derived,
        "optimized": better,
    }
    return {name: emit.text(stage) for name, stage in shown.items()}
