"""What must hold of arguments, so that a result of the library is a sum of squares, or as flat as one.

In: an operation, and what made its arguments.
Out: ``asked``: what must hold of which argument; ``is_product``: a product of a vector with itself.
Next: flat.
"""

from __future__ import annotations

import math
import operator
from typing import Any, Literal

import gast
import numpy as np

from tangentlite.analysis.operations import Primitive
from tangentlite.analysis.smoothness.squares import (
    ABOVE_ONE,
    ADDITIONS,
    DOTS,
    NEGATIONS,
    POWERS,
    PRODUCTS,
    RISING,
    SUBTRACTIONS,
    TOTALS,
    VARIANCES,
    WAVES,
    Call,
    Makers,
)

Need = Literal["flat", "sum"]
Asked = list[tuple[gast.expr, Need]]

SIZES = {abs, operator.abs, np.absolute, np.fabs, math.fabs}
POSITIVE = {np.exp, math.exp, np.exp2, *ABOVE_ONE}
CHOICES = {np.maximum, np.minimum, np.fmax, np.fmin, max, min, np.clip, np.ndarray.clip}
TURNS = {np.ndarray.T, np.transpose, np.ndarray.transpose, np.ndarray.mT, np.matrix_transpose}
CONVERSIONS = {float, np.float64, np.asarray, np.array, np.copy, np.ndarray.copy, np.ndarray.astype}
CONVERSIONS |= {np.positive, operator.pos, np.nan_to_num, np.atleast_1d, np.ascontiguousarray}
PARTS = {operator.getitem, np.take, np.ndarray.take, np.diag, np.diagonal, np.ndarray.diagonal}
PARTS |= {
    np.max,
    np.min,
    np.ndarray.max,
    np.ndarray.min,
    np.sort,
    np.triu,
    np.tril,
    np.ndarray.item,
}
SHAPES = {np.reshape, np.ndarray.reshape, np.ravel, np.ndarray.ravel, np.ndarray.flatten, np.roll}
SHAPES |= {
    np.squeeze,
    np.ndarray.squeeze,
    np.expand_dims,
    np.atleast_2d,
    np.flip,
    np.tile,
    np.repeat,
}
SHAPES |= {np.stack, np.concatenate, np.hstack, np.vstack, np.column_stack, np.broadcast_to}
MOVED = TURNS | CONVERSIONS | PARTS | SHAPES
SUMS = TOTALS | {
    np.average,
    np.nansum,
    np.nanmean,
    np.cumsum,
    np.ndarray.cumsum,
    np.trace,
    np.ndarray.trace,
}
REAL = {np.real, np.ndarray.real}
CONJUGATES = {np.conjugate, np.ndarray.conj, np.ndarray.conjugate}
REDUCED = {"x", "axis", "keepdims"}


def keeps(operation: Primitive) -> bool:
    """Whether each element of a result is made of one element of each argument."""
    return operation.rule.algebra == "elementwise" or operation.rule.callee in CONVERSIONS


def asked(
    operation: Primitive, call: Call, statement: gast.stmt, makers: Makers, need: Need
) -> Asked | None:
    """What must hold of arguments, so that a result is a sum, or flat; None if it cannot be told."""
    callee, bound, x = call.callee, call.bound, call.bound.get("x")
    if callee in VARIANCES | POSITIVE or makers.same(statement, call.factors):
        return []
    if callee in REAL and x is not None:
        return [] if is_length(statement, x, makers) else [(x, need)]
    if callee in POWERS and x is not None:
        return _power(x, call.exponent, need)
    if callee in SUMS:
        return [(x, "sum")] if x is not None and bound.keys() <= REDUCED else None
    if callee in ADDITIONS and not _above(statement, call, makers):
        return [(value, "sum") for value in bound.values()]
    if callee in SIZES and x is not None:
        return [(x, "flat")]
    if callee in NEGATIONS and x is not None:
        return [(x, "flat")] if need == "flat" else None
    if callee in RISING and x is not None:
        return [(x, need)]
    if callee in CHOICES:
        return _chosen(list(bound.values()), callee, need)
    if callee is np.where:
        return [(bound[p], need) for p in ("x", "y") if p in bound]
    if callee in MOVED:
        first = operation.rule.params[0].name
        return [(v, need) for p, v in bound.items() if p.split("[")[0] == first]
    if callee is np.einsum:
        return _contracted(call, makers, statement)
    return [] if _above(statement, call, makers) else None


def _power(x: gast.expr, exponent: Any, need: Need) -> Asked | None:
    """A power above one is flat; an even one, and one that is no integer, is never negative."""
    if type(exponent) not in (int, float) or exponent < 1:
        return None
    if exponent == 1:
        return [(x, need)]
    never = exponent % 2 == 0 or exponent % 1 != 0
    return [] if need == "flat" or never else [(x, "sum")]


