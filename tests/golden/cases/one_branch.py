"""An `if` without `else`: on the other path the adjoint passes."""


def f(x):
    y = x * 2.0
    if y > 1.0:
        y = y * x
    return y


REQUEST = {"points": [(1.5,), (0.2,)]}
# ---- expected ----
def df_dx(x, *, by=1.0):
    if type(x) is not float:
        return df_dx_array(x, by=by)
    # Forward
    y = x * 2.0
    # Backward
    # Grad of: if y > 1.0:
    if y > 1.0:
        # Grad of: y = y * x
        bt1 = by
        by = by * x
        bx = bt1 * y
    else:
        bx = 0.0
    # Grad of: y = x * 2.0
    bx = bx + by * 2.0
    return bx


def df_dx_array(x, *, by=1.0):
    # Forward
    rt.numbers(x)
    y = x * 2.0
    y_1 = y
    if y > 1.0:
        y = y * x
    # Backward
    by = rt.seed(by, y)
    # Grad of: if y > 1.0:
    if y_1 > 1.0:
        # Grad of: y = y * x
        bt1 = by
        by = by * x
        bx = bt1 * y_1
    else:
        bx = rt.ZERO
    # Grad of: y = x * 2.0
    bx = bx + by * 2.0
    return rt.like(bx, x)
