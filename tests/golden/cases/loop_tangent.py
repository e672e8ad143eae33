"""Forward mode through a loop: nothing is recorded."""

import numpy as np


def f(x, n):
    y = x
    for i in range(n):
        y = np.sin(y) * x
    return y


REQUEST = {
    "call": "autodiff",
    "mode": "forward",
    "points": [(1.3, 5), (-0.4, 0)],
    "shapes": True,
}
# ---- expected ----
def f_tangent(x, n, *, dx=1.0):
    rt.numbers(x)
    dx = rt.tangent(dx, x)
    y = x
    dy = dx
    for i in range(n):
        t1 = np.sin(y)
        dt1 = np.cos(y) * dy
        y = t1 * x
        dy = x * dt1 + t1 * dx
    return rt.owned(dy, y)
