"""The main loop of a lattice language model, its gradient with three sorts of arrays: time, memory, exponents, a plot.

A lattice language model reads a sentence of n tokens in chunks of one to m tokens. The state at position i, a vector of d
numbers, is made from the states at the m positions where a chunk that ends at i may begin. The outer loop walks the
positions; before each, all earlier states are handed to a function that looks some of them up. The inner loop walks the
chunks, and stores the state at i anew for each: n m stores of d numbers.

The compiler differentiates ``loss`` for the array that it is given.

persistent   a call adds what it reads to the adjoint of the caller's array                                 O(ndm)
in place     a call returns an adjoint as large as the array                                                O(n²d + ndm)
copying      every store copies the array, and so does its adjoint                                          O(n²md)

Run it from the root: ``python -m tests.bench.persistent_arrays [plot.svg]``. Numbers are means of 10 runs; memory is the
peak above what was held before. ``--small`` takes seconds.
"""

from __future__ import annotations

import argparse
import math
import time
import tracemalloc
from collections.abc import Callable
from typing import Any

import numpy as np

import tangentlite as tl

Array = np.ndarray
Gradient = Callable[[Array, Array, int], Array]
WIDTH, CHUNKS, RUNS = 2000, 15, 10
SIZES = (10, 20, 40, 80, 160, 320, 640)
LIMIT = 6e9  # bytes; a size that needs more is left out


