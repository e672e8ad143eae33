"""Small things: columns, matrices of zeros and ones, values with their places.

In: arrays.
Out: stand-ins.
Next: ufuncs.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from tangentlite.errors import UnsupportedSyntaxError
from tangentlite.standins import counting
from tangentlite.standins.table import find, stands_for


def column(x):
    """What ``np.c_`` makes of one of its parts."""
    return np.expand_dims(x, -1) if np.ndim(x) == 1 else np.atleast_2d(x)


@stands_for(np.asarray_chkfinite)
def asarray_chkfinite(a, dtype=None):
    """An array without NaN and infinities."""
    array = np.asarray(a, dtype=dtype)
    if not np.all(np.isfinite(array)):
        raise ValueError("array must not contain infs or NaNs")
    return array


@stands_for(np.from_dlpack)
def from_dlpack(x):
    """An array that shares memory with another one."""
    return x[...]


@stands_for(np.kaiser)
def kaiser(M, beta):
    """The window of Kaiser: a ratio of Bessel functions."""
    if M == 1:
        return np.ones(1)
    n = np.arange(0, M)
    alpha = (M - 1) / 2.0
    return np.i0(beta * np.sqrt(1 - ((n - alpha) / alpha) ** 2.0)) / np.i0(beta * 1.0)


@stands_for(np.sort_complex)
def sort_complex(a):
    """Complex numbers in order."""
    return np.sort(a) + 0j


@stands_for(getattr(np, "row_stack", "np.row_stack"))
def row_stack(tup, dtype=None, casting="same_kind"):
    """An old name of ``np.vstack``."""
    return np.vstack(tup)


@stands_for(getattr(np, "trapz", "np.trapz"))
def trapz(y, x=None, dx=1.0, axis=-1):
    """An old name of ``np.trapezoid``."""
    return np.trapezoid(y, x, dx, axis)


@stands_for(np.unique_all)
def unique_all(x):
    """Values, where they are first, which each element has, how many have it."""
    return np.unique(x, return_index=True, return_inverse=True, return_counts=True)


@stands_for(np.unique_counts)
def unique_counts(x):
    """Values, and how many elements have them."""
    return np.unique(x, return_counts=True)


@stands_for(np.unique_inverse)
def unique_inverse(x):
    """Values, and which each element has."""
    return np.unique(x, return_inverse=True)


@stands_for(np.ndarray.tolist)
def tolist(a) -> list[Any]:
    """``a.tolist()`` of an array with one axis."""
    if np.ndim(a) != 1:
        raise UnsupportedSyntaxError(
            "`tolist` of an array whose axes cannot be told from the text is differentiated if it has one",
            None,
            "Write `[list(row) for row in a]`.",
        )
    return [a[k].item() for k in range(len(a))]


def number_tolist(a) -> Any:
    """``a.tolist()`` of a number."""
    return a.item()


def matrix_tolist(a) -> list[Any]:
    """``a.tolist()`` of an array with two axes.

    >>> matrix_tolist(np.eye(2))
    [[1.0, 0.0], [0.0, 1.0]]
    """
    return [[a[k, j].item() for j in range(a.shape[1])] for k in range(a.shape[0])]


def block_tolist(a) -> list[Any]:
    """``a.tolist()`` of an array with three axes."""
    return [matrix_tolist(a[k]) for k in range(len(a))]


TOLIST = {0: number_tolist, 2: matrix_tolist, 3: block_tolist}


def method(name: str, rank: int | None) -> Any:
    """What stands in for a method of arrays with so many axes, if that is known.

    >>> method("tolist", 1).__name__, method("tolist", 2).__name__, method("no_such", 0)
    ('tolist', 'matrix_tolist', None)
    """
    found = counting.METHODS.get(name) or find(getattr(np.ndarray, name, None))
    return TOLIST.get(1 if rank is None else rank, found) if found is tolist else found
