"""The door of a derivative whose loops over places are statements about slices. Other calls go to the one that loops.

In: a function as it was read, what was asked of it, for arguments of known kinds.
Out: a function for calls.
Next: derivative.

Whether slices take what the loops take depends on the sizes of the arguments, and so does what is gained: both are
looked at when the derivative is called, once for all arguments of the same sizes.
"""

from __future__ import annotations

import functools
from collections.abc import Callable, Sequence
from inspect import Parameter
from itertools import combinations
from types import FunctionType
from typing import TYPE_CHECKING, Any

import gast
import numpy as np

from tangentlite import ir, pipeline, sharing
from tangentlite.analysis.shapes import extents
from tangentlite.conditions import compiles
from tangentlite.doors import floating, straight
from tangentlite.doors.straight import emitted as emitted, written as written
from tangentlite.emit import Late, Unit
from tangentlite.errors import DerivativeError
from tangentlite.optimize.numbers import real_forms_of
from tangentlite.optimize.numbers.forms import DOUBLE, form_of
from tangentlite.values import replace

if TYPE_CHECKING:
    from tangentlite.slices import Sliced

Called = Callable[..., Any]
Opened = Callable[[Unit, Any], FunctionType]
Write = Callable[[FunctionType, ir.Request], list[Unit]]
KNOWN = 256
FAILURES = 3  # so often it is tried
LARGE = 2**31  # integers below it can be multiplied in arrays


def fastest(
    units: Sequence[Unit],
    primal: Any,
    opened: Opened,
    write: Write,
) -> Called:
    """The door of the first of some units, which is for arguments of known kinds; the others are its helpers.

    ``write`` gives the units of another function, for the same request.
    """

    def in_floats() -> Called:
        return straight.fastest(units, primal, opened, write)

    if type(primal) is not FunctionType or not isinstance(units[0], Late) or not _loop(units):
        return in_floats()
    read, request = pipeline.Linker(sharing.known(primal)).read, units[0].write().request

    def in_slices(sliced: Sliced) -> Called:
        function = _emitted(sliced)
        return straight.in_floats(write(function, _shaped(request, sliced)), function, opened)

    return door(primal, read, request, in_slices, in_floats) or in_floats()


def _loop(units: Sequence[Unit]) -> bool:
    """Whether there is a ``for`` in some text."""
    return any(gast.For in part.contents.kinds for unit in units for part in unit.heads)


def door(
    primal: Callable[..., Any],
    read: Callable[[Any], ir.Function],
    request: ir.Request,
    make: Callable[[Sliced], Called],
    loops: Called,
) -> Called | None:
    """The door, if any loop can be written so: ``make`` gives the derivative in slices, ``loops`` the other one."""
    try:
        found = _found(primal, read, request)
        return _Door(found, make, loops).called() if found else None
    except Exception:
        if floating.strict:
            raise
        return None  # whatever is wrong with a faster text, there is another one


@compiles
def _found(
    primal: Callable[..., Any], read: Callable[[Any], ir.Function], request: ir.Request
) -> list[Sliced]:
    plain = request.mode == "reverse" and request.motion == "joint" and request.optimized
    if not plain or request.has_aux or request.together:
        return []
    function = read(primal)
    if function.generated or any(
        p.kind is not Parameter.POSITIONAL_OR_KEYWORD for p in function.params
    ):
        return []
    given = real_forms_of(ir.Derived((), function, request))
    if any(given.get(name) is None for name in request.wrt):
        return []
    from tangentlite import slices  # for functions with loops only

    return slices.sliced(slices.inlined(function, read), given, request.output == "gradient")


class _Door:
    """Looks which way a call goes."""

    def __init__(
        self, found: Sequence[Sliced], make: Callable[[Sliced], Called], loops: Called
    ) -> None:
        self._ways = [_Way(sliced, make) for sliced in found]
        self._loops = functools.cache(loops)
        self._params = found[0].function.params
        self._failed = 0
        self._quick: dict[Any, Called] = {}  # by what tells that slices take the arguments

    def called(self) -> Called:
        """What takes the calls."""

        def called(*args: Any, **kwargs: Any) -> Any:
            told = tuple([_told(value) for value in args]) if not kwargs else ()
            there = self._quick.get(told)
            if there is not None:
                called.__wrapped__ = there  # type: ignore[attr-defined]  # for debuggers
                return there(*args)
            way = self._way(args) if not kwargs and self._failed < FAILURES else None
            there = self._loops() if way is None else way.derivative()
            called.__wrapped__ = there  # type: ignore[attr-defined]
            if way is None or not (way.sliced.watched or way.sliced.chooses):
                if way is not None and way.is_told and None not in told:
                    self._quick.update({told: there} if len(self._quick) < KNOWN else {})
                return there(*args, **kwargs)
            return self._watched(way, args)

        return called

    def _way(self, args: tuple[Any, ...]) -> _Way | None:
        """The first way in slices that takes such arguments."""
        given = (*args, *(p.default for p in self._params[len(args) :]))
        return next((way for way in self._ways if way.takes(given)), None)

    def _watched(self, way: _Way, args: tuple[Any, ...]) -> Any:
        """What slices give; what loops give if slices warn, or what they compute where nobody asks is no number."""
        try:
            with np.errstate(over="raise", invalid="raise", divide="raise"):
                found = way.derivative()(*args)
            if not way.sliced.chooses or floating.is_finite(found):
                return found
        except FloatingPointError:  # loops say it in words of their own, if at all
            pass
        self._failed += 1
        return self._loops()(*args)


