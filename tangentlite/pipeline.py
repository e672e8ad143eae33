"""The whole compiler on one page.

In: a function and a request.
Out: ``Compiled``: the unit that was emitted, and the units of its helpers.
Next: api.
"""

from __future__ import annotations

import functools
import gc
from collections.abc import Callable
from dataclasses import dataclass, field, replace
from types import CellType
from typing import Any, ParamSpec, TypeVar

from tangentlite import analysis, differentiate, emit, frontend, ir, lowering, optimize
from tangentlite.analysis.kinds import Kind, Num, forget
from tangentlite.emit import Unit

P = ParamSpec("P")
R = TypeVar("R")


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


@dataclass(slots=True, eq=False)
class Linker:
    """Compiles the helpers of one derivative, each once, and hands out cells that will hold them."""

    units: list[Unit] = field(default_factory=list)
    helpers: list[Callable[..., Any]] = field(default_factory=list)
    _cells: dict[tuple[Any, ...], tuple[CellType, ...]] = field(default_factory=dict)
    _results: dict[tuple[Any, ...], Kind | None] = field(default_factory=dict)

    def pair(
        self, callee: Any, kinds: tuple[Kind, ...], wrt: tuple[str, ...]
    ) -> tuple[CellType, CellType]:
        """The forward and the backward function of a helper."""
        request = ir.Request(motion="split", wrt=wrt, kinds=kinds, seed="given")
        forward, backward = self._linked(callee, request, 2)
        return forward, backward

    def tangent(self, callee: Any, kinds: tuple[Kind, ...], wrt: tuple[str, ...]) -> CellType:
        """The forward-mode function of a helper."""
        request = ir.Request(
            mode="forward", wrt=wrt, kinds=kinds, seed="given", output="value, gradient"
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
        return self._cells[key]

    def result_kind(self, callee: Any, kinds: tuple[Kind, ...]) -> Kind:
        """The kind of what a helper returns; a recursive call learns nothing from itself."""
        key = (callee, kinds)
        if key not in self._results:
            self._results[key] = None
            self.helpers.append(callee)
            normal = lowering.normalize(frontend.read(callee))
            facts = analysis.study(normal, ir.Request(kinds=kinds), self.result_kind)
            self._results[key] = forget(facts.kinds.result)
        return self._results[key] or Num()


@undisturbed
def derive(function: Callable[..., Any], request: ir.Request, linker: Linker) -> Unit:
    """Source in, derivative out."""
    source = frontend.read(function)
    normal = lowering.normalize(source)
    facts = analysis.study(normal, request, linker.result_kind)
    derived = differentiate.transform(normal, facts, request, linker)
    better = optimize.improve(derived) if request.optimized else derived
    return emit.module(better)


def stages(function: Callable[..., Any], request: ir.Request) -> dict[str, str]:
    """The source after each stage."""
    linker = Linker()
    source = frontend.read(function)
    normal = lowering.normalize(source)
    facts = analysis.study(normal, request, linker.result_kind)
    derived = differentiate.transform(normal, facts, request, linker)
    better = optimize.improve(derived)
    shown = {
        "source": replace(derived, functions=(source,)),
        "normal": replace(derived, functions=(normal.function,)),
        "derived": derived,
        "optimized": better,
    }
    return {name: emit.text(stage) for name, stage in shown.items()}
