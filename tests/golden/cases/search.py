"""A return from inside a loop: a flag tells what follows."""

import numpy as np


def f(xs, level):
    for k in range(len(xs)):
        if xs[k] > level:
            return xs[k] * xs[k]
    return level * 2.0


REQUEST = {"points": [(np.array([0.5, 1.5, 2.5]), 1.0), (np.array([0.5, 1.5]), 2.0)]}
# ---- expected ----
def df_dxs(xs, level, *, by=1.0):
    # Forward
    rt.numbers(xs, level)
    tape = []
    returned = False
    trips = 0
    for k in range(len(xs)):
        trips = trips + 1
        taken = xs[k] > level
        if taken:
            y = xs[k] * xs[k]
            returned = True
        tape.append(taken)
        if returned:
            break
    if not returned:
        y = level * 2.0
    # Backward
    by = rt.seed(by, y)
    # Grad of: for k in range(len(xs)):
    if not returned:
        by = rt.ZERO
    bxs = rt.zeros(xs)
    for k in reversed(range(trips)):
        taken = tape.pop()
        # Grad of: if xs[k] > level:
        if taken:
            t2 = xs[k]
            t3 = xs[k]
            # Grad of: return xs[k] * xs[k]
            bxs[k] += (
                rt.unbroadcast_product(by, t2, t3) + rt.unbroadcast_product(by, t3, t2)
            )
            by = rt.ZERO
    return rt.like(bxs, xs)
