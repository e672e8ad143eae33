"""A layer with a squared loss, in two parameters."""

import numpy as np


def f(w, b, x, t):
    v = np.tanh(x @ w + b)
    r = v - t
    return np.sum(r * r)


_x = np.linspace(-1.0, 1.0, 12).reshape(4, 3)
_t = np.linspace(0.0, 0.5, 8).reshape(4, 2)
REQUEST = {
    "wrt": ("w", "b"),
    "points": [(np.linspace(-0.5, 0.7, 6).reshape(3, 2), np.array([0.1, -0.2]), _x, _t)],
}
# ---- expected ----
def df_dw_db(w, b, x, t, *, by=1.0):
    # Forward
    rt.numbers(w, b, x, t)
    t1 = x @ w
    v = np.tanh(t1 + b)
    r = v - t
    # Backward
    # Grad of: return np.sum(r * r)
    br = 2.0 * by * r
    # Grad of: r = v - t
    bv = rt.unbroadcast(br, v)
    # Grad of: v = np.tanh(x @ w + b)
    bt2 = bv * (1.0 - v * v)
    bb = rt.unbroadcast(bt2, b)
    bw = rt.matmul_right(rt.unbroadcast(bt2, t1), x, w)
    return rt.distinct((rt.like(bw, w), rt.like(bb, b)))
