"""More of SciPy: filters, distances, summaries, functions of matrices, and special functions at points that are limits."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

import tangentlite as tl

sp: Any = pytest.importorskip("scipy.special", reason="SciPy is not there")
sl: Any = pytest.importorskip("scipy.linalg")
st: Any = pytest.importorskip("scipy.stats")
sg: Any = pytest.importorskip("scipy.signal")
sf: Any = pytest.importorskip("scipy.fft")
si: Any = pytest.importorskip("scipy.integrate")
nd: Any = pytest.importorskip("scipy.ndimage")
sd: Any = pytest.importorskip("scipy.spatial.distance")

DRAW = np.random.default_rng(12)
X = DRAW.normal(size=(4, 5))
A = DRAW.normal(size=(3, 3)) + 3.0 * np.eye(3)
P = A @ A.T
U = np.array([0.3, 0.5, 0.9, 0.7])
COUNTS = np.array([1, 2, 3, 1])

RECTANGLES = [
    lambda x: nd.correlate(x, x[:3, :2], mode="constant", cval=0.5),
    lambda x: nd.convolve(x, x[:3, :3], origin=(1, -1)),
    lambda x: nd.convolve1d(x, x[0, :2], axis=0) + nd.correlate1d(x, x[0, :3], mode="wrap"),
    lambda x: nd.gaussian_filter(x, 0.7) + nd.gaussian_filter(x, (0.6, 0.4), mode="constant"),
    lambda x: nd.gaussian_filter1d(x, 0.6, axis=0, order=1) * nd.gaussian_filter1d(x, 0.6, order=2),
    lambda x: nd.uniform_filter(x, 3) * nd.uniform_filter1d(x, 2, axis=0, mode="wrap"),
    lambda x: nd.sobel(x) * nd.prewitt(x, axis=0) + nd.laplace(x, mode="wrap"),
    lambda x: nd.gaussian_laplace(x, 0.6) + nd.gaussian_gradient_magnitude(x, 0.6),
    lambda x: nd.maximum_filter(x, 3) * nd.minimum_filter(x, (2, 3)) + nd.median_filter(x, 2),
    lambda x: sd.cdist(x, x[:2] + 1.0) * sd.cdist(x, 2.0 * x[2:], "sqeuclidean"),
    lambda x: sd.cdist(x, x[:2] + 1.0, "cityblock") + sd.cdist(x, x[:2] - 1.0, "minkowski", p=3),
    lambda x: sd.cdist(x, x[:2] ** 2, "cosine") + sd.cdist(x, x[:2] ** 2, metric="correlation"),
    lambda x: sd.cdist(x, x[:2] + 1.0, "canberra") + sd.cdist(x, x[:2] + 1.0, "chebyshev"),
    lambda x: sd.squareform(sd.pdist(x)) + np.sum(sd.pdist(x, "cityblock") ** 2),
    lambda x: sd.euclidean(x[0], x[1]) * sd.cosine(x[0], x[2]) * sd.correlation(x[1], x[3]),
    lambda x: sd.sqeuclidean(x[0], x[1]) * sd.cityblock(x[0], x[2]) * sd.minkowski(x[0], x[1], 3),
    lambda x: st.zscore(x, axis=1, ddof=1) * st.variation(x**2 + 1.0, axis=None),
    lambda x: st.skew(x) * st.kurtosis(x) + st.moment(x, 3) * st.sem(x),
    lambda x: st.skew(x, axis=1, bias=False) * st.kurtosis(x, axis=1, bias=False, fisher=False),
    lambda x: st.gmean(x**2 + 1.0) * st.hmean(x**2 + 1.0) * st.tmean(x) * st.iqr(x),
    lambda x: st.entropy(x**2) + st.entropy(x**2 + 1.0, x**4 + 0.5),
    lambda x: si.cumulative_trapezoid(x, dx=0.5, axis=0, initial=0),
    lambda x: si.cumulative_trapezoid(x, np.cumsum(np.exp(x), 1)),
    lambda x: sg.detrend(x) * sg.detrend(x, axis=0, type="constant"),
    lambda x: np.real(sg.hilbert(x) ** 2) + np.imag(sg.hilbert(x, axis=0)),
    lambda x: sg.sosfilt(np.array([[1.0, 0.2, 0.1, 1.0, -0.3, 0.1]]), x),
    lambda x: sg.medfilt(x[0], 3),
    lambda x: sg.convolve2d(x, x[:2, :3], boundary="symm"),
    lambda x: sg.convolve2d(x, x[:2, :3], mode="same", boundary="wrap"),
    lambda x: sg.convolve2d(x, x[:3, :2], mode="same", fillvalue=1.0),
]
SQUARES = [
    lambda a: sl.eigh(a + a.T)[0] + np.abs(sl.eigh(a + a.T, lower=False)[1]) ** 3,
    lambda a: sl.eigh(a + a.T, a @ a.T)[0] + np.abs(sl.eigh(a + a.T, a @ a.T)[1]) ** 3,
    lambda a: sl.eigh(a + a.T, a @ a.T, eigvals_only=True) + np.abs(sl.eigvals(a)) ** 2,
    lambda a: sl.lu(a)[1] * sl.lu(a, permute_l=True)[0] + sl.lu(a)[2],
    lambda a: sl.polar(a)[0] + sl.polar(a, side="left")[1],
    lambda a: sl.logm(a @ a.T) + sl.fractional_matrix_power(a @ a.T, 0.3),
    lambda a: sl.cosm(a) * sl.sinm(a) + sl.tanm(0.1 * a),
    lambda a: sl.coshm(a) * sl.sinhm(a) + sl.tanhm(0.1 * a),
    lambda a: sl.solve_continuous_lyapunov(a, a @ a) + sl.solve_discrete_lyapunov(0.1 * a, a),
    lambda a: sl.solve_toeplitz((a[0], a[:, 0]), a[1]) + sl.solve_circulant(a[0], a[1]),
    lambda a: sl.companion(a[0]) @ sl.convolution_matrix(a[1], 2)[:2] + np.sum(sl.khatri_rao(a, a)),
    lambda a: sl.solve(a, a[0], check_finite=False) + sl.inv(a, overwrite_a=False)[0],
]
ROWS = [
    lambda x: sf.dct(x, n=6) + sf.dst(x, n=6) + sf.idct(x, 1, n=6),
    lambda x: sp.exprel(x) * sp.spherical_jn(2, x) * sp.spherical_in(0, x),
    lambda x: sp.spherical_yn(1, x) * sp.spherical_kn(1, x) * sp.zetac(x + 1.5),
    lambda x: np.real(sp.lambertw(x)) * np.imag(sp.lambertw(x, -1)) * np.imag(sp.wofz(x)),
    lambda x: np.abs(sp.wofz(x + 0.5j)) * sp.owens_t(x, x * x) * sp.ndtri_exp(-x),
    lambda x: sp.boxcox(x, x) * sp.boxcox1p(x, x[0]) * sp.stdtrit(3.0, x),
    lambda x: st.rayleigh.logpdf(x, scale=x[0]) * st.maxwell.logpdf(x) + st.gumbel_l.logpdf(x),
    lambda x: st.halfcauchy.logpdf(x) * st.truncnorm.logpdf(x, -1.0, x[0] + 1.0),
    lambda x: st.vonmises.logpdf(x, x[0]) * st.gennorm.logpdf(x, 1.5) * st.f.logpdf(x, 3.0, 4.0),
    lambda x: st.invgauss.logpdf(x, 1.5 * x[0]) * st.loguniform.logpdf(x, 0.1 * x[0], 2.0),
    lambda x: st.skewnorm.logpdf(x, x[0]) * st.expon.cdf(x) * st.expon.logsf(x) * st.expon.sf(x),
    lambda x: st.gamma.sf(x, 2.0) * st.gamma.logcdf(x, 1.5),
    lambda x: st.geom.logpmf(COUNTS, x) * st.nbinom.logpmf(COUNTS, 3.0, x),
    lambda x: (
        st.betabinom.logpmf(COUNTS, 5, x, x * x) * st.multinomial.logpmf(COUNTS, 7, x / np.sum(x))
    ),
]


def weighed(value: Any) -> Any:
    """One number that every element moves."""
    flat = np.ravel(value)
    return np.sum(flat * np.cos(np.arange(len(flat)) + 1.0) + 0.1 * flat * flat)


@pytest.mark.parametrize("g", RECTANGLES)
def test_rectangles(g: Any, confirm: Any) -> None:
    confirm(lambda x: weighed(g(x)), X)


@pytest.mark.parametrize("mode", ["reflect", "nearest", "wrap", "mirror"])
def test_edges(mode: str, confirm: Any) -> None:
    confirm(lambda x: weighed(nd.convolve(x, x[:2, :3], mode=mode)), X)


@pytest.mark.parametrize("norm", [None, "ortho", "forward"])
@pytest.mark.parametrize("kind", [1, 2, 3, 4])
def test_waves(kind: int, norm: Any, confirm: Any) -> None:
    confirm(lambda x: weighed(sf.dct(x, kind, norm=norm) * sf.idst(x, kind, norm=norm)), U)
    for f in (sf.dct, sf.idct, sf.dst, sf.idst):
        value = tl.value_and_grad(lambda x: f(x, kind, n=6, norm=norm))  # noqa: B023
        found = value(U, adjoint=np.ones(6))[0]
        np.testing.assert_allclose(found, f(U, kind, n=6, norm=norm), atol=1e-12)


@pytest.mark.parametrize("g", SQUARES)
def test_matrices(g: Any, confirm: Any) -> None:
    confirm(lambda x: weighed(g(x)), A)


@pytest.mark.parametrize("g", ROWS)
def test_rows(g: Any, confirm: Any) -> None:
    confirm(lambda x: weighed(g(x)), U)


def test_triangles_are_read(confirm: Any) -> None:
    confirm(lambda x: st.wishart.logpdf(x, 5, x @ x), P)
    confirm(lambda x: st.multivariate_t.logpdf(x[0], x[1], x, 4.0), P)


# A function, a point, its first and its second derivative there.
LIMITS = [
    (lambda x: sp.ellipk(x), 0.0, np.pi / 8, 9 * np.pi / 64),
    (lambda x: sp.ellipe(x), 0.0, -np.pi / 8, -3 * np.pi / 64),
    (lambda x: sp.spence(x), 1.0, -1.0, 0.5),
    (lambda x: sp.shichi(x)[0], 0.0, 1.0, 0.0),
    (lambda x: sp.gammainc(1.0, x), 0.0, 1.0, -1.0),
    (lambda x: sp.gammainc(2.0, x), 0.0, 0.0, 1.0),
    (lambda x: sp.gammaincc(2.0, x), 0.0, 0.0, -1.0),
    (lambda x: sp.betainc(1.0, 2.0, x), 0.0, 2.0, -2.0),
    (lambda x: sp.betainc(2.0, 1.0, x), 1.0, 2.0, 2.0),
    (lambda x: sp.chdtr(2.0, x), 0.0, 0.5, -0.25),
    (lambda x: sp.eval_hermite(0, x), 0.3, 0.0, 0.0),
    (lambda x: sp.eval_hermitenorm(0, x), 0.3, 0.0, 0.0),
    (lambda x: sp.expn(0, x), 1.0, -2.0 * np.exp(-1.0), 5.0 * np.exp(-1.0)),
    (lambda x: sp.exprel(x), 0.0, 0.5, 1.0 / 3.0),
    (lambda x: sp.lambertw(x).real, 0.0, 1.0, -2.0),
    (lambda x: sp.boxcox(2.0, x), 0.0, 0.5 * np.log(2.0) ** 2, np.log(2.0) ** 3 / 3.0),
    (lambda x: sp.spherical_jn(1, x), 0.0, 1.0 / 3.0, 0.0),
    (lambda x: sp.xlogy(x, 2.0), 0.0, np.log(2.0), 0.0),
]


@pytest.mark.parametrize(("f", "x", "slope", "bend"), LIMITS)
def test_limits(f: Any, x: float, slope: float, bend: float) -> None:
    with np.errstate(all="ignore"):
        df = tl.grad(f)
        np.testing.assert_allclose([df(x), tl.jvp(f)(x, tangent=1.0)[1]], slope, atol=1e-12)
        np.testing.assert_allclose(tl.grad(df)(x), bend, atol=1e-12)
        np.testing.assert_allclose(tl.jvp(df)(x, tangent=1.0)[1], bend, atol=1e-12)


@pytest.mark.parametrize(
    "f", [lambda x: np.sum(sp.digamma(x)), lambda x: np.sum(sp.gammainc(1.5, x))]
)
def test_single_precision(f: Any) -> None:
    x = U.astype(np.float32)
    assert tl.grad(f)(x).dtype == np.float32
    assert tl.jvp(f)(x, tangent=x)[1].dtype == np.float32


def test_filters_of_a_number(confirm: Any) -> None:
    """It has no edges."""
    confirm(lambda x, w: nd.convolve(x, w) * nd.correlate(x, w, mode="constant"), 0.5, 0.3)
