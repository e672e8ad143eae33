"""Copies and tangents of nests: what overlaps stays so, and arguments that overlap are refused."""

from __future__ import annotations

import numpy as np
import pytest

import tangentlite as tl
from tangentlite import runtime as rt
from tangentlite.runtime.memory.private import overlap


def test_tangents_of_views_are_views_of_one_tangent() -> None:
    a = np.arange(4.0)
    b = 2.0 * a
    da, (drow, dwhole) = rt.owned((b, [b[1:], b]), (a, [a[1:], a]))
    drow[0] = 9.0
    assert da is dwhole and da.tolist() == [0.0, 9.0, 4.0, 6.0]


def test_tangents_of_rows_alone_are_views_of_one_tangent() -> None:
    a = np.zeros((2, 3))
    drows, dcolumn = rt.owned(rt.ZERO, ([a[0], a[1]], a[:, 2]))
    drows[1][2] = 1.0
    assert dcolumn.tolist() == [0.0, 1.0]


def test_a_folded_array_in_a_nest_has_a_tangent_of_its_own() -> None:
    a = np.ones(3)
    _, folded = rt.owned(rt.ZERO, (a, np.broadcast_to(a, (2, 3))))
    assert folded.shape == (2, 3)


def test_a_list_has_the_tangent_that_its_array_has() -> None:
    a, da = np.ones(3), np.zeros(3)
    (dx, dy) = rt.followed(rt.ZERO, [a[1:], a], a, da)
    assert dy is da and np.shares_memory(dx, da)


def writes_a_list(xs, a):
    xs[0][0] = xs[1][0] * 2.0
    return np.sum(a * a) + np.sum(xs[0] * xs[1])


@pytest.mark.parametrize("wrt", [0, 1, (0, 1)])
def test_a_list_and_an_array_in_it_are_refused(wrt) -> None:
    a, b = np.array([0.3, 0.4]), np.array([0.5, 0.7])
    with pytest.raises(tl.AliasError, match="share memory"):
        tl.grad(writes_a_list, wrt=wrt)([a, b], a)
    with pytest.raises(tl.AliasError, match="share memory"):
        tl.grad(writes_a_list, wrt=wrt)([a, b], a[:1])
    assert a.tolist() == [0.3, 0.4]
    tl.grad(writes_a_list, wrt=wrt)([a, b], a.copy())


def test_numbers_and_lists_do_not_overlap_by_chance() -> None:
    xs, one = [1.0, np.ones(2)], 1.0
    assert rt.own(xs, one, [1.0, np.ones(2)]) is not xs
    with pytest.raises(tl.AliasError):
        rt.own(xs, (xs,))


def test_arrays_with_memory_of_their_own_overlap_nothing_else() -> None:
    x, nothing = np.zeros((2, 3)), np.zeros((0, 3))
    assert overlap(x, x) and overlap(x, x[1:]) and overlap(x.T, x) and overlap(x, [1.0, x])
    assert not overlap(x, x.copy()) and not overlap(nothing, nothing) and not overlap(x, 2.0)
    assert not overlap(x[:1], x[1:]) and not overlap(x, None) and not overlap(x, (x.copy(), "x"))
    seen = memoryview(x)
    assert overlap(np.asarray(seen), x) and overlap(x, np.frombuffer(x))
