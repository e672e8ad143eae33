"""Forms: what is known of a value: a number of some sort, an array of doubles, a tuple of these, a tape.

In: nothing.
Out: ``INT``, ``FLOAT``, ``BOOL``, ``ZERO``, the number of axes of an array of doubles, ``Ints``, tuples of forms,
    ``Tape``; None: anything.
Next: sorts.
"""

from __future__ import annotations

from typing import Any, NamedTuple

import gast
import numpy as np

from tangentlite.optimize.facts.axes import PRODUCTS

INT, FLOAT, BOOL = "int", "float", "bool"
ZERO = "zero"  # ``rt.ZERO``, which stands for a number or for an array
NUMBERS = (INT, FLOAT)
TYPES: dict[Any, str] = {float: FLOAT, np.float64: FLOAT, int: INT}
DOUBLE = np.dtype(float)
ARITHMETIC = (gast.Add, gast.Sub, gast.Mult, gast.Div, gast.Pow, gast.FloorDiv, gast.Mod)
Form = Any  # str | int | tuple of forms | Tape | None


class Tape(NamedTuple):
    """A list that was made here, on which values of one form are put, and from which they are taken again."""

    pushed: Form


class Ints(NamedTuple):
    """An array of integers with so many axes."""

    axes: int


def form_of(value: Any) -> Form:
    """The form of a number or an array.

    >>> form_of(2.0), form_of(np.float64(2.0)), form_of(2), form_of(True), form_of("a")
    ('float', 'float', 'int', None, None)
    >>> form_of(np.ones((2, 3))), form_of(np.ones(3, "f")), form_of(np.arange(3))
    (2, None, Ints(axes=1))
    """
    kind = type(value)
    if kind is np.ndarray and value.ndim:
        ints = Ints(value.ndim) if value.dtype.kind == "i" else None
        return value.ndim if value.dtype is DOUBLE else ints
    return TYPES.get(kind)


def joined(a: Form, b: Form) -> Form:
    """What is of one form or of another one.

    >>> joined(INT, FLOAT), joined(1, 1), joined(FLOAT, 1), joined(INT, BOOL), joined((INT, 1), (FLOAT, 2))
    ('float', 1, None, None, ('float', None))
    """
    if a == ZERO or b == ZERO:
        return b if a == ZERO else a
    if a == b and type(a) is type(b):
        return a
    if type(a) is type(b) is Tape:
        return Tape(joined(a.pushed, b.pushed))
    if type(a) is type(b) is tuple and len(a) == len(b):
        return tuple(map(joined, a, b))
    return FLOAT if a in NUMBERS and b in NUMBERS else None


def of_numbers(form: Form) -> bool:
    """Whether a value is a list of numbers that was made here.

    >>> of_numbers(Tape(FLOAT)), of_numbers(Tape((FLOAT, FLOAT))), of_numbers(1)
    (True, False, False)
    """
    return isinstance(form, Tape) and form.pushed in NUMBERS


def is_tape(form: Form) -> bool:
    """Whether a value is a list of numbers, truths, or tuples of such.

    >>> is_tape(Tape(FLOAT)), is_tape(Tape((FLOAT, BOOL))), is_tape(Tape((FLOAT, 1))), is_tape(1)
    (True, True, False, False)
    """
    pushed = form.pushed if isinstance(form, Tape) else None
    parts = pushed if type(pushed) is tuple else (pushed,)
    return all(part in (*NUMBERS, BOOL) for part in parts)


def tainted(form: Form) -> bool:
    """Whether there are real numbers or truths in a value, which may be of another class now.

    >>> tainted(FLOAT), tainted(INT), tainted((1, Tape((BOOL, 2)))), tainted((1, INT)), tainted(None)
    (True, False, True, False, False)
    """
    if isinstance(form, tuple):
        return any(map(tainted, form))
    return form in (FLOAT, BOOL)


def holds(known: Form, form: Form) -> bool:
    """Whether all real numbers of a value are known to be such in what it is taken for.

    >>> holds(FLOAT, INT), holds(None, FLOAT), holds((FLOAT, None), (FLOAT, 1)), holds((None, 1), (FLOAT, 1))
    (True, False, True, False)
    """
    if type(form) is type(known) and isinstance(form, tuple):
        return len(form) == len(known) and all(map(holds, known, form))
    return not tainted(form) or (tainted(known) and not isinstance(known, tuple))


def axes_of(form: Form) -> int | None:
    """How many axes an array of numbers has; None of what is none.

    >>> axes_of(2), axes_of(Ints(1)), axes_of(FLOAT)
    (2, 1, None)
    """
    return form.axes if isinstance(form, Ints) else form if is_array(form) else None


def is_array(form: Form) -> bool:
    """Whether a value is an array of doubles."""
    return isinstance(form, int)


def operation(op: gast.operator, left: Form, right: Form) -> Form:
    """The form of what an operator gives.

    >>> operation(gast.Mult(), BOOL, FLOAT), operation(gast.Add(), 1, FLOAT), operation(gast.Div(), INT, INT)
    ('float', 1, 'float')
    """
    if not all(isinstance(form, str | int) for form in (left, right)):
        return None
    if ZERO in (left, right):
        return joined(left, right)
    ranks = [form for form in (left, right) if is_array(form)]
    if isinstance(op, gast.MatMult):
        return PRODUCTS.get((left, right), 0) or FLOAT if len(ranks) == 2 else None
    if not isinstance(op, ARITHMETIC):
        return INT if left == right == INT else None
    if ranks:
        return max(ranks)
    if BOOL in (left, right):
        plain = isinstance(op, gast.Add | gast.Sub | gast.Mult)
        return FLOAT if plain and FLOAT in (left, right) else None
    return FLOAT if isinstance(op, gast.Div | gast.Pow) else joined(left, right)
