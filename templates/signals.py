"""Convolutions along several axes, and systems of few diagonals: what ``tangentlite/standins/signals`` calls.

In: arrays.
Out: rules.
Next: scipy_special.
"""

from __future__ import annotations

from tangentlite import runtime as rt
from tangentlite.rules.notation import b, d, inactive, linear, rule

inactive(rt.middle)


@rule(rt.convolved)
def convolved(x, y, axes=None) -> z:
    d[z] = rt.convolved(d[x], y, axes) + rt.convolved(x, d[y], axes)
    b[x] += rt.correlated(b[z], y, x, axes)
    b[y] += rt.correlated(b[z], x, y, axes)


@rule(rt.correlated)
def correlated(g, y, like, axes=None) -> z:
    d[z] = rt.correlated(d[g], y, like, axes) + rt.correlated(g, d[y], like, axes)
    b[g] += rt.convolved(b[z], y, axes)
    b[y] += rt.correlated(g, b[z], y, axes)


@rule(rt.solve_bands)
def solve_bands(ab, y, lower, upper) -> x:
    d[x] = rt.solve_bands(ab, d[y] - rt.times_bands(d[ab], x, lower, upper), lower, upper)
    r = rt.solve_bands(rt.turned_bands(ab, lower, upper), b[x], upper, lower)
    b[y] += r
    b[ab] -= rt.to_bands(r, x, lower, upper)


@rule(rt.times_bands)
def times_bands(ab, x, lower, upper) -> y:
    d[y] = rt.times_bands(d[ab], x, lower, upper) + rt.times_bands(ab, d[x], lower, upper)
    b[ab] += rt.to_bands(b[y], x, lower, upper)
    b[x] += rt.times_bands(rt.turned_bands(ab, lower, upper), b[y], upper, lower)


@rule(rt.to_bands)
def to_bands(r, x, lower, upper) -> ab:
    d[ab] = rt.to_bands(d[r], x, lower, upper) + rt.to_bands(r, d[x], lower, upper)
    b[r] += rt.times_bands(b[ab], x, lower, upper)
    b[x] += rt.times_bands(rt.turned_bands(b[ab], lower, upper), r, upper, lower)


@linear(rt.turned_bands, in_=("ab",))
def turned_bands(ab, lower, upper) -> y:
    b[ab] += rt.turned_bands(b[y], upper, lower)
