"""A derivative beside the function: two columns.

In: the graph of a derivative's text.
Out: the nodes of both, laid out; in reverse mode the derivative runs upward, beside what it is the derivative of.
Next: painting.
"""

from __future__ import annotations

from tangentlite.pictures.layout import laid_out, moved
from tangentlite.pictures.model import Edge, End, Level, Node, every

BETWEEN = 90.0


def side_by_side(level: Level, upward: bool) -> tuple[Level, float, float]:
    """Both columns as one level, and the size of the whole."""
    inside = {id(n): n.derived for n in level.nodes}
    crossing = [e for e in level.edges if inside[id(e.start.node)] != inside[id(e.end.node)]]
    sides = []
    for derived in (False, True):
        nodes = [n for n in level.nodes if n.derived is derived]
        own = {id(n) for n in nodes}
        edges = [e for e in level.edges if id(e.start.node) in own and id(e.end.node) in own]
        side = Level(nodes, edges)
        sides.append((side, *laid_out(side)))
    (left, width, height), (right, other_width, other_height) = sides
    if upward:
        _flipped(right, other_height)
    whole = max(height, other_height)
    shift = width + BETWEEN if left.nodes else 0.0
    moved(left, 0.0, whole - height if upward else 0.0)
    moved(right, shift, whole - other_height if upward else 0.0)
    for edge in crossing:
        edge.points = _across(edge, level.nodes)
    edges = [*left.edges, *right.edges, *crossing]
    return Level([*left.nodes, *right.nodes], edges), shift + other_width, whole


def _flipped(level: Level, height: float) -> None:
    """Upside down."""
    for node in every(level):
        node.y = height - node.y
        node.upward = True
        for edge in node.inner.edges if node.inner is not None else ():
            edge.points = [(x, height - y) for x, y in edge.points]
    for edge in level.edges:
        edge.points = [(x, height - y) for x, y in edge.points]


def _across(edge: Edge, nodes: list[Node]) -> list[tuple[float, float]]:
    """From the right side of one node to the left side of another; over or under what stands in the way."""
    forward = edge.start.node.x <= edge.end.node.x
    (start, lead), (end, last) = (
        _leave(edge.start, forward, nodes),
        _leave(edge.end, not forward, nodes),
    )
    bow = max(40.0, abs(end[0] - start[0]) / 2) * (1 if forward else -1)
    return [
        start,
        (start[0] + bow, start[1]) if lead is None else lead,
        (end[0] - bow, end[1]) if last is None else last,
        end,
    ]


def _leave(
    end: End, right: bool, nodes: list[Node]
) -> tuple[tuple[float, float], tuple[float, float] | None]:
    """Where an edge leaves a node, and in which direction if it is not sideways."""
    node: Node = end.node
    at = end.port if end.port is not None else node
    free = end.port is not None or not any(_blocks(other, node, right) for other in nodes)
    if free:
        return (node.x + (node.width / 2 if right else -node.width / 2), at.y), None
    up = -1 if right else 1
    return (node.x, node.y + up * node.height / 2), (node.x, node.y + up * (node.height / 2 + 60))


def _blocks(other: Node, node: Node, right: bool) -> bool:
    """Whether another node of its column stands beside a node."""
    if other is node or other.derived is not node.derived:
        return False
    beside = other.x > node.x if right else other.x < node.x
    return beside and abs(other.y - node.y) < other.height / 2
