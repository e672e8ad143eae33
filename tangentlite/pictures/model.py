"""What a computation graph is made of.

In: nothing.
Out: ``Node``, ``End``, ``Edge``, ``Level``.
Next: building.
"""

from __future__ import annotations

from typing import Any

from tangentlite.values import field, immutable, mutable

SOURCES = ("input", "constant", "index", "port")


@mutable
class Node:
    """A value, an operation or a box.

    ``kind``: input, constant, index, operation, effect, value, wire (a value without a name), result, port or box.
    ``place``: the statement that makes the value. ``inner``: what is in a box. ``derived``: of the derivative.
    ``parameter``: what a derivative is asked for, or an attribute of an object that is given.
    """

    kind: str
    label: str
    place: Any = None
    inner: Level | None = None
    derived: bool = False
    parameter: bool = False
    told: str = ""
    lines: list[str] = field(default_factory=list)  # what a run tells: shape, value, gradient
    marks: list[str] = field(default_factory=list)  # of which sort each line is
    faded: bool = False
    upward: bool = False
    width: float = 0.0
    height: float = 0.0
    x: float = 0.0  # of the center
    y: float = 0.0


@immutable(eq=False)
class End:
    """Where an edge begins or ends: at a node, or at a port of a box."""

    node: Node
    port: Node | None = None


@mutable
class Edge:
    """``back``: from the end of a trip to the beginning of the next one; ``rules``: it decides over a box.

    ``points``: its way, when laid out.
    """

    start: End
    end: End
    back: bool = False
    rules: bool = False
    points: list[tuple[float, float]] = field(default_factory=list)


@mutable
class Level:
    """A block: what stands side by side in the function or in a box."""

    nodes: list[Node] = field(default_factory=list)
    edges: list[Edge] = field(default_factory=list)
    ins: list[Node] = field(default_factory=list)
    outs: list[Node] = field(default_factory=list)

    def node(self, kind: str, label: str, **fields: Any) -> Node:
        """A new node."""
        made = Node(kind, label, **fields)
        self.nodes.append(made)
        return made

    def link(self, start: End, end: End, back: bool = False, rules: bool = False) -> None:
        """A new edge."""
        self.edges.append(Edge(start, end, back, rules))


def every(level: Level) -> list[Node]:
    """The nodes of a level and of the boxes in it."""
    found = []
    for node in level.nodes:
        found.append(node)
        if node.inner is not None:
            found += every(node.inner)
    return found
