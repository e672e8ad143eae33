"""Shapes of what is broadcast and reduced: sets of symbols, each for a shape that is broadcast into the whole.

In: shapes.
Out: shapes.
Next: subscripts.
"""

from __future__ import annotations

from collections.abc import Hashable, Iterable, Sequence

import gast

from tangentlite import syntax  # noqa: F401 - for the example
from tangentlite.analysis.kinds import Shape

OVER = "over"
MANY = 24


def over(shape: Shape, axis: int, kept: bool) -> Shape:
    """The shape of a reduction along an axis; a ``kept`` one is of length one."""
    return frozenset({(OVER, shape, axis, kept)})


def whole(node: gast.expr | None) -> int | None:
    """The integer that is written down, if it is one.

    >>> whole(syntax.expression("-1")), whole(syntax.expression("n"))
    (-1, None)
    """
    match node:
        case gast.Constant(value=int(value)) if value is not True and value is not False:
            return value
        case gast.UnaryOp(op=gast.USub(), operand=gast.Constant(value=int(value))):
            return -value
    return None


def broadcast(shapes: Iterable[Shape], point: int) -> Shape:
    """The shape of what is computed at a point from arrays of some shapes.

    Sets of symbols do not grow with the text: what comes from more than a few has a shape of its own.

    >>> sorted(broadcast([frozenset({"x"}), frozenset({"y"})], 7))
    ['x', 'y']
    >>> broadcast([frozenset({k}) for k in range(100)], 7)
    frozenset({7})
    """
    shape = together(frozenset[Hashable]().union(*shapes))
    return shape if len(shape) <= MANY else frozenset({point})


def together(shape: Shape) -> Shape:
    """A shape without the symbols that are broadcast into the others: ``x - x.max(0, keepdims=True)`` is like ``x``.

    What is reduced along the first axis is broadcast along it, kept or not.

    >>> x = frozenset({"x"})
    >>> [together(x | over(x, *how)) == x for how in ((1, True), (0, False), (1, False))]
    [True, True, False]
    """
    if len(shape) < 2:
        return shape
    return frozenset(s for s in shape if not (_is_broadcast(s) and s[1] <= shape - {s}))  # type: ignore[index]


def reduced(shape: Shape, small: Shape) -> int | None:
    """The axis along which a sum that keeps it makes a smaller shape of a shape.

    >>> x = frozenset({"x"})
    >>> reduced(x, over(x, -1, True)), reduced(x, x)
    (-1, None)
    """
    (symbol,) = small if len(small) == 1 else (None,)
    kept = symbol is not None and _is_kept(symbol) and symbol[1] == shape  # type: ignore[index]
    return symbol[2] if kept else None  # type: ignore[index]


def _is_broadcast(symbol: Hashable) -> bool:
    """Whether a shape is that of a reduction that is broadcast into what it was made of."""
    if symbol.__class__ is not tuple or symbol[0] != OVER:
        return False
    return bool(symbol[3] or symbol[2] == 0)


def _is_kept(symbol: Hashable) -> bool:
    return isinstance(symbol, tuple) and symbol[0] == OVER and bool(symbol[3])


def indexed(shape: Shape, parts: Sequence[gast.expr], rank: int | None = None) -> Shape | None:
    """The shape of a reduction whose axis an index drops or brings back: ``m[:, 0]``, ``s[:, None]``.

    ``rank``: how many axes the reduction has, if that is known.

    >>> last, column = over(frozenset({"x"}), -1, False), syntax.expression("s[:, None]").slice.elts
    >>> indexed(last, column, 1) == over(frozenset({"x"}), -1, True), indexed(last, column)
    (True, None)
    """
    if len(shape) != 1:
        return None
    (symbol,) = shape
    if not isinstance(symbol, tuple) or symbol[0] != OVER:
        return None
    _, shape_before, axis, kept = symbol
    part = single(parts, axis)
    if part is None and rank is not None:  # counted from the other end
        whole_rank = rank if kept else rank + 1
        part = single(parts, axis + (whole_rank if axis < 0 else -whole_rank))
    new = isinstance(part, gast.Constant) and part.value is None
    return (
        over(shape_before, axis, not kept) if (whole(part) is not None if kept else new) else None
    )


def single(parts: Sequence[gast.expr], axis: int) -> gast.expr | None:
    """The part of an index that stands at an axis, if all others leave their axes alone."""
    dots = [k for k, p in enumerate(parts) if isinstance(p, gast.Constant) and p.value is ...]
    only = [k for k, p in enumerate(parts) if not _leaves_alone(p)]
    if len(only) != 1 or len(dots) > 1:
        return None
    place = only[0] if not dots or only[0] < dots[0] else only[0] - len(parts)
    return parts[only[0]] if place == axis else None


def _leaves_alone(part: gast.expr) -> bool:
    if isinstance(part, gast.Slice):
        return all(b is None for b in (part.lower, part.upper, part.step))
    return isinstance(part, gast.Constant) and part.value is ...
