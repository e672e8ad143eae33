"""Values of which a selection takes but a part: the rest may be infinite, and its adjoint is zero.

In: the facts of a function.
Out: the statements in whose adjoints a zero may meet an infinite factor; the product that stays zero there.
Next: primitives.
"""

from __future__ import annotations

from collections.abc import Iterator

import gast
import numpy as np

from tangentlite import rules, syntax
from tangentlite.analysis import Facts
from tangentlite.analysis.kinds import Num
from tangentlite.analysis.operations import Operation, Primitive, target

INFINITE = (
    *(np.log, np.log2, np.log10, np.log1p, np.divide, np.reciprocal, np.power, np.arctanh),
    *(np.exp, np.exp2, np.expm1, np.sinh, np.cosh, np.tan, np.square),
)


def statements(facts: Facts) -> frozenset[gast.stmt]:
    """The elementwise operations on what may be infinite, behind which a mask selects."""
    found = facts.kinds.operations
    chosen = {name for operation in found.values() for name in _chosen(operation)}
    if not chosen:
        return frozenset()
    infinite = {rule.name for f in INFINITE if (rule := rules.find(f))}
    steps = [
        (s, target(s, o) or "", set(o.sources()), o.rule.name in infinite)
        for s, o in found.items()
        if isinstance(o, Primitive) and o.rule.algebra == "elementwise"
    ]
    poles: set[str] = set()
    size = -1
    while size != len(chosen) + len(poles):
        size = len(chosen) + len(poles)
        for _, name, operands, pole in steps:
            if pole or operands & poles:
                poles.add(name)
            if name in chosen:
                chosen |= operands
    return frozenset(s for s, name, used, _ in steps if name in chosen and {name, *used} & poles)


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
