"""Names: shadowed builtins and modules, names that generated code likes, branches, returns, parameters bound again."""

from __future__ import annotations

import math
from typing import Any

import numpy
import numpy as linear_algebra
import numpy as np
import pytest
from numpy import cos, sin, sum as total

from tests.programs.strict import case, cases, check, label, normal

scale = 2.5
offsets = np.array([1.0, -2.0, 0.5])
table = {"a": 1.5, "b": -0.5}
options = (3.0, [0.25, 4.0])


@case(normal(3))
def sum_is_a_local(x):
    sum = 0.0
    for v in x:
        sum = sum + v * v
    return sum


@case(1.3)
def builtins_as_names(x):
    len = x * x
    abs = len + x
    range = abs * len
    float = range - x
    return float * abs + len


@case(1.3)
def np_is_a_local(x):
    np = x * x
    rt = np * x
    return rt + np


@case(1.3, 0.4, 0.7, 1.1, 0.2, 0.9, 1.5)
def parameters_that_generated_code_likes(rt, by, bx, tape, saved, t1, ZERO):
    t2 = rt * by
    for i in range(2):
        t1 = t1 * bx + tape
        t2 = t2 * saved * t1
    return t2 * ZERO + bx * by


@case(1.3, 0.4)
def x_and_bx(x, bx):
    b = x * bx
    bb = b * bx
    bbx = bb * x
    return bbx * b


@case(0.7)
def generated_names_in_loops(x):
    tape = []
    trips = 0
    turn = x
    while trips < 3:
        turn = turn * x + trips
        trips = trips + 1
    taken = turn > 1.0
    if taken:
        x_1 = turn * x
    else:
        x_1 = turn
    x = x_1 * x_1
    return x + turn


@case(0.7)
def dx_and_dy(x):
    dx = np.sin(x)
    dy = dx * x
    for d in range(2):
        dx = dx * dy
        dy = dy + dx * d
    return dx + dy


@case(0.7)
def underscore_names(x):
    _ = x * x
    __x = _ * x
    _t = __x + _
    return _ * _t


@case(0.7)
def unicode_names(x):
    α = x * x
    β = np.sin(α)
    return α * β


@case(normal(3))
def module_under_two_names(x):
    return numpy.sum(linear_algebra.sin(x)) * np.sum(x * x)


@case(normal(3))
def names_from_modules(x):
    return total(sin(x) * cos(x))


@case(0.7)
def math_functions(x):
    return math.sin(x) * math.exp(x) + math.sqrt(x) * math.pi + math.atan2(x, 2.0) + math.pow(x, 3)


@case(normal(3))
def globals_of_all_kinds(x):
    return (
        np.sum(x * offsets * scale + table["a"]) * table["b"]
        + options[1][1] * np.sum(x * x) * options[0]
    )


@case(1.2)
@case(-1.2)
def bound_in_both_branches(x):
    if x > 0:
        y = x * x
        z = y
    else:
        z = x
        y = z * x * x
    return y * z


@case(1.2)
@case(-1.2)
def bound_before_and_in_a_branch(x):
    y = x
    if x > 0:
        y = y * y
        x = y + x
    return y * x


@case(1.2)
@case(-1.2)
@case(5.0)
def elif_chain(x):
    if x < 0:
        y = x * x
    elif x < 2:
        y = x**3
    elif x < 4:
        y = x
    else:
        y = np.sin(x)
    return y * x


@case(1.2)
@case(-1.2)
def branch_only_binding_not_read(x):
    y = x * x
    if x > 0:
        w = y * 2.0
        y = w * x
    return y


@case(1.2, True)
@case(1.2, False)
def branch_makes_a_constant(x, flag):
    if flag:
        y = 3.0
    else:
        y = x * x
    return y * x


@case(1.2, True)
@case(1.2, False)
def result_may_be_constant(x, flag):
    if flag:
        return 3.0
    return x * x


@case(0.5)
@case(1.5)
@case(3.0)
@case(-3.0)
def early_returns_in_nested_ifs(x):
    y = x * x
    if x > 0:
        if x < 1:
            return y * x
        if y < 4.0:
            y = y + 1.0
            return np.sin(y)
        z = y * x
    else:
        z = np.exp(x)
        if z < 0.01:
            return z
    z = z * y
    return z + x


@case(1.5)
@case(-1.5)
def return_in_each_branch(x):
    if x > 0:
        return x * 2.0
    else:
        return x * x


