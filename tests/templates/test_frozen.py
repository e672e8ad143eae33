"""Distributions of ``scipy.stats`` that are given their parameters first: made in the function, and outside."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

import tangentlite as tl
from tests.programs.strict import case, cases, check, label

stats = pytest.importorskip("scipy.stats")
X = np.array([0.4, 1.1, 0.7])
PRIOR = stats.norm(0.3, scale=2.0)


@case(0.7, X)
def asked_at_once(a, x):
    return np.sum(stats.norm(a, 2.0).logpdf(x)) + stats.norm(loc=a).cdf(0.3)


@case(0.7, X)
def asked_by_name(a, x):
    law = stats.gamma(a + 1.0, scale=2.0)
    same = law
    return np.sum(law.logpdf(x)) * np.sum(same.pdf(x * a))


@case(0.7, X)
def made_in_a_loop(a, x):
    total = 0.0
    for k in range(3):
        law = stats.norm(a * k, 1.0 + k)
        total += law.logpdf(x[k]) + law.sf(a)
    return total


@case(0.7, X)
def made_outside(a, x):
    return np.sum(PRIOR.logpdf(x * a)) + PRIOR.cdf(a)


def of_vectors(a, x):
    return stats.multivariate_normal(np.zeros(3), np.eye(3) * a).logpdf(x)


@pytest.mark.parametrize(("function", "args", "options"), cases(__name__), ids=label)
def test_program(function: Any, args: Any, options: Any) -> None:
    check(function, *args, **options)


def test_normal_numbers_that_go_together() -> None:
    value, gradient = tl.value_and_grad(of_vectors)(0.7, X)
    assert type(value) is type(of_vectors(0.7, X))
    assert value == pytest.approx(of_vectors(0.7, X), rel=1e-13)
    assert gradient == pytest.approx(-1.5 / 0.7 + X @ X / (2 * 0.7**2), rel=1e-12)


def handed_back(a):
    law = stats.norm(a)
    return law.logpdf(a), law


def in_a_list(a):
    return sum(law.logpdf(0.3) for law in [stats.norm(a), stats.norm(0.0, a)])


@pytest.mark.parametrize("f", [handed_back, in_a_list])
def test_what_others_see_is_the_users_own(f: Any) -> None:
    with pytest.raises(tl.MissingRuleError):
        tl.jvp(f)(0.7, tangent=1.0)
