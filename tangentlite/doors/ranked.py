"""Which text a call goes to, where that depends on how many dimensions the arguments have.

In: a call of a derivative.
Out: ``ByRank``, the doors that look.
Next: derivative.
"""

from __future__ import annotations

import functools
import inspect
import itertools
from collections.abc import Callable, Mapping, Sequence
from types import FunctionType
from typing import Any

import gast

from tangentlite import arguments, emit, guards, ir, sharing
from tangentlite.analysis.kinds import FLOAT, Kind
from tangentlite.doors.fitting import fitting
from tangentlite.emit import Door, Unit
from tangentlite.emit.entrance import DEFAULT
from tangentlite.errors import DerivativeError, OverlapError
from tangentlite.observed import target
from tangentlite.pipeline import Linker, gives_floats
from tangentlite.values import replace

WORDS = {"adjoint", "tangent"}
NUMBERS = {float, int}
PRODUCTS = {"matmul_left", "matmul_right", "matmul_both", "dot_left", "dot_right"}
Kinds = tuple[Kind, ...]
Fastest = Callable[[Sequence[Unit], Any], Callable[..., Any]]
Make = Callable[[Unit, guards.Guards], Callable[..., Any]]


def has_loops(units: Sequence[Unit]) -> bool:
    """Whether there are loops in some text."""
    return any(unit.repeats for unit in units)


def has_extrema(units: Sequence[Unit]) -> bool:
    """Whether some text has the adjoint of a maximum along an axis, which may cancel where ranks are known."""
    contents = (part.contents for unit in units for part in unit.heads)
    return any(_is_along(call) for c in contents if "shares" in c.attributes for call in c.calls)


def has_products(units: Sequence[Unit]) -> bool:
    """Whether a result may be no number because it is made of products of factors of unknown ranks."""
    contents = (part.contents.attributes for unit in units for part in unit.heads)
    return any("seed" in found and not found.isdisjoint(PRODUCTS) for found in contents)


def _is_along(call: gast.Call) -> bool:
    """``rt.shares(x, m, -1)``: the maximum took an axis away that is not the first."""
    match call:
        case gast.Call(func=gast.Attribute(attr="shares"), args=[_, _, axis], keywords=[]):
            return not isinstance(axis, gast.Constant) or bool(axis.value)
    return False


def exactly(types: Mapping[str, type], kinds: Kinds) -> Kinds:
    """The kinds of arguments of which those of the type float are Python's."""
    return tuple(FLOAT if t is float else k for t, k in zip(types.values(), kinds))


