"""Shadows, buffers and records of arrays, lists and dicts that are written."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

import tangentlite as tl
from tangentlite import runtime as rt

A = np.arange(12.0).reshape(3, 4)


def same_memory(a: Any, b: Any) -> bool:
    return bool(np.shares_memory(a, b))


@pytest.mark.parametrize(
    "x", [A, A.T, np.asfortranarray(A), A[::-1, ::2], A[1], np.ones(()), np.zeros((0, 3))]
)
def test_a_shadow_lies_as_its_array_does(x: Any) -> None:
    bx = rt.shadow(x)
    assert bx.shape == x.shape
    assert bx.dtype == x.dtype
    assert bx.strides == x.strides
    assert not np.any(bx)
    assert not same_memory(x, bx)


@pytest.mark.parametrize("x", [np.arange(3), np.array([True, False])])
def test_integers_have_no_shadow(x: Any) -> None:
    assert rt.shadow(x) is rt.INERT
    assert rt.storage(x) is rt.INERT


def test_single_precision_has_a_shadow_of_its_own() -> None:
    assert rt.shadow(A.astype(np.float32)).dtype == np.float32
    assert rt.shadow(A.astype(complex)).dtype == complex


VIEWS = {
    "part": lambda x: x[1:, ::2],
    "row": lambda x: x[1],
    "backward": lambda x: x[::-1, ::-1],
    "transpose": lambda x: x.T,
    "reshape": lambda x: x.reshape(2, 6),
    "ravel": lambda x: x.ravel(),
    "diagonal": lambda x: np.diagonal(x),
    "newaxis": lambda x: x[:, None, 1],
    "of a view": lambda x: x[1:].T[::2],
    "element": lambda x: x[1:2, 2:3].reshape(()),
}


@pytest.mark.parametrize("make", VIEWS.values(), ids=VIEWS)
@pytest.mark.parametrize("order", ["C", "F"])
def test_a_view_has_the_same_view_of_the_shadow(make: Any, order: str) -> None:
    x = np.array(A, order=order)
    bx = rt.shadow(x)
    y = make(x)
    by = rt.view(y, x, bx)
    assert by.shape == y.shape
    if not same_memory(y, x):
        assert not same_memory(by, bx)
        return
    by[...] = y + 1.0
    np.testing.assert_array_equal(bx, np.where(np.isin(x, y), x + 1.0, 0.0))


def test_a_view_finds_its_array_among_many() -> None:
    first, second = A.copy(), A.copy()
    shadows = rt.shadow(first), rt.shadow(second)
    assert same_memory(rt.view(second[1:], first, shadows[0], second, shadows[1]), shadows[1])
    assert rt.view(first, second, shadows[1], first, shadows[0]) is shadows[0]


def test_elements_that_share_memory_are_refused() -> None:
    x = np.ones(3)
    with pytest.raises(tl.AliasError, match="elements share memory"):
        rt.view(np.broadcast_to(x, (2, 3)), x, rt.shadow(x))


def test_the_shadow_of_a_nest_keeps_what_is_shared() -> None:
    x = A.copy()
    bx = rt.shadow([x, x[1:], [x], 2.0])
    assert bx[0] is bx[2][0]
    assert same_memory(bx[0], bx[1])
    bx[1][0, 0] = 5.0
    assert bx[0][1, 0] == 5.0


def test_what_is_collected_counts_once() -> None:
    bx = np.ones(3)
    whole, part = rt.collected([bx, bx[:1]])
    np.testing.assert_array_equal(whole, [1.0, 1.0, 1.0])
    np.testing.assert_array_equal(part, [0.0])
    np.testing.assert_array_equal(bx, [1.0, 1.0, 1.0])


def test_the_adjoint_of_what_is_collected_goes_to_what_was_counted() -> None:
    bx, by = np.zeros(3), [np.full(3, 2.0), np.full(1, 7.0)]
    whole, part = rt.uncollected(by, [bx, bx[:1]])
    np.testing.assert_array_equal(whole, [2.0, 2.0, 2.0])
    np.testing.assert_array_equal(part, [0.0])


def test_what_is_a_view_has_taken_part_already() -> None:
    bx = rt.shadow(A)
    assert rt.apart(rt.view(A[1:], A, bx), bx) is rt.ZERO
    by = rt.shadow(A[1:].copy())
    assert rt.apart(by, bx) is by


def test_an_argument_is_copied_with_its_order() -> None:
    x = np.asfortranarray(A)
    own = rt.own(x)
    assert own.flags.f_contiguous
    assert not same_memory(own, x)
    assert rt.own(2.5) == 2.5
    nest = [x, {"k": x}]
    copy = rt.own(nest)
    assert copy[0] is copy[1]["k"]
    assert not same_memory(copy[0], x)


def test_overlapping_arguments_are_refused() -> None:
    x = np.arange(6.0)
    with pytest.raises(tl.AliasError, match="share memory"):
        rt.own(x[:4], 2.0, x[3:])
    rt.own(x[::2], x[1::2])


@pytest.mark.parametrize("order", ["C", "F"])
def test_a_private_copy_keeps_views(order: str) -> None:
    x = np.array(A, order=order)
    saved = (x[1:], [x, x.T], {"row": x[2]})
    part, (whole, across), table = rt.private(saved)
    part[...] = 7.0
    np.testing.assert_array_equal(whole[1:], part)
    np.testing.assert_array_equal(across, whole.T)
    np.testing.assert_array_equal(table["row"], part[1])
    np.testing.assert_array_equal(x, A)


@pytest.mark.parametrize("value", [[1.0, 2.0], {"a": 1.0}], ids=lambda v: type(v).__name__)
def test_contents_are_put_back(value: Any) -> None:
    old = rt.content(value)
    if isinstance(value, dict):
        value["b"] = 2.0
    else:
        value[0] = 9.0
    rt.put_back(value, old)
    assert str(value) == str(old)


CHANGES = [
    ([1.0, 2.0], "extend", ((3.0, 4.0),), {}),
    ({"a": 1.0}, "update", ([("b", 2.0), ("a", 3.0)],), {"c": 4.0}),
    ({"a": 1.0}, "update", (), {"c": 4.0}),
]


@pytest.mark.parametrize(("xs", "method", "args", "named"), CHANGES)
def test_a_change_of_a_container_is_one_of_its_shadow(
    xs: Any, method: str, args: Any, named: Any
) -> None:
    given, plain = xs.copy(), xs.copy()
    bxs = rt.shadow(given)
    result, _ = rt.mutate(given, bxs, method, args, rt.shadow(args), (named, rt.shadow(named)))
    assert result == getattr(plain, method)(*args, **named)
    assert given == plain
    assert len(bxs) == len(given)
    if isinstance(given, dict):
        assert list(bxs) == list(given)
