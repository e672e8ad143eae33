"""A loop that overwrites its state: one record per trip."""

import numpy as np


def f(x, n):
    y = x
    for i in range(n):
        y = np.sin(y) * x
    return y


REQUEST = {"points": [(1.3, 5), (-0.4, 0)], "shapes": True}
# ---- expected ----
def df_dx(x, n, *, by=1.0):
    # Forward
    rt.numbers(x)
    tape = []
    y = x
    for i in range(n):
        tape.append(y)
        y = np.sin(y) * x
    # Backward
    by = rt.seed(by, y)
    bx = rt.ZERO
    for i in reversed(range(n)):
        y = tape.pop()
        # Grad of: y = np.sin(y) * x
        bx = bx + by * np.sin(y)
        by = by * x * np.cos(y)
    # Grad of: y = x
    bx = bx + by
    return rt.like(bx, x)
