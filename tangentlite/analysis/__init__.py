"""Facts about a normal form: frozen, keyed by statement or point, never written on nodes.

In: a normal form (docs/design.md), the kinds of its parameters, the request.
Out: ``Facts``.
Next: differentiate.
"""

from __future__ import annotations

from functools import cached_property
from typing import Any

import gast

from tangentlite import ir
from tangentlite.analysis import activity, numbering
from tangentlite.analysis.activity import Activity
from tangentlite.analysis.calling import tested
from tangentlite.analysis.cfg import Graph
from tangentlite.analysis.deciding import (
    Decided as Decided,
    Summarize,
    decide,
    infer,
    overlap,
    share,
)
from tangentlite.analysis.defaults import default_kinds as default_kinds
from tangentlite.analysis.inference import Inference
from tangentlite.analysis.kinds import Kind, Num, forget
from tangentlite.analysis.lists import merges
from tangentlite.analysis.lists.lasting import lasting
from tangentlite.analysis.operations import Operation, Primitive, Sum
from tangentlite.analysis.shapes import columns
from tangentlite.analysis.smoothness import (
    chains,
    exponents,
    roots,
    shifts,
    sides,
)
from tangentlite.analysis.smoothness.flat import Flatness, summed
from tangentlite.analysis.smoothness.squares import Makers
from tangentlite.analysis.storage import (
    augmenting,
    folds,
    persistent,
    pours,
    renewing,
    steps,
)
from tangentlite.analysis.storage.aliases import Aliases
from tangentlite.analysis.storage.memory import memory, written
from tangentlite.analysis.versions import Version, Versions
from tangentlite.lowering import Normal
from tangentlite.lowering.arrays import augmented
from tangentlite.lowering.arrays.casts import checked
from tangentlite.lowering.arrays.chains import with_vector_first
from tangentlite.lowering.arrays.columns import with_values
from tangentlite.lowering.arrays.folds import anew
from tangentlite.lowering.arrays.roots import seen_through
from tangentlite.lowering.flow import branches
from tangentlite.lowering.lists import merging
from tangentlite.rules import UNKNOWN
from tangentlite.values import immutable, replace


@immutable(eq=False)
class Facts:
    """All that is known of a function for one request; ``normal`` is the form that the facts are about."""

    normal: Normal
    graph: Graph
    kinds: Inference
    activity: Activity
    versions: Versions
    inputs: tuple[str, ...]
    result: str | None
    aliases: Aliases
    kept: tuple[str, ...]

    def operation(self, statement: gast.stmt) -> Operation | None:
        """The operation of a simple statement (None where it cannot be reached)."""
        return self.kinds.operations.get(statement)

    @cached_property
    def elementwise(self) -> dict[gast.stmt, Primitive]:
        """The statements that compute element by element."""
        return {
            s: o
            for s, o in self.kinds.operations.items()
            if o.__class__ is Primitive and o.rule.algebra == "elementwise"
        }

    def writes(self, statement: gast.stmt) -> tuple[str, ...]:
        """The names through which a statement writes into arrays."""
        return tuple(written(self.kinds.operations.get(statement)))

    @property
    def in_place(self) -> bool:
        """Whether the function writes into arrays, or may do so with ``s op= e``."""
        return self.aliases.may_write or any(self.writes(s) for s in self.kinds.operations)

    def told(self, kind: Kind) -> Kind:
        """The kind of a result for a caller, who knows the shapes of the arguments."""
        start = self.kinds.before[0]
        own = {
            p.name
            for p in self.normal.function.params
            if isinstance(k := start.get(p.name), Num) and k.shape == frozenset({p.name})
        }
        if isinstance(kind, Num) and kind.shape and kind.shape <= own and not self.generated:
            return replace(kind, literal=UNKNOWN)
        return forget(kind)

    def summed(self, summary: Summarize) -> Sum | None:
        """What makes the result a sum of squares, for a caller."""
        makers = Makers.of(self.kinds, self.aliases, self.versions)
        known = Flatness(self.normal.function, self.graph, makers, summary)
        return summed(known, self.result, self.kinds.result)

    @property
    def generated(self) -> bool:
        """Whether the function is a derivative, whose names may hold ZERO."""
        return self.normal.function.generated

    def overwritten(self, statement: gast.stmt, name: str) -> bool:
        """Whether what a statement reads under a name may be written in place."""
        return self.aliases.is_written(name) and memory(self.kind_before(statement, name))

    def kind_before(self, statement: gast.stmt, name: str) -> Kind | None:
        """The kind of a name before a statement."""
        return self.kinds.before[self.graph.first[statement]].get(name)

    def kind_after(self, statement: gast.stmt, name: str) -> Kind | None:
        """The kind of a name after a statement."""
        return self.kinds.after[self.graph.last[statement]].get(name)

    def kind_of(self, version: Version) -> Kind | None:
        """The kind of what a version is; where trips of a loop begin, of what any of them begins with."""
        maker = version.maker
        if maker is None:
            return self.kinds.before[0].get(version.name)
        return self.kind_after(maker, version.name)


