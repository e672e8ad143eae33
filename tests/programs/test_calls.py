"""Calls of the user's functions: defaults, keywords, recursion, results of all kinds, lambdas, globals."""

from __future__ import annotations

import functools
import logging
import time
from collections.abc import Callable
from types import ModuleType
from typing import Any

import numpy as np
import pytest

import tangentlite as tl
from tests.programs.strict import case, cases, check, label, normal

factor = 2.0


def square(a):
    return a * a


def affine(x, w=2.0, *, b=1.0):
    return x * w + b


def ignores(x, y):
    return x * 3.0


def ignores_all(x):
    return 4.0


def pair(x, y):
    return x * y, x + y


def record(x):
    return {"square": x * x, "list": [x, 2.0 * x]}


def takes_record(r, k):
    return r["square"] * r["list"][1] * k


def scaled(x):
    return x * factor


def power(x, n):
    if n == 0:
        return 1.0
    return x * power(x, n - 1)


def even(x, n):
    return x if n == 0 else odd(x * 1.1, n - 1)


def odd(x, n):
    return np.sin(x) if n == 0 else even(x * x, n - 1)


def tree(x, depth):
    if depth == 0:
        return x * x
    return tree(x * 0.5, depth - 1) * tree(np.sin(x), depth - 1)


def grows(x, row):
    return x + row


def outer(x):
    return inner(x) * x


def inner(x):
    return np.sin(x) * square(x)


def loops(x, n):
    y = x
    for i in range(n):
        y = np.sin(y) * x
    return y


def early(x):
    if np.sum(x) > 0:
        return x * 2.0
    y = x * x
    return y * y


def returns_argument(x):
    return x


def returns_nothing(x):
    y = x * x


cube = lambda x: x * x * x  # noqa: E731
with_default = lambda x, k=3.0: x * k  # noqa: E731


@case(normal(3))
@case(0.5)
def called_twice(x):
    return np.sum(square(x) * square(square(x)))


@case(0.5, 0.7)
def keywords_and_defaults(x, y):
    return affine(x) + affine(x, y) + affine(w=x, x=y) + affine(y, b=x) + affine(x, 3.0, b=2)


@case(0.5, 0.7)
def ignored_arguments(x, y):
    return ignores(x, y) * ignores(y, x) + ignores(1.0, x) + ignores_all(x * y)


@case(0.5)
def only_ignored(x):
    return ignores(2.0, x) * x


@case(0.5)
def constant_helper(x):
    return ignores_all(x)


@case(0.5, 0.7)
def helper_returns_a_tuple(x, y):
    p, s = pair(x, y)
    q = pair(s, p)
    return q[0] * p + q[1]


@case(0.5)
def helper_returns_a_dict(x):
    r = record(x)
    return takes_record(r, x) + takes_record(record(x * x), 2.0) + r["list"][0]


@case(0.5, 3)
@case(normal(2), 2)
@case(0.5, 0)
def recursion(x, n):
    return np.sum(power(x, n) * x)


@case(0.5, 4)
@case(0.5, 3)
def mutual_recursion(x, n):
    return even(x, n) * odd(x, n)


@case(0.5)
def tree_recursion(x):
    return tree(x, 2)


@case(0.5, 3)
def self_recursion(x, n):
    if n == 0:
        return x
    return x * self_recursion(np.sin(x), n - 1)


@case(0.3, 2)
def called_in_a_loop(x, n):
    y = x
    for i in range(n):
        y = inner(y) + affine(x, b=i)
        if i == 1:
            y = outer(y)
    return y


@case(0.5, 0)
def never_called(x, n):
    y = x
    for i in range(n):
        y = outer(y)
    return y


@case(0.5, 0.7)
def different_activity(x, y):
    a = affine(x, 2.0)
    b = affine(2.0, x)
    c = affine(3.0, 4.0)
    return a * b * c + affine(y, a, b=b)


@case(0.5, normal(3))
@case(normal(3), normal(3))
@case(normal(2, 3), 0.5)
def shape_changes_in_the_helper(x, row):
    s = grows(x, row)
    s = grows(s, row) * s
    return np.sum(grows(0.0, s) * s)


