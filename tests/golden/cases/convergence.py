"""A loop that is left early counts its trips; the backward sweep walks over those that were made."""


def f(x):
    y = x
    for _ in range(100):
        new = 0.5 * (y + x / y)
        error = abs(new - y)
        y = new
        if error < 1e-12:
            break
    return y


REQUEST = {"points": [(1.5,), (60.0,), (1.0,)]}
# ---- expected ----
def df_dx(x, *, by=1.0):
    # Forward
    rt.numbers(x)
    tape = []
    y = x
    trips = 0
    for _ in range(100):
        trips = trips + 1
        tape.append(y)
        new = 0.5 * (y + x / y)
        error = abs(new - y)
        y = new
        if error < 1e-12:
            break
    # Backward
    by = rt.seed(by, y)
    bx = rt.ZERO
    for _ in reversed(range(trips)):
        y = tape.pop()
        # Grad of: new = 0.5 * (y + x / y)
        by = by * 0.5
        t4 = rt.quotient(by, y)
        bx = bx + t4
        by = by - rt.cancel(t4, x / y)
    # Grad of: y = x
    bx = bx + by
    return rt.like(bx, x)
