"""A derivative that is called again fetches no memory from the system."""

from __future__ import annotations

import sys

import numpy as np
import pytest

import tangentlite as tl


def attention(q, k, v):
    s = q @ k.T / np.sqrt(3.0)
    e = np.exp(s - np.max(s, axis=-1, keepdims=True))
    return np.sum((e / np.sum(e, axis=-1, keepdims=True) @ v) ** 2)


@pytest.mark.skipif(sys.platform != "linux", reason="other C libraries have other rules")
@pytest.mark.parametrize("size", (90, 200, 1000))
def test_no_page_is_fetched_twice(size: int) -> None:
    import resource

    q, k, v = np.random.default_rng(size).normal(size=(3, size, 3))
    derivative = tl.grad(attention, wrt=(0, 1, 2))
    for _ in range(20):
        derivative(q, k, v)
    before = resource.getrusage(resource.RUSAGE_SELF).ru_minflt
    for _ in range(20):
        derivative(q, k, v)
    fetched = resource.getrusage(resource.RUSAGE_SELF).ru_minflt - before
    assert fetched < 20 * size * size * 8 // 4096 // 2  # less than half of one array per call