@case(1.5, 2.0)
def unused_parameter(x, y):
    return x * x


@case(1.5)
def constant_result(x):
    return 3.0


@case(1.5)
@case(normal())
def result_is_the_parameter(x):
    return x


@case(normal(3), 2)
def vector_result_is_the_parameter(x, n):
    return x


@case(1.5, -0.5)
def result_is_one_of_two(x, y):
    return x if x > y else y


@case(1.5)
def parameter_bound_again(x):
    x = x * x
    x = np.sin(x) * x
    x = x + 1
    return x


@case(1.5, 0.5)
def parameters_exchanged(x, y):
    x, y = y, x
    x, y = x * y, x - y
    return x * y * y


@case(1.5)
def parameter_dies(x):
    y = x * x
    x = 2.0
    return y * x


@case(1.5)
def copy_then_change(x):
    y = x
    z = y
    y = y * z
    return y * z + x


@case(1.5)
def chained_assignment(x):
    a = b = c = x * x
    a = a * b
    b = b + a * c
    return a * b * c


@case(1.5)
def augmented_assignments(x):
    y = x
    y += x * x
    y *= y
    y -= 3.0 * x
    y /= x + 1.0
    y **= 2
    return y


@case(normal(3))
def augmented_array(x):
    y = x * 1.0
    y += x
    y *= x
    y -= 1.0
    y /= 3.0
    return np.sum(y * x)


@case(normal(3))
def alias_of_augmented(x):
    y = x * 2.0
    z = y + 0.0
    y = y + z
    return np.sum(y * z)


@case(1.5)
def ternaries(x):
    a = x * x if x > 1 else x
    b = (a if a < 1 else a * x) * (2.0 if x > 0 else 3.0)
    return a * b if not b < 0 else -b


@case(1.5)
@case(0.0)
def boolean_operators_as_values(x):
    y = x or 2.0
    z = x and x * y
    return (z or y) * y + x


@case(1.5)
def walrus(x):
    y = (z := x * x) * z + (w := z * x)
    return y * w if (v := y * 2.0) > 1 else z


@case(1.5)
def chained_comparisons(x):
    if 0 < x < 2 <= x + 1 != 7:
        return x * x
    return x


@case(1.5)
def membership_and_identity(x):
    y = x * x
    if "a" in table and 3 not in (1, 2) and None is None:
        y = y * table["a"]
    return y


@case(1.5)
def assertions_and_docstring(x):
    """A docstring."""
    assert x > 0, f"negative {x}"
    pass
    return x * x


@case(1.5)
def annotations(x: float) -> float:
    y: float = x * x
    z: Any
    z = y * x
    return z


@case(1.5)
def string_work(x):
    name = f"value {x:.2f}"
    y = x * len(name)
    if name.startswith("v"):
        y = y * x
    return y


@case(1.5)
def dead_code(x):
    y = np.exp(x)
    y = x * 2.0
    z = y * 100.0
    z = None
    return y * x


@case(1.5)
def unreachable_after_return(x):
    return x * x
    return x * 3.0


@case(1.5)
def no_active_statement(x):
    n = 3
    k = n * 2
    return x * k


@case(1.5, third=True)
def higher_orders(x):
    return np.sin(x) * x**3 / (1.0 + x * x)


@case(0.5, third=True)
def higher_orders_through_a_loop(x):
    y = x
    for i in range(3):
        y = np.sin(y) * x + y * y
    return y


@case(0.5, third=True)
def higher_orders_through_a_while(x):
    y = x
    while y < 5.0:
        y = y * y + x + 1.0
    return y


@case(1.5, None)
def none_as_default(x, scale=None):
    if scale is None:
        scale = x * 0.5
    return x * scale


@case(1.5, "sin")
@case(1.5, "cos")
def string_argument(x, kind):
    if kind == "sin":
        return np.sin(x)
    return np.cos(x) * x


@case(np.array([1.2, 2.3]))
def walrus_of_what_a_lambda_captures(x):
    s = x[0]
    scaled = lambda t: t * s
    r = scaled(x[1])
    if (s := s * x[1]) > 0.0:
        r += scaled(x[0])
    while (s := s * 0.5) > 0.1:
        r += scaled(x[1]) * s
    return r + s


@pytest.mark.parametrize(("function", "args", "options"), cases(__name__), ids=label)
def test_program(function: Any, args: Any, options: Any) -> None:
    check(function, *args, **options)
