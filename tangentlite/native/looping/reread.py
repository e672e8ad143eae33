"""Places that an array of indices tells, worked out once in each trip: machine code would ask again after every store.

In: the statements of a kernel, what is known of its names.
Out: statements.
Next: workshop.
"""

from __future__ import annotations

import ast
from collections import Counter
from collections.abc import Callable, Iterator
from functools import partial
from typing import Any

from tangentlite.native.facts.known import AT
from tangentlite.native.facts.names import loads, rebuild, statements, stores

Body = list[ast.stmt]


class Reader:
    """``names`` tells which may share memory; ``fresh`` gives names."""

    def __init__(self, names: Any, fresh: Callable[[str], str]) -> None:
        self._names, self._fresh = names, fresh

    def block(self, body: Body, inside: bool = False) -> Body:
        """The statements; those ``inside`` of a loop name the places that they meet more than once.

        >>> text = f"for i in range(n):\\n    y[{AT}(k[i], m)] += x[i]\\n    z[{AT}(k[i], m)] -= x[i]"
        >>> names = type("Names", (), {"meet": lambda self, a, b: a == b})()
        >>> print("\\n".join(map(ast.unparse, Reader(names, lambda wish: "p").block(ast.parse(text).body))))
        for i in range(n):
            p = _at(k[i], m)
            y[p] += x[i]
            z[p] -= x[i]
        """
        for statement in body:
            trip = inside or isinstance(statement, (ast.For, ast.While))
            rebuild(statement, partial(self.block, inside=trip))
        if not inside:
            return body
        written = {n for s in statements(body) for n in _written(s)}
        for text, times in Counter(t for s in body for t in _places(s)).items():
            if times > 1:
                body = self._named(body, text, written)
        return body

    def _named(self, body: Body, text: str, written: set[str]) -> Body:
        first = next(k for k, s in enumerate(body) if text in _places(s))
        value = ast.parse(text, mode="eval").body
        read = set(loads(value))
        arrays = {n.value.id for n in ast.walk(value) if _is_element(n)}  # type: ignore[attr-defined]
        met = any(self._names.meet(a, w) for a in arrays for w in written)
        if met or not read.isdisjoint(stores(body[first:])):
            return body
        name = self._fresh("p")
        rest = [_Put(text, name).visit(s) for s in body[first:]]
        return [*body[:first], *ast.parse(f"{name} = {text}").body, *rest]


def _places(statement: ast.stmt) -> Iterator[str]:
    """The texts of places in a statement that has no blocks, or in a loop that surely has trips."""
    if isinstance(statement, ast.For):
        if _has_trips(statement):
            bound = set(stores([statement]))
            inner = (t for s in statement.body for t in _places(s))
            yield from (t for t in inner if bound.isdisjoint(loads(ast.parse(t))))
    elif isinstance(statement, (ast.Assign, ast.AugAssign)):
        for node in ast.walk(statement):
            if (
                isinstance(node, ast.Call)
                and isinstance(node.func, ast.Name)
                and node.func.id == AT
            ):
                yield ast.unparse(node)


def _has_trips(loop: ast.For) -> bool:
    match loop.iter:
        case ast.Call(func=ast.Name(id="range"), args=[ast.Constant(value=int(count))]):
            return count > 0
    return False


def _written(statement: ast.stmt) -> Iterator[str]:
    """The arrays that a statement writes into, and all that it hands on."""
    for node in ast.walk(statement) if not isinstance(statement, (ast.For, ast.If)) else ():
        if _is_element(node) and isinstance(node.ctx, ast.Store):  # type: ignore[attr-defined]
            yield node.value.id  # type: ignore[attr-defined]
    if not isinstance(statement, (ast.For, ast.If, ast.Assign, ast.AugAssign)):
        yield from loads(statement)


def _is_element(node: ast.AST) -> bool:
    return isinstance(node, ast.Subscript) and isinstance(node.value, ast.Name)


class _Put(ast.NodeTransformer):
    def __init__(self, text: str, name: str) -> None:
        self._text, self._name = text, name

    def visit_Call(self, node: ast.Call) -> ast.expr:
        if ast.unparse(node) == self._text:
            return ast.Name(self._name, ast.Load())
        self.generic_visit(node)
        return node
