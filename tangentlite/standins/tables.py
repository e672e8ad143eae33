"""``scipy.interpolate``: splines and grids of constants, read at points that are not.

In: arguments of SciPy's functions, and its objects.
Out: stand-ins.
Next: roots.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from tangentlite import runtime as rt
from tangentlite.runtime.special.tables import is_of, is_table
from tangentlite.standins.table import stands_for


@stands_for("scipy.interpolate.splev")
def splev(x, tck, der=0, ext=0):
    """A spline of numbers."""
    if isinstance(tck, (tuple, list)):
        knots, weights, degree = tck
    else:
        knots, weights, degree = tck.t, tck.c, tck.k
    x = rt.at_fixed(rt.at_fixed(x, knots), weights)
    return rt.spline(x, knots, weights, degree, der, ext)


@stands_for("scipy.interpolate.bisplev")
def bisplev(x, y, tck, dx=0, dy=0):
    """A spline of two variables, on the grid of their values; what has one element is a number."""
    found = _on_grid(np.atleast_1d(x), np.atleast_1d(y), tck, dx, dy)
    if len(found) > 1:
        return found
    return found[0] if len(found[0]) > 1 else found[0, 0]


def _on_grid(x, y, tck, dx, dy):
    """Products of basis functions, weighed."""
    rows = rt.spline_basis(rt.at_fixed(x, tck[0]), tck[0], tck[3], dx)
    columns = rt.spline_basis(rt.at_fixed(y, tck[1]), tck[1], tck[4], dy)
    weights = np.reshape(tck[2], (rows.shape[-1], columns.shape[-1]))
    return rows @ weights @ columns.T


def read(table, x, nu=0):
    """A call of a spline, or of a polynomial."""
    return rt.interpolated(rt.at_fixed(x, table), table, nu)


def surface(table, x, y, dx=0, dy=0, grid=True):
    """A call of a spline of two variables."""
    tck = (*table.tck, *table.degrees)
    if grid:
        return _on_grid(np.atleast_1d(x), np.atleast_1d(y), tck, dx, dy)
    return along(table, x, y, dx, dy)


def along(table, xi, yi, dx=0, dy=0):
    """``ev``: at points, not on their grid."""
    tck = (*table.tck, *table.degrees)
    rows = rt.spline_basis(np.asarray(xi), tck[0], tck[3], dx)
    columns = rt.spline_basis(np.asarray(yi), tck[1], tck[4], dy)
    weights = np.reshape(tck[2], (rows.shape[-1], columns.shape[-1]))
    return np.sum((rows @ weights) * columns, -1)


def gridded(table, xi):
    """A call of ``RegularGridInterpolator``: along one axis after the other, between the corners of a cell."""
    if isinstance(xi, tuple):
        points = np.stack(np.broadcast_arrays(*xi), -1)
    else:
        points = np.asarray(xi)
        if np.ndim(points) == 1:
            points = np.reshape(points, (-1, len(table.grid)))
    low, size, corners, inside = rt.cells(points, table)
    if table.bounds_error and not np.all(inside):
        raise ValueError("One of the requested xi is out of bounds")
    share = (np.reshape(points, np.shape(low)) - low) / size
    for k in range(np.shape(low)[1]):
        half = np.shape(corners)[1] // 2
        part = share[:, k : k + 1]
        corners = corners[:, :half] * (1.0 - part) + corners[:, half:] * part
    found = corners[:, 0]
    if table.fill_value is not None:
        found = np.where(inside, found, table.fill_value)
    return np.reshape(found, np.shape(points)[:-1])


def reader(called: Any) -> tuple[Any, Any] | None:
    """What stands in for a call of a table, and the table; None if it is none."""
    if is_table(called):
        return read, called
    if is_of(called, ("RegularGridInterpolator",)):
        return gridded, called
    if is_of(called, ("RectBivariateSpline", "SmoothBivariateSpline", "LSQBivariateSpline")):
        return surface, called
    owner = getattr(called, "__self__", None)
    if is_of(owner, ("BivariateSpline",)) and getattr(called, "__name__", "") == "ev":
        return along, owner
    return None
