"""Generators as machines: the statements from each place where one rests to the next.

In: the statements of a generator.
Out: ``Machine``: what to do at each place, for a variable that tells the place.
Next: suspended.
"""

from __future__ import annotations

import itertools
from collections.abc import Callable
from functools import partial
from typing import Any

import gast

from tangentlite import syntax
from tangentlite.lowering.context import Context, remade
from tangentlite.lowering.flow import guarded
from tangentlite.lowering.iteration.frames import (
    Delegated,
    Frame,
    Given,
    Guarded,
    Place,
    Round,
    TangledError,
    Trip,
    matters,
    outwards,
)
from tangentlite.values import field, mutable

Body = list[Any]
MOST = 150  # statements for one step
ENDED = -1


@mutable
class Step:
    """What one ``next`` or ``send`` asks for: ``bind`` hands over a value, ``end`` is done where there is none.

    ``sent``: what ``yield`` gives.
    """

    bind: Callable[[Any], Body]
    end: Callable[[Any], Body]
    sent: Any
    place: Any
    size: int = 0
    inside: tuple[int, ...] = ()


@mutable
class Machine:
    """One generator; ``at`` is the name that tells the place: 0 is its beginning, ENDED behind its end.

    ``places``: where it rests, and its loops, of which the ``knots`` go round without a value.
    """

    body: Body
    at: str
    context: Context
    places: list[Place | Trip] = field(default_factory=list)
    known: dict[int, int] = field(default_factory=dict)
    knots: set[int] = field(default_factory=set)
    step: Step = field(init=False)

    def follow(self, place: Any) -> set[str]:
        """Find all places, and the names that one binds and another reads; TangledError if they cannot be told."""
        self.places.append(Place(None, Frame(None, tuple(self.body))))
        step = Step(lambda _: [], lambda _: [], self.none(place), place)
        found, parts = (0, -1), list[Body]()
        while found != (len(self.places), len(self.knots)):
            found = len(self.places), len(self.knots)
            parts = [code for _, code in self.states(step)]
        shared: set[str] = set()
        for code in parts:
            others = {
                n for other in parts if other is not code for s in other for n in syntax.stores(s)
            }
            shared |= others & {n for s in code for n in syntax.loads(s)}
        return shared - {self.at}

    def states(self, step: Step) -> list[tuple[int, Body]]:
        """By place, the statements up to the next."""
        self.step, found = step, []
        for number, place in enumerate(self.places):
            if isinstance(place, Place) or number in self.knots:
                step.size, step.inside = 0, (number,)
                found.append((number, self.resumed(place)))
        return found

    def resumed(self, place: Place | Trip) -> Body:
        """What is done from a place on."""
        if isinstance(place, Trip):
            return self.round(place)
        start: Body = []
        if place.target is not None:
            start = self.bound(place.target, self.step.sent)
        return [*start, *self.behind(place.frame)]

    def closing(self) -> list[tuple[int, Body]]:
        """By place, what is done when the generator is closed there."""
        found = []
        for number, place in enumerate(self.places[1:], 1):
            if isinstance(place, Place) and (final := self.finals(place.frame, None)):
                found.append((number, final))
        return found

    def block(self, rest: tuple[Any, ...], frame: Frame | None) -> Body:
        """The statements of a block, and what is behind it."""
        for place, statement in enumerate(rest):
            if matters(statement):
                inner = Frame(frame, rest[place + 1 :])
                before, shown = guarded.held(statement, frame, self)
                plain = [*map(syntax.copy, rest[:place]), *before]
                return self.after(plain, frame, partial(self.turn, statement, shown, inner))
        return self.after(list(map(syntax.copy, rest)), frame, lambda: self.behind(frame))

    def after(self, plain: Body, frame: Frame | None, then: Callable[[], Body]) -> Body:
        """Statements that stay as they are, and what follows them."""
        self.step.size += len(plain) + 1
        if self.step.size > MOST:
            raise TangledError
        return guarded.watched(plain, frame, then, self)

    def turn(self, statement: Any, shown: Any, inner: Frame) -> Body:
        """A statement that yields, or leaves, and what follows; ``shown``: the same without what may fail."""
        match shown:
            case gast.Expr(value=gast.Yield(value=value)):
                return self.handed(statement, value, None, inner)
            case gast.Assign(targets=[target], value=gast.Yield(value=value)):
                return self.handed(statement, value, target, inner)
            case Delegated(body=body, target=target):
                return self.block(tuple(body), Given(inner, (), target))
            case gast.Return(value=value):
                return self.returned(value, inner)
            case gast.Break():
                return self.left(inner, True)
            case gast.Continue():
                return self.left(inner, False)
            case gast.If(test=test, body=body, orelse=other):
                then, other = (self.block(tuple(b), inner) for b in (body, other))
                return [remade(shown, test=test, body=then or self.quote("pass"), orelse=other)]
            case gast.For() | gast.While():
                start = self.begun(statement, inner)
                head = self.known[id(statement)]
                return guarded.watched(start, inner, lambda: self.trip(head), self)
            case gast.Try(body=body):
                return self.block(tuple(body), guarded.entered(shown, inner))
        raise TangledError

    # What follows -----------------------------------------------------------------------------

    def behind(self, frame: Frame | None) -> Body:
        """What comes behind a block."""
        match frame:
            case None:
                return self.ended(self.none())
            case Round(head=head):
                return self.trip(head)
            case Given(target=target) if target is not None:
                return [*self.bound(target, self.none()), *self.behind(frame.outer)]
            case Guarded(final=final, rest=rest, outer=outer):
                return self.block((*rest, *final), outer)
        return self.block(frame.rest, frame.outer)

    def handed(self, key: Any, value: Any, target: Any, inner: Frame) -> Body:
        """``yield``: the value, and where the generator rests."""
        number = self.number(key, lambda: Place(target, inner))
        shown = self.none() if value is None else syntax.copy(value)
        return [*self.step.bind(shown), *self.rests(number), *self.halted()]

    def ended(self, value: Any) -> Body:
        """The generator ends, with a value."""
        return [*self.rests(ENDED), *(self.halted() or self.step.end(value))]

    def returned(self, value: Any, inner: Frame) -> Body:
        """``return``, out of this generator; one that hands on its values goes on."""
        value = self.none() if value is None else syntax.copy(value)
        given = next((f for f in outwards(inner) if isinstance(f, Given)), None)
        final = self.finals(inner, given)
        before: Body = []
        if final and not syntax.is_atom(value):
            before, value = self.context.named(value)
        if given is None:
            return [*before, *final, *self.ended(value)]
        bound = [] if given.target is None else self.bound(given.target, value)
        return [*before, *final, *bound, *self.behind(given.outer)]

    def left(self, inner: Frame, ends: bool) -> Body:
        """``break`` or ``continue``."""
        loop = next(f for f in outwards(inner) if isinstance(f, Round))
        trip = self.places[loop.head]
        assert isinstance(trip, Trip)
        after = self.behind(trip.frame.outer) if ends else self.trip(loop.head)
        return [*self.finals(inner, loop), *after]

    def finals(self, inner: Frame, outer: Frame | None) -> Body:
        """What is done on the way out."""
        found: Body = []
        for frame in outwards(inner):
            if frame is outer:
                break
            found += map(syntax.copy, getattr(frame, "final", ()))
        return found

    # Loops ------------------------------------------------------------------------------------

    def begun(self, loop: Any, inner: Frame) -> Body:
        """What a loop begins with."""
        if id(loop) not in self.known:
            start, test, ahead = header(loop, self.context)
            frame = Frame(inner, tuple(loop.orelse))
            self.known[id(loop)] = len(self.places)
            self.places.append(Trip(test, tuple(ahead), tuple(loop.body), frame))
            loop.__dict__["begins"] = start
        return list(map(syntax.copy, loop.begins))

    def trip(self, head: int) -> Body:
        """A trip of a loop, or the way to where it stands."""
        if head in self.step.inside:
            self.knots.add(head)
        if head in self.knots:
            return self.rests(head)
        known, self.step.inside = self.step.inside, (*self.step.inside, head)
        loop = self.places[head]
        assert isinstance(loop, Trip)
        made = self.round(loop)
        self.step.inside = known
        return made

    def round(self, loop: Trip) -> Body:
        """The test and the body of a loop, or what is behind it."""
        head = self.places.index(loop)
        body = self.block((*loop.ahead, *loop.body), Round(loop.frame.outer, (), head))
        if loop.test is None:
            return body
        other = self.behind(loop.frame)
        test = syntax.copy(loop.test)
        return self.quote("if c:\n    body\nelse:\n    other", c=test, body=body, other=other)

    # Text -------------------------------------------------------------------------------------

    def number(self, key: Any, make: Callable[[], Place]) -> int:
        """The number of a place."""
        if id(key) not in self.known:
            self.known[id(key)] = len(self.places)
            self.places.append(make())
        return self.known[id(key)]

    def rests(self, number: int) -> Body:
        """The variable that tells the place."""
        return self.quote("at = k", at=self.at, k=self.constant(number))

    def none(self, place: Any = None) -> Any:
        """None, at a place."""
        return syntax.at(syntax.constant(None), place or self.step.place)

    def constant(self, value: int) -> Any:
        """A number at the place of the step."""
        return syntax.at(syntax.constant(value), self.step.place)

    def halted(self) -> Body:
        """Out of the loop that goes from place to place."""
        return self.quote("break") if self.knots else []

    def bound(self, target: Any, value: Any) -> Body:
        """``target = value``."""
        return self.quote("v = e", v=syntax.copy(target), e=syntax.copy(value))

    def quote(self, text: str, **holes: Any) -> Body:
        """Statements at the place of the step."""
        made: Body = self.context.quote(text, self.step.place, **holes)
        return made


