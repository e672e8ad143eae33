"""What functions of the runtime mean to Numba is what they do in Python."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

from tangentlite import runtime as rt
from tests.native.programs import normal

numba = pytest.importorskip(
    "numba", reason="Numba is not installed: pip install tangentlite[numba]"
)
from tangentlite import native  # noqa: E402
from tangentlite.native.library.choosing import chosen  # noqa: E402

V, W, M, N = normal(size=5), normal(size=5), normal(size=(4, 5)), normal(size=(4, 5))
FEW, MANY = np.array([3, 1, -1, 3]), np.arange(40) % 5
CALLS: dict[str, tuple[Callable[..., Any], tuple[Any, ...]]] = {
    "won of a number": (lambda b, i: rt.won(b, i), (V, 2)),
    "won of a row": (lambda b, i: rt.won(b, i), (M, 2)),
    "won of a slice": (lambda b, i: rt.won(b, (slice(1, None), i)), (M, 2)),
    "won of few": (lambda b, i: rt.won(b, i), (V, FEW)),
    "won of rows": (lambda b, i: rt.won(b, i), (M, FEW)),
    "won of many": (lambda b, i: rt.won(b, i), (V, MANY)),
    "won of columns": (lambda b, i: rt.won(b, (slice(None, None), i)), (M, FEW)),
    "won of pairs": (lambda b, i: rt.won(b, (i, i + 1)), (M, FEW)),
    "won of a mask": (lambda b, i: rt.won(b, i), (V, V > 0)),
    "undiag to a line": (lambda b, x: rt.undiag(b, x), (normal(size=(5, 5)), V)),
    "undiag above": (lambda b, x: rt.undiag(b, x, 1), (normal(size=(6, 6)), V)),
    "undiag to a matrix": (lambda b, x: rt.undiag(b, x), (V[:4], M)),
    "undiag below": (lambda b, x: rt.undiag(b, x, -2), (V[:2], M)),
    "untrace": (lambda b, x: rt.untrace(b, x), (0.7, M)),
    "untrace above": (lambda b, x: rt.untrace(b, x, 2), (0.7, M)),
    "main diagonal": (lambda a: rt.main_diagonal(a)[0] + rt.main_diagonal(a)[1], (M,)),
    "roll of rows": (lambda x: np.roll(x, -3, 0), (M,)),
    "roll of columns": (lambda x: np.roll(x, 7, axis=-1), (M.T,)),
    "roll of nothing": (lambda x: np.roll(x, 7, axis=0), (M[:0],)),
    "flip": (lambda x: np.flip(x, 1), (M,)),
    "cumsum": (lambda x: np.cumsum(x, 0), (M,)),
    "cumsum of whole numbers": (lambda x: np.cumsum(x, axis=1), (np.arange(6).reshape(2, 3),)),
    "cumprod": (lambda x: np.cumprod(x, axis=-1), (M.T,)),
    "undiff twice": (lambda b: rt.undiff(b, 2, -1), (V,)),
    "undiff of rows": (lambda b: rt.undiff(b, 1, 0), (M.T,)),
    "others": (lambda x: rt.others(x), (np.array([0.0, 2.0, 3.0]),)),
    "others of a matrix": (lambda x: rt.others(x), (M.T,)),
    "share": (lambda x, y: rt.share(x, y), (np.array([1.0, np.inf, -np.inf, 800.0]), 1.0)),
    "share of both infinite": (lambda x, y: rt.share(x, y), (-np.inf, -np.inf)),
    "unmidpoints": (lambda b, y: rt.unmidpoints(rt.midpoints(b), y), (V, W)),
    "uninterp": (
        lambda b, x: rt.uninterp(b, x, np.arange(4.0) - 1.0),
        (V, np.array([-9.0, 9.0, 0.0, 2.0, 0.3])),
    ),
    "slope": (
        lambda x, y: rt.slope(x, np.arange(5.0) - 1.0, y),
        (np.array([-9.0, 9.0, 0.0, 2.0, 0.3]), V),
    ),
    "uninterp of a point": (lambda b, x: rt.uninterp(b, x, np.ones(1)), (V, W)),
    "uncrop the same": (lambda b, a, v: rt.uncrop(b, a, v, "same"), (V, W, M[0, :4])),
    "uncrop what is valid": (lambda b, a, v: rt.uncrop(b, a, v, "valid"), (V[:2], W, M[0, :4])),
    "uncross": (lambda y, b, x: rt.uncross(y, b, x), (V[:3], W[:3], W[2:])),
    "uncross of rows": (lambda y, b, x: rt.uncross(y, b, x), (M[:, :3], M[:, 2:], N[:, :3])),
    "tile": (lambda x: np.tile(x, 3), (V,)),
    "untile": (lambda b, x: rt.untile(b, x, 2), (M.ravel()[:10], V)),
    "unrepeat": (lambda b, x: rt.unrepeat(b, x, 2), (M.ravel()[:10], V)),
    "put along": (lambda b, x, i: rt.put_along(b, x, i, -1), (V[:4], W, FEW)),
    "take along": (lambda x, i: np.take_along_axis(x, i, 0), (W, FEW)),
    "heaviside": (lambda x: np.heaviside(x, 0.5), (0.0,)),
    "heaviside of no number": (lambda x: np.heaviside(x, 0.5), (np.nan,)),
    "add": (lambda a, b: rt.add(a, b), (1.0, 2.0)),
    "untranspose": (lambda b: rt.untranspose(b, (2, 0, -2)), (normal(size=(2, 3, 4)),)),
    "shift": (lambda x: rt.shift(x, None, 1.0), (V,)),
    "shift back": (lambda x: rt.shift(x, None, 0.0, True), (V,)),
    "shift of nothing": (lambda x: rt.shift(x, None, 1.0), (V[:0],)),
    "recurrence": (lambda c, v: rt.recurrence(c, v), (V, W)),
    "recurrence back": (lambda c, v: rt.recurrence(c, v, None, True), (V, W)),
    "gradient": (lambda x: np.gradient(x, 0.5), (V,)),
    "ungradient": (lambda b, x: rt.ungradient(b, x, ()), (V, W)),
    "ungradient of two": (lambda b, x: rt.ungradient(b, x, (0.5,)), (V[:2], W[:2])),
    "kron of lines": (lambda x, y: np.kron(x, y), (V, W[:2])),
    "kron left": (lambda b, x, y: rt.kron_left(b, x, y), (normal(size=(8, 15)), M[:2], N[:, :3])),
    "kron right": (
        lambda b, x, y: rt.kron_right(b, x, y),
        (normal(size=(8, 15)), M[:2], N[:, :3]),
    ),
    "quantile": (lambda x: rt.quantile_shares(x, 0.5), (np.array([2.0, 1.0, 2.0, 3.0]),)),
    "quantile of one": (lambda x: rt.quantile_shares(x, 0.5), (V[:1],)),
    "portions": (lambda w, x: rt.portions(w, x), (W * W, V)),
    "average along": (lambda x, w: np.average(x, axis=1, weights=w), (M, W * W)),
    "portions along": (lambda w, x: rt.portions(w, x, -1), (W * W, M)),
    "unportions along": (lambda b, w, x: rt.unportions(b, w, x, 1), (N, W * W, M)),
    "unportions": (lambda b, w, x: rt.unportions(b, w, x), (V, W * W, V)),
    "portions of none": (lambda x: rt.portions(None, x), (V,)),
    "rows of a mask": (lambda x, m: chosen(x, m), (M, M[:, 0] > 0)),
}


PRECISE = ("slope", "uninterp", "uninterp of a point")  # finished in the precision of the argument


def compiled(function: Callable[..., Any]) -> Any:
    native.compiler("numba")
    return numba.njit(function)


@pytest.mark.parametrize("name", CALLS)
def test_calls(name: str) -> None:
    function, args = CALLS[name]
    found, expected = compiled(function)(*args), function(*args)
    np.testing.assert_allclose(found, expected, rtol=1e-13)
    assert np.shape(found) == np.shape(expected)
    if all(isinstance(a, np.ndarray) for a in args):
        singles = [a.astype("f") if a.dtype == float else a for a in args]
        if name not in PRECISE:
            assert compiled(function)(*singles).dtype == function(*singles).dtype


def test_products() -> None:
    """Whatever the order in memory is: rows, columns, parts of them, turned round, of single precision, none at all."""
    from tangentlite.native.library.products import outer, product

    native.compiler("numba")
    made, beside = numba.njit(lambda x, y: product(x, y)), numba.njit(lambda x, y: outer(x, y))
    whole = normal(size=(9, 9))
    part, odd = whole[1:6, 2:7], whole[::-2, ::2]
    row, column, single = part[0], part[:, 1], part.astype("f")
    pairs = [(part, part.T), (part.copy(), np.asfortranarray(part)), (odd, part), (part.T, odd)]
    pairs += [(m, row) for m in (part, part.T, odd, part.copy())] + [(column, part), (row, single)]
    for x, y in [*pairs, (single, single), (single, part), (single, single[0])]:
        rough = "f" in (x.dtype.char, y.dtype.char)
        np.testing.assert_allclose(made(x, y), x @ y, rtol=1e-5 if rough else 1e-12)
        assert made(x, y).dtype == (x @ y).dtype
    np.testing.assert_array_equal(beside(part[0], part[:, 1]), np.outer(part[0], part[:, 1]))
    np.testing.assert_allclose(made(V, W), V @ W, rtol=1e-14)
    for x, y in ((M[:, :0], M[:0]), (M[:0], V), (M[:, :0], V[:0]), (M[:0], N.T)):
        np.testing.assert_array_equal(made(x, y), x @ y)
    for x, y in ((M, N), (M, V[1:]), (V[1:], N.T), (V, V[1:])):
        with pytest.raises(ValueError, match="shapes differ"):
            made(x, y)


def test_systems_of_equations() -> None:
    pytest.importorskip("scipy", reason="Numba multiplies matrices by way of SciPy")
    from tangentlite.native.library import solving

    native.compiler("numba")
    solve, inv, det = (
        numba.njit(f)
        for f in (
            lambda a, b: solving.solve(a, b),
            lambda a: solving.inv(a),
            lambda a: solving.det(a),
        )
    )
    a = M[:, :4] + 3.0 * np.eye(4)
    near = {"f": 1e-5, "d": 1e-10, "l": 1e-10}
    for x in (a, a.T, a[::-1], a.astype("f"), np.array([[0, 1], [2, 3]]), np.zeros((0, 0))):
        for b in (a[0, : len(x)], normal(size=(3, len(x))).T):
            found, expected = solve(x, b), np.linalg.solve(x, b)
            np.testing.assert_allclose(found, expected, rtol=1e-10)
            assert found.dtype == expected.dtype
        np.testing.assert_allclose(inv(x), np.linalg.inv(x), rtol=near[x.dtype.char])
        np.testing.assert_allclose(det(x), np.linalg.det(x), rtol=near[x.dtype.char])
    single = a.astype("f")
    np.testing.assert_allclose(solve(single, single), np.eye(4), atol=1e-12)
    assert np.isnan(solve(a * np.nan, a[0])).all()
    assert det(np.ones((3, 3))) == 0.0
    for wrong in (np.ones((2, 2)), np.ones((2, 3))):
        for function in (lambda m: solve(m, np.ones(2)), lambda m: solve(m, np.ones((2, 2))), inv):
            with pytest.raises(np.linalg.LinAlgError):
                function(wrong)
    with pytest.raises(ValueError, match="shapes differ"):
        solve(a, V)


def test_cofactors_of_a_singular_matrix() -> None:
    pytest.importorskip("scipy", reason="Numba multiplies matrices by way of SciPy")
    function = compiled(lambda a: rt.cofactors(a))
    for a in (np.array([[1.0, 2.0], [2.0, 4.0]]), normal(size=(4, 4)), np.zeros((3, 3))):
        np.testing.assert_allclose(function(a), rt.cofactors(a), rtol=1e-9, atol=1e-12)


def test_what_a_view_gathered_is_in_its_array() -> None:
    function = compiled(lambda b, x: rt.apart(b, x))
    x = np.ones(6)
    np.testing.assert_array_equal(function(x.reshape(2, 3), x), np.zeros((2, 3)))
    np.testing.assert_array_equal(function(M, x), M)


def test_lists_of_numbers() -> None:
    def function(x: Any) -> Any:
        parts = [x[k] * 2.0 for k in range(len(x))]
        zeros = rt.zeros(parts)
        rt.add_at(zeros, 1, 5.0)
        return rt.add(rt.unbroadcast(rt.through(x), parts), zeros)

    expected = V.copy()
    expected[1] += 5.0
    np.testing.assert_array_equal(compiled(function)(V), expected)


@pytest.mark.parametrize("value", [0.5, np.array([7.0, 8.0, 9.0])])
def test_masks_of_several_axes(value: Any) -> None:
    from tangentlite.native.library.choosing import chosen, put

    def function(x: Any, m: Any, v: Any) -> Any:
        y = chosen(x, m)
        put(x, m, v)
        return y

    x, kept, m = M.copy(), M.copy(), np.zeros(M.shape, bool)
    m[0, 1] = m[2, 2] = m[3, 0] = True
    np.testing.assert_array_equal(compiled(function)(x, m, value), kept[m])
    kept[m] = value
    np.testing.assert_array_equal(x, kept)
    with pytest.raises(ValueError, match="shapes differ"):
        compiled(function)(x, m[:2], value)


def test_indices_that_are_not_there_are_refused() -> None:
    from tangentlite.native.library.choosing import chosen, put

    for function in (lambda x, i: chosen(x, i), lambda x, i: put(x, i, 1.0)):
        for i in (np.array([0, 5]), np.array([-6])):
            with pytest.raises(IndexError):
                compiled(function)(V.copy(), i)


INDICES = {
    "rows": (FEW,),
    "columns": (slice(None), FEW),
    "pairs": (FEW, FEW + 1),
    "a part of columns": (slice(1, None), FEW, slice(None, None, 2)),
    "numbers beside": (FEW, 1),
}


@pytest.mark.parametrize("name", INDICES)
def test_arrays_of_indices(name: str) -> None:
    from tangentlite.native.library.choosing import chosen, put

    i = INDICES[name] if len(INDICES[name]) > 1 else INDICES[name][0]
    x = normal(size=(4, 5, 3))

    def function(x: Any, i: Any) -> Any:
        y = chosen(x, i)
        put(x, i, 2.0 * y)
        rt.add_at(x, i, y)
        return y

    kept, y = x.copy(), x[i]
    np.testing.assert_array_equal(compiled(function)(x, i), y)
    kept[i] = 2.0 * y
    np.add.at(kept, i, y)
    np.testing.assert_allclose(x, kept, rtol=1e-15)
