"""``np.log1p(np.exp(-np.abs(x)))``: it has a corner at zero, and the same curvature on both sides.

Beside ``np.maximum(x, 0)`` the corner is gone, but by the chain rule the curvature is, too.

In: what made the values of a function, and its absolute values.
Out: ``Root`` for lowering.roots, by statement.
Next: sides.
"""

from __future__ import annotations

import math

import gast
import numpy as np

from tangentlite import syntax
from tangentlite.analysis.smoothness.squares import (
    ADDITIONS,
    NEGATIONS,
    PRODUCTS,
    Call,
    Makers,
    call_of,
)
from tangentlite.lowering.arrays.roots import Root

EXPONENTIALS = {np.exp, math.exp}


def surpluses(makers: Makers, sizes: dict[gast.stmt, Call]) -> dict[gast.stmt, Root]:
    """``np.log1p(np.exp(-k * np.abs(x)))``."""
    result: dict[gast.stmt, Root] = {}
    for statement, operation in makers.inferred.operations.items():
        call = call_of(operation)
        power = None if call is None else _one_plus(makers, statement, call)
        made = None if power is None else makers.made_by(*power)
        if made is None or made[1].callee not in EXPONENTIALS:
            continue
        origin, factor = _multiple(makers, made[0], made[1].bound["x"], -1.0)
        if origin in sizes and factor > 0.0 and origin not in result:
            holes = {"x": sizes[origin].bound["x"], "k": syntax.constant(factor)}
            text = "q = +x" if factor == 1.0 else "q = k * x"
            result[origin] = Root(text, holes, squares=[statement], says="surplus")
    return result


def _one_plus(makers: Makers, statement: gast.stmt, call: Call) -> tuple[gast.stmt, str] | None:
    """The name e in ``log1p(e)`` and ``log(1 + e)``, and who reads it."""
    x = call.bound.get("x")
    if not isinstance(x, gast.Name):
        return None
    if call.callee in (np.log1p, math.log1p):
        return statement, x.id
    if call.callee not in (np.log, math.log) or len(call.bound) > 1:
        return None
    made = makers.made_by(statement, x.id)
    if made is None or made[1].callee not in ADDITIONS:
        return None
    numbers = [v.value for v in made[1].bound.values() if isinstance(v, gast.Constant)]
    return (made[0], made[1].names[0]) if numbers == [1] and made[1].names else None


def _multiple(
    makers: Makers, statement: gast.stmt, node: gast.expr, factor: float
) -> tuple[gast.stmt | None, float]:
    """What a value is a multiple of, times a number that is written: ``-(2 * a)``."""
    made = makers.made_by(statement, node.id) if isinstance(node, gast.Name) else None
    if made is None:
        return None, 0.0
    origin, call = made
    if call.callee in NEGATIONS:
        return _multiple(makers, origin, call.bound["x"], -factor)
    if call.callee in PRODUCTS:
        numbers = [n for v in call.bound.values() if (n := _number(v)) is not None]
        if len(numbers) == 1 and call.names:
            return _multiple(makers, origin, syntax.name(call.names[0]), factor * numbers[0])
    return origin, factor


def _number(node: gast.expr) -> float | None:
    """The number that is written, also a negative one."""
    match node:
        case gast.UnaryOp(op=gast.USub(), operand=gast.Constant(value=int() | float() as number)):
            return -float(number)
        case gast.Constant(value=int() | float() as number):
            return float(number)
    return None
