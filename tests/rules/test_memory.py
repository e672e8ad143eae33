"""Every function of the library whose result may share memory with an argument is known to do so."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import numpy as np
import pytest

from tangentlite import rules
from tangentlite.analysis.storage.memory import COPIES, VIEWS

RULES = [
    r
    for r in rules.registry()
    if r.algebra != "inactive" and not rules.spelled(r.primals[0]).startswith("tangentlite")
]
DECIDED = ("real", "imag", "conj", "elements", "diff")  # analysis.memory looks at their arguments


def arrays(value: Any) -> Iterator[Any]:
    if isinstance(value, np.ndarray):
        yield value
    elif isinstance(value, list | tuple | dict):
        for part in value.values() if isinstance(value, dict) else value:
            yield from arrays(part)


def samples() -> Iterator[tuple[Any, ...]]:
    """Arguments of every sort; most functions refuse most of them."""

    def square() -> Any:
        return np.cos(np.arange(9.0)).reshape(3, 3)

    for shape in [(4,), (3, 3), (2, 2, 2), (1, 1), ()]:
        yield (np.ones(shape),)
    for rest in [(), (0,), (1,), (0, 1), ((3, 3),), (float,)]:
        yield square(), *rest
        yield ([square(), square()], *rest)
    yield np.ones(1), np.zeros(1)
    yield "ij->ji", square()


def shares(primal: Any, args: tuple[Any, ...]) -> bool:
    method = None if callable(primal) else primal.__get__
    try:
        result = method(args[0]) if method else primal(*args)
    except Exception:
        return False
    return any(np.shares_memory(a, b) for a in arrays(result) for b in arrays(args))


@pytest.mark.filterwarnings("ignore")
@pytest.mark.parametrize("rule", RULES, ids=lambda r: f"{r.name}:{r.line}")
def test_views_are_known(rule: rules.Rule) -> None:
    elementwise = rule.algebra == "elementwise"
    known = rule.name in DECIDED or (rule.name in VIEWS and not elementwise)
    for primal in rule.primals:
        if not known and primal not in COPIES:
            given = list(samples())
            count = sum(p.kind.name.startswith("POSITIONAL") for p in rule.params)
            if elementwise:  # further arguments are out=; lists are no operands but repeated
                given = [a[:count] for a in given if not isinstance(a[0], list)]
            assert not any(shares(primal, args) for args in given), rules.spelled(primal)


LINEAR = [
    r
    for r in rules.registry()
    if r.algebra == "linear" and rules.spelled(r.primals[0]).startswith("tangentlite")
]


def adjoints() -> Iterator[tuple[Any, ...]]:
    """Arguments as the functions of the runtime take them: an adjoint, and what it is like."""
    for shape in [(4,), (3, 3), (2, 2, 2), ()]:
        for rest in [0, 1, 2]:
            for last in [(), (0,), (1,), (2.0,), (None,), (shape,)]:
                yield (*[np.ones(shape) for _ in range(1 + rest)], *last)


@pytest.mark.filterwarnings("ignore")
@pytest.mark.parametrize("rule", LINEAR, ids=lambda r: f"{r.name}:{r.line}")
def test_views_are_known_in_second_derivatives(rule: rules.Rule) -> None:
    if rule.name not in VIEWS:
        assert not any(shares(rule.primals[0], args) for args in adjoints()), rule.name
