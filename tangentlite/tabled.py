"""The door of a derivative whose lists of numbers are arrays. Where that goes wrong, the lists give the answer.

In: a function as it was read, what was asked of it, for arguments of known kinds.
Out: a function for calls.
Next: derivative.

Numbers of lists are Python's, which raise errors where numbers of arrays are infinite or not numbers: these raise
errors here, too. A list may hold integers where its array has floats: where the value is asked for, the function
itself is, which does nothing else.
"""

from __future__ import annotations

import functools
from collections.abc import Callable, Sequence
from inspect import Parameter
from types import FunctionType
from typing import TYPE_CHECKING, Any

import numpy as np

from tangentlite import floating, ir, pipeline, sharing, sliced
from tangentlite.conditions import compiles
from tangentlite.emit import Late, Unit
from tangentlite.optimize.numbers import forms_of
from tangentlite.optimize.numbers.forms import Form, form_of
from tangentlite.values import replace

if TYPE_CHECKING:
    from tangentlite.tables import Tabled

Called = Callable[..., Any]
FAILURES = 3  # so often it is tried


def fastest(
    units: Sequence[Unit],
    primal: Any,
    opened: Callable[[Unit, Any], FunctionType],
    write: Callable[[FunctionType, ir.Request], list[Unit]],
) -> Called:
    """The door of the first of some units, which is for arguments of known kinds; the others are its helpers."""
    with_lists = functools.cache(lambda: sliced.fastest(units, primal, opened, write))
    if type(primal) is not FunctionType or not isinstance(units[0], Late):
        return with_lists()
    try:
        door = _door(units[0].write().request, primal, opened, write, with_lists)
    except Exception:
        if floating.strict:
            raise
        door = None  # whatever is wrong with a faster text, there is another one
    return door or with_lists()


def _door(
    request: ir.Request,
    primal: FunctionType,
    opened: Callable[[Unit, Any], FunctionType],
    write: Callable[[FunctionType, ir.Request], list[Unit]],
    with_lists: Callable[[], Called],
) -> Called | None:
    """The door, if there are lists that can be arrays."""
    found, given = _found(primal, request)
    if found is None:
        return None
    parts = request.output.split(", ")
    if parts not in (["gradient"], ["value", "gradient"]) or (len(parts) > 1 and not found.alone):
        return None
    made = sliced.emitted(found.function, "lists")
    plain = replace(request, output="gradient")
    there = sliced.fastest(write(made, plain), made, opened, write)
    own = primal if len(parts) > 1 else None
    return _Door(found, tuple(given.values()), own, there, with_lists).called()


@compiles
def _found(primal: FunctionType, request: ir.Request) -> tuple[Tabled | None, dict[str, Form]]:
    """The function with arrays, and the forms of its arguments."""
    plain = request.mode == "reverse" and request.motion == "joint" and request.optimized
    if not plain or request.has_aux or request.together:
        return None, {}
    read = pipeline.Linker(sharing.known(primal)).read
    function = read(primal)
    given = forms_of(ir.Derived((), function, request))
    usual = all(p.kind is Parameter.POSITIONAL_OR_KEYWORD for p in function.params)
    if not usual or any(given.get(name) is None for name in request.wrt):
        return None, {}
    from tangentlite import tables  # for functions with lists only

    return tables.tabled(function, given, read), given


class _Door:
    """Looks whether a call can be made with arrays."""

    def __init__(
        self,
        found: Tabled,
        forms: tuple[Form, ...],
        primal: Called | None,
        there: Called,
        with_lists: Callable[[], Called],
    ) -> None:
        self._forms, self._primal, self._there, self._with_lists = forms, primal, there, with_lists
        self._outside, self._space = found.outside, found.function.namespace
        defaults = [p.default for p in found.function.params]
        self._left = [floating.fits(d, form) for d, form in zip(defaults, forms)]
        self._failed = 0

    def called(self) -> Called:
        """What takes the calls."""

        def called(*args: Any, **kwargs: Any) -> Any:
            if not kwargs and self._failed < FAILURES and self._fits(args):
                try:
                    with np.errstate(over="raise", invalid="raise", divide="raise"):
                        found = self._there(*args)
                    if floating.is_finite(found):
                        return found if self._primal is None else (self._primal(*args), found)
                except Exception:  # the other text says it in the words of Python's numbers
                    pass
                self._failed += 1
            return self._with_lists()(*args, **kwargs)

        called.__wrapped__ = self._there  # type: ignore[attr-defined]  # for debuggers
        return called

    def _fits(self, args: tuple[Any, ...]) -> bool:
        """Whether arguments, and numbers outside, are of the forms for which the arrays were made."""
        if not all(map(floating.fits, args, self._forms)) or not all(self._left[len(args) :]):
            return False
        space, outside = self._space, self._outside
        return all(
            space.binds(n) and form_of(space.lookup(n)) == form for n, form in outside.items()
        )
