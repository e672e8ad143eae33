"""A hanging chain: its shape has the least energy, and a length that a penalty holds.

The chain goes from (0, 0) to (1, 0) over n segments; heights are what is sought. Where penalty and gravity are
even, it is a catenary, ``a cosh((x - b) / a) + c``, of a length that is larger than the one it should have.
"""

from __future__ import annotations

from pathlib import Path

import numpy as np

from tangentlite.learn import ops
from tangentlite.learn.optimizers import Heuristic
from tangentlite.learn.searches import minimize

A, LENGTH = 0.3094, 1.0910
PICTURE = Path(__file__).parent / "pictures" / "catenary.png"


def energy(y, length):
    """Height times length of every segment, and the square of what the chain is too long."""
    n = len(y) + 1
    whole = ops.concatenate([np.zeros(1), y, np.zeros(1)])
    left, right = ops.slice(whole, 0, n), ops.slice(whole, 1, n + 1)
    s = ops.sqrt(ops.add(1 / n**2, ops.power(ops.subtract(right, left), 2)))
    heights = ops.divide(ops.add(left, right), 2.0)
    return ops.add(ops.sum(ops.times(heights, s)), ops.power(ops.sum(s) - length, 2))


def catenary(x):
    """What calculus of variations says."""
    return A * np.cosh((x - 0.5) / A) - A * np.cosh(0.5 / A)


def solve(n=64, steps=8000):
    x = np.linspace(0.0, 1.0, n + 1)[1:-1]
    optimizer = Heuristic(1e-3, beta=0.9, window=5, clip=0.2)
    y, losses = minimize(energy, -np.sin(np.pi * x), LENGTH, optimizer=optimizer, steps=steps)
    return {"x": x, "y": y, "losses": losses, "error": float(np.max(np.abs(y - catenary(x))))}


def draw(found, path):
    import matplotlib.pyplot as plt

    figure, (left, right) = plt.subplots(1, 2, figsize=(9, 3.5), layout="constrained")
    left.plot(found["x"], found["y"], "o", markersize=3, label="least energy")
    left.plot(found["x"], catenary(found["x"]), label="a cosh((x - b) / a) + c")
    left.set(xlabel="x", ylabel="y", title=f"largest difference {found['error']:.1e}")
    left.legend()
    right.semilogy(np.array(found["losses"]) - min(found["losses"]) + 1e-12)
    right.set(xlabel="step", ylabel="energy above the least")
    figure.savefig(path, dpi=80)


if __name__ == "__main__":
    found = solve()
    print(f"a = {A}, largest difference from the catenary {found['error']:.2e}")
    assert found["error"] < 1e-3
    draw(found, PICTURE)
