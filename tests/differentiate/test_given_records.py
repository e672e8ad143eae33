"""Calls whose backward function needs nothing but arguments: no record, and no forward call that nobody needs."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

import tangentlite as tl


def half(a, b):
    b[1:-1] = 0.5 * (a[:-2] + a[2:])


def alternating(a, steps):
    b = a.copy()
    for _ in range(steps):
        half(a, b)
        half(b, a)
    return np.sum(a * a)


def swapping(a, steps):
    b = a.copy()
    for _ in range(steps):
        half(a, b)
        a, b = b, a
    return np.sum(a * a * a)


def square_into(y, x, k=3.0):
    y[...] = k * x * x


def overwritten_afterwards(x):
    y = np.zeros(4)
    square_into(y, x)
    x *= 2.0
    square_into(x, y, k=0.5)
    y[1:] = 0.0
    return np.sum(x * y) + np.sum(x)


def overwritten_in_a_loop(x, n):
    y = np.ones(4)
    for i in range(n):
        square_into(y, x, 0.3 + i)
        x[1:] = y[:-1] + x[1:] * 0.1
    return np.sum(x * y)


def its_own_argument(x, n):
    for _ in range(n):
        square_into(x, x, 0.4)
    return np.sum(x)


def parts_of_one_array(x, n):
    for _ in range(n):
        square_into(x[:2], x[2:], 0.4)
        square_into(x[2:], x[:2], 0.7)
    return np.sum(x * x)


def scaled(x, factor):
    return x * factor


def results_only(x, k):
    y = x
    for i in range(3):
        y = scaled(y, k) + scaled(k, i)
    return np.sum(y)


def product_into(y, x, z):
    y[...] = x * z


def products(x, n):
    y, z = np.ones(4), np.cos(x)
    for i in range(n):
        product_into(y, x, z)
        x[1:] = y[:-1] * 0.3
        product_into(z, y, x)
    return np.sum(x * y)


def in_a_branch(x, k):
    y = np.ones(4)
    if np.sum(x) > 0.0:
        square_into(y, x)
    else:
        square_into(y, x[::-1], k)
    y[0] = 0.0
    return np.sum(y * x)


def nested_step(new, old):
    half(old, new)
    half(new, old)


def nested(x, steps):
    y = x.copy()
    for _ in range(steps):
        nested_step(y, x)
    return np.sum(x * y)


def by_word(x):
    y = np.zeros(4)
    square_into(k=x[0], x=x, y=y)
    return np.sum(y)


def another_rank(x):
    y = np.zeros((3, 4))
    for i in range(3):
        square_into(y[i], x, 1.0 + i)
        half(x, y[i])
    return np.sum(y * y)


def while_it_lasts(x, limit):
    y = x.copy()
    n = 0
    while n < limit:
        half(x, y)
        x[...] = y * x
        n += 1
    return np.sum(x)


def smooth(u, f, times):
    for _ in range(times):
        u[1:-1] = 0.5 * u[1:-1] + 0.25 * (u[:-2] + u[2:]) + f[1:-1]


def smooth_by_products(u, f, times):
    for _ in range(times):
        u[1:-1] = u[1:-1] * f[1:-1] + 0.25 * (u[:-2] + u[2:])


def sweeps_inside(u, f, n):
    for _ in range(n):
        smooth(u, f, 2)
        f[1:] += 0.3 * u[:-1]
    return np.sum(u * u)


def products_inside(u, f, n):
    for _ in range(n):
        smooth_by_products(u, f, 2)
        f[1:] += 0.3 * u[:-1]
    return np.sum(u * u)


V = np.array([0.7, -0.4, 1.2, 0.3])
W = np.array([0.2, 1.4, -0.2, 0.9])
PROGRAMS: list[tuple[Any, ...]] = [
    (alternating, V, 2),
    (swapping, V, 3),
    (overwritten_afterwards, V),
    (overwritten_in_a_loop, V, 3),
    (results_only, V, 1.3),
    (products, V, 3),
    (in_a_branch, V, 0.2),
    (in_a_branch, -V, 0.2),
    (nested, V, 2),
    (by_word, V),
    (another_rank, V),
    (while_it_lasts, V, 2),
    (sweeps_inside, V, W, 2),
    (products_inside, V, W, 2),
]


@pytest.mark.parametrize("program", PROGRAMS, ids=lambda p: p[0].__name__)
def test_the_derivatives_are_right(program: tuple[Any, ...], confirm: Any) -> None:
    confirm(*program)


@pytest.mark.parametrize("function", [parts_of_one_array, its_own_argument])
def test_arguments_that_overlap(function: Any, confirm: Any) -> None:
    confirm(function, V, 2, second=False)


def text(function: Any, *args: Any) -> str:
    """The derivative as it is written for these arguments, without its helpers."""
    gradient = tl.grad(function)
    gradient(*args)
    unit = next(reversed(gradient._variants.values()))[0] if gradient._variants else None
    return unit.source if unit is not None else gradient.source


def only_linear(a, w, steps):
    b = a.copy()
    for _ in range(steps):
        half(a, b)
        half(b, a)
    return np.sum(a * w)


def test_a_linear_procedure_is_neither_called_nor_recorded() -> None:
    source = text(only_linear, V, W, 3)
    assert "    half(" not in source and "tape" not in source and "half_forward" not in source
    assert "_old" not in source


def sweeps_of_both(u, f, w, n):
    for _ in range(n):
        smooth(u, f, 2)
    return np.sum(u * w)


def test_parts_that_only_tell_a_shape_are_not_recorded() -> None:
    source = tl.grad(sweeps_of_both, wrt=(0, 1)).source.partition("\ndef smooth_forward")[0]
    assert "smooth_backward((rt.outline(f), 2, rt.outline(u))" in source
    assert "smooth_forward" not in source and "tape" not in source and "_old" not in source


def test_what_is_read_by_value_is_kept_where_it_is_overwritten() -> None:
    source = text(products, V, 3)
    assert "x_old" in source and "product_into_forward" not in source


def printed(a, b):
    print("step")
    half(a, b)


def checked(a, b):
    assert a[0] > 0.0, "not positive"
    half(a, b)


def raising(a, b):
    if a[0] < 0.0:
        raise ValueError("negative")
    half(a, b)


def with_printed(a, w):
    b = a.copy()
    printed(a, b)
    return np.sum(b * w)


def with_checked(a, w):
    b = a.copy()
    checked(a, b)
    return np.sum(b * w)


def with_raising(a, w):
    b = a.copy()
    raising(a, b)
    return np.sum(b * w)


def outer(a, b):
    raising(a, b)
    half(b, a)


def with_outer(a, w):
    b = a.copy()
    outer(a, b)
    return np.sum(b * w)


def test_what_a_procedure_prints_is_printed_once(capsys: Any) -> None:
    tl.grad(with_printed)(V, W)
    assert capsys.readouterr().out == "step\n"


@pytest.mark.parametrize(
    ("function", "error"),
    [(with_checked, AssertionError), (with_raising, ValueError), (with_outer, ValueError)],
)
def test_errors_of_a_procedure_are_raised(function: Any, error: type[Exception]) -> None:
    tl.grad(function)(V, W)
    with pytest.raises(error):
        tl.grad(function)(-V, W)


def counted(a, b, calls=[0]):  # noqa: B006
    calls[0] += 1
    half(a, b)


def with_default(a, w):
    b = a.copy()
    counted(a, b)
    return np.sum(b * w)


def test_a_default_that_is_written_is_refused(refused: Any) -> None:
    refused(with_default, "counted(a, b)", "outside", error=tl.AliasError)


@pytest.mark.parametrize("dtype", [np.float32, np.float64, np.complex128])
def test_element_types_stay(dtype: Any) -> None:
    a = V.astype(dtype)
    if dtype is np.complex128:
        a = a + 0.5j * V[::-1]

    def gradient(of: Any) -> Any:
        if dtype is np.complex128:
            return tl.grad(real_part)(of, 2)
        return tl.grad(alternating)(of, 2)

    found = gradient(a)
    assert found.dtype == dtype and found.shape == a.shape
    step = 1e-2 if dtype is np.float32 else 1e-6
    function = real_part if dtype is np.complex128 else alternating
    for k in range(4):
        e = np.zeros(4, dtype)
        e[k] = step
        slope = (function(a + e, 2) - function(a - e, 2)) / (2.0 * step)
        np.testing.assert_allclose(np.real(found[k]), slope, rtol=1e-3, atol=1e-3)


def real_part(a, steps):
    b = a.copy()
    for _ in range(steps):
        half(a, b)
        half(b, a)
    return np.sum(np.real(a * a))


def of_integers(a, w):
    b = a / 2
    half(a, b)
    return np.sum(b * w)


def test_integers_that_are_given_have_a_gradient() -> None:
    found = tl.grad(of_integers)(np.array([1, 2, 3, 4]), V)
    expected = tl.grad(of_integers)(np.array([1.0, 2.0, 3.0, 4.0]), V)
    np.testing.assert_allclose(found, expected)


def factorial(x, n):
    if n == 0:
        return x
    return factorial(x * n, n - 1)


def half_recursively(a, b, n):
    half(a, b)
    if n > 0:
        half_recursively(b, a, n - 1)


def with_recursion(a, n):
    b = a.copy()
    half_recursively(a, b, n)
    return np.sum(a * a) + factorial(b[1], 3)


def test_recursion(confirm: Any) -> None:
    confirm(with_recursion, V, 2, second=False)


def smoothed(x, k):
    y = x.copy()
    for i in range(1, len(x)):
        y[i] = k * y[i - 1] + x[i]
    return y


def of_results(x, k, n):
    for _ in range(n):
        x = smoothed(x, k)
    return np.sum(x * x)


def linear_in_results(x, w, n):
    for _ in range(n):
        x = smoothed(x, 0.5)
    return np.sum(x * w)


def shape_of_two(x, k):
    y = smoothed(x, k) * smoothed(x[:2], k)[0]
    return np.sum(y) + np.sum(smoothed(x[None, :] * np.ones((3, 1)), k))


def spread_out(table):
    n, m = table.shape
    for i in range(1, n):
        for j in range(m - 1):
            table[i, j] += 0.5 * table[i - 1, j + 1]


def of_a_table(table, w, times):
    for _ in range(times):
        spread_out(table)
    return np.sum(table * w)


def lengthened(x, c):
    return np.concatenate([x, x]) * c


def of_other_lengths(x, c):
    y = lengthened(x, c)
    return np.sum(y[2:] * smoothed(y, 0.3)[2:])


M = np.arange(12.0).reshape(3, 4) / 7.0
RESULTS: list[tuple[Any, ...]] = [
    (of_results, V, 0.3, 2),
    (linear_in_results, V, W, 2),
    (shape_of_two, V, 0.3),
    (of_a_table, M, np.cos(M), 2),
    (of_other_lengths, V, 1.2),
]


@pytest.mark.parametrize("program", RESULTS, ids=lambda p: p[0].__name__)
def test_results_and_sizes_are_right(program: tuple[Any, ...], confirm: Any) -> None:
    confirm(*program)


def test_the_shape_of_a_result_is_known_to_the_caller() -> None:
    source = text(linear_in_results, V, W, 2)
    assert "smoothed(" not in source.replace("= smoothed(x, 0.5)", "") and "tape" not in source


def test_sizes_are_asked_for_again() -> None:
    source = text(of_a_table, M, np.cos(M), 2)
    assert "    spread_out(" not in source and "tape" not in source and "_forward" not in source


def test_a_table_of_another_rank_is_refused_as_python_does() -> None:
    with pytest.raises(ValueError, match="unpack"):
        tl.grad(of_a_table)(V, W, 2)


def renewed(a, w, steps):
    for _ in range(steps):
        b = np.zeros_like(a)
        b[0] = a[0]
        b[1:] = 0.5 * a[:-1] + a[1:]
        a = b
    return np.sum(a * w)


def renewed_and_kept(a, w, steps):
    first = a
    for _ in range(steps):
        b = np.zeros_like(a)
        b[0] = a[0] * first[1]
        b[1:] = 0.5 * a[:-1] * a[1:]
        a = b
    return np.sum(a * w) + first[0]


@pytest.mark.parametrize("function", [renewed, renewed_and_kept])
def test_new_arrays(function: Any, confirm: Any) -> None:
    confirm(function, V, W, 3)


def test_new_arrays_of_a_linear_stencil_are_not_made() -> None:
    source = text(renewed, V, W, 3)
    assert "zeros_like" not in source and "tape" not in source
