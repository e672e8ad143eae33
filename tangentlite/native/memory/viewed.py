"""The shadow of a part of an array is the same part of the array's shadow.

In: the tree of a kernel, what is known of its names.
Out: the same tree, changed in place.
Next: ranks.
"""

from __future__ import annotations

import ast
import copy
from collections.abc import Callable
from typing import Any

from tangentlite import runtime
from tangentlite.native.facts.names import blocks, bound, loads

Meaning = Callable[[ast.expr], Any]


def viewed(tree: ast.FunctionDef, names: Any, meaning: Meaning) -> bool:
    """Whether there was one: ``br = rt.view(r, a, ba)`` behind ``r = a[0]`` is ``br = ba[0]``.

    >>> tree = ast.parse("def f(a, ba):\\n    r = a[0]\\n    br = rt.view(r, a, ba)").body[0]
    >>> names = type("Names", (), {"rank": lambda self, node: 1, "ranks": {"a": 2, "ba": 2}})()
    >>> viewed(tree, names, lambda node: runtime.view)
    True
    >>> print(ast.unparse(tree.body))
    r = a[0]
    br = ba[0]
    """
    return _in_block(tree.body, names, meaning)


def _in_block(body: list[ast.stmt], names: Any, meaning: Meaning) -> bool:
    changed, parts = False, dict[str, ast.Subscript]()
    for statement in body:
        for inner in blocks(statement):
            changed |= _in_block(inner, names, meaning)
        found = _shadow(statement, parts, meaning)
        if found is not None and isinstance(statement, ast.Assign):
            statement.value, changed = found, True
            ast.fix_missing_locations(statement)
        now = {n for s in _all(statement) for n in bound(s)}
        parts = {n: p for n, p in parts.items() if now.isdisjoint({n, *loads(p)})}
        match statement:
            case ast.Assign(
                targets=[ast.Name(id=name)], value=ast.Subscript(value=ast.Name(id=array)) as part
            ) if name not in loads(part) and names.ranks.get(array, 0) > 0 and names.rank(part):
                if _is_basic(part.slice):
                    parts[name] = part
    return changed


def _all(statement: ast.stmt) -> list[ast.stmt]:
    return [n for n in ast.walk(statement) if isinstance(n, ast.stmt)]


def _shadow(
    statement: ast.stmt, parts: dict[str, ast.Subscript], meaning: Meaning
) -> ast.expr | None:
    match statement:
        case ast.Assign(
            targets=[ast.Name()],
            value=ast.Call(
                func=func, args=[ast.Name(id=name), ast.Name(id=array), ast.Name(id=shadow)]
            ),
        ) if name in parts and meaning(func) is runtime.view:
            part = parts[name]
            if isinstance(part.value, ast.Name) and part.value.id == array:
                index = copy.deepcopy(part.slice)
                return ast.Subscript(ast.Name(shadow, ast.Load()), index, ast.Load())
    return None


def _is_basic(index: ast.expr) -> bool:
    """Whether nothing but numbers that are written down, and slices of such, tells what is meant."""
    parts = index.elts if isinstance(index, ast.Tuple) else [index]
    return all(map(_is_number, parts))


def _is_number(part: ast.expr) -> bool:
    match part:
        case ast.Slice(lower=lower, upper=upper, step=step):
            return all(b is None or _is_number(b) for b in (lower, upper, step))
        case ast.UnaryOp(op=ast.USub(), operand=inner):
            return _is_number(inner)
        case ast.Constant(value=value):
            return type(value) is int
    return False
