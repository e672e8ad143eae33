"""Arrays that nobody else sees: whatever binds their names makes them, and no other name is in their memory.

In: the tree of a kernel, what is known of its names.
Out: names.
Next: loops.
"""

from __future__ import annotations

import ast
from collections import Counter
from typing import Any

from tangentlite.native.facts.names import bound, statements


def alone(tree: ast.FunctionDef, names: Any) -> frozenset[str]:
    """Names of arrays of floats; ``x = x + e`` may be done in place.

    >>> tree = ast.parse("def f(p):\\n a = 2 * p\\n b = 3 * p\\n c = b\\n p = p + a\\n return c").body[0]
    >>> same = {"family": lambda self, name: "b" if name == "c" else name}
    >>> same |= {"is_fresh": lambda self, value: isinstance(value, ast.BinOp)}
    >>> names = type("Names", (), same | {"floats": set("abcp"), "ranks": dict.fromkeys("abcp", 1)})()
    >>> sorted(alone(tree, names))
    ['a']
    """
    found = {n for n in names.floats if names.ranks.get(n, -1) > 0}
    found -= {a.arg for a in tree.args.args}
    for statement in statements(tree.body):
        match statement:
            case ast.AugAssign():
                pass
            case ast.Assign(targets=[ast.Name(id=name)], value=value):
                found -= set() if names.is_fresh(value) else {name}
            case _:
                found.difference_update(bound(statement))
    walrus = (n.target.id for n in ast.walk(tree) if isinstance(n, ast.NamedExpr))
    members = Counter(names.family(n) for n, rank in names.ranks.items() if rank != 0)
    return frozenset(n for n in found.difference(walrus) if members[names.family(n)] == 1)


def in_place(statement: ast.stmt, name: str) -> ast.AugAssign | None:
    """``x = x + e`` as ``x += e``.

    >>> print(ast.unparse(in_place(ast.parse("x = x - 2 * e").body[0], "x")))
    x -= 2 * e
    """
    match statement:
        case ast.Assign(
            value=ast.BinOp(
                left=ast.Name(id=left), op=ast.Add() | ast.Sub() | ast.Mult() as op, right=right
            )
        ) if left == name:
            if any(isinstance(n, ast.Name) and n.id == name for n in ast.walk(right)):
                return None
            target = ast.Name(name, ast.Store())
            return ast.copy_location(ast.AugAssign(target, op, right), statement)
    return None
