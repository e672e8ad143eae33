"""Views by `as_strided`: patches of images, frames of signals, diagonals."""

from __future__ import annotations

import numpy as np
import pytest
from numpy.lib.stride_tricks import as_strided

import tangentlite as tl
from tests.programs.strict import case, cases, check, label, normal


@case(normal(2, 3, 4), normal(2, 2, seed=1))
def convolved(x, w):
    n, height, width = x.shape
    s = x.strides
    patches = as_strided(x, (n, height - 1, width - 1, 2, 2), (s[0], s[1], s[2], s[1], s[2]))
    return np.sum(np.tensordot(patches, w, ((3, 4), (0, 1))) ** 2)


@case(normal(4, 6))
def pooled(x):
    s = x.strides
    blocks = as_strided(x, (2, 3, 2, 2), (s[0] * 2, s[1] * 2, *s))
    return np.sum(blocks.max(axis=(2, 3)) ** 2) + blocks.mean()


@case(normal(9))
def frames(x):
    y = x * 1.5
    step = y.strides[0]
    found = as_strided(y, (4, 3), (step * 2, step)) * np.array([0.5, 1.0, 0.3])
    return np.sum(np.sum(found, axis=1) ** 3)


@case(normal(3, 3))
def a_diagonal(a):
    b = a * 1.0
    d = as_strided(b, (3,), (b.strides[0] + b.strides[1],), writeable=False)
    return np.prod(d) + b.sum()


@case(normal(4, 3))
def without_strides(x):
    """The elements follow each other in memory."""
    return as_strided(x, (2, 2)).prod() + as_strided(x * x, (5,)).sum() + as_strided(x[0]).prod()


@case(0.7)
def of_a_number(x):
    return as_strided(x, (1,))[0] ** 2


@case(np.array([0.5, 1.2, -0.7, 0.3]))
def written_through(x):
    y = x.copy()
    v = np.lib.stride_tricks.as_strided(y, shape=(2, 2), strides=(2 * y.itemsize, y.itemsize))
    y *= 2
    v[0] = v[1] * y[:2]
    return np.sum(y**2 * np.arange(4)) + np.sum(v)


@pytest.mark.parametrize(("function", "args", "options"), cases(__name__), ids=label)
def test_it(function, args, options):
    check(function, *args, **options)


@pytest.mark.parametrize("order", ["F", "reversed"])
def test_arguments_may_lie_in_memory_as_they_like(order):
    x = normal(2, 3, 4)
    other = np.asfortranarray(x) if order == "F" else x[::-1, :, ::-1].copy()[::-1, :, ::-1]
    w = normal(2, 2, seed=1)
    df = tl.grad(convolved)
    np.testing.assert_allclose(df(other, w), df(x, w), rtol=1e-12)
    found = tl.jvp(convolved)(other, w, tangent=x)[1]
    np.testing.assert_allclose(found, tl.jvp(convolved)(x, w, tangent=x)[1], rtol=1e-12)


def overlapping(x):
    y = x.copy()
    v = as_strided(y, (3, 2), (8, 8))
    v[1] = 2.0 * x[0]
    return np.sum(v**3)


def test_elements_that_share_memory_are_not_written():
    """Without a derivative NumPy writes them."""
    for derivative in (tl.grad(overlapping), tl.grad(overlapping, optimized=False)):
        with pytest.raises(ValueError, match="read-only"):
            derivative(np.ones(4))
    with pytest.raises(ValueError, match="read-only"):
        tl.jvp(overlapping)(np.ones(4), tangent=np.ones(4))


def test_memory_of_others_has_no_derivative():
    whole = np.arange(8.0)
    with pytest.raises(ValueError, match="memory that is not of its array"):
        tl.grad(lambda x: as_strided(x, (4,), (8,)).sum())(whole[:3])
