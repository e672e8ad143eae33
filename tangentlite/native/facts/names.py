"""The statements of a kernel, and the names in them.

In: trees of Python.
Out: statements, names.
Next: ranks.
"""

from __future__ import annotations

import ast
from collections.abc import Iterator, Sequence


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
