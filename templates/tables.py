"""Tables of ``scipy.interpolate``, which are constants: how what they give rises with the point.

In: points.
Out: rules.
Next: products.
"""

from __future__ import annotations

import numpy as np

from tangentlite import runtime as rt
from tangentlite.rules.notation import b, d, inactive, rule

KNOTS = np.array([0.0, 0.0, 0.0, 0.0, 0.4, 1.0, 1.0, 1.0, 1.0])

inactive(rt.cells)  # where points lie, until one moves into the next cell


@rule(rt.at_fixed, samples=[(0.7, KNOTS)])
def at_fixed(x, table) -> y:
    """Refuses what depends on an input for ``table``: the rules below take it for a constant."""
    d[y] = d[x]
    b[x] += b[y]


@rule(
    rt.interpolated,
    constant=("table", "n"),
    samples=[(0.7, np.poly1d([0.3, 0.5, 0.2, 1.1]), 1)],
)
def interpolated(x, table, n=0) -> y:
    rise = rt.interpolated(x, table, n + 1)
    d[y] = rise * d[x]
    b[x] += rise * b[y]


@rule(
    rt.spline,
    constant=("knots", "weights", "degree", "n", "ext"),
    samples=[(0.7, KNOTS, np.array([0.3, 0.9, 0.4, 1.2, 0.1]), 3, 1)],
)
def spline(x, knots, weights, degree, n=0, ext=0) -> y:
    rise = rt.spline(x, knots, weights, degree, n + 1, ext)
    d[y] = rise * d[x]
    b[x] += rise * b[y]


@rule(rt.spline_basis, constant=("knots", "degree", "n"), samples=[(0.7, KNOTS, 3, 1)])
def spline_basis(x, knots, degree, n=0) -> y:
    rise = rt.spline_basis(x, knots, degree, n + 1)
    d[y] = rise * np.expand_dims(d[x], -1)
    b[x] += np.sum(rise * b[y], -1)
