"""Two layers and a loss, in all parameters: a list of pairs."""

import numpy as np


def f(params, x, t):
    h = x
    for w, b in params:
        h = np.tanh(h @ w + b)
    r = h - t
    return np.sum(r * r)


_w = [np.linspace(-0.5, 0.7, 6).reshape(3, 2), np.linspace(0.3, -0.2, 4).reshape(2, 2)]
_b = [np.array([0.1, -0.2]), np.array([0.3, 0.0])]
_x = np.linspace(-1.0, 1.0, 12).reshape(4, 3)
_t = np.linspace(0.0, 0.5, 8).reshape(4, 2)
REQUEST = {"points": [(list(zip(_w, _b)), _x, _t)]}
# ---- expected ----
def df_dparams(params, x, t, *, by=1.0):
    # Forward
    rt.numbers(params, t)
    tape = []
    h = x
    t1 = rt.sequence(params)
    t2 = len(t1)
    for i in range(t2):
        h_1 = h
        t4 = rt.unpack(t1[i], 2)
        w = t4[0]
        b = t4[1]
        t5 = h @ w
        h = np.tanh(t5 + b)
        tape.append((h_1, t4, t5, h))
    r = h - t
    # Backward
    # Grad of: return np.sum(r * r)
    br = 2.0 * by * r
    # Grad of: r = h - t
    bh = rt.unbroadcast(br, h)
    bt1 = rt.zeros(t1)
    for i in reversed(range(t2)):
        h_1, t4, t5, h = tape.pop()
        w = t4[0]
        # Grad of: h = np.tanh(h @ w + b)
        bb = bh * (1.0 - h * h)
        bt5 = rt.unbroadcast(bb, t5)
        bh = rt.matmul_left(bt5, h_1, w)
        bw = rt.matmul_right(bt5, h_1, w)
        # Grad of: for (w, b) in params:
        bb = rt.unbroadcast(bb, w)
        bt4 = rt.zeros(t4)
        bt4[1] += bb
        bt4[0] += bw
        bt1[i] = bt4
    # Grad of: for (w, b) in params:
    bparams = bt1
    return rt.like(bparams, params)
