"""The whole compiler on one page.

In: a function and a request.
Out: ``Compiled``: the unit that was emitted, and the units of its helpers.
Next: api.
"""

from __future__ import annotations

import functools
import gc
from collections.abc import Callable
from contextlib import suppress
from threading import RLock
from types import CellType
from typing import Any, ParamSpec, TypeVar

from tangentlite import analysis, differentiate, emit, frontend, ir, lowering, optimize
from tangentlite.analysis.choices import holds_functions
from tangentlite.analysis.keeping import kept
from tangentlite.analysis.kinds import CONTAINERS, Kind, Unknown, forget
from tangentlite.analysis.operations import Summary
from tangentlite.analysis.outside import Outside
from tangentlite.analysis.summaries import Summaries
from tangentlite.analysis.unpacking import unchecked
from tangentlite.analysis.wholeness import is_whole
from tangentlite.emit import Unit
from tangentlite.errors import DerivativeError
from tangentlite.lowering import lifted
from tangentlite.naming import owner_of, shown
from tangentlite.standins import table
from tangentlite.translation import deep
from tangentlite.values import field, mutable, replace

P = ParamSpec("P")
R = TypeVar("R")
_compiling = RLock()


def undisturbed(function: Callable[P, R]) -> Callable[P, R]:
    """Trees make no garbage that is worth a search while they grow."""

    @functools.wraps(function)
    def calm(*args: P.args, **kwargs: P.kwargs) -> R:
        if not gc.isenabled():
            return function(*args, **kwargs)
        gc.disable()
        try:
            return function(*args, **kwargs)
        finally:
            gc.enable()

    return calm


def alone(function: Callable[P, R]) -> Callable[P, R]:
    """One thread at a time: what was compiled is shared, and so are trees and what is known of them."""

    @functools.wraps(function)
    def waiting(*args: P.args, **kwargs: P.kwargs) -> R:
        with _compiling:
            return function(*args, **kwargs)

    return waiting


@mutable
class Linker:
    """Compiles the helpers of one derivative, each once, and hands out cells that will hold them.

    ``in_place``: something that was compiled writes into arrays, so that their ranks are worth knowing.
    """

    in_place: bool = False
    units: list[Unit] = field(default_factory=list)
    helpers: list[Callable[..., Any]] = field(default_factory=list)
    sources: dict[Callable[..., Any], ir.Function] = field(default_factory=dict)
    _cells: dict[tuple[Any, ...], tuple[CellType, ...]] = field(default_factory=dict)
    _summaries: Summaries = field(default_factory=Summaries)
    _outside: Outside = field(default_factory=Outside)
    _normal: dict[Any, lowering.Normal] = field(default_factory=dict)
    _records: dict[tuple[Any, ...], ir.Record | None] = field(default_factory=dict)

    def pair(
        self,
        callee: Any,
        kinds: tuple[Kind, ...],
        wrt: tuple[str, ...],
        lent: tuple[str, ...] = (),
    ) -> tuple[CellType, CellType]:
        """The forward and the backward function of a helper."""
        request = _split(callee, wrt, kinds, lent)
        forward, backward = self._linked(callee, request, 2)
        return forward, backward

    def record(
        self, callee: Any, kinds: tuple[Kind, ...], wrt: tuple[str, ...], lent: tuple[str, ...]
    ) -> ir.Record | None:
        """What the pair of a helper hands on; None where that is not known: of a recursive one, of lists."""
        return self._records.get((callee, _split(callee, wrt, kinds, lent)))

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
        key = (callee, request)
        if key not in self._cells:
            cells = self._cells[key] = tuple(CellType() for _ in range(count))
            unit = derive(callee, request, self)
            for cell, function in zip(cells, unit.functions):
                cell.cell_contents = function
            self.units.append(unit)
            if count == 2 and not any(isinstance(k, CONTAINERS) for k in request.kinds or ()):
                self._records[key] = optimize.record(*unit.parts)
        return self._cells[key]

    def summary(self, callee: Any, kinds: tuple[Kind, ...]) -> Summary:
        """What a caller must know of a helper."""
        return self._summaries.of(callee, kinds, self._study)

    def _study(self, callee: Any, kinds: tuple[Kind, ...]) -> Summary:
        if callee not in self.helpers:
            self.helpers.append(callee)
        if callee not in self._normal:
            self._normal[callee] = lowering.normalize(self.read(callee))
        found = self._summarized(self._normal[callee], ir.Request(kinds=kinds, seed="given"))
        return replace(found, whole=True) if table.is_whole(callee) else found

    def read(self, function: Callable[..., Any]) -> ir.Function:
        """The tree of a function, read once."""
        if function not in self.sources:
            self.sources[function] = frontend.read(function)
        return self.sources[function]

    def see(self, facts: analysis.Facts) -> None:
        """Take in what a function does to arrays outside."""
        self._outside.see(facts)

    def looks_at(self, container: int) -> bool:
        """Whether a list, dict or object outside, of this identity, is read."""
        return container in self._outside.looked_at

    def effects(self, callee: Any) -> frozenset[str] | None:
        """The parameters that a helper writes, if it does nothing else that can be seen."""
        known = [s for (c, _), s in self._summaries.found.items() if c is callee]
        if not known or not all(summary.quiet for summary in known):
            return None
        return frozenset().union(*(summary.writes for summary in known))

    def _summarized(self, normal: lowering.Normal, request: ir.Request) -> Summary:
        facts = analysis.study(normal, request, self.summary)
        self.see(facts)
        aliases = facts.aliases
        self.in_place = self.in_place or facts.in_place
        end = facts.kinds.after[-1]
        bound = normal.function.bound
        left = tuple(
            (name, forget(end[name]))
            for name in sorted(aliases.effects)
            if name not in bound and isinstance(end[name], CONTAINERS)
        )
        return Summary(
            facts.told(facts.kinds.result),
            frozenset(aliases.effects),
            frozenset(aliases.handed),
            left,
            frozenset(aliases.gathers),
            self._quiet(facts),
            is_whole(facts, self.summary),
            kept(facts, self.summary),
            aliases.holds,
            _standing(facts, left),
        )

    def _quiet(self, facts: analysis.Facts) -> bool:
        """Whether a function only computes, and writes into arrays that it is given."""
        kinds = facts.kinds.before[0].values()
        if facts.aliases.outside or any(isinstance(k, (*CONTAINERS, Unknown)) for k in kinds):
            return False
        function = facts.normal.function.with_body(unchecked(facts))
        return optimize.is_quiet(function, self.effects)


