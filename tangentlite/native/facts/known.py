"""What can be known of a value of a kernel, and of the functions that it calls.

In: functions of NumPy and of the runtime.
Out: ``Known``, and tables.
Next: ranks.
"""

from __future__ import annotations

import ast
from collections.abc import Callable
from types import FunctionType
from typing import Any

import numpy as np

from tangentlite import runtime
from tangentlite.native.library.adding import poured
from tangentlite.runtime.linear.einsum import einsum, einsum_adjoint
from tangentlite.values import immutable

LIKE_LAST = {
    runtime.outline: 0,
    runtime.drained: 0,
    runtime.zeros: 0,
    runtime.storage: 0,
    runtime.room: 0,
    runtime.buffer: 1,
    runtime.unbroadcast: 1,
    runtime.shadow: 0,
    runtime.own: 0,
    runtime.unreduce: 1,
    runtime.kept: 1,
    runtime.centered: 0,
    runtime.real_only: 0,
    runtime.sequence: 0,
    runtime.seed: 1,
}
LIKE_LAST |= {
    np.flip: 0,
    np.empty_like: 0,
    np.zeros_like: 0,
    np.ones_like: 0,
    np.full_like: 0,
    np.ascontiguousarray: 0,
}
LIKE_LAST |= {np.pad: 0, runtime.unpad: 1, runtime.unpadded: 1, np.diff: 0, runtime.undiff: 0}
LIKE_LAST |= {runtime.apart: 0, runtime.shares: 0, runtime.mT: 0, runtime.mH: 0, runtime.lower: 0}
LIKE_LAST |= {runtime.exp_shares: 0, runtime.exp_shared: 1}
LIKE_LAST |= {
    np.roll: 0,
    runtime.undiag: 1,
    runtime.untrace: 1,
    runtime.cofactors: 0,
    runtime.others: 0,
}
LIKE_LAST |= {runtime.outer_left: 1, runtime.outer_right: 2}
LIKE_LAST |= {runtime.matmul_left: 1, runtime.matmul_right: 2}
LIKE_LAST |= {runtime.spread: 1, runtime.broadcast: 1, runtime.weighted: 2, runtime.summed: 2}
ELEMENTWISE = {runtime.times, runtime.cancel, runtime.quotient, runtime.wins, np.where}
ELEMENTWISE |= {runtime.ratio, runtime.direction, runtime.dpower_dx, runtime.log_or_zero}
ELEMENTWISE |= {runtime.exp_share, runtime.sure}
ELEMENTWISE |= {runtime.share, runtime.rise, runtime.fall, runtime.surplus_slope, runtime.bell}
# What loops say of single elements.
SCALED = (runtime.times, runtime.cancel, runtime.quotient, runtime.wins)
CORNERS = (runtime.direction, runtime.rise, runtime.fall, runtime.surplus_slope, runtime.bell)
FUNCTIONS: tuple[Any, ...] = (
    *SCALED,
    *CORNERS,
    runtime.ratio,
    runtime.dpower_dx,
    runtime.log_or_zero,
)
FUNCTIONS += (runtime.exp_share, runtime.sure)
CASTS = (np.int64, np.float64, np.float32)
TRIANGLES = {np.triu: "_upper", np.tril: "_lower"}
PRODUCT, OUTER = "_product", "_outer"
SOLVED = {
    np.linalg.solve: "_solve",
    np.linalg.inv: "_inv",
    np.linalg.det: "_det",
    np.linalg.slogdet: "_slogdet",
}
ARITHMETIC = (ast.Add, ast.Sub, ast.Mult, ast.Div, ast.Pow)
SHAPED = {np.zeros, np.ones, np.empty}
SQUARE = (np.eye, np.identity)
OVER = {np.sum: "_sum_over", np.mean: "_mean_over", np.max: "_max_over", np.min: "_min_over"}
OVER |= {np.var: "_var_over", np.std: "_std_over"}
OVER |= {np.linalg.norm: "_norm_over", np.any: "_any_over", np.all: "_all_over"}
OVER |= {np.amax: OVER[np.max], np.amin: OVER[np.min]}
METHODS = {name.split("_")[1]: name for name in OVER.values()}
FRESH = {
    np.zeros,
    np.ones,
    np.empty,
    np.full,
    np.copy,
    np.zeros_like,
    np.ones_like,
    np.empty_like,
    np.full_like,
}
FRESH |= {
    np.roll,
    np.cumsum,
    np.cumprod,
    runtime.undiag,
    runtime.untrace,
    runtime.cofactors,
    runtime.others,
}
FRESH |= {np.triu, np.tril, runtime.outer_left, runtime.outer_right}
FRESH |= {np.pad, runtime.unpad, runtime.unpadded, np.diff, runtime.undiff}
FRESH |= {np.linalg.solve, np.linalg.inv, np.arange, np.linspace}
FRESH |= {runtime.apart, runtime.shares, runtime.lower, *SQUARE, runtime.centered, runtime.count}
FRESH |= {runtime.exp_shares, runtime.exp_shared}
COPIED: tuple[Any, ...] = (
    *(runtime.zeros, runtime.storage, runtime.room, runtime.shadow, runtime.own),
    *(runtime.weighted, len),
    *(runtime.unbroadcast, runtime.spread, runtime.broadcast, runtime.unreduce),
    *(runtime.matmul_left, runtime.matmul_right, runtime.won, np.outer, np.dot),
    *(einsum, einsum_adjoint, np.einsum),
)
JOINED: dict[Any, Callable[[int], int | None]] = {
    np.concatenate: lambda rank: rank,
    np.stack: lambda rank: rank + 1,
    np.hstack: lambda rank: max(rank, 1),
    np.vstack: lambda rank: max(rank, 2),
    np.column_stack: lambda rank: 2 if rank < 3 else None,
}
PARTED = (runtime.unjoin, runtime.split_like, runtime.unstack)
COPIED += (*JOINED,)
WRITERS = (runtime.add_at, runtime.settle, np.copyto, poured)
FLAT: tuple[Any, ...] = (np.argmax, np.argmin, np.ndim, np.size, np.prod, np.linalg.norm)
FLAT += (np.sum, np.mean, np.max, np.min)
INDICES: tuple[Any, ...] = (np.argmax, np.argmin, np.argsort, np.nonzero, np.searchsorted, np.shape)
INDICES += (np.ndim, np.size, np.flatnonzero, np.digitize, np.count_nonzero, runtime.main_diagonal)
RESERVED = (["tangentlite", "runtime"], ["tangentlite", "native"])
OVERS = frozenset(OVER.values())
ADDED = "_added"
EITHER, UNSHARED = "_either", "_unshared"
AT, ROLLED, TURN = "_at", "_rolled", "_turn"
SQUEEZED = "_squeezed"
POURED = "_poured"
ADD_AT = "_add_at"
CHOSEN, PUT, LIKE = "_chosen", "_put", "_zeros_of"
WITH_SUM = "_with_sum"
OWN = OVERS | {CHOSEN, LIKE, *TRIANGLES.values()}  # what they give has memory of its own
PRODUCTS: dict[Any, int] = {(1, 1): 0, (2, 1): 1, (1, 2): 1, (2, 2): 2}
PRODUCTS |= {(3, 2): 3, (4, 2): 4, (3, 3): 3, (4, 4): 4, (3, 1): 2, (4, 1): 3}


