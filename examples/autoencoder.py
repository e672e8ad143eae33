"""A variational autoencoder of digits: two numbers for each image, drawn where the encoder says, and decoded."""

from __future__ import annotations

from pathlib import Path

import numpy as np

from tangentlite.learn.layers import Chain, Linear, Tanh
from tangentlite.learn.models import Model
from tangentlite.learn.optimizers import Adam

PICTURE = Path(__file__).parent / "pictures" / "autoencoder.png"


class Autoencoder(Model):
    def __init__(self, rng, width=96, size=2):
        self.encoder = Chain(Linear(64, width, rng), Tanh(), Linear(width, 2 * size, rng))
        self.decoder = Chain(
            Linear(size, width, rng),
            Tanh(),
            Linear(width, width, rng),
            Tanh(),
            Linear(width, 64, rng),
        )
        self.rng, self.size = rng, size

    def code(self, x):
        """Where the numbers of an image are, and how sure that is: mean and logarithm of the variance."""
        both = self.encoder(x)
        return both[:, : self.size], both[:, self.size :]

    def forward(self, z):
        """The image of two numbers."""
        return 0.5 + 0.5 * np.tanh(0.5 * self.decoder(z))

    def loss(self, x, y):
        """Minus the evidence lower bound per image: what decoding loses, and what coding tells."""
        mean, logarithm = self.code(x)
        z = mean + np.exp(0.5 * logarithm) * self.rng.normal(size=mean.shape)
        scores = self.decoder(z)
        lost = np.sum(np.logaddexp(0.0, scores) - y * scores, 1)
        told = 0.5 * np.sum(np.exp(logarithm) + mean**2 - 1.0 - logarithm, 1)
        return np.mean(lost + told)


def solve(epochs=150):
    from sklearn.datasets import load_digits

    x, y = load_digits(return_X_y=True)
    x = x / 16.0
    model = Autoencoder(np.random.default_rng(0))
    model.fit(x, x, Adam(3e-3), epochs=epochs, batch=64, progress=True)
    codes = model.code(x)[0]
    grid = np.linspace(-2.0, 2.0, 12)
    images = model.forward(np.array([[a, b] for b in grid[::-1] for a in grid]))
    nearest = np.array([np.argsort(np.sum((codes - c) ** 2, 1))[1] for c in codes])
    kept = float(np.mean(y[nearest] == y))
    return {
        "losses": model.history.losses,
        "codes": codes,
        "digits": y,
        "images": images,
        "kept": kept,
    }


def draw(found, path):
    import matplotlib.pyplot as plt

    figure, (left, right) = plt.subplots(1, 2, figsize=(9, 4.2), layout="constrained")
    points = left.scatter(*found["codes"].T, c=found["digits"], cmap="tab10", s=4)
    figure.colorbar(points, ax=left)
    left.set(title=f"codes; the nearest is of the same digit: {found['kept']:.0%}")
    tiles = found["images"].reshape(12, 12, 8, 8).transpose(0, 2, 1, 3).reshape(96, 96)
    right.imshow(tiles, cmap="gray_r")
    right.set(title="what lies where", xticks=[], yticks=[])
    figure.savefig(path, dpi=80)


if __name__ == "__main__":
    found = solve()
    print(
        f"loss {found['losses'][0]:.2f} → {found['losses'][-1]:.2f}, same digit nearest {found['kept']:.1%}"
    )
    assert found["losses"][-1] < 25.0
    assert found["kept"] > 0.5
    draw(found, PICTURE)
