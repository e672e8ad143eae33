"""Arrays that a kernel trades before it gives one of them back: its caller makes another, which is filled at the end.

In: the tree of a kernel whose statements are loops, what is known of its names.
Out: the arrays that the caller makes, the statements that fill them.
Next: results.

NumPy makes an array in half the time that Numba takes, and what Numba made is copied before it leaves.
"""

from __future__ import annotations

import ast
from collections import Counter
from collections.abc import Callable, Iterable, Iterator
from typing import Any

import numpy as np

from tangentlite.native.facts.known import is_one_of
from tangentlite.native.facts.names import bindings, statements, stores
from tangentlite.native.facts.ranks import Names
from tangentlite.parsing import parsed

MADE = np.zeros, np.empty
Meaning = Callable[[ast.expr], Any]


def filled(
    tree: ast.FunctionDef, given: Iterable[str], names: Names, meaning: Meaning
) -> dict[str, tuple[ast.stmt, ast.stmt]]:
    """How the arrays are made that take the places of those that are ``given`` back, and how each is filled.

    >>> text = "def f(x, n):\\n b = np.zeros((x.shape[0],))\\n c = np.zeros(x.shape)\\n "
    >>> text += "for i in range(n):\\n  b, c = c, b"
    >>> names = type("Names", (), {"ranks": dict.fromkeys("xbc", 1), "floats": {"b", "c"}})()
    >>> meaning = {"np.zeros": np.zeros}.get
    >>> tree = ast.parse(text).body[0]
    >>> for made, fill in filled(tree, ["b"], names, lambda node: meaning(ast.unparse(node))).values():
    ...     print(ast.unparse(made), ast.unparse(fill), sep="\\n")
    b_out = np.empty(x.shape)
    for _0 in range(b_out.shape[0]):
        b_out[_0] = b[_0]
    """
    found: dict[str, tuple[ast.stmt, ast.stmt]] = {}
    taken = {*stores(tree.body), *(a.arg for a in tree.args.args)}
    sizes = _sizes(tree, names, meaning)
    for name in given:
        like = sizes.get(name)
        rank, out = names.ranks.get(name, -1), f"{name}_out"
        if like is not None and rank > 0 and name in names.floats and out not in taken:
            made = parsed(f"{out} = np.empty({like}.shape)").body[0]
            found[name] = made, _fill(out, name, rank)
    return found


def firsts(tree: ast.FunctionDef) -> dict[str, str]:
    """Names that stand for parameters throughout, as they are given: those parameters.

    >>> firsts(ast.parse("def f(x, y):\\n n = 2\\n a = x\\n x = y\\n b = x").body[0])
    {'y': 'y', 'a': 'x'}
    """
    times = Counter(bindings(tree.body, {}))
    params = {a.arg for a in tree.args.args}
    found, gone = {p: p for p in sorted(params) if not times[p]}, set[str]()
    for statement in tree.body:
        match statement:
            case ast.Assign(targets=[ast.Name(id=name)], value=ast.Name(id=param)) if (
                param in params - gone and name not in params and times[name] == 1
            ):
                found[name] = param
        gone.update(stores([statement]))
    return found


def unnamed(tree: ast.FunctionDef) -> None:
    """Parameters to which nothing is bound any more need no second name."""
    first = firsts(tree)
    second = {n: p for n, p in first.items() if n != p and p in first}
    tree.body = [s for s in tree.body if second.keys().isdisjoint(stores([s]))]
    for node in ast.walk(tree):
        if isinstance(node, ast.Name) and node.id in second:
            node.id = second[node.id]


def _fill(out: str, name: str, rank: int) -> ast.stmt:
    place = ", ".join(f"_{k}" for k in range(rank))
    text = f"{out}[{place}] = {name}[{place}]"
    for k in reversed(range(rank)):
        inner = text.replace("\n", "\n    ")
        text = f"for _{k} in range({out}.shape[{k}]):\n    {inner}"
    filling: ast.stmt = parsed(text).body[0]
    return filling


def _sizes(tree: ast.FunctionDef, names: Names, meaning: Meaning) -> dict[str, str]:
    """The parameters whose shapes arrays have wherever a name is bound to one: such names are traded."""
    given = firsts(tree)
    values: dict[str, list[ast.expr | None]] = {a.arg: [None] for a in tree.args.args}
    for statement in statements(tree.body):
        for name, value in _bound(statement):
            values.setdefault(name, []).append(value)
    sizes: dict[str, set[str | None]] = {}
    for name, found in values.items():
        plain = [v for v in found if not isinstance(v, ast.Name)]
        sizes[name] = {_like(v, given, names, meaning) for v in plain}
    trades = {n: {v.id for v in found if isinstance(v, ast.Name)} for n, found in values.items()}
    return {
        name: size
        for name in sizes
        if (kin := _reached(name, trades)) <= sizes.keys() and len(kin) > 1
        for size in [_only(s for n in kin for s in sizes[n])]
        if size is not None
    }


def _bound(statement: ast.stmt) -> Iterator[tuple[str, ast.expr | None]]:
    match statement:
        case ast.Assign(targets=[ast.Name(id=name)], value=value):
            yield name, value
        case ast.Assign(targets=[ast.Tuple(elts=parts)], value=ast.Tuple(elts=found)) if len(
            parts
        ) == len(found) and all(isinstance(p, ast.Name) for p in parts):
            yield from zip((p.id for p in parts if isinstance(p, ast.Name)), found)
        case ast.Assign(targets=targets):
            yield from ((name, None) for name in stores(targets))
        case ast.For(target=target):
            yield from ((name, None) for name in stores([target]))
    for node in ast.walk(statement):
        if isinstance(node, ast.NamedExpr):
            yield node.target.id, None


def _reached(name: str, trades: dict[str, set[str]]) -> set[str]:
    """The names whose arrays a name may have."""
    found, waiting = {name}, [name]
    while waiting:
        new = trades.get(waiting.pop(), set()) - found
        found |= new
        waiting += new
    return found


def _only(sizes: Iterable[str | None]) -> str | None:
    found = set(sizes)
    return found.pop() if len(found) == 1 else None


def _like(
    value: ast.expr | None, given: dict[str, str], names: Names, meaning: Meaning
) -> str | None:
    """The parameter whose shape a new array has."""
    match value:
        case ast.Call(func=func, args=[size], keywords=[]) if is_one_of(meaning(func), MADE):
            pass
        case _:
            return None
    match size:
        case ast.Attribute(value=ast.Name(id=name), attr="shape"):
            return given.get(name)
        case ast.Tuple(elts=parts):
            whole = {ast.unparse(p).removesuffix(f".shape[{k}]") for k, p in enumerate(parts)}
            like = given.get(whole.pop()) if len(whole) == 1 else None
            return like if names.ranks.get(like or "") == len(parts) else None
    return None
