"""Which adjoints are buffers: zeros that are filled element by element.

In: the operations of a function.
Out: names.
Next: points.
"""

from __future__ import annotations

from collections.abc import Iterator

import gast

from tangentlite.analysis.operations import (
    Accumulate,
    Pop,
    Primitive,
    Push,
    Slot,
    Store,
    UserCall,
)
from tangentlite.differentiate.calls import written_arguments
from tangentlite.differentiate.pieces import (
    fits_numbers,
    is_unsure,
    may_fit_numbers,
    without_new_axes,
)
from tangentlite.differentiate.session import Session
from tangentlite.rules import Rule


def buffers(session: Session) -> frozenset[str]:
    """Names whose adjoint is filled piece by piece: not of what loops read as a whole, and only the end takes apart."""
    found, late = set[str](), set[str]()
    for statement, operation in session.facts.kinds.operations.items():
        match operation:
            case Slot(container=name) | Store(container=name) | Accumulate(buffer=name):
                found.add(name)
            case UserCall():
                found |= set(written_arguments(operation).values())
            case Push(stack=name) | Pop(stack=name):
                found.add(name)
            case Primitive(rule=rule) if rule.algebra != "inactive":
                parts = _indexed(session.variant(operation), operation)
                if parts:
                    (found if _repeats(session, statement) else late).update(parts)
    return frozenset(found | late - _whole_in_loops(session, late - found))


def _whole_in_loops(session: Session, names: set[str]) -> set[str]:
    """Names that something in a loop is computed with, not taken from."""
    if not names or session.function.generated:
        return set()
    return {
        name
        for statement, operation in session.facts.kinds.operations.items()
        if isinstance(operation, Primitive) and _repeats(session, statement)
        for _, name in operation.flows
        if name in names
    }


def _repeats(session: Session, statement: gast.stmt) -> bool:
    made = session.facts.versions.made.get(statement)
    return made is not None and made.scope.repeats


def rooms(session: Session) -> frozenset[str]:
    """Names of what may be numbers, and may have an index that numbers have, though it does not say so itself."""
    return frozenset(_rooms(session))


def _rooms(session: Session) -> Iterator[str]:
    for statement, operation in session.facts.kinds.operations.items():
        match operation:
            case Primitive(rule=rule, flows=flows, bound={"x": gast.Name(id=name), "i": index}) if (
                rule.name == "getitem" and flows and not fits_numbers(index)
            ):
                known = session.facts.kinds.before[session.facts.graph.first[statement]]
                if is_unsure(known.get(name)) and may_fit_numbers(index, known):
                    yield name


def _indexed(rule: Rule, operation: Primitive) -> set[str]:
    active = frozenset(p for p, _ in operation.flows) & rule.differentiable
    if not active or rule.algebra == "elementwise":
        return set()
    if "i" in operation.bound and without_new_axes(operation.bound["i"]) is not None:
        return set()
    names = dict(operation.flows)
    return {
        names[t.target]
        for t in rule.adjoint(active).terms
        if t.index is not None and t.target in names
    }
