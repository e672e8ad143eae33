"""Forward mode: the tangent beside the primal."""

import numpy as np


def f(x, y):
    z = np.exp(x) * y
    return z + x


REQUEST = {"call": "autodiff", "mode": "forward", "points": [(0.3, 1.7)], "shapes": True}
# ---- expected ----
def f_tangent(x, y, *, dx=1.0):
    rt.numbers(x, y)
    dx = rt.tangent(dx, x)
    dz = y * rt.cancel(dx, np.exp(x))
    return dz + dx
