"""``scipy.integrate.quad``: an integral moves with its limits, and with what the function under it holds.

The value is SciPy's; its derivatives are those of a sum over places that fit the function.

In: arguments of SciPy's function.
Out: stand-ins.
Next: laws.
"""

from __future__ import annotations

import numpy as np

from tangentlite import runtime as rt
from tangentlite.standins.table import stands_for


@stands_for("scipy.integrate.quad")
def quad(func, a, b, args=(), *, epsabs=1.49e-8, epsrel=1.49e-8, limit=50, points=None):
    """The integral, and how far it may be off."""
    if not isinstance(args, tuple):
        args = (args,)
    found = rt.area(func, a, b, args, points, epsabs=epsabs, epsrel=epsrel, limit=limit)
    if points is not None:
        whole = _in_parts(func, a, b, args, points)
    elif np.isfinite(a) and np.isfinite(b):
        whole = _between(func, a, b, args)
    elif a < b:
        whole = _without_end(func, a, b, args)
    else:
        whole = -_without_end(func, b, a, args)
    return rt.settled(whole, rt.stop_gradient(whole), found[0], found[1]), found[1]


def _between(func, a, b, args):
    """Places are shares of the way from one limit to the other."""
    places, weights = rt.between(func, a, b, args)
    width = b - a
    total = 0.0
    for k in range(len(places)):
        total = total + weights[k] * func(a + width * places[k], *args)
    return width * total


def _in_parts(func, a, b, args, points):
    """From one point to the next."""
    edges = np.concatenate([np.array([a]), np.sort(np.asarray(points)), np.array([b])])
    total = 0.0
    for k in range(len(edges) - 1):
        total = total + _between(func, edges[k], edges[k + 1], args)
    return total


def _without_end(func, a, b, args):
    """Places are distances from the limit there is."""
    start = 0.0
    if np.isfinite(a):
        start = a
        places, weights = rt.beyond(func, a, 1.0, args)
    elif np.isfinite(b):
        start = b
        places, weights = rt.beyond(func, b, -1.0, args)
    else:
        places, weights = rt.everywhere(func, args)
    total = 0.0
    for k in range(len(places)):
        total = total + weights[k] * func(start + places[k], *args)
    return total
