"""Functions made in comprehensions: all of one comprehension see the last value of its variables."""

from __future__ import annotations

from typing import Any

import pytest

from tests.programs.strict import case, cases, check, label


@case(0.7, 1.3)
def last_of_a_range(a, b):
    fs = [lambda x: x * i * a for i in range(3)]
    return sum(f(b) for f in fs)


@case(0.7, 1.3)
def variable_of_the_same_name(a, b):
    i = b * 2.0
    fs = [lambda x: x * i * a for i in (a, b)]
    gs = [lambda x: x + j * i for i in (a, b, 2.0) if i > 1.0 for j in (i, i * a)]
    return fs[0](b) * i + gs[1](a) + fs[1](i)


@case(0.7, 1.3)
def beside_other_values(a, b):
    pairs = [(lambda x: x * i * v, i * a) for i, v in enumerate((a, b))]
    return pairs[0][0](b) * pairs[1][1] + pairs[1][0](a)


@case(0.7, 1.3)
def in_a_table(a, b):
    table = {k: (lambda x: x**k * a) for k in (1, 2)}
    return table[1](b) + table[2](a)


def powers(n, a):
    return [lambda x: x**i + a for i in range(n)]


@case(0.7, 1.3)
def returned_by_a_factory(a, b):
    def scaled(n):
        return [lambda x: x * i * b for i in range(n)]

    return sum(f(b) for f in powers(3, a)) + sum(f(a) for f in scaled(2))


@case(0.7, 1.3)
def own_value_by_default(a, b):
    fs = [lambda x, i=i: x**i * a for i in range(3)]
    return sum(f(b) for f in fs)


@pytest.mark.parametrize(("function", "args", "options"), cases(__name__), ids=label)
def test_program(function: Any, args: Any, options: Any) -> None:
    check(function, *args, **options)
