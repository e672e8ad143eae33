"""What moves, joins, chooses and pads elements."""

from __future__ import annotations

import numpy as np
import pytest

import tangentlite as tl
from tests.templates.spelled import calls, check

ARRANGING = """
np.append(V, W)
np.append(M, K, axis=0)
np.append(V, X)
np.append(M, V, None)
np.insert(V, 1, X)
np.insert(V, [0, 2], W[:2])
np.insert(M, 1, U, axis=0)
np.insert(M, [0, 3], X, 1)
np.insert(M, 2, V, axis=1)
np.insert(M, slice(1, 3), X, axis=1)
np.insert(E, 0, X)
np.insert(V, 1, [X, Y])
np.insert(V, 0, [])
np.delete(V, 1)
np.delete(M, [0, 2], 1)
np.delete(M, 3)
np.delete(M, slice(None, None, 2), axis=0)
np.delete(V, B)
np.select([V > 0, V < -1], [V * W, W])
np.select([V > 0, V < -1], [V, W], default=X)
np.select([V > 0, V < -1], [V, W], X)
np.select([V > 0, V < 0.5], [X, Y], V)
np.select([V > 0], [A], V)
np.choose(I, [V, W, X])
np.choose(I, (V, W, V * 2.0))
np.choose([0, 1, 0], [V, 1.0])
np.choose(I, A, mode="clip")
np.compress(B, V)
np.compress(B, M, axis=0)
np.compress([1, 0, 1], M, 1)
V.compress(B)
np.extract(V > 0, V)
np.extract(M > 0, M)
np.meshgrid(V, U)
np.meshgrid(V, U)[0]
np.meshgrid(V, U, indexing="ij")
np.meshgrid(V, U, W)[1]
np.meshgrid(V, X)
np.meshgrid(V, U, indexing="ij", sparse=True)
M[np.ix_([0, 2], [1, 3])]
np.block([[A, V[:, None]], [V, X]])
np.block([V, W])
np.block(X)
np.block([[A, A], [A, M[:, :3]]])
np.broadcast_arrays(V, M[:, :3])
np.broadcast_arrays(V, X)[1]
np.rollaxis(S, 2)
np.rollaxis(S, 2, 1)
np.unique(V)
np.unique(M)
np.unique_values(V)
np.diagflat(V)
np.diagflat(K, 1)
np.partition(V, 1)
np.partition(M, 2, axis=0)
np.partition(M, (0, 2), axis=None)
np.sort(M, axis=1, kind="stable")
np.take(M, I, 1, mode="wrap")
np.concatenate((V, W), dtype=np.float64)
np.lib.stride_tricks.sliding_window_view(U, 2)
np.lib.stride_tricks.sliding_window_view(M, (2, 2))
np.lib.stride_tricks.as_strided(U, (2, 3), (8, 8))
np.lib.stride_tricks.as_strided(M, (2, 2), M.strides)
np.lib.stride_tricks.as_strided(M, shape=(2, 2, 2, 2), strides=M.strides * 2)
"""
PADDING = """
np.pad(V, 2)
np.pad(V, 2, "constant", constant_values=X)
np.pad(M, ((1, 0), (0, 2)), constant_values=((X, Y), (Y, X)))
np.pad(M, 1, constant_values=(X, Y))
np.pad(M, 1, "edge")
np.pad(M, ((1, 2), (0, 3)), mode="edge")
np.pad(V, 2, mode="reflect")
np.pad(V, 5, mode="reflect")
np.pad(M, 2, mode="symmetric")
np.pad(M, (1, 2), mode="wrap")
np.pad(V, 2, mode="reflect", reflect_type="odd")
np.pad(V, 2, mode="linear_ramp")
np.pad(M, 2, mode="mean")
np.pad(M, 2, mode="mean", stat_length=2)
np.pad(M, 2, mode="maximum")
np.pad(M, 2, mode="minimum", stat_length=2)
np.pad(M, 1, mode="median")
"""
NEWER = """
np.unstack(M)
np.unstack(M, axis=1)[2]
"""


@pytest.mark.parametrize(("text", "second"), calls(ARRANGING + PADDING))
def test_both_modes(text: str, second: bool) -> None:
    check(text, second)


@pytest.mark.skipif(not hasattr(np, "unstack"), reason="NumPy 2.1 has them first")
@pytest.mark.parametrize(("text", "second"), calls(NEWER))
def test_functions_of_newer_versions(text: str, second: bool) -> None:
    check(text, second)


def test_elements_that_are_equal_share() -> None:
    found = tl.grad(lambda x: np.sum(np.unique(x) * np.array([1.0, 10.0])))(
        np.array([2.0, 1.0, 2.0])
    )
    np.testing.assert_array_equal(found, [5.0, 1.0, 5.0])


def test_what_is_put_into_integers_has_no_derivative() -> None:
    whole = np.array([1, 2])
    assert tl.grad(lambda x: np.sum(np.insert(whole, 0, x) * 2.0))(3.7) == 0.0
    np.testing.assert_array_equal(
        tl.grad(lambda x: np.sum(np.insert(x, 0, 3.7) * 2.0))(whole), [2.0, 2.0]
    )


def test_the_ends_of_a_ramp_are_refused() -> None:
    with pytest.raises(tl.MissingRuleError, match="no derivative in `end_values`"):
        tl.grad(lambda x: np.sum(np.pad(np.ones(2), 1, "linear_ramp", end_values=x)))


@pytest.mark.parametrize(
    "f",
    [
        lambda x: np.sum(np.append(x, x) ** 2),
        lambda x: np.sum(np.delete(x, 0) ** 2),
        lambda x: np.sum(np.pad(x, 1, "mean") ** 2),
        lambda x: np.sum(np.select([x > 0.4], [x], 1.0) ** 2),
        lambda x: np.sum(np.meshgrid(x, x)[0] ** 2),
        lambda x: np.sum(np.unique(x) ** 2),
    ],
)
def test_single_precision_stays(f) -> None:
    x = np.array([0.5, 0.25], np.float32)
    assert tl.grad(f)(x).dtype == np.float32
    assert np.asarray(tl.jvp(f)(x, tangent=x)[1]).dtype == np.float32
