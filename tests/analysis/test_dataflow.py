"""The graph and the solver against the obvious: following every edge with every single fact."""

from __future__ import annotations

import random

import gast
import pytest

from tangentlite import syntax
from tangentlite.analysis import cfg, dataflow
from tangentlite.analysis.cfg import Graph
from tangentlite.analysis.operations import target

NAMES = "abcd"


def block(seed: random.Random, depth: int, indent: str = "") -> list[str]:
    lines = []
    for _ in range(seed.randint(1, 3)):
        a, b, c = (seed.choice(NAMES) for _ in range(3))
        kind = seed.random() if depth else 0.0
        inner = indent + "    "
        if kind < 0.5:
            lines.append(f"{indent}{a} = {b} + {c}")
        elif kind < 0.7:
            lines += [f"{indent}if {a} > 0:", *block(seed, depth - 1, inner)]
            if seed.random() < 0.6:
                lines += [f"{indent}else:", *block(seed, depth - 1, inner)]
        elif kind < 0.85:
            lines += [f"{indent}for {a} in range({b}):", *block(seed, depth - 1, inner)]
        else:
            lines += [f"{indent}while {a} > 0:", *block(seed, depth - 1, inner)]
    return lines


def program(number: int) -> Graph:
    text = "\n".join([*block(random.Random(number), 3), "return a"])
    return cfg.build(syntax.quote(text))


def reached(
    graph: Graph, start: set[tuple[int, str]], step, edges: list[list[int]]
) -> set[tuple[int, str]]:
    """All (point, fact) that a fact can arrive at, one edge at a time."""
    seen, work = set(start), list(start)
    while work:
        point, fact = work.pop()
        for after in step(point, fact):
            for other in edges[point]:
                if (other, after) not in seen:
                    seen.add((other, after))
                    work.append((other, after))
    return seen


def bound(graph: Graph, point: int) -> str | None:
    statement = graph.statements[point]
    if isinstance(statement, gast.For):
        return statement.target.id if graph.bindings[statement] == point else None
    return target(statement, None) if statement is not None else None


def read(graph: Graph, point: int) -> set[str]:
    """What happens at a point reads; a loop's head asks the iterable, its binding point reads nothing."""
    match statement := graph.statements[point]:
        case gast.For(iter=iterable):
            return syntax.loads(iterable) if graph.first[statement] == point else set()
        case gast.If(test=test) | gast.While(test=test):
            return syntax.loads(test)
        case None:
            return set()
    return syntax.loads(statement)


@pytest.mark.parametrize("number", range(60))
def test_names_that_depend_on_an_input(number: int) -> None:
    """Tainted names, forward: `d` is tainted at the entry, and every copy of it after that."""
    graph = program(number)

    def transfer(point: int, state: frozenset[str]) -> frozenset[str]:
        name = bound(graph, point)
        if name is None:
            return state
        return state | {name} if state & read(graph, point) else state - {name}

    def step(point: int, fact: str) -> set[str]:
        name = bound(graph, point)
        after = set() if fact == name else {fact}
        return after | {name} if name is not None and fact in read(graph, point) else after

    before, _ = dataflow.forward(
        graph, frozenset("d"), transfer, lambda p, s: frozenset().union(*(t for _, t in s))
    )
    expected = reached(graph, {(0, "d")}, step, graph.successors)
    for point in range(len(graph.statements)):
        assert before[point] == {fact for at, fact in expected if at == point}


@pytest.mark.parametrize("number", range(60))
def test_names_that_are_read_later(number: int) -> None:
    """Live names, backward; every fact starts where it is read."""
    graph = program(number)

    def transfer(point: int, state: frozenset[str]) -> frozenset[str]:
        return state - {bound(graph, point)} | read(graph, point)

    before, _ = dataflow.backward(
        graph, frozenset(), transfer, lambda p, s: frozenset().union(*(t for _, t in s))
    )
    for point in range(len(graph.statements)):
        for name in NAMES:
            assert (name in before[point]) == read_later(graph, point, name), (point, name)


def read_later(graph: Graph, point: int, name: str) -> bool:
    """Whether a path from ``point`` reads the name before it binds it."""
    seen, work = {point}, [point]
    while work:
        at = work.pop()
        if name in read(graph, at):
            return True
        if bound(graph, at) != name:
            work += [other for other in graph.successors[at] if other not in seen]
            seen.update(graph.successors[at])
    return False


def test_the_points_of_a_loop() -> None:
    body = syntax.quote("for i in range(n):\n    y = y * x\nreturn y")
    graph = cfg.build(body)
    head, bind, inner, join, back, end = range(1, 7)
    assert graph.first == {body[0]: head, body[0].body[0]: inner, body[1]: back}
    assert graph.bindings == {body[0]: bind}
    assert graph.successors == [[head], [bind, join], [inner], [head], [back], [end], []]
    assert [p for p in range(7) if graph.is_join(p)] == [head]
    assert [p for p in range(7) if graph.born_inside(p, head)] == [head, bind, inner]


def test_the_points_of_a_branch() -> None:
    body = syntax.quote("if p:\n    y = x\nreturn y")
    graph = cfg.build(body)
    assert graph.successors == [[1], [2, 3], [3], [4], [5], []]
    assert graph.is_join(graph.last[body[0]])


@pytest.mark.parametrize("number", range(30))
def test_edges_are_kept_both_ways(number: int) -> None:
    graph = program(number)
    there = {(a, b) for a, others in enumerate(graph.successors) for b in others}
    assert there == {(a, b) for b, others in enumerate(graph.predecessors) for a in others}
