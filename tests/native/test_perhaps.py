"""Arrays that are none as long as no branch has bound them: their adjoints are those of arrays."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from tests.native.programs import normal
from tests.native.test_native import agree

pytest.importorskip("numba", reason="Numba is an extra")

A, W = normal(size=(5, 4)), normal(size=(5, 4))


def read_twice(x, w, n):
    for k in range(n):
        if k > 0:
            low = 0.5 * x[k]
        if k > 0:
            x[k] *= low
        if k > 1:
            x[k - 1] *= np.sin(low)
    return np.sum(x * w)


def planes(x, w, n):
    for k in range(n):
        if k > 0:
            low = 0.5 * x[k:]
        if k > 1:
            x[k:] *= np.sin(low)
            x[k:] += low[:, ::-1] * w[k:]
    return np.sum(x * w)


@pytest.mark.parametrize("function", (read_twice, planes))
def test_what_a_branch_binds(function: Any) -> None:
    agree(function, (A, W, 3))
