"""Calls whose effects nobody sees: no value is asked for, and what comes after them reads none backward.

In: a call of a procedure, and the backward sweep so far.
Out: whether its forward function may leave the arrays of the caller as they are.
Next: calls.
"""

from __future__ import annotations

from itertools import combinations

import gast

from tangentlite import syntax
from tangentlite.analysis.kinds import Kind, Nothing, Num
from tangentlite.analysis.operations import Primitive, UserCall
from tangentlite.analysis.storage.memory import memory
from tangentlite.analysis.versions import Scope
from tangentlite.differentiate.adjoints import Adjoints
from tangentlite.rules.reads import reads
from tangentlite.runtime.checkpoints import runs_again

LINEAR = frozenset("add subtract multiply negative sum sum_as_it_is mean mean_as_it_is".split())


def is_unseen(
    adjoints: Adjoints, operation: UserCall, name: str | None, scope: Scope, position: int
) -> bool:
    """Whether only a record is made of a call, and the gradient is all that the function gives.

    That is so of `adi(u, steps)` in front of `return np.sum(u * w)`: `u` is a copy of the argument, sums and products
    with what nobody writes do not ask what it holds, and nothing else is done. It is so of `y = conv2d(x, v)` in front
    of `return np.sum(y * w)`, too: of `y` only the shape is asked for. A function that is called several times keeps
    one pair.
    """
    facts, statement = adjoints.session.facts, adjoints.statement
    assert statement is not None
    result = facts.kind_after(statement, name) if name else Nothing()
    arrays = all(isinstance(k, Num) and not k.persistent for k in operation.kinds)
    special = operation.gathers or operation.inserts or runs_again(operation.function)
    special = special or adjoints.session.called[id(operation.function)] > 1
    if special or not arrays or scope is not facts.versions.root:
        return False
    if not _is_only_gradient(adjoints, bool(operation.writes)):
        return False
    if not operation.writes:
        later = scope.block[position + 1 :]
        return name is not None and _is_made(result, operation) and _is_lost(adjoints, name, later)
    return (
        isinstance(result, Nothing)
        and _is_own(adjoints, operation)
        and all(_is_linear(adjoints, s) for s in scope.block[position + 1 :])
        and all(_is_untouched(adjoints, placeholder) for placeholder in _values(adjoints))
    )


def _is_made(result: Kind | None, operation: UserCall) -> bool:
    """Whether what a call gives is an array of its own."""
    plain = isinstance(result, Num) and not result.persistent and not result.scalar
    return plain and not operation.shares


def _is_lost(adjoints: Adjoints, name: str, later: list[gast.stmt]) -> bool:
    """Whether a value goes into sums and products only, of which nobody reads what they are."""
    lost = {name}
    for statement in later:
        if not lost.isdisjoint(syntax.loads(statement)):
            if not _is_linear(adjoints, statement):
                return False
            lost |= syntax.stores(statement)
    return lost.isdisjoint(adjoints.shapes.table[p].name for p in _values(adjoints))


def _is_only_gradient(adjoints: Adjoints, writes: bool) -> bool:
    """Whether nobody gets a value, and no statement writes into what lives outside."""
    request, facts = adjoints.session.request, adjoints.session.facts
    joint = request.motion == "joint" and request.output == "gradient" and request.optimized
    special = request.has_aux or request.together or facts.generated or facts.aliases.outside
    return (joint or (request.bare and not writes)) and not special


def _is_own(adjoints: Adjoints, operation: UserCall) -> bool:
    """Whether all that a call writes are copies of arguments, and nothing that it is given overlaps."""
    facts, statement = adjoints.session.facts, adjoints.statement
    assert statement is not None
    given = {p: v.id for p, v in operation.bound.items() if isinstance(v, gast.Name)}
    first, last = facts.graph.first[statement], facts.graph.last[statement]
    pairs = list(combinations(given.values(), 2))
    apart = not any(facts.aliases.overlap(p, a, b) for a, b in pairs for p in (first, last))
    read, start = facts.versions.reads[statement], facts.versions.at_start
    names = [given.get(p, "") for p in operation.writes]
    return apart and all(n in start and read.get(n) is start[n] for n in names)


def _is_linear(adjoints: Adjoints, statement: gast.stmt) -> bool:
    """Whether a statement may be done with any numbers, or left away."""
    if isinstance(statement, gast.Return | gast.Pass):
        return True
    operation = (
        adjoints.session.facts.operation(statement) if isinstance(statement, gast.Assign) else None
    )
    return isinstance(operation, Primitive) and operation.rule.name in LINEAR


def _values(adjoints: Adjoints) -> set[str]:
    """The placeholders of which the backward sweep of what comes later reads values."""
    trees = [tree for _, group in adjoints.session.later for tree in group]
    return reads(trees)[0] & adjoints.shapes.table.keys()


def _is_untouched(adjoints: Adjoints, placeholder: str) -> bool:
    """Whether a value is that of an argument, or a number, that no statement writes."""
    version, facts = adjoints.shapes.table[placeholder], adjoints.session.facts
    name, start = version.name, facts.versions.at_start
    written = memory(facts.kinds.before[0].get(name)) and facts.aliases.is_written(name)
    return start.get(name) is version and not written
