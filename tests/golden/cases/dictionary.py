"""Parameters by name: the gradient is a dict as well."""

import numpy as np


def f(p, x):
    y = p["w"] * x + p["b"]
    return np.sum(y * y)


REQUEST = {"points": [({"w": np.array([0.4, 1.3]), "b": 0.7}, np.array([2.0, -1.0]))]}
# ---- expected ----
def df_dp(p, x, *, by_1=1.0):
    # Forward
    rt.numbers(p, x)
    t1 = p['w']
    t2 = t1 * x
    t3 = p['b']
    y = t2 + t3
    # Backward
    # Grad of: return np.sum(y * y)
    by = 2.0 * by_1 * y
    # Grad of: y = p["w"] * x + p["b"]
    bt2 = rt.unbroadcast(by, t2)
    bp = rt.zeros(p)
    bp['b'] += rt.unbroadcast(by, t3)
    bp['w'] += rt.unbroadcast(bt2 * x, t1)
    return bp
