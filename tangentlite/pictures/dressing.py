"""What a run tells, put on the nodes; values that have neither name nor lines become plain edges.

In: a level and a run.
Out: the level with lines on its nodes.
Next: layout.
"""

from __future__ import annotations

from typing import Any

from tangentlite import ir
from tangentlite.pictures.model import Edge, End, Level, Node, every
from tangentlite.pictures.running import Run
from tangentlite.pictures.telling import Told, tell


def dressed(level: Level, run: Run, function: ir.Function) -> Level:
    """The level with what the run tells."""
    ran = bool(run.values or run.trips)
    for node in every(level):
        if node.kind == "box":
            _box(node, run, ran)
        elif _is_free(node.place):
            _lines(node, _outside(function, node.label), None)
        elif node.place is not None and node.kind not in ("port", "copy"):
            _lines(node, run.values.get(node.place), run.gradients.get(node.place))
    return contracted(level)


def _is_free(place: Any) -> bool:
    return isinstance(place, tuple) and place[0] == "free"


def _outside(function: ir.Function, name: str) -> Told | None:
    told = tell(function.namespace.lookup(name))
    return told if told.shape or len(told.lines) == 1 else None


def _box(node: Node, run: Run, ran: bool) -> None:
    trips = run.trips.get(node.place, 0)
    looped = node.label.startswith(("for ", "while "))
    if ran and not trips:
        for inside in (node, *(every(node.inner) if node.inner else ())):
            inside.faded = True
        node.label += " · not entered"
    elif trips and looped:
        node.label += f" · {trips} trip{'s' if trips > 1 else ''}"


def _lines(node: Node, value: Told | None, slope: Told | None) -> None:
    if value is None:
        return
    if value.shape:
        node.lines.append(value.shape)
        node.marks.append("shape")
    node.lines += value.lines
    node.marks += ["told"] * len(value.lines)
    for k, line in enumerate(slope.lines if slope is not None else ()):
        node.lines.append(("∂ " if k == 0 else "  ") + line)
        node.marks.append("slope")


def _unsaid(level: Level) -> None:
    """A value that only gets a name is told beside that."""
    read: dict[int, set[str]] = {}
    for edge in level.edges:
        read.setdefault(id(edge.start.node), set()).add(edge.end.node.kind)
    for node in level.nodes:
        if node.kind == "wire" and not read.get(id(node), set()) - {"value", "result", "port"}:
            node.lines, node.marks = [], []


def contracted(level: Level) -> Level:
    """Edges run straight through values that have neither name nor lines."""
    for node in level.nodes:
        if node.inner is not None:
            contracted(node.inner)
    _unsaid(level)
    passing = {id(n) for n in level.nodes if n.kind == "wire" and not n.lines}
    makers: dict[int, list[End]] = {}
    for edge in level.edges:
        if id(edge.end.node) in passing:
            makers.setdefault(id(edge.end.node), []).append(edge.start)
    passing = {key for key in passing if len(makers.get(key, [])) == 1}
    edges = []
    for edge in level.edges:
        if id(edge.end.node) in passing:
            continue
        start = edge.start
        while id(start.node) in passing:
            (start,) = makers[id(start.node)]
        edges.append(Edge(start, edge.end, edge.back, edge.rules))
    level.nodes = [n for n in level.nodes if id(n) not in passing]
    level.edges = edges
    return level
