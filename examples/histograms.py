"""Gaussian or not: histograms are classified by convolutions, and one is morphed across the boundary."""

from __future__ import annotations

from pathlib import Path

import numpy as np

import tangentlite as tl
from tangentlite.learn import ops
from tangentlite.learn.layers import Linear
from tangentlite.learn.losses import binary
from tangentlite.learn.models import Model
from tangentlite.learn.optimizers import Adam

PICTURE = Path(__file__).parent / "pictures" / "histograms.png"
BINS = 32
EDGES = np.linspace(-4.0, 4.0, BINS + 1)


def histograms(count, rng, samples=1000):
    """Half of them of normal samples, half of uniform, exponential or two-humped ones; 1 is Gaussian."""
    x, y = np.zeros((count, BINS)), np.arange(count) % 2
    for k in range(count):
        center, width = rng.uniform(-1.0, 1.0), rng.uniform(0.4, 1.0)
        other = (
            rng.uniform(-2.0, 2.0, samples),
            rng.exponential(1.2, samples) * rng.choice([-1.0, 1.0]),
            rng.normal(size=samples) * 0.5 + rng.choice([-1.3, 1.3], samples),
        )[rng.integers(3)]
        drawn = rng.normal(size=samples) if y[k] else other
        x[k] = np.histogram(center + width * drawn, EDGES)[0] / samples
    return 10.0 * x, y


class Judge(Model):
    """Kernels slide over the histogram; of each, the largest answers within cells are judged."""

    def __init__(self, rng, kernels=8, length=7, cell=4):
        self.kernels = [rng.normal(size=length) / length for _ in range(kernels)]
        self.shifts = [np.zeros(()) for _ in range(kernels)]
        self.hidden = Linear(kernels * -(-(BINS - length + 1) // cell), 16, rng)
        self.last = Linear(16, 1, rng)
        self.cell = cell

    def forward(self, x):
        answers = []
        for kernel, shift in zip(self.kernels, self.shifts):
            bent = ops.tanh(ops.cross_correlate(x, kernel) + shift)
            answers.append(ops.maxpool(bent, self.cell))
        return self.last(ops.tanh(self.hidden(ops.concatenate(answers, 1))))[:, 0]

    def loss(self, x, y):
        return binary(self.forward(x), y)

    def score(self, x, y):
        return float(np.mean((self.forward(x) > 0.0) == y))


def morphed(model, x, limit=2000):
    """Steps down the score, no bin below zero and the sum kept, until the model says that it is not Gaussian."""
    slope, total = tl.grad(lambda x: model.forward(x[None])[0]), np.sum(x)
    steps = 0
    while model.forward(x[None])[0] > -1.0 and steps < limit:
        down = slope(x)
        x = np.maximum(x - 0.02 * down / np.sqrt(np.sum(down**2)), 0.0)
        x, steps = x * (total / np.sum(x)), steps + 1
    return x, steps


def solve(count=3000, epochs=60):
    rng = np.random.default_rng(0)
    learned, judged = histograms(count, rng), histograms(1000, rng)
    model = Judge(rng)
    model.fit(*learned, Adam(5e-3), epochs=epochs, batch=64, progress=True)
    start = next(x for x, y in zip(*judged) if y and model.forward(x[None])[0] > 0.0)
    end, steps = morphed(model, start)
    scores = [float(model.forward(x[None])[0]) for x in (start, end)]
    found = {"score": model.score(*judged), "losses": model.history.losses, "steps": steps}
    return {**found, "start": start, "end": end, "scores": scores}


def draw(found, path):
    import matplotlib.pyplot as plt

    figure, (left, right) = plt.subplots(1, 2, figsize=(9, 3.5), layout="constrained")
    left.semilogy(found["losses"])
    left.set(xlabel="epoch", ylabel="cross-entropy", title=f"test: {found['score']:.1%} right")
    right.stairs(found["start"], EDGES, label=f"score {found['scores'][0]:.1f}: Gaussian")
    right.stairs(found["end"], EDGES, label=f"score {found['scores'][1]:.1f}: not")
    right.set(title=f"morphed in {found['steps']} steps", ylim=(0.0, 1.9))
    right.legend(loc="upper left")
    figure.savefig(path, dpi=80)


if __name__ == "__main__":
    found = solve()
    print(
        f"test: {found['score']:.2%} right; morphed from {found['scores'][0]:.2f} to {found['scores'][1]:.2f}"
    )
    assert found["score"] > 0.99
    assert found["scores"][1] <= -1.0
    draw(found, PICTURE)
