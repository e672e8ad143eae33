"""The gradient of a gradient."""

import tangentlite as tl


def f(x):
    return x * x * x


df = tl.grad(f)
REQUEST = {"of": "df", "points": [(1.5,), (-2.0,)]}
# ---- expected ----
def ddf_dx_array_dx(x, *, by=1.0, by_1=1.0):
    # Forward
    rt.numbers(x, by)
    rt.numbers(x)
    t1 = x * x
    y = t1 * x
    by = rt.seed(by, y)
    t4 = 2.0 * by
    t5 = t4 * x
    bx = by * t1 + t5 * x
    # Backward
    by_1 = rt.seed(by_1, rt.like(bx, x))
    # Grad of: return rt.like(bx, x)
    bbx = rt.unbroadcast(by_1, bx)
    # Grad of: t1 = x * x
    return rt.like(bbx * t5 + bbx * x * t4 + 2.0 * bbx * by * x, x)
