"""Values of which a selection takes but a part: the rest may be infinite, and its adjoint is zero.

In: the facts of a function.
Out: the statements in whose adjoints a zero may meet an infinite factor; the product that stays zero there.
Next: primitives.
"""

from __future__ import annotations

import math
import operator
from collections.abc import Iterator

import gast
import numpy as np

from tangentlite import rules, syntax
from tangentlite.analysis import Facts
from tangentlite.analysis.kinds import Num
from tangentlite.analysis.operations import Copy, Display, Operation, Primitive, Slot, Store, target
from tangentlite.ir import Function

PASSING = (
    *(np.nansum, np.nanmean, np.nanprod, np.nanvar, np.nanstd, np.nanmax, np.nancumsum),
    *(np.nancumprod, np.nanmedian, np.nanquantile, np.nanpercentile, np.nan_to_num),
)
JOINING = (
    *(
        np.stack,
        np.concatenate,
        np.array,
        np.asarray,
        np.reshape,
        np.ravel,
        np.transpose,
        np.append,
    ),
    *(np.vstack, np.hstack, np.column_stack, np.squeeze, np.expand_dims, np.broadcast_to, np.copy),
    operator.getitem,
)
ASKING = frozenset(("isnan", "isfinite", "isinf"))
INFINITE = (
    *(np.log, np.log2, np.log10, np.log1p, np.divide, np.reciprocal, np.power, np.arctanh),
    *(np.exp, np.exp2, np.expm1, np.sinh, np.cosh, np.tan, np.square),
)


def statements(facts: Facts) -> frozenset[gast.stmt]:
    """The elementwise operations on what may be infinite, behind which a mask selects.

    Behind a function that passes over NaN, or where a function asks for NaN, these are all.
    """
    found = facts.kinds.operations
    absent = {name for operation in found.values() for name in _passed_over(operation)}
    chosen = {name for operation in found.values() for name in _chosen(operation)} | absent
    chosen |= _overwritten(facts)
    if not chosen:
        return frozenset()
    if not ASKING.isdisjoint(facts.normal.function.contents.attributes):
        absent = set(chosen)
    infinite = rules.named(INFINITE)
    steps = [
        (s, target(s, o) or "", names_in(o), o.rule.name in infinite)
        for s, o in found.items()
        if isinstance(o, Primitive) and o.rule.algebra == "elementwise"
    ]
    steps += [
        (None, target(s, o) or "", set(o.sources()), False) for s, o in found.items() if joins(o)
    ]
    poles = not_finite(facts)
    size = -1
    while size != len(chosen) + len(poles) + len(absent):
        size = len(chosen) + len(poles) + len(absent)
        for _, name, operands, pole in steps:
            if pole or operands & poles:
                poles.add(name)
            if name in chosen:
                chosen |= operands
            if name in absent:
                absent |= operands
    return frozenset(
        s
        for s, name, used, _ in steps
        if s is not None and (name in absent or (name in chosen and {name, *used} & poles))
    )


def _overwritten(facts: Facts) -> set[str]:
    """The names of values made by one operation, of which a later one overwrites a part."""
    found = facts.kinds.operations
    stored = {o.container for o in found.values() if isinstance(o, Store)}
    if not stored:
        return stored
    return {
        name
        for s, o in found.items()
        if isinstance(o, Primitive) and (name := target(s, o)) in stored
    }


def joins(operation: Operation) -> bool:
    """Whether an operation hands elements on as they are, in other places."""
    if isinstance(operation, Primitive):
        return operation.rule.name in rules.named(JOINING)
    return isinstance(operation, (Copy, Display, Slot))


def names_in(operation: Primitive) -> set[str]:
    """The names that a rule is given."""
    return {v.id for v in operation.bound.values() if v.__class__ is gast.Name}


def not_finite(facts: Facts) -> set[str]:
    """The names of constants that are infinite or NaN: ``t = np.nan``, ``t = float("inf")``, and global ones."""
    function = facts.normal.function
    names = set()
    for statement in facts.kinds.operations:
        match statement:
            case gast.Assign(targets=[gast.Name(id=name)], value=gast.Attribute() as value):
                path = syntax.dotted(value)
                names |= {name} if path and _is_not_finite(function, path) else set()
            case gast.Assign(
                targets=[gast.Name(id=name)],
                value=gast.Call(func=gast.Name(id="float"), args=[gast.Constant(value=str())]),
            ):
                names.add(name)
    free = {
        n for o in facts.kinds.operations.values() if isinstance(o, Primitive) for n in names_in(o)
    }
    return names | {n for n in free - function.local if _is_not_finite(function, n)}


def _is_not_finite(function: Function, path: str) -> bool:
    if path.split(".")[0] in function.local:
        return False
    try:
        value = function.namespace.resolve(path)
    except (KeyError, AttributeError):
        return False
    return isinstance(value, float) and not math.isfinite(value)