class ByRank:
    """In loops, and where arrays are written, it pays to know what is a number and what an array of which rank."""

    primal: Any
    request: ir.Request
    _guards: guards.Guards
    _ranked: bool
    _refused: bool
    _units: list[Unit]
    _aside: list[Unit]  # units that say what the text for any arguments says
    _doors: dict[Any, Any]
    _variants: dict[Any, tuple[Unit, Callable[..., Any]]]
    _door: Callable[..., Any] | None
    _point: Callable[[Callable[..., Any]], None]
    _open: Callable[..., FunctionType]
    _checked: Callable[..., Any]
    _kinds: Callable[..., Any]
    _variant: Callable[..., tuple[Unit, Callable[..., Any]]]
    _write: Callable[..., tuple[Unit, Callable[..., Any]]]
    _fastest: Fastest
    _together: Callable[..., Any]
    _bound: Callable[..., dict[str, Any]]
    _own: Callable[..., inspect.Signature]
    _opened: Callable[..., FunctionType]

    def _first(
        self, make: Make, unit: Unit, watched: guards.Guards, /, *args: Any, **kwargs: Any
    ) -> Any:
        """The next call makes what calls go through."""
        return make(unit, watched)(*args, **kwargs)

    def _settled(self, unit: Unit, watched: guards.Guards) -> Callable[..., Any]:
        """The door of a text for any arguments; where there are loops or extrema, it pays to ask for ranks."""
        door: Callable[..., Any] = functools.partial(self._first, self._open, unit, watched)
        if self.request.motion == "joint" and not isinstance(self.primal, ByRank):
            if any(pays(self._units) for pays in (has_loops, has_extrema, has_products)):
                door = self._in_loops
        self._turn(unit, door)
        return door

    def _turn(self, unit: Unit, door: Callable[..., Any]) -> None:
        """Calls that went to the door of the unit go to this one."""
        if self._units and self._units[0] is unit:
            before, self._door = self._door, door
            if target(self) is before:
                self._point(door)

    def _by_rank(self, /, *args: Any, **kwargs: Any) -> Any:
        """A call of a function that writes into arrays: how many dimensions they have decides what is a number."""
        if self._guards.outdated():
            return self._checked(*args, **kwargs)
        key = arguments.quickly(args)
        if object in key or (kwargs and kwargs.keys() - WORDS):
            return self._other(*args, **kwargs)
        door = self._doors.get(key)
        if door is None:
            door = self._of_numbers(args) or self._variant(self._kinds(args, kwargs))[1]
            self._doors[key] = door
        return self._through(door, args, kwargs)

    def _of_numbers(self, args: tuple[Any, ...]) -> Callable[..., Any] | None:
        """The door of the text for Python's numbers, which looks itself whether it was given such."""
        if self.request.mode != "reverse" or self.request.motion != "joint":
            return None
        types = {name: type(value) for name, value in self._bound(args, {}).items()}
        linker = Linker(sharing.known(self.primal))
        if isinstance(self.primal, ByRank) or not NUMBERS.issuperset(types.values()):
            return None
        if linker.read(self.primal).contents.loops or has_loops(self._units):
            return None
        made: list[FunctionType] = []

        def opened(units: Sequence[Unit], primal: Any) -> Callable[..., Any]:
            calls = self._by_rank, self._guards.watch(), self._checked, types
            door = Door.of(units[0], self.request, self._own().parameters, *calls)
            made.append(emit.entrance(units[0], door))
            return made[0]

        _, door = self._write(self._narrowed(types, self._kinds(args, {}), linker), (), opened)
        if made:
            self._point(door)
        return door

    def _narrowed(self, types: Mapping[str, type], kinds: Kinds, linker: Linker) -> Kinds:
        """The kinds of Python's floats, if they give nothing but these."""
        exact = exactly(types, kinds)
        request = replace(self.request, kinds=exact)
        plain = not self._refused and gives_floats(self.primal, request, linker)
        return exact if plain else kinds

    def _through(
        self, door: Callable[..., Any], args: tuple[Any, ...], kwargs: dict[str, Any]
    ) -> Any:
        """A call of a text, written anew where arguments turn out to overlap."""
        try:
            return door(*args, **kwargs)
        except OverlapError as fault:
            together = self._together(fault, args, kwargs)
        return self._variant(self._kinds(args, kwargs), together)[1](*args, **kwargs)

    def _in_loops(self, /, *args: Any, **kwargs: Any) -> Any:
        """A call of a function with loops: text for known ranks need not ask for shapes there."""
        if self._guards.outdated():
            return self._checked(*args, **kwargs)
        if not kwargs:
            types = tuple(map(type, args))
            door = self._doors.get(types)  # the key of numbers of Python
            if door is not None:
                self._again(types, args, door)
                return door(*args)
            if types in self._doors.get("sent", ()):
                return self._other(*args)
        key = arguments.quickly(args)
        if object in key or (kwargs and kwargs.keys() - WORDS):
            if not kwargs and (door := self._mixed(args)) is not None:
                return door(*args)
            key = ()
        door = self._doors.get(key)
        if door is None:
            shown = list(self._units)
            door = self._doors[key] = (self._of_ranks(args) if key else None) or self._of_any()
            if has_loops(shown):
                self._aside += [unit for unit in self._units if unit not in shown]
        elif key and not kwargs:
            self._again(key, args, door)
        return door(*args, **kwargs)

    def _mixed(self, args: tuple[Any, ...]) -> Callable[..., Any] | None:
        """The door of numbers beside lists and the like, which the text for any arguments may take as well."""
        likeness = arguments.likeness(args)
        if likeness is None:
            return None
        key = "mixed", likeness
        if key not in self._doors:
            self._doors[key] = self._of_ranks(args)
        elif self._doors[key] is not None:
            self._fit(likeness, args, self._doors[key])
        door: Callable[..., Any] | None = self._doors[key]
        return door

    def _by_kinds(self, /, *args: Any, **kwargs: Any) -> Any:
        """A call of a function that is written for arguments of known kinds only."""
        if self._guards.outdated():
            return self._checked(*args, **kwargs)
        return self._other(*args, **kwargs)

    def _other(self, /, *args: Any, **kwargs: Any) -> Any:
        """A call with arguments that are not all numbers and arrays."""
        own = self._doors.get("own")
        if own is None:
            own = self._doors["own"] = frozenset(self._own().parameters)
        plain = self.request.motion == "joint" and own.isdisjoint(kwargs)
        likeness = arguments.likeness(args) if plain else None
        if likeness is None:
            return self._through(self._variant(self._kinds(args, kwargs))[1], args, kwargs)
        last, door = self._doors.get("last", (None, None))
        if last != likeness:  # to compare takes less time than to look up
            door = self._alike(likeness, args)
            self._doors["last"] = likeness, door
        elif all(value is DEFAULT for value in kwargs.values()):
            self._fit(likeness, args, door)
        return self._through(door, args, kwargs)

    def _fit(
        self, likeness: tuple[Any, ...], args: tuple[Any, ...], door: Callable[..., Any]
    ) -> None:
        """Further calls with arguments like these need but one look."""
        key = "fitting", likeness
        watched, called = self._doors.get(key, (None, None))
        if watched is not self._guards:
            watched = self._guards
            called = fitting(args, door, watched.watch(), self._checked)
            self._doors[key] = watched, called
        if called is not None:
            self._point(called)

    def _again(self, key: tuple[Any, ...], args: tuple[Any, ...], door: Callable[..., Any]) -> None:
        """The same where numbers and arrays of the same ranks were given twice, one after the other."""
        if self._doors.get("again") == key:
            self._fit(key, args, door)
        self._doors["again"] = key

    def _alike(self, likeness: tuple[Any, ...], args: tuple[Any, ...]) -> Callable[..., Any]:
        """The door of arguments like these."""
        key = "door", likeness
        door: Callable[..., Any] | None = self._doors.get(key)
        if door is None:
            found = None if self._ranked else self._of_ranks(args)
            door = self._doors[key] = found or self._variant(self._kinds(args, {}))[1]
            self._doors.setdefault("sent", set()).add(tuple(map(type, args)))
        return door

    def _of_ranks(self, args: tuple[Any, ...]) -> Callable[..., Any] | None:
        """The door of the text for arguments of these ranks, if there is one."""
        try:
            return self._variant(arguments.kinds(self._bound(args, {}), self.request.wrt))[1]
        except DerivativeError:
            return None

    def _of_any(self) -> FunctionType:
        return self._opened(self._units[0], self.primal, self._guards.watch())

    def _shown(self) -> list[Unit]:
        """The texts to read, those that were called first; only these where calls go by what the arguments are."""
        aside, called = set(map(id, self._aside)), {id(unit) for unit, _ in self._variants.values()}
        units = [u for u in self._units if id(u) not in aside]
        if self.request.motion == "split":
            return units
        if not self._ranked and not has_extrema(units):
            return sorted(units, key=lambda u: id(u) not in called)
        return list(itertools.dropwhile(lambda u: id(u) not in called, units)) or units
