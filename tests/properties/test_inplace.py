"""Generated programs that write in place: every mode agrees with differences; and the judge finds faults.

A program that fails here is shown by ``python -m tests.properties.inplace --show SEED``; ``--reduce SEED`` makes it small.
"""

from __future__ import annotations

import copy

import numpy as np
import pytest
from hypothesis import HealthCheck, given, settings, strategies as st

from tests.properties.faults import judge, reduced
from tests.properties.inplace import arguments, written
from tests.properties.programs import function

QUIET = {"deadline": None, "suppress_health_check": list(HealthCheck)}
WITHOUT = frozenset({"cell"})  # functions inside functions are not supported yet
seeds = st.integers(0, 10**9)

SMOOTH = """
def program(x, y, s, n):
    z = np.sin(x) * y
    for i in range(n):
        z = z * s + x
    return np.sum(z * y)
"""


def agree(seed: int, second: bool) -> str:
    """Right, or refused by name: what is refused of first order is counted below."""
    kind, text = judge(written(seed, WITHOUT), arguments(seed), second)
    assert kind in ("ok", "REFUSED"), f"seed {seed}: {kind} {text}"
    return kind


@pytest.mark.parametrize("seed", range(40))
def test_programs_run(seed: int) -> None:
    text, args = written(seed), arguments(seed)
    values = [function(text)(*copy.deepcopy(args)) for _ in range(2)]
    assert np.shape(values[0]) == ()
    assert np.isfinite(values[0])
    assert values[0] == values[1]


def test_few_programs() -> None:
    found = [agree(seed, second=False) for seed in range(4)]
    assert found.count("ok") == 4


def test_a_program_twice() -> None:
    assert agree(12, second=True) == "ok"


@pytest.mark.slow
@settings(max_examples=200, **QUIET)
@given(seed=seeds)
def test_many_programs(seed: int) -> None:
    agree(seed, second=False)


@pytest.mark.slow
@settings(max_examples=60, **QUIET)
@given(seed=seeds)
def test_many_programs_twice(seed: int) -> None:
    agree(seed, second=True)


def test_a_smooth_program_is_right() -> None:
    args = (np.array([0.3, -0.4]), np.array([0.5, 0.9]), 0.4, 2)
    assert judge(SMOOTH, args, second=True) == ("ok", "")


def test_a_program_that_fails_is_not_blamed_on_its_derivative() -> None:
    text = "def program(x, y, s, n):\n    return x[7] * s\n"
    assert judge(text, (np.ones(2), np.ones(2), 0.4, 2))[0] == "BROKEN"


def test_a_fault_is_made_small() -> None:
    text = """
def helper(v):
    return v * 2.0


def program(x, n):
    a = x * 1.0
    b = helper(a)
    for i in range(n):
        if i > 0:
            b = np.sin(a) + forbidden(np.cos(b * x), i)
    return a * b
"""
    small = reduced(text, lambda t: "forbidden(" in t)
    assert small == "def program(x, n):\n    b = forbidden(b, i)"