def _chosen(values: list[gast.expr], callee: Any, need: Need) -> Asked:
    """The larger of values is a sum if one of them is, and all are flat."""
    largest = callee in (np.maximum, np.fmax, max)
    known = [v for v in values if isinstance(v, gast.Constant)]
    if need == "sum" and largest and any(_number(v) is not None and _number(v) >= 0 for v in known):
        return [(v, "flat") for v in values]
    return [(v, need) for v in values]


def is_product(call: Call, statement: gast.stmt, makers: Makers) -> bool:
    """``x @ x``, ``x.T @ x``, ``np.tensordot(x, x, 1)``, if the result is one number."""
    if call.callee is np.tensordot:
        axes = call.bound.get("axes")
        if not (isinstance(axes, gast.Constant) and type(axes.value) is int):
            return False
    elif call.callee not in DOTS:
        return False
    pair = [_unturned(statement, v, makers) for v in list(call.bound.values())[:2]]
    return len(pair) == 2 and pair[0] is not None and pair[0] == pair[1]


def is_length(statement: gast.stmt, node: gast.expr, makers: Makers) -> bool:
    """``z * np.conj(z)``, ``np.vdot(z, z)``."""
    found = makers.maker(statement, node)
    if found is None:
        return False
    place, call = found
    values = list(call.bound.values())
    if call.callee is np.vdot:
        one, other = (makers.token(place, v) for v in values)
        return one is not None and one == other
    if call.callee not in PRODUCTS:
        return False
    for one, other in (values, values[::-1]):
        turned = makers.maker(place, one)
        if turned is not None and turned[1].callee in CONJUGATES:
            whole = makers.token(turned[0], turned[1].bound["x"])
            if whole is not None and whole == makers.token(place, other):
                return True
    return False


def _unturned(statement: gast.stmt, node: gast.expr, makers: Makers) -> Any:
    """What tells a value, whether it is transposed or not."""
    made = makers.maker(statement, node)
    if made is not None and made[1].callee in TURNS and len(made[1].bound) == 1:
        return makers.token(made[0], made[1].bound["x"])
    return makers.token(statement, node)


def _contracted(call: Call, makers: Makers, statement: gast.stmt) -> Asked | None:
    """``np.einsum("i,i", x, x)``, ``np.einsum("ij,ij,j->i", x, x, w)`` if w is a sum."""
    spec = call.bound.get("spec")
    values = [v for p, v in call.bound.items() if p.startswith("xs[")]
    if (
        not (isinstance(spec, gast.Constant) and isinstance(spec.value, str))
        or "optimize" in call.bound
    ):
        return None
    subscripts = spec.value.replace(" ", "").split("->")[0].split(",")
    if len(subscripts) != len(values):
        return None
    alone: list[tuple[Any, gast.expr]] = []
    for letters, value in zip(subscripts, values):
        key = letters, makers.token(statement, value)
        same = [pair for pair in alone if pair[0] == key and key[1] is not None]
        if same:
            alone.remove(same[0])
        else:
            alone.append((key, value))
    return [(value, "sum") for _, value in alone]


def _above(statement: gast.stmt, call: Call, makers: Makers) -> bool:
    """``1 - np.cos(x) ** 2``, ``1 + np.sin(x)``, ``np.cosh(x) - 1``."""
    x, y = call.bound.get("x"), call.bound.get("y")
    if call.callee in SUBTRACTIONS and _number(y) is not None:
        made = makers.made_by(statement, x.id) if isinstance(x, gast.Name) else None
        return _number(y) <= 1 and made is not None and made[1].callee in ABOVE_ONE
    if call.callee in SUBTRACTIONS | ADDITIONS:
        pairs = ((x, y), (y, x)) if call.callee in ADDITIONS else ((x, y),)
        return any((_number(c) or 0) >= 1 and _bounded(statement, v, makers) for c, v in pairs)
    return False


def _bounded(statement: gast.stmt, node: Any, makers: Makers) -> bool:
    """Whether a name holds what is never larger than one."""
    made = makers.made_by(statement, node.id) if isinstance(node, gast.Name) else None
    if made is None:
        return False
    origin, call = made
    if call.callee in WAVES:
        return True
    if call.callee in PRODUCTS | NEGATIONS:
        return all(_bounded(origin, value, makers) for value in call.bound.values())
    whole = type(call.exponent) is int and call.exponent > 0
    return (whole or call.callee is np.square) and _bounded(origin, call.bound["x"], makers)


def _number(node: Any) -> Any:
    """The number that is written, else None."""
    known = isinstance(node, gast.Constant) and type(node.value) in (int, float)
    return node.value if known else None
