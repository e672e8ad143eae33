"""The pictures of docs/explanation.md: ``python docs/pictures/draw.py`` writes them, a test compares.

In: small functions.
Out: ``{name: svg}``.
"""

from collections.abc import Iterator
from pathlib import Path

import numpy as np

import tangentlite as tl

FOLDER = Path(__file__).resolve().parent


def f(a, b):
    c = a * b
    return np.sin(c) + c


def repeated(x, n):
    y = x
    for _ in range(n):
        y = np.sin(y) * x
    return y


def chosen(x):
    if x > 0:
        y = 2.0 * x
    else:
        y = np.exp(x)
    return y * y


def pictures() -> Iterator[tuple[str, str]]:
    yield "graph", tl.graph(f).svg
    yield "values", tl.graph(f, 2.0, 0.5).svg
    yield "sweeps", tl.graph(tl.grad(f), 2.0, 0.5).svg
    yield "loop", tl.graph(repeated, 0.8, 3).svg
    yield "branch", tl.graph(chosen, 0.5).svg


def main() -> None:
    for name, svg in pictures():
        (FOLDER / f"{name}.svg").write_text(svg + "\n" * (not svg.endswith("\n")), encoding="utf-8")


if __name__ == "__main__":
    main()