def _standing(facts: analysis.Facts, left: tuple[tuple[str, Kind], ...]) -> Any:
    """A function that does the same with closures, where functions are handed out."""
    if not any(map(holds_functions, [facts.kinds.result, *(kind for _, kind in left)])):
        return None
    return lifted.standing(facts.normal.function)


def _split(
    callee: Any, wrt: tuple[str, ...], kinds: tuple[Kind, ...], lent: tuple[str, ...]
) -> ir.Request:
    name = shown(callee) if owner_of(callee) is not None else None
    return ir.Request(motion="split", wrt=wrt, kinds=kinds, seed="given", lent=lent, name=name)


@alone
@deep
@undisturbed
def derive(function: Callable[..., Any], request: ir.Request, linker: Linker) -> Unit:
    """Source in, derivative out."""
    source = linker.read(function)
    normal = lowering.normalize(source)
    facts = analysis.study(normal, request, linker.summary)
    linker.see(facts)
    linker.in_place = linker.in_place or facts.in_place
    derived = differentiate.transform(normal, facts, request, linker)
    better = optimize.improve(derived, None, linker.effects) if request.optimized else derived
    return emit.module(better)


def general(function: Callable[..., Any], request: ir.Request) -> tuple[Unit, Linker, ir.Request]:
    """The derivative for any arguments; if that is refused, for no optional ones."""
    linker = Linker()
    try:
        return derive(function, request, linker), linker, request
    except DerivativeError as fault:
        if not fault.of_kinds:
            raise
        linker, request = Linker(linker.in_place), replace(request, absent=True)
        with suppress(DerivativeError):
            return derive(function, request, linker), linker, request
        raise


def stages(function: Callable[..., Any], request: ir.Request) -> dict[str, str]:
    """The source after each stage."""
    _, linker, request = general(function, request)
    source = linker.read(function)
    normal = lowering.normalize(source)
    facts = analysis.study(normal, request, linker.summary)
    derived = differentiate.transform(normal, facts, request, linker)
    better = optimize.improve(derived, None, linker.effects)
    shown = {
        "source": replace(derived, functions=(source,)),
        "normal": replace(derived, functions=(normal.function,)),
        "derived": derived,
        "optimized": better,
    }
    return {name: emit.text(stage) for name, stage in shown.items()}
