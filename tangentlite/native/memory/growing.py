"""Adjoints that grow in place: what began as zeros of the shape of an array, and has one name, is added to.

In: the tree of a kernel, what is known of its names.
Out: the same tree, changed in place.
Next: loops.
"""

from __future__ import annotations

import ast
from collections import defaultdict
from collections.abc import Callable
from typing import Any

from tangentlite import runtime
from tangentlite.native.facts.known import is_one_of
from tangentlite.native.facts.names import bound, loads, statements
from tangentlite.native.facts.ranks import Names

BEGINNINGS = (runtime.zeros, runtime.storage, runtime.room)


def grown(tree: ast.FunctionDef, names: Names, meaning: Callable[[ast.expr], Any]) -> bool:
    """Whether ``bx = bx + e`` became ``bx += e``.

    >>> from tangentlite.native.facts.known import Known
    >>> tree = ast.parse("def f(x):\\n bx = rt.zeros(x)\\n for i in range(3):\\n  bx = bx + x").body[0]
    >>> zeros = lambda node: runtime.zeros if ast.unparse(node) == "rt.zeros" else None
    >>> grown(tree, Names(tree.body, {"x": Known(1, True)}, True, zeros, None), zeros)
    True
    >>> print(ast.unparse(tree.body[1].body))
    bx += x
    """
    values: dict[str, list[ast.stmt]] = defaultdict(list)
    for statement in statements(tree.body):
        for name in bound(statement):
            values[name].append(statement)
    chosen = {
        name
        for name, found in values.items()
        if len(found) > 1
        and names.ranks.get(name, -1) > 0
        and _is_begun(found[0], meaning)
        and all(_is_added(s, name, names) for s in found[1:])
        and _is_alone(name, names)
    }
    if chosen:
        _Grower(chosen).visit(tree)
        ast.fix_missing_locations(tree)
    return bool(chosen)


def _is_begun(statement: ast.stmt, meaning: Callable[[ast.expr], Any]) -> bool:
    match statement:
        case ast.Assign(targets=[ast.Name()], value=ast.Call(func=func, args=[_], keywords=[])):
            return is_one_of(meaning(func), BEGINNINGS)
    return False


def _is_added(statement: ast.stmt, name: str, names: Names) -> bool:
    """Whether a statement adds to an array, or takes away from it, what has no more axes."""
    match statement:
        case ast.Assign(
            targets=[ast.Name()],
            value=ast.BinOp(left=ast.Name(id=same), op=ast.Add() | ast.Sub(), right=term),
        ) if same == name and name not in loads(term):
            rank = names.rank(term)
            return rank is not None and rank <= names.ranks[name] and names.floating(term)
    return False


def _is_alone(name: str, names: Names) -> bool:
    family = names.family(name)
    return not any(n != name and names.family(n) == family for n in names.ranks)


class _Grower(ast.NodeTransformer):
    def __init__(self, chosen: set[str]) -> None:
        self._chosen = chosen

    def visit_Assign(self, node: ast.Assign) -> ast.stmt:
        match node:
            case ast.Assign(
                targets=[ast.Name(id=name) as target], value=ast.BinOp(op=op, right=term)
            ) if name in self._chosen:
                return ast.copy_location(ast.AugAssign(target, op, term), node)
        return node
