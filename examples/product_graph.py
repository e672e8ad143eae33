"""The computation graph of a product, an exponential and a sum, with values and gradients."""

from __future__ import annotations

from pathlib import Path

import numpy as np

import tangentlite as tl

PICTURES = Path(__file__).parent / "pictures"
A, B = np.array([[1.0, 1.0, 1.0], [2.0, 2.0, 2.0]]), np.array([[1.0, 2.0, 3.0]])


def loss(A, B):
    C = A * B
    D = np.exp(C)
    return np.sum(D)


def solve():
    bA, bB = tl.grad(loss, wrt=("A", "B"))(A, B)
    return {
        "graph": tl.graph(loss, A, B),
        "of the gradient": tl.graph(tl.grad(loss)),
        "A": bA,
        "B": bB,
    }


def draw(found, folder):
    found["graph"].save(folder / "product_graph.svg")
    found["of the gradient"].save(folder / "product_gradient_graph.svg")


if __name__ == "__main__":
    found = solve()
    print("A:", found["A"].round(2).tolist())
    print("B:", found["B"].round(2).tolist())
    expected = [[2.72, 14.78, 60.26], [7.39, 109.20, 1210.29]]
    assert np.allclose(found["A"], expected, atol=0.005)
    assert np.allclose(found["B"], [[17.50, 116.59, 826.94]], atol=0.005)
    draw(found, PICTURES)
