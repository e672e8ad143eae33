"""Quotients that have a name: said again where they are read, since there their shape is known.

In: statements of a generated function, what their names mean.
Out: the same statements without such names.
Next: spelling.
"""

from __future__ import annotations

import ast
import copy
import re
from collections.abc import Callable, Iterator
from typing import Any

import numpy as np

from tangentlite import runtime

Body = list[ast.stmt]
MAKERS = (
    *(runtime.quotient, runtime.times, runtime.cancel, runtime.zeros, np.zeros),
    *(runtime.dot, runtime.weighted, np.outer),
)
NUMBERED = re.compile(r"t\d+")


def said_again(body: Body, meaning: Callable[[ast.expr], Any]) -> Body:
    """``q = rt.quotient(b, y)`` becomes what ``q`` stands for in its block.

    >>> body = ast.parse("t1 = rt.quotient(by, x)\\nbz = -rt.cancel(t1, z)\\nbx = t1").body
    >>> print("\\n".join(map(ast.unparse, said_again(body, lambda e: runtime.quotient))))
    bz = -rt.cancel(rt.quotient(by, x), z)
    bx = rt.quotient(by, x)
    """
    nodes = [n for s in body for n in ast.walk(s)]
    kin = _kin(nodes, meaning)
    named = [n for n in nodes if isinstance(n, ast.Name) and NUMBERED.fullmatch(n.id)]
    stored = [n.id for n in named if isinstance(n.ctx, ast.Store)]
    once = {name for name in stored if stored.count(name) == 1}
    return _Block(meaning, {n: sum(m.id == n for m in named) - 1 for n in once}, kin).of(body)


def _kin(nodes: list[ast.AST], meaning: Callable[[ast.expr], Any]) -> dict[str, set[str]]:
    """The names that may share memory with a name: what is taken out of an array, or handed on by a call."""
    kin: dict[str, set[str]] = {}
    for node in nodes:
        match node:
            case ast.Assign(targets=targets, value=value) if not _is_new(value, meaning):
                names = {n.id for t in targets for n in _names(t)} | _read(value)
                together = names.union(*(kin.get(name, ()) for name in names))
                kin |= dict.fromkeys(together, together)
    return kin


def _read(value: ast.expr) -> set[str]:
    """The names of arrays that an expression reads, not those of functions."""
    called = {id(n) for c in ast.walk(value) if isinstance(c, ast.Call) for n in _names(c.func)}
    return {n.id for n in _names(value) if id(n) not in called}


def _is_new(value: ast.expr, meaning: Callable[[ast.expr], Any]) -> bool:
    """Whether a value has memory of its own."""
    match value:
        case ast.BinOp() | ast.UnaryOp() | ast.Constant() | ast.Compare():
            return True
        case ast.Call(func=ast.Attribute(attr="copy" | "sum")):
            return True
        case ast.Call(func=func):
            meant = meaning(func)
            return isinstance(meant, np.ufunc) or any(meant is made for made in MAKERS)
    return False


class _Block:
    def __init__(
        self,
        meaning: Callable[[ast.expr], Any],
        reads: dict[str, int],
        kin: dict[str, set[str]],
    ) -> None:
        self._meaning, self._reads, self._kin = meaning, reads, kin

    def of(self, body: Body) -> Body:
        """A block, and those inside of it."""
        result = [self._inside(s) for s in body]
        for statement in list(result):
            match statement:
                case ast.Assign(targets=[ast.Name(id=name)], value=ast.Call(func=func) as call):
                    if name in self._reads and self._meaning(func) is runtime.quotient:
                        place = result.index(statement)
                        rest = self._filled(result[place + 1 :], name, call)
                        result = result[:place] + rest if rest is not None else result
        return result

    def _inside(self, statement: ast.stmt) -> ast.stmt:
        for field in ("body", "orelse", "finalbody"):
            inner = getattr(statement, field, None)
            if inner:
                setattr(statement, field, self.of(inner))
        return statement

    def _filled(self, rest: Body, name: str, call: ast.Call) -> Body | None:
        """The statements with the call for the name; None if they are not all, or change what it is made of."""
        made_of = _read(call)
        made_of = made_of.union(*(self._kin.get(name, ()) for name in made_of))
        left, result = self._reads[name], [*rest]
        for k, statement in enumerate(rest):
            mentions = sum(n.id == name for n in _names(statement))
            if mentions:
                result[k] = _Fill(name, call).visit(copy.deepcopy(statement))
                left -= mentions
            if not left:
                return result
            if not made_of.isdisjoint(_changed(statement)):
                return None
        return None


def _names(statement: ast.AST) -> Iterator[ast.Name]:
    return (n for n in ast.walk(statement) if isinstance(n, ast.Name))


def _changed(statement: ast.stmt) -> set[str]:
    """The names that a statement binds, or through which it writes."""
    found = {n.id for n in _names(statement) if isinstance(n.ctx, ast.Store)}
    for node in ast.walk(statement):
        if isinstance(node, ast.Subscript) and isinstance(node.ctx, ast.Store):
            found |= {n.id for n in _names(node.value)}
        elif isinstance(node, ast.Expr):
            found |= {n.id for n in _names(node)}
    return found


class _Fill(ast.NodeTransformer):
    def __init__(self, name: str, call: ast.Call) -> None:
        self._name, self._call = name, call

    def visit_Name(self, node: ast.Name) -> ast.expr:
        return copy.deepcopy(self._call) if node.id == self._name else node
