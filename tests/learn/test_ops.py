"""The operations: their values, and their derivatives in both modes to second order."""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor
from typing import Any

import numpy as np
import pytest

import tangentlite as tl
from tangentlite.learn import gates, images, ops, pooling, standards, unfolding, windows

G = np.random.default_rng(3)
V, W = G.normal(size=4), G.normal(size=4)
M, N = G.normal(size=(3, 4)), G.normal(size=(4, 2))
POSITIVE = G.uniform(0.5, 2.0, (3, 4))
PICTURE = G.normal(size=(2, 7, 6, 3))
KERNELS = G.normal(size=(3, 2, 3, 4))

CALLS: dict[str, tuple[Any, ...]] = {
    "matrix_multiply": (M, N),
    "cross_correlate": (G.normal(size=9), V),
    "times": (M, V),
    "divide": (M, POSITIVE),
    "max": (M, V),
    "min": (M, V),
    "maxpool": (M, 3),
    "sum": (M,),
    "add": (M, V, POSITIVE),
    "subtract": (M, V),
    "power": (POSITIVE, V),
    "exponential": (M,),
    "log": (POSITIVE,),
    "sqrt": (POSITIVE,),
    "sin": (M,),
    "cos": (M,),
    "tanh": (M,),
    "mean": (M,),
    "absolute_value": (M,),
    "concatenate": ([V, W],),
    "expand": (V, (3, 4)),
    "slice": (M, 1, 3),
}
MORE: list[tuple[Any, ...]] = [
    (ops.sum, M, 1),
    (ops.mean, M, 0),
    (ops.concatenate, [M, POSITIVE], 1),
    (ops.cross_correlate, G.normal(size=(2, 3, 6)), V),
    (windows.convolve, V, W[:3]),
    (windows.convolve, M, W[:3]),
    (windows.matched, G.normal(size=9), V),
    (windows.matched, G.normal(size=(3, 6)), M),
    (ops.maxpool, G.normal(size=(2, 2, 5)), 2),
    (images.conv2d, PICTURE, KERNELS),
    (images.conv2d, PICTURE, KERNELS, 2, 1),
    (images.conv2d, PICTURE, KERNELS, 2, 1, W),
    (images.conv2d, PICTURE.transpose(0, 2, 1, 3), KERNELS),
    (images.of_images, G.normal(size=(2, 5, 5, 4)), KERNELS, (2, 7, 6, 3), 1, 0),
    (images.of_images, G.normal(size=(2, 4, 4, 4)), KERNELS, (2, 7, 6, 3), 2, 1),
    (images.of_kernels, PICTURE, G.normal(size=(2, 4, 4, 4)), (3, 2, 3, 4), 2, 1),
    (gates.relu, M),
    (gates.relu, 1.5),
    (gates.gate, M, M[::-1]),
    (gates.leaky, M, 0.1),
    (gates.leaky, M, -0.5),
    (gates.leaky, 1.5, 0.1),
    (gates.leak, M, M[::-1], 0.1),
    (standards.sums, M),
    (standards.sums, PICTURE),
    (standards.leveled, M, POSITIVE, V, W, V + W),
    (images.max_pool2d, PICTURE),
    (images.max_pool2d, PICTURE, 3, 2),
    (images.average_pool2d, PICTURE),
    (images.average_pool2d, PICTURE, 3, 2),
]


def test_there_are_the_operations_of_arrayflow() -> None:
    assert sorted(CALLS) == ops.__all__
    assert len(ops.__all__) == 22


def call(function: Any, count: int) -> Any:
    """A call of what has a rule: differentiated itself, it would be differentiated as it is written."""
    forms = {
        1: lambda x: function(x),
        2: lambda x, y: function(x, y),
        3: lambda x, y, z: function(x, y, z),
        4: lambda x, y, z, u: function(x, y, z, u),
        5: lambda x, y, z, u, v: function(x, y, z, u, v),
        6: lambda x, y, z, u, v, w: function(x, y, z, u, v, w),
    }
    return forms[count]


