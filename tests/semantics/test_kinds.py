"""SEMANTICS, section 1: kinds; entry and exit of a derivative."""

from __future__ import annotations

from collections import namedtuple
from typing import Any

import numpy as np
import pytest

import tangentlite as tl

Pair = namedtuple("Pair", "left right")


def square(x):
    return x * x


def first(parts):
    return parts[0] * 2.0


def total(x):
    return np.sum(x * x)


def repeated(xs, n):
    ys = xs * int(n)
    return ys[0] * ys[3]


def joined(a, b):
    c = a + b
    return c[0] * c[2]


def with_list(xs):
    return np.sum(np.sin(xs))


def indicator(x):
    k = np.array(x, dtype=int)
    return np.sum(x * k)


@pytest.mark.parametrize("container", [list, tuple])
def test_operators_on_containers_are_not_arithmetic(container: Any) -> None:
    assert tl.grad(joined, ("a", "b"))(container([2.0]), container([3.0, 5.0])) == (
        container([5.0]),
        container([0.0, 2.0]),
    )


@pytest.mark.parametrize("container", [list, tuple])
def test_a_container_times_a_number_is_longer(container: Any) -> None:
    gradient = tl.grad(repeated)(container([2.0, 3.0]), 2)
    assert gradient == container([3.0, 2.0])


def test_one_function_several_kinds() -> None:
    df = tl.grad(lambda p: p[0] * p[1])
    assert df([2.0, 3.0]) == [3.0, 2.0]
    assert df((2.0, 3.0)) == (3.0, 2.0)
    np.testing.assert_array_equal(df(np.array([2.0, 3.0])), [3.0, 2.0])
    assert df([2.0, 3.0]) == [3.0, 2.0]


@pytest.mark.parametrize("container", [list, tuple])
def test_numbers_in_a_list_count_as_an_array(container: Any) -> None:
    gradient = tl.grad(with_list)(container([0.0, 1.0]))
    assert type(gradient) is container
    np.testing.assert_allclose(gradient, np.cos([0.0, 1.0]))


@pytest.mark.parametrize(
    ("x", "expected"),
    [
        (3, 6.0),
        (True, 2.0),
        (np.int64(3), 6.0),
        (np.int8(3), 6.0),
        (np.array(3), np.array(6.0)),
    ],
)
def test_integers_have_a_float_adjoint(x: Any, expected: Any) -> None:
    gradient = tl.grad(square)(x)
    assert gradient == expected
    assert np.asarray(gradient).dtype == np.float64
    assert np.shape(gradient) == np.shape(expected)


def test_integer_arrays_too() -> None:
    gradient = tl.grad(total)(np.array([1, 2, 3]))
    np.testing.assert_array_equal(gradient, [2.0, 4.0, 6.0])
    assert gradient.dtype == np.float64


