"""Tables of ``scipy.interpolate`` between whose entries one reads: what they give, and their slopes.

A table is a constant: splines as SciPy's objects hold them or as ``(t, c, k)``, polynomials as NumPy's.

In: points, a table, and how often it is derived.
Out: numbers and arrays.
Next: legendre.
"""

from __future__ import annotations

import sys
from typing import Any

import numpy as np

CALLED = ("PPoly", "BPoly", "BSpline", "UnivariateSpline", "interp1d")
POLYNOMIALS = (np.poly1d, np.polynomial._polybase.ABCPolyBase)
STEPS = ("nearest", "nearest-up", "previous", "next", "zero")


def is_table(made: Any) -> bool:
    """Whether ``made(x)`` reads a table of numbers, and how it rises is known.

    >>> is_table(np.polynomial.Polynomial([1.0, 2.0])), is_table(np.poly1d([1.0])), is_table(len)
    (True, True, False)
    """
    if isinstance(made, POLYNOMIALS):
        return True
    return is_of(made, CALLED) and (not is_of(made, ("interp1d",)) or made.y.ndim == 1)


def is_of(made: Any, names: tuple[str, ...]) -> bool:
    """Whether an object is of one of these classes of ``scipy.interpolate``, which need not be there."""
    home = sys.modules.get("scipy.interpolate")
    return home is not None and isinstance(made, tuple(getattr(home, name) for name in names))


def makes_tables(made: Any) -> bool:
    """Whether a class makes tables.

    >>> makes_tables(np.polynomial.Legendre), makes_tables(dict)
    (True, False)
    """
    if not isinstance(made, type):
        return False
    home = sys.modules.get("scipy.interpolate")
    known = () if home is None else tuple(getattr(home, name) for name in CALLED)
    return issubclass(made, (*known, POLYNOMIALS[1]))


def at_fixed(x: Any, table: Any) -> Any:
    """``x``, of its own, where ``table`` depends on no input."""
    return x if isinstance(x, int | float | np.generic) else np.array(x)


def interpolated(x: Any, table: Any, n: int = 0) -> Any:
    """What a table gives at ``x``, derived ``n`` times.

    >>> float(interpolated(2.0, np.poly1d([1.0, 0.0, 0.0]), 1))
    4.0
    """
    found = _asked(x, table, n)
    if np.shape(found) != np.shape(x):
        raise TypeError("a table that gives more than one number for a point is not differentiated")
    return found


def spline(x: Any, knots: Any, weights: Any, degree: int, n: int = 0, ext: int = 0) -> Any:
    """``splev(x, (knots, weights, degree), n, ext)``; beyond the ends a value that is held does not rise."""
    from scipy.interpolate import splev

    if n > degree:
        return np.zeros(np.shape(x))
    found = splev(x, (knots, weights, degree), n, 1 if n and ext == 3 else ext)
    if isinstance(found, list):
        raise TypeError("a curve is not differentiated: read one spline for each of its axes")
    return found


def _asked(x: Any, table: Any, n: int) -> Any:
    if not n:
        return table(x)
    if isinstance(table, np.poly1d):
        return np.polyder(table, n)(x)
    if isinstance(table, POLYNOMIALS):
        return table.deriv(n)(x)
    if hasattr(table, "fill_value"):
        return _between(x, table, n)
    if hasattr(table, "_eval_args"):
        knots, weights, degree = table._eval_args
        return spline(x, knots, weights, degree, n, table.ext)
    return table(x, n)


def _between(x: Any, table: Any, n: int) -> Any:
    """The slopes of ``interp1d``: of straight pieces, of a spline, or of steps."""
    at = np.asarray(x, float)
    inside = (at >= table.x[0]) & (at <= table.x[-1])
    if isinstance(table.fill_value, str):
        inside = np.ones(at.shape, bool)
    kind = table._kind
    if kind in STEPS or (kind == "linear" and n > 1):
        return np.zeros(at.shape)
    if kind == "linear":
        piece = np.clip(np.searchsorted(table.x, at), 1, len(table.x) - 1)
        rise = (np.diff(table.y) / np.diff(table.x))[piece - 1]
        return np.where(inside, rise, 0.0)
    return np.where(inside, table._spline(at, n).reshape(at.shape), 0.0)


def spline_basis(x: Any, knots: Any, degree: int, n: int = 0) -> Any:
    """The basis functions of splines at ``x``, derived ``n`` times; they are held beyond the ends."""
    from scipy.interpolate import BSpline

    count = len(knots) - degree - 1
    at = np.asarray(x, float)
    first, last = knots[degree], knots[count]
    found = BSpline(np.asarray(knots, float), np.eye(count), degree)(np.clip(at, first, last), n)
    if n:
        found = np.where(((at >= first) & (at <= last))[..., None], found, 0.0)
    return found


def cells(points: Any, table: Any) -> tuple[Any, Any, Any, Any]:
    """Of a ``RegularGridInterpolator``: the lower corners of the cells of points, their sizes, the values at corners.

    The last says which points lie in the grid.
    """
    if table.method != "linear" or table.values.ndim != len(table.grid):
        raise TypeError("a grid is differentiated between numbers, with method='linear'")
    at = np.asarray(points, float).reshape(-1, len(table.grid))
    places, lows, sizes = [], [], []
    inside = np.ones(len(at), bool)
    for axis, x in zip(table.grid, at.T):
        if len(axis) == 1:
            raise TypeError("a grid of one point along an axis is not differentiated")
        place = np.clip(np.searchsorted(axis, x, "right") - 1, 0, len(axis) - 2)
        places.append(place)
        lows.append(axis[place])
        sizes.append(axis[place + 1] - axis[place])
        inside &= (x >= axis[0]) & (x <= axis[-1])
    steps = np.indices((2,) * len(places)).reshape(len(places), -1)
    corners = tuple(p[:, None] + s for p, s in zip(places, steps))
    return np.stack(lows, -1), np.stack(sizes, -1), table.values[corners], inside
