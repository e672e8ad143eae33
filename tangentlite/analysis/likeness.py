"""Kinds of values that are made like others: their adjoints, shadows and versions.

In: the kind of the other value.
Out: a kind.
Next: results.
"""

from __future__ import annotations

from typing import Any

from tangentlite.analysis.kinds import (
    Kind,
    Num,
    Unknown,
    is_complex,
)
from tangentlite.persistent import PersistentArray


def exactness(*kinds: Kind | None) -> str:
    """What is known of the elements of a value made of others: they may be complex if those are."""
    return "complex" if is_complex(*kinds) else ""


def shaped(kind: Kind, point: int) -> Kind:
    """A value of the same shape as another one."""
    if isinstance(kind, Num):
        shape = frozenset({point}) if kind.shape is None else kind.shape
        return Num(shape, exactness(kind), kind.ndim)
    return kind


def version(primal: Any, kind: Kind, point: int) -> Kind:
    """An array that keeps its versions: a new one, or a version of another."""
    symbol = frozenset({point})
    if not isinstance(kind, Num):
        return Num(symbol, persistent=True)
    if kind.ndim == 0:
        return Unknown("a PersistentArray without dimensions is not differentiated")
    same = primal not in (PersistentArray.insert, PersistentArray.delete) and kind.shape
    return Num(kind.shape if same else symbol, kind.exact, kind.ndim, persistent=True)
