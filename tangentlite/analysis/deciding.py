"""What statements mean once it is known what is called, and the kinds of all names.

In: a normal form, the kinds of its parameters, the request.
Out: a normal form without the calls and branches that are decided, its graph and its kinds; who shares memory there.
Next: analysis.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable, Set
from typing import Any

import gast

from tangentlite import ir, syntax
from tangentlite.analysis import absence, cfg, inference
from tangentlite.analysis.calling.rewrites import Rewrites, rewritten
from tangentlite.analysis.cfg import Graph
from tangentlite.analysis.classes import dissolving
from tangentlite.analysis.classes.expander import Expander
from tangentlite.analysis.classes.meant import CHANGES, CHOOSE, Meant, at, broken
from tangentlite.analysis.inference import Inference
from tangentlite.analysis.kinds import Kind
from tangentlite.analysis.lists.growing import grown
from tangentlite.analysis.lists.unrolled import unrolled
from tangentlite.analysis.operations import Summary, UserCall
from tangentlite.analysis.storage import aliases, ties
from tangentlite.analysis.storage.aliases import Aliases
from tangentlite.analysis.unforeseen import unforeseen
from tangentlite.errors import UnsupportedSyntaxError
from tangentlite.lowering import Normal
from tangentlite.lowering.arrays import augmented
from tangentlite.lowering.flow import branches, missing

Summarize = Callable[[Any, tuple[Kind, ...]], Summary]
Decided = tuple[Normal, Graph, Inference]


def infer(
    normal: Normal,
    request: ir.Request,
    kinds: tuple[Kind, ...],
    summary: Summarize,
    expander: Expander | None = None,
) -> tuple[Graph, Inference]:
    """Kinds, and again with the names that may hold what others change, until there are no more."""
    graph, known = cfg.build(normal.function.body), dict[gast.stmt, dict[str, frozenset[str]]]()
    ends, fitted = augmented.augmented(normal), augmented.fitted(normal)
    while True:
        rewrites = Rewrites(normal.names, expander.waiting if expander else frozenset())
        found = inference.infer(
            *(normal.function, graph, kinds, summary, normal.stacks, known),
            *(ends, fitted, rewrites, expander),
        )
        ready = any(s in graph.first for s in found.rewrites.found.keys() - found.rewrites.late)
        if ready and not (expander and expander.table):
            return graph, found
        changed = ties.changes(normal, graph, found)
        if not changed:
            return graph, found
        shared = share(normal, request, graph, found)
        more = ties.ties(graph, found, changed, shared, known)
        if more == known:
            return graph, found
        known = more


def share(normal: Normal, request: ir.Request, graph: Graph, inferred: Inference) -> Aliases:
    """Who shares memory with whom."""
    helper, stacks = request.seed == "given", normal.stacks
    overlapping = overlap(request)
    return aliases.study(
        graph, inferred, normal.sources, normal.function, helper, stacks, overlapping
    )


def overlap(request: ir.Request) -> tuple[str, ...]:
    """The parameters that may share memory."""
    return request.lent or request.together or request.near


def decide(
    normal: Normal, request: ir.Request, kinds: tuple[Kind, ...], summary: Summarize
) -> Decided:
    """The facts without the branches that no argument of these kinds takes.

    A call that was rewritten for a function, while others came to be called there, waits until nothing else is to do.
    """
    waiting: set[Hashable] = set()
    while True:
        found, meant = _settled(normal.apart(), request, kinds, summary, waiting)
        mark = _mistaken(found, meant)
        if mark is None:
            return found
        if at(mark) in waiting:
            raise _changing(found, meant[mark][0], mark)
        waiting.add(at(mark))


def _settled(
    normal: Normal,
    request: ir.Request,
    kinds: tuple[Kind, ...],
    summary: Summarize,
    waiting: Set[Hashable],
) -> tuple[Decided, Meant]:
    """The facts once nothing stands for a statement, and what the calls were rewritten for."""
    expander = Expander(normal, waiting)
    while True:
        graph, inferred = infer(normal, request, kinds, summary, expander)
        if expander.stands(graph):
            normal = expander.apply()
            continue
        other = unrolled(normal, graph, inferred, expander.meant)
        other = other or grown(normal, graph, inferred, expander.meant)
        if other is not None:
            normal = expander.normal = other
            continue
        if any(s in graph.first for s in inferred.rewrites.found):
            normal = expander.normal = rewritten(normal, inferred.rewrites)
            expander.follow(inferred.rewrites)
            continue
        if expander.waits(graph):
            normal = expander.apply()
            continue
        if taken := absence.decided(graph, inferred):
            normal = expander.normal = branches.chosen(normal, taken)
        elif lacking := _lacking(normal, graph, inferred):
            normal = expander.normal = missing.raising(normal, lacking)
        elif (apart := dissolving.dissolved(normal, graph, inferred)) is not None:
            normal = expander.normal = apart
        elif _written_out(expander, request, graph, inferred) or _opened(
            expander, graph, inferred, summary
        ):
            normal = expander.apply()
        elif ends := unforeseen(graph, inferred):
            normal = expander.normal = missing.ending(normal, ends)
        else:
            return (normal, graph, inferred), expander.meant


def _lacking(normal: Normal, graph: Graph, inferred: Inference) -> dict[gast.stmt, str]:
    """What is taken from dicts that lack it; what those of a text that was made by this compiler lack is zero."""
    function = normal.function
    return {} if function.generated else absence.lacking(graph, inferred, function.body)


def _written_out(
    expander: Expander, request: ir.Request, graph: Graph, inferred: Inference
) -> bool:
    """Whether calls are written out that read objects which nobody else holds, and which are written."""
    normal = expander.normal
    if not any(dissolving.makes(s, graph, inferred) for s in inferred.operations):
        return False
    written = share(normal, request, graph, inferred).shadowed
    for statement, call in dissolving.reading(normal, graph, inferred, written).items():
        expander.inline(statement, call.function, call.bound, set(normal.function.local))
    return expander.stands(graph)


def _opened(expander: Expander, graph: Graph, inferred: Inference, summary: Summarize) -> bool:
    """Whether calls are written out that may fail in a `try` after they have written."""
    function = expander.normal.function
    attempts = (s for s in syntax.statements(function.body) if isinstance(s, syntax.Attempt))
    for statement in (s for attempt in attempts for s in syntax.statements(attempt.body)):
        operation = inferred.operations.get(statement)
        if isinstance(operation, UserCall) and operation.writes and statement in graph.first:
            if not summary(operation.function, operation.kinds).whole:
                expander.inline(statement, operation.function, operation.bound, set(function.local))
    return expander.stands(graph)


def _mistaken(found: Decided, meant: Meant) -> gast.stmt | None:
    """A mark of what was written for a function or object that is another one later."""
    _, graph, inferred = found
    return broken(meant, {s: inferred.before[graph.first[s]] for s in meant if s in graph.first})


def _changing(found: Decided, name: str, mark: gast.stmt) -> UnsupportedSyntaxError:
    normal, graph, _ = found
    made = [s for s in graph.first if name in syntax.stores(s) and isinstance(s, gast.Assign)]
    shown = syntax.unparse(made[0].value) if made else name
    place = normal.function.origin.place(mark)
    return UnsupportedSyntaxError(CHANGES.format(shown), place, CHOOSE)
