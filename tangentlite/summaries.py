"""What a caller must know of a helper, put together from its facts.

In: the facts of a helper, and the summaries of those that it calls.
Out: ``summarized``: a ``Summary``; ``effects``: what helpers do, for the optimizer.
Next: pipeline.
"""

from __future__ import annotations

from typing import Any

from tangentlite import analysis, optimize
from tangentlite.analysis import Facts
from tangentlite.analysis.calling.repeating import once
from tangentlite.analysis.calling.telling import altered, standing
from tangentlite.analysis.calling.texts import reads
from tangentlite.analysis.closed import closed
from tangentlite.analysis.inference import Summarize
from tangentlite.analysis.kinds import CONTAINERS, Unknown, forget
from tangentlite.analysis.lists.unpacking import unchecked
from tangentlite.analysis.operations import Summary, inserts
from tangentlite.analysis.storage.keeping import kept
from tangentlite.analysis.storage.origins import told
from tangentlite.analysis.storage.wholeness import is_whole, writes_deep
from tangentlite.links import Called, called
from tangentlite.optimize.facts.purity import Effects


def summarized(facts: Facts, summary: Summarize) -> Summary:
    """What its callers must know of a function."""
    aliases, end = facts.aliases, facts.kinds.after[-1]
    bound = facts.normal.function.bound
    changed = [
        name
        for name in sorted(aliases.effects)
        if name not in bound and isinstance(end[name], CONTAINERS)
    ]
    fills = analysis.storage.ties.fills(facts.normal, facts.graph, facts.kinds)
    ends = [forget(end[name]) for name in changed]
    result, *ends = told([facts.told(facts.kinds.result), *ends, *fills])
    left = tuple(zip(changed, ends))
    return Summary(
        result,
        frozenset(aliases.effects),
        frozenset(aliases.handed),
        left,
        frozenset(aliases.gathers),
        _quiet(facts, summary),
        is_whole(facts, summary),
        kept(facts, summary),
        aliases.holds,
        any(inserts(o) for o in facts.kinds.operations.values()),
        altered(facts),
        standing(facts, left),
        any(map(reads, facts.kinds.operations.values())),
        frozenset(ends[len(left) :]),
        writes_deep(facts, summary),
        _once(facts, summary),
        facts.summed(summary),
        closed(facts, summary),
    )


def effects(calls: Called, summary: Summarize) -> Effects:
    """What helpers do in these calls: the parameters that one writes, if no more can be seen."""

    def written(callee: Any) -> frozenset[str] | None:
        found = [summary(c, kinds) for c, kinds in calls if c is callee]
        if not found or not all(one.quiet for one in found):
            return None
        return frozenset().union(*(one.writes for one in found))

    return written


def _once(facts: Facts, summary: Summarize) -> str:
    """What a function calls that must not run twice."""
    function = facts.normal.function
    found = once(function.body, facts, function, summary, helper=True)
    return found[1] if found else ""


def _quiet(facts: Facts, summary: Summarize) -> bool:
    """Whether a function only computes, and writes into arrays that it is given."""
    kinds = facts.kinds.before[0].values()
    if facts.aliases.outside or any(isinstance(k, (*CONTAINERS, Unknown)) for k in kinds):
        return False
    function = facts.normal.function.with_body(unchecked(facts))
    return optimize.is_quiet(function, effects(called(facts), summary))
