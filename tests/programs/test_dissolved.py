"""Objects that nobody else holds, which become variables: integrators, machines, stores of values."""

from __future__ import annotations

import dataclasses
import heapq
from dataclasses import dataclass, field
from typing import Any

import numpy as np
import pytest

import tangentlite as tl
from tests.programs.strict import case, cases, check, label

STEPS = [0.5, 1.0]
X = np.array([0.4, 1.3, 0.7, 0.9])


class Integrator:
    tables = {"mid": ([[], [0.5]], [0.0, 1.0]), "heun": ([[], [1.0]], [0.5, 0.5])}

    def __init__(self, rhs, method="mid"):
        self.rhs = rhs
        self.rows, self.weights = self.tables[method]
        self.count = 0

    def step(self, y, h):
        slopes = []
        for row in self.rows:
            inner = y
            for a, slope in zip(row, slopes):
                inner = inner + h * a * slope
            slopes.append(self.rhs(inner))
            self.count += 1
        return y + h * sum(w * k for w, k in zip(self.weights, slopes))


@case(0.7)
def a_table_of_the_class(x):
    one, two = Integrator(lambda y: -x * y), Integrator(lambda y: x + y, method="heun")
    return one.step(1.0, 0.1) + one.count * two.step(x, 0.5)


class Keeper:
    def __init__(self, steps):
        self.steps, self.n = steps, 0

    def scaled(self, v):
        self.n += 1
        return v * self.steps[0] * self.n


@case(0.7)
def a_list_from_outside(x):
    k = Keeper(STEPS)
    return k.scaled(x) * k.scaled(x * x)


def writes_into_a_list_from_outside(x):
    k = Keeper(STEPS)
    k.steps[0] = x
    return k.scaled(x)


@dataclass
class Filter:
    gain: float
    state: Any = field(default_factory=lambda: np.zeros(2))
    log: list = field(default_factory=list)

    def update(self, z):
        self.state = self.state + self.gain * (z - self.state)
        self.log.append(self.state[0])


@case(0.7)
def factories_that_are_lambdas(x):
    f = Filter(x)
    for z in (1.0, 2.0):
        f.update(z)
    return np.sum(f.state**2) + sum(f.log)


@case(0.7)
def an_object_in_every_trip(x):
    total = 0.0
    for k in range(3):
        f = Filter(x * k)
        f.update(total)
        f.gain *= 2.0
        total += f.state[1] * f.gain + k * x
    return total


@case(0.7)
def on_one_path_only(x):
    f = Filter(x)
    if x > 0.0:
        f.update(2.0)
        f.gain = f.gain * x
    return f.state[0] * f.gain


class Register:
    def __init__(self):
        self.handlers, self.calls = {}, 0

    def on(self, name, handler):
        self.handlers[name] = handler

    def emit(self, name, value):
        self.calls += 1
        return self.handlers[name](value)


@case(0.7, second=False)
def handlers_called_by_name(x):
    r = Register()
    r.on("scale", lambda v: v * x)
    r.on("shift", lambda v: v + x)
    return sum(r.emit(n, x * k) for k, n in enumerate(["scale", "shift", "scale"])) * r.calls


class Queue:
    def __init__(self):
        self.heap, self.count = [], 0

    def push(self, time, kind):
        heapq.heappush(self.heap, (time, self.count, kind))
        self.count += 1

    def pop(self):
        if not self.heap:
            raise IndexError("nothing left")
        time, _, kind = heapq.heappop(self.heap)
        return time, kind


@case(0.7)
def a_queue(x):
    q = Queue()
    q.push(x, "a")
    q.push(x * x, "b")
    time, _ = q.pop()
    return time * time


@case(0.7, second=False)
def events_until_the_queue_is_empty(x):
    q = Queue()
    q.push(x, "first")
    q.push(x * x, "second")
    total = 0.0
    while True:
        try:
            time, kind = q.pop()
        except IndexError:
            break
        total += time * time
        if kind == "first":
            q.push(time + x, "third")
    return total


@case(X, second=False)
def heaps_that_replace(x):
    heap = []
    for v in x:
        heapq.heappush(heap, v * v)
    a = heapq.heappushpop(heap, x[0])
    b = heapq.heapreplace(heap, x[1])
    return a * 2.0 + b * 3.0 + heap[0] * heap[-1]


@case(0.7)
def kept_apart_by_a_name(x):
    f = Filter(x)
    g = f
    g.update(3.0)
    return f.state[0] + dataclasses.replace(f, gain=x * x).gain


def test_refused(refused: Any) -> None:
    refused(writes_into_a_list_from_outside, "k.steps[0] = x", args=(0.7,), error=tl.AliasError)


def test_the_text_has_variables() -> None:
    text = tl.grad(an_object_in_every_trip).source
    assert "f_gain" in text and "rt.made" not in text


class Pair:
    def __init__(self, a, b=0.0):
        self.a, self.b = a, b

    def turn(self, v):
        old = self.a
        self.a = self.b * v + old
        self.b = old * v
        return old


@case(0.7, 1.3)
def read_before_and_after_it_is_set(x, y):
    s = Pair(x, y)
    t = s.a * (s.turn(y) + s.a) * s.a
    for _ in range(3):
        t += s.turn(y) * s.a
        s.b, t = t, s.b
        s.a, s.b = s.b, s.a
    return t + s.a


@case(np.array([0.4, 1.1, -0.7]), 1.3)
def arrays_that_change_their_places(x, y):
    s = Pair(x.copy(), x * y)
    for k in range(3):
        s.a[k], s.b[k] = s.b[k] * s.a[k - 1], s.a[k]
        r = s.a
        s.a, s.b = s.b * y, s.a
        r[k] = s.a[k] + 1.0
        s.a += s.b * r[k]
    return np.sum(s.a * x) + np.sum(s.b * s.b)


@case(0.7, 1.3)
def set_while_a_loop_runs(x, y):
    s = Pair(x)
    while s.a < 3.0:
        u = s.a
        s.a = s.a + y if s.a < 1.0 else s.a * 2.0 * u
        s.b = s.b + u * s.a
    return s.b


def test_elements_of_an_array_that_an_object_holds_are_added_to_one_by_one():
    def total(x, y):
        s = Pair(np.zeros(3))
        for k in range(3):
            s.a[k] = x[k] * y + s.a[k - 1]
            s.b = s.b + s.a[k] * s.a[k]
        return s.b

    source = tl.grad(total).source
    assert "bs_a[k] += " in source and source.count("rt.zeros(s_a)") == 1


@pytest.mark.parametrize(("function", "args", "options"), cases(__name__), ids=label)
def test_programs(function: Any, args: Any, options: Any) -> None:
    check(function, *args, **options)
