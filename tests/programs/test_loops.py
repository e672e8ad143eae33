"""Loops: nested, empty, with tests that depend on data, with names bound several times per trip."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from tests.programs.strict import case, cases, check, label, normal


@case(0.7, 3)
@case(normal(3), 2)
@case(normal(3), 0)
def for_in_while_in_if(x, n):
    y = x
    if n > 0:
        i = 0
        while i < n:
            for j in range(i + 1):
                y = np.sin(y) * x + j
            i += 1
    return np.sum(y)


@case(1.3, 4)
@case(1.3, 1)
def loop_variable_after_loop(x, n):
    s = x
    for i in range(n):
        s = s * x
    return s * (i + 1)


@case(1.3, 0)
@case(1.3, 3)
def loop_variable_keeps_its_value_if_empty(x, n):
    i = 5
    for i in range(n):
        x = x * 1.5
    return x * i


@case(1.3, 0)
@case(1.3, 3)
def loop_variable_was_active(x, n):
    y = x * x
    for y in range(n):
        x = x * 2.0
    return x * y


@case(1.3)
def loop_variable_shadows_the_parameter(x):
    s = x * x
    for x in range(3):
        s = s * (x + 1.5)
    return s + x


@case(normal(4))
def loop_variable_over_data_shadows_the_parameter(x):
    s = 0.0
    for x in x:
        s = s + x * x
    return s * x


@case(1.3, 2)
def overwritten_several_times_per_trip(x, n):
    t = x
    for i in range(n):
        t = np.sin(t)
        u = t * x
        t = u * u
        u = t + np.cos(u)
        t = u * t - x
    return t + u


@case(0.4, 0.9)
def swaps(a, b):
    for i in range(3):
        a, b = b, a * b
        if i == 1:
            a, b = b, a
    return a * a + b


@case(0.4, 0.9, 1.4)
def rotation_of_three(a, b, c):
    for _ in range(4):
        a, b, c = c * a, a, b + c
    return a * b * c


@case(normal(3))
@case(0.3)
def accumulator_grows_by_broadcasting(row):
    s = 0.0
    for k in range(3):
        s = s + row * (k + 1) * row
    return np.sum(s * s)


@case(normal(3), normal(2, 3))
@case(0.3, normal(2, 3))
@case(0.3, 0.5)
def accumulator_grows_twice(a, b):
    s = 0.0
    for k in range(4):
        if k == 2:
            s = s * b
        else:
            s = s + a * s + a
    return np.sum(s)


@case(normal(3), 0)
@case(normal(3), 2)
def accumulator_may_stay_a_scalar(x, n):
    s = 1.0
    for _ in range(n):
        s = s * x
    return np.sum(s) * np.sum(x)


@case(1.1)
def data_dependent_bounds(x):
    n = int(x * 5)
    y = x
    for i in range(n):
        for j in range(int(y) + 1):
            y = y + x * 0.1 * j
    return y


@case(1.5)
@case(300.0)
def while_on_active_value(x):
    y = x
    n = 0
    while y < 100.0 and n < 50:
        y = y * x + n
        n = n + 1
    return y * n


@case(2.5)
def while_with_walrus(x):
    n = 0
    while (n := n + 1) < 4:
        x = x * np.sqrt(x) / n
    return x


@case(normal(5))
def while_with_chained_comparison(x):
    i, s = 0, 1.0
    while 0 <= i < len(x) and not s > 50.0:
        s = s * (1.0 + x[i] * x[i])
        i += 2
    return s


@case(0.7, 3)
def carried_value_read_after_overwritten(x, n):
    p = x
    q = 0.0
    for i in range(n):
        old = p
        p = p * p + x
        q = q + old * p
    return q


@case(0.7, 4)
@case(0.7, 1)
@case(0.7, 0)
def bound_in_one_branch_per_trip(x, n):
    y = x
    last = 0.0
    for i in range(n):
        if i % 2 == 0:
            z = y * y
            last = z
        else:
            y = y + last * x
    return y * last + x


@case(0.7, 2)
def inner_loop_rebinds_outer_accumulator(x, n):
    total = 0.0
    for i in range(n + 1):
        s = x
        for j in range(i):
            s = s * x
            total = total + s
        total = total * x + s
    return total


@case(0.9)
def same_name_in_different_scopes(x):
    t = x
    for i in range(2):
        t = t * x
        for t1 in range(2):
            t2 = t * t1
            t = t + t2
    for i in range(2):
        t2 = t * 0.5
        t = t2 * t2
    return t


@case(0.9)
def three_loops_deep(x):
    s = 0.0
    for i in range(2):
        a = x * (i + 1)
        for j in range(3):
            b = a * x + j
            for k in range(j):
                b = b * a
                s = s + np.sin(b)
    return s


@case(normal(3, 2))
def rows_and_elements(m):
    s = 0.0
    for row in m:
        p = 1.0
        for e in row:
            p = p * e
        s = s + p * row[0]
    return s


@case(normal(4), normal(4, seed=1))
def zip_enumerate_reversed(x, y):
    s = 0.0
    for i, (a, b) in enumerate(zip(x, reversed(y))):
        s = s + a * b * b * i
    for a in reversed(x):
        s = s * a
    return s


@case(normal(4), normal(2, seed=1))
def zip_of_unequal_lengths(x, y):
    s = 0.0
    for a, b in zip(x, y):
        s += a * b
    return s


@case(normal(6))
def range_with_start_and_step(x):
    s = 0.0
    for i in range(5, -1, -2):
        s = s * 0.5 + x[i] ** 2
    for i in range(1, 6, 2):
        s = s + x[i] * x[i - 1]
    return s


@case(1.2, 3)
def bound_is_changed_in_the_loop(x, n):
    for i in range(n):
        n = n + 1
        x = x * 1.1
    return x * n


@case(1.2)
def inductive_integer(x):
    k = 1
    y = x
    for i in range(4):
        k = k * 2 - i
        y = y * x + k * x
    return y


@case(normal(3))
def constant_loop_body(x):
    s = 0.0
    for i in range(3):
        s = s + i * 2.0
    return np.sum(x) * s


@case(normal(3))
def result_bound_in_loop_only(x):
    for i in range(3):
        y = x[i] * x[i]
    return y


@case(normal(3))
def reset_every_trip(x):
    total = 0.0
    for i in range(3):
        s = 0.0
        for j in range(3):
            s = s + x[i] * x[j] * j
        total = total + np.tanh(s)
    return total


@case(normal(3))
def dead_at_the_start_of_each_trip(x):
    y = x[0]
    for i in range(3):
        y = x[i]
        y = y * y
    return y


@case(normal(3))
def killed_by_the_last_trip(x):
    y = x[0] * 3.0
    for i in range(3):
        if i == 2:
            y = 1.0
        else:
            y = y * x[i]
    return y * x[1]


@case(0.7)
def while_true_test_is_a_flag(x):
    going = True
    y = x
    while going:
        y = y * 1.5 + x
        going = y < 10.0
    return y


@case(0.7)
def flag_reads_a_value_that_the_body_changes(x):
    a, b = x, 10.0
    while a < b:
        a, b = a * 2.0 + x, b - a * 0.1
    return a * b


@case(2.0, 1e-3)
def newton(a, x):
    x = a
    for _ in range(5):
        x = 0.5 * (x + a / x)
    return x


@case(normal(4))
def sum_of_a_list_built_in_a_loop(x):
    values = []
    for v in x:
        values.append(v * v)
    s = 0.0
    for v in values:
        s = s + v * np.sin(v)
    return s


@case(normal(3))
def loop_over_a_literal_tuple(x):
    s = 0.0
    for k, w in ((0, 2.0), (2, -1.0), (1, 0.5)):
        s = s + x[k] ** 2 * w
    return s


@case(0.3, 0.4)
def loop_over_a_tuple_of_actives(x, y):
    p = 1.0
    for v in (x, y, x * y):
        p = p * (v + 1.0)
    return p


@case(0.3)
def conditional_inside_conditional_loop(x):
    y = x
    for i in range(5):
        if i % 3 == 0:
            if y > 1.0:
                y = y * 0.5
            else:
                y = y + x
                z = y * y
                y = z + x
        elif i == 4:
            y = x
    return y


@case(normal(3))
def loop_invariant_active_product(x):
    y = 0.0
    for i in range(3):
        w = x * x
        y = y + w[i] * np.sum(w)
    return y


@case(normal(3, 3), normal(3))
def power_iteration(a, v):
    for _ in range(4):
        v = a @ v
        v = v / np.sqrt(np.sum(v * v))
    return v @ a @ v


@case(normal(2, 2), normal(5, 2))
def recurrent_network(w, xs):
    h = np.zeros(2)
    states = []
    for t in range(len(xs)):
        h = np.tanh(w @ h + xs[t])
        states.append(h)
    return np.sum(states[-1] * states[2]) + np.sum(h)


@pytest.mark.parametrize(("function", "args", "options"), cases(__name__), ids=label)
def test_program(function: Any, args: Any, options: Any) -> None:
    check(function, *args, **options)
