"""The door of a text in Python's numbers. Where it goes wrong, the text in NumPy's numbers gives the answer.

In: what was written for arguments of known kinds, and what opens the door of that.
Out: a function for calls.
Next: derivative.

A float of Python raises an error where a number of NumPy warns and becomes infinite, and zero times infinity is NaN
where the runtime's functions say zero. Sums and products keep NaN, so that a finite answer had none on its way.
"""

from __future__ import annotations

import functools
import math
from collections.abc import Callable, Sequence
from types import CellType, FunctionType
from typing import Any

import numpy as np

from tangentlite import emit, ir, optimize
from tangentlite.conditions import compiles
from tangentlite.emit import Late, Unit
from tangentlite.optimize import InFloats
from tangentlite.optimize.numbers.forms import FLOAT, INT, form_of
from tangentlite.runtime.times import finite as is_bounded
from tangentlite.values import replace

Called = Callable[..., Any]
TYPE = {FLOAT: float, INT: int}
strict = False  # tests set it


def fastest(units: Sequence[Unit], careful: Callable[[], Called]) -> Called:
    """The door of the first of some units, of which the others are helpers: in Python's numbers where that pays."""
    try:
        found = in_floats(units)
    except Exception:
        if strict:
            raise
        found = None  # whatever is wrong with a faster text, there is another one
    return careful() if found is None else door(_emitted(found, {}), found, careful)


@compiles
def in_floats(units: Sequence[Unit]) -> InFloats | None:
    """The first of some units in Python's numbers, if that pays."""
    late = [u for u in units if isinstance(u, Late)]
    if not late or late[0] is not units[0]:
        return None
    helpers = {id(function): (u, k) for u in late[1:] for k, function in enumerate(u.made)}

    def find(function: Any) -> tuple[ir.Derived, int] | None:
        found = helpers.get(id(function))
        return (_finished(found[0]), found[1]) if found is not None else None

    return optimize.in_floats(_finished(late[0]), find)


def _finished(unit: Late) -> ir.Derived:
    parts = unit.parts
    return replace(unit.write(), functions=parts)


def _emitted(made: InFloats, known: dict[int, FunctionType]) -> FunctionType:
    """The function of a text, which calls those of its helpers."""
    if id(made) not in known:
        (part,) = made.derived.functions
        cells = {name: CellType(_emitted(h, known)) for name, h in made.helpers.items()}
        part = replace(part, namespace=part.namespace.extended(cells))
        (known[id(made)],) = emit.module(replace(made.derived, functions=(part,))).functions
    return known[id(made)]


def door(plain: FunctionType, made: InFloats, careful: Callable[[], Called]) -> Called:
    """What takes calls: plain where all arguments have their forms and no seed is given."""
    params = made.derived.primal.params
    forms = made.forms[: len(params)]
    left = [
        p.kind is not p.kind.VAR_POSITIONAL and fits(p.default, f) for p, f in zip(params, forms)
    ]
    other, written = functools.cache(careful), plain.__code__.co_consts
    outside = made.outside
    types = tuple([TYPE.get(form) for form in forms])  # of arguments that fit without a closer look

    def fit(args: tuple[Any, ...]) -> bool:
        return tuple(map(type, args)) == types or (
            all(map(fits, args, forms)) and all(left[len(args) :])
        )

    def fitted(*args: Any) -> Any:
        if not outside or all(value.fits for value in outside):
            try:
                found = plain(*args)
                finite = math.isfinite(found) if type(found) is float else is_finite(found)
            except Exception:  # the other text says it in NumPy's words
                finite = False
            if finite:
                if made.value is None or any(found[made.value] is c for c in written):
                    return found  # no trip has made a number of NumPy of it
                return with_numpy(found, made.value)
        return other()(*args)

    def called(*args: Any, **kwargs: Any) -> Any:
        return fitted(*args) if not kwargs and fit(args) else other()(*args, **kwargs)

    # what debuggers and profilers look at
    called.__wrapped__ = fitted.__wrapped__ = plain  # type: ignore[attr-defined]
    called.for_like = lambda args: fitted if fit(args) else called  # type: ignore[attr-defined]
    return called


def with_numpy(found: tuple[Any, ...], place: int) -> tuple[Any, ...]:
    """A result with NumPy's number in a place.

    >>> [type(part).__name__ for part in with_numpy((2.0, 3.0), 0)]
    ['float64', 'float']
    """
    return *found[:place], np.float64(found[place]), *found[place + 1 :]


def fits(value: Any, form: Any) -> bool:
    """Whether an argument has a form; None takes whatever was given.

    >>> fits(2.0, "float"), fits(2, "float"), fits(np.ones(3), 1), fits(np.ones(3, "f"), 1), fits("a", None)
    (True, False, True, False, True)
    >>> fits((2.0, 1), ("float", "int")), fits((2.0,), ("float", "int")), fits([2.0, 1], ("float", "int"))
    (True, False, False)
    """
    if type(form) is tuple:
        return type(value) is tuple and len(value) == len(form) and all(map(fits, value, form))
    return value is not ir.EMPTY if form is None else form_of(value) == form


def is_finite(found: Any) -> bool:
    """Whether all numbers of a result are finite.

    >>> is_finite((1.0, np.ones(2))), is_finite(np.array([1.0, np.nan])), is_finite(math.inf)
    (True, False, False)
    """
    if type(found) is tuple:
        return False not in [
            math.isfinite(part) if type(part) is float else is_finite(part) for part in found
        ]
    return is_bounded(found) if type(found) is np.ndarray else math.isfinite(found)
