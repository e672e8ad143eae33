"""Vanishing gradients: how large |∂W| is in each of ten layers, with sigmoid, tanh and ReLU between them."""

from __future__ import annotations

from pathlib import Path

import numpy as np

from tangentlite.learn.initializers import he, lecun
from tangentlite.learn.layers import Linear, Logistic, ReLU, Tanh
from tangentlite.learn.models import Classifier

PICTURE = Path(__file__).parent / "pictures" / "vanishing.png"
BETWEEN = {"sigmoid": (Logistic, lecun), "tanh": (Tanh, lecun), "ReLU": (ReLU, he)}


class Deep(Classifier):
    """Ten layers of the same width, and one that judges."""

    def __init__(self, between, initializer, rng, depth=10, width=50):
        self.layers = [Linear(width, width, rng, initializer) for _ in range(depth)]
        self.between = between
        self.last = Linear(width, 2, rng)

    def forward(self, x):
        for layer in self.layers:
            x = self.between(layer(x))
        return self.last(x)


def solve(depth=10, rows=200):
    rng = np.random.default_rng(0)
    x, y = rng.normal(size=(rows, 50)), rng.integers(0, 2, rows)
    found = {}
    for name, (between, initializer) in BETWEEN.items():
        model = Deep(between(), initializer, np.random.default_rng(1), depth)
        gradients, _ = model.get_grad(x, y)
        found[name] = [float(np.mean(np.abs(gradients[f"layers.{k}.w"]))) for k in range(depth)]
    return found


def draw(found, path):
    import matplotlib.pyplot as plt

    figure, axes = plt.subplots(figsize=(7, 3.5), layout="constrained")
    for name, sizes in found.items():
        axes.semilogy(range(1, len(sizes) + 1), sizes, "o-", label=name)
    axes.set(xlabel="layer", ylabel="mean |∂W|", title="the gradient on its way back")
    axes.legend()
    figure.savefig(path, dpi=80)


if __name__ == "__main__":
    found = solve()
    for name, sizes in found.items():
        print(
            f"{name:8} first layer {sizes[0]:.1e}, last {sizes[-1]:.1e}: 1 : {sizes[-1] / sizes[0]:.3g}"
        )
    assert found["sigmoid"][0] < 1e-4 * found["sigmoid"][-1]
    assert found["ReLU"][0] > 0.05 * found["ReLU"][-1]
    draw(found, PICTURE)
