"""Functions that are flat where their argument is infinite, or steep where it is zero: a factor of zero stays zero.

In: the facts of a function.
Out: the products in whose adjoints a zero may meet infinity; the statements that are flat there.
Next: masked.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import gast
import numpy as np

from tangentlite import rules, runtime, syntax
from tangentlite.analysis import Facts
from tangentlite.analysis.operations import Primitive, Store, UserCall, target
from tangentlite.differentiate.finite import masked
from tangentlite.differentiate.finite.masked import names_in
from tangentlite.ir import Function

EXPONENTIAL = (np.exp, np.exp2, np.expm1)
EXPLODING = (*EXPONENTIAL, np.sinh, np.cosh)
POLES = (*EXPLODING, np.log, np.log2, np.log10, np.divide, np.reciprocal)
LIMITING = (np.minimum, np.maximum, np.fmin, np.fmax, np.clip)
FLAT = (*EXPONENTIAL, np.tanh, np.arctan, runtime.log_of_exp, runtime.log1p_of_exp)
FULL = (np.full, np.full_like)
STEEP = (np.sqrt, np.cbrt, np.arcsin, np.arccos, np.arccosh)
ROOTS = frozenset(f.__name__ for f in STEEP) | {"asin", "acos", "acosh"}
FLAT_OF_SCIPY = frozenset({"expit", "erf", "erfc", "ndtr"})


def products(facts: Facts) -> dict[gast.stmt, frozenset[str]]:
    """The products that are limited or go to where a function is flat: by the factors that may meet infinity.

    In ``1.0 / (1.0 + a * np.exp(x))`` that is ``a``, in ``a * np.where(x > 0, x, -np.inf)`` as well.
    """
    chain = facts.elementwise
    limited, flat = set[str](), set[str]()
    for operation in chain.values():
        limited |= set(_arguments(operation, _limits(operation)))
        flat |= set(_arguments(operation, _vanishing(operation)))
    constants = masked.not_finite(facts)
    if not (limited or flat or constants):
        return {}
    known = links(facts)
    masks = made_of(known, constants)
    result = {s: frozenset(_meeting(o, masks)) for s, o in chain.items() if masks & names_in(o)}
    for ends, makers in ((limited, POLES), (flat, EXPLODING)) if limited or flat else ():
        infinite, reaching = made_of(known, _made_by(chain, makers)), _reaching(known, ends)
        for statement, operation in chain.items():
            if target(statement, operation) in reaching:
                met = frozenset(_meeting(operation, infinite)) | result.get(statement, frozenset())
                result |= {statement: met} if met else {}
    return result


def steep(facts: Facts) -> frozenset[gast.stmt]:
    """The products of what is handed to a root, if a factor may be zero.

    In ``np.sqrt(h * s)`` where ``h`` is a zero that is not differentiated: nothing depends on ``s``. The root may be
    that of a helper which is given the product.
    """
    chain, calls = facts.elementwise, facts.kinds.operations.values()
    ends = {n for o in chain.values() if _is_steep(o) for n in o.sources()}
    ends |= {n for o in calls if o.__class__ is UserCall and _takes_roots(o) for n in o.sources()}
    if not ends:
        return frozenset()
    reaching, positive = _reaching(links(facts), ends), _written_out(facts, chain)
    return frozenset(
        s
        for s, o in chain.items()
        if o.rule.name == "multiply"
        and target(s, o) in reaching
        and not positive & set(_arguments(o, ("x", "y")))
    )


def _is_steep(operation: Primitive) -> bool:
    """Whether a function has points where its slope is infinite and its value is not."""
    name, exponent = operation.rule.name, operation.bound.get("y")
    if name == "power":
        whole = isinstance(exponent, gast.UnaryOp) or type(getattr(exponent, "value", 0.5)) is int
        return not whole
    return name in rules.named(STEEP)


def _takes_roots(call: UserCall) -> bool:
    """Whether a helper names a function that is steep somewhere."""
    code = getattr(call.function, "__code__", None)
    return code is not None and not ROOTS.isdisjoint(code.co_names)


def _written_out(facts: Facts, chain: dict[gast.stmt, Primitive]) -> set[str]:
    """The names of numbers that are written out, also in the module, and are not zero."""
    function = facts.normal.function
    free = {n for o in chain.values() for n in _arguments(o, ("x", "y"))} - function.local
    found = {name for name in free if _is_number(function, name)}
    size = -1
    while size != len(found):
        size = len(found)
        for statement, operation in chain.items():
            values = [operation.bound.get(p) for p in ("x", "y")]
            known = all(_is_known(value, found) for value in values)
            if known and operation.rule.name in rules.named((np.multiply, np.divide)):
                found.add(target(statement, operation) or "")
    return found


def _is_known(value: gast.expr | None, found: set[str]) -> bool:
    if isinstance(value, gast.Name):
        return value.id in found
    return isinstance(value, gast.Constant) and bool(value.value)


def _is_number(function: Function, name: str) -> bool:
    try:
        value = function.namespace.resolve(name)
    except (KeyError, AttributeError):
        return False
    return type(value) in (int, float) and value != 0


def flat(facts: Facts) -> frozenset[gast.stmt]:
    """The functions of what may be infinite that are flat there: ``np.exp(-1.0 / x)``."""
    chain = facts.elementwise
    ends = {s: o for s, o in chain.items() if _vanishing(o) == ("x",)}
    if not ends:
        return frozenset()
    infinite = made_of(links(facts), _made_by(chain, POLES) | masked.not_finite(facts))
    return frozenset(s for s, o in ends.items() if infinite & names_in(o))


def vanishing(facts: Facts) -> frozenset[gast.stmt]:
    """Exponentials in a derivative, and products with them: in a second sweep infinite adjoints may come to them."""
    if not facts.normal.function.generated:
        return frozenset()
    chain = facts.elementwise
    exponential = _made_by(chain, EXPONENTIAL)
    times = {s: o for s, o in chain.items() if o.rule.name in rules.named((runtime.times,))}
    factors = {s for s, o in times.items() if exponential & set(_arguments(o, ("c",)))}
    return frozenset(
        factors | {s for s, o in chain.items() if o.rule.name in rules.named(EXPONENTIAL)}
    )


def _arguments(operation: Primitive, parameters: tuple[str, ...]) -> Iterator[str]:
    values = (operation.bound.get(parameter) for parameter in parameters)
    return (value.id for value in values if isinstance(value, gast.Name))


def _limits(operation: Primitive) -> tuple[str, ...]:
    return ("x", "y", "a") if operation.rule.name in rules.named(LIMITING) else ()


def _vanishing(operation: Primitive) -> tuple[str, ...]:
    """The parameters in which an operation is flat at infinity."""
    name, exponent = operation.rule.name, operation.bound.get("y")
    if name in rules.named((np.divide,)):
        return ("y",)
    if name in rules.named((*FLAT, np.reciprocal)) or name in FLAT_OF_SCIPY:
        return ("x",)
    falling = isinstance(exponent, gast.UnaryOp) and isinstance(exponent.op, gast.USub)
    return ("x",) if name in ("power", "dpower_dx") and falling else ()


def links(facts: Facts) -> list[tuple[str, set[str]]]:
    """The names of values, each with those that it is made of."""
    found, full = [], rules.named(FULL)
    for statement, operation in facts.kinds.operations.items():
        name = target(statement, operation) or ""
        if statement in facts.elementwise:
            found.append((name, names_in(facts.elementwise[statement])))
        elif operation.__class__ is Primitive and operation.rule.name in full:
            found.append((name, names_in(operation)))
        elif operation.__class__ is Store or masked.joins(operation):
            found.append((name, set(operation.sources())))
    return found


def _made_by(chain: dict[gast.stmt, Primitive], makers: tuple[Any, ...]) -> set[str]:
    return {target(s, o) or "" for s, o in chain.items() if o.rule.name in rules.named(makers)}


def made_of(links: list[tuple[str, set[str]]], names: set[str]) -> set[str]:
    """Some names, and those of what is made of them."""
    found, size = set(names), -1
    while size != len(found):
        size = len(found)
        found |= {name for name, parts in links if found & parts}
    return found


def _reaching(links: list[tuple[str, set[str]]], ends: set[str]) -> set[str]:
    """Some names, and those of what they are made of."""
    found, size = set(ends), -1
    while size != len(found):
        size = len(found)
        found |= {part for name, parts in links if name in found for part in parts}
    return found


def _meeting(operation: Primitive, infinite: set[str]) -> Iterator[str]:
    """The parameters whose adjoint is a product with what may be infinite."""
    if operation.rule.name == "multiply":
        for one, other in (("x", "y"), ("y", "x")):
            if infinite & set(_arguments(operation, (other,))):
                yield one
    elif infinite & set(_arguments(operation, ("x",))) and operation.rule.name in _powers():
        yield "x"


def _powers() -> frozenset[str]:
    return rules.named((np.power, np.square))


def cancelling(value: gast.expr, seed: str, rt: str) -> gast.expr:
    """The product with a slope as one that is zero where either factor is.

    >>> text = lambda value: syntax.unparse(cancelling(syntax.expression(value), "dx", "rt"))
    >>> text("rt.times(dx, y)"), text("(1.0 - y * y) * dx"), text("rt.quotient(dx, y)")
    ('rt.cancel(dx, y)', 'rt.cancel(dx, 1.0 - y * y)', 'rt.cancel(dx, 1.0 / y)')
    """
    match value:
        case gast.UnaryOp(op=op, operand=operand):
            return gast.UnaryOp(op, cancelling(operand, seed, rt))
        case gast.Call(args=[b, d]) if syntax.dotted(value.func) == f"{rt}.times":
            return syntax.expression("rt.cancel(b, d)", rt=rt, b=b, d=d)
        case gast.Call(args=[b, y]) if syntax.dotted(value.func) == f"{rt}.quotient":
            return syntax.expression("rt.cancel(b, 1.0 / y)", rt=rt, b=b, y=y)
        case gast.BinOp(left=d, op=gast.Mult(), right=gast.Name(id=name)) if name == seed:
            return syntax.expression("rt.cancel(b, d)", rt=rt, b=seed, d=d)
        case gast.BinOp(left=gast.Name(id=name), op=gast.Mult(), right=d) if name == seed:
            return syntax.expression("rt.cancel(b, d)", rt=rt, b=seed, d=d)
    return value
