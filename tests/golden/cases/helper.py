"""A helper becomes a pair: one function forward, one backward."""

import numpy as np


def wave(a, k):
    return np.sin(a * k) * a


def f(x):
    return np.sum(wave(x, 2.0) + wave(x, 3.0))


REQUEST = {"points": [(1.3,), (np.array([0.4, 1.3, 0.7]),)]}
# ---- expected ----
def df_dx(x, *, by=1.0):
    # Forward
    rt.numbers(x)
    t1, saved_1 = wave_forward(x, 2.0)
    t2, saved = wave_forward(x, 3.0)
    # Backward
    # Grad of: return np.sum(wave(x, 2.0) + wave(x, 3.0))
    bx = wave_backward(saved, rt.spread(by, x))
    bt1 = rt.spread(by, x)
    bx = bx + wave_backward(saved_1, bt1)
    return rt.like(bx, x)


def wave_forward(a, k):
    t1 = a * k
    t2 = np.sin(t1)
    y = t2 * a
    return y, (a, k, t1, t2)


def wave_backward(saved, by):
    a, k, t1, t2 = saved
    # Grad of: return np.sin(a * k) * a
    ba = by * t2 + by * a * np.cos(t1) * k
    return ba