def header(loop: Any, context: Context) -> tuple[Body, Any, Body]:
    """What a loop begins with, its test (None: for ever), and what binds its variable."""
    if isinstance(loop, gast.While):
        always = isinstance(loop.test, gast.Constant) and loop.test.value
        return [], None if always else loop.test, []
    at = context.local("place")
    start = context.quote("k = 0", loop, k=at)
    holes: dict[str, Any] = {"k": at, "v": loop.target}
    call = loop.iter
    if isinstance(call, gast.Call) and context.meaning(call.func) is itertools.count:
        if len(call.args) < 2 and not call.keywords:
            first = call.args[0] if call.args else syntax.at(syntax.constant(0), loop)
            name = context.local("first")
            start += context.quote("a = e", loop, a=name, e=first)
            return start, None, context.quote("v = a + k\nk = k + 1", loop, a=name, **holes)
    items, count = context.local("items"), context.builtin("len", loop)
    holes |= {
        "xs": items,
        "rt": context.rt(),
        "count": count,
        "make": context.builtin("list", loop),
    }
    text = (
        "xs = make(e)" if isinstance(call, gast.Call | gast.GeneratorExp) else "xs = rt.sequence(e)"
    )
    start += context.quote(text, loop, e=call, **holes)
    test = context.quote("k < count(xs)", loop, **holes)[0].value
    return start, test, context.quote("v = xs[k]\nk = k + 1", loop, **holes)
