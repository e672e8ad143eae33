"""Choosing elements by condition, by order, by index.

In: conditions and indices, which carry no derivative.
Out: rules.
Next: indexing.
"""

from __future__ import annotations

import numpy as np

from tangentlite import runtime as rt
from tangentlite.rules.notation import b, d, elementwise, linear, rule


@elementwise(np.where, constant=("c",))
def where(c, x, y) -> z:
    d[z] = np.where(c, d[x], d[y])


@rule(np.sort)
def sort(x, axis=-1) -> y:
    """Sorted once: the order is kept."""
    order = np.argsort(x, axis)
    y = np.take_along_axis(x, order, axis)
    d[y] = np.take_along_axis(d[x], order, axis)
    b[x] += rt.put_along(b[y], x, order, axis)


@linear(np.take_along_axis, in_=("x",))
def take_along_axis(x, indices, axis=-1) -> y:
    b[x] += rt.put_along(b[y], x, indices, axis)


@linear(np.take, np.ndarray.take, in_=("x",))
def take(x, indices, axis=None) -> y:
    b[x] += rt.untake(b[y], x, indices, axis)


@elementwise(np.ndarray.clip)
def clip(a, min=None, max=None) -> y:
    """As ``np.clip``: ties are shared evenly."""
    inside = rt.wins(a, min) * rt.wins(max, a)
    low = rt.wins(min, a) * rt.wins(max, min)
    high = 1.0 - inside - low
    d[y] = rt.cancel(d[a], inside) + rt.cancel(d[min], low) + rt.cancel(d[max], high)
