"""SEMANTICS, section 9: a complex number makes complex what it meets, wherever it comes from.

Two values have one shape in the sense of the sweep only if both are real or both are complex.
"""

from __future__ import annotations

import cmath
from typing import Any

import numpy as np
import pytest

import tangentlite as tl

X = np.array([0.31, -0.83, 1.17, 0.64])
C = np.array([[1j, 2.0, 0.3], [1.0, 2j, 0.0], [1.0, 0.0, 2.0 - 1j]])
GLOBAL = 0.3 - 0.8j


def size(z):
    return np.sum(np.abs(z * z + z))


def sum_of_literals(x):
    return size(x * (1.0 + 2.0j))


def total(x):
    return size(x * np.sum(x * 1j))


def element(x):
    z = x + 1j * x * x
    return size(z[1] * x + z)


def root_of_unity(x):
    return size(np.exp(2j * np.pi / 3) * x)


def made_of_parts(x):
    return size(complex(0.3, 0.4) * x)


def constant_array(x):
    z = np.array([1j, 2.0, 3.0, 1.0 + 2j])
    y = z[0] * x
    return np.sum(np.abs(y * (y + x)))


def outside(x):
    y = GLOBAL * x
    return size(y * np.sum(y) + x)


def stored_element(x):
    z = np.zeros(4, complex)
    z[1] = x[0] + 1j
    return size(z[1] * x)


def transformed(x):
    z = np.fft.fft(x)
    return size(x * z[1] * np.mean(z))


def numbers_only(x):
    s = abs(x[0] * (0.2 + 1j))
    t = s * (x[1] - 2j)
    return abs(t * t + s)


def by_a_branch(x):
    c = 2.0
    if x[0] > 0.0:
        c = 1.0 + 2.0j
    y = x * c
    return size(y * y)


def in_a_loop(x):
    y, c = x * 2.0, 0.5
    for _ in range(2):
        y = y * c
        c = c * 1j + 0.3
    return size(y + x)


@pytest.mark.parametrize(
    "f",
    [
        *(sum_of_literals, total, element, root_of_unity, made_of_parts, constant_array, outside),
        *(stored_element, transformed, numbers_only, by_a_branch, in_a_loop),
    ],
)
def test_complex_numbers_inside(confirm: Any, f: Any) -> None:
    confirm(f, X, second=False)


def times_the_sum(x, c):
    y = np.sum(c) * x
    return np.sum(np.abs(y * y + y))


def times_the_trace(x, c):
    y = np.sin(x)
    for _ in range(2):
        y = y * np.trace(c)
    return np.sum(np.abs(y + x))


def between_real_numbers(x, c):
    u = np.sin(x)
    v = np.sum(c) * u
    w = np.stack([v, u])
    t = np.maximum(np.abs(w[0]), u)
    return np.sum(t * np.abs(v))


def times_a_slot(x, d):
    return size(d["c"][0] * x + np.sum(d["c"]) * np.sin(x))


@pytest.mark.parametrize("f", [times_the_sum, times_the_trace, between_real_numbers])
def test_complex_arguments(confirm: Any, f: Any) -> None:
    confirm(f, X, C, second=False)


def test_complex_numbers_in_a_dict(confirm: Any) -> None:
    confirm(times_a_slot, X, {"c": np.array([1j, 2.0 - 0.5j])}, second=False)


def test_the_printed_text_is_for_real_numbers() -> None:
    derivative = tl.grad(times_the_sum)
    real = derivative(X, C.real)
    np.testing.assert_allclose(derivative(X, C.real + 0j), real)
    assert derivative(X, C).dtype == np.float64
    with pytest.raises(TypeError, match="complex numbers"):
        derivative.function(X, C)


def squares(x):
    z = x * (1.0 + 2.0j)
    w = z * np.sum(z)
    return np.sum((w * w * z).imag)


def test_second_order(confirm: Any) -> None:
    confirm(squares, X)


def sizes_in_a_loop(x):
    """What is real meets complex numbers in each trip: its adjoint is real again where it came from."""
    h = x * (1.0 + 0.5j)
    for _ in range(3):
        w = np.abs(h) * np.angle(h) + np.real(h) * np.imag(h)
        h = np.tanh(w) * h + 0.1j * x
    return size(h)


def stored_sizes(x):
    z = np.zeros((2, 4), complex)
    for i in range(2):
        z[i] = np.abs(x * (i + 1.0j)) * 1j
    return size(z * x)


@pytest.mark.parametrize("f", [sizes_in_a_loop, stored_sizes])
def test_real_numbers_between_complex_ones(confirm: Any, f: Any) -> None:
    confirm(f, X)


def to_the(v, c):
    return np.abs(v**c) + np.real(np.power(v, 2.0 * c))


@pytest.mark.parametrize("v", [-1.5, np.float64(-1.5), 0.7])
def test_negative_numbers_to_complex_powers(v: Any) -> None:
    c, e = 0.3 + 0.2j, 1e-6
    in_v = (to_the(v + e, c) - to_the(v - e, c)) / (2.0 * e)
    in_c = [(to_the(v, c + e * u) - to_the(v, c - e * u)) / (2.0 * e * u) for u in (1.0, 1j)]
    np.testing.assert_allclose(tl.grad(to_the)(v, c), in_v, rtol=1e-7)
    np.testing.assert_allclose(tl.grad(to_the, wrt="c")(v, c), sum(in_c), rtol=1e-7)
    tangent = tl.jvp(to_the, wrt="c")(v, c, tangent=1j)[1]
    np.testing.assert_allclose(tangent, (1j * in_c[1]).real, rtol=1e-7)


def powers_of_all(x):
    return np.sum(np.real(x ** (x[::-1] * (0.4 + 0.2j))) + np.imag(np.power(x, 1j)))


def test_complex_powers_of_second_order(confirm: Any) -> None:
    confirm(powers_of_all, X)


def angles_of_what_is_written(x):
    b = x * 1.0
    r = np.angle(b) * 0.5 + b
    for i in range(1, 4):
        b[i] += cmath.phase(b[i - 1]) + np.angle(b[i], deg=True) + cmath.polar(b[i])[0]
    return np.sum(r * r) + np.sum(b * b)


def test_angles_of_real_numbers_are_flat(confirm: Any) -> None:
    confirm(angles_of_what_is_written, X)
