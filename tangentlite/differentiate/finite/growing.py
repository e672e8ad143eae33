"""Functions that are infinite where their argument is, and flatter and flatter on the way: roots and logarithms.

Behind an exponential that overflows, their slope is zero, and that of the exponential infinite: what the product tends
to, the numbers do not tell, nor what a quotient of two such exponentials is. Where the value is no number, the
derivative is none; a logarithm of few terms is known better (``analysis.smoothness.exponents``).

In: the facts of a function.
Out: the statements whose adjoint counts only where their value is finite.
Next: primitives.
"""

from __future__ import annotations

import gast
import numpy as np

from tangentlite import rules, runtime, syntax
from tangentlite.analysis import Facts
from tangentlite.analysis.operations import Copy, Primitive, target
from tangentlite.differentiate.finite import saturating
from tangentlite.differentiate.finite.masked import names_in

GROWING = (np.log, np.log2, np.log10, np.log1p, np.sqrt, np.cbrt, np.arcsinh, runtime.rooted)
SUMS = (np.sum, np.ndarray.sum)


def growing(facts: Facts) -> frozenset[gast.stmt]:
    """Roots, logarithms and quotients of what is made of exponentials; ``exp(x - m)`` is one that does not overflow."""
    exponential, chain = rules.named(saturating.EXPLODING), facts.elementwise
    makers = [(s, o) for s, o in chain.items() if o.rule.name in exponential]
    if facts.normal.function.generated or not makers:
        return frozenset()
    ends = _ends(chain)
    if not ends:
        return frozenset()
    lowered = _lowered(facts)
    made = {target(s, o) or "" for s, o in makers if lowered.isdisjoint(o.sources())}
    exploding = saturating.made_of([*saturating.links(facts), *_sums(facts)], made)
    return frozenset(
        s for s, fewest in ends.items() if len(exploding & names_in(chain[s])) >= fewest
    )


def _lowered(facts: Facts) -> set[str | None]:
    """The names of what something was subtracted from."""
    found, less = set[str | None](), rules.named((np.subtract,))
    for statement, operation in facts.kinds.operations.items():
        taken = statement.__class__ is gast.AugAssign and statement.op.__class__ is gast.Sub
        if operation.__class__ is Primitive:
            taken = operation.rule.name in less
        elif operation.__class__ is Copy:
            taken = operation.source in found
        if taken:
            found.add(target(statement, operation))
    return found


def _ends(chain: dict[gast.stmt, Primitive]) -> dict[gast.stmt, int]:
    """Roots, logarithms and quotients; of how many operands an exponential must be part."""
    growing, divide = rules.named(GROWING), rules.named((np.divide,))
    found = {}
    for statement, operation in chain.items():
        name = operation.rule.name
        if name in growing or (name == "power" and _is_root(operation.bound["y"])):
            found[statement] = 1
        elif name in divide and len(operation.flows) == 2:
            found[statement] = 2
    return found


def _is_root(exponent: gast.expr) -> bool:
    return (
        isinstance(exponent, gast.Constant)
        and type(exponent.value) is float
        and 0.0 < exponent.value < 1.0
    )


def _sums(facts: Facts) -> list[tuple[str, set[str]]]:
    sums = rules.named(SUMS)
    return [
        (target(s, o) or "", set(o.sources()))
        for s, o in facts.kinds.operations.items()
        if o.__class__ is Primitive and o.rule.name in sums
    ]


def counted(value: gast.expr, seed: str, result: gast.expr, rt: str) -> gast.expr:
    """What an operation gives, of an adjoint that counts only where the result is finite.

    >>> value = syntax.expression("rt.quotient(by, x)")
    >>> syntax.unparse(counted(value, "by", syntax.name("y"), "rt"))
    'rt.quotient(rt.sure(by, y), x)'
    """
    sure = syntax.expression("rt.sure(b, y)", rt=rt, b=seed, y=result)
    return syntax.substitute(value, {seed: sure})
