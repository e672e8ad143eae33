"""Records and copies that nobody reads again: who gets them takes the memory, and copies nothing.

In: trees of kernels, their doors and helpers.
Out: the same trees, changed in place.
Next: inlining.
"""

from __future__ import annotations

import ast
from collections import Counter
from collections.abc import Callable
from typing import Any

from tangentlite import runtime

Meaning = Callable[[ast.expr], Any]


def spent_record(node: ast.expr, meaning: Meaning) -> tuple[ast.expr, ast.expr | None] | None:
    """What ``rt.spent(record)`` gives up, and the record that this one is within; None for any other argument."""
    match node:
        case ast.Call(func=func, args=[record, *within], keywords=[]) if (
            meaning(func) is runtime.spent
        ):
            return record, within[0] if within else None
    return None


def take(
    tree: ast.FunctionDef, param: str, given: tuple[ast.expr, ast.expr | None], meaning: Meaning
) -> None:
    """A helper whose record is spent does not copy it; if that one is within another, this is decided there.

    >>> tree = ast.parse("def g(s, b):\\n a, n = rt.private(s)\\n c, m = rt.private(a, s)").body[0]
    >>> take(tree, "s", (ast.Name("saved"), None), lambda node: runtime.private)
    >>> print(ast.unparse(tree))
    def g(s, b):
        a, n = s
        c, m = a
    """
    _Taking(param, given[1], meaning).visit(tree)


class _Taking(ast.NodeTransformer):
    def __init__(self, param: str, within: ast.expr | None, meaning: Meaning) -> None:
        self._param, self._within, self._meaning = param, within, meaning

    def visit_Call(self, node: ast.Call) -> ast.expr:
        """``rt.private(saved)`` and what is within it."""
        self.generic_visit(node)
        match node:
            case ast.Call(func=func, args=[record, *rest]) if (
                self._meaning(func) is runtime.private
                and isinstance(record if not rest else rest[0], ast.Name)
                and (record if not rest else rest[0]).id == self._param  # type: ignore[attr-defined]
            ):
                return record if self._within is None else _within(node, self._within)
            case ast.Call(func=func, args=[record, ast.Name(id=outer)]) if (
                self._meaning(func) is runtime.spent and outer == self._param
            ):
                node.args = [record] if self._within is None else [record, self._within]
        return node


def _within(node: ast.Call, outer: ast.expr) -> ast.Call:
    return ast.Call(node.func, [node.args[0], outer], [])


def settle(tree: ast.FunctionDef, meaning: Meaning) -> None:
    """What is left of it: a record that may be read again is copied.

    >>> tree = ast.parse("def g(s, b):\\n a, n = rt.private(b, s)").body[0]
    >>> settle(tree, lambda node: runtime.private)
    >>> print(ast.unparse(tree))
    def g(s, b):
        a, n = rt.private(b)
    """
    _Settling(meaning).visit(tree)


class _Settling(ast.NodeTransformer):
    def __init__(self, meaning: Meaning) -> None:
        self._meaning = meaning

    def visit_Call(self, node: ast.Call) -> ast.expr:
        """``rt.spent(saved)`` is ``saved``."""
        self.generic_visit(node)
        meant = self._meaning(node.func)
        if meant is runtime.spent:
            return node.args[0]
        if meant is runtime.private:
            node.args = node.args[:1]
        return node


def owned(door: ast.FunctionDef, meaning: Meaning) -> frozenset[str]:
    """The arguments of which a door makes copies, and reads nothing but how they lie once its kernel was called.

    >>> text = "def f(x, y):\\n x = rt.own(x, y)\\n y = rt.own(y)\\n b = k(x, y)\\n return rt.like(b, x), y * b"
    >>> meanings = {"rt.own": runtime.own, "rt.like": runtime.like}
    >>> owned(ast.parse(text).body[0], lambda node: meanings.get(ast.unparse(node)))
    frozenset({'x'})
    """
    copies = set()
    for statement in door.body:
        match statement:
            case ast.Assign(targets=[ast.Name(id=name)], value=ast.Call(func=func, args=args)) if (
                meaning(func) is runtime.own and ast.unparse(args[0]) == name
            ):
                copies.add(name)
    last = list(ast.walk(door.body[-1]))
    calls = (n for n in last if isinstance(n, ast.Call) and len(n.args) == 2)
    spared = {id(c.args[1]) for c in calls if meaning(c.func) is runtime.like}
    read = {n.id for n in last if isinstance(n, ast.Name) and id(n) not in spared}
    return frozenset(copies - read)


def take_copies(tree: ast.FunctionDef, names: frozenset[str], meaning: Meaning) -> None:
    """Arguments that are copies are not copied where that is the only place that reads them.

    >>> tree = ast.parse("def k(x, y):\\n a = rt.own(x)\\n b = rt.own(y)\\n return a * b * y * x.shape[0]").body[0]
    >>> take_copies(tree, frozenset("xy"), lambda node: runtime.own)
    >>> print(ast.unparse(tree.body[0]), ast.unparse(tree.body[1]), sep="; ")
    a = x; b = rt.own(y)
    """
    nodes = [n for s in tree.body for n in ast.walk(s)]
    asked = {id(n.value) for n in nodes if isinstance(n, ast.Attribute) and n.attr == "shape"}
    met = Counter(n.id for n in nodes if isinstance(n, ast.Name) and id(n) not in asked)
    for statement in tree.body:
        match statement:
            case ast.Assign(value=ast.Call(func=func, args=[ast.Name(id=name) as array])) if (
                met[name] == 1 and name in names and meaning(func) is runtime.own
            ):
                statement.value = array
