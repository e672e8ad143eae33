"""A nest of two loops as three: what comes before the inner loop, the nest in the other order, and what comes behind.

In: a nest, names of arrays for the numbers that a trip leaves to what comes behind.
Out: statements.
Next: interchange.
"""

from __future__ import annotations

import ast
from typing import Any

from tangentlite.native.facts.known import ADDED
from tangentlite.native.facts.names import loads
from tangentlite.native.looping.nesting import Nest, trips


def turned(nest: Nest, arrays: dict[str, str]) -> list[ast.stmt]:
    """The statements; ``arrays`` are named for the numbers whose places they take."""
    low, high, test = trips(nest.outer) or ("", "", "")
    at, size = (nest.j, high) if low == "0" else (f"{nest.j} - ({low})", f"{high} - ({low})")
    lines = list(nest.fixed)
    for array in arrays.values():
        lines += ast.parse(f"{array} = np.empty({size})").body
    put = _Put({name: f"{array}[{at}]" for name, array in arrays.items()})
    for part in (nest.before, nest.inner.body, nest.behind):
        body = [put.visit(s) for s in part]
        if part is nest.inner.body:
            body = [_freely(s, nest.j) for s in body]
        loop: ast.stmt = ast.For(nest.outer.target, nest.outer.iter, body, [])
        if part is nest.inner.body:
            loop = ast.For(nest.inner.target, nest.inner.iter, [loop], [])
        lines += [loop] if body else []
    made: Any = ast.parse(f"if {test}:\n    pass").body[0]
    made.body = lines
    return [ast.fix_missing_locations(made)]


class _Put(ast.NodeTransformer):
    def __init__(self, texts: dict[str, str]) -> None:
        self._texts = texts

    def visit_Name(self, node: ast.Name) -> Any:
        """A number of a trip is an element of an array."""
        if node.id not in self._texts:
            return node
        found: Any = ast.parse(self._texts[node.id], mode="eval").body
        found.ctx = node.ctx
        return found


def _freely(statement: ast.stmt, target: str) -> ast.stmt:
    """Terms of a sum may be added in any order."""
    match statement:
        case ast.AugAssign(target=place, op=ast.Add() | ast.Sub() as op, value=value) if (
            target not in loads(place)
        ):
            before = ast.parse(ast.unparse(place), mode="eval").body
            term = value if isinstance(op, ast.Add) else ast.UnaryOp(ast.USub(), value)
            call = ast.Call(ast.Name(ADDED, ast.Load()), [before, term], [])
            return ast.Assign([place], call, lineno=0)
    return statement
