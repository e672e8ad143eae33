"""Inserted code in a loop: the adjoint keeps the user's name where it is written in place."""

import numpy as np

import tangentlite as tl


def f(w, h, n):
    for i in range(n):
        h = np.tanh(w * h)
        with tl.insert_grad_of(h) as dh:
            dh *= 1.0
    return h


REQUEST = {"points": [(0.5, 0.3, 4)]}
# ---- expected ----
def df_dw(w, h, n, *, bh=1.0):
    # Forward
    rt.numbers(w, h)
    tape = []
    for i in range(n):
        h_1 = h
        h = np.tanh(w * h)
        tape.append((h_1, h))
    # Backward
    bh = rt.seed(bh, h)
    bw = rt.ZERO
    for i in reversed(range(n)):
        h_1, h = tape.pop()
        # Grad of: with tl.insert_grad_of(h) as dh:
        dh = rt.complete(bh, h, own=True)
        dh *= 1.0
        bh = rt.replaced(dh, h)
        # Grad of: h = np.tanh(w * h)
        bt1 = bh * (1.0 - h * h)
        bw = bw + rt.unbroadcast_product(bt1, h_1, w)
        bh = bt1 * w
    return rt.like(bw, w)
