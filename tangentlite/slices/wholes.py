"""Wholes: the shapes of arrays that are computed from others as a whole, element by element.

In: an expression, what its parts are (``Sorts``), the shapes of names.
Out: ``whole``: a shape; None of what is not known to be an array of its own.
Next: sizes.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import gast
import numpy as np

from tangentlite.optimize.numbers.calls import MATH
from tangentlite.optimize.numbers.forms import NUMBERS, is_array
from tangentlite.optimize.numbers.sorts import Sorts
from tangentlite.slices.affine import Affine

Shape = tuple[Affine, ...]
OPERATORS = (gast.Add, gast.Sub, gast.Mult, gast.Div, gast.Pow)
ONE_BY_ONE = (*(f for f in MATH if f.nin == 1), np.abs, np.square)


def whole(tree: Any, sorts: Sorts, like: Callable[[str], Shape | None]) -> Shape | None:
    """The shape of a sum, a product, or what a function makes of each element.

    >>> from tangentlite import syntax
    >>> from tangentlite.slices.samples import sizes
    >>> found = sizes("y = np.exp(x) * 2.0 - x\\nz = -y.T\\nv = x\\nw = u + x")
    >>> [[tuple(map(str, shape)) for shape in found.shapes(name)] for name in "yzvw"]
    [[('x.shape[0]', 'x.shape[1]')], [('x.shape[1]', 'x.shape[0]')], [], []]
    """
    if not is_array(sorts.of(tree)):
        return None
    match tree:
        case gast.BinOp(left=left, op=op, right=right) if isinstance(op, OPERATORS):
            sides = [_operand(x, sorts, like) for x in (left, right) if sorts.of(x) not in NUMBERS]
            return sides[0] if sides and len(set(sides)) == 1 else None
        case gast.UnaryOp(op=gast.USub(), operand=operand):
            return _operand(operand, sorts, like)
        case gast.Call(func=func, args=[operand], keywords=[]) if sorts.means(func, ONE_BY_ONE):
            return _operand(operand, sorts, like)
    return None


def _operand(tree: Any, sorts: Sorts, like: Callable[[str], Shape | None]) -> Shape | None:
    match tree:
        case gast.Name(id=name):
            return like(name)
        case gast.Attribute(value=gast.Name(id=name), attr="T"):
            shape = like(name)
            return shape and shape[::-1]
    return whole(tree, sorts, like)


def padded(shape: Shape | None, widths: Any, of: Callable[[Any], Affine | None]) -> Shape | None:
    """The shape of an array that is padded by as much as is written down, or said by one integer.

    >>> from tangentlite.slices.samples import sizes
    >>> found = sizes("y = np.pad(x, k)\\nz = np.pad(x, ((0, 0), (1, k)), mode='constant')\\nv = np.pad(x, k, 'wrap')")
    >>> [[tuple(map(str, shape)) for shape in found.shapes(name)] for name in "yzv"]
    [[('x.shape[0] + 2 * k', 'x.shape[1] + 2 * k')], [('x.shape[0]', 'x.shape[1] + k + 1')], []]
    """
    if shape is None:
        return None
    match widths:
        case gast.Tuple(elts=pairs) if len(pairs) == len(shape) and all(map(_is_pair, pairs)):
            more = [[of(width) for width in pair.elts] for pair in pairs]
        case gast.Tuple():
            return None
        case _:
            more = [[of(widths)] * 2 for _ in shape]
    if any(None in pair for pair in more):
        return None
    return tuple(side + sum(pair[1:], pair[0]) for side, pair in zip(shape, more))  # type: ignore


def _is_pair(tree: Any) -> bool:
    return isinstance(tree, gast.Tuple) and len(tree.elts) == 2
