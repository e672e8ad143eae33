"""How many axes the results of functions have.

In: a call in a kernel, what tells the axes of its arguments.
Out: a number; None if it is not known.
Next: ranks.
"""

from __future__ import annotations

import ast
from collections.abc import Callable
from typing import Any

import numpy as np

from tangentlite import runtime
from tangentlite.native.facts.known import (
    CHOSEN,
    ELEMENTWISE,
    FLAT,
    LIKE_LAST,
    OVERS,
    PRODUCTS,
    SHAPED,
    SQUARE,
    is_elementwise,
    is_one_of,
    subscripted,
)
from tangentlite.native.facts.ones import indexed, left

Meaning = Callable[[ast.expr], Any]
Rank = Callable[[ast.expr], int | None]


def largest(nodes: list[ast.expr], rank: Rank) -> int | None:
    """The axes of what arrays broadcast to."""
    found = [rank(node) for node in nodes]
    return None if None in found else max(r for r in found if r is not None)


def of_call(
    node: ast.Call, rank: Rank, meaning: Meaning, whole: Callable[[ast.expr], bool]
) -> int | None:
    """The axes of what a call gives; ``whole`` tells what holds whole numbers."""
    match node:
        case ast.Call(func=ast.Attribute(value=array, attr="copy"), args=[]):
            return rank(array)
        case ast.Call(func=ast.Attribute(value=array, attr="astype")):
            return rank(array)
        case ast.Call(func=ast.Name(id="len" | "int" | "float" | "abs" | "max" | "min")):
            return 0 if all(rank(a) == 0 for a in node.args) or len(node.args) == 1 else None
        case ast.Call(func=ast.Name(id=name), args=[array, axis, keeps]) if name in OVERS:
            return left(rank(array), axis, keeps)
        case ast.Call(func=ast.Name(id="_upper" | "_lower" | "_zeros_of"), args=[array, *_]):
            return rank(array)
        case ast.Call(func=ast.Name(id=name), args=[array, index]) if name == CHOSEN:
            return _chosen(rank(array), index, rank, whole)
    meant = meaning(node.func)
    if is_elementwise(meant, node) or is_one_of(meant, ELEMENTWISE):
        return largest(node.args, rank)
    for function, place in LIKE_LAST.items():
        if meant is function:
            return rank(node.args[place]) if len(node.args) > place else None
    return _of_function(meant, node, rank, meaning)


def _chosen(
    every: int | None, index: ast.expr, rank: Rank, whole: Callable[[ast.expr], bool]
) -> int | None:
    """Of what indices choose, side by side, or a mask that is a line; of other masks nothing is known."""
    parts = index.elts if isinstance(index, ast.Tuple) else [index]
    gone = [p for p in parts if not is_slice(p)]
    ranks = [rank(p) or 0 for p in gone]
    if every is None or (max(ranks) > 1 and not all(map(whole, gone))):
        return None
    return every - len(gone) + max(ranks) if max(ranks) else None


def is_slice(part: ast.expr) -> bool:
    """Whether a part of an index is written as ``slice(…)``."""
    return isinstance(part, ast.Call) and ast.unparse(part.func) == "slice"


def _of_function(meant: Any, node: ast.Call, rank: Rank, meaning: Meaning) -> int | None:
    match subscripted(meant, node.args):
        case ast.expr() as like:
            return rank(like)
        case int(count):
            return count
    match node.args:
        case [_, *_] if is_one_of(meant, (np.arange, np.linspace)):
            return None if any(k.arg in ("retstep", "axis") for k in node.keywords) else 1
        case [array] if is_one_of(meant, FLAT) and not node.keywords:
            return 0
        case [array] if is_one_of(meant, (np.trace, np.linalg.det)) and not node.keywords:
            return 0 if rank(array) == 2 else None
        case [array, *_] if meant is np.diag:
            return {1: 2, 2: 1}.get(rank(array) or 0)
        case [array, *_] if meant is np.diagonal:
            return 1 if rank(array) == 2 else None
        case [array] if meant is np.linalg.inv:
            return 2 if rank(array) == 2 else None
        case [array, right] if meant is np.linalg.solve:
            return rank(right) if rank(array) == 2 and rank(right) in (1, 2) else None
        case [ast.List(elts=parts)] if meant is np.array and not node.keywords:
            return 1 if all(rank(p) == 0 for p in parts) else None
        case [_] if is_one_of(meant, SQUARE):
            return 2
        case [array, index] if meant is runtime.won:
            return indexed(rank(array), index, rank)
        case [_, shape] if meant is np.reshape or meant is np.broadcast_to:
            return _shaped(shape, rank, meaning)
        case [one, other] if is_one_of(meant, (np.dot, np.inner)):
            found = PRODUCTS.get((rank(one), rank(other)))
            return found if meant is np.dot or not found else None
        case [shape, *_] if is_one_of(meant, (*SHAPED, np.full)):
            return _shaped(shape, rank, meaning)
    return 2 if meant is np.outer else 0 if meant is runtime.count else None


def _shaped(shape: ast.expr, rank: Rank, meaning: Meaning) -> int | None:
    match shape:
        case ast.Attribute(value=array, attr="shape"):
            return rank(array)
        case ast.Subscript(value=whole, slice=ast.Slice(lower, upper, None)):
            count, bounds = _shaped(whole, rank, meaning), (constant(lower), constant(upper))
            return None if count is None or ... in bounds else len(range(count)[slice(*bounds)])
        case ast.Tuple(elts=parts):
            return len(parts)
        case ast.Call(func=func, args=[array]) if meaning(func) is np.shape:
            return rank(array)
        case ast.BinOp(left=one, op=ast.Add(), right=other) if rank(shape) != 0:
            both = _shaped(one, rank, meaning), _shaped(other, rank, meaning)
            return None if None in both else sum(r for r in both if r)
        case ast.BinOp(
            left=ast.Tuple(elts=[_]), op=ast.Mult(), right=ast.Call(func=func, args=[array])
        ):
            return rank(array) if meaning(func) is np.ndim else None
    return 1 if rank(shape) == 0 else None


def constant(bound: ast.expr | None) -> Any:
    """The number that a bound of a slice is, or None; ``...`` for what is not written down."""
    try:
        found = None if bound is None else ast.literal_eval(bound)
    except ValueError:
        return ...
    return found if found is None or type(found) is int else ...
