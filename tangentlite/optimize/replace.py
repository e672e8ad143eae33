"""Replacing what a tree reads. Parts without a replaced name are shared with the old tree.

In: a tree, expressions by name.
Out: a tree; names that are stored into stay.
Next: propagate, refold.
"""

from __future__ import annotations

import ast
from collections.abc import Callable, Mapping
from operator import is_
from typing import Any, TypeVar

import gast

from tangentlite import syntax
from tangentlite.translation import MARKED, PLAIN

Node = TypeVar("Node", bound=ast.AST)
BARE = PLAIN | MARKED  # the classes of what holds no names


def replaced(node: Node, holes: Mapping[str, gast.expr]) -> Node:
    """``node`` with the expressions in ``holes`` for the names it reads.

    >>> from tangentlite import syntax
    >>> statement = syntax.parse("x[t1] = x + t1")[0]
    >>> syntax.unparse(replaced(statement, {"x": syntax.name("y"), "t1": syntax.constant(2)}))
    'y[2] = y + 2'
    """
    if isinstance(node, gast.Name):
        hole = holes.get(node.id) if isinstance(node.ctx, gast.Load) else None
        return node if hole is None else hole  # type: ignore[no-any-return]
    if node.__class__ is gast.Constant:
        return node
    changes: dict[str, object] = {}
    for field, value in node.__dict__.items():
        if value.__class__ in BARE:
            continue
        if value.__class__ is list:
            new = [replaced(v, holes) if isinstance(v, ast.AST) else v for v in value]
            if not unchanged(value, new):
                changes[field] = new
        elif isinstance(value, ast.AST):
            part = replaced(value, holes)
            if part is not value:
                changes[field] = part
    return remade(node, changes) if changes else node


def with_head(statement: gast.stmt, holes: Mapping[str, gast.expr]) -> gast.stmt:
    """``statement`` with names replaced outside its blocks, where it is evaluated once."""
    match statement:
        case gast.If(test=test):
            return remade(statement, {"test": replaced(test, holes)})
        case gast.For(iter=iterable):
            return remade(statement, {"iter": replaced(iterable, holes)})
    return replaced(statement, holes)


def remade(node: Node, changes: Mapping[str, object]) -> Node:
    """A copy of ``node`` with some fields changed."""
    new = node.__class__.__new__(node.__class__)
    new.__dict__.update(node.__dict__)
    new.__dict__.update(changes)
    return new


def unchanged(old: list[Node], new: list[Node]) -> bool:
    """Whether two lists hold the same objects."""
    return len(old) == len(new) and all(map(is_, old, new))


def inside(statement: Node, change: Callable[[list[gast.stmt]], list[gast.stmt]]) -> Node:
    """A compound statement with other blocks; itself if all stay as they are."""
    kind: Any = statement.__class__
    if not syntax.nests(kind):
        return statement
    changes: dict[str, object] = {}
    for field in syntax.BLOCKS:
        old = statement.__dict__.get(field)
        if old and not unchanged(old, new := change(old)):
            changes[field] = new
    handlers = statement.__dict__.get("handlers", [])
    bodies = [change(h.body) for h in handlers]
    if not all(unchanged(h.body, b) for h, b in zip(handlers, bodies, strict=True)):
        new_ones = [remade(h, {"body": b}) for h, b in zip(handlers, bodies, strict=True)]
        changes["handlers"] = new_ones
    return remade(statement, changes) if changes else statement


def exchanged(node: Any, holes: Mapping[int, gast.expr]) -> Any:
    """A node with other expressions for some of its parts, which ``holes`` has by their identity."""
    if id(node) in holes:
        return holes[id(node)]
    changes: dict[str, Any] = {}
    for field in node._fields:
        part = getattr(node, field, None)
        if isinstance(part, gast.AST):
            changes[field] = exchanged(part, holes)
        elif isinstance(part, list):
            changes[field] = [exchanged(p, holes) if isinstance(p, gast.AST) else p for p in part]
    return remade(node, changes)
