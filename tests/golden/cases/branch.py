"""A branch: the test is evaluated again, nothing is recorded."""


def f(x):
    if x > 0:
        y = x * 2.0
    else:
        y = 0.1 * x
    return y


REQUEST = {"points": [(1.5,), (-2.0,)]}
# ---- expected ----
def df_dx(x, *, by=1.0):
    if type(x) is not float:
        return df_dx_array(x, by=by)
    # Grad of: if x > 0:
    if x > 0:
        # Grad of: y = x * 2.0
        bx = by * 2.0
    else:
        # Grad of: y = 0.1 * x
        bx = by * 0.1
    return bx


def df_dx_array(x, *, by=1.0):
    # Forward
    rt.numbers(x)
    if x > 0:
        y = x * 2.0
    else:
        y = 0.1 * x
    # Backward
    by = rt.seed(by, y)
    # Grad of: if x > 0:
    if x > 0:
        # Grad of: y = x * 2.0
        bx = by * 2.0
    else:
        # Grad of: y = 0.1 * x
        bx = by * 0.1
    return rt.like(bx, x)
