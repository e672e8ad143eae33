"""Differences and what sums them up again: ``np.gradient``, ``np.trapezoid``, ``np.interp``.

In: ``rt``: the linear maps and their adjoints.
Out: rules.
Next: polynomials.
"""

from __future__ import annotations

import numpy as np

from tangentlite import runtime as rt
from tangentlite.rules.notation import b, d, elementwise, linear, rule


@rule(np.diff)
def diff(x, n=1, axis=-1, prepend=None, append=None) -> y:
    d[y] = np.diff(rt.extended((d[prepend], d[x], d[append]), (prepend, x, append), axis), n, axis)
    parts = rt.separated(rt.undiff(b[y], n, axis), (prepend, x, append), axis)
    b[prepend] += parts[0]
    b[x] += parts[1]
    b[append] += parts[2]


@diff.when(lambda prepend, append: prepend.literal is append.literal is None)
def diff_inside(x, n=1, axis=-1, prepend=None, append=None) -> y:
    d[y] = np.diff(d[x], n, axis)
    b[x] += rt.undiff(b[y], n, axis)


@rule(np.ediff1d)
def ediff1d(x, to_end=None, to_begin=None) -> y:
    start = rt.lengths(to_begin)
    d[y] = rt.ended((d[to_begin], np.diff(np.ravel(d[x])), d[to_end]), y, to_begin, to_end)
    inner = rt.undiff(b[y][start : start + max(np.size(x) - 1, 0)])
    b[x] += np.reshape(inner, np.shape(x))
    b[to_end] += rt.unwindow(b[y], to_end, np.size(y) - rt.lengths(to_end))
    b[to_begin] += rt.unwindow(b[y], to_begin, 0)


@linear(np.gradient, in_=("f",))
def gradient(f, *varargs, axis=None, edge_order=1) -> y:
    """Of the spacings it has no derivative."""
    b[f] += rt.ungradient(b[y], f, varargs, axis, edge_order)


@rule(np.trapezoid)
def trapezoid(y, x=None, dx=1.0, axis=-1) -> area:
    means = rt.midpoints(y, axis)
    steps = rt.widths(x, y, axis)
    d[area] = np.sum(steps * rt.midpoints(d[y], axis) + rt.widths(d[x], y, axis) * means, axis)
    b[y] += rt.unmidpoints(steps * np.expand_dims(b[area], axis), y, axis)
    b[x] += rt.unwidths(means * np.expand_dims(b[area], axis), x, y, axis)


@trapezoid.when(lambda x: x.literal is None)
def trapezoid_of_even_steps(y, x=None, dx=1.0, axis=-1) -> area:
    means = rt.midpoints(y, axis)
    d[area] = np.sum(dx * rt.midpoints(d[y], axis) + d[dx] * means, axis)
    b[y] += rt.unmidpoints(rt.broadcast(dx * np.expand_dims(b[area], axis), means), y, axis)
    b[dx] += rt.unbroadcast(means * np.expand_dims(b[area], axis), dx)


@rule(np.interp)
def interp(x, xp, fp) -> y:
    """At a point of ``xp`` the derivative in ``x`` is the middle of the slopes beside it."""
    rise = rt.slope(x, xp, fp)
    d[y] = rise * (d[x] - np.interp(x, xp, d[xp])) + np.interp(x, xp, d[fp])
    b[x] += rise * b[y]
    b[xp] -= rt.uninterp(rise * b[y], x, xp)
    b[fp] += rt.uninterp(b[y], x, xp)


@rule(np.unwrap)
def unwrap(p, discont=None, axis=-1, *, period=6.283185307179586) -> y:
    """What is added is constant between its jumps."""
    d[y] = np.asarray(rt.filled(d[p], p))
    b[p] += b[y]


# The functions of the runtime.
@linear(rt.extended, in_=("ds",))
def extended(ds, xs, axis=-1) -> y:
    b[ds] += rt.separated(b[y], xs, axis)


@linear(rt.separated, in_=("g",))
def separated(g, xs, axis=-1) -> parts:
    b[g] += rt.extended(b[parts], xs, axis)


@linear(rt.gradient, in_=("x",))
def gradient_of(x, spacing, axis=None, edge_order=1) -> y:
    b[x] += rt.ungradient(b[y], x, spacing, axis, edge_order)


@linear(rt.ungradient, in_=("g",))
def ungradient(g, x, spacing, axis=None, edge_order=1) -> y:
    b[g] += rt.gradient(b[y], spacing, axis, edge_order)


@linear(rt.midpoints, in_=("y",))
def midpoints(y, axis=-1) -> z:
    b[y] += rt.unmidpoints(b[z], y, axis)


@linear(rt.unmidpoints, in_=("g",))
def unmidpoints(g, y, axis=-1) -> z:
    b[g] += rt.midpoints(b[z], axis)


@linear(rt.widths, in_=("x",))
def widths(x, y, axis=-1) -> z:
    b[x] += rt.unwidths(b[z], x, y, axis)


@linear(rt.unwidths, in_=("g",))
def unwidths(g, x, y, axis=-1) -> z:
    b[g] += rt.unbroadcast(rt.widths(b[z], y, axis), g)


@rule(rt.slope, constant=("x",))
def slope(x, xp, fp) -> s:
    d[s] = rt.slope(x, xp, d[fp]) - s * rt.slope(x, xp, d[xp])
    b[fp] += rt.unslope(b[s], x, xp)
    b[xp] -= rt.unslope(s * b[s], x, xp)


@rule(rt.unslope, constant=("x",))
def unslope(g, x, xp) -> y:
    d[y] = rt.unslope(d[g] - g * rt.slope(x, xp, d[xp]), x, xp)
    b[g] += rt.slope(x, xp, b[y])
    b[xp] -= rt.unslope(g * rt.slope(x, xp, b[y]), x, xp)


@rule(rt.uninterp)
def uninterp(g, x, xp) -> y:
    rise = rt.slope(x, xp, b[y])
    d[y] = rt.uninterp(d[g], x, xp) + rt.unslope(g * (d[x] - np.interp(x, xp, d[xp])), x, xp)
    b[g] += np.interp(x, xp, b[y])
    b[x] += g * rise
    b[xp] -= rt.uninterp(g * rise, x, xp)


@elementwise(rt.settled, constant=("rest", "value", "error"), samples=[(0.7, 0.7, 0.75, 0.1)])
def settled(whole, rest, value, error) -> y:
    """An integral whose value was found before."""
    d[y] = d[whole]
