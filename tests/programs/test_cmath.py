"""Functions of ``cmath``: of real and complex numbers, in loops, as parts."""

from __future__ import annotations

import cmath
from typing import Any

import pytest

import tangentlite as tl
from tests.programs.strict import check


def wave(x):
    return cmath.exp(1j * x).real * cmath.exp((0.3 - x * 1j) * x).imag


def of_a_product(x):
    t = x * x
    z = cmath.exp(t)
    return (z * z).real


def root_of_a_negative(x):
    return cmath.sqrt(-x).imag * cmath.sqrt(x).real


def logarithms(x):
    z = cmath.log(complex(x, x * x))
    return z.real * z.imag + cmath.log(x + 1j, 2).real + cmath.log10(x + 1j).imag


def polar(x):
    r, phi = cmath.polar(complex(x, 2 * x * x))
    return r * phi + cmath.phase(complex(x, x**3)) * cmath.rect(x, x * x).imag


def iterated(x):
    z = complex(0.1, x)
    for _ in range(5):
        z = z * z + complex(x, 0.2)
    return abs(z)


def inverses(x):
    first = cmath.tanh(x).real + cmath.atan(x).real + cmath.asinh(x).real
    return first + cmath.acosh(x + 2).real + cmath.atanh(x * 1j).imag + cmath.acos(x + 2j).imag


def roots(x):
    a, b, c = 1.0, x, 2.0
    d = cmath.sqrt(b * b - 4 * a * c)
    return ((-b + d) / (2 * a)).imag * ((-b - d) / (2 * a)).real


def asks(x):
    if cmath.isfinite(x) and not cmath.isclose(x, 3.0):
        return cmath.sin(x + cmath.pi).real * x
    return x


@pytest.mark.parametrize(
    "f",
    [wave, of_a_product, root_of_a_negative, logarithms, polar, iterated, inverses, roots, asks],
    ids=lambda f: f.__name__,
)
def test_real_derivatives(f: Any) -> None:
    check(f, 0.7)
    assert type(tl.grad(f)(0.7)) is float