@immutable
class Known:
    """What is known of a value: its axes, and whether its elements are floats; of a tuple, that of its ``parts``.

    ``groups``: parts with unlike numbers share no memory. ``items``: what is on a list.
    ``ones``: the axes of length one. ``few``: short axes of a parameter, and their lengths. ``like``: the parameter
    that has the same lengths. ``whole``: elements are whole numbers of 64 bits.
    ``kin``, of what a helper gives: numbers for its parameters, then for the result or the parts of it; what may share
    memory has the same. ``same``: for the result or its parts, the number of the parameter that it is, or -1.
    """

    rank: int | None = None
    floating: bool = False
    parts: tuple[Known, ...] | None = None
    groups: tuple[int, ...] = ()
    items: Known | None = None
    ones: tuple[int, ...] = ()
    few: tuple[tuple[int, int], ...] = ()
    kin: tuple[tuple[int, ...], ...] = ()
    like: str = ""
    whole: bool = False
    same: tuple[int, ...] = ()


Results = Callable[[Any, tuple[Known, ...], bool], Known]


def is_elementwise(function: Any, call: ast.Call) -> bool:
    """Whether a call is that of a ufunc which makes each element of one element of each argument."""
    plain = isinstance(function, np.ufunc) and function.signature is None
    return plain and len(call.args) == function.nin and function.nout == 1 and not call.keywords


def is_counting(func: ast.expr, meant: Any) -> bool:
    """Whether a call gives whole numbers or truth values, whatever it is given."""
    if isinstance(meant, np.ufunc):
        ends = [
            made[-1] for read, _, made in (k.partition("->") for k in meant.types) if "d" in read
        ]
        return not ends or any(end in "?bBhHiIlLqQ" for end in ends)
    plain = isinstance(func, ast.Name) and func.id in ("len", "int", "bool", "round", "range")
    return plain or is_one_of(meant, INDICES)


def is_helper(function: Any) -> bool:
    """Whether a function is to be compiled too: Numba knows NumPy, and is told of the runtime."""
    if not isinstance(function, FunctionType):
        return False
    owner = str(function.__module__).split(".")
    return owner[0] != "numpy" and owner[:2] not in RESERVED


def subscripted(meant: Any, args: list[ast.expr]) -> ast.expr | int | None:
    """The axes of a sum by subscripts; of its adjoint, the array that is like it.

    >>> subscripted(np.einsum, ast.parse("f('ij,j->i', a, b)").body[0].value.args)
    1
    """
    match args:
        case [ast.Constant(value=str(spec)), *_] if is_one_of(meant, (np.einsum, einsum)):
            return len(spec.split("->")[1].strip()) if "->" in spec and "." not in spec else None
        case [_, _, ast.Tuple(elts=arrays), ast.Constant(value=int(place))] if (
            meant is einsum_adjoint
        ):
            return arrays[place]
    return None


def is_one_of(meant: Any, functions: Any) -> bool:
    """Whether an object is one of some, which need not be comparable."""
    return any(meant is f for f in functions)
