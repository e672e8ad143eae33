"""A recurrent network learns to repeat what it heard some steps ago, by blocks in its backward sweep.

One block clips the gradient of the state on its way back through time; another cuts it off every few steps: truncated
backpropagation through time. What lies further back than the cut cannot be learned.
"""

from __future__ import annotations

from pathlib import Path

import numpy as np

import tangentlite as tl
from tangentlite.learn.cells import RNNCell
from tangentlite.learn.layers import Linear
from tangentlite.learn.models import Model
from tangentlite.learn.optimizers import Adam

PICTURE = Path(__file__).parent / "pictures" / "recurrent.png"
DELAY = 5


class Echo(Model):
    """``cut``: after how many steps the gradient ends. ``clip``: the largest norm of a state's gradient."""

    parameters = ("cell", "last")

    def __init__(self, rng, size=6, cut=100, clip=2e-3):
        self.cell, self.last = RNNCell(1, size, rng), Linear(size, 1, rng)
        self.size, self.cut, self.clip = size, cut, clip
        self.clipped = 0

    def forward(self, x):
        h = np.zeros((len(x), self.size))
        said = np.zeros(x.shape)
        for t in range(x.shape[1]):
            with tl.insert_grad_of(h) as dh:
                norm = np.sqrt(np.sum(dh**2))
                if norm > self.clip:
                    self.clipped += 1
                    dh *= self.clip / norm
                if t % self.cut == 0:
                    dh[:] = 0.0
            h = self.cell(x[:, t : t + 1], h)
            said[:, t] = self.last(h)[:, 0]
        return said

    def loss(self, x, y):
        return np.mean((self.forward(x) - y)[:, DELAY:] ** 2)


def data(rows, length, rng):
    """Random numbers, and the same numbers later."""
    x = rng.uniform(-1.0, 1.0, (rows, length))
    return x, np.roll(x, DELAY, 1)


def solve(epochs=150, cuts=(2, 100)):
    found = {}
    for cut in cuts:
        rng = np.random.default_rng(0)
        x, y = data(256, 24, rng)
        model = Echo(rng, cut=cut)
        model.fit(x, y, Adam(1e-2), epochs=epochs, batch=32, progress=True)
        found[cut] = {"losses": model.history.losses, "clipped": model.clipped}
    return found


def draw(found, path):
    import matplotlib.pyplot as plt

    figure, axes = plt.subplots(figsize=(7, 3.5), layout="constrained")
    for cut, one in found.items():
        axes.semilogy(one["losses"], label=f"gradient cut every {cut} steps")
    axes.axhline(1 / 3, color="gray", linestyle=":", label="knowing nothing")
    axes.set(xlabel="epoch", ylabel="mean square", title=f"repeating what was {DELAY} steps ago")
    axes.legend()
    figure.savefig(path, dpi=80)


if __name__ == "__main__":
    found = solve()
    for cut, one in found.items():
        print(
            f"cut every {cut} steps: loss {one['losses'][-1]:.4f}, clipped {one['clipped']} times"
        )
    assert found[100]["losses"][-1] < 0.05 < 0.2 < found[2]["losses"][-1]
    draw(found, PICTURE)
