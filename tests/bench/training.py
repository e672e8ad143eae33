"""Steps of training per second: three layers and a small LeNet, against the same in PyTorch and autograd.

``OPENBLAS_NUM_THREADS=1 python -m tests.bench.training`` prints the tables of docs/learn.md, in double and in single
precision; a peer that is not installed is left out.
"""

from __future__ import annotations

import time
from collections.abc import Callable
from typing import Any

import numpy as np

from tangentlite.learn import layers
from tangentlite.learn.layers import Conv2D, Linear
from tangentlite.learn.models import Classifier
from tangentlite.learn.nests import named, replaced
from tangentlite.learn.optimizers import Adam
from tangentlite.learn.searches import gradient_of

ROWS, WIDTHS = 64, (16, 64, 128, 256, 512, 1024)
SIDES, CHANNELS = (8, 28), ((8, 16), (16, 32))
Step = Callable[[], Any]
G = np.random.default_rng(0)
DIGITS = G.integers(0, 10, ROWS)


class Perceptron(Classifier):
    def __init__(self, width: int) -> None:
        self.first, self.second = Linear(64, width, G), Linear(width, width, G)
        self.third = Linear(width, 10, G)

    def forward(self, x: Any) -> Any:
        return self.third(np.tanh(self.second(np.tanh(self.first(x)))))