def _passed_over(operation: Operation) -> Iterator[str]:
    """The names of which an operation passes over NaN."""
    if isinstance(operation, Primitive) and operation.rule.name in rules.named(PASSING):
        yield from (
            v.id for p, v in operation.bound.items() if isinstance(v, gast.Name) and p == "x"
        )


def _chosen(operation: Operation) -> Iterator[str]:
    """The names of which an operation takes the elements that a mask says."""
    if not isinstance(operation, Primitive):
        return
    parameters: tuple[str, ...] = ()
    index = operation.kinds.get("i")
    if operation.rule is rules.find(np.where):
        parameters = ("x", "y")
    elif "where" in operation.bound or (isinstance(index, Num) and index.exact == "bool"):
        parameters = ("x",)
    for parameter in parameters:
        value = operation.bound.get(parameter)
        if isinstance(value, gast.Name):
            yield value.id


LOGARITHMS = (np.log, np.log2, np.log10)
FINITE = (np.sqrt, np.cbrt)


def roots(facts: Facts) -> dict[gast.stmt, tuple[str, ...]]:
    """The products of a number with its own logarithm, or of anything with a root: by the factors of infinite slope."""
    found = {s: o for s, o in facts.kinds.operations.items() if isinstance(o, Primitive)}
    steep = {
        (target(s, o), name)
        for s, o in found.items()
        if o.rule.name in rules.named(LOGARITHMS)
        for name in o.sources()
    }
    finite = {target(s, o) for s, o in found.items() if _is_root(o)}
    result = {}
    for statement, operation in found.items() if steep or finite else ():
        names = list(names_in(operation)) if operation.rule.name == "multiply" else []
        factors = [a for a in names if a in finite or any((a, b) in steep for b in names)]
        if factors and len(operation.bound) == 2:
            result[statement] = tuple(sorted(factors))
    return result


def _is_root(operation: Primitive) -> bool:
    """Whether the operation has an infinite slope where its value is zero."""
    exponent = operation.bound.get("y") if operation.rule.name == "power" else None
    if isinstance(exponent, gast.Constant):
        return isinstance(exponent.value, float) and 0.0 < exponent.value < 1.0
    return operation.rule.name in rules.named(FINITE)


def tangent(value: gast.expr, dx: str, rt: str) -> gast.expr:
    """``c * dx`` as ``rt.times(c, dx)``, in a sum.

    >>> print(syntax.unparse(tangent(syntax.expression("y * dx + x * dy"), "dy", "rt")))
    y * dx + rt.times(x, dy)
    """
    match value:
        case gast.BinOp(left=left, op=gast.Add() as op, right=right):
            return gast.BinOp(tangent(left, dx, rt), op, tangent(right, dx, rt))
        case gast.BinOp(left=factor, op=gast.Mult(), right=gast.Name(id=name)) if name == dx:
            if isinstance(factor, gast.Constant) and factor.value:
                return value
            return syntax.expression("rt.times(c, dx)", rt=rt, c=factor, dx=dx)
    return value


def product(value: gast.expr, seed: str, rt: str) -> gast.expr:
    """``seed * c`` as ``rt.times(seed, c)``.

    >>> text = lambda value: syntax.unparse(product(syntax.expression(value), "by", "rt"))
    >>> text("by * x / y"), text("2.0 * by * x"), text("-by"), text("rt.quotient(by, x)")
    ('rt.times(by, x / y)', 'rt.times(by, 2.0 * x)', '-by', 'rt.quotient(by, x)')
    """
    factor = _factor(value, seed)
    if factor is None or isinstance(factor, gast.Constant):
        return value
    return syntax.expression("rt.times(b, d)", rt=rt, b=seed, d=factor)


def resting(value: gast.expr, seed: str, rt: str) -> gast.expr:
    """``seed * c`` as ``rt.times(c, seed)``: zero where ``c`` is, though ``seed`` is infinite."""
    factor = _factor(value, seed)
    if factor is None or isinstance(factor, gast.Constant):
        return value
    return syntax.expression("rt.times(c, b)", rt=rt, b=seed, c=factor)


def _factor(value: gast.expr, seed: str) -> gast.expr | None:
    """What ``seed`` is multiplied by; None where that is not a product."""
    match value:
        case gast.Name(id=name) if name == seed:
            return syntax.constant(1.0)
        case gast.BinOp(left=left, op=(gast.Mult() | gast.Div()) as op, right=right):
            if seed in syntax.loads(right):
                left, right = right, left
                op = op if isinstance(op, gast.Mult) else None
            rest = _factor(left, seed)
            if rest is None or op is None or seed in syntax.loads(right):
                return None
            one = isinstance(rest, gast.Constant) and rest.value == 1.0
            return right if one and isinstance(op, gast.Mult) else gast.BinOp(rest, op, right)
    return None
