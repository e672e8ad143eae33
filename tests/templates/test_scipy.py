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
sf: Any = pytest.importorskip("scipy.fft")
si: Any = pytest.importorskip("scipy.integrate")
rules.find(sp.gamma)
COMPLEX = set(  # of real numbers
    """lambertw wofz wofz_slope hankel1 hankel2 hankel1e hankel2e h1vp h2vp kelvin modfresnelp modfresnelm
    sph_harm_y sph_harm_y_all harmonic pbdn_seq""".split()
)
ROUNDED = {
    "ncfdtrinc",
    "ncfdtridfd",
    "ncfdtridfn",
}  # too coarse for differences: see test_scipy_special
OWNERS = {"sp": vars(sp), "rt": {n: getattr(tl.rt, n) for n in tl.rt.__all__}}
THEIRS = [r for r in rules.registry() if r.params and "scipy_" in r.file and r.differentiable]
THEIRS = [
    r for r in THEIRS if r.name not in ROUNDED and "scipy.linalg" not in rules.spelled(r.primals[0])
]


def part(z: Any) -> Any:
    return np.real(z) + 0.3 * np.imag(z)


def written(rule: Any, shown: list[str]) -> str:
    """A call of what the rule is for; of complex results both parts."""
    primal = rule.primals[0]
    owner = next(o for o, names in OWNERS.items() if any(v is primal for v in names.values()))
    call = f"{owner}.{primal.__name__}({', '.join(shown)})"
    if rule.name not in COMPLEX:
        return call
    if len(rule.results) == 1:
        return f"part({call})"
    return f"[{', '.join(f'part({call}[{k}])' for k in range(len(rule.results)))}]"


@pytest.mark.parametrize("rule", THEIRS, ids=lambda r: r.name)
def test_both_modes(rule: Any) -> None:
    """What has no derivative is written out."""
    names = [p.name for p in rule.params]
    for sample in points(rule):
        pairs = [(v, n in rule.differentiable) for n, v in zip(names, sample)]
        active = [v for v, moves in pairs if moves]
        places = iter(range(len(active)))
        shown = [f"x{next(places)}" if moves else repr(v) for v, moves in pairs]
        program = Program(np.sin, active, {})
        program.scope |= {"sp": sp, "rt": tl.rt, "part": part}
        program.call = written(rule, shown)
        confirm(program)


def logsumexp(x: Any) -> Any:
    return sp.logsumexp(x) + np.sum(sp.logsumexp(x * x[0], axis=0, b=x))


def soft(x: Any) -> Any:
    return np.sum(sp.softmax(x) ** 2) + np.sum(sp.log_softmax(x, axis=0) ** 3)


@pytest.mark.parametrize("masked", [1000.0, 0.5, np.inf, -np.inf, np.nan])
@pytest.mark.parametrize("signed", [False, True])
def test_what_has_no_weight_is_not_looked_at(signed: bool, masked: float) -> None:
    def f(x: Any, b: Any) -> Any:
        return sp.logsumexp(x, b=b, return_sign=True)[0] if signed else sp.logsumexp(x, b=b)

    x, b = np.array([0.0, masked, 1.0]), np.array([1.0, 0.0, 2.0])
    for kind in (np.float64, np.float32):
        value, gradient = tl.value_and_grad(f)(x.astype(kind), b.astype(kind))
        np.testing.assert_allclose(value, f(x, b), rtol=1e-6)
        np.testing.assert_allclose(gradient, b * np.exp([0.0, 0.0, 1.0] - value), rtol=1e-6)
    slope = tl.grad(f, wrt=1)(x, b)
    np.testing.assert_allclose(slope[[0, 2]], np.exp(x[[0, 2]] - value), rtol=1e-6)
    if masked == 0.5:
        np.testing.assert_allclose(slope[1], np.exp(0.5 - value), rtol=1e-6)


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


