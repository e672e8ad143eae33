"""Split motion: forward returns what backward needs."""

import numpy as np


def f(x, w):
    y = np.exp(x) * w
    return np.sum(y * y)


REQUEST = {"call": "autodiff", "motion": "split", "wrt": ("x", "w"), "points": [(np.array([0.4, 1.3]), 0.7)]}
# ---- expected ----
def f_forward(x, w):
    rt.numbers(x, w)
    t1 = np.exp(x)
    y = t1 * w
    return np.sum(y * y), (t1, w, x, y)


def f_backward(saved, by_1=1.0):
    t1, w, x, y = saved
    # Grad of: return np.sum(y * y)
    by = 2.0 * by_1 * y
    # Grad of: y = np.exp(x) * w
    bw = rt.unbroadcast(by * t1, w)
    bx = rt.times(rt.unbroadcast(by * w, x), t1)
    return rt.like(bx, x), rt.like(bw, w)
