"""How far to the right each node stands.

In: layers in their order, and the neighbors of their nodes.
Out: ``x`` of every node: near its neighbors, and apart from those beside it.
Next: layout.
"""

from __future__ import annotations

from tangentlite.pictures.model import Node

ROUNDS = 14
STRAIGHT = 8.0  # how much more a bend wants to stand below a bend
Links = dict[Node, list[tuple[Node, float, float]]]


def settled(layers: list[list[Node]], above: Links, below: Links, gap: float) -> None:
    """Let the nodes of each layer go to the middle of their neighbors, downward and upward in turn."""
    for layer in layers:
        _apart(layer, [(0.0, 1.0)] * len(layer), gap)
    for turn in range(ROUNDS):
        both = turn >= ROUNDS - 4
        for links, others, order in ((above, below, layers), (below, above, layers[::-1])):
            for layer in order:
                _apart(layer, [_wish(n, links, others, both) for n in layer], gap)


def _wish(node: Node, links: Links, others: Links, both: bool) -> tuple[float, float]:
    """Where a node would stand if it were alone, and how much it wants to."""
    near = links.get(node) or others.get(node, [])
    if both:
        near = [*links.get(node, []), *others.get(node, [])]
    total, weights = 0.0, 0.0
    for other, here, there in near:
        bends = (node.kind == "bend") + (other.kind == "bend")
        weight = STRAIGHT if bends == 2 else 1.0 + bends
        total += weight * (other.x + there - here)
        weights += weight
    return (total / weights, weights) if near else (node.x, 0.1)


def _apart(layer: list[Node], wishes: list[tuple[float, float]], gap: float) -> None:
    """The places nearest to the wishes (least squares) at which nobody overlaps and the order is kept.

    >>> nodes = [Node("value", n, width=10.0) for n in "abc"]
    >>> _apart(nodes, [(0.0, 1.0), (0.0, 1.0), (100.0, 1.0)], 2.0)
    >>> [n.x for n in nodes]
    [-6.0, 6.0, 100.0]
    """
    offset, offsets = 0.0, []
    for k, node in enumerate(layer):
        if k:
            bend = "bend" in (layer[k - 1].kind, node.kind)
            offset += (layer[k - 1].width + node.width) / 2 + (gap * 0.6 if bend else gap)
        offsets.append(offset)
    groups: list[tuple[float, float, int]] = []  # weighted sums, weights, how many nodes
    for (wish, weight), own in zip(wishes, offsets):
        total, weights, count = weight * (wish - own), weight, 1
        while groups and groups[-1][0] / groups[-1][1] >= total / weights:
            before = groups.pop()
            total, weights, count = total + before[0], weights + before[1], count + before[2]
        groups.append((total, weights, count))
    shifts = [total / weights for total, weights, count in groups for _ in range(count)]
    for node, own, shift in zip(layer, offsets, shifts):
        node.x = own + shift
