"""Digits by a small LeNet: two convolutions with pooling, two linear layers, dropout between them."""

from __future__ import annotations

from pathlib import Path

import numpy as np

from tangentlite.learn.initializers import he
from tangentlite.learn.layers import Conv2D, Dropout, Flatten, Linear, MaxPool2D
from tangentlite.learn.models import Classifier
from tangentlite.learn.optimizers import Adam
from tangentlite.learn.schedules import cosine

PICTURE = Path(__file__).parent / "pictures" / "digits_lenet.png"


class LeNet(Classifier):
    def __init__(self, rng):
        self.first = Conv2D(1, 16, 3, rng, padding=1)
        self.second = Conv2D(16, 32, 3, rng, padding=1)
        self.third = Linear(128, 64, rng, he)
        self.last = Linear(64, 10, rng)
        self.pool, self.flat, self.drop = MaxPool2D(2), Flatten(), Dropout(0.4, rng)

    def forward(self, x):
        x = self.pool(np.maximum(self.first(x), 0.0))
        x = self.pool(np.maximum(self.second(x), 0.0))
        x = np.maximum(self.third(self.flat(x)), 0.0)
        return self.last(self.drop(x))


def data(seed=0):
    """Images and digits to learn from, and those to be judged by."""
    from sklearn.datasets import load_digits

    x, y = load_digits(return_X_y=True)
    order = np.random.default_rng(seed).permutation(len(x))
    x, y = x[order].reshape(-1, 8, 8, 1) / 16.0, y[order]
    cut = 3 * len(x) // 4
    return (x[:cut], y[:cut]), (x[cut:], y[cut:])


def solve(epochs=30):
    learned, judged = data()
    model = LeNet(np.random.default_rng(0))
    optimizer = Adam(cosine(3e-3, epochs * (len(learned[0]) // 64 + 1)))
    model.fit(*learned, optimizer, epochs=epochs, batch=64, validation=judged, progress=True)
    return {"history": model.history, "score": model.score(*judged), "kernels": model.first.w}


def draw(found, path):
    import matplotlib.pyplot as plt

    figure = plt.figure(figsize=(9, 3.2), layout="constrained")
    left, right = figure.subfigures(1, 2)
    axes = left.subplots()
    axes.semilogy(found["history"].losses, label="training")
    axes.semilogy(found["history"].validation, label="test")
    axes.set(xlabel="epoch", ylabel="cross-entropy", title=f"test: {found['score']:.1%} right")
    axes.legend()
    right.suptitle("the kernels of the first layer")
    for k, axes in enumerate(right.subplots(4, 4).flat):
        axes.imshow(found["kernels"][:, :, 0, k], cmap="RdBu")
        axes.axis("off")
    figure.savefig(path, dpi=80)


if __name__ == "__main__":
    found = solve()
    print(f"test: {found['score']:.2%} right after {len(found['history'].losses)} epochs")
    assert found["score"] >= 0.98
    draw(found, PICTURE)
