# mypy: ignore-errors
"""Sums whose order is nobody's: ``np.sum`` and ``np.dot`` promise none, so that several terms may be added at once.

In: nothing.
Out: ``added``, known to Numba once this module is imported.
Next: hoisting, products.
"""

from __future__ import annotations

from numba import types
from numba.extending import intrinsic

from tangentlite.native.library.perhaps import overload

FREE = ("reassoc", "nsz")


def added(total, term):
    """A term of a sum: what comes next may be added first."""
    return total + term


@intrinsic
def _freely(typing, total, term):
    def build(context, builder, signature, args):
        return builder.fadd(*args, flags=FREE)

    return total(total, term), build


@overload(added)
def _added(total, term):
    if isinstance(total, types.Float) and total == term:
        return lambda total, term: _freely(total, term)
    return lambda total, term: total + term


def poured(array, rows, others, count):
    """The outer products of the first rows of two stacks are added to an array."""
    array += rows[:count].T @ others[:count]
