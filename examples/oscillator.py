"""A boundary-value problem: 2y″ + y′ + 2y = 0, with y given at both ends.

The values on a grid are sought; the squares of what the equation leaves there are to be small. Derivatives are
five-point stencils, three-point ones beside the ends. The problem is linear: one step of Gauss and Newton solves it,
with ``tl.jacfwd`` of the residual for a matrix.
"""

from __future__ import annotations

from pathlib import Path

import numpy as np

import tangentlite as tl
from tangentlite.learn.searches import lbfgs

PICTURE = Path(__file__).parent / "pictures" / "oscillator.png"
OMEGA = np.sqrt(15.0) / 4.0


def analytic(t):
    """The solution that begins at 1 with slope 0."""
    return np.exp(-t / 4.0) * (np.cos(OMEGA * t) + np.sin(OMEGA * t) / (4.0 * OMEGA))


def residual(inside, ends, h):
    """What 2y″ + y′ + 2y leaves at the points inside."""
    y = np.concatenate([ends[:1], inside, ends[1:]])
    first, second = np.zeros_like(inside), np.zeros_like(inside)
    first[1:-1] = (y[:-4] / 12 - 2 * y[1:-3] / 3 + 2 * y[3:-1] / 3 - y[4:] / 12) / h
    second[1:-1] = -y[:-4] / 12 + 4 * y[1:-3] / 3 - 5 * y[2:-2] / 2 + 4 * y[3:-1] / 3 - y[4:] / 12
    for k in (0, -1):
        at = 1 if k == 0 else len(y) - 2
        first[k] = (y[at + 1] - y[at - 1]) / (2 * h)
        second[k] = y[at - 1] - 2 * y[at] + y[at + 1]
    return 2 * second / h**2 + first + 2 * inside


def loss(inside, ends, h):
    return h**4 * np.sum(residual(inside, ends, h) ** 2)


def solve(n=100, end=10.0, steps=100):
    t = np.linspace(0.0, end, n + 1)
    h, ends = t[1], analytic(t[[0, -1]])
    start = np.interp(t[1:-1], [0.0, end], ends)
    searched, losses = lbfgs(loss, start, ends, h, steps=steps, tolerance=1e-15)
    r, jacobian = residual(start, ends, h), tl.jacfwd(residual)(start, ends, h)
    y = start - np.linalg.solve(jacobian, r)
    slope = tl.grad(loss)(y, ends, h)
    return {
        "t": t[1:-1],
        "y": y,
        "searched": searched,
        "losses": losses,
        "error": float(np.max(np.abs(y - analytic(t[1:-1])))),
        "slope": float(np.max(np.abs(slope))),
    }


def draw(found, path):
    import matplotlib.pyplot as plt

    figure, axes = plt.subplots(figsize=(7, 3.5), layout="constrained")
    axes.plot(found["t"], analytic(found["t"]), label="analytic")
    axes.plot(found["t"], found["y"], ".", label=f"Gauss-Newton, error {found['error']:.1e}")
    axes.plot(found["t"], found["searched"], ":", label=f"L-BFGS, {len(found['losses'])} steps")
    axes.set(xlabel="t", ylabel="y")
    axes.legend()
    figure.savefig(path, dpi=80)


if __name__ == "__main__":
    found = solve()
    print(f"largest error {found['error']:.2e}, gradient there {found['slope']:.1e}")
    assert found["error"] < 1e-2
    draw(found, PICTURE)
