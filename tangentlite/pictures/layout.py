"""Where the nodes of a graph stand and which way its edges go.

In: ``Level`` whose nodes know their sizes.
Out: the same, with places and points; the size of the whole.
Next: painting.

Layers from sources to results, few crossings, then places at which neighbors stand below each other as far as their
widths allow. A box is laid out first and then is a node of the block around it; its ports stay where they are in it.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator
from itertools import pairwise

from tangentlite.pictures.model import Edge, End, Level, Node
from tangentlite.pictures.order import ordered
from tangentlite.pictures.spread import settled

GAP_X, GAP_Y, PADDING, HEADING = 22.0, 26.0, 16.0, 24.0
FAR = 6  # an edge over more layers than this ends at a copy of what it comes from
LOOSE = ("constant", "index", "input", "copy")  # what stands wherever it is read
Links = dict[Node, list[tuple[Node, float, float]]]


def laid_out(level: Level) -> tuple[float, float]:
    """Give every node its place; the answer is width and height of the whole."""
    for node in level.nodes:
        if node.inner is not None:
            width, height = laid_out(node.inner)
            node.width = max(width, 7.0 * len(node.label)) + 2 * PADDING
            node.height = height + HEADING
            moved(node.inner, (node.width - width) / 2, HEADING)
    ranks = _ranks(level)
    if _shortened(level, ranks):
        ranks = _ranks(level)
    layers, chains = _layers(level, ranks)
    above, below = _links(chains)
    layers = ordered(layers, above, below)
    settled(layers, above, below, GAP_X)
    return _placed(level, layers, chains)


def _ranks(level: Level) -> dict[Node, int]:
    """How many steps each node is away from the sources; sources stand just above what reads them."""
    forward = [e for e in level.edges if not e.back]
    after: dict[Node, list[Node]] = {n: [] for n in level.nodes}
    waiting = dict.fromkeys(level.nodes, 0)
    for edge in forward:
        after[edge.start.node].append(edge.end.node)
        waiting[edge.end.node] += 1
    ranks = dict.fromkeys(level.nodes, 0)
    ready = [n for n in level.nodes if not waiting[n]]
    for node in ready:
        for other in after[node]:
            ranks[other] = max(ranks[other], ranks[node] + 1)
            waiting[other] -= 1
            if not waiting[other]:
                ready.append(other)
    held = {(id(e.start.node), e.end.node) for e in forward if e.start.node.kind not in LOOSE}
    before = Counter(end for _, end in held)
    for node in reversed(ready):
        if after[node] and before[node] <= len(after[node]) and node not in level.ins:
            ranks[node] = min(ranks[other] for other in after[node]) - 1
    lowest = max(ranks.values(), default=0)
    for port in level.ins:
        ranks[port] = 0
    for port in level.outs:
        ranks[port] = max(lowest, 1)
    return ranks


def _shortened(level: Level, ranks: dict[Node, int]) -> bool:
    """Let edges that would cross half of the picture begin at a copy of their value."""
    copies: dict[tuple[Node, Node | None, int], Node] = {}
    for edge in level.edges:
        start, end = edge.start, edge.end
        if edge.back or ranks[end.node] - ranks[start.node] <= FAR or end.node in level.outs:
            continue
        if start.port is None and start.node.kind not in ("input", "value", "port"):
            continue
        key = start.node, start.port, ranks[end.node] // FAR
        if key not in copies:
            named = start.port or start.node
            copies[key] = copy = level.node("copy", named.label, derived=end.node.derived)
            copy.width, copy.height = 7.4 * len(named.label) + 18.0, 20.0
        edge.start = End(copies[key])
    return bool(copies)


def _layers(
    level: Level, ranks: dict[Node, int]
) -> tuple[list[list[Node]], list[tuple[Edge, list[Node]]]]:
    """The nodes of each layer, and the chain of nodes that each edge runs through."""
    layers: list[list[Node]] = [[] for _ in range(max(ranks.values(), default=0) + 1)]
    for node in level.nodes:
        layers[ranks[node]].append(node)
    chains = []
    for edge in level.edges:
        if edge.back:
            continue
        chain = [edge.start.node]
        for rank in range(ranks[edge.start.node] + 1, ranks[edge.end.node]):
            bend = Node("bend", "", derived=edge.end.node.derived)
            layers[rank].append(bend)
            chain.append(bend)
        chains.append((edge, [*chain, edge.end.node]))
    return layers, chains


def _links(chains: Iterable[tuple[Edge, list[Node]]]) -> tuple[Links, Links]:
    """The neighbors above and below each node, with the distances of ports from the centers."""
    above: Links = {}
    below: Links = {}
    for edge, chain in chains:
        for k, (a, b) in enumerate(pairwise(chain)):
            out = _offset(edge.start) if k == 0 else 0.0
            into = _offset(edge.end) if k == len(chain) - 2 else 0.0
            below.setdefault(a, []).append((b, out, into))
            above.setdefault(b, []).append((a, into, out))
    return above, below


def _offset(end: End) -> float:
    return end.port.x - end.node.width / 2 if end.port is not None else 0.0


def _placed(
    level: Level, layers: list[list[Node]], chains: list[tuple[Edge, list[Node]]]
) -> tuple[float, float]:
    top = PADDING
    for layer in layers:
        height = max((n.height for n in layer), default=0.0)
        for node in layer:
            node.y = top + height / 2
            node.height = height if node.kind == "bend" else node.height
        top += height + GAP_Y
    everyone = [n for layer in layers for n in layer]
    left = min((n.x - n.width / 2 for n in everyone), default=0.0) - PADDING
    right = max((n.x + n.width / 2 for n in everyone), default=0.0) + PADDING
    height = max(top - GAP_Y, 0.0) + PADDING
    for port in (*level.ins, *level.outs):
        port.y = port.height / 2 if port in level.ins else height - port.height / 2
    for node in everyone:
        node.x -= left
    for edge, chain in chains:
        edge.points = _way(edge, chain)
    width = right - left
    backs = [e for e in level.edges if e.back]
    for k, edge in enumerate(backs):
        edge.points = _way_back(edge, width + 8.0 + 10.0 * k)
    for node in level.nodes:
        if node.inner is not None:
            moved(node.inner, node.x - node.width / 2, node.y - node.height / 2)
    return width + (14.0 + 10.0 * len(backs) if backs else 0.0), height


def _way(edge: Edge, chain: list[Node]) -> list[tuple[float, float]]:
    """From the lower side of a node to the upper side of another, through bends."""
    first, *bends, last = chain
    begin, end = first.y + first.height / 2, last.y - last.height / 2
    points = [(first.x + _offset(edge.start), begin), *_beside(bends)]
    points.append((last.x + _offset(edge.end), end))
    if (port := edge.start.port) is not None:
        top = first.y - first.height / 2 + port.y + port.height / 2
        points.insert(0, (points[0][0], top))
    if (port := edge.end.port) is not None:
        points.append((points[-1][0], last.y - last.height / 2 + port.y - port.height / 2))
    return points


def _beside(bends: list[Node]) -> Iterator[tuple[float, float]]:
    """Straight down past all that stands in the layers of bends."""
    for bend in bends:
        yield bend.x, bend.y - bend.height / 2
        yield bend.x, bend.y + bend.height / 2


def _way_back(edge: Edge, x: float) -> list[tuple[float, float]]:
    """Down, round the right side, and in from above."""
    start, end = edge.start.node, edge.end.node
    begin = start.x + start.width / 2, start.y
    return [begin, (x, start.y), (x, end.y), (end.x + end.width / 2, end.y)]


def moved(level: Level, dx: float, dy: float) -> None:
    """Everything in a level somewhere else."""
    for node in level.nodes:
        node.x, node.y = node.x + dx, node.y + dy
        if node.inner is not None:
            moved(node.inner, dx, dy)
    for edge in level.edges:
        edge.points = [(x + dx, y + dy) for x, y in edge.points]
