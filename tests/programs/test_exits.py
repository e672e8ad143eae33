"""Exits: break, continue, else of loops, returns from anywhere; what was done before an exit counts."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

import tangentlite as tl
from tests.programs.strict import case, cases, check, label

FOUR = np.array([0.13, -0.13, 0.64, 0.1])


@case(2.0)
def root(x):
    y = x
    for _ in range(1000):
        new = 0.5 * (y + x / y)
        error = abs(new - y)
        y = new
        if error < 1e-12:
            break
    return y


@case(1.3, 0)
@case(1.3, 1)
@case(1.3, 3)
@case(1.3, 7)
def break_in_the_middle(x, n):
    s = 0.0
    for i in range(n):
        if i == 3:
            break
        s = s + x * i
    else:
        s = s * 2.0
    return s


@case(3.0)
def while_true(x):
    y = x
    while True:
        y = y * 0.5
        if y < 0.1:
            break
    return y * x


@case(np.array([0.1, 0.2, 0.7, 0.9]), 4)
@case(np.array([0.1, 0.2, 0.7, 0.9]), 2)
@case(np.array([0.1, 0.2, 0.7, 0.9]), 0)
def return_in_a_loop(x, n):
    for i in range(n):
        if x[i] > 0.5:
            return x[i] * i
    return np.sum(x)


@case(1.3, 0)
@case(1.3, 1)
@case(1.3, 2)
@case(1.3, 9)
def while_true_with_its_own_count(x, n):
    k = 0
    s = x
    while True:
        if k >= n:
            break
        s = s * x + k
        k += 1
    return s * k


@case(FOUR, 3)
@case(FOUR, 0)
def nested_loops_with_else(x, n):
    s = 0.0
    for i in range(n):
        for j in range(len(x)):
            if x[j] > 1.0 * i:
                s = s + x[j] * i
                break
            if j == 2:
                continue
            s = s * 1.1 + x[j] ** 2
        else:
            s = s - 0.5 * x[0]
        if s > 30:
            break
    return s * j if n else s


@case(FOUR)
@case(-abs(FOUR))
@case(np.array([-1.0, 2.0, 3.0]))
def return_from_a_loop_in_a_loop(x):
    for i in range(3):
        for v in x:
            if v > 0:
                if v > 0.3:
                    return v * v * (i + 1)
                continue
            x = x + 0.1 * v
    return np.sum(x) * 2.0


@case(FOUR, 1)
@case(FOUR, 7)
@case(FOUR, 0)
def break_after_writes(x, n):
    y = np.zeros(4)
    for i in range(4):
        y[i] = x[i] ** 2 + y[i - 1]
        if i == n:
            y[0] *= x[1]
            break
        y[i] *= 1.5
    return np.sum(y * y)


@case(1.5)
@case(0.5)
@case(-0.5)
def returns_everywhere(x):
    if x > 1:
        return x * x
    for i in range(3):
        if x < 0:
            return np.sin(x)
        x = x * 0.9
    return x * 3.0


@case(np.array(2.0))
@case(np.float64(2.0))
@case(np.array([2.0, 3.0]))
def newton_steps(a):
    x = a
    for _ in range(50):
        step = (x * x - a) / (2.0 * x)
        x = x - step
        if np.max(np.abs(step)) < 1e-10:
            break
    return np.sum(x)


@case(1.2, 5)
@case(1.2, 0)
def while_else(x, n):
    i = 0
    while i < n:
        x = x * 1.1
        if x > 1.5:
            x = x - 0.3
            break
        i += 1
    else:
        x = x * 10.0
    return x * x


@case(FOUR, 2)
def every_form_of_range(x, n):
    s = 0.0
    for i in range(1, 9, 2):
        if i >= len(x):
            break
        s = s * x[i] + i * x[i]
    for i in reversed(range(2)):
        s = s + x[i] * i
        if s > 100:
            break
    for i in reversed(range(1, 4)):
        if i < 2:
            break
        s = s * x[i] + i
    for i in reversed(range(0, 9, 3)):
        if i < 2:
            break
        s = s * x[0] + i
    for i in range(5, 0, -1):
        if i < 4:
            break
        s = s * x[1] + i
    return s + i


@case(1.1)
def names_like_generated_ones(x):
    stop = x * 2.0
    done = 0
    trips = 3
    for i in range(9):
        stop = stop * x
        if stop > 3:
            done = 1
            break
    return stop * done * trips + i


@case(FOUR)
def continue_in_a_loop_over_data(x):
    s = 0.0
    for i, (a, b) in enumerate(zip(x, x[1:])):
        if i == 0:
            continue
        s = s + a * b
        if i == 2:
            break
    return s * i


@case(FOUR)
def exits_in_branches_of_branches(x):
    s = 0.0
    for i in range(4):
        if x[i] > -10:
            if i == 1:
                continue
            elif i == 3:
                s = s * 3.0
                break
            else:
                s = s + x[i]
        else:
            if i == 2:
                return s
            s = s * 2.0
        s = s * x[i]
    else:
        return s * 100.0
    return s + x[0]


@case(np.array([0.3, 0.8], dtype=np.float32))
def single_precision(x):
    y = x
    while True:
        y = y * y + x
        if np.sum(y) > 2:
            return np.sum(y)


@case(1.3)
def lists_that_grow_and_shrink(x):
    out = []
    for k in range(10):
        out.append(x**k)
        if len(out) == 4:
            break
    s = 0.0
    while out:
        v = out.pop()
        if len(out) == 1:
            break
        s = s * x + v
    return s + v


@case(1.3)
def while_in_while(x):
    while True:
        while x < 5.0:
            x = x * 1.5
            if x > 3.0:
                break
        else:
            x = x + 1.0
            continue
        if x > 4.0:
            break
        x = x * 1.2
    return x * x


@case(1.3)
def return_in_the_first_trip(x):
    for i in range(3):
        return x * x
    return x


@case(1.3)
def break_in_the_first_trip(x):
    for i in range(3):
        x = x * 2.0
        break
    while x > 0:
        x = x * x
        break
    return x


def leaves_early(x, n):
    for i in range(n):
        if i == 2:
            return x * i
        x = np.sin(x)
    return x


@case(0.7)
@case(FOUR)
def calls_what_leaves_early(x):
    return np.sum(leaves_early(x, 5) * leaves_early(x, 1))


def filled(y, x):
    for i in range(len(x)):
        if x[i] > 1.0:
            return
        y[i] = x[i] ** 2


@case(FOUR)
@case(np.array([0.5, 0.7, 2.0, 0.1]))
def procedures_that_stop_early(x):
    y = np.zeros(4)
    filled(y, x)
    return np.sum(y * y)


@case(1.3, 0)
@case(1.3, 3)
def number_or_array(x, n):
    for i in range(n):
        if i == 2:
            return x * 2.0
    return np.array([x, x * 3.0])


@case(1.3, 0)
@case(1.3, 3)
def number_or_tuple(x, n):
    for i in range(n):
        if i == 2:
            return x * 2.0
    return x, x * 3.0


@case(FOUR, 0)
@case(FOUR, 3)
def array_or_number_or_none(x, n):
    for i in range(n):
        if i == 2:
            return x * 2.0
        elif n == 1:
            return None
    return x[0] * x[1]


@case(1.3, 0)
@case(1.3, 3)
def lists_of_two_lengths(x, n):
    for i in range(n):
        if i == 2:
            return [x * 2.0, x]
    return [x]


@case(1.3, 3)
@case(1.3, 0)
def number_or_tuple_without_a_loop(x, n):
    if n:
        return x * 2.0
    return x, x * 3.0


@case(1.3, 3)
@case(1.3, 0)
def dicts_of_two_sizes(x, n):
    for i in range(n):
        if i == 2:
            return {"a": x * 2.0}
    return {"a": x, "b": x * x}


class Mine(Exception):
    def __init__(self, a, b):
        super().__init__(a)
        self.b = b


@case(1.3, 3)
@case(1.3, 0)
def asserts_and_raises(x, n):
    for i in range(n):
        if x > 100:
            raise Mine("a", i) from ValueError("b")
        x = x * x
        assert x < 100, f"too large {x}"
        pass
        t = x
        del t
    return x


@case(FOUR)
def views_that_are_written(x):
    y = x.copy()
    for i in range(4):
        r = y[i:]
        r *= 2.0
        if i == 2:
            r[...] = r * x[0]
            break
        r += 1.0
    return np.sum(y * y)


@case(FOUR)
def names_that_change_places(x):
    u, v = x * 2.0, x * x
    k = 0
    while True:
        u, v = v, u + v
        k += 1
        if np.sum(u * u) > 10 or k > 3:
            break
    return np.sum(u * v)


@case(FOUR)
def bound_on_some_paths_only(x):
    for i in range(4):
        z = x[i] * x[i]
        if z > 0.1:
            w = z * 2.0
            break
    else:
        w = 0.0
    return z + w


@case(FOUR)
def the_best_or_none(x):
    best = None
    for v in x:
        if v > 0.5:
            best = v
            break
    if best is None:
        return np.sum(x)
    return best * best


@case(FOUR)
def break_over_a_dict(x):
    d = {"a": x[0], "b": x[1], "c": x[2]}
    s = 0.0
    for k, v in d.items():
        if k == "c":
            break
        s = s + v * v
    return s


@case(FOUR, 2, second=False)  # the second derivative of a recursion is refused
def recursion_in_a_loop(x, n):
    for i in range(3):
        if n == 0:
            return np.sum(x)
        x = x * 1.5
        if i == 1:
            return recursion_in_a_loop(x * x, n - 1)
    return x[0]


@case(1.5)
def walrus_in_the_test(x):
    k = 0
    while (y := x * k) < 5.0:
        if y > 4:
            break
        k += 1
    return y * k


@case(FOUR)
def comprehensions_between_exits(x):
    out = []
    for i in range(3):
        row = [v * i for v in x if v > 0]
        if len(row) == 0:
            continue
        out.append(sum(row))
        if i == 2:
            return sum(out) * x[0]
    return sum(out)


@case(np.ones((3, 3)))
def sweeps_until_they_agree(a):
    u = np.zeros((3, 3))
    for sweep in range(50):
        old = u.copy()
        for i in range(1, 2):
            for j in range(1, 2):
                u[i, j] = 0.25 * (a[i - 1, j] + a[i + 1, j] + u[i, j - 1] + a[i, j + 1] * u[i, j])
        if np.max(np.abs(u - old)) < 1e-9:
            break
    else:
        raise RuntimeError("no")
    return np.sum(u * a)


@case(FOUR, 0)
@case(FOUR, 1)
@case(FOUR, 2)
def out_of_a_loop_that_leaves_elements_out(x, way):
    total = 0.0
    for v in filter(lambda t: t > 0.0, x):
        total += v * v
        if way == 0 or (way == 1 and v > 0.5):
            break
    for v in (t * x[0] for t in x if t > 0.0):
        if way == 2:
            return total * v
        total += v
    return total


@case(FOUR)
def a_try_in_a_finally(x):
    total = 0.0
    for k in range(3):
        try:
            y = x[k] * x[k + 1]
            if k == 1:
                break
        finally:
            try:
                y = y * x[0]
                for v in x:
                    if v > 0.5:
                        break
                    total += v * y
            finally:
                total += y * y
    return total


@pytest.mark.parametrize(("function", "args", "options"), cases(__name__), ids=label)
def test_program(function: Any, args: Any, options: Any) -> None:
    check(function, *args, **options)


def calls_per_trip(x, trace):
    for k in range(1000):
        trace(k)
        x = np.sqrt(x)
        if x < 1.1:
            break
    return x


def test_a_loop_that_is_left_makes_no_more_trips() -> None:
    seen: list[int] = []
    tl.grad(calls_per_trip)(9.0, seen.append)
    assert seen == [0, 1, 2, 3, 4]


def test_the_text_breaks_where_the_user_does() -> None:
    text = tl.grad(root).source
    assert "        if error < 1e-12:\n            break\n" in text
    assert "for _ in reversed(range(trips)):" in text or "for turn in range(trips):" in text
    assert "stop" not in text
