"""``np.einsum`` with lists of labels that have names, or are made in the function."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

import tangentlite as tl

ROWS, OUT = [0, 1], (0, 2)


def in_variables(x, y):
    a, b, out = [0, 1], [1, 2], [0, 2]
    return np.sum(np.einsum(x, a, y, b, out) ** 2)


def outside(x, y):
    return np.sum(np.einsum(x, ROWS, y, [1, 2], OUT) ** 2)


def with_a_name_inside(x, y, n=30):
    return np.sum(np.einsum(x, [0, 1], y, [1, n], [0, n]) ** 2)


def of_ranges(x, y):
    return np.sum(np.einsum(x, range(2), y, range(1, 3), optimize=True) ** 2)


def unpacked(x, y):
    operands = [x, [0, 1], y, [1, 2], [2, 0]]
    return np.sum(np.einsum(*operands) ** 2)


def with_an_ellipsis(x, y):
    a = [..., 1]
    return np.sum(np.einsum(x, a, y, [1, 2]) ** 2)


def without_output(x, y):
    a, b = [3, 1], [1, 0]
    return np.sum(np.einsum(x, a, y, b) ** 2 * np.ones((2, 3)) * np.arange(3.0))


def subscripts_in_a_variable(x, y):
    spec = "ij,jk"
    return np.sum(np.einsum(spec, x, y) ** 2)


def of_arrays(x, y):
    return np.sum(np.einsum(x, np.arange(2), y, np.arange(1, 3), np.array([2, 0])) ** 2)


def given_as_defaults(x, y, a=(0, 1), b=(1, 2)):
    return np.sum(np.einsum(x, a, y, b) ** 2)


def test_labels_that_are_arguments() -> None:
    def f(x, y, labels):
        return np.sum(np.einsum(x, labels, y, [1, 2]) ** 2)

    x, y = np.ones((3, 4)), np.arange(8.0).reshape(4, 2)
    expected = tl.grad(subscripts_in_a_variable)(x, y)
    np.testing.assert_allclose(tl.grad(f)(x, y, [0, 1]), expected)
    np.testing.assert_allclose(tl.grad(f)(x, y, (0, 1)), expected)


@pytest.mark.parametrize(
    "f",
    [
        of_arrays,
        given_as_defaults,
        in_variables,
        outside,
        with_a_name_inside,
        of_ranges,
        unpacked,
        with_an_ellipsis,
        without_output,
        subscripts_in_a_variable,
    ],
)
def test_lists_of_labels(f: Any, confirm: Any) -> None:
    draw = np.random.default_rng(4)
    confirm(f, draw.normal(size=(3, 4)), draw.normal(size=(4, 2)))


# Large ones are made of products of matrices ------------------------------------------------


def batches(x, y):
    turned = np.einsum("kij,nkj->nki", x, y)
    return np.sum(turned**2)


def chain(x, y, z):
    return np.sum(np.sin(np.einsum("ij,jk,kl->il", x, y, z)))


def overlapping(x, y):
    return np.sum(np.einsum("...ij,...kj", x, y) ** 3)


def of_complex(x, y):
    turned = np.einsum("ij,jk->ik", x + 1j * x**2, y)
    return np.sum(np.abs(turned) ** 2)


def of_small(x, y):
    return np.einsum("ij,ij->", x, y)


LARGE = [
    (batches, ((3, 20, 30), (40, 3, 30))),
    (chain, ((30, 4), (4, 30), (30, 30))),
    (overlapping, ((2, 30, 20), (30, 20))),
    (of_complex, ((30, 30), (30, 40))),
    (of_small, ((2, 3), (2, 3))),
]


@pytest.mark.parametrize(("f", "shapes"), LARGE, ids=lambda v: getattr(v, "__name__", ""))
@pytest.mark.parametrize("dtype", ["float64", "float32"])
def test_the_order_of_products_is_left_to_the_runtime(f: Any, shapes: Any, dtype: str) -> None:
    rng = np.random.default_rng(1)
    xs = [(rng.normal(size=s) / 10).astype(dtype) for s in shapes]
    options: dict[str, Any] = {"wrt": tuple(range(len(xs)))}
    fast, plain = tl.grad(f, **options), tl.grad(f, optimized=False, **options)
    assert "rt.einsum(" in fast.source
    assert "rt.einsum(" not in plain.source
    tolerance = 1e-4 if dtype == "float32" else 1e-10
    for found, want in zip(fast(*xs), plain(*xs), strict=True):
        assert found.dtype == want.dtype == dtype
        np.testing.assert_allclose(found, want, rtol=tolerance, atol=tolerance)


def test_what_does_not_fit_is_said_by_numpy() -> None:
    x = np.ones((2, 3))
    for ys in [(x, np.ones((2, 3, 4))), (x, np.ones((4, 3)))]:
        with pytest.raises(ValueError) as told:
            of_small(*ys)
        with pytest.raises(ValueError) as found:
            tl.grad(of_small)(*ys)
        assert str(found.value) == str(told.value)


def test_an_order_that_the_user_has_chosen_stays() -> None:
    def chosen(x, y):
        return np.sum(np.einsum("ij,jk->ik", x, y, optimize=False))

    assert "rt.einsum(" not in tl.grad(chosen).source


def test_a_name_of_the_user_stays_his() -> None:
    def named(x, rt):
        return np.sum(np.einsum("ij,jk->ik", x, rt) ** 2)

    x = np.arange(6.0).reshape(2, 3)
    np.testing.assert_allclose(tl.grad(named)(x, x.T), 2.0 * (x @ x.T) @ x)
