"""A recurrent network over the rows of an array."""

import numpy as np


def f(w, u, b, xs):
    h = np.zeros(len(b))
    for x in xs:
        h = np.tanh(w @ h + u @ x + b)
    return np.sum(h * h)


REQUEST = {
    "wrt": ("w", "u", "b"),
    "points": [
        (
            np.linspace(-0.5, 0.7, 9).reshape(3, 3),
            np.linspace(0.4, -0.3, 6).reshape(3, 2),
            np.array([0.1, -0.2, 0.3]),
            np.linspace(-1.0, 1.0, 8).reshape(4, 2),
        )
    ],
}
# ---- expected ----
def df_dw_du_db(w, u, b, xs, *, by=1.0):
    # Forward
    rt.numbers(w, u, b)
    tape = []
    h = np.zeros(len(b))
    t2 = rt.sequence(xs)
    t3 = len(t2)
    for i in range(t3):
        h_1 = h
        x = t2[i]
        t4 = w @ h
        t5 = u @ x
        h = np.tanh(t4 + t5 + b)
        tape.append((h_1, t4, t5, h))
    # Backward
    # Grad of: return np.sum(h * h)
    bh = 2.0 * by * h
    bb = rt.ZERO
    bu = rt.ZERO
    bw = rt.ZERO
    for i in reversed(range(t3)):
        h_1, t4, t5, h = tape.pop()
        x = t2[i]
        # Grad of: h = np.tanh(w @ h + u @ x + b)
        bt7 = bh * (1.0 - h * h)
        bb = bb + rt.unbroadcast(bt7, b)
        bu += rt.matmul_left(rt.unbroadcast(bt7, t5), u, x)
        bt4 = rt.unbroadcast(bt7, t4)
        bw += rt.matmul_left(bt4, w, h_1)
        bh = rt.matmul_right(bt4, w, h_1)
    return rt.distinct((rt.like(bw, w), rt.like(bu, u), rt.like(bb, b)))