class LeNet(Classifier):
    def __init__(self, side: int, a: int, b: int) -> None:
        self.first, self.second = Conv2D(1, a, 3, G, padding=1), Conv2D(a, b, 3, G, padding=1)
        self.third, self.last = Linear((side // 4) ** 2 * b, 64, G), Linear(64, 10, G)
        self.pool, self.flat, self.relu = layers.MaxPool2D(2), layers.Flatten(), layers.ReLU()

    def forward(self, x: Any) -> Any:
        x = self.pool(self.relu(self.first(x)))
        x = self.pool(self.relu(self.second(x)))
        return self.last(self.relu(self.third(self.flat(x))))


def ours(model: Any, x: Any) -> Step:
    model = replaced(model, {name: w.astype(x.dtype) for name, w in named(model).items()})
    derivative, optimizer = gradient_of(type(model).loss), Adam(1e-3)
    return lambda: optimizer.step(model, derivative(model, x, DIGITS)[1])


def torched(parts: Callable[[Any], list[Any]], x: Any) -> Step:
    import torch

    torch.set_num_threads(1)
    torch.set_default_dtype(getattr(torch, x.dtype.name))
    model = torch.nn.Sequential(*parts(torch.nn))
    optimizer = torch.optim.Adam(model.parameters(), 1e-3)
    images, digits = torch.tensor(x), torch.tensor(DIGITS)

    def step() -> None:
        optimizer.zero_grad()
        torch.nn.functional.cross_entropy(model(images), digits).backward()
        optimizer.step()

    return step


def traced(loss: Callable[..., Any], model: Any, kind: Any) -> Step:
    """autograd over a list of arrays; the optimizer is ours."""
    import autograd

    derivative, optimizer = autograd.value_and_grad(loss), Adam(1e-3)
    held = [[np.array(v, kind) for v in model.get_param().values()]]

    def step() -> None:
        held[0] = optimizer.step(held[0], derivative(held[0])[1])

    return step


def surprise(scores: Any) -> Any:
    import autograd.numpy as anp

    moved = scores - anp.max(scores, -1, keepdims=True)
    return anp.mean(anp.log(anp.sum(anp.exp(moved), -1)) - moved[np.arange(ROWS), DIGITS])


def of_layers(width: int, kind: Any = np.float64) -> dict[str, Callable[[], Step]]:
    x, model = G.normal(size=(ROWS, 64)).astype(kind), Perceptron(width)

    def parts(nn: Any) -> list[Any]:
        hidden = [nn.Linear(64, width), nn.Tanh(), nn.Linear(width, width), nn.Tanh()]
        return [*hidden, nn.Linear(width, 10)]

    def loss(p: Any) -> Any:
        import autograd.numpy as anp

        h = anp.tanh(anp.dot(x, p[0]) + p[1])
        return surprise(anp.dot(anp.tanh(anp.dot(h, p[2]) + p[3]), p[4]) + p[5])

    return {
        "tangentlite": lambda: ours(model, x),
        "PyTorch": lambda: torched(parts, x),
        "autograd": lambda: traced(loss, model, kind),
    }


def of_images(side: int, a: int, b: int, kind: Any = np.float64) -> dict[str, Callable[[], Step]]:
    x, model, left = G.normal(size=(ROWS, side, side, 1)), LeNet(side, a, b), (side // 4) ** 2
    x = x.astype(kind)
    first = np.ascontiguousarray(x.transpose(0, 3, 1, 2))

    def parts(nn: Any) -> list[Any]:
        one = [nn.Conv2d(1, a, 3, padding=1), nn.ReLU(), nn.MaxPool2d(2)]
        two = [nn.Conv2d(a, b, 3, padding=1), nn.ReLU(), nn.MaxPool2d(2), nn.Flatten()]
        return [*one, *two, nn.Linear(left * b, 64), nn.ReLU(), nn.Linear(64, 10)]

    def loss(p: Any) -> Any:
        import autograd.numpy as anp
        from autograd.scipy.signal import convolve

        h = first
        for w, bias in (p[:2], p[2:4]):
            h = anp.pad(h, ((0, 0), (0, 0), (1, 1), (1, 1)), mode="constant")
            kernels = anp.transpose(w, (2, 3, 0, 1))
            sides = {"axes": ([2, 3], [2, 3]), "dot_axes": ([1], [0]), "mode": "valid"}
            h = anp.maximum(convolve(h, kernels, **sides) + bias[None, :, None, None], 0.0)
            n, c, rows, columns = h.shape
            h = anp.max(anp.reshape(h, (n, c, rows // 2, 2, columns // 2, 2)), axis=(3, 5))
        h = anp.maximum(anp.dot(anp.reshape(h, (ROWS, -1)), p[4]) + p[5], 0.0)
        return surprise(anp.dot(h, p[6]) + p[7])

    return {
        "tangentlite": lambda: ours(model, x),
        "PyTorch": lambda: torched(parts, first),
        "autograd": lambda: traced(loss, model, kind),
    }


def measured(made: dict[str, Callable[[], Step]], rounds: int = 15) -> dict[str, float]:
    """Milliseconds of the processor per step: medians of rounds in which each has its turn."""
    steps: dict[str, Step] = {}
    for name, make in made.items():
        try:
            steps[name] = make()
        except ImportError:
            continue
        steps[name]()
    times: dict[str, list[float]] = {name: [] for name in steps}
    for _ in range(rounds):
        for name, step in steps.items():
            begin, count = time.process_time(), 0
            while count == 0 or time.process_time() - begin < 0.02:
                step()
                count += 1
            times[name].append(1e3 * (time.process_time() - begin) / count)
    return {name: float(np.median(found)) for name, found in times.items()}


def main() -> None:
    for kind in (np.float64, np.float32):
        rows = [(f"three layers of width {w}", of_layers(w, kind)) for w in WIDTHS]
        rows += [
            (f"LeNet, {s} by {s} points, {a} and {b} channels", of_images(s, a, b, kind))
            for s in SIDES
            for a, b in CHANNELS
        ]
        print(f"\n| {kind.__name__} | tangentlite | PyTorch | autograd |\n|---|---|---|---|")
        for title, made in rows:
            found = measured(made)
            shown = [f"{found[name]:.2f}" if name in found else "" for name in made]
            print(f"| {title} | {' | '.join(shown)} |", flush=True)


if __name__ == "__main__":
    main()
