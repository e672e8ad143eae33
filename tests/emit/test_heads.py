"""A function that changes its variables in place, called with Python's numbers, goes straight to a text for them."""

import functools
import math
import pickle
import warnings

import numpy as np
import pytest

import tangentlite as tl
from tangentlite.observed import target


def cubed(x):
    y = x
    y *= x
    y *= x
    return y


def scaled(x, n=3):
    y = x * n
    y += 1.0
    y *= x
    return y


def filled(x, a):
    y = np.zeros(3)
    y[0] = x * a
    y[1:] = math.sin(x)
    y *= a
    return y.sum()


def shifted(x, *, by):
    x *= by
    return x * x


def halved(x):
    x -= 1
    x /= 2
    return x**2


def straight(derivative):
    """Whether calls go to generated code at once."""
    return getattr(target(derivative), "__code__", None) is not None and not hasattr(
        target(derivative), "__self__"
    )


def test_a_call_with_floats_makes_the_next_ones_direct():
    for function, args in ((cubed, (1.3,)), (scaled, (1.3,)), (scaled, (1.3, 4)), (halved, (3.0,))):
        df = tl.grad(function)
        first = df(*args)
        assert straight(df)
        assert type(df(*args)) is type(first) is float
        assert df(*args) == first == pytest.approx(tl.grad(function, optimized=False)(*args))


@pytest.mark.parametrize("function", [cubed, halved, scaled])
def test_what_comes_after_floats_is_told_apart(function):
    df, fresh = tl.grad(function), functools.partial(tl.grad, function)
    df(2.0)
    array = np.array([1.0, 2.0])
    for x in (np.float64(1.5), np.float32(1.5), 3, True, np.array(2.0), array):
        seed = np.ones_like(x) if x is array else 1.0
        got, expected = df(x, adjoint=seed), fresh()(x, adjoint=seed)
        assert type(got) is type(expected) and np.array_equal(got, expected)
    assert array.tolist() == [1.0, 2.0] or function is not scaled
    assert df(2.0) == fresh()(2.0)


def test_other_integers_and_types_of_what_is_not_differentiated():
    df = tl.grad(scaled)
    for args in ((2.0,), (2.0, 5), (2.0, 5.5), (2.0, np.float64(5.5)), (2.0, 5), (2.0,)):
        assert df(*args) == pytest.approx(4 * (args[1] if len(args) > 1 else 3) + 1)
    assert df(x=2.0, n=4) == df(2.0, n=4) == 17.0


def test_seeds_under_both_names():
    df = tl.grad(cubed)
    assert df(2.0) == 12.0
    assert df(2.0, adjoint=2.0) == df(2.0, by=2.0) == 24.0
    assert df(np.float64(2.0), adjoint=2.0) == df(np.float64(2.0), by=2.0) == 24.0
    found = df(np.ones(2), by=np.array([2.0, 3.0]))  # y is x, so that it is squared twice
    assert np.array_equal(found, [8.0, 12.0])
    with pytest.raises(TypeError, match="which are the same"):
        df(2.0, adjoint=2.0, by=3.0)
    with pytest.raises(TypeError, match="which are the same"):
        df(np.float64(2.0), adjoint=2.0, by=3.0)
    with pytest.raises((TypeError, ValueError)):
        df(2.0, adjoint=np.ones(2))


def test_a_parameter_with_the_name_of_the_seed():
    df = tl.grad(shifted)
    assert df(2.0, by=3.0) == 36.0
    assert df(np.float64(2.0), by=3.0) == 36.0
    assert df(2.0, by=2) == 16.0


def test_arrays_that_are_made_of_floats():
    df = tl.value_and_grad(filled, wrt=(0, 1))
    value, (bx, ba) = df(0.5, 2.0)
    assert straight(df)
    assert value == pytest.approx(filled(0.5, 2.0))
    assert bx == pytest.approx(4.0 + 4.0 * math.cos(0.5))
    assert ba == pytest.approx(2 * 0.5 * 2.0 + 2 * math.sin(0.5))
    again = df(0.5, 2.0)
    assert again == (value, (bx, ba))


def test_a_function_that_is_redefined_or_given_other_defaults():
    def own(x, k=2.0):
        y = x
        y *= k
        return y * x

    df = tl.grad(own)
    assert df(3.0) == 12.0
    own.__defaults__ = (5.0,)
    assert df(3.0) == 30.0
    own.__defaults__ = (7,)
    assert df(3.0) == 42.0

    def other(x, k=2.0):
        y = x * x
        y *= x
        return y * k

    own.__code__ = other.__code__
    assert df(2.0) == 84.0


def test_large_numbers_become_infinite_as_before():
    df = tl.grad(cubed)
    assert df(2.0) == 12.0
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        assert df(1e200) == math.inf == tl.grad(cubed)(np.float64(1e200))
        assert math.isnan(df(math.nan))


def test_it_travels():
    df = tl.grad(cubed)
    df(2.0)
    other = pickle.loads(pickle.dumps(df))
    assert other(3.0) == other(3) == other(np.float64(3.0)) == 27.0


def test_second_derivatives():
    ddf = tl.grad(tl.grad(cubed))
    assert ddf(2.0) == ddf(2.0) == ddf(np.float64(2.0)) == 12.0


def test_a_name_that_hides_type():
    df = tl.grad(hiding)
    assert df(2.0, 3.0) == df(2.0, 3.0) == df(np.float64(2.0), 3.0) == 12.0


def hiding(x, type):
    float = x
    float *= type
    return float * x
