"""Digits by three layers: scikit-learn's 1,797 images of 8 by 8 points, a quarter of them for the test."""

from __future__ import annotations

from pathlib import Path

import numpy as np

from tangentlite.learn.initializers import he
from tangentlite.learn.layers import Linear, ReLU
from tangentlite.learn.models import Classifier
from tangentlite.learn.optimizers import Adam
from tangentlite.learn.schedules import cosine

PICTURE = Path(__file__).parent / "pictures" / "digits_mlp.png"


class Perceptron(Classifier):
    def __init__(self, rng, width=128):
        self.first = Linear(64, width, rng, he)
        self.second = Linear(width, width, rng, he)
        self.third = Linear(width, 10, rng)
        self.relu = ReLU()

    def forward(self, x):
        x = self.relu(self.first(x))
        x = self.relu(self.second(x))
        return self.third(x)


def data(seed=0):
    """Images and digits to learn from, and those to be judged by."""
    from sklearn.datasets import load_digits

    x, y = load_digits(return_X_y=True)
    order = np.random.default_rng(seed).permutation(len(x))
    x, y = x[order] / 16.0, y[order]
    cut = 3 * len(x) // 4
    return (x[:cut], y[:cut]), (x[cut:], y[cut:])


def solve(epochs=40, width=128):
    learned, judged = data()
    model = Perceptron(np.random.default_rng(1), width)
    steps = epochs * (len(learned[0]) // 32 + 1)
    optimizer = Adam(cosine(2e-3, steps), decay=1e-4)
    model.fit(*learned, optimizer, epochs=epochs, batch=32, validation=judged, progress=True)
    wrong = np.flatnonzero(model.predict(judged[0]) != judged[1])
    return {
        "history": model.history,
        "score": model.score(*judged),
        "wrong": [
            (judged[0][k], judged[1][k], model.predict(judged[0][k : k + 1])[0]) for k in wrong
        ],
    }


def draw(found, path):
    import matplotlib.pyplot as plt

    figure = plt.figure(figsize=(9, 3.2), layout="constrained")
    left, right = figure.subfigures(1, 2)
    axes = left.subplots()
    axes.semilogy(found["history"].losses, label="training")
    axes.semilogy(found["history"].validation, label="test")
    axes.set(xlabel="epoch", ylabel="cross-entropy", title=f"test: {found['score']:.1%} right")
    axes.legend()
    right.suptitle("taken for another digit")
    for axes, (image, digit, taken) in zip(right.subplots(2, 5).flat, found["wrong"]):
        axes.imshow(image.reshape(8, 8), cmap="gray_r")
        axes.set_title(f"{digit} → {taken}", fontsize=9)
    for axes in right.axes:
        axes.axis("off")
    figure.savefig(path, dpi=80)


if __name__ == "__main__":
    found = solve()
    print(f"test: {found['score']:.2%} right after {len(found['history'].losses)} epochs")
    assert found["score"] >= 0.97
    draw(found, PICTURE)
