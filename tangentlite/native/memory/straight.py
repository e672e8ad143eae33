"""Sums that are begun with zeros to be added to another go there straight.

In: the tree of a kernel with its helpers inside, what is known of its names.
Out: the same tree, changed in place.
Next: ranks.
"""

from __future__ import annotations

import ast
from collections import Counter
from collections.abc import Callable, Iterator
from typing import Any

import numpy as np

from tangentlite import runtime
from tangentlite.native.facts.known import is_one_of
from tangentlite.native.facts.names import blocks, bound, loads, statements, stores

Meaning = Callable[[ast.expr], Any]
ZEROS = (runtime.zeros, runtime.shadow, np.zeros_like)
COPIES = (runtime.own, np.copy, np.empty_like, np.ones_like)


def straight(tree: ast.FunctionDef, names: Any, meaning: Meaning) -> bool:
    """Whether there was such a sum.

    >>> text = "def f(x, n):\\n b = np.zeros(x.shape)\\n for i in range(n):\\n  t = np.zeros(x.shape)"
    >>> tree = ast.parse(text + "\\n  t[1:] += x[:-1]\\n  b[...] += t\\n return b").body[0]
    >>> names = type("Names", (), {"meet": lambda self, a, b: a == b})()
    >>> straight(tree, names, lambda node: np.zeros)
    True
    >>> print(ast.unparse(tree))
    def f(x, n):
        b = np.zeros(x.shape)
        for i in range(n):
            b[1:] += x[:-1]
        return b
    """
    return _Straight(tree, names, meaning).block(tree.body)


class _Straight:
    def __init__(self, tree: ast.FunctionDef, names: Any, meaning: Meaning) -> None:
        self._tree, self._names, self._meaning = tree, names, meaning
        self._bound = Counter(_bindings(tree.body))
        self._params = {a.arg for a in tree.args.args}
        self._bound.update(self._params)

    def block(self, body: list[ast.stmt]) -> bool:
        """Whether something in a block, or in one of its blocks, changed."""
        changed = False
        for statement in list(body):
            for inner in blocks(statement):
                changed |= self.block(inner)
            made = self._made(statement)
            if made is not None and statement in body:
                changed |= self._moved(body, body.index(statement), *made)
        return changed

    def _moved(self, body: list[ast.stmt], place: int, name: str, like: str) -> bool:
        end = next((k for k in range(place + 1, len(body)) if _added(body[k]) == name), place)
        total = _total(body[end])
        between = body[place + 1 : end]
        if total is None or self._bound[name] != 1 or not self._is_like(total, like, body, place):
            return False
        everywhere = [n for n in ast.walk(self._tree) if _is(n, name)]
        inside = [n for s in between for n in ast.walk(s) if _is(n, name)]
        first = next((s for s in between if any(_is(n, name) for n in ast.walk(s))), None)
        begun = first if first is not None and _is_stored(first, name) else None
        sums = [begun] if begun is not None else []
        sums += [s for s in _sums(between, name) if s is not begun]
        if len(everywhere) != len(inside) + 2 or len(inside) != len(sums):
            return False
        others = {n for s in between for n in (*loads(s), *stores([s]))} - {name}
        if any(n == total or self._names.meet(total, n) for n in others):
            return False
        for node in inside:
            node.id = total  # type: ignore[attr-defined]
        if begun is not None:
            body[body.index(begun)] = _summed(begun)
        del body[end], body[place]
        return True

    def _made(self, statement: ast.stmt) -> tuple[str, str] | None:
        """The name of an array of zeros, and of the one whose shape it has."""
        match statement:
            case ast.Assign(targets=[ast.Name(id=name)], value=ast.Call(func=func, args=[arg])):
                meant = self._meaning(func)
                match arg:
                    case ast.Attribute(value=ast.Name(id=like), attr="shape") if meant is np.zeros:
                        return name, like
                    case ast.Name(id=like) if is_one_of(meant, ZEROS):
                        return name, like
        return None

    def _is_like(self, total: str, like: str, body: list[ast.stmt], place: int) -> bool:
        """Whether an array was made of that shape, too: both are bound once, in an order that tells."""
        makers = [s for s in statements(self._tree.body) if name_of(s) == total]
        found = self._made(makers[0]) if len(makers) == self._bound[total] == 1 else None
        if found is None:
            return False
        if found[1] == like and self._bound[like] == 1 and makers[0] in body[:place]:
            return True
        return self._origin(like) == self._origin(found[1]) is not None

    def _origin(self, name: str) -> str | None:
        """The array of whose shape an array is for good; None where it may be bound again."""
        for _ in range(9):
            makers = [s for s in self._tree.body if name_of(s) == name]
            if self._bound[name] != 1 or len(makers) + (name in self._params) != 1:
                return None
            if name in self._params:
                return name
            below = self._made(makers[0]) or self._copied(makers[0])
            if below is None:
                return name
            name = below[1]
        return None

    def _copied(self, statement: ast.stmt) -> tuple[str, str] | None:
        match statement:
            case ast.Assign(targets=[ast.Name(id=name)], value=ast.Call(func=func, args=args)):
                match func, args:
                    case ast.Attribute(value=ast.Name(id=like), attr="copy"), []:
                        return name, like
                    case _, [ast.Name(id=like)] if is_one_of(self._meaning(func), COPIES):
                        return name, like
        return None


def _summed(statement: ast.stmt) -> ast.stmt:
    """What is written into zeros may be added to them."""
    assert isinstance(statement, ast.Assign)
    target = statement.targets[0]
    assert isinstance(target, ast.Subscript)
    return ast.copy_location(ast.AugAssign(target, ast.Add(), statement.value), statement)


def name_of(statement: ast.stmt) -> str | None:
    """The one name that a statement binds."""
    match statement:
        case ast.Assign(targets=[ast.Name(id=name)]):
            return name
    return None


def _is_stored(statement: ast.stmt, name: str) -> bool:
    """Whether a part of an array is written, no element twice."""
    match statement:
        case ast.Assign(
            targets=[ast.Subscript(value=ast.Name(id=array), slice=index)], value=value
        ) if array == name:
            parts = index.elts if isinstance(index, ast.Tuple) else [index]
            plain = all(isinstance(p, (ast.Slice, ast.Constant, ast.UnaryOp)) for p in parts)
            return plain and name not in [*loads(value), *loads(index)]
    return False


def _bindings(body: list[ast.stmt]) -> Iterator[str]:
    for statement in statements(body):
        if not isinstance(statement, ast.AugAssign):
            yield from bound(statement)


def _is(node: ast.AST, name: str) -> bool:
    return isinstance(node, ast.Name) and node.id == name


def _added(statement: ast.stmt) -> str | None:
    match statement:
        case ast.AugAssign(op=ast.Add(), value=ast.Name(id=name)):
            return name
    return None


def _total(statement: ast.stmt) -> str | None:
    """The array to all of which a statement adds."""
    match statement:
        case ast.AugAssign(target=ast.Name(id=name)):
            return name
        case ast.AugAssign(
            target=ast.Subscript(value=ast.Name(id=name), slice=ast.Constant(value=every))
        ) if every is ...:
            return name
    return None


def _sums(body: list[ast.stmt], name: str) -> Iterator[ast.stmt]:
    """The statements that do nothing with an array but add to it."""
    for statement in statements(body):
        match statement:
            case ast.AugAssign(
                target=ast.Name(id=array) | ast.Subscript(value=ast.Name(id=array)),
                op=ast.Add() | ast.Sub(),
            ) if array == name:
                yield statement
