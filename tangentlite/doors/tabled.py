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

from tangentlite import ir, pipeline, sharing
from tangentlite.analysis.kinds import List, Num
from tangentlite.conditions import compiles
from tangentlite.doors import floating, sliced
from tangentlite.emit import Late, Unit
from tangentlite.emit.entrance import DEFAULT
from tangentlite.optimize.numbers import real_forms_of
from tangentlite.optimize.numbers.forms import Form, form_of
from tangentlite.values import replace

if TYPE_CHECKING:
    from tangentlite.tables import Tabled

Called = sliced.Called
FAILURES = 3  # so often it is tried


def fastest(
    units: Sequence[Unit],
    primal: Any,
    opened: sliced.Opened,
    write: sliced.Write,
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
    opened: sliced.Opened,
    write: sliced.Write,
    with_lists: Callable[[], Called],
) -> Called | None:
    """The door, if there are lists that can be arrays."""
    lists = _lists(primal, request)
    found, given = _found(primal, request, lists)
    if found is None:
        return None
    parts = request.output.split(", ")
    if parts not in (["gradient"], ["value", "gradient"]) or (len(parts) > 1 and not found.alone):
        return None
    made = sliced.emitted(found.function, "lists")
    there = sliced.fastest(write(made, _plain(request, found, lists)), made, opened, write)
    own = primal if len(parts) > 1 else None
    return _Door(found, {**given, **lists}, own, there, with_lists, request, lists).called()


def _lists(primal: FunctionType, request: ir.Request) -> dict[str, int]:
    """The arguments that are lists of floats, or lists of such lists."""
    names, kinds = primal.__code__.co_varnames, request.kinds or ()
    return {name: rank for name, kind in zip(names, kinds) if (rank := _rank(kind))}


def _rank(kind: object) -> int:
    """How many indices the floats in a list have; zero if it is none, or holds anything else."""
    if isinstance(kind, List) and kind.item is not None and not kind.optional:
        inner = _rank(kind.item)
        plain = isinstance(kind.item, Num) and kind.item.scalar and kind.item.exact == "float"
        return 1 if plain else inner + 1 if inner == 1 else 0
    return 0


def _plain(request: ir.Request, found: Tabled, lists: dict[str, int]) -> ir.Request:
    """The request for the gradient of the function with arrays."""
    kinds = list(request.kinds or ())
    for k, param in enumerate(found.function.params):
        if param.name in lists:
            kinds[k] = Num(exact="float", ndim=lists[param.name])
    return replace(request, output="gradient", kinds=tuple(kinds))


@compiles
def _found(
    primal: FunctionType, request: ir.Request, lists: dict[str, int]
) -> tuple[Tabled | None, dict[str, Form]]:
    """The function with arrays, and the forms of its arguments."""
    plain = request.mode == "reverse" and request.motion == "joint" and request.optimized
    if not plain or request.has_aux or request.together:
        return None, {}
    read = pipeline.Linker(sharing.known(primal)).read
    function = read(primal)
    given = real_forms_of(ir.Derived((), function, request))
    usual = all(p.kind is Parameter.POSITIONAL_OR_KEYWORD for p in function.params)
    if not usual or any(given.get(name) is None and name not in lists for name in request.wrt):
        return None, {}
    from tangentlite import tables  # for functions with lists only

    return tables.tabled(function, given, read, lists), given


class _Door:
    """Looks whether a call can be made with arrays."""

    def __init__(
        self,
        found: Tabled,
        forms: dict[str, Form],
        primal: Called | None,
        there: Called,
        with_lists: Callable[[], Called],
        request: ir.Request,
        lists: dict[str, int],
    ) -> None:
        self._primal, self._there, self._with_lists = primal, there, with_lists
        self._outside, self._space = found.outside, found.function.namespace
        self._bounds = found.bounds
        self._params = params = found.function.params
        self._forms = [forms[p.name] for p in params]
        self._left = [floating.fits(p.default, forms[p.name]) for p in params]
        self._lists = [(k, lists[p.name]) for k, p in enumerate(params) if p.name in lists]
        self._wanted = [name in lists for name in request.wrt]
        self._several, self._failed = request.several, 0

    def called(self) -> Called:
        """What takes the calls."""

        def called(*args: Any, **kwargs: Any) -> Any:
            plain = not kwargs or all(value is DEFAULT for value in kwargs.values())
            given = self._arrays(args) if plain and self._failed < FAILURES else None
            if given is not None:
                try:
                    with np.errstate(over="raise", invalid="raise", divide="raise"):
                        found = self._there(*given)
                    if floating.is_finite(found):
                        found = self._in_lists(found)
                        return found if self._primal is None else (self._primal(*args), found)
                except Exception:  # the other text says it in the words of Python's numbers
                    pass
                self._failed += 1
            return self._with_lists()(*args, **kwargs)

        called.__wrapped__ = self._there  # type: ignore[attr-defined]  # for debuggers
        return called

    def _arrays(self, args: tuple[Any, ...]) -> tuple[Any, ...] | None:
        """The arguments, with arrays for lists; None if some argument, or number outside, is of another form."""
        given = list(args)
        for k, rank in self._lists:
            if k < len(args):
                given[k] = _array(args[k], rank)
        if not all(map(floating.fits, given, self._forms)) or not all(self._left[len(args) :]):
            return None
        space, outside = self._space, self._outside
        known = all(
            space.binds(n) and form_of(space.lookup(n)) == form for n, form in outside.items()
        )
        return tuple(given) if known and (not self._bounds or self._are_small(args)) else None

    def _are_small(self, args: tuple[Any, ...]) -> bool:
        """Whether integers are as small as was thought, of those that come into lists."""
        names, left = [p.name for p in self._params], self._params[len(args) :]
        given = dict(zip(names, (*args, *(p.default for p in left))))
        given |= {name: self._space.lookup(name) for name in self._outside}
        return all(
            abs(given[n]) < bound for n, bound in self._bounds.items() if type(given[n]) is int
        )

    def _in_lists(self, found: Any) -> Any:
        """The gradients in lists are lists."""
        parts = found if self._several else (found,)
        made = tuple(p.tolist() if wanted else p for p, wanted in zip(parts, self._wanted))
        return made if self._several else made[0]


def _array(values: Any, rank: int) -> Any:
    """The array of a list of floats, or of lists that are equally long and of which none is there twice."""
    if type(values) is not list or not values:
        return None
    if rank == 1:
        return np.array(values) if set(map(type, values)) == {float} else None
    if {list} != set(map(type, values)) or len(set(map(id, values))) < len(values):
        return None
    if len(set(map(len, values))) != 1 or {float} != set().union(*(map(type, v) for v in values)):
        return None
    return np.array(values)
