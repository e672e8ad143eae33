"""Functions of SciPy, where it is there: every rule against differences, to second order."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

import tangentlite as tl
from tangentlite import rules
from tests.rules.compiled import Program, confirm
from tests.rules.test_rules import points

sp: Any = pytest.importorskip("scipy.special", reason="SciPy is not there")
rules.find(sp.gamma)
THEIRS = [r for r in rules.registry() if r.file.rpartition("/")[2].startswith("scipy_")]


@pytest.mark.parametrize("rule", THEIRS, ids=lambda r: r.name)
def test_both_modes(rule: Any) -> None:
    """What has no derivative is written out."""
    names = [p.name for p in rule.params]
    for sample in points(rule):
        active = [v for n, v in zip(names, sample) if n in rule.differentiable]
        shown = [
            f"x{active.index(v)}" if n in rule.differentiable else repr(v)
            for n, v in zip(names, sample)
        ]
        program = Program(np.sin, active, {})
        program.scope["sp"] = sp
        program.call = f"sp.{rule.primals[0].__name__}({', '.join(shown)})"
        confirm(program)


def logsumexp(x: Any) -> Any:
    return sp.logsumexp(x) + np.sum(sp.logsumexp(x * x[0], axis=0, b=x))


def soft(x: Any) -> Any:
    return np.sum(sp.softmax(x) ** 2) + np.sum(sp.log_softmax(x, axis=0) ** 3)


@pytest.mark.parametrize("f", [logsumexp, soft])
def test_functions_that_are_python(f: Any, confirm: Any) -> None:
    confirm(f, np.array([0.3, 0.7, 1.1]))


def test_equal_and_large_values() -> None:
    df = tl.grad(lambda x: sp.logsumexp(x))
    np.testing.assert_allclose(df(np.array([1000.0, 1000.0])), [0.5, 0.5])
    np.testing.assert_allclose(df(np.array([0.0, -np.inf])), [1.0, 0.0])
    dx = tl.grad(lambda x: np.sum(sp.xlogy(x, x)))
    np.testing.assert_allclose(dx(np.array([1.0, 2.0])), [1.0, 1.0 + np.log(2.0)])
    assert tl.grad(lambda x: sp.expit(x))(-800.0) == 0.0
