"""An inverse problem: how well each part of a rod conducts, from temperatures at a few sensors.

The solver writes in place, step after step, as one would write it without derivatives in mind.
"""

from __future__ import annotations

from pathlib import Path

import numpy as np

from tangentlite.learn.searches import lbfgs

PICTURE = Path(__file__).parent / "pictures" / "heat.png"


def temperatures(conductivity, start, steps, every):
    """Explicit steps; every so many steps the sensors are read."""
    u = start.copy()
    seen = np.zeros((steps // every, len(u[::8])))
    for step in range(steps):
        flow = conductivity * (u[1:] - u[:-1])
        u[1:-1] += 0.2 * (flow[1:] - flow[:-1])
        u[0] = 1.0 + 0.5 * np.sin(0.02 * step)
        u[-1] = 0.0
        if (step + 1) % every == 0:
            seen[step // every] = u[::8]
    return seen


def loss(p, start, seen, steps, every, smooth):
    """The misfit, and how rough the logarithm of the conductivity is."""
    misfit = temperatures(np.exp(p), start, steps, every) - seen
    return np.sum(misfit**2) + smooth * np.sum((p[1:] - p[:-1]) ** 2)


def solve(n=64, steps=2000, every=20, searches=120, noise=1e-3):
    x = (np.arange(n) + 0.5) / n
    true = 1.0 + 0.8 * np.sin(2 * np.pi * x) * np.exp(-x)
    start = np.zeros(n + 1)
    rng = np.random.default_rng(0)
    seen = temperatures(true, start, steps, every)
    seen = seen + noise * rng.normal(size=seen.shape)
    p, losses = lbfgs(loss, np.zeros(n), start, seen, steps, every, 1e-3, steps=searches)
    error = np.sqrt(np.mean((np.exp(p) / true - 1.0) ** 2))
    return {"x": x, "true": true, "found": np.exp(p), "losses": losses, "error": float(error)}


def draw(found, path):
    import matplotlib.pyplot as plt

    figure, (left, right) = plt.subplots(1, 2, figsize=(9, 3.5), layout="constrained")
    left.plot(found["x"], found["true"], label="true")
    left.plot(found["x"], found["found"], ".", label="found")
    left.set(xlabel="x", ylabel="conductivity", title=f"relative error {found['error']:.1%}")
    left.legend()
    right.semilogy(found["losses"])
    right.set(xlabel="step of L-BFGS", ylabel="loss")
    figure.savefig(path, dpi=80)


if __name__ == "__main__":
    found = solve()
    print(
        f"relative error of the conductivity {found['error']:.2%}, loss {found['losses'][-1]:.2e}"
    )
    assert found["error"] < 0.05
    draw(found, PICTURE)
