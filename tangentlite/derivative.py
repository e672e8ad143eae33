"""The object that ``tl.grad`` returns: a function, with its source.

In: a function and a request.
Out: ``Derivative``.
Next: api.
"""

from __future__ import annotations

import functools
import inspect
from collections.abc import Callable, Sequence
from types import FunctionType
from typing import Any
from weakref import ref

from tangentlite import (
    analysis,
    arguments,
    emit,
    frontend,
    guards,
    ir,
    pipeline,
    readiness,
    readings,
    sharing,
)
from tangentlite.analysis.kinds import Kind, Num
from tangentlite.conditions import alone, undisturbed
from tangentlite.doors import sliced, tabled
from tangentlite.doors.ranked import WORDS, ByRank, Fastest
from tangentlite.emit import Door, Unit
from tangentlite.errors import AliasError, DerivativeError, OverlapError
from tangentlite.looks import Shown
from tangentlite.observed import Observed
from tangentlite.values import replace

Kinds = tuple[Kind, ...]
Names = tuple[str, ...]
KNOWN = 256


class Derivative(Shown, ByRank, Observed, functools.partial):  # type: ignore[type-arg]
    """A derivative: call it, read its ``.source``, differentiate it again.

    ``function`` is generated, ``primal`` the user's, ``request`` what was asked for; a ``partial`` is cheap to call.
    """

    primal: Any
    request: ir.Request
    _variants: dict[tuple[Kinds, Names], tuple[Unit, Callable[..., Any]]]
    _absent: bool = False
    _refused: bool = False  # whether there is no text for just any arguments
    _usual: Kinds | None = None
    _units: list[Unit]
    _guards: guards.Guards
    _watched: tuple[Any, int, int] | None  # what they were made for
    _door: Callable[..., Any] | None
    _ranked: bool
    _doors: dict[tuple[Any, ...], Any]  # and kinds, by what tells them apart
    packed: Callable[..., tuple[Any, ...]]  # what ``pickle`` is told, by ``traveled``

    @undisturbed
    def __new__(cls, primal: Callable[..., Any], request: ir.Request | None = None) -> Derivative:
        if request is None:  # a profiler puts together again what it took apart
            return functools.partial(primal)  # type: ignore[return-value]
        self = functools.partial.__new__(cls, _unready)
        self.primal, self.request = primal, request
        self._variants, self._units, self._aside, self._door = {}, [], [], None
        self._ranked = isinstance(primal, Derivative) and primal._ranked
        self._doors, self._guards, self._watched = {}, guards.Guards([]), None
        self.__name__ = getattr(primal, "__name__", "derivative")
        self._point(self._checked)
        if not readiness.unbound(primal):
            self._compile_early()
        return self

    # Compiling ------------------------------------------------------------------------------

    def _point(self, towards: Callable[..., Any]) -> None:
        """Let calls of this object go there."""
        functools.partial.__setstate__(self, (towards, (), {}, self.__dict__))  # type: ignore[attr-defined]

    @alone
    def _compile_early(self) -> None:
        """What is wrong whatever the arguments are is said at once; the rest when the arguments are known."""
        try:
            self._compile()
        except DerivativeError as fault:
            if not (fault.of_kinds or self._ranked):
                raise

    def _compile(self) -> None:
        readiness.refuse_itself(self.primal, self)
        readiness.refuse_renamed(self.primal, self.request.wrt)
        if hasattr(self.primal, "__renew__"):
            self.primal.__renew__()
        self._absent, self._usual, self._refused = False, None, False
        try:
            known = sharing.known(general(self.primal))
            unit, linker, request = pipeline.general(known, self.request)
        except DerivativeError as fault:
            self._ranked, self._refused = self._ranked or fault.of_kinds, fault.of_kinds
            self._variants, self._doors, self._units, self._door = {}, {}, [], None
            self._watch(pipeline.Linker())
            self._point(self._checked)
            raise
        self._absent, self._units, self._aside = request.absent, [unit, *linker.units], []
        self._watch(linker)
        self._variants, self._doors = {}, {}
        self._adopt(unit)
        self._ranked = self._ranked or linker.known.in_place
        settle = functools.partial(self._first, self._settled, unit, self._guards)
        self._door = self._by_rank if self._ranked else settle
        inside = self._ranked or self.request.motion == "joint"  # whether the door looks itself
        self._point(self._door if inside or not self._guards else self._checked)

    def _watch(self, linker: pipeline.Linker, known: Sequence[guards.Guard] = ()) -> None:
        """Guard what was read; what is ``known`` is enough, if no other helper was."""
        read = linker.known
        watched = ref(read), len(read.helpers), len(read.methods)
        if known and watched == self._watched:
            return
        self._watched = watched
        inner = self.primal._guards.guards if isinstance(self.primal, Derivative) else []
        whole = _innermost(self.primal)
        found = readings.made(whole, read.helpers, read.sources, read.methods)
        self._guards = guards.Guards([*known, *inner, *found])
        sharing.keep(linker.known, self._guards)

    def _adopt(self, unit: Unit) -> None:
        title = unit.title
        self.__name__ = self.__qualname__ = title.name
        self.__doc__, self.__module__ = title.doc, title.module

    def _opened(
        self,
        unit: Unit,
        primal: Any,
        outdated: guards.Watch | None = None,
        asks: bool = True,
    ) -> FunctionType:
        """The unit's function as the object calls it, with ``adjoint=``, ``tangent=`` and other kinds."""
        if self.request.motion == "split":
            return unit.functions[0]
        calls: tuple[Any, ...] = self._other, outdated, self._checked, {}, asks
        return emit.entrance(unit, Door.of(unit, self.request, _parameters(primal), *calls))

    def _fastest(self, units: Sequence[Unit], primal: Any) -> Callable[..., Any]:
        """The door of the first of some units, which is for arguments of known kinds; the others are its helpers."""
        opened = functools.partial(self._opened, asks=False)
        return tabled.fastest(units, primal, opened, sliced.written)

    @undisturbed
    def _open(self, unit: Unit, watched: guards.Guards) -> FunctionType:
        door = self._opened(unit, self.primal, watched.watch())
        self._turn(unit, door)
        return door

    @alone
    def _ready(self) -> None:
        if not self._units or self._guards.outdated():
            self._compile()

    # Looking --------------------------------------------------------------------------------

    @property
    def functions(self) -> tuple[FunctionType, ...]:
        """All functions of the text: forward and backward in split motion."""
        self._ready()
        return self._units[0].functions

    @property
    def function(self) -> FunctionType:
        """The generated function (of split motion: the forward one)."""
        return self.functions[0]

    @property
    def source(self) -> str:
        """The generated text, with the pairs of its helpers."""
        self._ready()
        first, *others = self._shown()
        return emit.sources(first, others)

    @property
    def __signature__(self) -> inspect.Signature:
        try:
            return inspect.signature(self.function)
        except DerivativeError:
            return inspect.signature(self.primal)

    def __repr__(self) -> str:
        primal = getattr(self.primal, "__qualname__", self.primal)
        return f"<derivative {self.__name__} of {primal}>"

    # Calling --------------------------------------------------------------------------------

    def _checked(self, /, *args: Any, **kwargs: Any) -> Any:
        """A call that must look first whether the text is still the derivative of the function."""
        door = None
        try:
            if self._units or not self._refused:
                self._ready()
                door = self._door
        except DerivativeError:
            if not self._ranked:
                raise
        if door is None:  # written for other kinds only, so far
            self._point(self._by_kinds if self._units else self._checked)
            return self._other(*args, **kwargs)
        return door(*args, **kwargs)

    def _together(
        self, fault: OverlapError, args: tuple[Any, ...], kwargs: dict[str, Any]
    ) -> Names:
        """The arguments that share memory, and not with one that is differentiated: their copies keep the overlap."""
        bound = self._bound(args, kwargs)
        groups = arguments.overlapping(bound)
        free = set().union(*(g for g in groups if g.isdisjoint(self.request.wrt)))
        if not free:
            shown = " and ".join(f"`{n}`" for n in bound if groups and n in groups[0])
            reason = (
                f"{shown or 'arguments'} share memory, and the function writes into one of them"
            )
            raise AliasError(reason, None, fault.hint) from None
        return tuple(n for n in bound if n in free)

    def _kinds(self, args: tuple[Any, ...], kwargs: dict[str, Any]) -> Kinds:
        key = arguments.likeness(args) if not kwargs else None
        found: Any = self._doors.get(key) if key else None
        if found is None:
            bound = self._bound(args, kwargs)
            found = arguments.kinds(bound, self.request.wrt if self._ranked else None)
            self._doors.update({key: found} if key and len(self._doors) < KNOWN else {})
        return found  # type: ignore[no-any-return]

    def _bound(self, args: tuple[Any, ...], kwargs: dict[str, Any]) -> dict[str, Any]:
        """The arguments by name, without those of the derivative itself."""
        signature = self._own()
        known = signature.parameters
        names = kwargs.keys() & known.keys()
        if any(p.kind is p.VAR_KEYWORD for p in known.values()):
            names = kwargs.keys() - (_parameters(self) - known.keys()) - WORDS
        own = {k: v for k, v in kwargs.items() if k in names}
        bound = signature.bind(*args, **own)
        bound.apply_defaults()
        return bound.arguments

    def _own(self) -> inspect.Signature:
        """What the primal takes."""
        return inspect.signature(self.primal)

    def _is_usual(self, kinds: Kinds) -> bool:
        """Whether the general text was written for arguments of these kinds."""
        if self._usual is None:
            self._settle_usual()
        return kinds == self._usual

    @alone
    def _settle_usual(self) -> None:
        request = replace(self.request, absent=self._absent)
        kinds = analysis.default_kinds(frontend.read(general(self.primal)), request)
        self._usual = tuple(replace(k, optional=False) if isinstance(k, Num) else k for k in kinds)

    def _variant(self, kinds: Kinds, together: Names = ()) -> tuple[Unit, Callable[..., Any]]:
        """The unit written for arguments of these kinds, of which some overlap, and its door."""
        return self._variants.get((kinds, together)) or self._write(kinds, together)

    @alone
    @undisturbed
    def _write(
        self, kinds: Kinds, together: Names = (), door: Fastest | None = None
    ) -> tuple[Unit, Callable[..., Any]]:
        key = kinds, together
        if key not in self._variants:
            primal, request = self.primal, replace(self.request, together=together)
            if isinstance(primal, Derivative):  # the text of the inner derivative makes the copies
                primal = primal.written_for(kinds, together)
                request = replace(request, together=())
            arguments.check_active(primal, kinds, request.wrt)
            seeds = len(inspect.signature(primal).parameters) - len(kinds)
            request = replace(request, kinds=(*kinds, *[Num()] * seeds))
            linker = pipeline.Linker(sharing.known(primal))
            unit = pipeline.derive(primal, request, linker)
            self._units += [unit, *linker.units]
            before = self._guards.guards
            self._watch(linker, before)
            if len(self._guards.guards) > len(before):
                self._point(self._checked)
            units = [unit, *linker.units]
            self._variants[key] = unit, (door or self._fastest)(units, primal)
        return self._variants[key]

    def written_for(self, kinds: Kinds, together: Names) -> FunctionType:
        """The function for arguments of these kinds, which include those of the seeds."""
        own = self._own().parameters
        names = inspect.signature(self).parameters
        kinds = tuple(k for k, name in zip(kinds, names) if name in own)
        return self.pair_of(kinds, tuple(n for n in together if n in own))[0]

    def forward(self, args: tuple[Any, ...], kwargs: dict[str, Any]) -> tuple[Any, FunctionType]:
        """What the forward function gives in split motion, and the backward function."""
        if self._guards.outdated():
            self._compile_early()
        kinds = self._kinds(args, kwargs)
        forward, backward = self.pair_of(kinds)
        try:
            return forward(*args, **kwargs), backward
        except OverlapError as fault:
            together = self._together(fault, args, kwargs)
        forward, backward = self.pair_of(kinds, together)
        return forward(*args, **kwargs), backward

    def prepare(self, *args: Any, **kwargs: Any) -> None:
        """Write the text for arguments like these, which may then be sent elsewhere."""
        if self._guards.outdated():
            self._compile_early()
        self.pair_of(self._kinds(args, kwargs))

    def pair_of(self, kinds: Kinds, together: Names = ()) -> tuple[FunctionType, ...]:
        """The functions for arguments of these kinds."""
        if not (together or self._ranked) and self._is_usual(kinds):
            return self.functions
        return self._variant(kinds, together)[0].functions

    # Traveling ------------------------------------------------------------------------------

    def __reduce__(self) -> tuple[Any, ...]:
        return self.packed()


def _unready(*args: Any, **kwargs: Any) -> Any:
    raise AssertionError("a derivative is pointed somewhere before it is handed out")


def general(function: Any) -> Any:
    """The function whose source is read: a derivative stands for its text for any numbers and arrays."""
    if not isinstance(function, Derivative):
        return function
    return function.functions[-1 if function.request.motion == "joint" else 0]


def _innermost(function: Any) -> Any:
    """The function of the user."""
    return _innermost(function.primal) if isinstance(function, Derivative) else function


def _parameters(function: Any) -> set[str]:
    return set(inspect.signature(function).parameters)
