"""Decompositions, inverses and norms of complex matrices.

Adjoints pair without conjugation: ``Re(sum(gradient * direction))`` is the derivative along a direction.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

import tangentlite as tl

DRAW = np.random.default_rng(7)


def drawn(*shape: int) -> Any:
    return DRAW.normal(size=shape) + 1j * DRAW.normal(size=shape)


SQUARE, TALL, WIDE, STACK = drawn(3, 3), drawn(4, 3), drawn(2, 4), drawn(2, 4, 3)
SQUARES = drawn(2, 3, 3)
WEIGHTS = drawn(2, 4, 4)


def weighed(z: Any) -> Any:
    """A curved real function of all parts of an array of at most three axes."""
    part = WEIGHTS.ravel()[: np.size(z)].reshape(np.shape(z))
    return np.sum(np.real(part * z + 0.3 * z * z))


def dagger(z: Any) -> Any:
    return np.conj(np.swapaxes(z, -1, -2))


def rebuilt(x: Any) -> Any:
    w, v = np.linalg.eigh(x)
    return weighed((v * np.exp(0.3 * w)[..., None, :]) @ dagger(v))


def rebuilt_from_above(x: Any) -> Any:
    w, v = np.linalg.eigh(x, UPLO="U")
    return weighed((v * np.sin(w)[..., None, :]) @ dagger(v)) + np.sum(np.abs(v[..., :2]) ** 3)


def vectors(x: Any) -> Any:
    """The phase of the vectors matters."""
    return weighed(np.linalg.eigh(x)[1]) + weighed(np.linalg.eigh(x, "U")[1])


def values(x: Any) -> Any:
    return np.sum(np.sin(np.linalg.eigh(x)[0])) + np.sum(np.cos(np.linalg.eigvalsh(x, "U")))


def general(x: Any) -> Any:
    w, v = np.linalg.eig(x)
    return weighed(v) + np.sum(np.abs(w) ** 3) + np.real(np.sum(np.linalg.eigvals(x) ** 3))


def approximated(x: Any) -> Any:
    u, s, vh = np.linalg.svd(x, full_matrices=False)
    return weighed((u * np.sin(s)[..., None, :]) @ vh) + np.sum(np.abs(u) ** 3)


def phased(x: Any) -> Any:
    """The phase of the vectors matters."""
    u, s, vh = np.linalg.svd(x, full_matrices=False)
    return weighed(u) + weighed(vh) + np.sum(s**3)


def left_only(x: Any) -> Any:
    return weighed(np.linalg.svd(x, full_matrices=False)[0])


def right_only(x: Any) -> Any:
    return weighed(np.linalg.svd(x, False)[2])


def singular_values(x: Any) -> Any:
    s = np.linalg.svd(x, compute_uv=False)
    return np.sum(s**3) + np.sum(np.sin(np.linalg.svdvals(x))) + np.sum(np.linalg.svd(x)[1] ** 2)


def all_vectors(x: Any) -> Any:
    """What projects on the space beside the matrix."""
    u, s, vh = np.linalg.svd(x)
    beside, below = u[..., len(s) :], vh[len(s) :]
    return weighed(beside @ dagger(beside)) + weighed(dagger(below) @ below)


def orthogonal(x: Any) -> Any:
    q, r = np.linalg.qr(x)
    return weighed(q) + weighed(r)


def triangle(x: Any) -> Any:
    return weighed(np.linalg.qr(x, mode="r"))


def root(x: Any) -> Any:
    return weighed(np.linalg.cholesky(x @ dagger(x) + 2.0 * np.eye(3)))


def root_of_a_triangle(x: Any) -> Any:
    """Only the lower triangle is read, and only the real part of its diagonal."""
    return weighed(np.linalg.cholesky(x + 9.0 * np.eye(3)))


def pseudo_inverse(x: Any) -> Any:
    return weighed(np.linalg.pinv(x))


def inverse(x: Any) -> Any:
    return weighed(np.linalg.inv(x)) + weighed(np.linalg.solve(x, x @ x + 1.0))


def determinant(x: Any) -> Any:
    s, w = np.linalg.slogdet(x)
    return weighed(s) + np.sum(np.sin(w)) + weighed(np.linalg.det(x)) + weighed(w * s)


def norms(x: Any) -> Any:
    total = np.linalg.norm(x) * np.linalg.norm(x, "nuc") * np.linalg.norm(x, 2)
    return total + np.linalg.norm(x, -2) ** 2 + np.linalg.norm(x, "fro") * np.linalg.norm(x, 1)


def norms_along(x: Any) -> Any:
    kept = np.linalg.norm(x, "nuc", axis=(0, 2), keepdims=True)
    pairs = np.linalg.norm(x, 2, (1, 2)) * np.linalg.norm(x, "fro", axis=(1, 2))
    return np.sum(np.sin(kept)) + np.sum(np.sin(pairs)) + np.sum(np.linalg.norm(x, axis=1) ** 3)


def matrix_norms(x: Any) -> Any:
    total = np.linalg.matrix_norm(x) * np.linalg.matrix_norm(x, ord="nuc")
    return np.sum(np.sin(total * np.linalg.matrix_norm(x, ord=2, keepdims=True)[..., 0, 0]))


def conditions(x: Any) -> Any:
    total = np.linalg.cond(x) * np.linalg.cond(x, "fro") + np.linalg.cond(x, -2)
    return np.sum(np.sin(total) + np.linalg.cond(x, 1))


def sizes(x: Any) -> Any:
    return np.sum(np.real(np.abs(x))) + np.sum(np.abs(x[0]) ** 3 * abs(x[1, 0]))


def least_squares(x: Any) -> Any:
    y, rest, _, s = np.linalg.lstsq(x, WEIGHTS[0, : len(x), :2] + 0.5j)
    return weighed(y) + np.sum(rest) + np.sum(s**3) + weighed(np.linalg.lstsq(x, x[:, 0])[0])


def by_keyword(x: Any) -> Any:
    return np.linalg.norm(x=x) * np.linalg.norm(ord="nuc", x=x)


def of_real_numbers(x: Any) -> Any:
    w, v = np.linalg.eigh(np.real(x) + 1j * np.imag(x) ** 2)
    return weighed(w * v @ dagger(v) * (1.0 + 2.0j)) + np.sum(np.abs(v) ** 3)


CASES: list[tuple[Callable[..., Any], Any]] = [
    *((f, x) for f in (rebuilt, rebuilt_from_above, vectors, values) for x in (SQUARE, SQUARES)),
    *((general, x) for x in (SQUARE, SQUARES)),
    *((f, x) for f in (approximated, phased) for x in (SQUARE, TALL, WIDE, STACK)),
    *((f, x) for f in (left_only, right_only, orthogonal) for x in (SQUARE, TALL, WIDE)),
    *((f, x) for f in (singular_values, pseudo_inverse) for x in (TALL, WIDE, STACK)),
    *((f, x) for f in (all_vectors, triangle) for x in (TALL, WIDE)),
    *((f, x) for f in (root, root_of_a_triangle, inverse, determinant) for x in (SQUARE, SQUARES)),
    *((norms, x) for x in (SQUARE, WIDE)),
    *((norms_along, STACK), (matrix_norms, STACK), (matrix_norms, WIDE)),
    *((conditions, SQUARE), (conditions, SQUARES), (sizes, WIDE), (by_keyword, WIDE)),
    *((least_squares, TALL), (least_squares, WIDE), (of_real_numbers, SQUARE)),
]


FUNCTIONS = list(dict.fromkeys(f for f, _ in CASES))


def in_turns() -> list[Any]:
    """The first case of each function is tested always; the others are slow."""
    first = {f: next(k for k, (g, _) in enumerate(CASES) if g is f) for f in FUNCTIONS}
    slow = pytest.mark.slow
    return [
        pytest.param(f, x, id=f"{f.__name__}-{x.shape}", marks=() if first[f] == k else slow)
        for k, (f, x) in enumerate(CASES)
    ]


def slope(f: Any, x: Any, v: Any, step: float) -> Any:
    return (f(x + step * v) - f(x - step * v)) / (2 * step)


def paired(g: Any, v: Any) -> Any:
    return np.real(np.sum(g * v))


@pytest.mark.parametrize(("f", "x"), in_turns())
def test_both_modes_and_both_again(f: Any, x: Any) -> None:
    v, u = DRAW.normal(size=(2, *x.shape)) + 1j * DRAW.normal(size=(2, *x.shape))
    df, jf = tl.grad(f), tl.jvp(f)
    expected = pytest.approx(slope(f, x, v, 1e-6), rel=1e-5, abs=1e-5)
    for optimized in (True, False):
        gradient = tl.grad(f, optimized=optimized)(x)
        assert (gradient.dtype, gradient.shape) == (x.dtype, x.shape)
        assert paired(gradient, v) == expected
    assert jf(x, tangent=v)[1] == expected
    assert paired(tl.vjp(f)(x)[1](1.0), v) == expected

    def along(x: Any) -> Any:
        return jf(x, tangent=v)[1]

    bent = pytest.approx(slope(lambda x: paired(df(x), v), x, u, 1e-5), rel=1e-4, abs=1e-4)
    assert paired(tl.jvp(df)(x, tangent=u)[1], v) == bent
    assert paired(tl.vjp(df)(x)[1](v), u) == bent
    assert tl.jvp(along)(x, tangent=u)[1] == bent
    assert paired(tl.grad(along)(x), u) == bent


@pytest.mark.parametrize("f", FUNCTIONS, ids=lambda f: f.__name__)
def test_single_precision_is_kept(f: Any) -> None:
    x = next(x for g, x in CASES if g is f)
    single = x.astype(np.complex64)
    gradient = tl.grad(f)(single)
    assert gradient.dtype == np.complex64
    scale = np.max(np.abs(tl.grad(f)(x)))
    np.testing.assert_allclose(gradient, tl.grad(f)(x), rtol=0.02, atol=0.02 * scale)


@pytest.mark.parametrize("f", [f for f in FUNCTIONS if f is not general], ids=lambda f: f.__name__)
def test_real_numbers_in_a_complex_array(f: Any) -> None:
    """The real part of the gradient is that of the real array; LAPACK chooses other signs in eig."""
    x = next(x for g, x in CASES if g is f).real.copy()
    real = tl.grad(f)(x)
    assert real.dtype == np.float64
    np.testing.assert_allclose(tl.grad(f)(x + 0j).real, real, rtol=1e-8, atol=1e-8)


def test_equal_values_are_taken_without_their_vectors() -> None:
    a = 2.0 * np.eye(3) + 0j
    for f in (
        lambda x: np.sum(np.linalg.eigvalsh(x)),
        lambda x: np.sum(np.linalg.eigh(x)[0]),
        lambda x: np.sum(np.linalg.svd(x)[1]),
        lambda x: np.linalg.norm(x, "nuc"),
    ):
        np.testing.assert_allclose(tl.grad(f)(a), np.eye(3), atol=1e-12)
    with pytest.raises(TypeError, match="have no derivative"):
        tl.grad(lambda x: np.sum(np.abs(np.linalg.eigh(x)[1])))(a)


@pytest.mark.parametrize("f", [rebuilt, approximated], ids=lambda f: f.__name__)
def test_what_does_not_depend_on_a_phase_that_jumps(f: Any) -> None:
    """The entries that hold the phase are zero here."""
    a, v = np.diag([1.0, 2.0, 4.0]) + 0j, drawn(3, 3)
    expected = pytest.approx(slope(f, a, v, 1e-6), rel=1e-5)
    assert paired(tl.grad(f)(a), v) == expected
    assert tl.jvp(f)(a, tangent=v)[1] == expected


@pytest.mark.parametrize("order", [None, "fro", "nuc", 1, 2, -2, np.inf])
def test_every_norm_is_flat_at_zero(order: Any) -> None:
    zero = np.zeros((2, 3), complex)
    np.testing.assert_array_equal(tl.grad(lambda x: np.linalg.norm(x, order))(zero), zero)


def test_complex_vectors_of_a_real_matrix_are_differentiated_twice() -> None:
    a = np.array([[1.0, 3.0, 0.1], [-3.0, 1.2, 0.2], [0.3, -0.1, 2.0]])
    v, u = DRAW.normal(size=(2, 3, 3))
    df = tl.grad(general)
    bent = pytest.approx(slope(lambda x: paired(df(x), v), a, u, 1e-5), rel=1e-4)
    assert df(a).dtype == np.float64
    assert paired(tl.jvp(df)(a, tangent=u)[1], v) == bent
    assert paired(tl.vjp(df)(a)[1](v), u) == bent


def test_a_list_of_complex_rows_is_a_complex_matrix() -> None:
    def f(x: Any) -> Any:
        w, v = np.linalg.eigh([[x[0], 1.0j], [x[1], 2.0]])
        return np.sum(w**3) + np.sum(np.abs(v) ** 3)

    x, v = drawn(2), drawn(2)
    expected = pytest.approx(slope(f, x, v, 1e-6), rel=1e-6)
    assert paired(tl.grad(f)(x), v) == expected
    assert tl.jvp(f)(x, tangent=v)[1] == expected


def test_sizes_have_all_derivatives() -> None:
    def size(z: Any) -> Any:
        return np.real(abs(z))

    def second(z: Any) -> Any:
        return np.real(tl.grad(size)(z))

    def third(z: Any) -> Any:
        return np.real(tl.grad(second)(z))

    z, step = 1.0 + 2.0j, 1e-6
    for f in (size, second, third):
        assert np.real(tl.grad(f)(z)) == pytest.approx(slope(f, z, 1.0, step), rel=1e-6)


def test_cubes_of_sizes_bend_at_zero() -> None:
    df = tl.grad(lambda z: np.sum(np.abs(z) ** 3))
    at, v = np.array([0j, 1j]), np.array([1.0, 2.0j])
    np.testing.assert_allclose(tl.jvp(df)(at, tangent=v)[1], [0.0, -12.0j])
    np.testing.assert_allclose(tl.vjp(df)(at)[1](v), [0.0, -12.0j])
