"""Arrays that a kernel gives back, made by its caller: NumPy makes an array in half the time that Numba takes.

In: the tree of a kernel, what is known of its names.
Out: the kernel, which takes such arrays as arguments, and the body of a function in Python that calls it.
Next: workshop.
"""

from __future__ import annotations

import ast
import copy
from collections import Counter
from collections.abc import Callable
from typing import Any

import numpy as np

from tangentlite import runtime
from tangentlite.native.facts.known import is_one_of
from tangentlite.native.facts.ranks import Names
from tangentlite.native.memory.filled import filled, firsts
from tangentlite.parsing import parsed

SIZES: tuple[type, ...] = (
    ast.Name,
    ast.Attribute,
    ast.Subscript,
    ast.Tuple,
    ast.Constant,
    ast.BinOp,
    ast.Call,
)
SIZES += (ast.operator, ast.expr_context)
Other = tuple[str, ast.stmt | None, ast.stmt | None]


def handed(
    tree: ast.FunctionDef, names: Names, meaning: Callable[[ast.expr], Any], fills: bool = False
) -> list[ast.stmt]:
    """Take the statements that make what is given back out of the kernel: they, the call and what is returned.

    ``fills``: loops may fill arrays of the caller with what is given back.

    >>> tree = ast.parse("def f(x, by):\\n    bx = np.zeros(x.shape)\\n    bx[1:] = by\\n    return (bx,)").body[0]
    >>> names = type("Names", (), {"rank": lambda self, node: 1, "family": lambda self, name: name})()
    >>> for statement in handed(tree, names, lambda node: np.zeros if "np" in ast.dump(node) else None):
    ...     print(ast.unparse(statement))
    bx = np.zeros(x.shape)
    f(x, by, bx)
    return (bx,)
    >>> print(ast.unparse(tree))
    def f(x, by, bx):
        bx[1:] = by
    """
    last = tree.body[-1]
    alone = sum(isinstance(n, ast.Return) for n in ast.walk(tree)) == 1
    given = _given(last) if alone else []
    made = _makers(tree, given, names, meaning)
    others = _others(tree, [n for n in given if n not in made], names, meaning) if fills else {}
    left = [name for name in given if name not in made and name not in others]
    tree.body = [s for s in tree.body[:-1] if s not in made.values()]
    tree.body += [fill for _, _, fill in others.values() if fill is not None]
    back = parsed(f"return {_tuple(left)}").body if given else [last]
    tree.body += back if left or not tree.body or not given else []
    makers = {**made, **{out: how for out, how, _ in others.values() if how is not None}}
    tree.args.args += [ast.arg(name, None) for name in makers]
    call = f"{tree.name}({', '.join(a.arg for a in tree.args.args)})"
    if not given:
        return list(parsed(f"return {call}").body)
    found = parsed(f"{_tuple(left)} = {call}" if left else call).body
    return [*makers.values(), *found, _renamed(last, others)]


def _makers(
    tree: ast.FunctionDef, given: list[str], names: Names, meaning: Callable[[ast.expr], Any]
) -> dict[str, ast.stmt]:
    """The statements that make the arrays that are given back, and that nothing else binds."""
    kin, made = [names.family(name) for name in given], dict[str, ast.stmt]()
    for statement in tree.body:
        match statement:
            case ast.Assign(targets=[ast.Name(id=name)], value=value) if (
                name in given
                and kin.count(names.family(name)) == 1
                and names.rank(ast.Name(name, ast.Load()))
                and _is_made(value, tree, meaning)
                and _stores(tree, name) == 1
            ):
                made[name] = statement
    return made


