"""Few crossings: the order of the nodes in each layer.

In: layers and the neighbors of their nodes.
Out: the layers in another order.
Next: spread.
"""

from __future__ import annotations

from bisect import bisect_right, insort
from itertools import pairwise

from tangentlite.pictures.model import Node

ROUNDS = 12
Links = dict[Node, list[tuple[Node, float, float]]]


def ordered(layers: list[list[Node]], above: Links, below: Links) -> list[list[Node]]:
    """Sort the layers down and up by where the neighbors stand; the best order that was met is the answer."""
    best, fewest = layers, crossings(layers, below)
    for turn in range(ROUNDS):
        if not fewest:
            break
        layers = _swept(layers, above if turn % 2 == 0 else below, turn % 2 == 1)
        count = crossings(layers, below)
        if count < fewest:
            best, fewest = layers, count
    return best


def _swept(layers: list[list[Node]], links: Links, upward: bool) -> list[list[Node]]:
    """Each layer sorted by the middle of its neighbors in the layer before."""
    new = list(layers)
    turns = range(len(layers) - 2, -1, -1) if upward else range(1, len(layers))
    for k in turns:
        fixed = new[k + 1] if upward else new[k - 1]
        places = {node: p / max(len(fixed), 1) for p, node in enumerate(fixed)}
        own = {node: p / max(len(new[k]), 1) for p, node in enumerate(new[k])}
        wishes = {}
        for node in new[k]:
            near = [
                places[other] + 1e-4 * shift
                for other, _, shift in links.get(node, [])
                if other in places
            ]
            wishes[node] = sum(near) / len(near) if near else own[node]
        new[k] = sorted(new[k], key=wishes.__getitem__)
    return new


def crossings(layers: list[list[Node]], below: Links) -> int:
    """How often edges between neighboring layers cross.

    >>> a, b, c, d = (Node("value", n) for n in "abcd")
    >>> crossings([[a, b], [c, d]], {a: [(d, 0.0, 0.0)], b: [(c, 0.0, 0.0)]})
    1
    """
    count = 0
    for upper, lower in pairwise(layers):
        places = {node: p for p, node in enumerate(lower)}
        seen: list[tuple[int, float]] = []
        for node in upper:
            ends = [
                (places[other], into) for other, _, into in below.get(node, []) if other in places
            ]
            count += sum(len(seen) - bisect_right(seen, end) for end in ends)
            for end in ends:
                insort(seen, end)
    return count
