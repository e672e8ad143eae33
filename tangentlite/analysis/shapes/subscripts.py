"""The kind of ``array[index]``: its shape follows from the array's, whatever the numbers are.

In: the kind of an array, an index, the kinds of its parts.
Out: a kind. ``a[:-2]``, ``a[1:-1]`` and ``a[2:]`` have one shape, and so have ``a[i]`` and ``a[j]``.
Next: results.
"""

from __future__ import annotations

import builtins
from collections.abc import Callable, Hashable, Mapping

import gast

from tangentlite import syntax
from tangentlite.analysis.kinds import COMPLEX, SCALAR, Inert, Kind, Nothing, Num
from tangentlite.analysis.shapes.amounts import Amount
from tangentlite.analysis.shapes.broadcasting import indexed

KindOf = Callable[[gast.expr], Kind | None]
NOTHING: Mapping[str, Amount] = {}
WHOLE = "rest", ("all but", 0)  # parts that leave an axis as long as it is


def subscript(
    kind: Num,
    index: gast.expr,
    point: int,
    kind_of: KindOf,
    amounts: Mapping[str, Amount] = NOTHING,
) -> Num:
    """The kind of ``array[index]``; ``amounts``: what the names in the bounds of slices stand for."""
    parts = [_part(part, kind_of, amounts) for part in _parts(index)]
    if None in parts:
        return Num(frozenset({point}), kind.exact, _chosen(kind, index, kind_of))
    taken = sum(part == "item" for part in parts) - parts.count("new")
    rank = None if kind.ndim is None else max(kind.ndim - taken, 0)  # a number has no elements
    if rank == 0 and "rest" not in parts:
        return Num(COMPLEX if kind.exact == "complex" else SCALAR, kind.exact, 0)
    solid = rank is None and any(part != "item" for part in parts)
    if kind.shape is None or "some" in parts:
        return Num(frozenset({point}), kind.exact, rank, solid=solid)
    if not kind.scalar and all(part in WHOLE for part in parts):
        return Num(kind.shape, kind.exact, rank, solid=solid)
    if (reduced := indexed(kind.shape, _parts(index), kind.ndim)) is not None:
        return Num(reduced, kind.exact, rank, solid=solid)
    return Num(frozenset({("part", kind.shape, tuple(parts))}), kind.exact, rank, solid=solid)


def _chosen(kind: Num, index: gast.expr, kind_of: KindOf) -> int | None:
    """The rank of what a line of places, or a mask of one axis, chooses of an array: that of the array."""
    places = kind_of(index) if isinstance(index, gast.Name) else None
    return kind.ndim or None if isinstance(places, Num) and places.ndim == 1 else None


def _parts(index: gast.expr) -> list[gast.expr]:
    return index.elts if isinstance(index, gast.Tuple) else [index]


def _part(part: gast.expr, kind_of: KindOf, amounts: Mapping[str, Amount]) -> Hashable:
    """What one part of a basic index does to its axis; None if it may be no basic index."""
    match part:
        case gast.Slice():
            return _slice(part, kind_of, amounts)
        case gast.Constant(value=builtins.Ellipsis):
            return "rest"
        case gast.Constant(value=None):
            return "new"
    kind = kind_of(part) if syntax.is_atom(part) else Inert()
    if isinstance(kind, Nothing):
        return "new"
    if isinstance(kind, Num) and kind.exact == "int" and kind.scalar:
        return "item"
    return "some" if isinstance(kind, Inert) and kind.type == "slice" else None


def _slice(part: gast.Slice, kind_of: KindOf, amounts: Mapping[str, Amount]) -> Hashable:
    """Slices with equal values here leave equally many elements of an axis, however long it is."""
    nodes = part.lower, part.upper, part.step
    bounds = [bound(node) for node in nodes]
    if "?" in bounds:
        said = [_amount(node, kind_of, amounts) for node in nodes]
        return "some" if "?" in said else ("slice", *said)
    lower, upper, step = (None if b is None else int(b) for b in bounds)
    if step in (None, 1) and (lower is None or lower >= 0) and (upper is None or upper < 0):
        return ("all but", (lower or 0) - (upper or 0))
    return ("slice", lower, upper, step)


def _amount(
    node: gast.expr | None, kind_of: KindOf, amounts: Mapping[str, Amount]
) -> Amount | int | str | None:
    """What a bound of a slice stands for; "?" if it may change unseen."""
    if not isinstance(node, gast.Name) or node.id not in amounts:
        return bound(node)
    kind = kind_of(node)
    whole = isinstance(kind, Num) and kind.exact == "int" and kind.scalar
    return amounts[node.id] if whole else "?"


def bound(node: gast.expr | None) -> int | str | None:
    """The number that a part of a slice is; "?" if the text does not tell."""
    match node:
        case None | gast.Constant(value=None):
            return None
        case gast.Constant(value=int(value)):
            return value
        case gast.UnaryOp(op=gast.USub(), operand=gast.Constant(value=int(value))):
            return -value
    return "?"
