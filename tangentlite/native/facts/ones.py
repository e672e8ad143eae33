"""Which axes have length one for sure: those that a reduction keeps, and what is made like them.

In: expressions of a kernel, what is known of their names.
Out: axes.
Next: ranks.
"""

from __future__ import annotations

import ast
from collections.abc import Callable
from typing import Any

import numpy as np

from tangentlite import runtime
from tangentlite.native.facts.known import OVERS, is_one_of

ALIKE = (
    *(runtime.zeros, runtime.storage, runtime.room, runtime.own, runtime.drained),
    *(np.zeros_like, np.empty_like),
)
PAIRED = (runtime.times, runtime.cancel, runtime.quotient, runtime.ratio)


def ones_of(node: ast.expr, names: Any, meaning: Any) -> tuple[int, ...]:
    """The axes of an expression that have length one, as far as is known."""
    match node:
        case ast.Name(id=name):
            found: tuple[int, ...] = names.ones.get(name, ())
            return found
        case ast.UnaryOp(operand=operand):
            return ones_of(operand, names, meaning)
        case ast.Attribute(value=array, attr="T"):
            last = (names.rank(array) or 0) - 1
            return tuple(sorted(last - k for k in ones_of(array, names, meaning)))
        case ast.BinOp(left=left, right=right) if not isinstance(node.op, ast.MatMult):
            return _both(left, right, names, meaning)
        case ast.Subscript(slice=index):
            return _inserted(index, names)
        case ast.Call(func=ast.Attribute(value=array, attr="copy"), args=[]):
            return ones_of(array, names, meaning)
        case ast.Call(func=ast.Name(id=over), args=[whole, axis, ast.Constant(value=True)]) if (
            over in OVERS
        ):
            return _reduced(axis, names.rank(whole) or 0)
        case ast.Call(func=func, args=[_, whole, *axis]) if meaning(func) is runtime.kept:
            return _reduced(axis[0] if axis else ast.Constant(None), names.rank(whole) or 0)
        case ast.Call(func=func, args=[one], keywords=[]):
            meant = meaning(func)
            alike = is_one_of(meant, ALIKE) or (isinstance(meant, np.ufunc) and meant.nin == 1)
            return ones_of(one, names, meaning) if alike else ()
        case ast.Call(func=func, args=[one, other], keywords=[]):
            meant = meaning(func)
            if meant is np.reshape:
                return _written(other)
            if meant is runtime.unbroadcast:
                return ones_of(other, names, meaning)
            both = is_one_of(meant, PAIRED) or (isinstance(meant, np.ufunc) and meant.nin == 2)
            return _both(one, other, names, meaning) if both else ()
    return ()


def _written(shape: ast.expr) -> tuple[int, ...]:
    """The axes of which a shape says that they have length one."""
    parts = shape.elts if isinstance(shape, ast.Tuple) else []
    return tuple(k for k, p in enumerate(parts) if isinstance(p, ast.Constant) and p.value == 1)


def _inserted(index: ast.expr, names: Any) -> tuple[int, ...]:
    """The axes that ``None`` puts in, in front of which no ``...`` stands."""
    found, place = [], 0
    for part in index.elts if isinstance(index, ast.Tuple) else [index]:
        if isinstance(part, ast.Constant) and part.value is None:
            found.append(place)
        elif not isinstance(part, ast.Slice) and names.rank(part) != 0:
            break
        place += isinstance(part, ast.Slice) or (
            isinstance(part, ast.Constant) and part.value is None
        )
    return tuple(found)


def single(part: ast.expr) -> bool:
    """Whether an index is ``1:2``."""
    match part:
        case ast.Slice(lower=low, upper=ast.Constant(value=int(upper)), step=None):
            first = 0 if low is None else getattr(low, "value", None)
            return type(first) is int and upper == first + 1 > 0
    return False


def cut(value: ast.expr, rank: int) -> tuple[int, ...]:
    """The axes of which a slice of an array leaves one element: ``a[:, 1:2]``, where it is tested that there is one.

    >>> [cut(ast.parse(text, mode="eval").body, 2) for text in ("a[:, 1:2]", "a[k, :1]", "a[1:2].T", "a[1:]")]
    [(1,), (), (), ()]
    """
    match value:
        case ast.Subscript(value=ast.Name(), slice=index) if rank > 1:
            parts = index.elts if isinstance(index, ast.Tuple) else [index]
            if all(isinstance(p, ast.Slice) and p.step is None for p in parts):
                return tuple(k for k, part in enumerate(parts) if single(part))
    return ()


def indexed(
    rank: int | None, index: ast.expr, rank_of: Callable[[ast.expr], int | None]
) -> int | None:
    """The axes that a subscript leaves of an array; None if they are not known."""
    if rank is None:
        return None
    for part in index.elts if isinstance(index, ast.Tuple) else [index]:
        if isinstance(part, ast.Slice) or (isinstance(part, ast.Constant) and part.value is ...):
            continue
        if isinstance(part, ast.Constant) and part.value is None:
            rank += 1
        elif rank_of(part) == 0:
            rank -= 1
        else:
            return None
    return rank


def left(rank: int | None, axis: ast.expr, keeps: ast.expr) -> int | None:
    """The axes that a reduction leaves."""
    match axis, keeps:
        case _, ast.Constant(value=True):
            return rank
        case ast.Constant(value=None), _:
            return 0
        case ast.Tuple(elts=parts), _:
            return None if rank is None else rank - len(parts)
    return None if rank is None else rank - 1


def _reduced(axis: ast.expr, rank: int) -> tuple[int, ...]:
    """The axes that a reduction along some goes along, if they are written down."""
    try:
        given = ast.literal_eval(axis)
    except ValueError:
        return ()
    axes = range(rank) if given is None else np.atleast_1d(given)
    return tuple(sorted(int(k) % rank for k in axes)) if rank else ()


def _both(left: ast.expr, right: ast.expr, names: Any, meaning: Any) -> tuple[int, ...]:
    """What arrays of length one broadcast to has length one."""
    one, other = ones_of(left, names, meaning), ones_of(right, names, meaning)
    ranks = names.rank(left), names.rank(right)
    if ranks[1] == 0:
        return one
    if ranks[0] == 0:
        return other
    return tuple(k for k in one if k in other) if ranks[0] == ranks[1] else ()
