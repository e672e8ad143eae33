"""Roots of equations, as they move with what is left of the equations.

In: ``rt``: the roots that were found.
Out: rules.
Next: tangentlite.rules.
"""

from __future__ import annotations

import numpy as np

from tangentlite import runtime as rt
from tangentlite.rules.notation import b, d, elementwise, rule


@elementwise(rt.sure_slope, constant=("rest", "x"), samples=[(0.7, 0.0, 0.3)])
def sure_slope(slope, rest, x) -> y:
    d[y] = d[slope]


@elementwise(rt.moved, constant=("x", "slope"), samples=[(0.7, 0.2, 1.3)])
def moved(x, rest, slope) -> y:
    y = +x
    d[y] = -d[rest] / slope


@rule(rt.all_moved, constant=("x", "slope"))
def all_moved(x, rest, slope) -> y:
    y = +x
    d[y] = -np.linalg.solve(slope, d[rest])
    b[rest] -= np.linalg.solve(rt.mT(slope), b[y])