@pytest.mark.parametrize("name", sorted(CALLS))
def test_operations_have_right_derivatives_to_second_order(name: str) -> None:
    f = call(getattr(ops, name), len(CALLS[name]))
    assert tl.check_grads(f, CALLS[name], modes=("reverse", "forward")).ok


@pytest.mark.parametrize("case", MORE, ids=lambda c: f"{c[0].__name__}-{np.ndim(c[1])}")
def test_their_forms_and_adjoints_too(case: tuple[Any, ...]) -> None:
    f = call(case[0], len(case) - 1)
    assert tl.check_grads(f, case[1:], modes=("reverse", "forward")).ok


def of_standards(x: Any, scale: Any, shift: Any, tiny: Any) -> Any:
    """All that there is, in one result."""
    y, z, mean, variance = standards.standardized(x, scale, shift, tiny)
    return np.tanh(y) + np.sin(z) * mean + variance**2


def of_one_standard(x: Any, scale: Any, shift: Any) -> Any:
    return np.sin(standards.standardized(x, scale, shift, 1e-5)[0])


@pytest.mark.parametrize("x", [M, PICTURE[..., :2].repeat(2, -1) * np.arange(1.0, 5.0)])
def test_standards_have_right_derivatives_to_second_order(x: Any) -> None:
    assert tl.check_grads(of_standards, (x, V, W, 0.1), modes=("reverse", "forward")).ok
    assert tl.check_grads(of_one_standard, (x, V, W), modes=("reverse", "forward")).ok


@pytest.mark.parametrize("shape", [(5, 3), (4, 6, 5, 3), (1, 3)])
@pytest.mark.parametrize("kind", [np.float32, np.float64])
def test_standards_are_those_of_columns(shape: Any, kind: Any) -> None:
    x, others = G.normal(size=shape).astype(kind), tuple(range(len(shape) - 1))
    scale, shift = np.array([1.0, 2.0, -1.0], kind), np.arange(3.0).astype(kind)
    z = (x - np.mean(x, others)) / np.sqrt(np.var(x, others) + 1e-3)
    expected = z * scale + shift, z, np.mean(x, others), np.var(x, others)
    for one, other in zip(standards.standardized(x, scale, shift, 1e-3), expected):
        assert one.dtype == kind
        np.testing.assert_allclose(one, other, rtol=2e-5, atol=2e-5)
    assert standards.standardized(x, scale.astype(float), shift, 1e-3)[0].dtype == np.float64


def bent(x: Any, k: Any) -> Any:
    return np.sum(np.sin(ops.maxpool(np.tanh(ops.cross_correlate(x, k)), 2)) ** 2)


def test_second_derivatives_through_both_rules() -> None:
    x, k = G.normal(size=(2, 9)), G.normal(size=3)
    assert tl.check_grads(bent, (x, k)).ok
    assert tl.check_grads(tl.grad(bent, wrt=("x", "k")), (x, k), modes=("reverse", "forward")).ok


def test_a_cross_correlation_slides_the_kernel_over_the_signal() -> None:
    s, k = G.normal(size=9), G.normal(size=4)
    expected = [np.sum(s[i : i + 4] * k) for i in range(6)]
    np.testing.assert_allclose(ops.cross_correlate(s, k), expected)
    np.testing.assert_allclose(ops.cross_correlate(np.stack([s, -s]), k)[1], -np.array(expected))


def test_a_kernel_that_does_not_fit_is_refused() -> None:
    with pytest.raises(ValueError, match="does not fit into a signal of 3"):
        ops.cross_correlate(np.ones(3), np.ones(4))
    with pytest.raises(ValueError, match="window of 3 by 3 does not fit into 2 by 2"):
        images.conv2d(np.ones((1, 2, 2, 1)), np.ones((3, 3, 1, 1)))
    with pytest.raises(ValueError, match="images of 2 channels, and kernels for 3"):
        images.conv2d(np.ones((1, 4, 4, 2)), np.ones((3, 3, 3, 1)))


def correlated(s: Any, k: Any) -> Any:
    return ops.cross_correlate(s, k)


