"""Walked: a loop that takes from a tape what an earlier one put there, trip by trip, walks along it backwards.

In: the statements of a function in plain numbers.
Out: the same without counters of trips that nobody needs then.
Next: emit.

A tape of arrays is emptied on the way, so that their memory is free again; one of numbers need not be.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import gast

from tangentlite import syntax
from tangentlite.optimize.replace import remade

Body = list[gast.stmt]
LEAVING = (gast.Break, gast.Continue, gast.Return, gast.Raise, gast.Try, gast.With)


def walked(body: Body, is_numbers: Callable[[str], bool]) -> Body:
    """Walk along tapes of which ``is_numbers`` says that they hold numbers.

    >>> text = '''
    ... tape = []
    ... trips = 0
    ... while x > 1.0:
    ...     tape.append(x)
    ...     x = x / 2.0 + 1.0 / x
    ...     trips = trips + 1
    ... for turn in range(trips):
    ...     x = tape.pop()
    ...     bx = bx * (0.5 - 1.0 / x)
    ... '''
    >>> print("\\n".join(map(syntax.unparse, walked(syntax.parse(text), lambda name: True))))
    tape = []
    while x > 1.0:
        tape.append(x)
        x = x / 2.0 + 1.0 / x
    for x in reversed(tape):
        bx = bx * (0.5 - 1.0 / x)
    """
    loops = [(k, taken) for k, s in enumerate(body) if (taken := _taken(s)) is not None]
    loops = [(k, (target, tape)) for k, (target, tape) in loops if is_numbers(tape)]
    if not loops:
        return body
    places, made, counters = _Places(body), list(body), set[str]()
    for place, (target, tape) in loops:
        loop: Any = body[place]
        if _is_source(places, place, tape) and not places.reads(loop.target.id, place):
            made[place] = _along(loop, target, tape)
            counted = loop.iter.args[0]
            if isinstance(counted, gast.Name) and places.loaded[counted.id] == 2:
                counters.add(counted.id)
    return _uncounted(made, counters) if counters else made


class _Places:
    """Which statements of a function name, bind and read what."""

    def __init__(self, body: Body) -> None:
        self.body = body
        self.named: dict[str, list[int]] = {}
        self.stored: dict[str, list[int]] = {}
        self.last: dict[str, int] = {}  # where a name is read last
        self.loaded = syntax.times_loaded(body)
        for place, statement in enumerate(body):
            for node in syntax.names([statement]):
                self.named.setdefault(node.id, []).append(place)
            for name in syntax.stores(statement):
                self.stored.setdefault(name, []).append(place)
            for name in syntax.loads(statement):
                self.last[name] = place

    def reads(self, name: str, place: int) -> bool:
        """Whether a name is read behind a statement."""
        return self.last.get(name, -1) > place


def _taken(loop: Any) -> tuple[gast.expr, str] | None:
    """What a loop takes from a tape first, in each trip, and nothing else; its counter is not read."""
    if not isinstance(loop, gast.For) or loop.orelse or not isinstance(loop.target, gast.Name):
        return None
    first = next((s for s in loop.body if not isinstance(s, syntax.Comment)), None)
    match first:
        case gast.Assign(
            targets=[target],
            value=gast.Call(
                func=gast.Attribute(value=gast.Name(id=tape), attr="pop"), args=[], keywords=[]
            ),
        ) if loop.target.id not in syntax.loads(loop.body):
            return target, str(tape)
    return None


def _is_source(places: _Places, place: int, tape: str) -> bool:
    """Whether one loop puts something on a tape once in each of its trips, and a later one has as many."""
    named, body = places.named[tape], places.body
    if len(named) != 3 or named[2] != place or len({*named}) != 3:
        return False
    begun, source, loop = body[named[0]], body[named[1]], body[place]
    if not isinstance(source, gast.For | gast.While) or source.orelse:
        return False
    if not _says(begun, f"{tape} = []") or _leaves(source) or _leaves(loop):
        return False
    return any(_puts(s, tape) for s in source.body) and _as_many(places, named[1], place)


def _leaves(loop: gast.stmt) -> bool:
    return any(isinstance(node, LEAVING) for node in syntax.walk(loop))


def _puts(statement: Any, tape: str) -> bool:
    match statement:
        case gast.Expr(
            value=gast.Call(func=gast.Attribute(value=gast.Name(id=name), attr="append"))
        ):
            return bool(name == tape)
    return False


def _as_many(places: _Places, source: int, place: int) -> bool:
    """Whether a loop has as many trips as an earlier one."""
    first, loop = places.body[source], places.body[place]
    match loop.iter:
        case gast.Call(func=gast.Name(id="range"), args=[gast.Name(id=count)]):
            return _counts(places, source, count)
        case gast.Call(func=gast.Name(id="reversed"), args=[inner]) if isinstance(first, gast.For):
            if not syntax.same(inner, first.iter):
                return False
            names = syntax.loads(inner) - {"range", "len"}
            return not any(source <= k < place for n in names for k in places.stored.get(n, ()))
    return False


def _counts(places: _Places, source: int, count: str) -> bool:
    """Whether a name counts the trips of a loop: from zero, by one in each."""
    loop = places.body[source]
    stored = places.stored.get(count, [])
    own = [s for s in loop.body if _says(s, f"{count} = {count} + 1")]
    once = len(own) == 1 == syntax.times_stored([loop])[count]
    begun = len(stored) == 2 and stored[1] == source
    return once and begun and _says(places.body[stored[0]], f"{count} = 0")


def _along(loop: Any, target: gast.expr, tape: str) -> gast.stmt:
    """A loop along a tape."""
    iterable = syntax.expression("reversed(tape)", tape=syntax.name(tape))
    taken = next(s for s in loop.body if not isinstance(s, syntax.Comment))
    inner = [s for s in loop.body if s is not taken]
    return remade(loop, {"target": target, "iter": iterable, "body": inner or [gast.Pass()]})


def _uncounted(made: Body, counters: set[str]) -> Body:
    """The statements without counters that are only counted on."""
    begun = {f"{count} = 0" for count in counters}
    steps = {f"{count} = {count} + 1" for count in counters}
    return [_without(s, steps) for s in made if not _says(s, *begun)]


def _says(statement: Any, *texts: str) -> bool:
    simple = isinstance(statement, gast.Assign) and isinstance(statement.targets[0], gast.Name)
    return simple and syntax.unparse(statement) in texts


def _without(statement: Any, steps: set[str]) -> gast.stmt:
    if isinstance(statement, gast.While | gast.For):
        rest = [s for s in statement.body if not _says(s, *steps)]
        if rest and len(rest) < len(statement.body):
            return remade(statement, {"body": rest})
    return statement
