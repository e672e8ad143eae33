"""Facts about a normal form: frozen, keyed by statement or point, never written on nodes.

In: a normal form (docs/design.md), the kinds of its parameters, the request.
Out: ``Facts``.
Next: differentiate.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import gast

from tangentlite import ir
from tangentlite.analysis import activity, aliases, cfg, inference, versions
from tangentlite.analysis.activity import Activity
from tangentlite.analysis.cfg import Graph
from tangentlite.analysis.inference import Inference
from tangentlite.analysis.kinds import Inert, Kind, Nothing, Num, Value, of
from tangentlite.analysis.operations import Operation
from tangentlite.analysis.versions import Versions
from tangentlite.lowering import Normal

ResultKind = Callable[[Any, tuple[Kind, ...]], Kind]


@dataclass(frozen=True, slots=True, eq=False)
class Facts:
    """All that is known of a function for one request."""

    graph: Graph
    kinds: Inference
    activity: Activity
    versions: Versions
    inputs: tuple[str, ...]
    result: str | None
    guarded: dict[gast.stmt, str]

    def operation(self, statement: gast.stmt) -> Operation | None:
        """The operation of a simple statement (None where it cannot be reached)."""
        return self.kinds.operations.get(statement)

    def kind_before(self, statement: gast.stmt, name: str) -> Kind | None:
        """The kind of a name before a statement."""
        return self.kinds.before[self.graph.first[statement]].get(name)

    def kind_after(self, statement: gast.stmt, name: str) -> Kind | None:
        """The kind of a name after a statement."""
        return self.kinds.after[self.graph.last[statement]].get(name)


def study(normal: Normal, request: ir.Request, result_kind: ResultKind) -> Facts:
    """Run all analyses for a request."""
    function = normal.function
    graph = cfg.build(function.body)
    kinds = request.kinds or default_kinds(function, request.wrt)
    inferred = inference.infer(function, graph, kinds, result_kind)
    result = result_name(function)
    active = activity.study(graph, inferred, function.body, request.wrt, [result] if result else [])
    numbered = versions.study([p.name for p in function.params], function.body)
    guarded = aliases.guarded(graph, inferred, normal.sources)
    return Facts(graph, inferred, active, numbered, request.wrt, result, guarded)


def result_name(function: ir.Function) -> str | None:
    """The name that the function returns, if it is one."""
    match function.body[-1]:
        case gast.Return(value=gast.Name(id=name)):
            return name  # type: ignore[no-any-return]
    return None


def default_kinds(function: ir.Function, wrt: tuple[str, ...]) -> tuple[Kind, ...]:
    """Undetermined parameters are numbers or arrays; a default that is neither says what else."""
    return tuple(_default_kind(p, p.name in wrt) for p in function.params)


def _default_kind(param: ir.Param, active: bool) -> Kind:
    if param.default is ir.EMPTY or active:
        return Num()
    kind = of(param.default)
    return (
        kind
        if isinstance(kind, (Inert, Nothing, Value))
        else Num()
        if isinstance(kind, Num)
        else kind
    )
