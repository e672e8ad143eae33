"""A list comprehension over the elements of an array."""

import numpy as np


def f(x):
    ys = [np.sin(v) * v for v in x]
    return sum(ys)


REQUEST = {"points": [(np.array([0.4, 1.3, 0.7]),)]}
# ---- expected ----
def df_dx(x, *, by=1.0):
    # Forward
    rt.numbers(x)
    tape = []
    ys = []
    t1 = rt.sequence(x)
    t2 = len(t1)
    for i in range(t2):
        v = t1[i]
        t3 = np.sin(v)
        tape.append(t3)
        ys.append(t3 * v)
    y = 0
    t7 = rt.sequence(ys)
    t8 = len(t7)
    for i_1 in range(t8):
        y = y + t7[i_1]
    # Backward
    by = rt.seed(by, y)
    bys = rt.zeros(ys)
    bt7 = rt.zeros(t7)
    for i_1 in reversed(range(t8)):
        # Grad of: return sum(ys)
        rt.add_at(bt7, i_1, rt.unbroadcast(by, t7[i_1]))
    # Grad of: return sum(ys)
    bys = rt.add(bys, bt7)
    bt1 = rt.zeros(t1)
    for i in reversed(range(t2)):
        t3 = tape.pop()
        v = t1[i]
        # Grad of: ys = [np.sin(v) * v for v in x]
        bt4 = bys.pop()
        bv = bt4 * t3 + bt4 * v * np.cos(v)
        bt1[i] = bv
    # Grad of: ys = [np.sin(v) * v for v in x]
    bx = bt1
    return rt.like(bx, x)