def _others(
    tree: ast.FunctionDef, given: list[str], names: Names, meaning: Callable[[ast.expr], Any]
) -> dict[str, Other]:
    """What the caller has in place of what is given back: the name, how it is made, and how it is filled."""
    known = {n: p for n, p in firsts(tree).items() if n in given and names.ranks.get(n, -1) > 0}
    found: dict[str, Other] = {name: (param, None, None) for name, param in known.items()}
    made = filled(tree, [n for n in given if n not in known], names, meaning)
    return found | {name: (f"{name}_out", how, fill) for name, (how, fill) in made.items()}


def _renamed(last: ast.stmt, others: dict[str, Other]) -> ast.stmt:
    last = copy.deepcopy(last)
    for node in ast.walk(last):
        if isinstance(node, ast.Name) and node.id in others:
            node.id, _, _ = others[node.id]
    return last


def _given(last: ast.stmt) -> list[str]:
    match last:
        case ast.Return(value=ast.Tuple(elts=parts)) if all(isinstance(p, ast.Name) for p in parts):
            return [p.id for p in parts if isinstance(p, ast.Name)]
    return []


def _tuple(names: list[str]) -> str:
    return names[0] if len(names) == 1 else f"({', '.join(names)})" if names else ""


def _is_made(value: ast.expr, tree: ast.FunctionDef, meaning: Callable[[ast.expr], Any]) -> bool:
    """Whether an array is made of what is known when the kernel is called."""
    stored = {n.id for n in ast.walk(tree) if isinstance(n, ast.Name) and _is_stored(n)}
    params = {a.arg for a in tree.args.args} - stored
    match value:
        case ast.Call(func=func, args=[size], keywords=[]):
            meant = meaning(func)
        case _:
            return False
    if meant is runtime.zeros:
        return isinstance(size, ast.Name) and size.id in params
    if not is_one_of(meant, (np.zeros, np.empty)):
        return False
    nodes = list(ast.walk(size))
    calls = [n.func for n in nodes if isinstance(n, ast.Call)]
    words = [n for n in nodes if isinstance(n, ast.Name) and n not in calls]
    return (
        all(isinstance(n, SIZES) for n in nodes)
        and all(isinstance(f, ast.Name) and f.id == "max" for f in calls)
        and all(n.attr == "shape" for n in nodes if isinstance(n, ast.Attribute))
        and all(n.id in params for n in words)
    )


def _stores(tree: ast.FunctionDef, name: str) -> int:
    """How often a name is bound; what is added to an array is written into it."""
    adding = [n.target for n in ast.walk(tree) if isinstance(n, ast.AugAssign)]
    found = (n for n in ast.walk(tree) if isinstance(n, ast.Name) and n.id == name)
    return sum(_is_stored(n) and n not in adding for n in found)


def _is_stored(node: ast.Name) -> bool:
    return isinstance(node.ctx, ast.Store)


def only_asked(
    door: ast.FunctionDef, name: str, meaning: Callable[[ast.expr], Any]
) -> frozenset[str]:
    """What a kernel gives to its door, which asks it for nothing but its shape: ``rt.like(bx, x)``.

    >>> door = ast.parse("def f(x, y):\\n (bx, x, y) = kernel(x, y)\\n return like(bx, x), y").body[0]
    >>> sorted(only_asked(door, "kernel", lambda node: runtime.like))
    ['x']
    """
    for place, statement in enumerate(door.body):
        match statement:
            case ast.Assign(targets=[target], value=ast.Call(func=ast.Name(id=called))) if (
                called == name
            ):
                nodes = [n for s in door.body[place + 1 :] for n in ast.walk(s)]
                reads = Counter(n.id for n in nodes if isinstance(n, ast.Name))
                given = {n.id for n in ast.walk(target) if isinstance(n, ast.Name)}
                asked = Counter(_like(n, meaning) for n in nodes)
                return frozenset(n for n in given if reads[n] == asked[n])
    return frozenset()


def _like(node: ast.AST, meaning: Callable[[ast.expr], Any]) -> str | None:
    match node:
        case ast.Call(func=func, args=[_, ast.Name(id=name)]) if meaning(func) is runtime.like:
            return name
    return None
