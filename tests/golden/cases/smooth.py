"""A smoothing step, repeated: linear, so there is no tape."""


def f(x, steps):
    for t in range(steps):
        x = 0.5 * x + 0.25 * (x + 1.0)
    return x


REQUEST = {"points": [(1.5, 4), (1.5, 0)], "shapes": True}
# ---- expected ----
def df_dx(x, steps, *, bx=1.0):
    # Forward
    rt.numbers(x)
    x_1 = x
    for t in range(steps):
        x = 0.5 * x + 0.25 * (x + 1.0)
    # Backward
    bx = rt.seed(bx, x)
    for t in reversed(range(steps)):
        # Grad of: x = 0.5 * x + 0.25 * (x + 1.0)
        bt1 = bx
        bx = bx * 0.25
        bx = bx + bt1 * 0.5
    return rt.like(bx, x_1)
