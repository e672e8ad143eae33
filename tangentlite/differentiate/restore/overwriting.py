"""Which writes overwrite an array, and which bind a slot anew; what lies outside the function is not put back.

In: a sweep, its statements that write, those whose old contents are needed.
Out: AliasError where these lie outside.
Next: restoring.
"""

from __future__ import annotations

from collections.abc import Mapping, Set

import gast

from tangentlite.analysis.kinds import CONTAINERS, Inert, Kind, Num, Unknown
from tangentlite.analysis.lists.containers import slot
from tangentlite.analysis.operations import Accumulate, Mutate, Store
from tangentlite.differentiate.reverse import Sweep
from tangentlite.errors import AliasError

OVERWRITTEN = "this overwrites what the derivative reads, outside the function"
ASIDE = "Pass it as an argument, or write into a copy of it."


def binds_slot(sweep: Sweep, statement: gast.stmt) -> bool:
    """Whether a statement binds slots of a list, a dict or an object: the arrays in them stay as they are."""
    match sweep.facts.operation(statement):
        case Store(container=name) | Mutate(container=name):
            return isinstance(sweep.facts.kind_before(statement, name), CONTAINERS)
        case Accumulate(buffer=name, index=index):
            kind = sweep.facts.kind_before(statement, name)
            if isinstance(kind, CONTAINERS):
                found = slot(kind, index, lambda node: _kind(sweep, statement, node))
                return isinstance(found, Inert) or (isinstance(found, Num) and found.scalar)
    return False


def covered(sweep: Sweep, statement: gast.stmt) -> list[str]:
    """The name of the array all of which a statement overwrites."""
    match sweep.facts.operation(statement):
        case (
            Store(container=name, index=index, holds=False)
            | Accumulate(buffer=name, index=index, holds=False, gathers=False)
        ) if _is_whole(index) and isinstance(sweep.facts.kind_before(statement, name), Num):
            return [name]
    return []


def _is_whole(index: gast.expr) -> bool:
    """Whether an index is ``...`` or ``:``."""
    match index:
        case gast.Constant(value=value):
            return value is ...
        case gast.Slice(lower=None, upper=None, step=None):
            return True
    return False


def _kind(sweep: Sweep, statement: gast.stmt, node: gast.expr) -> Kind:
    sweep.adjoints.statement = statement
    return sweep.adjoints.kind_of(node) or Unknown()


def refuse_outside(
    sweep: Sweep,
    writers: Mapping[gast.stmt, tuple[str, ...]],
    needed: Set[gast.stmt],
    outer: Set[str],
) -> None:
    """The user sees what was written outside the function: it must stay.

    In split motion the backward sweep works on a copy of its record, which does not hold what has a name outside.
    """
    split = sweep.session.request.motion == "split"
    for statement in writers:
        if statement in needed and statement in sweep.facts.aliases.outside:
            if not split or not outer.isdisjoint(writers[statement]):
                place = sweep.facts.normal.function.origin.place(statement)
                raise AliasError(OVERWRITTEN, place, ASIDE)
