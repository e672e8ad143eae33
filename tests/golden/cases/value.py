"""The value beside the gradient."""

import numpy as np


def f(x):
    y = np.exp(-x * x)
    return np.sum(y)


REQUEST = {"call": "value_and_grad", "points": [(0.7,), (np.array([0.4, 1.3]),)]}
# ---- expected ----
def df_dx(x, *, by_1=1.0):
    # Forward
    rt.numbers(x)
    t1 = -x
    y = np.exp(t1 * x)
    # Backward
    # Grad of: y = np.exp(-x * x)
    bt2 = rt.times(by_1, y)
    bx = bt2 * t1 - bt2 * x
    return np.sum(y), rt.like(bx, x)