# A distribution, one of its functions, a point, parameters.
DISTRIBUTIONS: list[tuple[Any, ...]] = [
    *(("norm", f, 0.3, 0.1, 1.3) for f in ("logpdf", "pdf", "cdf", "sf", "logcdf", "logsf")),
    ("norm", "ppf", 0.3, 0.1, 1.3),
    *(("gamma", f, 1.3, 2.1, 0.2, 1.4) for f in ("logpdf", "pdf")),
    ("invgamma", "logpdf", 1.3, 2.1, 0.2, 1.4),
    *(("chi2", f, 1.3, 2.1) for f in ("logpdf", "pdf")),
    *(("beta", f, 0.3, 2.1, 1.4) for f in ("logpdf", "pdf")),
    *(("t", f, 0.3, 2.1, 0.1, 1.4) for f in ("logpdf", "pdf")),
    ("lognorm", "logpdf", 0.8, 0.7, 0.1, 1.2),
    ("halfnorm", "logpdf", 0.8, 0.1, 1.2),
    ("weibull_min", "logpdf", 0.8, 1.7, 0.1, 1.2),
    ("pareto", "logpdf", 2.5, 1.7, 0.1, 1.2),
    ("gumbel_r", "logpdf", 0.8, 0.1, 1.2),
]
DISCRETE = [
    *(("poisson", f, 3, 2.5) for f in ("logpmf", "pmf", "cdf")),
    ("binom", "logpmf", 3, 7, 0.4),
    ("bernoulli", "logpmf", 1, 0.4),
]
BELOW = [("gamma", "cdf", 1.3), ("chi2", "cdf", 1.3), ("t", "cdf", 0.3), ("t", "logcdf", 0.3)]


def called(name: str, function: str) -> Any:
    return getattr(getattr(st, name), function)


@pytest.mark.parametrize("case", DISTRIBUTIONS, ids=lambda c: f"{c[0]}.{c[1]}")
def test_distributions(case: tuple[Any, ...], confirm: Any) -> None:
    name, function, *given = case
    law = called(name, function)
    rest = tuple(given[1:])
    assert tl.value_and_grad(lambda x: law(x, *rest))(given[0])[0] == pytest.approx(law(*given))
    if len(given) == 2:
        confirm(lambda x, a: law(x, a), *given)
    elif len(given) == 3:
        confirm(lambda x, a, b: law(x, a, b), *given)
    else:
        confirm(lambda x, a, b, c: law(x, a, b, c), *given)


@pytest.mark.parametrize("case", DISCRETE, ids=lambda c: f"{c[0]}.{c[1]}")
def test_distributions_of_counts(case: tuple[Any, ...], confirm: Any) -> None:
    name, function, *given, last = case
    law = called(name, function)
    count, tries = given[0], given[-1]
    if len(given) == 1:
        confirm(lambda p: law(count, p), last)
    else:
        confirm(lambda p: law(count, tries, p), last)


@pytest.mark.parametrize("case", BELOW, ids=lambda c: f"{c[0]}.{c[1]}")
def test_how_much_is_below(case: tuple[Any, ...], confirm: Any) -> None:
    name, function, point = case
    law = called(name, function)
    confirm(lambda x: law(x, 2.1, 0.1, 1.4), point)


def test_vectors(confirm: Any) -> None:
    x, mean = np.array([[0.3, 0.7], [-0.2, 0.4]]), np.array([0.1, -0.3])
    cov = np.array([[1.3, 0.2], [0.2, 0.8]])

    def normal(x: Any, mean: Any, cov: Any) -> Any:
        return np.sum(st.multivariate_normal.logpdf(x, mean, cov + cov.T))

    confirm(normal, x, mean, cov)
    confirm(lambda x: st.multivariate_normal.logpdf(x), 0.4)
    confirm(lambda m: st.multivariate_normal.entropy(m, cov), mean)
    parts, alpha = np.array([0.2, 0.5, 0.3]), np.array([1.5, 2.0, 0.8])
    confirm(lambda a: st.dirichlet.logpdf(parts, a), alpha)
    confirm(lambda a: sp.multigammaln(a, 3), 4.2)


def test_outside_there_is_nothing() -> None:
    for law in (st.gamma, st.chi2, st.beta):
        args = (2.0, 3.0) if law is st.beta else (2.0,)
        value, slope = tl.value_and_grad(lambda x: law.logpdf(x, *args))(-0.5)
        assert value == -np.inf and slope == 0.0


