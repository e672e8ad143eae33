"""Compiled by Numba, a derivative is what it is without: programs, arguments of other sorts, what is refused."""

from __future__ import annotations

import ast
import copy
import importlib.util
import itertools
from typing import Any

import numpy as np
import pytest

import tangentlite as tl
from tangentlite.native.spelling import downward
from tests.native import programs
from tests.native.programs import PROGRAMS, M, V, W, normal

numba = pytest.importorskip(
    "numba", reason="Numba is not installed: pip install tangentlite[numba]"
)


def active(args: tuple[Any, ...]) -> tuple[int, ...]:
    kinds = [np.asarray(a).dtype.kind for a in args]
    return tuple(k for k, kind in enumerate(kinds) if kind == "f")


def agree(function: Any, args: tuple[Any, ...], **options: Any) -> Any:
    """The compiled derivative, after it was compared with the one that is not."""
    wrt = active(args)
    plain, made = tl.grad(function, wrt=wrt), tl.grad(function, wrt=wrt, compile="numba")
    for _ in range(2):
        given, kept = copy.deepcopy(args), copy.deepcopy(args)
        found, expected = made(*given, **options), plain(*kept, **options)
        for mine, other in zip(found, expected, strict=True):
            np.testing.assert_allclose(mine, other, rtol=1e-11, atol=1e-12)
            assert type(mine) is type(other)
            assert getattr(mine, "dtype", None) == getattr(other, "dtype", None)
        for mine, other in zip(given, kept, strict=True):
            np.testing.assert_array_equal(mine, other)
    return made


QUICK = (
    "recurrence",
    "two_arrays",
    "overlapping",
    "backward_slices",
    "helpers",
    "gathered",
    "sums_that_loops_wait_for",
)
CASES = [n if n in QUICK else pytest.param(n, marks=pytest.mark.slow) for n in PROGRAMS]


@pytest.mark.parametrize("name", CASES)
def test_programs(name: str) -> None:
    agree(*PROGRAMS[name])


@pytest.mark.slow
def test_other_lengths_and_types() -> None:
    made = agree(programs.two_arrays, (V, W, 3))
    plain = tl.grad(programs.two_arrays, wrt=(0, 1))
    for args in (
        (V[:3], W[:3], 2),
        (V[:1], W[:1], 2),
        (V[:0], W[:0], 1),
        (V[::2], W[::2], 1),
        (V.astype(np.float32), W.astype(np.float32), 2),
    ):
        found, expected = made(*copy.deepcopy(args)), plain(*copy.deepcopy(args))
        for mine, other in zip(found, expected, strict=True):
            np.testing.assert_allclose(mine, other, rtol=1e-5, atol=1e-6)
            assert mine.dtype == other.dtype


@pytest.mark.slow
def test_a_seed() -> None:
    agree(programs.two_arrays, (V, W, 2), adjoint=0.25)


def test_a_value_outside_may_change(monkeypatch: pytest.MonkeyPatch) -> None:
    made = agree(programs.outside, (V, W))
    monkeypatch.setattr(programs, "SCALE", 2.0)
    np.testing.assert_allclose(made(V.copy(), W.copy())[1][1:], 2.0 * V[1:])


def reads_outside(a):
    return a * programs_scale


programs_scale = 3.0


def calls_what_reads_outside(a):
    return np.sum(reads_outside(a))


programs_scales = [3.0, 4.0]


def reads_more(a):
    return a * programs_scales[0]


def calls_what_reads_more(a):
    return np.sum(reads_more(a))


def reads_by_default(a, *, shift=0.5, times=2):
    y = a * programs_scale + shift
    for _ in range(times):
        y = y * np.sin(y) + a
        y[0] = 0.5 * y[-1]
    return y


def calls_in_several_ways(a, w):
    b = reads_by_default(a)
    c = reads_by_default(a[::2], times=1)
    d = reads_by_default(w, shift=a[1])
    return np.sum(b * d) + np.sum(c)


def test_defaults_and_names_of_helpers() -> None:
    agree(calls_in_several_ways, (V, W))


def test_a_helper_may_read_outside(monkeypatch: pytest.MonkeyPatch) -> None:
    made = agree(calls_what_reads_outside, (V,))
    monkeypatch.setitem(globals(), "programs_scale", 0.25)
    np.testing.assert_allclose(made(V)[0], np.full(9, 0.25))


def test_a_helper_that_reads_an_array_outside_is_refused() -> None:
    with pytest.raises(tl.UnsupportedSyntaxError, match="programs_scales"):
        tl.grad(calls_what_reads_more, compile="numba")(V)


def squared_again(a, k):
    if k == 0:
        return a
    a *= a
    return squared_again(a, k - 1)


def calls_what_calls_itself(a):
    return np.sum(squared_again(a, 2))


