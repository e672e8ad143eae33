"""The picture: SVG text.

In: a level that is laid out.
Out: SVG; its colors follow the reader's light or dark scheme.
Next: the graph as an object.
"""

from __future__ import annotations

from collections.abc import Iterator
from html import escape
from importlib.resources import files
from itertools import pairwise

from tangentlite.pictures.model import Edge, Level, Node, every

NAME, TELL = 7.3, 6.5  # the width of a character of a name, and of what a run tells
LINE = 14.0
ROUND = 2  # characters that fit into a circle
XMLNS = ' xmlns="http://www.w3.org/2000/svg"'  # what a page has no need to say
NARROW = "\u00a0"  # a space that is kept
Point = tuple[float, float]


def style() -> str:
    """The style sheet of pictures."""
    return (files("tangentlite.pictures") / "graph.css").read_text(encoding="utf-8")


def measure(level: Level) -> None:
    """Give every node its size: that of its words."""
    for node in every(level):
        told = max((len(line) for line in node.lines), default=0) * TELL
        named = "" if node.kind == "wire" else node.label
        if node.kind == "wire" and not node.lines:
            node.width, node.height = 0.0, 0.0
        elif node.kind == "port":
            node.width, node.height = NAME * len(named) + 14.0, 18.0
        elif node.kind == "operation" and len(named) <= ROUND and not node.lines:
            node.width, node.height = 32.0, 32.0
        else:
            node.width = max(NAME * len(named), told) + 24.0
            node.height = (20.0 if named else 2.0) + LINE * len(node.lines) + 6.0


def svg(level: Level, width: float, height: float, title: str, styled: bool = True) -> str:
    """The picture of a level."""
    width, height = width + 2, height + 2
    head = (
        f'<svg{XMLNS if styled else ""} class="tlg" role="img" width="{width:.0f}" '
        f'height="{height:.0f}" viewBox="-1 -1 {width:.0f} {height:.0f}">'
    )
    css = f"<style>{style()}</style>" if styled else ""
    parts = [head, f"<title>{clean(title)}</title>", css, *_level(level), "</svg>"]
    return "\n".join(part for part in parts if part)


def clean(text: str) -> str:
    """Text that is neither markup nor anything that XML forbids.

    >>> clean("a < b & \\x07")
    'a &lt; b &amp; �'
    """
    allowed = (c if c in "\t\n" or (c.isprintable() and ord(c) < 0xFFFE) else "�" for c in text)
    return escape("".join(allowed))


def _level(level: Level) -> Iterator[str]:
    """Boxes first, then edges, then nodes, so that nothing hides what is smaller."""
    for node in level.nodes:
        if node.inner is not None:
            yield _box(node)
            yield from _level(node.inner)
    for edge in level.edges:
        yield from _edge(edge)
    yield from (_heading(node) for node in level.nodes if node.inner is not None)
    for node in level.nodes:
        if node.inner is None:
            yield from _node(node)


def _classes(node: Node) -> str:
    words = [f"tlg-{node.kind}"]
    words += ["tlg-parameter"] * (node.parameter and not node.derived)
    words += ["tlg-derived"] * node.derived + ["tlg-faded"] * node.faded
    return " ".join(words)


def _box(node: Node) -> str:
    x, y = node.x - node.width / 2, node.y - node.height / 2
    return (
        f'<g class="{_classes(node)}"><title>{clean(node.told)}</title>'
        f"{_rectangle(x, y, node.width, node.height, 10)}</g>"
    )


def _heading(node: Node) -> str:
    """The words of a box, over the edges that enter it."""
    x, y = node.x - node.width / 2 + 12, node.y - node.height / 2
    line = y + node.height - 9 if node.upward else y + 16
    return f'<text class="{_classes(node)}" x="{x:.1f}" y="{line:.1f}">{clean(node.label)}</text>'


def _rectangle(x: float, y: float, width: float, height: float, radius: float) -> str:
    return (
        f'<rect x="{x:.1f}" y="{y:.1f}" width="{width:.1f}" height="{height:.1f}" rx="{radius:g}"/>'
    )


def _node(node: Node) -> Iterator[str]:
    if node.kind == "wire" and not node.lines:
        return
    named = "" if node.kind == "wire" else node.label
    x, y = node.x - node.width / 2, node.y - node.height / 2
    yield f'<g class="{_classes(node)}"><title>{clean(node.told or node.label)}</title>'
    if node.kind == "operation" and node.width == node.height:
        yield f'<circle cx="{node.x:.1f}" cy="{node.y:.1f}" r="{node.width / 2:.1f}"/>'
    else:
        radius = 8 if node.kind in ("operation", "effect", "wire") else min(node.height / 2, 13)
        yield _rectangle(x, y, node.width, node.height, radius)
    top = y + 17 if named else y
    if named:
        middle = node.y + 4.5 if not node.lines else top
        yield f'<text x="{node.x:.1f}" y="{middle:.1f}">{clean(named)}</text>'
    for k, (line, mark) in enumerate(zip(node.lines, node.marks), 1):
        at = top + LINE * k
        said = clean(line).replace(" ", NARROW)
        yield f'<text class="tlg-{mark}" x="{node.x:.1f}" y="{at:.1f}">{said}</text>'
    yield "</g>"


def _edge(edge: Edge) -> Iterator[str]:
    start, end = edge.start.node, edge.end.node
    words = ["tlg-edge"]
    words += ["tlg-back"] * edge.back
    words += ["tlg-rules"] * edge.rules
    words += ["tlg-derived"] * (start.derived and end.derived)
    words += ["tlg-across"] * (start.derived is not end.derived)
    words += ["tlg-faded"] * (start.faded or end.faded)
    across = start.derived is not end.derived and not edge.back
    if across:
        a, b, c, d = edge.points
        way = f"M{_at(a)}C{_at(b)} {_at(c)} {_at(d)}"
    elif edge.back:
        way = "M" + "L".join(map(_at, edge.points))
    else:
        way = _curve(edge.points)
    yield f'<path class="{" ".join(words)}" d="{way}"/>'
    if end.width or end.inner is not None:
        yield f'<path class="{" ".join(words)} tlg-tip" d="{_tip(edge.points)}"/>'


def _curve(points: list[Point]) -> str:
    """Through the points, upright at each of them."""
    path = f"M{_at(points[0])}"
    for (x, y), (u, v) in pairwise(points):
        if abs(x - u) < 0.5:
            path += f"L{_at((u, v))}"
        else:
            middle = (y + v) / 2
            path += f"C{_at((x, middle))} {_at((u, middle))} {_at((u, v))}"
    return path


def _at(point: Point) -> str:
    return f"{point[0]:.1f},{point[1]:.1f}"


def _tip(points: list[Point]) -> str:
    """An arrowhead at the last point, in the direction in which the way arrives."""
    (x, y), (u, v) = points[-2:]
    if abs(x - u) > 2 * abs(y - v) or (len(points) == 4 and y == v):
        side = -7.0 if u > x else 7.0
        return f"M{u:.1f},{v:.1f}l{side:.1f},-3.5v7z"
    side = -7.0 if v > y else 7.0
    return f"M{u:.1f},{v:.1f}l-3.5,{side:.1f}h7z"
