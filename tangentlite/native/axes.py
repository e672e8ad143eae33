"""New axes as the word that loops know: ``None``, where ``np.newaxis`` stands or a name of it.

In: statements of a generated function, what their names mean.
Out: the same statements without such names.
Next: spelling.
"""

from __future__ import annotations

import ast
from collections import Counter
from collections.abc import Callable, Iterator
from typing import Any

import numpy as np

from tangentlite.native.names import loads, statements, stores

Body = list[ast.stmt]
Meaning = Callable[[ast.expr], Any]


def without_new_axes(body: Body, meaning: Meaning) -> Body:
    """The block, changed in place.

    >>> body = ast.parse("t1 = np.newaxis\\nif c:\\n    y = x[:, t1]").body
    >>> print("\\n".join(map(ast.unparse, without_new_axes(body, lambda e: np))))
    if c:
        y = x[:, None]
    """
    named = Counter(n for s in statements(body) for n in _named(s, meaning))
    nodes = [n for s in body for n in ast.walk(s)]
    places = Counter(p.id for n in nodes for p in _places(n) if isinstance(p, ast.Name))
    bound, read = Counter(stores(body)), Counter(n for s in body for n in loads(s))
    gone = {n for n in named if bound[n] == named[n] and read[n] == places[n]}
    put = _Put(meaning, gone)
    return [
        put.visit(s) for s in _without(body, lambda s: any(n in gone for n in _named(s, meaning)))
    ]


def _named(statement: ast.stmt, meaning: Meaning) -> Iterator[str]:
    match statement:
        case ast.Assign(targets=[ast.Name(id=name)], value=value) if _is_new(value, meaning):
            yield name


def _is_new(node: ast.AST, meaning: Meaning) -> bool:
    return isinstance(node, ast.Attribute) and node.attr == "newaxis" and meaning(node.value) is np


def _places(node: ast.AST) -> list[ast.expr]:
    """What stands between the brackets of a subscript."""
    if not isinstance(node, ast.Subscript):
        return []
    return node.slice.elts if isinstance(node.slice, ast.Tuple) else [node.slice]


def _without(body: Body, is_gone: Callable[[ast.stmt], bool]) -> Body:
    left = [s for s in body if not is_gone(s)]
    for statement in left:
        for field in ("body", "orelse"):
            inner = getattr(statement, field, None)
            if inner:
                setattr(statement, field, _without(inner, is_gone) or [ast.Pass()])
    return left


class _Put(ast.NodeTransformer):
    def __init__(self, meaning: Meaning, names: set[str]) -> None:
        self._meaning, self._names = meaning, names

    def visit_Name(self, node: ast.Name) -> ast.expr:
        """A name of the new axis."""
        return ast.Constant(None) if node.id in self._names else node

    def visit_Attribute(self, node: ast.Attribute) -> ast.expr:
        """``np.newaxis``."""
        if _is_new(node, self._meaning):
            return ast.Constant(None)
        self.generic_visit(node)
        return node
