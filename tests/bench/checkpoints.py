"""A long loop of small steps, its gradient with few states kept: trips made, states and memory held, a plot.

The steps are counted, not timed; what the counts say is checked by tests/memory. Run it from the root:
``python -m tests.bench.checkpoints [docs/memory.svg]`` prints the table of docs/memory.md.
"""

from __future__ import annotations

import argparse
import math
import tracemalloc
from pathlib import Path
from typing import Any

import numpy as np

import tangentlite as tl
from tangentlite.runtime.checkpoints import stops

WIDTH = 10_000
SLOTS = (2, 3, 5, 10, 20)
SIZES = (10, 30, 100, 300, 1000, 3000, 10_000)
COLORS = ("#c0392b", "#b06000", "#1a7f37", "#2f6fdb", "#8250df")
SIDE, MARGIN = 300, 60


def trips(n: int, slots: int) -> tuple[int, int]:
    """How many trips are made in both sweeps besides those that are walked back, and how many states are held at most."""
    states: list[tuple[int, int]] = []
    made = most = 0

    def walk(way: range, free: int) -> None:
        nonlocal made, most
        kept = stops(way, free)
        states.extend(kept.items())
        made, most = made + len(way), max(most, len(states))

    walk(range(n), slots)
    for t in reversed(range(n)):
        start, free = states.pop()
        walk(range(start, t), free)
    return made, most


def plain(w, h, n):  # type: ignore[no-untyped-def]
    """A recurrence of vectors."""
    for _ in range(n):
        h = np.tanh(w * h)
    return np.sum(h * h)


def few(w, h, n, slots):  # type: ignore[no-untyped-def]
    """The same, of which few states are kept."""
    for _ in tl.checkpoint_loop(range(n), slots=slots):
        h = np.tanh(w * h)
    return np.sum(h * h)


PLAIN, FEW = tl.grad(plain), tl.grad(few)


def measured(slots: int | None, n: int) -> float:
    """Peak bytes of a gradient; ``slots`` None: of the plain loop."""
    w, h = np.linspace(0.5, 1.5, WIDTH), np.ones(WIDTH)

    def run(n: int) -> Any:
        return PLAIN(w, h, n) if slots is None else FEW(w, h, n, slots)

    run(1)
    tracemalloc.start()
    try:
        run(n)
        return float(tracemalloc.get_traced_memory()[1])
    finally:
        tracemalloc.stop()


def table() -> str:
    """Trips made for each that the loop has, by slots."""
    lines = [
        "| trips | " + " | ".join(f"{k} slots" for k in SLOTS) + " |",
        "|---" * (1 + len(SLOTS)) + "|",
    ]
    for n in SIZES:
        ratios = (1.0 + trips(n, k)[0] / n for k in SLOTS)
        lines.append(f"| {n:,} | " + " | ".join(f"{r:.2f}" for r in ratios) + " |")
    return "\n".join(lines)


def picture() -> str:
    """Trips made, and states held, over the number of trips."""
    made = [[(n, 1.0 + trips(n, k)[0] / n) for n in SIZES if n <= 40 * k**2] for k in SLOTS]
    held = [[(n, float(trips(n, k)[1])) for n in SIZES] for k in SLOTS]
    held.append([(n, float(n)) for n in SIZES])
    width, height = 2 * SIDE + 3 * MARGIN, SIDE + 2 * MARGIN
    head = f'<svg xmlns="http://www.w3.org/2000/svg" width="{width}" height="{height}" '
    lines = [head + 'font-family="sans-serif" font-size="12">']
    lines += _panel("trips made for each trip of the loop", made, MARGIN)
    lines += _panel("states held at most", held, 2 * MARGIN + SIDE)
    return "\n".join([*lines, "</svg>"])


def _panel(title: str, curves: list[list[tuple[int, float]]], left: int) -> list[str]:
    ys = [math.log10(y) for curve in curves for _, y in curve]
    low, high = math.floor(min(ys)), math.ceil(max(ys))
    first, last = math.log10(SIZES[0]), math.log10(SIZES[-1])

    def at(x: float, y: float) -> tuple[float, float]:
        across = (math.log10(x) - first) / (last - first)
        up = (math.log10(y) - low) / (high - low)
        return round(left + SIDE * across, 1), round(MARGIN + SIDE * (1 - up), 1)

    lines = [f'<text x="{left}" y="{MARGIN - 24}" font-size="14" fill="#767676">{title}</text>']
    for power in range(low, high + 1):
        _, y = at(SIZES[0], 10.0**power)
        lines.append(f'<path d="M{left} {y}h{SIDE}" fill="none" stroke="#76767655"/>')
        lines.append(
            f'<text x="{left - 6}" y="{y + 4}" text-anchor="end" fill="#767676">{10**power}</text>'
        )
    for n in SIZES:
        x, y = at(n, 10.0**low)
        lines.append(f'<text x="{x}" y="{y + 18}" text-anchor="middle" fill="#767676">{n}</text>')
    names = [f"{k} slots" for k in SLOTS] + ["a plain loop"]
    for k, (name, curve) in enumerate(zip(names, curves)):
        color = (*COLORS, "#767676")[k]
        corners = " ".join(f"{x},{y}" for x, y in (at(*p) for p in curve))
        lines.append(
            f'<polyline points="{corners}" fill="none" stroke="{color}" stroke-width="2"/>'
        )
        lines.append(
            f'<text x="{left + 10}" y="{MARGIN + 14 + 16 * k}" fill="{color}">{name}</text>'
        )
    return lines


def main() -> None:
    """Print the table, and write the plot if a file is named."""
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("plot", nargs="?", type=Path)
    plot = parser.parse_args().plot
    print(table())
    for slots in (None, *SLOTS):
        peaks = ", ".join(f"{measured(slots, n) / 1e6:.1f} MB of {n:,} trips" for n in (100, 1000))
        print(f"{'a plain loop' if slots is None else f'{slots} slots'}: {peaks}")
    if plot is not None:
        plot.write_text(picture() + "\n")


if __name__ == "__main__":
    main()
