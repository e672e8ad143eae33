"""Which variant of a rule a call means.

In: a rule, the arguments of a call and their kinds.
Out: the variant.
Next: results.
"""

from __future__ import annotations

import cmath
from collections.abc import Mapping
from typing import Any

import gast
import numpy as np

from tangentlite import rules
from tangentlite.analysis.kinds import (
    COMPLEX,
    FLOAT,
    SCALAR,
    Kind,
    Named,
    Nothing,
    Num,
    Tuple,
    is_complex,
)
from tangentlite.rules import Rule


def selected(rule: Rule, bound: Mapping[str, gast.expr], kinds: Mapping[str, Kind]) -> Rule:
    """The tidiest variant whose guard is proved by kinds, defaults and literals."""
    if not rule.variants:
        return rule.sized(kinds)
    none = Num(SCALAR, literal=None)
    facts: dict[str, object] = {p: none if isinstance(k, Nothing) else k for p, k in kinds.items()}
    complex_nests = (p for p, k in kinds.items() if not isinstance(k, Num) and is_complex(k))
    facts.update(dict.fromkeys(complex_nests, Num(exact="complex")))
    for parameter in rule.params:
        if parameter.name not in facts and parameter.default is not rules.EMPTY:
            facts[parameter.name] = Num(SCALAR, literal=parameter.default)
    for name in rule.literal:
        given = bound.get(name)
        if isinstance(given, gast.Constant):
            facts[name] = Num(SCALAR, literal=given.value)
    return rule.select(facts)


def several(primal: object, count: int) -> Tuple:
    """The kind of several results, with the names that they may have.

    >>> several(np.linalg.qr, 2).owner._fields, type(several(divmod, 2)).__name__
    (('Q', 'R'), 'Tuple')
    """
    items = tuple(Num() for _ in range(count))
    example = NAMED.get(primal)
    if example is None or count != len(example):
        return Tuple(items)
    return Named(items, owner=type(example))


def real_again(primal: object, parts: tuple[Kind, ...], real: tuple[Kind, ...]) -> tuple[Kind, ...]:
    """The kinds of several complex results, of which one is real whatever the arguments are."""
    at = REAL_PART.get(primal)
    return tuple(r if k == at else p for k, (p, r) in enumerate(zip(parts, real)))


def of_cmath(primal: object) -> Kind:
    """The kind of what a function of ``cmath`` gives: a Python number, complex unless it is a part of one."""
    if primal is cmath.polar:
        return Tuple((FLOAT, FLOAT))
    return FLOAT if primal is cmath.phase else Num(COMPLEX, "complex", 0, True)


REAL_PART: dict[Any, int] = {np.linalg.eigh: 0, np.linalg.svd: 1, np.linalg.slogdet: 1}
NAMED: dict[Any, Any] = {
    f: f(np.eye(1))
    for f in (np.linalg.slogdet, np.linalg.eig, np.linalg.eigh, np.linalg.svd, np.linalg.qr)
}
