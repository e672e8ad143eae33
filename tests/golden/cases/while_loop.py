"""A `while` counts its trips."""


def f(x):
    y = x
    while y < 50.0:
        y = y * x + 1.0
    return y


REQUEST = {"points": [(1.5,), (60.0,)]}
# ---- expected ----
def df_dx(x, *, by=1.0):
    # Forward
    rt.numbers(x)
    tape = []
    y = x
    trips = 0
    while y < 50.0:
        tape.append(y)
        y = y * x + 1.0
        trips = trips + 1
    # Backward
    by = rt.seed(by, y)
    bx = rt.ZERO
    for turn in range(trips):
        y = tape.pop()
        # Grad of: y = y * x + 1.0
        bt1 = by
        by = by * x
        bx = bx + bt1 * y
    # Grad of: y = x
    bx = bx + by
    return rt.like(bx, x)
