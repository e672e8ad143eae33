"""One function, the gradient that tangentlite writes for it, and its value checked."""

import inspect

import numpy as np

import tangentlite as tl


def f(x, n):
    y = x
    for i in range(n):
        y = np.sin(y) * x
    return y


def main() -> None:
    df = tl.grad(f)
    x, n, step = 1.3, 5, 1e-6
    difference = (f(x + step, n) - f(x - step, n)) / (2 * step)
    print("You write\n")
    print(inspect.getsource(f))
    print("and tl.grad(f) writes\n")
    print(df.source)
    print(f"gradient at x = {x}, n = {n}:  {df(x, n):.9f}")
    print(f"finite difference:             {difference:.9f}")
    if not np.isclose(df(x, n), difference, rtol=1e-6):
        raise SystemExit("They differ.")


if __name__ == "__main__":
    main()