def test_a_helper_that_calls_itself_is_refused() -> None:
    derivative = tl.grad(calls_what_calls_itself, compile="numba")
    for _ in range(2):
        with pytest.raises(tl.UnsupportedSyntaxError, match="`squared_again` calls itself"):
            derivative(V)


def adds(x, y):
    z = x + y
    return np.sum(z * z)


@pytest.mark.parametrize(
    "shapes", [((2, 3), (1, 3)), ((2, 1), (2, 3)), ((1, 3), (2, 1)), ((1, 1), (1, 1))]
)
def test_axes_of_length_one(shapes: tuple[Any, ...]) -> None:
    agree(adds, tuple(normal(size=shape) for shape in shapes))


def test_a_derivative_knows_axes_of_length_one_and_others() -> None:
    made, plain = tl.grad(adds, wrt=(0, 1), compile="numba"), tl.grad(adds, wrt=(0, 1))
    for shapes in (((2, 3), (2, 3)), ((2, 3), (1, 3)), ((2, 3), (2, 3)), ((2, 1), (2, 3))):
        args = [normal(size=shape) for shape in shapes]
        for mine, other in zip(made(*args), plain(*args), strict=True):
            np.testing.assert_allclose(mine, other)


def stretches(x, n):
    row = np.zeros(n) + 0.5
    return np.sum((x * x) * (row + x[0]))


def test_a_length_that_turns_out_to_be_one_is_refused() -> None:
    with pytest.raises(tl.UnsupportedSyntaxError, match="axis of length one"):
        tl.grad(stretches, compile="numba")(V, 1)


def unknown_to_numba(x):
    y = np.reshape(x, (1, 2, -1))
    return np.sum(np.tensordot(y, y, ([1], [1])) ** 2)


def turned(x: Any) -> Any:
    y = np.einsum("ij,kj->ki", x, x)
    top = np.max(y, axis=1, keepdims=True)
    return np.sum(np.exp(y - top))


def test_reductions_of_what_has_no_known_rank() -> None:
    agree(turned, (M[:3],))


def test_what_numba_does_not_know_is_refused_by_name() -> None:
    with pytest.raises(tl.UnsupportedSyntaxError, match="Numba does not compile .*tensordot"):
        tl.grad(unknown_to_numba, compile="numba")(V)


def test_what_numba_does_not_know_is_refused_with_the_line_behind_it() -> None:
    def crossed(x, y):
        c = np.kron(x, y)
        return np.sum(c * c)

    with pytest.raises(
        tl.UnsupportedSyntaxError, match=r"`c = np.kron\(x, y\)`\): it has no `kron_left`"
    ):
        tl.grad(crossed, compile="numba")(M, V)


def test_what_breaks_numba_is_refused_in_our_words() -> None:
    def weighed(x, w):
        x -= np.average(x, axis=0, weights=np.abs(w))
        return np.sum(x * x)

    with pytest.raises(tl.UnsupportedSyntaxError, match=r"Numba itself fails at what is given"):
        tl.grad(weighed, compile="numba")(M, M.copy())


@pytest.mark.slow
def test_a_compiler_of_ones_own() -> None:
    made = tl.value_and_grad(programs.recurrence, wrt=(0, 1), compile=numba.njit(fastmath=True))
    value, (bx, ba) = made(V, 0.4, W)
    plain_value, (plain_bx, plain_ba) = tl.value_and_grad(programs.recurrence, wrt=(0, 1))(
        V, 0.4, W
    )
    np.testing.assert_allclose([value, ba], [plain_value, plain_ba])
    np.testing.assert_allclose(bx, plain_bx)


def test_methods_are_refused() -> None:
    class Model:
        def loss(self, x):
            return x * x

    with pytest.raises(tl.UnsupportedSyntaxError, match="method"):
        tl.grad(Model().loss, compile="numba")


def test_the_word_must_be_known() -> None:
    with pytest.raises(ValueError, match="'numba' or a callable"):
        tl.grad(adds, compile="cython")


def test_an_exception_of_the_user_passes() -> None:
    def checked(x):
        if x.shape[0] < 3:
            raise ValueError("too short")
        return np.sum(x * x)

    made = tl.grad(checked, compile="numba")
    np.testing.assert_array_equal(made(V), 2.0 * V)
    with pytest.raises(ValueError, match="too short"):
        made(V[:2])


def gives_an_array(x):
    y = np.zeros(len(x))
    for i in range(len(x)):
        y[i] = x[i] * 2.0
    return y


def sorts(x):
    return np.sum(np.sort(x) ** 2 * np.arange(len(x)))


def views(x):
    p = x * 2.0
    q = p.view()
    q += x
    return np.sum(p * p)


@pytest.mark.parametrize("f", [sorts, views])
def test_what_fails_inside_numba_is_refused(f: Any) -> None:
    try:
        agree(f, (V,))
    except tl.UnsupportedSyntaxError as fault:
        assert "Numba does not compile" in str(fault)


