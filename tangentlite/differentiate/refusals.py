"""What is said of a statement whose derivative cannot be written: the cause, in the user's own words.

In: facts, a statement and its operation.
Out: an error with a place, a reason without temporaries, and a hint.
Next: session.
"""

from __future__ import annotations

import builtins
import re

import gast

from tangentlite import slips, syntax
from tangentlite.analysis import Facts
from tangentlite.analysis.calling.callees import SPREAD
from tangentlite.analysis.kinds import DIFFERENT, List, Unknown
from tangentlite.analysis.lists.unordered import PERHAPS
from tangentlite.analysis.operations import Opaque
from tangentlite.analysis.storage.writes import NO_LIST
from tangentlite.errors import DerivativeError, Place, UnsupportedSyntaxError
from tangentlite.ir import Function

NO_VALUE = "`{0}` may have no value here, and holds an array that is written"
BEFORE = "Bind it before the loop or the branch too."
TEMPORARY = re.compile(r"\bt\d+\b")
UNBOUND = re.compile(r"`(\w+)` is not bound$")
RENAMED = re.compile(r"\b([^\W\d]\w*)_\d+\b")
# What is not said where arguments are of other kinds.
OTHERWISE = DIFFERENT, SPREAD, PERHAPS.why, NO_LIST


def refusal(facts: Facts, statement: gast.stmt, operation: Opaque) -> DerivativeError:
    """The error for a statement, or for the one that made an operand of which nothing is known."""
    statement, operation, of_kinds = _cause(facts, statement, operation)
    error = operation.error or UnsupportedSyntaxError
    assert issubclass(error, DerivativeError)
    reason, hint = (_spelled(facts, statement, t) for t in (operation.reason, operation.hint))
    place = _place(facts, statement, getattr(statement, "value", None))
    if unbound := UNBOUND.search(reason):
        named = (n for n in syntax.walk(statement) if getattr(n, "id", "") == unbound[1])
        place = _place(facts, statement, *named)
        hint = _bound(unbound[1], facts.normal.function)
    fault = error(reason, place, hint)
    fault.of_kinds = of_kinds or any(w in operation.reason for w in OTHERWISE)
    return fault


def _place(facts: Facts, statement: gast.stmt, *pointed: gast.AST | None) -> Place | None:
    """The first place that is known: of a part, of the statement, of the user's own one."""
    nodes = *pointed, statement, facts.normal.sources.get(statement)
    places = map(facts.normal.function.origin.place, filter(None, nodes))
    return next(filter(None, places), None)


def _bound(name: str, function: Function) -> str:
    """What to do about a name that is bound nowhere."""
    namespace = function.namespace
    there = *function.local, *namespace.cells, *namespace.globals, *vars(builtins)
    return slips.near(name, there, f"Bind `{name}` before the derivative is made, or pass it in.")


def _cause(facts: Facts, statement: gast.stmt, operation: Opaque) -> tuple[gast.stmt, Opaque, bool]:
    """Where an unknown operand came from, if more is known of that statement, and whether other kinds would do.

    In loops operands may come from each other: it is enough if other kinds would do for one of them.
    """
    seen, round_trip = {statement}, False
    waiting = [(statement, name) for name in operation.names]
    while waiting:
        for maker in _makers(facts, *waiting.pop(0)):
            if maker in seen:
                round_trip = True
                continue
            seen.add(maker)
            made = facts.operation(maker)
            if isinstance(made, Opaque):  # what its operands are is asked next
                statement, operation = maker, made
                waiting = [(maker, source) for source in made.names]
                break
            waiting += [(maker, source) for source in made.sources()] if made is not None else []
    of_kinds = operation.of_kinds
    if round_trip and not of_kinds:
        makers = [m for m in map(facts.operation, seen) if isinstance(m, Opaque)]
        of_kinds = any(maker.of_kinds for maker in makers)
    return statement, operation, of_kinds


def _makers(facts: Facts, reader: gast.stmt, name: str) -> list[gast.stmt]:
    """The statements that bound a name of which nothing is known where it is read; perhaps a list."""
    if not isinstance(facts.kind_before(reader, name), (Unknown, List)):
        return []
    version = facts.versions.reads.get(reader, {}).get(name)
    if version is not None and version.statement in facts.kinds.operations:
        return [version.statement]
    return [s for s in facts.kinds.operations if name in syntax.stores(s)]


def _spelled(facts: Facts, statement: gast.stmt, text: str) -> str:
    """A text with what the user wrote in place of temporaries."""
    known = facts.versions.reads.get(statement, {})
    own = set(re.findall(r"\w+", "\n".join(facts.normal.function.origin.lines)))

    def shown(match: re.Match[str]) -> str:
        version = known.get(match[0])
        made = version.statement if version is not None else None
        if match[0] in own:
            return match[0]
        if not isinstance(made, gast.Assign):
            return "…"
        return _spelled(facts, made, syntax.unparse(made.value))

    def named(match: re.Match[str]) -> str:
        renamed = match[0] not in own and match[1] in own  # the variable of a comprehension
        return match[1] if renamed else match[0]

    return RENAMED.sub(named, TEMPORARY.sub(shown, text)).replace("`…`", "this value")
