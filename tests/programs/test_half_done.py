"""Helpers and methods that fail in a `try` after they have written: what they did counts."""

from __future__ import annotations

import heapq
from typing import Any

import numpy as np
import pytest

from tests.programs.strict import case, cases, check, label

X = np.array([0.7, 1.3, -0.4, 0.9])


class Machine:
    def __init__(self):
        self.level, self.used, self.items = 1.0, 0.0, []
        self.state = np.zeros(3)

    def consume(self, n):
        self.used += n * n
        if n > self.level:
            raise RuntimeError("empty")
        self.level -= n

    def add(self, v):
        self.items.append(v * v)
        self.check(v)
        self.level = self.level + v

    def check(self, v):
        if v < 0:
            raise ValueError("negative")

    def fill(self, x):
        for i in range(3):
            self.state[i] = x[i] * x[i]
            if x[i] > 1:
                raise ValueError(i)


@case(X)
def a_method_that_fails_between_two_writes(x):
    machine, fails = Machine(), 0.0
    for v in [0.3, 1.2, 0.2]:
        try:
            machine.consume(v * x[0])
        except RuntimeError:
            fails += v * machine.level
    return machine.level * machine.used + fails


@case(X)
def nothing_but_the_first_write(x):
    machine = Machine()
    try:
        machine.consume(3 * x[0])
    except RuntimeError:
        pass
    return machine.used


@case(X)
def a_method_that_calls_one_that_fails(x):
    machine = Machine()
    for v in x:
        try:
            machine.add(v)
        except ValueError:
            machine.level = machine.level * 2
    return sum(machine.items) * machine.level


@case(X)
def a_loop_that_fails(x):
    machine = Machine()
    try:
        machine.fill(x)
    except ValueError:
        machine.state[2] = x[3]
    return np.sum(machine.state)


@case(X)
def a_nested_function_that_fails(x):
    level, used, fails = 1.0, 0.0, 0.0

    def consume(n):
        nonlocal level, used
        used += n * n
        if n > level:
            raise RuntimeError("empty")
        level -= n

    for v in [0.3, 1.2, 0.2]:
        try:
            consume(v * x[0])
        except RuntimeError:
            fails += v * level
    return level * used + fails


@case(X, long=True)
def a_list_that_grows_before(x):
    log = []

    def go(n):
        log.append(n * n)
        if n > 1:
            raise ValueError
        log.append(n)

    for v in x:
        try:
            go(2 * v)
        except ValueError:
            log.append(v)
    return sum(log) + log[1] * log[2]


def move(a, k, v):
    a[k] = v * v
    if v > 1:
        raise ValueError("large")
    a[k + 1] = a[k] * v


@case(X)
def a_function_beside_it(x):
    a = np.zeros(5)
    for k in range(4):
        try:
            move(a, k, x[k])
        except ValueError:
            a[4] += x[0] * x[k]
    return np.sum(a * np.arange(1.0, 6.0))


@case(X)
def in_an_inner_try(x):
    machine, fails = Machine(), 1.0
    for v in [0.3, 1.2, 0.2]:
        try:
            try:
                machine.consume(v * x[0])
            except RuntimeError:
                machine.consume(0.1 * x[1])
                raise ValueError from None
        except ValueError:
            fails = fails * machine.used
    return fails * machine.level


class Failed(Exception):
    pass


@case(X, second=False, long=True, gap="a helper of several that writes may fail halfway")
def handlers_by_name(x):
    queue = [(0.5, "arrive", 0), (1.0, "arrive", 1), (1.2, "fail", 2)]
    heapq.heapify(queue)
    busy, cost, errors = 0.0, 0.0, 0
    handlers = {}

    def handle(kind):
        def keep(f):
            handlers[kind] = f
            return f

        return keep

    @handle("arrive")
    def arrive(t, i):
        nonlocal cost
        cost += x[i] * t
        if i < 1:
            heapq.heappush(queue, (t + 0.3, "depart", i))

    @handle("depart")
    def depart(t, i):
        nonlocal busy
        busy += x[i] ** 2 * t

    @handle("fail")
    def fail(t, i):
        nonlocal cost
        cost *= x[0]
        raise Failed(f"failed {i}")

    while queue:
        t, kind, i = heapq.heappop(queue)
        try:
            handlers[kind](t, i)
        except Failed:
            errors += 1
            cost = cost * x[3]
    return cost + busy + errors * x[2]


TABLE = {"a": 1.0}


@case(X)
def what_may_raise_stays_before_what_is_seen(x):
    y, z, total = x[0], 1.0, 0.0
    for key in ("a", "b"):
        try:
            y, z = 0.5 * z, y * x[1] / TABLE[key]
        except KeyError:
            pass
        total += np.cos(y) * z
    return y + 2.0 * z + total


@case(X)
def a_failing_value_of_a_later_write(x):
    a, total = x * 1.0, 0.0
    for key in ("a", "b"):
        try:
            late = a[1] * x[2] / TABLE[key]
            a[0] = a[1] * 2.0
            a[1] = late
        except KeyError:
            total = total + a[0] * a[1]
    return np.sum(a * a) + total


def checked(v):
    if v > 0.5:
        raise ValueError(v)
    return v


@case(X)
def elements_of_a_list_that_the_try_makes(x):
    y = x * 1.0
    try:
        both = [y, y]
        both[0] *= x[1]
        both[-1] += x[0]
        checked(y[1])
        both[0] *= 3.0
    except ValueError:
        pass
    return np.sum(y * y)


@case(X)
def elements_of_a_copy(x):
    y = x * 1.0
    ys = {"a": y}
    for k in range(2):
        try:
            copied = ys.copy()
            copied["a"] *= x[1] + k
            checked(y[k])
            copied["a"] -= x
        except ValueError:
            y = y + x[2]
    return np.sum(y * ys["a"])


@case(X)
def an_array_that_a_list_has(x):
    kept = []
    try:
        new = np.zeros(2)
        kept.append(new)
        new[0] = x[0] * x[1]
        new[1] = checked(x[1])
    except ValueError:
        pass
    return np.sum(kept[0] * x[:2])


@case(X)
def a_view_that_an_object_has(x):
    m = Machine()
    try:
        new = np.zeros(2)
        turned = new[::-1]
        m.state = turned
        new[0] = x[0] * x[1]
        new[1] = checked(x[1])
    except ValueError:
        pass
    return m.state[1] * x[2]


@case(X)
def a_dict_in_a_dict_in_a_list(x):
    kept, inner = [], {}
    try:
        outer = {"in": inner}
        inner = {}
        outer["new"] = inner
        kept = kept + [outer]
        inner["v"] = x[0] * x[0]
        inner["w"] = checked(x[1])
    except ValueError:
        pass
    return kept[0]["new"]["v"] * x[2]


@pytest.mark.parametrize(("function", "args", "options"), cases(__name__), ids=label)
def test_program(function: Any, args: Any, options: Any) -> None:
    check(function, *args, **options)
