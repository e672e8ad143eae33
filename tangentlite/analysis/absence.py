"""Tests that are decided by what an argument is: None where it is optional, or a function or a container.

In: a graph and the kinds.
Out: for each ``if`` that always goes one way, whether it is the first branch.
Next: inference.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from types import BuiltinFunctionType, FunctionType

import gast
import numpy as np

from tangentlite import syntax
from tangentlite.analysis import dataflow
from tangentlite.analysis.cfg import Graph
from tangentlite.analysis.environment import Environment
from tangentlite.analysis.inference import Inference
from tangentlite.analysis.kinds import CONTAINERS, Kind, Nothing, Num, Object, Tuple, Value

FUNCTIONS = (FunctionType, BuiltinFunctionType, np.ufunc)
Ask = Callable[[str], Kind | None]


def decided(graph: Graph, inferred: Inference) -> dict[gast.stmt, bool]:
    """The statements ``if name is None`` (or the like) that always go the same way."""
    tests = {s: p for s, p in graph.first.items() if isinstance(s, gast.If) and not _leaves(s)}
    found: dict[gast.stmt, bool] = {}
    if not tests:
        return found
    given = _given(graph, inferred)
    for statement, point in tests.items():
        ask = partial(_certain, inferred.before[point], given[point])
        outcome = _outcome(statement.test, ask)
        if outcome is not None:
            found[statement] = outcome
    return found


def _leaves(statement: gast.If) -> bool:
    """Whether this is the ``if stop: break`` that ends a loop."""
    return isinstance(statement.body[0], gast.Break)


def _certain(state: Environment, given: frozenset[str], name: str) -> Kind | None:
    """The kind of a name, if it tells whether the name is None: paths that meet may hide that."""
    kind = state.get(name)
    if isinstance(kind, CONTAINERS) and kind.optional:
        return None
    if isinstance(kind, Object):
        return kind
    if isinstance(kind, Num) and kind.exact == "bool" and isinstance(kind.literal, bool):
        return kind
    return kind if kind == Nothing() or name in given else None


def _given(graph: Graph, inferred: Inference) -> list[frozenset[str]]:
    """The parameters that still hold functions or containers which were passed, before each point."""
    start = frozenset(
        n for n, k in inferred.before[0].items() if isinstance(k, (Value, *CONTAINERS))
    )
    if not start:
        return [start] * len(graph.statements)
    bindings = {point: statement for statement, point in graph.bindings.items()}

    def transfer(point: int, state: frozenset[str]) -> frozenset[str]:
        statement = graph.statements[point]
        if point in bindings:
            return state - {bindings[point].target.id}
        if statement is None or isinstance(statement, (gast.If, gast.While, gast.For)):
            return state
        return state - syntax.stores(statement)

    def meet(_: int, arriving: list[tuple[int, frozenset[str]]]) -> frozenset[str]:
        return frozenset.intersection(*(state for _, state in arriving))

    return dataflow.forward(graph, start, transfer, meet)[0]


def _outcome(test: gast.expr, ask: Ask) -> bool | None:
    """Whether a test holds; None if that is not known."""
    match test:
        case gast.Name(id=name):
            return _truth(ask(name))
        case gast.Compare(
            left=gast.Name(id=name),
            ops=[(gast.Is() | gast.IsNot()) as op],
            comparators=[gast.Constant(value=None)],
        ):
            kind = ask(name)
            return None if kind is None else (kind == Nothing()) is isinstance(op, gast.Is)
        case gast.Compare(
            left=gast.Constant(value=value),
            ops=[(gast.Is() | gast.IsNot()) as op],
            comparators=[gast.Constant(value=None)],
        ):
            return (value is None) is isinstance(op, gast.Is)
        case gast.UnaryOp(op=gast.Not(), operand=operand):
            outcome = _outcome(operand, ask)
            return None if outcome is None else not outcome
        case gast.BoolOp(op=op, values=values):
            ends = isinstance(op, gast.Or)
            for value in values:  # a value that is not known hides those behind it
                outcome = _outcome(value, ask)
                if outcome is None or outcome == ends:
                    return outcome
            return not ends
    return None


def _truth(kind: Kind | None) -> bool | None:
    match kind:
        case Nothing():
            return False
        case Num(exact="bool", literal=bool() as literal):
            return literal
        case Value(value=value) if isinstance(value, FUNCTIONS):
            return True
        case Tuple(items=items, type="tuple"):
            return bool(items)
    return None
