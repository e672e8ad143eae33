"""Rules name what they need themselves: a module that never imported NumPy as ``np`` is as good as any."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy
import numpy as apart
import pytest
from numpy import partition, sort, sum as total

import tangentlite as tl

X = apart.array([3.0, 1.0, 2.0])


def in_order(x):
    return total(sort(x) * x)


def in_parts(x):
    return total(partition(x, 1) * x)


def by_another_name(x):
    return apart.sum(apart.sort(x) * apart.cross(x, x + 1.0))


def by_its_own_name(x):
    return numpy.sum(numpy.sort(x) * numpy.cumprod(x))


PROGRAMS = [in_order, in_parts, by_another_name, by_its_own_name]


@pytest.mark.parametrize("f", PROGRAMS, ids=lambda f: f.__name__)
def test_modules_without_np(f: Callable[..., Any]) -> None:
    step = 1e-6
    moved = [f(X + step * e) - f(X - step * e) for e in apart.eye(3)]
    expected = apart.array(moved) / (2 * step)
    assert tl.grad(f)(X) == pytest.approx(expected, rel=1e-6, abs=1e-7)
    assert tl.vjp(f)(X)[1](1.0) == pytest.approx(expected, rel=1e-6, abs=1e-7)
    tangents = [tl.jvp(f)(X, tangent=e)[1] for e in apart.eye(3)]
    assert apart.array(tangents) == pytest.approx(expected, rel=1e-6, abs=1e-7)
