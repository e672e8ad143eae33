"""Lists that are written down: what Numba reads in their place.

In: statements of a generated function, what their names mean.
Out: the same statements, changed in place.
Next: spelling.
"""

from __future__ import annotations

import ast
from collections.abc import Callable
from typing import Any

import numpy as np

from tangentlite import runtime
from tangentlite.native.facts.known import ADD_AT, JOINED, is_one_of
from tangentlite.native.facts.names import statements
from tangentlite.native.memory.shelves import shelved, shelves

Meaning = Callable[[ast.expr], Any]
TAKING = (*JOINED, runtime.split_like, runtime.unstack, runtime.unjoin)
INDEXED = (runtime.won, runtime.add_at, np.add.at)


def without_lists(body: list[ast.stmt], meaning: Meaning) -> None:
    """What is put side by side is a tuple: lists of Numba hold one type, tuples any; what is an index is an array.

    >>> tree = ast.parse("i = [k, p]\\na[i] = a[[p, k]]")
    >>> without_lists(tree.body, lambda e: None)
    >>> print(ast.unparse(tree))
    i = np.array([k, p])
    a[i] = a[np.array([p, k])]
    """
    nodes = [n for s in body for n in ast.walk(s)]
    _as_tuples(body, nodes, meaning)
    _as_indices(body, nodes, meaning)


def _as_tuples(body: list[ast.stmt], nodes: list[ast.AST], meaning: Meaning) -> None:
    taking = [n for n in nodes if isinstance(n, ast.Call) and is_one_of(meaning(n.func), TAKING)]
    taken = [id(a) for call in taking for a in call.args]
    taken += [id(n.value) for n in nodes if isinstance(n, ast.Subscript) and _is_part(n)]
    known = shelves(body)
    kept = [(s, groups) for s in statements(body) if (groups := shelved(s, known))]
    taken += [id(n) for s, _ in kept if isinstance(s, ast.Expr) for n in ast.walk(s)]
    places = [{*group} for _, groups in kept for group in groups]
    named = [n for n in nodes if isinstance(n, ast.Name)]
    for node in nodes:
        match node:
            case ast.Call(args=[ast.List(elts=[_, *_] as elts), *rest]) if node in taking:
                node.args = [ast.Tuple(elts, ast.Load()), *rest]
            case ast.Assign(targets=[ast.Name(id=name)], value=ast.List(elts=[_, *_] as elts)):
                alike = _together(name, places)
                loads = [n for n in named if n.id in alike and isinstance(n.ctx, ast.Load)]
                stores = sum(n.id in alike for n in named) - len(loads)
                alone = {n for n in alike if "." not in n}
                if stores == len(alone) < 3 and all(id(n) in taken for n in loads):
                    node.value = ast.Tuple(elts, ast.Load())


def _together(name: str, places: list[set[str]]) -> set[str]:
    """The names of what has the places of a name in the items of lists."""
    found = {name}
    while more := {n for group in places if group & found for n in group} - found:
        found |= more
    return found


def _as_indices(body: list[ast.stmt], nodes: list[ast.AST], meaning: Meaning) -> None:
    """Lists of which nothing is read but elements of arrays: of whole numbers, or of truth values."""
    inside = {id(part) for n in nodes for part in _indices(n, meaning)}
    known = shelves(body)
    kept = [(s, shelved(s, known) or []) for s in statements(body)]
    inside |= {
        id(n) for s, groups in kept if groups and isinstance(s, ast.Expr) for n in ast.walk(s)
    }
    named = [n for n in nodes if isinstance(n, ast.Name)]
    other = {n.id for n in named if isinstance(n.ctx, ast.Load) and id(n) not in inside}
    used = {n.id for n in named if isinstance(n.ctx, ast.Load)}
    together = [set(group) for _, groups in kept for group in groups]
    while more := {n for group in together if group & other for n in group} - other:
        other |= more
    for node in nodes:
        match node:
            case ast.Assign(targets=[ast.Name(id=name)], value=ast.List(elts=[_, *_]) as made):
                node.value = _array(made) if name in used - other else node.value
            case ast.Subscript(slice=ast.List(elts=[_, *_]) as made):
                node.slice = _array(made)
            case ast.Subscript(slice=ast.Tuple(elts=parts)):
                parts[:] = [_array(p) if isinstance(p, ast.List) and p.elts else p for p in parts]


def _indices(node: ast.AST, meaning: Meaning) -> list[ast.expr]:
    """The parts of an index."""
    match node:
        case ast.Subscript(slice=index):
            pass
        case ast.Call(func=func, args=[_, index, *_]) if (
            is_one_of(meaning(func), INDEXED) or ast.unparse(func) == ADD_AT
        ):
            pass
        case _:
            return []
    return index.elts if isinstance(index, ast.Tuple) else [index]


def _array(made: ast.List) -> ast.expr:
    array: ast.expr = ast.parse("np.array()", mode="eval").body
    assert isinstance(array, ast.Call)
    array.args = [made]
    return array


def _is_part(node: ast.Subscript) -> bool:
    """Whether one element is read, whose place is written down."""
    place = node.slice
    written = isinstance(place, ast.Constant) and type(place.value) is int
    return written and isinstance(node.ctx, ast.Load)
