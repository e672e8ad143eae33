"""The statements of a kernel, and the names in them.

In: trees of Python.
Out: statements, names.
Next: ranks.
"""

from __future__ import annotations

import ast
from collections.abc import Iterator, Mapping, Sequence


def statements(body: list[ast.stmt]) -> Iterator[ast.stmt]:
    """The statements of a block and of all inside."""
    for statement in body:
        yield statement
        for field in ("body", "orelse"):
            yield from statements(getattr(statement, field, []))


def bound(statement: ast.stmt) -> Iterator[str]:
    """The names that a statement binds itself."""
    match statement:
        case ast.Assign(targets=targets):
            yield from stores(targets)
        case ast.AugAssign(target=target) | ast.For(target=target):
            yield from stores([target])


def loads(node: ast.AST) -> Iterator[str]:
    """The names that a tree reads."""
    for n in ast.walk(node):
        if isinstance(n, ast.Name) and isinstance(n.ctx, ast.Load):
            yield n.id


def stores(nodes: Sequence[ast.AST]) -> Iterator[str]:
    """The names that trees bind."""
    for node in nodes:
        for n in ast.walk(node):
            if isinstance(n, ast.Name) and isinstance(n.ctx, ast.Store):
                yield n.id


def bindings(body: list[ast.stmt], ranks: Mapping[str, int]) -> Iterator[str]:
    """The names that statements bind, once for each place; arrays that are written in place are not bound."""
    for node in (n for statement in body for n in ast.walk(statement)):
        match node:
            case ast.Assign(targets=[ast.Name(id=name)], value=value):
                if not _is_sum(value, name):
                    yield name
            case ast.Assign(targets=targets):
                yield from stores(targets)
            case ast.For(target=target):
                yield from stores([target])
            case ast.AugAssign(target=ast.Name(id=name)) if not ranks.get(name, -1) > 0:
                yield name
            case ast.NamedExpr(target=target):
                yield from stores([target])


def _is_sum(value: ast.expr, name: str) -> bool:
    """Whether a value is ``rt.summed(ba, e, a)``, which is ``ba``."""
    match value:
        case ast.Call(func=ast.Attribute(attr="summed"), args=[ast.Name(id=first), *_]):
            return first == name
    return False
