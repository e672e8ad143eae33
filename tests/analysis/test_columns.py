"""Axes that are brought back say the same, however they are asked for."""

import numpy as np
import pytest

import tangentlite as tl

R = np.random.default_rng(5)


def softmax_reshaped(x, t):
    e = np.exp(x - x.max(axis=-1).reshape(-1, 1))
    p = e / np.sum(e, axis=1).reshape((-1, 1))
    return -(t * np.log(p)).sum()


def softmax_of_function(x, t):
    e = np.exp(x - np.reshape(np.amax(x, 1), (-1, 1)))
    return np.sum(t * e / np.reshape(e.sum(1), (-1, 1)))


def by_columns(x, t):
    e = np.exp(x - x.max(axis=0).reshape(1, -1))
    return np.sum(t * e / e.sum(axis=0)[None, :])


def by_columns_from_the_end(x, t):
    e = np.exp(x - x.max(axis=-2)[None])
    return np.sum(t * e / e.sum(axis=-2)[np.newaxis, :])


def the_other_way(x, t):
    s = x.sum(axis=0).reshape(-1, 1)  # a column of what was summed along columns
    return np.sum((x @ s) * t) + np.sum(x.mean(axis=1)[None, :] @ x)


def used_twice(x, t):
    m = x.max(axis=1)
    e = np.exp(x - m.reshape(-1, 1))
    return np.sum(t * (x - m[:, None] - np.log(e.sum(axis=1)).reshape(-1, 1))) + m.sum()


def bound_again(x, t):
    s = x.sum(axis=1)
    y = x / s[:, None]
    s = np.cos(x).sum(axis=1)
    return np.sum(y * t / s.reshape(-1, 1))


def in_a_loop(x, t):
    for _ in range(3):
        s = x.sum(axis=1)
        x = x * t / s[..., None]
    return np.sum(x)


def in_a_branch(x, t):
    s = x.sum(axis=1)
    if s[0] > 0:
        s = x.max(axis=1)
    return np.sum(x * t / s.reshape(-1, 1))


def spread(x, t):
    d = x - x.mean(axis=1).reshape(-1, 1)
    return np.sum(t * d / np.sqrt(x.var(axis=1).reshape(-1, 1) + 0.1))


def with_an_argument_more(x, t):
    s = np.sum(x, axis=1, initial=2.0)
    return np.sum(x * t / s.reshape(-1, 1))


ALL = (softmax_reshaped, softmax_of_function, by_columns, by_columns_from_the_end, the_other_way)
ALL += (used_twice, bound_again, in_a_loop, in_a_branch, spread, with_an_argument_more)
TIES = np.array([[1.0, 1.0, 0.5], [0.2, 0.9, 0.9], [0.3, 0.3, 0.3]])
BEYOND = np.array([[1e300, -1e300, 2.0], [np.inf, 1.0, 0.0], [np.nan, 0.0, 1.0]])
INPUTS = {
    "square": R.normal(size=(3, 3)) + 2.0,
    "ties": TIES,
    "beyond": BEYOND,
    "single": (R.normal(size=(3, 3)) + 2.0).astype(np.float32),
    "turned": np.asfortranarray(R.normal(size=(3, 3)) + 2.0).T,
    "one": np.array([[2.0]]),
    "wide": R.normal(size=(2, 4)) + 2.0,
    "none": np.zeros((0, 0)),
}


@pytest.mark.filterwarnings("ignore")
@pytest.mark.parametrize("name", INPUTS)
@pytest.mark.parametrize("f", ALL, ids=lambda f: f.__name__)
def test_gradients(f, name):
    x = INPUTS[name]
    t = np.linspace(0.5, 1.5, x.size).reshape(x.shape).astype(x.dtype)
    with np.errstate(all="ignore"):
        try:
            wanted = tl.grad(f, optimized=False)(x, t)
        except (ValueError, IndexError) as fault:
            with pytest.raises(type(fault)):
                tl.grad(f)(x, t)
            return
        df = tl.grad(f)
        for _ in range(2):
            found = df(x, t)
            assert found.dtype == wanted.dtype and found.shape == wanted.shape
            tolerance = 1e-4 if x.dtype == np.float32 else 1e-10
            np.testing.assert_allclose(found, wanted, rtol=tolerance, atol=tolerance)


@pytest.mark.parametrize("f", ALL, ids=lambda f: f.__name__)
def test_every_mode(f, confirm):
    confirm(f, INPUTS["square"], np.linspace(0.5, 1.5, 9).reshape(3, 3))


def test_three_axes_stay_what_they_are():
    def f(x, t):
        return np.sum(x * t.reshape(-1, 1) + x.sum(axis=1)[:, None])

    x, t = R.normal(size=(2, 2, 2)), R.normal(size=2)
    np.testing.assert_allclose(tl.grad(f)(x, t), tl.grad(f, optimized=False)(x, t))


def test_the_text():
    df = tl.grad(softmax_reshaped)
    df(TIES, TIES)
    assert "x.max(axis=-1, keepdims=True)" in df.source
