"""Loops that run again in the backward sweep: what is asked of them, and a mark where they do.

In: a loop over ``tl.checkpoint_loop``, and the backward statements of one trip.
Out: ``Repeated``, and the mark at the head of the mirrored trip: it reads what the trips read from outside.
Next: reverse.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, Protocol

import gast

from tangentlite import syntax
from tangentlite.analysis import Facts
from tangentlite.analysis.calling.repeating import once
from tangentlite.analysis.kinds import is_persistent
from tangentlite.analysis.operations import Pop, Push
from tangentlite.analysis.storage.memory import memory
from tangentlite.analysis.versions import Scope, Version
from tangentlite.differentiate.adjoints import Adjoints
from tangentlite.differentiate.session import Session
from tangentlite.errors import UnsupportedSyntaxError
from tangentlite.frontend import checkpoints
from tangentlite.values import immutable

NAME = "`tl.checkpoint_loop`"
TWICE = f"`{{}}` in a loop over {NAME}, whose trips run twice, does not give the same again"
BEFORE = (
    "Make the values before the loop and read them in it: `noise = rng.normal(size=n)`, `noise[t]`."
)
ITSELF = "Print in the loop itself: that happens once."
SHARED = f"memory that several names share is written in a loop over {NAME}"
APART = "Bind new arrays (`u = step(u)`) instead of writing into those that other names hold, or use a plain loop."
TRYING = f"`try` and `with` in a loop over {NAME} are not supported"
AROUND = "Put them around the loop, or into a function that the loop calls."
ENDLESS = f"{NAME} needs a loop whose trips can be counted before it begins"
RANGE = "Write `for t in tl.checkpoint_loop(range(n), slots=k):` with an upper bound, and `break`."
OUTSIDE = f"a loop over {NAME} writes into what lives outside the function"
PASS = "Pass it as an argument, or use a plain loop."
BOUND = f"the variable of a loop over {NAME} is bound again: `{{}}`"
RENAME = "Give the one or the other another name."


class Sweep(Protocol):
    """What is asked of a sweep."""

    session: Session
    facts: Facts
    adjoints: Adjoints
    again: dict[gast.stmt, Repeated]
    heads: list[tuple[gast.stmt, gast.expr]]
    beside: dict[gast.stmt, Any]
    undone: set[gast.stmt]


class Again(gast.Expr):  # type: ignore[misc]
    """The mark: here the state before a trip comes back, and the trip runs once more.

    ``value`` is the tuple of what is read for that from outside the loop: the versions of ``Repeated.outer``, then the
    step of the loop.
    """

    _fields = ("value",)
    key: tuple[gast.stmt]


@immutable(eq=False)
class Repeated:
    """A loop that runs again: where it stands, its body, the names that its trips only read, how many states are kept.

    Names: ``states``: the list of them, ``stops``: the trips before which one is kept, ``start``: the trip to which the
    last one belongs, ``free``: the slots that were left for it, ``turn``: the trips from there.
    """

    statement: gast.For
    around: Scope
    scope: Scope
    outer: tuple[str, ...]
    slots: gast.expr
    states: str
    stops: str
    start: str
    free: str
    turn: str


def begun(sweep: Sweep, statement: gast.stmt, scope: Scope) -> list[gast.stmt]:
    """The mark for the head of a mirrored trip, if the loop runs again."""
    slots = checkpoints.slots(statement, sweep.facts.normal.function.namespace)
    if slots is None:
        return []
    _check(sweep, statement)
    (inner,) = sweep.facts.versions.scopes[statement]
    outer = _outer(sweep, statement, inner)
    wishes = ("states", "stops", "start", "free", statement.target.id)
    names = [sweep.session.names.fresh(w) for w in wishes]
    sweep.again[statement] = Repeated(statement, scope, inner, tuple(outer), slots, *names)
    values: list[gast.expr] = [_read(sweep, statement, outer[name]) for name in outer]
    sweep.heads.append((statement, gast.Tuple(list(values), gast.Load())))
    start = sweep.facts.versions.reads[statement]
    holes = {n: _read(sweep, statement, v) for n, v in start.items()}
    values.append(syntax.substitute(step(statement.iter), holes))
    mark: Again = Again(gast.Tuple(values, gast.Load()))
    mark.key = (statement,)
    return [mark]


def _read(sweep: Sweep, statement: gast.stmt, version: Version) -> gast.expr:
    kind = sweep.facts.kind_before(statement, version.name)
    return sweep.adjoints.shapes.read(version, kind)


def step(iterable: gast.expr) -> gast.expr:
    """How far one trip is from the next.

    >>> [syntax.unparse(step(syntax.expression(t))) for t in ("range(n)", "range(a, b, 2)", "reversed(range(n))")]
    ['1', '2', '-1']
    """
    match iterable:
        case gast.Call(func=gast.Name(id="reversed"), args=[inner]):
            return gast.UnaryOp(gast.USub(), step(inner))
        case gast.Call(args=[_, _, width]):
            return width
    return syntax.constant(1)


def hot(sweep: Sweep, repeated: Repeated, names: set[str]) -> list[str]:
    """The names whose memory must be kept, too: it is written in the loop, or anywhere if the loop binds them."""
    facts, found = sweep.facts, []
    inside = list(syntax.statements(repeated.statement.body))
    families = {facts.aliases.family(n) for s in inside for n in facts.writes(s)}
    operations = [facts.operation(s) for s in inside]
    families |= {facts.aliases.family(o.stack) for o in operations if isinstance(o, (Push, Pop))}
    for name in sorted(names):
        if not memory(facts.kind_before(repeated.statement, name)):
            continue
        everywhere = name not in repeated.outer and facts.aliases.is_written(name)
        if everywhere or facts.aliases.family(name) in families:
            found.append(name)
    return found


def within(scope: Scope | None, outer: Scope) -> bool:
    """Whether a block is another one, or inside of it."""
    while scope is not None and scope is not outer:
        scope = scope.parent
    return scope is outer


def innermost(sweep: Sweep, scope: Scope) -> Repeated | None:
    """The innermost loop that runs again in which a block stands."""
    found = [r for r in sweep.again.values() if within(scope, r.scope)]
    inner = [r for r in found if all(within(r.scope, other.scope) for other in found)]
    return inner[0] if inner else None


def rebound(sweep: Sweep, version: Version) -> bool:
    """Whether a loop that does not make a version binds its name where it runs again."""
    return any(
        version.name in r.scope.stores or version.name == r.statement.target.id
        for r in sweep.again.values()
        if not within(version.scope, r.scope)
    )


def _outer(sweep: Sweep, statement: gast.stmt, inner: Scope) -> dict[str, Version]:
    """What the trips read, and never bind."""
    reads = sweep.facts.versions.reads
    known = [reads.get(inside, {}) for inside in syntax.statements(statement.body)]
    found = {n: v for names in known for n, v in names.items() if not within(v.scope, inner)}
    return dict(sorted(found.items()))


def _check(sweep: Sweep, statement: gast.stmt) -> None:
    facts, origin = sweep.facts, sweep.facts.normal.function.origin
    if not isinstance(statement, gast.For):
        raise UnsupportedSyntaxError(ENDLESS, origin.place(statement), RANGE)
    function, summary = facts.normal.function, sweep.session.linker.summary
    for fault, reason, hint in _faults(sweep, statement):
        raise UnsupportedSyntaxError(reason, origin.place(fault), hint)
    found = once(statement.body, facts, function, summary, helper=False)
    if found is not None:
        place = origin.place(found[0]) or origin.place(statement)
        if found[1].endswith(".begin_with"):
            raise UnsupportedSyntaxError(TRYING, place, AROUND)
        hint = ITSELF if found[1] == "print" else BEFORE
        raise UnsupportedSyntaxError(TWICE.format(found[1]), place, hint)


def _faults(sweep: Sweep, loop: gast.stmt) -> Iterator[tuple[gast.stmt, str, str]]:
    for statement in syntax.statements(loop.body):
        bound = statement.target if isinstance(statement, gast.For) else statement
        inside = isinstance(bound, gast.Name) or statement not in loop.body
        plain = isinstance(bound, gast.Name | gast.Assign)
        if inside and plain and loop.target.id in syntax.stores(bound):
            yield statement, BOUND.format(loop.target.id), RENAME
        elif isinstance(statement, (syntax.Attempt, gast.Try, gast.With)):
            yield statement, TRYING, AROUND
        elif statement in sweep.facts.aliases.outside:
            yield statement, OUTSIDE, PASS
        elif (
            statement in sweep.undone
            or sweep.beside.get(statement)
            or any(
                is_persistent(sweep.facts.kind_before(statement, n))
                for n in sweep.facts.writes(statement)
            )
        ):
            yield statement, SHARED, APART
