"""A loop that adds constants has the derivative one, and no backward sweep."""


def f(x):
    while x < 10000.0:
        x = x + 1
    return x


REQUEST = {"points": [(9990.5,), (20000.0,)]}
# ---- expected ----
def df_dx(x, *, bx=1.0):
    # Forward
    rt.numbers(x)
    x_1 = x
    while x < 10000.0:
        x = x + 1
    # Backward
    bx = rt.seed(bx, x)
    return rt.like(bx, x_1)
