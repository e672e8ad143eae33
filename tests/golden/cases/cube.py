"""A product, for floats and for arrays."""


def f(x):
    return x * x * x


REQUEST = {"points": [(1.5,), (-2.0,)], "shapes": True}
# ---- expected ----
def df_dx(x, *, by=1.0):
    if type(x) is not float:
        return df_dx_array(x, by=by)
    # Grad of: return x * x * x
    bx = 3.0 * by * x * x
    return bx


def df_dx_array(x, *, by=1.0):
    # Forward
    rt.numbers(x)
    t1 = x * x
    y = t1 * x
    # Backward
    by = rt.seed(by, y)
    # Grad of: return x * x * x
    bx = by * t1 + 2.0 * by * x * x
    return rt.like(bx, x)