A = np.array([[2.0, 0.3, 0.1], [0.4, 1.5, 0.2], [0.1, -0.3, 1.8]])
B = np.array([[1.0, 0.2, 0.5], [0.3, 0.8, -0.1], [0.2, 0.1, 1.1]])


@pytest.mark.parametrize(
    "f",
    [
        lambda a: np.sum(np.sin(sl.sqrtm(a))),
        lambda a: np.sum(sl.solve_sylvester(a, B, B @ a) ** 2),
        lambda a: np.sum(sl.solve_sylvester(B, a @ a, A) ** 2),
        lambda a: np.sum(np.sin(sl.lu_factor(a)[0]) * B),
        lambda a: np.sum(np.sin(sl.lu_solve(sl.lu_factor(a), B[0]))),
        lambda a: np.sum(np.sin(sl.lu_solve(sl.lu_factor(B.T @ a), a[0], trans=1))),
    ],
)
def test_equations(f: Any, confirm: Any) -> None:
    confirm(f, A)


@pytest.mark.parametrize("count", [2, 3, 4, 5, 6])
def test_simpson(count: int, confirm: Any) -> None:
    y, x = np.cos(np.arange(6.0)), np.array([0.0, 0.2, 0.5, 0.9, 1.1, 1.8])
    places = x[:count]
    even, uneven = (lambda v: si.simpson(v * v)), (lambda v: si.simpson(v * v, x=places))
    of_places = lambda v: si.simpson(y[:count], x=v)
    for f, given in ((even, y[:count]), (uneven, y[:count]), (of_places, places)):
        assert tl.value_and_grad(f)(given)[0] == pytest.approx(f(given))
        confirm(f, given)


KERNELS = [
    ((3, 4), (2, 3)),
    ((4, 4), (2, 2)),
    ((2, 5), (2, 7)),
    ((9, 10), (8, 9)),
    ((1, 3), (1, 1)),
]
FILTERS = (sg.convolve, sg.fftconvolve, sg.correlate, sg.convolve2d, sg.correlate2d)


@pytest.mark.parametrize("mode", ["full", "same", "valid"])
@pytest.mark.parametrize("sizes", KERNELS, ids=str)
def test_values_of_convolutions(mode: str, sizes: Any) -> None:
    draw = np.random.default_rng(2)
    for dtype in (np.float64, np.float32, np.complex128):
        x, y = (
            draw.normal(size=s).astype(dtype) * (1 + (dtype == np.complex128) * 1j) for s in sizes
        )
        for filtered in FILTERS:
            value, tangent = tl.jvp(lambda x, y: filtered(x, y, mode), wrt=0)(x, y, tangent=x)
            expected = filtered(x, y, mode)
            assert value.dtype == expected.dtype
            loose = 1e-4 if dtype == np.float32 else 1e-10
            np.testing.assert_allclose(value, expected, atol=loose)
            np.testing.assert_allclose(tangent, expected, atol=loose)


@pytest.mark.parametrize(
    "f",
    [
        lambda x, y: np.sum(sg.convolve(x, y) ** 2),
        lambda x, y: np.sum(sg.convolve(x, y, "valid", method="direct") ** 2),
        lambda x, y: np.sum(sg.fftconvolve(x, y, mode="same") ** 2),
        lambda x, y: np.sum(sg.fftconvolve(x, y[:1], axes=1) ** 2),
        lambda x, y: np.sum(sg.fftconvolve(x[:2], y, mode="valid", axes=[-1]) ** 2),
        lambda x, y: np.sum(sg.oaconvolve(x, y, axes=(0, 1)) ** 2),
        lambda x, y: np.sum(sg.correlate(x, y, mode="same") ** 2),
        lambda x, y: np.sum(sg.correlate2d(x, y, mode="same") ** 2),
        lambda x, y: np.sum(sg.convolve2d(x, y, mode="valid") ** 2),
        lambda x, y: np.sum(sg.lfilter(y[0], y[1] + 2.0, x, axis=0) ** 2),
        lambda x, y: np.sum(sg.lfilter(y[0], [1.0, 0.3], x) ** 2),
    ],
)
def test_filters_along_several_axes(f: Any, confirm: Any) -> None:
    draw = np.random.default_rng(3)
    confirm(f, draw.normal(size=(3, 4)), draw.normal(size=(2, 3)))


