"""Inserted code: the gradient is clipped, and the user is told."""

import tangentlite as tl


def f(x):
    with tl.insert_grad_of(x) as dx:
        if dx > 10:
            print("Clipping", dx)
            dx = 10
    return x * x


REQUEST = {"points": [(2.0,)]}
# ---- expected ----
def df_dx(x, *, by=1.0):
    if type(x) is not float:
        return df_dx_array(x, by=by)
    # Grad of: return x * x
    bx = 2.0 * by * x
    # Grad of: with tl.insert_grad_of(x) as dx:
    if bx > 10:
        print('Clipping', bx)
        bx = 10
    return bx


def df_dx_array(x, *, by=1.0):
    # Forward
    rt.numbers(x)
    y = x * x
    # Backward
    by = rt.seed(by, y)
    # Grad of: return x * x
    bx = 2.0 * by * x
    # Grad of: with tl.insert_grad_of(x) as dx:
    bx = rt.complete(bx, x)
    if bx > 10:
        print('Clipping', bx)
        bx = 10
    bx = rt.replaced(bx, x)
    return rt.like(bx, x)