@case(0.5, 0.7)
def same_argument_twice(x, y):
    p, s = pair(x, x)
    return p * s + pair(y, x)[0] + pair(x * y, x * y)[1]


@case(0.5, 3)
def helper_with_a_loop(x, n):
    return loops(x, n) * loops(x * x, 2) + loops(x, 0)


@case(0.5)
@case(-0.5)
@case(normal(3))
def helper_with_early_return(x):
    return np.sum(early(x) * early(-x))


@case(0.5)
def lambdas_by_name(x):
    return cube(x) * with_default(x) + with_default(x, x)


@case(0.5)
def helper_returns_its_argument(x):
    y = returns_argument(x)
    return y * returns_argument(y) + x


@case(0.5)
def call_without_effect(x):
    returns_nothing(x)
    square(x)
    return x * x


@case(0.5)
def result_none_is_not_used(x):
    n = returns_nothing(x)
    return x * x if n is None else x


@case(0.5)
def call_in_a_test(x):
    if square(x) > 0.1 and cube(x) < 1:
        return square(x) * x
    return x


@case(0.5)
def call_in_a_while_test(x):
    while square(x) < 4.0:
        x = x * 1.5 + 0.1
    return x


@case(normal(3))
def call_in_a_comprehension(x):
    return np.sum(np.array([square(v) * i for i, v in enumerate(x)]))


@case(0.5)
def call_of_a_global_scale(x):
    return scaled(x) * scaled(square(x))


@case(0.5)
def nested_calls(x):
    return square(affine(square(x), w=square(x), b=cube(x)))


@case(0.5)
def call_through_a_local_name(x):
    g = square
    return g(x) * g(g(x))


@case(0.5)
def results_that_are_functions_of_no_input(x):
    a = affine(2.0)
    for i in range(2):
        a = affine(a)
    return a * x


@case([0.4, 0.7, normal(2)])
def container_to_helper(p):
    return first_times_last(p) * p[1]


def first_times_last(p):
    return p[0] * np.sum(p[-1])


@case((0.4, 0.7))
def helper_takes_apart(p):
    a, b = swap(p)
    return a * a * b


def swap(p):
    a, b = p
    return b, a


@case(0.5, 2)
def closure_free_nested_parameters(x, n):
    s = 0.0
    for i in range(n):
        for j in range(n):
            s = s + product(x, i, j)
    return s


def product(x, i, j):
    return x**i * np.sin(x * j) + x


@case(np.float32(0.5))
@case(normal(3).astype(np.float32))
def helpers_in_single_precision(x):
    return np.sum(outer(x) * early(x))


@pytest.mark.parametrize(("function", "args", "options"), cases(__name__), ids=label)
def test_program(function: Any, args: Any, options: Any) -> None:
    check(function, *args, **options)


def module(path: Any, name: str, text: str) -> ModuleType:
    """A module of its own, with source."""
    import importlib.util

    file = path / f"{name}.py"
    file.write_text(text)
    spec = importlib.util.spec_from_file_location(name, file)
    assert spec is not None and spec.loader is not None
    made = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(made)
    return made


def test_helpers_of_one_name_in_two_modules(tmp_path: Any) -> None:
    a = module(
        tmp_path,
        "first_of_two",
        "def g(x):\n    return x * x\n\ndef f(x):\n    return g(x) * scale\n\nscale = 2.0\n",
    )
    b = module(
        tmp_path,
        "second_of_two",
        "def g(x):\n    return x * x * x\n\ndef f(x):\n    return g(x) * scale\n\nscale = 3.0\n",
    )
    top = module(
        tmp_path,
        "top_of_two",
        "def bind(one, two):\n    global f1, f2, m\n    f1, f2, m = one.f, two.f, two\n\n"
        "def g(x):\n    return x + 1.0\n\ndef f(x):\n    return f1(x) + f2(x) * g(x) + m.g(x)\n",
    )
    top.bind(a, b)
    check(top.f, 0.7)


