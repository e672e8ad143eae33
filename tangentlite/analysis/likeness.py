"""Kinds of values that are made like others: their adjoints, shadows and versions.

In: the kind of the other value.
Out: a kind.
Next: results.
"""

from __future__ import annotations

import operator
from typing import Any

import gast
import numpy as np

from tangentlite.analysis.kinds import (
    COMPLEX,
    EXACT,
    INERT_TYPES,
    Kind,
    Num,
    Tuple,
    Unknown,
    is_complex,
)
from tangentlite.persistent import PersistentArray
from tangentlite.values import replace

ASKING: frozenset[Any] = frozenset(
    getattr(np, name)
    for name in """isnan isfinite isinf isposinf isneginf isclose isin iscomplex isreal equal not_equal less less_equal
    greater greater_equal logical_and logical_or logical_not logical_xor""".split()
)
JOINING: frozenset[Any] = frozenset((operator.and_, operator.or_, operator.xor, operator.invert))
WHOLE: frozenset[Any] = frozenset(
    (min, *(getattr(operator, name) for name in "add sub mul floordiv mod neg".split()))
)
# What these make is an array, even of one number.
ALWAYS_ARRAYS: set[Any] = {np.array, np.asarray, np.full, np.copy, np.where, np.broadcast_to}
ALWAYS_ARRAYS |= {np.concatenate, np.stack, np.hstack, np.vstack, np.repeat, np.tile, np.kron}
ALWAYS_ARRAYS |= {np.cumsum, np.cumprod, np.ndarray.cumsum, np.ndarray.cumprod, np.diff, np.ediff1d}
ALWAYS_ARRAYS |= {
    np.sort,
    np.convolve,
    np.correlate,
    np.take_along_axis,
    np.tril,
    np.triu,
    np.outer,
}
ALWAYS_ARRAYS |= {np.linalg.solve, np.linalg.inv}
DIVISIONS = (operator.floordiv, operator.mod)
LARGE = 10**9


def exactness(*kinds: Kind | None) -> str:
    """What is known of the elements of a value made of others: they may be complex if those are."""
    return "complex" if is_complex(*kinds) else ""


def answered(primal: Any, kinds: list[Kind]) -> str:
    """What is known of the elements of a result without derivative."""
    joins = primal in JOINING and all(isinstance(k, Num) and k.exact == "bool" for k in kinds)
    return "bool" if joins or primal in ASKING else exactness(*kinds)


GRID = (
    "a grid between numbers that may be differentiated is not supported yet",
    "Write `np.linspace` and `np.meshgrid`.",
)


def grid(form: str, index: gast.expr, point: int) -> Kind:
    """``np.mgrid[0:3, 0:2]`` is an array; ``np.ogrid`` gives several."""
    if form == "ogrid" and isinstance(index, gast.Tuple):
        return Tuple(tuple(Num() for _ in index.elts))
    return Num(frozenset({point}))


def shaped(kind: Kind, point: int) -> Kind:
    """A value of the same shape as another one."""
    if isinstance(kind, Num):
        shape = frozenset({point}) if kind.shape is None else kind.shape
        return Num(shape, exactness(kind), kind.ndim)
    return kind


def array(kind: Num, point: int) -> Num:
    """An array of what may be a number."""
    if kind.scalar:
        return Num(frozenset({point}), kind.exact, 0)
    return replace(kind, solid=kind.ndim is None)


def version(primal: Any, kind: Kind, point: int) -> Kind:
    """An array that keeps its versions: a new one, or a version of another."""
    symbol = frozenset({point})
    if not isinstance(kind, Num):
        return Num(symbol, persistent=True)
    if kind.ndim == 0:
        return Unknown("a PersistentArray without dimensions is not differentiated")
    same = primal not in (PersistentArray.insert, PersistentArray.delete) and kind.shape
    return Num(kind.shape if same else symbol, kind.exact, kind.ndim, persistent=True)


def whole(kind: Num, dtype: Any) -> Num:
    """The kind of a result that is converted to ``dtype``, where that is one of integers or complex."""
    exact = "" if dtype is None else elements(dtype)
    if exact == "complex":
        return replace(kind, exact=exact, shape=COMPLEX if kind.scalar else kind.shape)
    return replace(kind, exact=exact) if exact in INERT_TYPES else kind


def elements(dtype: Any) -> str:
    """What analysis knows of the elements of an array made with ``dtype=``."""
    try:
        return EXACT.get(np.dtype(dtype).kind, "")
    except TypeError:
        return ""


def counted(primal: Any, kinds: list[Kind]) -> int | None:
    """What an operation makes of whole numbers that are written in the source, or of lengths that are known."""
    if primal not in WHOLE:
        return None
    values = [
        k.literal for k in kinds if isinstance(k, Num) and k.python and type(k.literal) is int
    ]
    if len(values) < len(kinds) or (primal in DIVISIONS and not values[-1]):
        return None
    if primal is min and len(values) < 2:
        return None
    found = primal(*values)
    return found if isinstance(found, int) and abs(found) < LARGE else None


def gives_whole(primal: Any, kinds: list[Kind]) -> bool:
    """Whether this is ``min`` or ``max`` of whole numbers, or ``round(v)`` of a number of Python."""
    if not (len(kinds) > 1 if primal in (min, max) else primal is round and len(kinds) == 1):
        return False
    numbers = [k for k in kinds if isinstance(k, Num) and k.scalar and k.python]
    return numbers == kinds and (primal is round or all(k.exact == "int" for k in numbers))
