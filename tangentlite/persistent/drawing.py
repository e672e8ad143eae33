"""The tree of versions as a drawing: it grows to the right from the oldest; what is long or wide is abbreviated.

In: the nodes of a tree.
Out: SVG text that reads on light and on dark pages.
Next: array.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from html import escape

from tangentlite.persistent.inspection import Node

COLUMN, ROW, MARGIN, RADIUS = 174, 52, 28, 15
CHAIN, FAMILY = 6, 8  # longer chains and larger families are abbreviated
GRAY, BLUE, GREEN, WHITE = "#767676", "#2f6fdb", "#1f8a4c", "#ffffff"
FONT = 'font-family="ui-monospace, monospace" font-size="12" text-anchor="middle"'


@dataclass(frozen=True, slots=True)
class Spot:
    """A version in its place on the drawing, or words in place of many versions."""

    words: str
    node: Node | None
    column: int
    row: int
    source: Spot | None

    @property
    def x(self) -> int:
        """The middle, from the left."""
        return MARGIN + COLUMN * self.column

    @property
    def y(self) -> int:
        """The middle, from above."""
        return MARGIN + ROW * self.row

    @property
    def reach(self) -> int:
        """How far from its middle the spot ends."""
        return RADIUS + 3 if self.node else 4 * len(self.words)


class Growth:
    """The successors of each version, seen from the oldest, and what must be shown."""

    def __init__(self, nodes: tuple[Node, ...], asking: int) -> None:
        self.named = {node.number: node for node in nodes}
        self.oldest = nodes[0].number
        self.ahead: dict[int, set[int]] = {number: set() for number in self.named}
        for node in nodes:
            if node.toward is not None:
                self.ahead[node.number].add(node.toward)
                self.ahead[node.toward].add(node.number)
        before = self.orient()
        self.marked = {asking, *(node.number for node in nodes if node.current)}
        self.shown = set(self.marked)
        for number in self.marked:
            while number in before:
                number = before[number]
                self.shown.add(number)

    def orient(self) -> dict[int, int]:
        """Leave only the successors in ``ahead``; the predecessor of each version."""
        before: dict[int, int] = {}
        pending = [self.oldest]
        while pending:
            number = pending.pop()
            for after in self.ahead[number]:
                before[after] = number
                self.ahead[after].discard(number)
            pending += self.ahead[number]
        return before

    def chain(self, number: int) -> list[int]:
        """The versions from ``number`` on, one after another, up to a branch, an end or a marked one."""
        found = [number]
        while len(self.ahead[number]) == 1 and number not in self.marked:
            (number,) = self.ahead[number]
            found.append(number)
        return found

    def family(self, number: int) -> tuple[list[int], int]:
        """The successors to draw, and the number of the others."""
        ahead = sorted(self.ahead[number], key=lambda n: (n not in self.shown, n))
        drawn = len(ahead) if len(ahead) <= FAMILY else FAMILY - 1
        return sorted(ahead[:drawn]), len(ahead) - drawn


def placed(growth: Growth) -> Iterator[Spot]:
    """All that is drawn: the first successor stands beside its predecessor, the others below."""
    lowest = 0
    pending: list[tuple[int | None, str, int, Spot | None]] = [(growth.oldest, "", 0, None)]
    while pending:
        number, text, rank, last = pending.pop()
        column, row = (last.column + 1, last.row) if last else (0, 0)
        if rank:
            lowest = row = lowest + 1
        if number is None:
            yield Spot(text, None, column, row, last)
            continue
        chain: list[int | str] = [*growth.chain(number)]
        if len(chain) > CHAIN:
            chain[1:-1] = [f"… {len(chain) - 2} versions"]
        for link in chain:
            node, text = (None, link) if isinstance(link, str) else (growth.named[link], "")
            last = Spot(text, node, last.column + 1 if last else 0, row, last)
            yield last
        drawn, others = growth.family(link if isinstance(link, int) else number)
        below = [(None, f"… {others} branches", len(drawn), last)] if others else []
        pending += [*below, *((n, "", k, last) for k, n in reversed([*enumerate(drawn)]))]


def draw(nodes: tuple[Node, ...], asking: int) -> str:
    """The tree as SVG; ``asking`` is the number of the version whose handle is shown."""
    spots = [*placed(Growth(nodes, asking))]
    width = max(spot.x + spot.reach for spot in spots) + MARGIN - RADIUS
    height = max(spot.y for spot in spots) + MARGIN
    lines = [
        f'<svg xmlns="http://www.w3.org/2000/svg" width="{width}" height="{height}" '
        f'viewBox="0 0 {width} {height}" {FONT} role="img">',
        f"<title>{len(nodes)} versions</title>",
    ]
    for spot in spots:
        lines += edge(spot.source, spot) if spot.source else []
        lines += circle(spot.node, spot, asking) if spot.node else [words(spot)]
    return "\n".join([*lines, "</svg>"])


def words(spot: Spot) -> str:
    """Words in place of many versions."""
    return f'<text x="{spot.x}" y="{spot.y + 4}" fill="{GRAY}">{escape(spot.words, quote=False)}</text>'


def circle(node: Node, spot: Spot, asking: int) -> Iterator[str]:
    """A version: filled if a handle holds it, blue if the buffer has its values, ringed if it is asked for."""
    color = BLUE if node.current else GRAY
    look = (
        f'fill="{color}"'
        if node.handles
        else f'fill="none" stroke="{color}" stroke-dasharray="3 3"'
    )
    state = f"version {node.number}, handles: {node.handles}, bytes held: {node.nbytes}"
    state += ", current" if node.current else ""
    yield f'<g><title>{state}</title><circle cx="{spot.x}" cy="{spot.y}" r="{RADIUS}" {look}/>'
    if node.number == asking:
        ring = f'fill="none" stroke="{GREEN}" stroke-width="3"'
        yield f'<circle cx="{spot.x}" cy="{spot.y}" r="{RADIUS + 3}" {ring}/>'
    color = WHITE if node.handles else color
    size = ' font-size="9"' if node.number > 999 else ""
    yield f'<text x="{spot.x}" y="{spot.y + 4}" fill="{color}"{size}>{node.number}</text></g>'


def edge(source: Spot, target: Spot) -> Iterator[str]:
    """A line; its arrow and its words say what the change that is kept leads to."""
    left, right, below = source.x + source.reach, target.x - target.reach, source.y + source.reach
    beside = source.row == target.row
    elbow = f"M{source.x} {below}V{target.y - 8}q0 8 8 8H{right}"
    line = f"M{left} {target.y}H{right}" if beside else elbow
    yield f'<path d="{line}" fill="none" stroke="{GRAY}" stroke-width="1.5"/>'
    if source.node is None or target.node is None:
        return
    if target.node.toward == source.node.number:
        change, tip = target.node.change, f"M{right} {target.y}l-7 -4v8z"
    else:
        change = source.node.change
        tip = f"M{left} {source.y}l7 -4v8z" if beside else f"M{source.x} {below}l-4 7h8z"
    yield f'<path d="{tip}" fill="{GRAY}"/>'
    x, y = (source.x + target.x) // 2, target.y - 7
    yield f'<text x="{x}" y="{y}" fill="{GRAY}">{escape(change, quote=False)}</text>'
