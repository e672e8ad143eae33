"""Loops and helpers that run again in the backward sweep, so that little is kept of them.

In: what the user wrote.
Out: ``checkpoint_loop``, ``checkpoint``, and where a loop keeps its state (Griewank and Walther, "revolve").
Next: library.
"""

from __future__ import annotations

import functools
import operator
from collections.abc import Callable, Iterable
from math import comb
from types import FunctionType, MethodType
from typing import Any, TypeVar

T = TypeVar("T")
F = TypeVar("F", bound=Callable[..., Any])
AGAIN = "__runs_again__"  # an attribute of functions
GIVEN = "checkpoint() takes a function or a method, not {}: write a function that calls it"


def checkpoint_loop(trips: Iterable[T], slots: int) -> Iterable[T]:
    """``for t in checkpoint_loop(range(n), slots=k)`` is the loop over ``range(n)``, which its derivative runs again
    from one of ``k`` states that it keeps.

    >>> list(checkpoint_loop(range(3), slots=2))
    [0, 1, 2]
    """
    slots_of(slots)
    return trips


def slots_of(slots: Any) -> int:
    """How many states may be kept."""
    try:
        number = operator.index(slots)
    except TypeError:
        raise TypeError(f"slots must be a whole number, not {type(slots).__name__}") from None
    if number < 1:
        raise ValueError(f"slots must be at least 1, not {number}")
    return number


def checkpointed(slots: int) -> None:
    """Stands in a loop whose trips run again from one of ``slots`` states."""


def stops(trips: range, slots: int) -> dict[int, int]:
    """The trips before which the state is kept, so that what follows the last one can be reached again.

    The steps are these trips and what comes after them; with ``slots`` states that can be kept they are walked back
    with the fewest steps made again. Beside each: how many slots are left, its own among them.

    >>> stops(range(9), 3), stops(range(9), 1), stops(range(2), 3), stops(range(0), 3)
    ({0: 3, 4: 2, 7: 1}, {0: 1}, {0: 3, 1: 2}, {})
    """
    found, at, steps = dict[int, int](), 0, len(trips) + 1
    while steps > 1 and slots > 0:
        found[trips[at]] = slots
        ahead = _ahead(steps, slots) if slots > 1 else steps
        at, steps, slots = at + ahead, steps - ahead, slots - 1
    return found


def _ahead(steps: int, slots: int) -> int:
    """How many of several steps come before the next state that is kept."""
    rounds = 1
    while comb(slots + rounds, slots) < steps:
        rounds += 1
    return min(comb(slots + rounds - 1, slots), steps - comb(slots + rounds - 2, slots - 1))


def checkpoint(f: F) -> F:
    """``f``, of which a derivative keeps nothing but the arguments: it runs again in the backward sweep.

    >>> @checkpoint
    ... def block(x):
    ...     return 2.0 * x
    >>> block(3.0)
    6.0
    """
    made: Any = f
    if isinstance(f, MethodType):
        made = MethodType(checkpoint(f.__func__), f.__self__)
    elif type(f) is functools.partial:
        made = functools.partial(checkpoint(made.func), *made.args, **made.keywords)
    elif not isinstance(f, FunctionType):
        raise TypeError(GIVEN.format(getattr(f, "__name__", type(f).__name__)))
    else:
        made = _marked(f)
    return made  # type: ignore[no-any-return]


def _marked(f: FunctionType) -> FunctionType:
    made = FunctionType(f.__code__, f.__globals__, f.__name__, f.__defaults__, f.__closure__)
    made.__kwdefaults__ = f.__kwdefaults__
    functools.update_wrapper(made, f)
    del vars(made)["__wrapped__"]  # it is no other function
    setattr(made, AGAIN, True)
    return made


def runs_again(function: Any) -> bool:
    """Whether a function was given to ``checkpoint``."""
    return isinstance(function, FunctionType) and AGAIN in vars(function)
