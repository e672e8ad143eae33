"""Bits: how large integers become that are computed from others.

In: what is known of operands.
Out: ``Bits``; None: a float, or no number at all.
Next: integers.
"""

from __future__ import annotations

from typing import Any, NamedTuple

import gast
import numpy as np

from tangentlite.optimize.numbers.forms import FLOAT, INT, Form, is_array

EXACT = 53  # bits of a float
GIVEN = 24  # bits of an argument, of a counter
TRIPS = 20  # bits of how often something is added
UNKNOWN = 64
NARROW = (gast.BitAnd, gast.BitOr, gast.BitXor, gast.RShift, gast.FloorDiv)


class Bits(NamedTuple):
    """An integer of so many bits, or maybe a float; whether it comes out of a list."""

    width: int
    listed: bool = False


def bits_of(value: Any) -> Bits | None:
    """What a number has.

    >>> bits_of(-5), bits_of(2.0), bits_of(np.ones(3)), bits_of("a")
    (Bits(width=3, listed=False), None, None, Bits(width=64, listed=False))
    """
    match value:
        case int():
            return Bits(value.bit_length())
        case float():
            return None
        case np.ndarray() if value.dtype.kind == "f":
            return None
    return Bits(UNKNOWN)


def bits_in(form: Form) -> Bits | None:
    """What an argument has of which the form is known.

    >>> bits_in(FLOAT), bits_in(2), bits_in(INT).width, bits_in(None).width
    (None, None, 24, 64)
    """
    if form == FLOAT or is_array(form):
        return None
    return Bits(GIVEN if form == INT else UNKNOWN)


def joined(*found: Bits | None) -> Bits | None:
    """One of several.

    >>> joined(Bits(3), None, Bits(2, True)), joined(None), joined()
    (Bits(width=3, listed=True), None, None)
    """
    some = [bits for bits in found if bits is not None]
    return Bits(max(b.width for b in some), any(b.listed for b in some)) if some else None


def grown(before: Bits | None, added: Bits | None) -> Bits | None:
    """A number to which something is added in every trip of a loop.

    >>> grown(Bits(1), Bits(1)), grown(Bits(1), Bits(0)), grown(None, Bits(1))
    (Bits(width=21, listed=False), Bits(width=1, listed=False), None)
    """
    if before is None or added is None:
        return None
    more = added.width + TRIPS if added.width else 0
    return Bits(min(max(before.width, more), UNKNOWN), before.listed or added.listed)


def operation(op: gast.operator, left: Bits | None, right: Bits | None) -> Bits | None:
    """What an operator gives; what comes out of lists is added to once in each trip.

    >>> operation(gast.Mult(), Bits(3), Bits(2)), operation(gast.Mult(), Bits(3), Bits(0))
    (Bits(width=5, listed=False), Bits(width=0, listed=False))
    >>> operation(gast.Add(), Bits(3), Bits(3)), operation(gast.Add(), Bits(30, True), Bits(3))
    (Bits(width=4, listed=False), Bits(width=30, listed=True))
    >>> operation(gast.Div(), Bits(3), Bits(3)), operation(gast.Mod(), Bits(3), Bits(2))
    (None, Bits(width=2, listed=False))
    """
    if left is None or right is None or isinstance(op, gast.Div):
        return None
    listed = left.listed or right.listed
    match op:
        case gast.Mult():
            width = left.width + right.width if left.width and right.width else 0
        case gast.Add() | gast.Sub() if left.listed != right.listed:
            return grown(left, right) if left.listed else grown(right, left)
        case gast.Add() | gast.Sub():
            both = left.width and right.width
            width = max(left.width, right.width) + (1 if both else 0)
        case gast.Mod():
            width = right.width
        case _:
            width = max(left.width, right.width) if isinstance(op, NARROW) else UNKNOWN
    return Bits(min(width, UNKNOWN), listed)


def power(base: Any, exponent: Any, left: Bits | None, right: Bits | None) -> Bits | None:
    """What a power has; the exponents of larger numbers than one are written down.

    >>> from tangentlite.syntax import expression
    >>> def show(text):
    ...     tree = expression(text)
    ...     found = power(tree.left, tree.right, Bits(3), Bits(3))
    ...     return found and found.width
    >>> show("(-1) ** k"), show("k ** 2"), show("k ** j")
    (1, 6, 64)
    """
    if left is None or right is None:
        return None
    listed = left.listed or right.listed
    match base:
        case gast.Constant(value=1) | gast.UnaryOp(op=gast.USub(), operand=gast.Constant(value=1)):
            return Bits(1, listed)
    match exponent:
        case gast.Constant(value=int() as times):
            return Bits(min(left.width * times, UNKNOWN), listed)
    return Bits(UNKNOWN, listed)
