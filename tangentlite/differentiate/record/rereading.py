"""Numbers that are read from text or files which were written with numbers that depend on an input: an error, no zero.

In: facts.
Out: nothing, or the error.
Next: session.
"""

from __future__ import annotations

import os
from typing import Any

import gast
import numpy as np

from tangentlite import syntax
from tangentlite.analysis import Facts
from tangentlite.analysis.calling.texts import PATH, reads, written
from tangentlite.analysis.kinds import Inert, Kind
from tangentlite.errors import UnsupportedSyntaxError
from tangentlite.ir import Function

LOST = "text carries no derivative, and here a number is read from text that was made from numbers"
FILES = Inert("file", written=True), PATH
BESIDE = "Use the number itself: keep it beside its text."
STORED = "a file carries no derivative, and here numbers are read after such that depend on an input were saved"
ALOFT = "Use the array itself: keep it beside the file."
SAVING = frozenset({np.save, np.savetxt, np.savez, np.savez_compressed})
LOADING: frozenset[Any] = frozenset({np.load, np.loadtxt, np.genfromtxt, np.fromfile, np.memmap})
NAMES = frozenset(f.__name__ for f in LOADING)


def check(facts: Facts) -> None:
    """Refuse what reads a number from a text that depends on an input, if the output depends on the number."""
    operations = facts.kinds.operations
    found = [s for s, o in operations.items() if reads(o) and _matters(s, facts)]
    telling = _telling(facts) if found else set()
    for statement in found:
        if syntax.loads(statement) & telling:
            place = facts.normal.function.origin.place(statement)
            raise UnsupportedSyntaxError(LOST, place, BESIDE)
    _check_files(facts)


def _check_files(facts: Facts) -> None:
    """Refuse what loads a file where numbers that depend on an input are saved, if the output depends on it."""
    contents = facts.normal.function.contents
    if NAMES.isdisjoint(contents.attributes | contents.loads):
        return
    called = {s: _callee(s, facts) for s in facts.kinds.operations if s in facts.graph.first}
    saving = [s for s, callee in called.items() if callee in SAVING]
    if not any(facts.activity.varied(syntax.loads(s), facts.graph.first[s]) for s in saving):
        return
    for statement, callee in called.items():
        if callee in LOADING and _matters(statement, facts):
            raise UnsupportedSyntaxError(
                STORED, facts.normal.function.origin.place(statement), ALOFT
            )


def _callee(statement: gast.stmt, facts: Facts) -> Any:
    """The function of NumPy's that a statement calls to save or to load."""
    function = facts.normal.function
    call = getattr(statement, "value", None)
    path = syntax.dotted(call.func) if isinstance(call, gast.Call) else None
    if path is None or path.partition(".")[0] in function.local:
        return None
    try:
        found = function.namespace.resolve(path)
    except (KeyError, AttributeError):
        return None
    return next((f for f in SAVING | LOADING if f is found), None)


def _matters(statement: gast.stmt, facts: Facts) -> bool:
    """Whether the output depends on what a statement binds."""
    point, activity = facts.graph.last.get(statement), facts.activity
    if point is None:
        return False
    if not isinstance(statement, gast.Assign):
        return True
    useful = activity.useful_after[point]
    bits = [activity.index.get(name) for name in syntax.stores(statement)]
    return any(bit is not None and useful >> bit & 1 for bit in bits)


def _telling(facts: Facts) -> set[str]:
    """The names of texts, or of what holds some, that were made from what depends on an input."""
    flows = [_Flow(s, facts) for s in facts.kinds.operations if s in facts.graph.first]
    found = set().union(*(flow.begins for flow in flows))
    files = set().union(*(flow.files for flow in flows))
    while True:
        more = {name for flow in flows for name in flow.reached(found)}
        more |= files if more & files else set()
        if more <= found:
            return found
        found |= more


class _Flow:
    """What a statement does with texts: those that it reads and binds, and what may hold them."""

    def __init__(self, statement: gast.stmt, facts: Facts) -> None:
        first, last = facts.graph.first[statement], facts.graph.last[statement]
        before, after = dict(facts.kinds.before[first]), facts.kinds.after[last]
        loads = syntax.loads(statement)
        before |= _global_paths(loads - before.keys(), facts.normal.function)
        self.held = {n for n in loads if written(before.get(n))}
        self.bound = {n for n in syntax.stores(statement) if written(after.get(n))}
        self.files = {n for n in self.held if before[n] in FILES}
        keep = {n for n in self.held if _keeps(before[n])}
        aliases = any(_keeps(after[n]) for n in self.bound)
        self.changed = keep if aliases or not self.bound else set[str]()
        varied = facts.activity.varied(loads, first)
        self.begins = self.bound | self.changed if varied else set[str]()

    def reached(self, found: set[str]) -> set[str]:
        """The names that tell of inputs after the statement."""
        return self.bound | self.changed if (self.held | self.bound) & found else set()


def _global_paths(names: set[str], function: Function) -> dict[str, Kind]:
    """The kinds of those names of the module that are paths."""
    free = {n for n in names - function.local if function.namespace.binds(n)}
    return {n: PATH for n in free if isinstance(function.namespace.lookup(n), os.PathLike)}


def _keeps(kind: Kind) -> bool:
    """Whether something may be written into a value."""
    return not isinstance(kind, Inert) or kind.type in ("file", "text", "path")