def study(
    normal: Normal,
    request: ir.Request,
    summary: Summarize,
    decided: dict[Any, Decided] | None = None,
) -> Facts:
    """Run all analyses for a request; ``decided`` remembers those that are the same for others."""
    kinds = request.kinds or default_kinds(normal.function, request)
    key = normal, kinds, request.seed == "given", overlap(request)
    decided = {} if decided is None else decided
    if key not in decided:
        first = decide(normal, request, kinds, summary)
        decided[key] = _merged(first, request, kinds, summary)
    normal, graph, inferred = decided[key]
    tested.check(normal, graph, inferred, kinds)
    normal = normal.apart()
    plain = pours.unfolded(normal, graph, inferred)
    if (plain := augmenting.unfolded(plain, request, graph, inferred)) is not normal:
        decided_anew = plain, *infer(plain, request, kinds, summary)
        normal, graph, inferred = _merged(decided_anew, request, kinds, summary)
    decision = normal, graph, inferred
    (normal, graph, inferred), shared, longer = _augmented(decision, request, kinds, summary)
    if idle := lasting(normal, graph, inferred, shared):
        normal = branches.chosen(normal, idle)
        graph, inferred, shared = _with_aliases(normal, request, kinds, summary)
    if doubtful := steps.checks(normal, request, graph, inferred, shared):
        normal = checked(normal, doubtful)
        graph, inferred, shared = _with_aliases(normal, request, kinds, summary)
    while request.optimized and (products := chains.seen(normal, graph, inferred, shared)):
        normal = with_vector_first(normal, products)
        graph, inferred, shared = _with_aliases(normal, request, kinds, summary)
    if request.optimized and (vectors := columns.seen(normal.function, graph, inferred)):
        normal = with_values(normal, vectors)
        graph, inferred, shared = _with_aliases(normal, request, kinds, summary)
    if folded := folds.seen(normal, graph, inferred, shared):
        normal = anew(normal, folded)
        graph, inferred, shared = _with_aliases(normal, request, kinds, summary)
    persistent.check(normal, graph, inferred, longer, request.seed == "given")
    return _with_roots(normal, (graph, inferred, shared), request, kinds, summary)


def _with_roots(
    normal: Normal,
    known: tuple[Graph, Inference, Aliases],
    request: ir.Request,
    kinds: tuple[Kind, ...],
    summary: Summarize,
) -> Facts:
    """The facts with what is known of roots and absolute values where they are zero."""
    active = _activity(normal, *known, request)
    for see in (roots.seen, sides.seen, exponents.seen):
        if found := see(normal, *known, active, summary):
            normal = seen_through(normal, found)
            known = _with_aliases(normal, request, kinds, summary)
            active = _activity(normal, *known, request)
    return _facts(normal, request, *known, active)


def _augmented(
    decided: Decided, request: ir.Request, kinds: tuple[Kind, ...], summary: Summarize
) -> tuple[Decided, Aliases, dict[gast.stmt, str]]:
    """The facts with ``s op= e`` in place where s is an array; which statements make persistent arrays longer."""
    normal, graph, inferred = decided
    longer: dict[gast.stmt, str] = {}
    while True:
        arrays = augmenting.arrays(normal, graph, inferred)
        if arrays and request.mode == "reverse":
            shared = share(normal, request, graph, inferred)
            arrays = renewing.written(normal, graph, inferred, shared, arrays)
        found = persistent.readings(graph, inferred)
        if arrays or found:
            longer |= persistent.lengthened(normal, found)
            normal = persistent.plain(augmented.in_place(normal, arrays), found)
            graph, inferred = infer(normal, request, kinds, summary)
            continue
        shared = share(normal, request, graph, inferred)
        if outer := augmenting.of_elements(shared.outside, inferred):
            normal = augmented.unfolded(normal, outer)
        elif shared.undecided:
            normal = augmented.in_place(normal, shared.undecided)
        else:
            return (normal, graph, inferred), shared, longer
        graph, inferred = infer(normal, request, kinds, summary)


def _merged(
    decided: Decided, request: ir.Request, kinds: tuple[Kind, ...], summary: Summarize
) -> Decided:
    """The facts with joins of dicts, and changes of sets, said by methods."""
    normal, graph, inferred = decided
    while joins := merges.joins(normal, graph, inferred):
        normal = merging.merged(normal, joins)
        graph, inferred = infer(normal, request, kinds, summary)
    return normal, graph, inferred


def _with_aliases(
    normal: Normal, request: ir.Request, kinds: tuple[Kind, ...], summary: Summarize
) -> tuple[Graph, Inference, Aliases]:
    graph, inferred = infer(normal, request, kinds, summary)
    return graph, inferred, share(normal, request, graph, inferred)


def _facts(
    normal: Normal,
    request: ir.Request,
    graph: Graph,
    inferred: Inference,
    shared: Aliases,
    active: Activity,
) -> Facts:
    function = normal.function
    result = result_name(function)
    numbered = numbering.study([p.name for p in function.params], function.body)
    kept = tuple(_changed(shared, request)) if request.seed == "given" else ()
    return Facts(normal, graph, inferred, active, numbered, request.wrt, result, shared, kept)


def _changed(shared: Aliases, request: ir.Request) -> list[str]:
    return sorted((shared.effects | shared.gathers) - set(request.lent))


def _activity(
    normal: Normal, graph: Graph, inferred: Inference, shared: Aliases, request: ir.Request
) -> Activity:
    result = result_name(normal.function)
    changed = _changed(shared, request)
    outputs = dict.fromkeys([*([result] if result else []), *changed, *request.lent])
    still = shifts.cancelling(normal, graph, inferred, shared)
    body = normal.function.body
    return activity.study(graph, inferred, body, request.wrt, outputs, shared, still)


def result_name(function: ir.Function) -> str | None:
    """The name that the function returns, if it is one."""
    match function.body[-1]:
        case gast.Return(value=gast.Name(id=name)):
            return name  # type: ignore[no-any-return]
    return None
