"""Vectors stored into memory that they lie in: refused exactly where NumPy gives something else than a copy would."""

from __future__ import annotations

from itertools import product
from typing import Any

import numpy as np
import pytest

from tangentlite import runtime as rt
from tangentlite.errors import AliasError

STEPS = (-3, -2, -1, 1, 2, 3)
MASKS = ("0111", "1110", "0101", "1011", "1111")


def refused(part: Any, value: Any, mask: Any = None) -> bool:
    try:
        rt.in_step(part, value, mask)
    except AliasError:
        return True
    return False


def view(base: Any, first: int, step: int, count: int, dtype: str) -> Any:
    item = np.dtype(dtype).itemsize
    return np.ndarray((count,), dtype, base, first * item, (step * item,))


@pytest.mark.parametrize(("dtype", "source"), [("f8", "f8"), ("f4", "f4"), ("c16", "f8")])
@pytest.mark.parametrize(("step", "other"), list(product(STEPS, STEPS)))
def test_vectors_are_refused_exactly_where_numpy_does_not_copy(
    step: int, other: int, dtype: str, source: str
) -> None:
    scale = np.dtype(dtype).itemsize // np.dtype(source).itemsize
    for first, start, count in product(range(6, 12), range(6, 12), (1, 2, 3)):
        results = []
        for buffered in (True, False):
            base = np.arange(1, 18 * scale + 1).astype(source)
            target = view(base, first, step, count, dtype)
            value = view(base, scale * start, scale * other, count, source)
            said = refused(target, value)
            target[...] = value.copy() if buffered else value
            results.append(base)
        assert said != np.array_equal(*results), (first, start, count)


@pytest.mark.parametrize("mask", MASKS)
@pytest.mark.parametrize("step", [-1, 1, 2])
def test_masks_are_refused_where_numpy_does_not_copy(mask: str, step: int) -> None:
    chosen = np.array([m == "1" for m in mask])
    for start in range(4, 7):
        results = []
        for buffered in (True, False):
            base = np.arange(14.0)
            value = base[start::step][: np.sum(chosen)]
            said = refused(base[4:8], value, chosen)
            base[4:8][chosen] = value.copy() if buffered else value
            results.append(base)
        assert said or np.array_equal(*results), start


def test_what_numpy_copies_first_is_allowed() -> None:
    a = np.arange(16.0).reshape(4, 4)
    for target, value in [
        (a[1:2], a[:, 2]),
        (a[1], a[:1, 2]),
        (a[1], a[3, 3]),
        (a[:2, :2], a[1:3, 1:3].T),
        (a[1], a[::-1, 2]),
        (a[1], np.broadcast_to(a[1, 2:3], 4)),
    ]:
        assert not refused(target, value)
    assert refused(a[1], a[:, 2:3].T)