def test_diagonals(confirm: Any) -> None:
    ab = np.array([[0, 0.3, 0.1, 0.2], [2.0, 3, 2.5, 4], [0.3, -0.2, 0.4, 0], [0.1, 0.2, 0, 0]])
    for y in (np.arange(4.0), np.arange(8.0).reshape(4, 2)):
        confirm(lambda ab, y: np.sum(sl.solve_banded((2, 1), ab, y) ** 2), ab, y)
    diagonal = np.array([[1.0, 2.0]])
    confirm(lambda ab, y: np.sum(sl.solve_banded((0, 0), ab, y) ** 2), diagonal, np.ones(2))


TRANSFORMS: list[Any] = [
    lambda x: sf.fft(x, axis=0),
    lambda x: sf.rfft(x, n=3),
    lambda x: sf.irfft(sf.rfft(x)),
    lambda x: sf.fft2(x),
    lambda x: sf.ifftn(x),
    lambda x: sf.rfftn(x, axes=(1, 0)),
    lambda x: sf.irfftn(sf.rfftn(x)),
    lambda x: sf.dct(x),
    lambda x: sf.dct(x, axis=0, norm="ortho"),
    lambda x: sf.dct(x, 3),
    lambda x: sf.dct(x, type=3, norm="ortho"),
    lambda x: sf.idct(x),
    lambda x: sf.dctn(x),
    lambda x: sf.idctn(x, axes=(0,), norm="ortho"),
]
MATRICES: list[Any] = [
    lambda x: sl.eigh(x @ x.T, eigvals_only=True),
    lambda x: np.abs(sl.eigh(x @ x.T)[1]),
    lambda x: sl.svd(x, compute_uv=False),
    lambda x: np.abs(sl.svd(x, full_matrices=False)[0]),
    lambda x: np.abs(sl.qr(x[:, :3])[1]),
    lambda x: sl.qr(x.T, mode="economic")[1],
    lambda x: sl.qr(x.T, mode="r")[0],
    lambda x: sl.pinvh(x @ x.T),
    lambda x: sl.lstsq(x.T, x[0])[0],
    lambda x: sl.circulant(x[0]),
    lambda x: sl.hankel(x[0], x[1]),
    lambda x: sl.block_diag(x, x[0], 2.0),
    lambda x: sp.logsumexp(x, axis=1, b=x, return_sign=True)[0],
    lambda x: sp.zeta(x * x + 1.2),
    lambda x: sp.zeta(2.5, x * x + 0.3),
    lambda x: st.norm.isf(1.0 / (2.0 + x * x)),
    lambda x: st.laplace.cdf(x, 0.1, 2.0) + st.laplace.pdf(x),
    lambda x: st.logistic.cdf(x, scale=2.0) + st.logistic.pdf(x, 0.1),
    lambda x: st.cauchy.cdf(x, 0.1, 2.0) + st.cauchy.pdf(x),
    lambda x: st.expon.pdf(x * x),
]


@pytest.mark.parametrize("g", [*TRANSFORMS, *MATRICES])
def test_more_of_the_library(g: Any, confirm: Any) -> None:
    x = np.random.default_rng(5).normal(size=(3, 4))
    weights = np.cos(1.0 + np.arange(g(x).size)).reshape(g(x).shape)

    def f(x: Any) -> Any:
        return np.sum(np.real(g(x)) * weights + np.abs(g(x)) ** 2)

    confirm(f, x)
    found = tl.jvp(g)(x, tangent=x)[0]
    np.testing.assert_allclose(found, g(x), atol=1e-10)
    single = x.astype(np.float32)
    assert tl.grad(f)(single).dtype == np.float32


def test_full_factors_of_tall_matrices_are_refused() -> None:
    with pytest.raises(TypeError, match="mode='economic'"):
        tl.grad(lambda x: np.sum(sl.qr(x)[0]))(np.ones((3, 2)))