class _Way:
    """A function in slices, and the arguments that it takes."""

    def __init__(self, sliced: Sliced, make: Callable[[Sliced], Called]) -> None:
        self.sliced, self._test = sliced, _compiled(sliced)
        self.derivative = functools.cache(lambda: make(sliced))
        params = sliced.function.params
        self._forms = [sliced.given.get(p.name) for p in params]
        self._written = [k for k, p in enumerate(params) if p.name in sliced.written]
        self._known: dict[Any, bool] = {}
        self.is_told = not (sliced.outside or self._written)

    def takes(self, given: tuple[Any, ...]) -> bool:
        """Whether slices take the same of such arguments, and are worth it."""
        space, outside = self.sliced.function.namespace, self.sliced.outside
        if not all(map(floating.fits, given, self._forms)) or _overlap(given, self._written):
            return False
        numbers = [space.lookup(name) if space.binds(name) else None for name in outside]
        if [form_of(number) for number in numbers] != list(outside.values()):
            return False
        if not all(-LARGE < n < LARGE for n in filter(_is_integer, (*given, *numbers))):
            return False
        key = (*map(_size, given), *map(_size, numbers))
        if key not in self._known:
            if len(self._known) >= KNOWN:
                self._known.clear()
            self._known[key] = self._test(*given, *numbers) and self._is_right()
        return self._known[key]

    def _is_right(self) -> bool:
        try:
            self.derivative()
        except DerivativeError:
            return False
        return True


def _shaped(request: ir.Request, sliced: Sliced) -> ir.Request:
    """The request, which says what axes of arguments are equally long."""
    names = [p.name for p in sliced.function.params]
    kinds = list(request.kinds or ())
    for k, name in enumerate(names):
        if name in sliced.axes and kinds[k].shape is None:
            kinds[k] = replace(kinds[k], shape=extents.shape(sliced.axes[name]))
    return replace(request, kinds=tuple(kinds))


def _told(value: Any) -> Any:
    """What tells the form and the size of an argument, in less time; None where it does not.

    >>> _told(np.ones((2, 3))), _told(3), _told(3.0), _told(np.arange(3))
    ((2, 3), 3, <class 'float'>, None)
    >>> _told((2.0, 3.0))
    (<class 'tuple'>, <class 'float'>, <class 'float'>)
    """
    kind = type(value)
    if kind is np.ndarray:
        return value.shape if value.dtype is DOUBLE else None
    if kind is tuple:
        return kind, *map(_told, value)
    return value if kind is int else kind


def _size(value: Any) -> Any:
    """What a test of sizes may ask for: the shape of an array, an integer."""
    return value.shape if isinstance(value, np.ndarray) else value if type(value) is int else None


def _is_integer(value: Any) -> bool:
    return type(value) is int


def _overlap(given: tuple[Any, ...], written: list[int]) -> bool:
    """Whether an argument into which the function writes may share memory with another one."""
    arrays = {k: value for k, value in enumerate(given) if isinstance(value, np.ndarray)}
    pairs = combinations(arrays, 2) if written else ()
    return any(
        (a in written or b in written) and np.may_share_memory(arrays[a], arrays[b])
        for a, b in pairs
    )


def _compiled(found: Sliced) -> Callable[..., bool]:
    """The test, as a function of the arguments and the numbers outside."""
    names = [*(p.name for p in found.function.params), *found.outside]
    test: FunctionType = eval(f"lambda {', '.join(names)}: {found.test}", {"max": max})
    assert set(test.__code__.co_names) <= {"max", "shape"}, found.test
    return test


def _emitted(found: Sliced) -> FunctionType:
    """The function in slices, as any other function that somebody has written."""
    made = emitted(found.function, "slices")
    made.__doc__ = f"`{found.function.name}`, in which slices stand for loops over places."
    return made