def test_the_adjoint_of_a_cross_correlation_is_what_the_page_says() -> None:
    s, k, seed = G.normal(size=9), G.normal(size=4), G.normal(size=6)
    _, pullback = tl.vjp(correlated, wrt=("s", "k"))(s, k)
    bs, bk = pullback(seed)
    np.testing.assert_allclose(bs, np.convolve(seed, k))
    np.testing.assert_allclose(bk, np.correlate(s, seed, "valid"))


@pytest.mark.parametrize("stride, padding", [(1, 0), (2, 1), (3, 2)])
def test_conv2d_is_a_sum_of_products(stride: int, padding: int) -> None:
    x = np.pad(PICTURE, ((0, 0), (padding, padding), (padding, padding), (0, 0)))
    y = images.conv2d(PICTURE, KERNELS, stride, padding)
    for i in range(y.shape[1]):
        for j in range(y.shape[2]):
            under = x[:, i * stride : i * stride + 3, j * stride : j * stride + 2]
            np.testing.assert_allclose(y[:, i, j], np.tensordot(under, KERNELS, 3))


@pytest.mark.parametrize(
    "pool, one", [(images.max_pool2d, np.max), (images.average_pool2d, np.mean)]
)
@pytest.mark.parametrize("size, stride", [(2, None), (3, 2), (2, 1)])
def test_pooling_takes_cells(pool: Any, one: Any, size: int, stride: int | None) -> None:
    y, step = pool(PICTURE, size, stride), stride or size
    assert y.shape[1:3] == ((7 - size) // step + 1, (6 - size) // step + 1)
    for i in range(y.shape[1]):
        for j in range(y.shape[2]):
            cell = PICTURE[:, i * step : i * step + size, j * step : j * step + size]
            np.testing.assert_allclose(y[:, i, j], one(cell, (1, 2)))


def test_a_window_that_does_not_fit_is_refused() -> None:
    for size in (7, 8, 20):
        for pool in (images.max_pool2d, images.average_pool2d):
            with pytest.raises(ValueError, match="does not fit into 7 by 6"):
                pool(PICTURE, size)
    with pytest.raises(ValueError, match="3 by 2 does not fit into 2 by 6"):
        images.conv2d(PICTURE[:, :2], KERNELS)


def test_infinite_adjoints_reach_only_the_largest() -> None:
    x = np.arange(16.0).reshape(1, 4, 4, 1)
    g = np.full((1, 2, 2, 1), np.inf)
    g[0, 0, 0, 0] = np.nan
    found = pooling.spread(g, x, images.max_pool2d(x), 2, 2).ravel()
    assert np.isnan(found[5])
    assert (found[[7, 13, 15]] == np.inf).all()
    assert np.count_nonzero(found) == 4


def test_what_has_a_rule_is_not_read() -> None:
    def f(x):
        return np.sum(gates.relu(x))

    df = tl.grad(f)
    df(V)
    assert {g.owner for g in df._guards.guards} == {f}, (
        "a change within it is no reason to write another text"
    )


@pytest.mark.parametrize("kind", [np.float32, np.float64])
def test_gates_of_large_arrays_are_those_of_small_ones(kind: Any) -> None:
    x = G.normal(size=(300, 200)).astype(kind).T
    g = G.normal(size=x.shape).astype(kind)
    df = tl.grad(lambda x, g: np.sum(gates.relu(x) * g))
    for special in (0.0, np.inf, np.nan):
        found, expected = df(x, g), np.where(x > 0, g, 0) + np.where(x == 0, 0.5 * g, 0)
        assert found.dtype == kind
        assert np.array_equal(found, expected.astype(kind), equal_nan=True)
        x[3, 4], g[5, 6:9] = 0.0, special
    assert np.array_equal(gates.relu(x), np.maximum(x, 0.0))


def test_memory_is_used_again_only_when_nobody_holds_it() -> None:
    x, w = G.normal(size=(64, 16, 16, 4)), G.normal(size=(3, 3, 4, 8))
    first = images.conv2d(x, w)
    value, pullback = tl.vjp(images.conv2d, wrt=(0, 1))(x, w)
    kept = [a.copy() for a in (first, value, *pullback(first))]
    for _ in range(3):
        images.conv2d(np.zeros_like(x), w)
        tl.vjp(images.conv2d, wrt=(0, 1))(x + 1.0, w)[1](2.0 * value)
    for one, two in zip((first, value, *pullback(first)), kept):
        assert np.array_equal(one, two)


def test_the_first_maximum_of_a_cell_gets_the_whole_adjoint() -> None:
    row = tl.grad(lambda x: np.sum(ops.maxpool(x, 3)))(np.array([1.0, 2.0, 2.0, 0.0, 0.0]))
    assert row.tolist() == [0.0, 1.0, 0.0, 1.0, 0.0]
    flat = tl.grad(lambda x: np.sum(images.max_pool2d(x)))(np.ones((1, 2, 4, 1)))
    assert flat.ravel().tolist() == [1.0, 0.0, 1.0, 0.0, 0.0, 0.0, 0.0, 0.0]


def test_a_nan_stays_one_and_single_precision_single() -> None:
    x = np.ones((1, 4, 4, 1), np.float32)
    x[0, 1, 1, 0] = np.nan
    assert np.isnan(images.max_pool2d(x)).ravel().tolist() == [True, False, False, False]
    assert np.isnan(ops.maxpool(np.array([1.0, np.nan, 3.0]), 3)).all()
    df = tl.grad(lambda x, w: np.sum(images.max_pool2d(images.conv2d(x, w))), wrt=(0, 1))
    bx, bw = df(np.ones((1, 4, 4, 1), np.float32), np.ones((3, 3, 1, 2), np.float32))
    assert bx.dtype == bw.dtype == np.float32


def test_whole_numbers_are_pooled_as_such() -> None:
    assert ops.maxpool(np.array([3, 1, 4]), 2).tolist() == [3, 4]
    assert images.max_pool2d(np.arange(4).reshape(1, 2, 2, 1)).ravel().tolist() == [3]


@pytest.mark.parametrize("stride, padding", [(1, 0), (1, 3), (2, 1), (3, 2), (4, 0)])
@pytest.mark.parametrize("kind", [np.float32, np.float64])
def test_adjoints_of_convolutions_are_adjoint(stride: int, padding: int, kind: Any) -> None:
    x, w = G.normal(size=(2, 7, 6, 3)).astype(kind), G.normal(size=(3, 2, 3, 4)).astype(kind)
    y = images.conv2d(x, w, stride, padding)
    g = G.normal(size=y.shape).astype(kind)
    bx = images.of_images(g, w, x.shape, stride, padding)
    bw = images.of_kernels(x, g, w.shape, stride, padding)
    assert y.dtype == bx.dtype == bw.dtype == kind
    for one, other in ((x, bx), (w, bw)):
        np.testing.assert_allclose(np.vdot(one, other), np.vdot(y, g), rtol=2e-4)


def test_many_images_are_convolved_as_few_are() -> None:
    x, w, b = G.normal(size=(64, 20, 18, 4)), G.normal(size=(3, 3, 4, 5)), G.normal(size=5)
    y, g = images.conv2d(x, w, 1, 1, b), G.normal(size=(64, 20, 18, 5))
    bx, bw = images.of_images(g, w, x.shape, 1, 1), images.of_kernels(x, g, w.shape, 1, 1)
    total = np.zeros_like(w)
    for k in range(0, 64, 16):
        few = slice(k, k + 16)
        np.testing.assert_allclose(y[few], images.conv2d(x[few], w, 1, 1) + b)
        np.testing.assert_allclose(bx[few], images.of_images(g[few], w, x[few].shape, 1, 1))
        total += images.of_kernels(x[few], g[few], w.shape, 1, 1)
    np.testing.assert_allclose(bw, total, atol=1e-10)


@pytest.mark.parametrize("near", [1 << 10, 1 << 14, 1 << 22])
@pytest.mark.parametrize("products", [50.0, 1e4, 1e6])
@pytest.mark.parametrize("stride, padding", [(1, 0), (1, 1), (2, 3), (3, 1)])
def test_convolutions_are_the_same_however_they_are_divided(
    near: int, products: float, stride: int, padding: int, monkeypatch: Any
) -> None:
    monkeypatch.setattr(unfolding, "NEAR", near)
    monkeypatch.setattr(unfolding, "PRODUCTS", products)
    monkeypatch.setattr(unfolding, "FEWEST", 1)
    monkeypatch.setattr(images, "FLAT", products)
    x, w, b = PICTURE.repeat(3, 0), KERNELS, W
    whole = np.pad(x, ((0, 0), (padding, padding), (padding, padding), (0, 0)))
    under = np.lib.stride_tricks.sliding_window_view(whole, w.shape[:2], (1, 2))
    under = under[:, ::stride, ::stride]
    y = images.conv2d(x, w, stride, padding, b)
    np.testing.assert_allclose(y, np.einsum("nrcidk,dkio->nrco", under, w) + b, atol=1e-12)
    g = G.normal(size=y.shape)
    bw = images.of_kernels(x, g, w.shape, stride, padding)
    np.testing.assert_allclose(bw, np.einsum("nrcidk,nrco->dkio", under, g), atol=1e-12)
    bx = np.zeros_like(whole)
    for i, j in np.ndindex(w.shape[:2]):
        rows, columns = (slice(k, k + stride * n, stride) for k, n in zip((i, j), y.shape[1:3]))
        bx[:, rows, columns] += g @ w[i, j].T
    bx = bx[:, padding : padding + x.shape[1], padding : padding + x.shape[2]]
    np.testing.assert_allclose(images.of_images(g, w, x.shape, stride, padding), bx, atol=1e-12)


def test_convolutions_in_threads_do_not_meet() -> None:
    parts = [G.normal(size=(8, 9, 9, 3)) for _ in range(24)]
    alone = [images.conv2d(x, KERNELS, 1, 1) for x in parts]
    with ThreadPoolExecutor(6) as pool:
        together = list(pool.map(lambda x: images.conv2d(x, KERNELS, 1, 1), parts))
    assert all(map(np.array_equal, alone, together))


def test_no_images_and_no_channels_are_convolved() -> None:
    for x, w in (
        (np.zeros((0, 6, 6, 2)), np.ones((3, 3, 2, 4))),
        (np.zeros((2, 6, 6, 0)), np.ones((3, 3, 0, 4))),
    ):
        y = images.conv2d(x, w, 1, 1, np.arange(4.0))
        assert np.array_equal(y, np.broadcast_to(np.arange(4.0), (len(x), 6, 6, 4)))
        assert not np.any(images.of_images(y, w, x.shape, 1, 1))
        assert not np.any(images.of_kernels(x, y, w.shape, 1, 1))


def layered(x: Any, w: Any, b: Any) -> Any:
    t = 0.0
    for _ in range(2):
        x = np.tanh(images.max_pool2d(gates.relu(images.conv2d(x, w, 1, 1, b))))
        t = t + np.sum(x**2)
    return t


def test_convolutions_in_loops_are_differentiated_twice() -> None:
    x, w, b = G.normal(size=(2, 4, 4, 2)), G.normal(size=(3, 3, 2, 2)), G.normal(size=2)
    slope, v = tl.grad(layered, wrt="w"), G.normal(size=w.shape)
    _, pullback = tl.vjp(slope, wrt=("x", "w", "b"))(x, w, b)
    found, h = pullback(v), 1e-6
    for k, args in enumerate((x, w, b)):
        way = G.normal(size=args.shape)
        ahead, behind = ([*(x, w, b)] for _ in range(2))
        ahead[k], behind[k] = args + h * way, args - h * way
        expected = np.vdot(v, slope(*ahead) - slope(*behind)) / (2.0 * h)
        np.testing.assert_allclose(np.vdot(found[k], way), expected, rtol=1e-5, atol=1e-7)
