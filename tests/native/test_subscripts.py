"""Sums by subscripts, compiled: as loops where there are few products, as products of matrices where there are many."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

pytest.importorskip("numba")

import numba  # noqa: E402

from tangentlite import runtime  # noqa: E402
from tangentlite.native import compiler  # noqa: E402

compiler("numba")  # what the runtime means to Numba is known from here on

CASES = [
    *(("kij,nkj->nki", "C"), ("ij,jk->ik", "C"), ("bhqd,bhkd->bhqk", "C"), ("ij,ij->", "C")),
    *(("abc,bcd->da", "C"), ("i,j->ij", "C"), ("ij,kj->ki", "F"), ("bij,bjk->bik", "float32")),
]


def operands(spec: str, lengths: dict[str, int], dtype: Any, turned: bool) -> list[Any]:
    rng = np.random.default_rng(7)
    found = []
    for part in spec.split("->")[0].split(","):
        shape = tuple(lengths[c] for c in part)
        one = rng.normal(size=shape[::-1] if turned else shape).astype(dtype)
        found.append(one.T if turned else one)
    return found


def compiled(spec: str, count: int) -> tuple[Any, list[Any]]:
    names = ", ".join(f"x{k}" for k in range(count))
    texts = [f"def f({names}):\n    return rt.einsum({spec!r}, {names})\n"]
    texts += [
        f"def f(b, {names}):\n    return rt.einsum_adjoint({spec!r}, b, ({names},), {k})\n"
        for k in range(count)
    ]
    made = []
    for text in texts:
        space: dict[str, Any] = {"rt": runtime}
        exec(text, space)
        made.append(numba.njit(space["f"]))
    return made[0], made[1:]


@pytest.mark.parametrize(("spec", "sort"), CASES)
def test_sums_and_adjoints_are_those_of_numpy(spec: str, sort: str) -> None:
    inputs, dtype = spec.split("->")[0].split(","), np.float32 if sort == "float32" else float
    near = {"rtol": 2e-4, "atol": 1e-4} if sort == "float32" else {"rtol": 1e-12, "atol": 1e-11}
    forward, adjoints = compiled(spec, len(inputs))
    labels = sorted(set("".join(inputs)))
    few = {c: 2 + k % 3 for k, c in enumerate(labels)}
    many = {c: 9 + 5 * (k % 3) for k, c in enumerate(labels)} | {labels[-1]: 67}
    empty, single = few | {labels[0]: 0}, many | {labels[0]: 1}
    for lengths in (few, many, empty, few | {labels[-1]: 0}, single, many | {labels[0]: 130}):
        xs = operands(spec, lengths, dtype, sort == "F")
        result, expected = forward(*xs), np.einsum(spec, *xs)
        assert np.asarray(result).dtype == expected.dtype
        np.testing.assert_allclose(result, expected, **near)
        b = np.random.default_rng(3).normal(size=expected.shape).astype(dtype)
        for k, adjoint in enumerate(adjoints):
            wanted = runtime.einsum_adjoint(spec, b, tuple(xs), k)
            np.testing.assert_allclose(adjoint(b if b.shape else float(b), *xs), wanted, **near)


def test_mixed_elements_and_whole_numbers() -> None:
    rng = np.random.default_rng(1)
    forward, _ = compiled("ij,jk->ik", 2)
    single = rng.normal(size=(30, 30)).astype(np.float32)
    whole = rng.integers(-3, 4, (30, 30))
    for xs in ((single, single.astype(float)), (whole, whole), (whole, single.astype(float))):
        found, expected = forward(*xs), np.einsum("ij,jk->ik", *xs)
        assert found.dtype == expected.dtype
        np.testing.assert_allclose(found, expected, rtol=1e-6)


def test_lengths_that_differ_are_refused() -> None:
    forward, (left, _) = compiled("ij,jk->ik", 2)
    with pytest.raises(ValueError, match="shapes"):
        forward(np.ones((30, 20)), np.ones((21, 30)))
    with pytest.raises(ValueError, match="shapes"):
        left(np.ones((30, 31)), np.ones((30, 20)), np.ones((20, 30)))
