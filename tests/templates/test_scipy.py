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
sl: Any = pytest.importorskip("scipy.linalg")
st: Any = pytest.importorskip("scipy.stats")
sg: Any = pytest.importorskip("scipy.signal")
si: Any = pytest.importorskip("scipy.integrate")
rules.find(sp.gamma)
THEIRS = [
    r for r in rules.registry() if r.params and r.file.rpartition("/")[2].startswith("scipy_")
]


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


OTHERS: list[Any] = [
    lambda x: np.sum(np.sin(sl.inv(x))),
    lambda x: sl.det(x) ** 2,
    lambda x: sl.norm(x, "fro") ** 3,
    lambda x: np.sum(sl.solve_triangular(x, x[0], lower=True) ** 2),
    lambda x: np.sum(sl.solve_triangular(x, x[0], trans=1, unit_diagonal=True) ** 2),
    lambda x: np.sum(sl.cholesky(x @ x.T + np.eye(2)) ** 3),
    lambda x: np.sum(sl.cholesky(x @ x.T + np.eye(2), lower=True) ** 3),
    lambda x: np.sum(sl.cho_solve(sl.cho_factor(x @ x.T + np.eye(2)), x[0]) ** 2),
    lambda x: np.sum(sl.cho_solve((sl.cholesky(x @ x.T + np.eye(2), True), True), x[0]) ** 2),
    lambda x: np.sum(sl.block_diag(x, x[0]) ** 3),
    lambda x: np.sum(np.sin(sl.toeplitz(x[0], x[1])) * np.array([[1, 2], [3, 4]])),
    lambda x: np.sum(np.sin(sl.toeplitz(x[0])) * np.array([[1, 2], [3, 4]])),
    lambda x: np.sum(np.sin(sl.expm(x))),
    lambda x: np.sum(sl.expm(3 * x) * 1e-3),
    lambda x: np.sum(sl.solve(x, x[1]) ** 2),
    lambda x: np.sum(sl.solve(x @ x.T, x[1], assume_a="pos") ** 2),
    lambda x: np.sum(st.norm.logpdf(x, x[0], x[1] ** 2)),
    lambda x: np.sum(st.norm.pdf(x)),
    lambda x: np.sum(st.laplace.logpdf(x, 0.1, x[1])),
    lambda x: np.sum(st.logistic.logpdf(x, x[0, 0] - 5)),
    lambda x: np.sum(st.cauchy.logpdf(x, scale=x[0])),
    lambda x: np.sum(st.expon.logpdf(x, scale=x[0])),
    lambda x: np.sum(sg.convolve(np.ravel(x), x[0], mode="same") ** 2),
    lambda x: np.sum(sg.fftconvolve(np.ravel(x), x[0]) ** 2),
    lambda x: np.sum(sg.lfilter(x[0], x[1], np.ravel(x)) ** 2),
    lambda x: si.trapezoid(x[0] ** 2, x[1]),
    lambda x: sp.logsumexp(x, axis=1).sum() ** 2,
    lambda x: np.sum(sl.svdvals(x) ** 3),
    lambda x: np.sum(sl.eigvalsh(x + x.T) ** 3),
]


@pytest.mark.parametrize("f", OTHERS)
def test_other_parts_of_the_library(f: Any, confirm: Any) -> None:
    x = np.array([[1.0, 0.4], [0.3, 2.0]])
    confirm(f, x)
    assert tl.jvp(f)(x, tangent=x)[0] == pytest.approx(f(x), rel=1e-10)
