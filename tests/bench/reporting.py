"""The page of the benchmark: a table, and the cost over the size as a picture.

In: rows of all workloads and sizes.
Out: Markdown and SVG.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping

from tests.bench.comparing import BY_HAND, OWN, PRIMAL, Row

Results = Mapping[tuple[str, int], list[Row]]
SIDE, GAP, COLUMNS = 190, 60, 4
COLORS = {
    BY_HAND: "#767676",
    OWN: "#2f6fdb",
    "tangentlite, Numba": "#8250df",
    "autograd": "#b06000",
    "JAX jit": "#1a7f37",
    "PyTorch eager": "#c0392b",
}


def table(results: Results, goals: Mapping[tuple[str, int], float]) -> str:
    """Ratios to the gradient by hand, in Markdown."""
    names = list(dict.fromkeys(row.name for rows in results.values() for row in rows))
    shown = [name for name in names if name != BY_HAND]
    lines = ["| workload | size | by hand | goal | " + " | ".join(shown) + " |"]
    lines.append("|---" * (4 + len(shown)) + "|")
    for (work, size), rows in results.items():
        cells = {row.name: row for row in rows}
        hand = _duration(cells[BY_HAND].seconds)
        goal = goals[work, size]
        ratios = " | ".join(_ratio(cells[name]) if name in cells else "" for name in shown)
        lines.append(f"| {work} | {size} | {hand} | {goal:g} | {ratios} |")
    return "\n".join(lines)


def first_calls(results: Results) -> str:
    """Seconds of the first call, at the largest size of each workload."""
    largest = {work: rows for (work, _), rows in results.items()}
    names = [r.name for r in next(iter(largest.values())) if r.name not in (BY_HAND, PRIMAL)]
    lines = ["| workload | " + " | ".join(names) + " |", "|---" * (1 + len(names)) + "|"]
    for work, rows in largest.items():
        cells = {row.name: row for row in rows}
        firsts = (cells[n] for n in names)
        lines.append(f"| {work} | " + " | ".join(_first(row) for row in firsts) + " |")
    return "\n".join(lines)


def geometric_mean(results: Results, name: str) -> float:
    """Of the ratios of one contestant."""
    found = [r.ratio for rows in results.values() for r in rows if r.name == name and not r.why]
    return math.exp(sum(map(math.log, found)) / len(found)) if found else math.nan


def against(results: Results, names: Iterable[str], rival: str) -> str:
    """How many times as long as each the rival takes: geometric means over what both can, in words."""
    said = []
    for name in names:
        ratios = [
            cells[rival].ratio / cells[name].ratio
            for rows in results.values()
            for cells in [{row.name: row for row in rows if not row.why}]
            if name in cells and rival in cells
        ]
        if ratios:
            mean = math.exp(sum(map(math.log, ratios)) / len(ratios))
            said.append(f"{name} {mean:.2f} ({len(ratios)})")
    return ", ".join(said)


def misses(results: Results, goals: Mapping[tuple[str, int], float]) -> str:
    """Which of our ratios are above their goals, in words."""
    found = [
        f"{work} {size} ({row.ratio:.2f} for {goals[work, size]:g})"
        for (work, size), rows in results.items()
        for row in rows
        if row.name == OWN and not row.why and round(row.ratio, 2) > goals[work, size]
    ]
    return f"Goals missed: {', '.join(found)}." if found else "No goal is missed."


def _ratio(row: Row) -> str:
    if row.why:
        return row.why
    return f"{row.ratio:.2f}" if row.ratio < 10 else f"{row.ratio:,.0f}"


def _first(row: Row) -> str:
    return row.why or (f"{row.first:.2f} s" if row.first >= 0.1 else f"{1e3 * row.first:.0f} ms")


def _duration(seconds: float) -> str:
    for unit, factor in (("s", 1.0), ("ms", 1e3), ("µs", 1e6)):
        if seconds * factor >= 1.0:
            return f"{seconds * factor:.3g} {unit}"
    return f"{seconds * 1e9:.3g} ns"


def picture(results: Results) -> str:
    """A panel for each workload with several sizes: seconds over the size, both logarithmic."""
    works: dict[str, dict[str, list[tuple[int, float]]]] = {}
    for (work, size), rows in results.items():
        for row in rows:
            if row.name in COLORS and not row.why:
                works.setdefault(work, {}).setdefault(row.name, []).append((size, row.seconds))
    works = {work: curves for work, curves in works.items() if len(curves[BY_HAND]) > 1}
    lines = []
    for k, (work, curves) in enumerate(works.items()):
        corner = GAP + (k % COLUMNS) * (SIDE + GAP), GAP + (k // COLUMNS) * (SIDE + GAP)
        lines += _panel(work, curves, *corner)
    height = GAP + math.ceil(len(works) / COLUMNS) * (SIDE + GAP)
    width = GAP + COLUMNS * (SIDE + GAP)
    legend = [
        f'<text x="{GAP + 130 * k}" y="20" fill="{color}">{name}</text>'
        for k, (name, color) in enumerate(COLORS.items())
    ]
    head = f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width} {height}" font-family="sans-serif" font-size="11">'
    return "\n".join([head, *legend, *lines, "</svg>"])


def _panel(
    title: str, curves: Mapping[str, list[tuple[int, float]]], left: float, top: float
) -> list[str]:
    points = [p for curve in curves.values() for p in curve]
    xs, ys = ([math.log10(p[k]) for p in points] for k in (0, 1))
    low, high = math.floor(min(ys)), math.ceil(max(ys))

    def at(x: float, y: float) -> tuple[float, float]:
        across = (math.log10(x) - min(xs)) / (max(xs) - min(xs))
        up = (math.log10(y) - low) / (high - low)
        return round(left + SIDE * across, 1), round(top + SIDE * (1 - up), 1)

    lines = [f'<text x="{left}" y="{top - 8}" fill="#767676">{title}</text>']
    for power in range(low, high + 1):
        _, y = at(10 ** min(xs), 10.0**power)
        lines.append(f'<path d="M{left} {y}h{SIDE}" fill="none" stroke="#76767655"/>')
        lines.append(
            f'<text x="{left - 5}" y="{y + 4}" text-anchor="end" fill="#767676">1e{power} s</text>'
        )
    for size in sorted({p[0] for p in points}):
        x, y = at(size, 10.0**low)
        lines.append(
            f'<text x="{x}" y="{y + 15}" text-anchor="middle" fill="#767676">{size}</text>'
        )
    for name, curve in curves.items():
        places = [at(*p) for p in sorted(curve)]
        path = " ".join(f"{x},{y}" for x, y in places)
        lines.append(
            f'<polyline points="{path}" fill="none" stroke="{COLORS[name]}" stroke-width="2"/>'
        )
    return lines