def asserts(x):
    assert x[0] > 0.0
    return np.sum(x * x)


def test_an_assertion_of_the_user_passes() -> None:
    made = tl.grad(asserts, compile="numba")
    with pytest.raises(AssertionError):
        made(-np.abs(V))


def test_a_result_that_is_no_number_needs_a_seed() -> None:
    with pytest.raises((tl.DerivativeError, TypeError, ValueError)):
        tl.grad(gives_an_array, compile="numba")(V)


def divides(x, y):
    total = 0.0
    for i in range(len(x)):
        total += x[i] / y[i]
    return total


def test_where_a_zero_meets_an_infinity() -> None:
    x, y = np.array([0.0, 1.0, 2.0]), np.array([2.0, np.inf, -np.inf])
    plain = tl.grad(divides, wrt=(0, 1))(x, y)
    for mine, other in zip(tl.grad(divides, wrt=(0, 1), compile="numba")(x, y), plain):
        np.testing.assert_array_equal(mine, other)


def test_loops_begin_with_lengths_that_are_known() -> None:
    made = agree(programs.two_arrays, (V, W, 3))
    assert "range(max(a.shape" not in made.kernels


def put_back(rows, x):
    for i in range(3):
        state = np.tanh(x * (i + 1.0))
        state *= x
        state += state * state
        rows[i] = state


def restores_what_is_on_a_list(rows, x):
    put_back(rows, x)
    return np.sum(rows * rows)


def restores_it_twice(rows, x):
    put_back(rows, x)
    put_back(rows, x * x)
    return np.sum(rows * rows)


def test_arrays_on_lists_of_a_kernel_are_written() -> None:
    agree(restores_what_is_on_a_list, (np.ones((3, 4)), V[:4]))


def test_arrays_on_lists_of_helpers_are_written_where_nobody_reads_them_again() -> None:
    agree(restores_it_twice, (np.ones((3, 4)), V[:4]))


def scaled(whole, row):
    for i in range(1, len(row)):
        row[i] *= row[i - 1] * whole[i - 1, 0]


def one_in_the_other(whole):
    scaled(whole, whole[0])
    return np.sum(whole * whole)


def test_arrays_that_share_memory_are_one_or_refused() -> None:
    plain = tl.grad(one_in_the_other)(M.copy())
    try:
        found = tl.grad(one_in_the_other, compile="numba")(M.copy())
    except tl.UnsupportedSyntaxError as fault:
        assert "share memory" in str(fault)
    else:
        np.testing.assert_allclose(found, plain)


def test_exceptions_that_pass_through_a_finally_are_right_or_refused() -> None:
    def halved(x):
        total = 0.0
        for v in x:
            try:
                if v < 0.0:
                    raise ValueError("negative")
                total = total + v * v
            except ValueError:
                total = total - v
            finally:
                total = total * 0.5
        return total

    x = np.array([1.0, -2.0, 3.0])
    try:
        found = tl.grad(halved, compile="numba")(x)
    except tl.UnsupportedSyntaxError as fault:
        assert "Numba" in str(fault)
    else:
        np.testing.assert_allclose(found, tl.grad(halved)(x))


def test_products_need_no_scipy_and_systems_do() -> None:
    square = M[:4, :4] + 3.0 * np.eye(4)
    products = lambda a: np.sum(np.sin(a @ a) @ a[0])  # noqa: E731
    np.testing.assert_allclose(
        tl.grad(products, compile="numba")(square), tl.grad(products)(square), rtol=1e-10
    )
    systems = lambda a: np.sum(np.linalg.solve(a, a[0]))  # noqa: E731
    gradient = tl.grad(systems, compile="numba")
    if importlib.util.find_spec("scipy") is None:
        with pytest.raises(tl.UnsupportedSyntaxError, match="SciPy"):
            gradient(square)
    else:
        np.testing.assert_allclose(gradient(square), tl.grad(systems)(square), rtol=1e-9)


@pytest.mark.parametrize("step", [-3, -2, -1, 1, 2, 3])
def test_a_range_backward(step: int) -> None:
    text = ast.unparse(downward(ast.parse("range(a, b, s)", mode="eval").body.args))
    for a, b in itertools.product(range(-4, 5), repeat=2):
        found = eval(text, {"a": a, "b": b, "s": step})
        assert list(found) == list(reversed(range(a, b, step)))


def of_integers(x, w):
    total = 0.0
    for k in range(len(x)):
        total += 0.5 * w[k] * x[k]
    return total


def test_gradients_of_integers_are_floating() -> None:
    args = np.arange(1, 4), V[:3]
    found = tl.grad(of_integers, wrt=(0, 1), compile="numba")(*args)
    for mine, other in zip(found, tl.grad(of_integers, wrt=(0, 1))(*args), strict=True):
        np.testing.assert_allclose(mine, other)
        assert mine.dtype == other.dtype
