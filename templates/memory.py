"""Memory that is written in place: its shadows, its tangents, what a store takes and gives.

In: ``rt``, as in runtime.
Out: rules.
Next: factors.
"""

from __future__ import annotations

import numpy as np

from tangentlite import runtime as rt
from tangentlite.rules.notation import b, d, inactive, linear, rule

inactive(rt.room, rt.storage, rt.shadow, rt.along, rt.main_diagonal, rt.flat_index, rt.mask_of)
inactive(rt.put_index, rt.turns, rt.disjoint, rt.rounds, rt.shape_at, rt.shuffled)


@rule(rt.composed)
def composed(z, v) -> y:
    d[y] = rt.broadcast(np.real(d[z]) + 1j * d[v], y)
    b[z] += rt.unbroadcast(np.real(b[y]), z)
    b[v] += rt.unbroadcast(1j * b[y], v)


inactive(rt.fits, rt.takes, rt.no_array, rt.single, rt.outline, rt.steady, rt.in_step, rt.spent)
inactive(rt.frame)
inactive(rt.no_iterator, rt.no_storage, rt.came, rt.left_alone, pure=False)
inactive(rt.level, rt.width, rt.keyed, rt.within)


@linear(rt.cycled, in_=("v",))
def cycled(v, part) -> y:
    b[v] += rt.uncycled(b[y], v)


@linear(rt.uncycled, in_=("b_",))
def uncycled(b_, v) -> y:
    b[b_] += rt.broadcast(rt.cycled(b[y], b_), b_)


inactive(rt.effects, rt.note, rt.publish, rt.watched, rt.keep, pure=False)


@rule(rt.own, constant=("others", "effects"))
def own(x, *others, effects=None) -> y:
    d[y] = rt.owned(d[x], y)
    b[x] += b[y]


@rule(rt.private)
def private(saved) -> y:
    d[y] = rt.private(d[saved])
    b[saved] += b[y]


@linear(rt.drained, in_=("bx",))
def drained(bx) -> y:
    b[bx] += b[y]


@rule(rt.collected)
def collected(bx) -> y:
    d[y] = rt.collected(d[bx])
    b[bx] += rt.uncollected(b[y], bx)


@rule(rt.uncollected, constant=("bx",))
def uncollected(by, bx) -> y:
    d[y] = rt.uncollected(d[by], bx)
    b[by] += rt.uncollected(b[y], bx)


@rule(rt.summed)
def summed(bx, e, x) -> y:
    d[y] = rt.summed(d[bx], d[e], y)
    b[bx] += rt.unbroadcast(b[y], bx)
    b[e] += rt.unbroadcast(b[y], e)


@linear(rt.buffer, in_=("bx",))
def buffer(bx, x) -> y:
    b[bx] += rt.unbroadcast(b[y], bx)


@linear(rt.won, in_=("ba",), constant=("i",))
def won(ba, i) -> part:
    b[ba] += rt.placed(b[part], i, ba)


@linear(rt.placed, in_=("part",), constant=("i",))
def placed(part, i, ba) -> y:
    b[part] += rt.unbroadcast(rt.won(b[y], i), part)


@rule(rt.view, constant=("y", "x", "x2", "x3", "x4"))
def view(y, x, bx, x2=None, bx2=None, x3=None, bx3=None, x4=None, bx4=None) -> r:
    d[r] = rt.view(y, x, d[bx], x2, d[bx2], x3, d[bx3], x4, d[bx4])
    b[bx] += rt.unview(b[r], y, x, bx)
    b[bx2] += rt.unview(b[r], y, x2, bx2, x)
    b[bx3] += rt.unview(b[r], y, x3, bx3, x, x2)
    b[bx4] += rt.unview(b[r], y, x4, bx4, x, x2, x3)


@rule(rt.apart, constant=("bx",))
def apart(by, bx) -> r:
    d[r] = rt.unshared(d[by], r)
    b[by] += rt.unshared(b[r], r)


@linear(rt.unshared, in_=("g",), constant=("r",))
def unshared(g, r) -> y:
    b[g] += rt.unshared(b[y], r)


@rule(rt.unview, constant=("y", "x", "first", "second", "third"))
def unview(by, y, x, bx, first=None, second=None, third=None) -> r:
    d[r] = rt.unview(d[by], y, x, bx, first, second, third)
    b[by] += rt.view(y, first, rt.ZERO, second, rt.ZERO, third, rt.ZERO, x, b[r])


# Tangents of arrays that are written in place.
inactive(rt.still)


@rule(rt.followed, constant=("y", "x", "x2", "x3", "x4"))
def followed(dy, y, x, dx, x2=None, dx2=None, x3=None, dx3=None, x4=None, dx4=None) -> r:
    d[r] = rt.followed(d[dy], y, x, d[dx], x2, d[dx2], x3, d[dx3], x4, d[dx4])
    b[dy] += rt.unfollowed(b[r], y, x, x2, x3, x4)
    b[dx] += rt.unview(b[r], y, x, dx)
    b[dx2] += rt.unview(b[r], y, x2, dx2, x)
    b[dx3] += rt.unview(b[r], y, x3, dx3, x, x2)
    b[dx4] += rt.unview(b[r], y, x4, dx4, x, x2, x3)


@rule(rt.unfollowed, constant=("y", "x", "x2", "x3", "x4"))
def unfollowed(dr, y, x, x2=None, x3=None, x4=None) -> dy:
    d[dy] = rt.unfollowed(d[dr], y, x, x2, x3, x4)
    b[dr] += rt.unfollowed(b[dy], y, x, x2, x3, x4)


@linear(rt.owned, in_=("dy",))
def owned(dy, y) -> z:
    b[dy] += rt.unbroadcast(b[z], dy)


@linear(rt.stored, in_=("dv",))
def stored(dv, a, v=0.0) -> y:
    b[dv] += rt.stored(b[y], a, v)