def test_user_functions_named_as_builtins(tmp_path: Any) -> None:
    text = """
        import numpy as sum
        def abs(x): return x * x
        def len(x): return x * 2.0
        def float(x): return x + 1.0
        def range(n): return [0.5, n]
        def zip(a, b): return [a, b]
        def f(x):
            s = abs(x) * len(x) + float(x)
            s = s * range(x)[1] + zip(x, s)[0]
            s = s * range(s)[0] + zip(s, x)[1]
            return sum.sin(s)
    """
    import textwrap

    made = module(tmp_path, "shadowing", textwrap.dedent(text))
    check(made.f, 0.7)


def test_globals_are_read_at_call_time(tmp_path: Any) -> None:
    made = module(
        tmp_path,
        "changing",
        "k = 2.0\ndef h(x):\n    return x * x * k\n\ndef f(x):\n    return h(x) * k\n",
    )
    df, pair = tl.grad(made.f), tl.vjp(made.f)
    assert df(1.5) == pytest.approx(12.0)
    made.k = 3.0
    assert df(1.5) == pytest.approx(27.0)
    assert pair(1.5)[1](1.0) == pytest.approx(27.0)
    made.k = np.array([1.0, 2.0])
    assert pair(1.5)[1](np.array([1.0, 0.0])) == pytest.approx(3.0)


def test_helper_defined_anew_is_noticed(tmp_path: Any) -> None:
    made = module(
        tmp_path, "redefined", "def h(x):\n    return x * x\n\ndef f(x):\n    return h(x)\n"
    )
    df = tl.grad(made.f)
    assert df(1.5) == 3.0
    made.h = module(tmp_path, "other", "def h(x):\n    return x * x * x\n").h
    assert df(1.5) == pytest.approx(6.75)


def test_helper_and_parameter_of_one_name(tmp_path: Any) -> None:
    made = module(
        tmp_path,
        "clash",
        "def h(x):\n    return x * x\n\ndef g(h):\n    return h * h * h\n\ndef f(x):\n    y = g(x)\n    return h(y) * g(h(x))\n",
    )
    check(made.f, 0.7)


def test_lambda_itself() -> None:
    check(lambda x, k=2.0: np.sin(x) * k, 0.5, 1.5)


def test_int_and_bool_for_wrt() -> None:
    def f(x, n):
        return x * x * n + np.sin(x)

    f_: Callable[..., Any] = tl.grad(f)
    for x in (3, True, np.int64(3), np.bool_(True)):
        found = f_(x, 2)
        assert isinstance(found, float) and type(found) in (float, np.float64)
        assert found == pytest.approx(
            4 * float(x) + np.cos(float(x)), rel=1e-3
        )  # np.sin(True) is a float16
        assert tl.grad(f, wrt=1)(2.0, x) == pytest.approx(4.0)
    array = np.array([1, 2, 3])
    found = tl.grad(lambda x: np.sum(x * x * x))(array)
    assert found.dtype == np.float64
    np.testing.assert_allclose(found, 3.0 * array**2)
    flags = tl.grad(lambda x: np.sum(x * 2.5))(np.array([True, False]))
    assert flags.dtype == np.float64
    np.testing.assert_array_equal(flags, [2.5, 2.5])


LOG = logging.getLogger("outside")


def timed(function):
    @functools.wraps(function)
    def inner(*args, **kwargs):
        start = time.perf_counter()
        y = function(*args, **kwargs)
        LOG.debug("%s took %f", function.__name__, time.perf_counter() - start)
        return y

    return inner


@timed
def measured(x):
    return x * np.sin(x)


def test_a_logger_is_told_how_long_it_took(confirm) -> None:
    confirm(lambda x: measured(x) ** 2, 0.7)


def test_loggers_look_on(caplog: Any) -> None:
    def logs(x):
        logging.getLogger("here").info("%s", x)
        log = logging.getLogger(__name__)
        for k in range(3):
            log.info("%d: %s", k, x * x)
            x = x * 1.1
        return x * x

    with caplog.at_level(logging.INFO):
        check(logs, 0.7)
        caplog.clear()
        tl.grad(logs)(0.7)
    assert len(caplog.records) == 4
