"""Forms: what is known of a value: a number of some sort, an array of doubles, a tuple of these, a tape.

In: nothing.
Out: ``INT``, ``FLOAT``, ``BOOL``, ``ZERO``, the number of axes of an array of doubles, tuples of forms, ``Tape``;
    None: anything.
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
DOUBLE = np.dtype(float)
ARITHMETIC = (gast.Add, gast.Sub, gast.Mult, gast.Div, gast.Pow, gast.FloorDiv, gast.Mod)
Form = Any  # str | int | tuple of forms | Tape | None


class Tape(NamedTuple):
    """A list on which values of one form are put, and from which they are taken again."""

    pushed: Form


def form_of(value: Any) -> Form:
    """The form of a number of Python's or an array of doubles.

    >>> form_of(2.0), form_of(2), form_of(np.ones((2, 3))), form_of(np.ones(3, "f")), form_of(True), form_of("a")
    ('float', 'int', 2, None, None, None)
    """
    kind = type(value)
    if kind is np.ndarray:
        return (value.ndim or None) if value.dtype is DOUBLE else None
    return {float: FLOAT, int: INT}.get(kind)


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