def test_the_primal_runs_on_integers_unchanged() -> None:
    def halves(x):
        return (x // 2) * x

    value, gradient = tl.value_and_grad(halves)(5)
    assert (value, gradient) == (10, 2.0)


@pytest.mark.parametrize(
    "x",
    [
        3.0,
        np.float64(3.0),
        np.float32(3.0),
        np.float16(3.0),
        np.array(3.0),
        np.array(3.0, np.float32),
    ],
    ids=lambda x: f"{type(x).__name__}-{getattr(x, 'dtype', '')}",
)
def test_a_gradient_has_type_and_dtype_of_its_argument(x: Any) -> None:
    for df in (tl.grad(square), tl.grad(square, optimized=False), tl.grad(total)):
        gradient = df(x)
        assert gradient == 6.0
        assert type(gradient) is type(x)
        assert np.asarray(gradient).dtype == np.asarray(x).dtype


def test_swapped_bytes_are_numbers() -> None:
    x = np.array([1.0, 3.0, 2.0], ">f8")
    np.testing.assert_array_equal(tl.grad(lambda x: x.max() * x[0])(x), [3.0, 1.0, 0.0])


@pytest.mark.parametrize("shape", [(1,), (3,), (1, 1), (2, 3), (0,), (3, 0)])
@pytest.mark.parametrize("dtype", [np.float32, np.float64])
def test_a_gradient_has_the_shape_of_its_argument(shape: Any, dtype: Any) -> None:
    x = np.ones(shape, dtype)
    gradient = tl.grad(total)(x)
    assert gradient.shape == shape
    assert gradient.dtype == dtype
    assert gradient.flags.writeable


def test_a_result_of_one_element_is_no_scalar() -> None:
    for x in (np.ones(1), np.ones((1, 1)), np.ones(3)):
        with pytest.raises(
            TypeError, match=r"needs a scalar result, or a seed: df\(x, adjoint=…\)"
        ):
            tl.grad(square)(x)
    np.testing.assert_array_equal(tl.grad(square)(np.ones(1), adjoint=np.ones(1)), [2.0])


@pytest.mark.parametrize("seed", [1.0, np.ones(2), np.ones((1, 3)), np.ones((3, 1)), [1.0, 2.0]])
def test_seeds_of_another_shape(seed: Any) -> None:
    with pytest.raises(TypeError, match=r"\(3,\)"):
        tl.grad(square)(np.ones(3), adjoint=seed)


def test_seeds_of_a_scalar() -> None:
    for seed in (np.ones(1), np.ones(3), [1.0]):
        with pytest.raises(TypeError, match="seed"):
            tl.grad(square)(3.0, adjoint=seed)


class Matrix(np.ndarray):
    """Stands for np.matrix, whose ``*`` is another one."""

    def __new__(cls, values):
        return np.asarray(values).view(cls)


class Array:
    """Stands for an array of another library."""

    def __array__(self, dtype=None, copy=None):
        return np.ones(3)

    def __mul__(self, other):
        return self

    detach = to_numpy = compute = toarray = __mul__


@pytest.mark.parametrize(
    ("library", "name", "advice"),
    [
        ("torch", "Tensor", "x.detach().cpu().numpy()"),
        ("jax", "Array", "np.asarray(x)"),
        ("jaxlib.xla", "ArrayImpl", "np.asarray(x)"),
        ("pandas.core.frame", "DataFrame", "x.to_numpy()"),
        ("pandas.core.series", "Series", "x.to_numpy()"),
        ("cupy", "ndarray", "cupy.asnumpy(x)"),
        ("dask.array", "Array", "x.compute()"),
        ("scipy.sparse", "csr_array", "x.toarray()"),
        ("unheard_of", "Grid", "np.asarray(x)"),
    ],
)
def test_foreign_arrays_are_refused_by_name(library: str, name: str, advice: str) -> None:
    foreign = type(name, (Array,), {"__module__": library})()
    for derivative in (tl.grad(square), tl.value_and_grad(total), tl.vjp(square)):
        with pytest.raises(TypeError) as caught:
            derivative(foreign)
        assert library.partition(".")[0] in str(caught.value)
        assert name in str(caught.value)
        assert advice in str(caught.value)


@pytest.mark.parametrize("library", ["torch", "jaxlib", "unheard_of"])
def test_foreign_arrays_are_no_seeds_and_no_tangents(library: str) -> None:
    foreign = type("Theirs", (Array,), {"__module__": library, "shape": (3,), "ndim": 1})()
    for given in (foreign, np.ma.masked_array(np.ones(3), [0, 1, 0])):
        with pytest.raises(TypeError, match=r"is not differentiated; pass .*adjoint"):
            tl.grad(square)(np.ones(3), adjoint=given)
        with pytest.raises(TypeError, match=r"is not differentiated; pass .*tangent"):
            tl.jvp(square)(np.ones(3), tangent=given)
        with pytest.raises(TypeError, match=r"is not differentiated; pass .*tangent"):
            tl.jvp(first)([np.ones(3)], tangent=[given])


def test_foreign_arrays_that_a_function_finds_are_refused_with_the_conversion() -> None:
    tensor = type("Tensor", (Array,), {"__module__": "torch"})()

    def closed(x):
        return np.sum(x * tensor)

    with pytest.raises(tl.UnsupportedSyntaxError, match=r"\.detach\(\)\.cpu\(\)\.numpy\(\)"):
        tl.grad(closed)(np.ones(3))


@pytest.mark.parametrize(
    ("x", "name"),
    [
        (np.ma.masked_array([1.0, 2.0], [0, 1]), "masked"),
        (Matrix(np.eye(2)), "Matrix"),
        (np.array([1.0, None]), "object"),
        (np.array(["a"]), "dtype"),
        (np.array(["2020-01-01"], "datetime64[D]"), "datetime64"),
    ],
    ids=["masked", "matrix", "object", "text", "dates"],
)
def test_odd_arrays_are_refused_by_name(x: Any, name: str) -> None:
    with pytest.raises(TypeError, match=name):
        tl.grad(total)(x)
    with pytest.raises(TypeError, match=name):
        tl.jvp(total)(x, tangent=x)


@pytest.mark.parametrize(
    "x",
    [np.ma.masked_array([1.0], [1]), Matrix(np.eye(2)), np.array([1.0, None])],
    ids=["masked", "matrix", "object"],
)
def test_odd_arrays_in_a_nest(x: Any) -> None:
    with pytest.raises((TypeError, tl.DerivativeError)):
        tl.grad(lambda p: np.sum(p[0]))([x])


MASKED = np.ma.masked_array([1.0, 2.0], [0, 1])


def test_odd_arrays_in_a_global() -> None:
    try:
        gradient = tl.grad(lambda x: np.sum(x * MASKED))(np.ones(2))
    except (TypeError, tl.DerivativeError):
        return
    np.testing.assert_array_equal(gradient, [1.0, 0.0])


class Box:
    x = 1.0

    def __init__(self, y: float, label: str = "") -> None:
        self.y, self.label = y, label


def test_the_gradient_of_an_object_has_its_attributes() -> None:
    assert tl.grad(lambda box: box.x * box.y**2)(Box(3.0)) == tl.Gradient(y=6.0, label=None)


def test_the_gradient_of_a_nest_is_a_nest() -> None:
    def f(p):
        return p["w"][0] * p["w"][1][0] * p["b"]

    given = {"w": (2.0, [3.0, 9]), "b": 5.0, "name": "layer", "n": 3, "none": None}
    gradient = tl.grad(f)(given)
    assert gradient == {"w": (15.0, [10.0, None]), "b": 6.0, "name": None, "n": None, "none": None}


def test_the_gradient_of_a_namedtuple_is_one() -> None:
    assert tl.grad(lambda p: p.left * p.right)(Pair(2.0, 3.0)) == Pair(3.0, 2.0)


def test_integers_made_by_the_primal_end_the_derivative() -> None:
    x = np.array([1.5, 2.5])
    np.testing.assert_array_equal(tl.grad(indicator)(x), [1.0, 2.0])


def raised(p):
    return p["w"] ** p["n"] * np.sum(p["k"] * p["w"]) * p["more"][0]


def test_integers_in_containers_have_no_tangent() -> None:
    """Forward mode gives what the gradient gives along the tangent: nothing for what is no float."""
    p = {"w": 2.0, "n": 3, "k": np.array([1, 2]), "more": [2, True]}
    gradient = tl.grad(raised)(p)
    assert gradient == {"w": 192.0, "n": None, "k": None, "more": [None, None]}
    for tangent in (p, {"w": 2.0, "n": None, "k": None, "more": [None, None]}):
        assert tl.jvp(raised)(p, tangent=tangent)[1] == 2.0 * gradient["w"]
    assert tl.jvp(lambda x: x * x)(3, tangent=1.0) == (9, 6.0)
