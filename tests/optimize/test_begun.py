"""Arrays that are made of lists which loops filled hold what they would hold as arrays."""

import numpy as np
import pytest

import tangentlite as tl
from tangentlite.doors import floating
from tangentlite.optimize.facts.scope import Scope
from tangentlite.optimize.numbers.begun import begun
from tangentlite.optimize.numbers.sorts import Sorts
from tangentlite.optimize.samples import USER, function, sample_is_pure, text_of


@pytest.fixture(autouse=True)
def strictly(monkeypatch):
    monkeypatch.setattr(floating, "strict", True)


STAYS = (
    "bx = np.zeros(n)\nbx_list = bx.tolist()\nbx_list[0] = by\nbx[:] = bx_list",  # n may be below zero
    "bx = np.zeros(x.shape)\nx = y\nbx_list = bx.tolist()\nbx_list[0] = by\nbx[:] = bx_list",
    "bx = np.zeros(x.shape)\nbx_list = bx.tolist()\nbx[0] = by\nbx[:] = bx_list",
    "bx = np.zeros(x.shape)\nbx[0] = by\nbx_list = bx.tolist()\nbx[:] = bx_list",
    "bx = np.zeros(x.shape)\nbx_list = bx.tolist()\nif n:\n    bx[:] = bx_list",
    "bx = np.zeros(x.shape)\nbx_list = bx.tolist()\nbx[1:] = bx_list",
    "bx = np.zeros(A.shape)\nbx_list = bx.tolist()\nbx[:] = bx_list",
    "bx = np.zeros(x.shape)\nbx = np.zeros(x.shape)\nbx_list = bx.tolist()\nbx[:] = bx_list",
)


@pytest.mark.parametrize("text", STAYS)
def test_what_stays(text):
    f = function(text)
    given = {"x": 1, "y": 1, "A": 2, "n": "int", "by": "float"}
    sorts = Sorts(f.body, given, Scope(f, USER, sample_is_pure).purity)
    assert text_of(begun(f.body, sorts)) == text_of(f.body)


def horner(c, x):
    s = 0.0
    for a in c:
        s = s * x + a
    return s


def filled(x, n):
    y = np.zeros(n)
    for i in range(n):
        y[i] = np.sin(x[i]) * (y[i - 1] if i else 1.0)
    return np.sum(y * y)


def by_length(x, a):
    y = np.zeros(len(x))
    for i in range(1, len(x)):
        y[i] = a * y[i - 1] + x[i] ** 2
    return y[-1] * 2.0 + np.sum(y)


X = np.array([0.4, -0.7, 1.3, 0.2, 0.9, -0.1, 0.6, 0.8, 0.3])


@pytest.mark.parametrize("x", [X, X[:1], np.append(X, np.nan), np.append(X, np.inf), X[::2], X[:0]])
def test_programs(x):
    cases = [(horner, (x, 0.5), (0, 1)), (filled, (x, len(x)), 0)]
    cases += [(by_length, (x, 0.5), (0, 1))] if len(x) else []
    for f, args, wrt in cases:
        with np.errstate(all="ignore"):
            wanted = tl.grad(f, wrt=wrt, optimized=False)(*args)
            df = tl.grad(f, wrt=wrt)
            for _ in range(3):
                found = df(*args)
                pairs = [(found, wanted)] if wrt == 0 else zip(found, wanted)
                for one, other in pairs:
                    assert type(one) is type(other)
                    np.testing.assert_allclose(one, other, rtol=1e-10, equal_nan=True)


def test_a_size_below_zero_is_refused_by_numpy():
    df = tl.grad(filled)
    for _ in range(3):
        with pytest.raises(ValueError, match="negative"):
            df(X, -1)