def attend(states, i):  # type: ignore[no-untyped-def]
    """Two earlier states, one of them far away."""
    return 0.5 * (states[i // 2] * states[i - 1])


def loss(weights, start, states, n):  # type: ignore[no-untyped-def]
    """The last state, squared; ``states`` is an array for all of them, which is written."""
    m = len(weights)
    states[:m] = start
    for i in range(m, n + m):
        states[i] = attend(states, i)
        for j in range(m):
            states[i] = np.tanh(states[i] + weights[j] * states[i - 1 - j])
    return np.sum(states[-1] ** 2)


def copying_loss(weights, start, states, n):  # type: ignore[no-untyped-def]
    """The same, where every store makes a new array."""
    m = len(weights)
    states = states.copy()
    states[:m] = start
    for i in range(m, n + m):
        context = attend(states, i)
        states = states.copy()
        states[i] = context
        for j in range(m):
            state = np.tanh(states[i] + weights[j] * states[i - 1 - j])
            states = states.copy()
            states[i] = state
    return np.sum(states[-1] ** 2)


def by_hand(weights: Array, start: Array, n: int) -> Array:
    """The gradient as one would write it, by which the others are checked."""
    m, calls, tape = len(weights), [], []
    states = empty(start, n, m)
    states[:m] = start
    for i in range(m, n + m):
        calls.append(states.copy())
        states[i] = attend(states, i)
        for j in range(m):
            tape.append(states[i].copy())
            states[i] = np.tanh(states[i] + weights[j] * states[i - 1 - j])
    bstates, bweights = np.zeros(states.shape), np.zeros(m)
    bstates[-1] = 2.0 * states[-1]
    for i in reversed(range(m, n + m)):
        for j in reversed(range(m)):
            t = (1.0 - states[i] * states[i]) * bstates[i]
            states[i] = tape.pop()
            bstates[i] = t
            bweights[j] += np.dot(t, states[i - 1 - j])
            bstates[i - 1 - j] += weights[j] * t
        t, then = bstates[i].copy(), calls.pop()
        bstates[i] = 0.0
        bstates[i // 2] += 0.5 * t * then[i - 1]
        bstates[i - 1] += 0.5 * t * then[i // 2]
    return bweights


def empty(start: Array, n: int, m: int) -> Array:
    """Room for the states."""
    return np.zeros((n + m, start.shape[1]))


def gradient_of(function: Any, make: Callable[[Array], Any]) -> Gradient:
    """The compiler's gradient, given arrays of one sort."""
    derivative = tl.grad(function, wrt="weights")

    def gradient(weights: Array, start: Array, n: int) -> Array:
        found: Array = derivative(weights, start, make(empty(start, n, len(weights))), n)
        return found

    return gradient


GRADIENTS: dict[str, Gradient] = {
    "persistent": gradient_of(loss, tl.PersistentArray),
    "in place": gradient_of(loss, np.asarray),
    "copying": gradient_of(copying_loss, np.asarray),
}


def expected_bytes(name: str, n: int) -> float:
    """What a gradient holds at most, about."""
    array = 8.0 * WIDTH * (n + CHUNKS)
    rows = 16.0 * WIDTH * n * CHUNKS
    return n * CHUNKS * array if name == "copying" else rows


def arguments(width: int = WIDTH, chunks: int = CHUNKS) -> tuple[Array, Array]:
    """Weights and first states."""
    random = np.random.default_rng(0)
    return 0.3 * random.standard_normal(chunks), random.standard_normal((chunks, width))


def measured(gradient: Gradient, n: int, runs: int) -> tuple[float, float]:
    """Mean seconds, and peak bytes."""
    weights, start = arguments()
    gradient(weights, start, n)
    seconds = []
    for _ in range(runs):
        begin = time.perf_counter()
        gradient(weights, start, n)
        seconds.append(time.perf_counter() - begin)
    tracemalloc.start()
    gradient(weights, start, n)
    _, peak = tracemalloc.get_traced_memory()
    tracemalloc.stop()
    return float(np.mean(seconds)), float(peak)


def exponent(points: list[tuple[float, float]]) -> float:
    """The slope, between logarithms, of the larger half of the points."""
    xs, ys = np.log(points[len(points) // 2 :]).T if len(points) > 3 else np.log(points).T
    return float(np.polyfit(xs, ys, 1)[0])


Results = dict[str, list[tuple[int, float, float]]]


def sweep(sizes: tuple[int, ...], runs: int) -> Results:
    """Measure every gradient at every size that fits."""
    results: Results = {}
    print(f"d = {WIDTH}, m = {CHUNKS}, mean of {runs} runs")
    print(f"{'':12}{'n':>6}{'seconds':>12}{'MB':>12}")
    for name, gradient in GRADIENTS.items():
        rows = results[name] = []
        for n in sizes:
            if expected_bytes(name, n) > LIMIT:
                print(f"{name:12}{n:6}   left out: needs {expected_bytes(name, n) / 1e9:.0f} GB")
                continue
            rows.append((n, *measured(gradient, n, runs)))
            print(f"{name:12}{n:6}{rows[-1][1]:12.4f}{rows[-1][2] / 1e6:12.1f}", flush=True)
    print(f"\n{'exponent of n':20}{'time':>8}{'memory':>8}")
    for name, rows in results.items():
        exponents = (exponent([(row[0], row[k]) for row in rows]) for k in (1, 2))
        print(f"{name:20}" + "".join(f"{e:8.2f}" for e in exponents))
    return results


COLORS = {"persistent": "#2f6fdb", "in place": "#b06000", "copying": "#c0392b"}
SIDE, MARGIN = 300, 56


def panel(title: str, curves: dict[str, list[tuple[float, float]]], left: int) -> list[str]:
    """A plot with logarithmic axes."""
    xs, ys = (np.log10([p[k] for points in curves.values() for p in points]) for k in (0, 1))
    low, high = math.floor(ys.min()), math.ceil(ys.max())

    def at(x: float, y: float) -> tuple[float, float]:
        across = (math.log10(x) - xs.min()) / (xs.max() - xs.min())
        up = (math.log10(y) - low) / (high - low)
        return round(left + SIDE * across, 1), round(MARGIN + SIDE * (1 - up), 1)

    gray = 'fill="none" stroke="#76767655"'
    lines = [f'<text x="{left}" y="{MARGIN - 24}" font-size="14" fill="#767676">{title}</text>']
    for power in range(low, high + 1):
        _, y = at(10 ** xs.min(), 10.0**power)
        lines.append(f'<path d="M{left} {y}h{SIDE}" {gray}/>')
        lines.append(
            f'<text x="{left - 6}" y="{y + 4}" text-anchor="end" fill="#767676">1e{power}</text>'
        )
    for n in sorted({p[0] for points in curves.values() for p in points}):
        x, y = at(n, 10.0**low)
        lines.append(f'<text x="{x}" y="{y + 18}" text-anchor="middle" fill="#767676">{n}</text>')
    for k, (name, points) in enumerate(curves.items()):
        corners = " ".join(f"{x},{y}" for x, y in (at(*p) for p in points))
        color = COLORS[name]
        lines.append(
            f'<polyline points="{corners}" fill="none" stroke="{color}" stroke-width="2"/>'
        )
        lines += [
            f'<circle cx="{x}" cy="{y}" r="3" fill="{color}"/>' for x, y in (at(*p) for p in points)
        ]
        label = f"{name}: n^{exponent(points):.2f}"
        lines.append(
            f'<text x="{left + 10}" y="{MARGIN + 18 + 16 * k}" fill="{color}">{label}</text>'
        )
    return lines


def plot(results: Results) -> str:
    """Time and memory over n."""
    time_of = {name: [(n, s) for n, s, _ in rows] for name, rows in results.items()}
    memory_of = {name: [(n, b) for n, _, b in rows] for name, rows in results.items()}
    width, height = 2 * SIDE + 3 * MARGIN, SIDE + 2 * MARGIN
    return "\n".join(
        [
            f'<svg xmlns="http://www.w3.org/2000/svg" width="{width}" height="{height}" '
            f'font-family="sans-serif" font-size="12">',
            *panel("seconds over n", time_of, MARGIN),
            *panel("peak bytes over n", memory_of, 2 * MARGIN + SIDE),
            "</svg>",
        ]
    )


def main() -> None:
    parser = argparse.ArgumentParser(description="gradient of a lattice language model")
    parser.add_argument("plot", nargs="?", default="persistent_arrays.svg")
    parser.add_argument("--small", action="store_true", help="few runs, small sizes")
    options = parser.parse_args()
    results = sweep(SIZES[:3], 2) if options.small else sweep(SIZES, RUNS)
    with open(options.plot, "w") as file:
        file.write(plot(results))
    print(f"\nplot: {options.plot}")


if __name__ == "__main__":
    main()
