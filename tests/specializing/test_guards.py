"""What a specialized derivative takes, what it says of itself, and what it does not take."""

from __future__ import annotations

import pickle
from typing import Any

import numpy as np
import pytest

import tangentlite as tl

W = np.arange(1.0, 5.0)


def cube(x: Any) -> Any:
    return x * x * x


def layer(w: Any, b: Any, x: Any) -> Any:
    return np.sum(np.tanh(x @ w + b) ** 2)


def scaled(x: Any, n: Any = 2, *, flag: Any = True, name: Any = "a", none: Any = None) -> Any:
    return x * n if flag and name == "a" and none is None else x


def total(xs: Any, k: Any) -> Any:
    return xs["a"] * xs["b"][0] * k


MATRICES = (np.ones((3, 4)), np.ones(4), np.ones((5, 3)))


def test_a_float_needs_no_test_but_one() -> None:
    derivative = tl.specialize(tl.grad(cube), 2.0)
    assert derivative(3.0) == 27.0
    assert derivative(3.0, adjoint=2.0) == 54.0
    assert "rt." not in derivative.source
    assert "# Specialized for x: a float\n    if type(x) is not float:" in derivative.source
    assert derivative.source.count("def ") == 1


@pytest.mark.parametrize("value", [3, True, np.float64(3.0), np.ones(1), "a", None, [1.0], 1j])
def test_other_kinds_are_type_errors(value: Any) -> None:
    with pytest.raises(TypeError, match="specialized for `x`: a float, not"):
        tl.specialize(tl.grad(cube), 2.0)(value)


def test_ranks_and_sorts_of_arrays() -> None:
    derivative = tl.specialize(tl.grad(cube), np.ones(3))
    seed = np.ones(5)
    np.testing.assert_array_equal(derivative(np.ones(5), adjoint=seed), 3.0 * seed)
    single = derivative(np.ones(5, np.float32), adjoint=np.ones(5, np.float32))
    assert single.dtype == np.float32
    for other in (np.ones((3, 1)), np.ones(3, int), np.ones(3, complex), np.array(1.0), 1.0):
        with pytest.raises(TypeError, match="a float array with 1 axis"):
            derivative(other)


def test_lengths_that_the_text_needs_are_guarded_and_no_others() -> None:
    derivative = tl.specialize(tl.grad(layer, wrt=(0, 1, 2)), *MATRICES)
    assert "w.shape[1] == b.shape[0]" in derivative.source
    assert "x.shape[1] ==" not in derivative.source
    general = tl.grad(layer, wrt=(0, 1, 2))
    others = (np.cos(np.ones((2, 7))), np.sin(np.ones(7)), np.cos(np.ones((9, 2))))
    for found, expected in zip(derivative(*others), general(*others)):
        np.testing.assert_array_equal(found, expected)
    with pytest.raises(ValueError, match=r"specialized for w.shape\[1\] == b.shape\[0\]"):
        derivative(np.ones((3, 4)), np.ones(1), np.ones((5, 3)))
    assert general(np.ones((3, 4)), np.ones(1), np.ones((5, 3)))[1].shape == (1,)


def test_axes_of_length_one_are_equal_to_none() -> None:
    def f(x: Any, y: Any) -> Any:
        return np.sum(np.sin(x * y) * y)

    derivative = tl.specialize(tl.grad(f, wrt=(0, 1)), np.ones((3, 1)), np.ones((1, 4)))
    x, y = np.cos(np.ones((3, 1))), np.sin(np.arange(4.0).reshape(1, 4))
    for found, expected in zip(derivative(x, y), tl.grad(f, wrt=(0, 1))(x, y)):
        np.testing.assert_array_equal(found, expected)
    assert derivative(np.ones((2, 5)), np.ones((2, 5)))[0].shape == (2, 5)


def test_a_length_may_become_one_or_zero() -> None:
    def f(x: Any, y: Any) -> Any:
        return np.sum(np.sin(x * y) * y)

    general = tl.grad(f, wrt=(0, 1))
    derivative = tl.specialize(general, np.ones((3, 4)), np.ones(4))
    for n, m in ((3, 1), (1, 1), (1, 4), (0, 4), (3, 0)):
        args = np.full((n, m), 0.3), np.full(m, 0.7)
        for found, expected in zip(derivative(*args), general(*args)):
            np.testing.assert_array_equal(found, expected)
            assert found.shape == expected.shape


