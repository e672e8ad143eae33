"""``scipy.special``: inverses, edges, arrays, precision, what is refused by name."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

import tangentlite as tl

sp: Any = pytest.importorskip("scipy.special", reason="SciPy is not there")
U = np.array([0.3, 0.5, 0.9])
NEW = hasattr(sp, "legendre_p")

# Inverses of distribution functions, after the function: the first argument comes back.
ROUNDS: list[tuple[Any, tuple[float, ...]]] = [
    (lambda x, a: sp.gammaincinv(a, sp.gammainc(a, x)), (0.7, 1.3)),
    (lambda x, a: sp.gammainccinv(a, sp.gammaincc(a, x)), (0.7, 1.3)),
    (lambda x, v: sp.chdtri(v, sp.chdtrc(v, x)), (1.4, 2.6)),
    (lambda v, x: sp.chdtriv(sp.chdtr(v, x), x), (2.6, 1.4)),
    (lambda a, b, x: sp.gdtria(sp.gdtr(a, b, x), b, x), (0.8, 1.3, 0.7)),
    (lambda b, a, x: sp.gdtrib(a, sp.gdtr(a, b, x), x), (1.3, 0.8, 0.7)),
    (lambda x, a, b: sp.gdtrix(a, b, sp.gdtr(a, b, x)), (0.7, 0.8, 1.3)),
    (lambda m: sp.pdtri(2, sp.pdtr(2.0, m)), (1.3,)),
    (lambda k, m: sp.pdtrik(sp.gammaincc(k + 1.0, m), m), (1.7, 1.3)),
    (lambda x, a, b: sp.betaincinv(a, b, sp.betainc(a, b, x)), (0.4, 1.3, 0.7)),
    (lambda x, a, b: sp.betainccinv(a, b, sp.betaincc(a, b, x)), (0.4, 1.3, 0.7)),
    (lambda a, b, x: sp.btdtria(sp.betainc(a, b, x), b, x), (1.3, 0.7, 0.4)),
    (lambda b, a, x: sp.btdtrib(a, sp.betainc(a, b, x), x), (0.7, 1.3, 0.4)),
    (lambda p: sp.bdtri(2.0, 5, sp.bdtr(2.0, 5, p)), (0.4,)),
    (lambda k, n, p: sp.bdtrik(sp.betaincc(k + 1.0, n - k, p), n, p), (1.7, 5.5, 0.4)),
    (lambda n, k, p: sp.bdtrin(k, sp.betaincc(k + 1.0, n - k, p), p), (5.5, 1.7, 0.4)),
    (lambda p: sp.nbdtri(2, 5, sp.nbdtr(2, 5, p)), (0.4,)),
    (lambda k, n, p: sp.nbdtrik(sp.betainc(n, k + 1.0, p), n, p), (1.7, 5.5, 0.4)),
    (lambda n, k, p: sp.nbdtrin(k, sp.betainc(n, k + 1.0, p), p), (5.5, 1.7, 0.4)),
    (lambda x, n, m: sp.fdtri(n, m, sp.fdtr(n, m, x)), (0.7, 2.6, 3.4)),
    (lambda m, n, x: sp.fdtridfd(n, sp.fdtr(n, m, x), x), (3.4, 2.6, 0.7)),
    (lambda t, df: sp.stdtrit(df, sp.stdtr(df, t)), (0.7, 2.6)),
    (lambda df, t: sp.stdtridf(sp.stdtr(df, t), t), (2.6, 0.7)),
    (lambda x, df, nc: sp.chndtrix(sp.chndtr(x, df, nc), df, nc), (1.4, 2.6, 0.8)),
    (lambda df, x, nc: sp.chndtridf(x, sp.chndtr(x, df, nc), nc), (2.6, 1.4, 0.8)),
    (lambda nc, x, df: sp.chndtrinc(x, df, sp.chndtr(x, df, nc)), (0.8, 1.4, 2.6)),
    (lambda f, n, m, nc: sp.ncfdtri(n, m, nc, sp.ncfdtr(n, m, nc, f)), (0.7, 2.6, 3.4, 0.8)),
    (lambda m, n, nc, f: sp.ncfdtridfd(n, sp.ncfdtr(n, m, nc, f), nc, f), (3.4, 2.6, 0.8, 0.7)),
    (lambda n, m, nc, f: sp.ncfdtridfn(sp.ncfdtr(n, m, nc, f), m, nc, f), (2.6, 3.4, 0.8, 0.7)),
    (lambda nc, n, m, f: sp.ncfdtrinc(n, m, sp.ncfdtr(n, m, nc, f), f), (0.8, 2.6, 3.4, 0.7)),
    (lambda t, df, nc: sp.nctdtrit(df, nc, sp.nctdtr(df, nc, t)), (0.7, 2.6, 0.8)),
    (lambda df, nc, t: sp.nctdtridf(sp.nctdtr(df, nc, t), nc, t), (2.6, 0.8, 1.7)),
    (lambda nc, df, t: sp.nctdtrinc(df, sp.nctdtr(df, nc, t), t), (0.8, 2.6, 1.7)),
    (lambda m, s, p: sp.nrdtrimn(sp.ndtr((0.4 - m) / s) + 0.0 * p, s, 0.4), (0.7, 1.3, 0.2)),
    (lambda s, m, x: sp.nrdtrisd(m, sp.ndtr((x - m) / s), x), (1.3, 0.7, 1.9)),
    (lambda x: sp.kolmogi(sp.kolmogorov(x)), (0.7,)),
    (lambda x: sp.smirnovi(5, sp.smirnov(5, x)), (0.33,)),
    (lambda x: sp.log_ndtr(sp.ndtri_exp(x)), (-0.7,)),
]


@pytest.mark.parametrize(("f", "at"), ROUNDS)
def test_what_is_inverted_comes_back(f: Any, at: tuple[float, ...]) -> None:
    """The gradient of the identity, which is flat, in every mode and to second order."""
    wrt: Any = tuple(range(len(at))) if len(at) > 1 else 0
    first = np.eye(len(at))[0]
    df = tl.grad(f, wrt=wrt)
    rough = 2e-4 if len(at) == 4 else 1e-6  # SciPy finds these itself to six digits
    np.testing.assert_allclose(np.ravel(df(*at)), first, atol=rough)
    tangent = tuple(0.3 + 0.2 * k for k in range(len(at)))
    ahead = tl.jvp(f, wrt=wrt)(*at, tangent=tangent if len(at) > 1 else tangent[0])[1]
    assert ahead == pytest.approx(tangent[0], abs=rough)
    bends = tl.jvp(df, wrt=wrt)(*at, tangent=tangent if len(at) > 1 else tangent[0])[1]
    np.testing.assert_allclose(np.ravel(bends), 0.0, atol=10.0 * rough)
    back = tl.vjp(df, wrt=wrt)(*at)[1](tangent if len(at) > 1 else tangent[0])
    np.testing.assert_allclose(np.ravel(back), 0.0, atol=10.0 * rough)


# A function, a point, its first and its second derivative there.
LIMITS: list[tuple[Any, float, float, float | None]] = [
    (lambda x: sp.agm(x, 1.0), 1.0, 0.5, -0.125),
    (lambda x: sp.elliprf(x, 1.0, 1.0), 1.0, -1 / 6, 3 / 20),
    (lambda x: sp.elliprd(1.0, x, 1.0), 1.0, -3 / 10, 9 / 28),
    (lambda x: sp.elliprc(1.0, x), 1.0, -1 / 3, 2 / 5),
    (lambda x: sp.ellipkinc(0.0, x), 0.5, 0.0, 0.0),
    (lambda x: sp.ellipkinc(np.pi, x), 0.0, np.pi / 4, 9 * np.pi / 32),
    (lambda x: sp.ellipj(x, 0.0)[0], 0.0, 1.0, 0.0),
    (lambda x: sp.diric(x, 3), 0.0, 0.0, -2 / 3),
    (lambda x: sp.struve(0, x), 0.0, 2 / np.pi, 0.0),
    (lambda x: sp.it2struve0(x), 0.0, -2 / np.pi, 0.0),
    (lambda x: sp.it2j0y0(x)[0], 0.0, 0.0, 0.25),
    (lambda x: sp.it2i0k0(x)[0], 0.0, 0.0, 0.25),
    (lambda x: sp.it2i0k0(x)[0], 1e-6, 2.5e-7, 0.25),
    (lambda x: np.imag(sp.kelvin(x)[0]), 0.0, 0.0, 0.5),
    (lambda x: sp.bei(x), 0.0, 0.0, 0.5),
    (lambda x: sp.lmbda(2, x)[0][1], 0.0, 0.0, -0.25),
    (lambda x: sp.riccati_jn(2, x)[1][1], 0.0, 2 / 3, 0.0),
    (lambda x: sp.lpmv(0, 2, x), 1.0, 3.0, 3.0),
    (lambda x: sp.lpmv(2, 2, x), -1.0, 6.0, -6.0),
    (lambda x: sp.smirnov(3, x), 0.0, -1.0, -4.0),
    (lambda x: sp.voigt_profile(0.0, x, 1.0), 0.0, 0.0, -2 / np.pi),
    (lambda x: sp.gammainc(x, 1.0), 0.0, -0.21938393439552, None),
    (lambda x: sp.gammainc(x, 0.7), 0.0, -sp.exp1(0.7), None),
    (lambda x: sp.comb(2.0, x), 3.0, 0.0, 0.0),
    (lambda x: sp.factorial(x), -2.0, 0.0, 0.0),
    (lambda x: sp.inv_boxcox1p(0.5, x), 0.0, -0.125 * np.exp(0.5), np.exp(0.5) * 19 / 192),
    (lambda x: sp.mathieu_a(0, x), 0.0, 0.0, -1.0),
    (lambda x: sp.log_ndtr(x), -800.0, 800.0012499960937, -0.9999984375146),
    (lambda x: sp.log_ndtr(x), 60.0, 0.0, 0.0),
    (lambda x: sp.erfcx(x) * 1e12, 1e6, -0.564189583546, 1.128379167e-6),
    (lambda x: sp.dawsn(x) * 1e12, 1e6, -0.5, 1e-6),
]


@pytest.mark.parametrize(("f", "x", "slope", "bend"), LIMITS)
def test_limits(f: Any, x: float, slope: float, bend: float | None) -> None:
    with np.errstate(all="ignore"):
        df = tl.grad(f)
        close = {"rtol": 1e-8, "atol": 1e-12}
        np.testing.assert_allclose([df(x), tl.jvp(f)(x, tangent=1.0)[1]], slope, **close)
        if bend is not None:
            found = [tl.grad(df)(x), tl.jvp(df)(x, tangent=1.0)[1]]
            np.testing.assert_allclose(found, bend, rtol=1e-8, atol=1e-10)


# Functions of an array; each is tried at shapes that broadcast, too.
ARRAYS: list[Any] = [
    lambda x: sp.gammainc(x, U) + sp.betainc(x, 1.3, U) + sp.chdtr(1.3, x),
    lambda x: sp.stdtr(x, U) + sp.fdtr(x, 2.0, x) + sp.nctdtr(2.0, x, U) + sp.chndtr(x, 2.0, U),
    lambda x: sp.pdtr(2.0, x) + sp.bdtr(1.0, 3, x) + sp.kolmogorov(x) + sp.smirnov(5, x),
    lambda x: sp.agm(x, U) + sp.elliprf(x, U, 0.5) + sp.elliprd(x, U, 0.5) + sp.elliprg(x, U, x),
    lambda x: sp.ellipj(x, U)[0] * sp.ellipj(U, x)[2] + sp.ellipkinc(x, U) + sp.ellipeinc(U, x),
    lambda x: np.abs(sp.hankel1(1, x)) * sp.struve(1, x) + sp.jvp(1, x, 2) * sp.yve(0, x),
    lambda x: sp.voigt_profile(x, U, x) * sp.diric(x, 4) + sp.wright_bessel(0.5, 1.2, x),
    lambda x: sp.lpmv(1, 3, x) * sp.pbvv(0.3, x)[0],
    lambda x: sp.pbdv(0.3, x)[0] * sp.pbwa(0.3, x)[1] * np.real(sp.kelvin(x)[1]),
    lambda x: sp.comb(x + 3.0, 2.0) * sp.perm(3.0, x) * sp.factorial(x) * sp.tklmbda(0.1 * x, U),
]


def weighed(value: Any) -> Any:
    """One number that every element moves."""
    flat = np.ravel(value)
    return np.sum(flat * np.cos(np.arange(len(flat)) + 1.0) + 0.1 * flat * flat)


@pytest.mark.parametrize("g", ARRAYS)
def test_arrays(g: Any, confirm: Any) -> None:
    confirm(lambda x: weighed(g(x)), np.array([0.25, 0.45, 0.7]))
    confirm(lambda x: weighed(g(x)), np.array([[0.25], [0.7]]))
    dot = tl.grad(lambda x: weighed(g(x)))(np.array(0.4))
    assert np.shape(dot) == ()


@pytest.mark.parametrize("g", ARRAYS)
def test_single_precision(g: Any) -> None:
    x = np.array([0.25, 0.45, 0.7], np.float32)

    def f(x: Any) -> Any:
        return np.sum(g(x))

    exact = tl.grad(f)(x.astype(float))
    found = tl.grad(f)(x)
    assert found.dtype == np.float32
    np.testing.assert_allclose(found, exact, rtol=1e-3, atol=1e-4)


SINGLE: list[Any] = [
    lambda x: sp.pdtr(2.0, x),
    lambda x: sp.chdtrc(2.0, x),
    lambda x: sp.gdtr(0.8, 1.3, x),
    lambda x: sp.stdtr(3.0, x),
    lambda x: sp.betainc(1.3, 0.7, x),
    lambda x: sp.kolmogorov(x),
    lambda x: sp.agm(x, 1.3),
    lambda x: sp.elliprc(x, 0.7),
    lambda x: sp.fdtri(2.0, 3.0, x),
    lambda x: sp.erfcx(x) + sp.log_ndtr(x) + sp.dawsn(x),
    lambda x: sp.lpmv(1, 2, x),
]


@pytest.mark.parametrize("f", SINGLE)
def test_tangents_keep_single_precision(f: Any) -> None:
    x = np.array([0.25, 0.45, 0.7], np.float32)
    value, tangent = tl.jvp(f)(x, tangent=x)
    assert value.dtype == f(x).dtype == np.float32
    assert tangent.dtype == np.float32


# Tables that SciPy makes of a number.
TABLES: list[Any] = [
    lambda x: sp.lqn(3, x)[1],
    lambda x: sp.lqmn(2, 3, x)[0],
    lambda x: sp.riccati_yn(3, x)[1],
    lambda x: sp.lmbda(2.3, x)[1],
    lambda x: sp.pbdv_seq(2.3, x)[0],
    lambda x: sp.pbdv_seq(-2.3, x)[0],
    lambda x: sp.pbvv_seq(1.3, x)[0],
    lambda x: sp.mathieu_even_coef(2, x) * sp.mathieu_cem(2, x, 30.0)[0],
    lambda x: sp.pro_cv_seq(1, 4, x) + sp.obl_cv_seq(1, 4, x),
]
if NEW:
    TABLES += [
        lambda x: sp.legendre_p_all(3, x),
        lambda x: sp.assoc_legendre_p_all(3, 2, x),
        lambda x: sp.assoc_legendre_p(3, 1, x + 1.0, branch_cut=3, norm=True),
        lambda x: sp.sph_legendre_p_all(3, 2, x) + sp.sph_legendre_p(3, -2, x + 4.0),
        lambda x: np.abs(sp.sph_harm_y_all(2, 1, x, 0.3) + sp.sph_harm_y(2, -1, 0.3, x)),
        lambda x: np.imag(sp.sph_harm_y_all(2, 2, 0.3, x)),
    ]


@pytest.mark.parametrize("g", TABLES)
def test_tables(g: Any, confirm: Any) -> None:
    confirm(lambda x: weighed(g(x)), 0.45)


COMPLEX: list[Any] = [
    lambda z: sp.jve(1.5, z) * sp.yve(0.5, z) * sp.ive(1.5, z),
    lambda z: sp.hankel1(1.5, z) * sp.hankel2e(0.5, z),
    lambda z: sp.elliprf(z, 0.5, 2.0) + sp.elliprj(z, 0.5, 2.0, z) + sp.elliprc(z, z * z),
    lambda z: sp.kvp(1, z) * sp.h1vp(1, z, 2) * sp.wofz(z),
]


@pytest.mark.parametrize("g", COMPLEX)
def test_complex_numbers(g: Any, confirm: Any) -> None:
    confirm(lambda x: np.real(g(x[0] + 1j * x[1])) + 0.7 * np.imag(g(x[1] - 1j * x[0])), U[1:])


@pytest.mark.parametrize(
    "f",
    [
        lambda x: sp.gammainc(x, 0.7),
        lambda x: sp.betainc(1.3, x, 0.7),
        lambda x: sp.stdtr(x, 0.7),
        lambda x: sp.chndtr(0.7, x, 1.3),
        lambda x: sp.elliprd(0.7, x, 1.3),
        lambda x: sp.mathieu_a(2, x),
    ],
)
def test_what_is_unknown_stays_unknown(f: Any) -> None:
    """No number, and no zero either."""
    with np.errstate(all="ignore"):
        assert np.isnan(tl.grad(f)(np.nan))


def test_mixed_derivatives() -> None:
    """Of first order in the point, of first order in the shape: it was zero."""
    inner = tl.grad(lambda x, a: sp.gammainc(a, x))
    found = tl.grad(inner, wrt=1)(1.3, 2.0)
    assert found == pytest.approx((inner(1.3, 2.00001) - inner(1.3, 1.99999)) / 2e-5, rel=1e-6)


# A call, and the argument that is refused by its name.
REFUSED: list[tuple[Any, str]] = [
    (lambda x: sp.hankel1(x, 1.3).real, "v"),
    (lambda x: sp.struve(x, 1.3), "v"),
    (lambda x: sp.jvp(x, 1.3), "v"),
    (lambda x: sp.pbdv(x, 1.3)[0], "v"),
    (lambda x: sp.besselpoly(0.5, x, 1.3), "lmb"),
    (lambda x: sp.mathieu_modcem1(2, x, 0.5)[0], "q"),
    (lambda x: sp.pro_ang1(1, 2, x, 0.4)[0], "c"),
    (lambda x: sp.lpmv(1, x, 0.4), "v"),
    (lambda x: sp.wright_bessel(x, 1.3, 0.4), "a"),
    (lambda x: sp.pdtr(x, 1.3), "k"),
    (lambda x: sp.smirnov(x, 0.3), "n"),
    (lambda x: np.polyval(sp.jacobi(2, x, 1.0), 0.4), "alpha"),
    (lambda x: np.polyval(sp.gegenbauer(2, x), 0.4), "alpha"),
]


@pytest.mark.parametrize(("f", "name"), REFUSED)
def test_refused_by_name(f: Any, name: str) -> None:
    with pytest.raises(tl.DerivativeError, match=f"no derivative in `{name}`"):
        tl.grad(f)(1.0)
    with pytest.raises(tl.DerivativeError, match=f"no derivative in `{name}`"):
        tl.jvp(f)(1.0, tangent=1.0)


def test_polynomials_are_objects() -> None:
    assert tl.grad(lambda x: np.polyval(sp.legendre(2), x))(0.5) == pytest.approx(1.5)
    assert tl.grad(lambda x: x * np.sum(sp.jacobi(2, 0.5, 1.0).coef))(0.5) == pytest.approx(
        np.sum(sp.jacobi(2, 0.5, 1.0).coef)
    )


def test_principal_values_are_refused() -> None:
    with pytest.raises(tl.DerivativeError, match="below zero"):
        tl.grad(lambda x: sp.elliprj(0.3, 0.7, 1.9, x))(-0.4)


def test_little_is_missing() -> None:
    from tangentlite.rules import coverage

    found = coverage.survey([sp])
    missing = [e.name for e in found if e.state == "missing"]
    rules = [e for e in found if e.state == "rule"]
    assert len(missing) <= 0.03 * len([*rules, *missing])
    assert all(e.reason and e.instead for e in found if e.state == "missing")
