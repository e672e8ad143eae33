"""A sigmoid over the plane, of five functions one after the other: what each gives, and the gradient of it all."""

from __future__ import annotations

from pathlib import Path

import numpy as np

import tangentlite as tl

PICTURE = Path(__file__).parent / "pictures" / "sigmoid.png"
W, BIAS = np.array([3.0, 1.0]), 0.0


def product(x, w):
    return x @ w


def shifted(y, b):
    return y + b


def exponential(y):
    return np.exp(-y)


def one_more(y):
    return y + 1.0


def inverse(y):
    return 1.0 / y


def sigmoid(x, w, b):
    return inverse(one_more(exponential(shifted(product(x, w), b))))


def intermediates(x, w, b):
    """The value after each function."""
    values = {"x @ w": product(x, w)}
    values["+ b"] = shifted(values["x @ w"], b)
    values["exp(-·)"] = exponential(values["+ b"])
    values["+ 1"] = one_more(values["exp(-·)"])
    values["1 / ·"] = inverse(values["+ 1"])
    return values


def solve(points=81):
    side = np.linspace(-10.0, 10.0, points)
    x = np.stack(np.meshgrid(side, side), -1)
    y = sigmoid(x, W, BIAS)
    slope_w, slope_b = tl.grad(lambda w, b: np.sum(sigmoid(x, w, b) ** 2), wrt=("w", "b"))(W, BIAS)
    return {
        "side": side,
        "values": intermediates(x, W, BIAS),
        "w": slope_w,
        "b": slope_b,
        "expected w": np.sum((2.0 * y**2 * (1.0 - y))[..., None] * x, (0, 1)),
        "expected b": float(np.sum(2.0 * y**2 * (1.0 - y))),
    }


def draw(found, path):
    import matplotlib.pyplot as plt

    figure, all_axes = plt.subplots(1, 5, figsize=(15, 3.2), layout="constrained")
    for axes, (name, value) in zip(all_axes, found["values"].items()):
        shown = np.log10(value) if name in ("exp(-·)", "+ 1") else value
        picture = axes.contourf(found["side"], found["side"], shown, 20)
        axes.set(title=name if shown is value else f"log₁₀ of {name}", aspect="equal")
        figure.colorbar(picture, ax=axes, shrink=0.8)
    figure.savefig(path, dpi=70)


if __name__ == "__main__":
    found = solve()
    print(f"gradient of the sum of squares in w {found['w'].round(6)}, in b {found['b']:.6f}")
    assert np.allclose(found["w"], found["expected w"])
    assert np.isclose(found["b"], found["expected b"])
    draw(found, PICTURE)