def test_options_texts_and_none() -> None:
    derivative = tl.specialize(tl.grad(scaled), 2.0, 3, flag=True)
    assert derivative(5.0, 7, flag=True) == 7.0
    assert derivative(5.0) == 2.0
    for options in ({"n": 2.0}, {"flag": 1}, {"name": 3}, {"none": 1.0}):
        with pytest.raises(TypeError, match="specialized for"):
            derivative(5.0, **options)


def test_nests() -> None:
    derivative = tl.specialize(tl.grad(total), {"a": 2.0, "b": [3.0, 1]}, 4.0)
    general = tl.grad(total)({"a": 3.0, "b": [5.0, 1]}, 1.0)
    assert derivative({"a": 3.0, "b": [5.0, 1]}, 1.0) == general
    for other in ({"a": 3.0}, {"a": 3.0, "b": (5.0, 1)}, {"a": 3.0, "b": "x"}, 3.0):
        with pytest.raises(TypeError, match="like the example's"):
            derivative(other, 1.0)


def test_all_that_is_called_so() -> None:
    value, slope = tl.specialize(tl.value_and_grad(cube), 2.0)(2.0)
    assert (value, slope) == (8.0, 12.0)
    value, slope = tl.specialize(tl.jvp(cube), 2.0)(2.0, tangent=0.5)
    assert (value, slope) == (8.0, 6.0)
    assert tl.specialize(tl.grad(tl.grad(cube)), 2.0)(3.0) == 18.0
    special = tl.specialize(tl.grad(cube), 2.0)
    assert tl.specialize(special, np.ones(2)).facts["x"].wanted == "a float array with 1 axis"


def test_its_derivative() -> None:
    special = tl.specialize(tl.grad(cube), 2.0)
    assert tl.grad(special)(3.0) == 18.0
    assert tl.jvp(special)(3.0, tangent=1.0) == (27.0, 18.0)


def test_it_travels() -> None:
    special = tl.specialize(tl.grad(layer), *MATRICES)
    other = pickle.loads(pickle.dumps(special))
    np.testing.assert_array_equal(other(*MATRICES), special(*MATRICES))
    with pytest.raises(TypeError, match="specialized for"):
        other(1.0, *MATRICES[1:])


def test_what_is_bound_anew_is_seen() -> None:
    def rate(x: Any) -> Any:
        return x * factor

    factor = 3.0
    special = tl.specialize(tl.grad(rate), 2.0)
    assert special(1.0) == 3.0
    factor = 5.0
    assert special(1.0) == 5.0


def test_names_that_the_text_needs() -> None:
    def f(type: Any, np: Any, unfit: Any) -> Any:
        return type * np * unfit

    special = tl.specialize(tl.grad(f, wrt=(0, 1, 2)), 2.0, 3.0, W)
    assert special(1.0, 3.0, np.ones(1), adjoint=np.ones(1))[0] == 3.0
    with pytest.raises(TypeError, match="specialized for `type`"):
        special(1, 3.0, W)


def test_arguments_stay_and_written_ones_are_copied() -> None:
    def f(u: Any) -> Any:
        u[0] = u[0] * u[1]
        return np.sum(u * u)

    u = W.copy()
    special = tl.specialize(tl.grad(f), u)
    np.testing.assert_array_equal(special(u), tl.grad(f)(u))
    np.testing.assert_array_equal(u, W)


class Model:
    def __init__(self) -> None:
        self.w = 2.0

    def run(self, x: Any) -> Any:
        return self.w * x


@pytest.mark.parametrize("wrong", [cube, 3.0, tl.hvp(cube), tl.jacrev(cube), tl.vjp(cube)])
def test_what_is_no_derivative(wrong: Any) -> None:
    with pytest.raises(TypeError, match="takes what tl.grad"):
        tl.specialize(wrong, 2.0)


def test_what_is_no_example() -> None:
    def of_model(m: Any, x: Any) -> Any:
        return m.run(x)

    with pytest.raises(TypeError, match="`m` is Model"):
        tl.specialize(tl.grad(of_model, wrt="x"), Model(), 2.0)
    with pytest.raises(TypeError, match="takes derivatives of functions"):
        tl.specialize(tl.grad(Model().run), 2.0)
    with pytest.raises(TypeError, match="missing a required argument"):
        tl.specialize(tl.grad(layer), 2.0)
