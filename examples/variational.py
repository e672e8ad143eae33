"""Bayesian linear regression by automatic differentiation variational inference.

The posterior is approximated by independent normal distributions; which ones, Adam finds from noisy gradients. The
posterior of this model is known, so that the result can be judged.
"""

from __future__ import annotations

from pathlib import Path

import numpy as np

from tangentlite.learn.optimizers import Adam
from tangentlite.learn.schedules import cosine
from tangentlite.learn.searches import gradient_of

PICTURE = Path(__file__).parent / "pictures" / "variational.png"
NOISE, PRIOR = 0.5, 2.0


def log_joint(w, x, y):
    """The logarithm of the likelihood and of the prior, up to a constant."""
    return -0.5 * np.sum((x @ w - y) ** 2) / NOISE**2 - 0.5 * np.sum(w**2) / PRIOR**2


def bound(q, x, y, draws):
    """Minus the evidence lower bound: draws of a standard normal become draws of the approximation."""
    deviation = np.exp(q["log_deviation"])
    total = 0.0
    for draw in draws:
        total = total + log_joint(q["mean"] + deviation * draw, x, y)
    return -total / len(draws) - np.sum(q["log_deviation"])


def exact(x, y):
    """Mean of the posterior, and the deviations of the closest independent normal distributions."""
    precision = x.T @ x / NOISE**2 + np.eye(x.shape[1]) / PRIOR**2
    return np.linalg.solve(precision, x.T @ y) / NOISE**2, 1.0 / np.sqrt(np.diag(precision))


def solve(rows=80, steps=3000, count=8):
    rng = np.random.default_rng(0)
    x = np.column_stack([np.ones(rows), rng.normal(size=(rows, 5))])
    true = rng.normal(size=6)
    y = x @ true + NOISE * rng.normal(size=rows)
    q = {"mean": np.zeros(6), "log_deviation": np.full(6, -1.0)}
    derivative, optimizer, losses = gradient_of(bound), Adam(cosine(0.05, steps)), []
    for _ in range(steps):
        loss, gradient = derivative(q, x, y, rng.normal(size=(count, 6)))
        q = optimizer.step(q, gradient)
        losses.append(float(loss))
    mean, deviation = exact(x, y)
    off = np.max(np.abs(q["mean"] - mean) / deviation)
    ratio = np.exp(q["log_deviation"]) / deviation
    return {
        "found": (q["mean"], np.exp(q["log_deviation"])),
        "exact": (mean, deviation),
        "true": true,
        "losses": losses,
        "off": float(off),
        "ratio": float(np.max(np.abs(ratio - 1.0))),
    }


def draw(found, path):
    import matplotlib.pyplot as plt

    figure, (left, right) = plt.subplots(1, 2, figsize=(9, 3.5), layout="constrained")
    places = np.arange(len(found["true"]))
    for name, shift in (("exact", -0.1), ("found", 0.1)):
        mean, deviation = found[name]
        left.errorbar(places + shift, mean, 2 * deviation, fmt="o", capsize=3, label=name)
    left.plot(places, found["true"], "k_", markersize=14, label="true")
    left.set(xlabel="weight", title="mean and two deviations")
    left.legend()
    right.plot(found["losses"])
    right.set(xlabel="step", ylabel="minus the bound", yscale="log")
    figure.savefig(path, dpi=80)


if __name__ == "__main__":
    found = solve()
    print(f"means off by {found['off']:.3f} deviations, deviations by {found['ratio']:.1%}")
    assert found["off"] < 0.2
    assert found["ratio"] < 0.1
    draw(found, PICTURE)
