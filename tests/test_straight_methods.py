"""Methods of objects of numbers that loops call are written out for calls, and give what they gave."""

from __future__ import annotations

import copy
import inspect
import math
from typing import Any

import numpy as np
import pytest

import tangentlite as tl


class Pendulum:
    SCALE = 0.5

    def __init__(self, k: Any, d: Any) -> None:
        self.k, self.d = k, d

    @property
    def ratio(self):
        return self.k / self.d

    def force(self, x):
        return -self.k * math.sin(x) * self.SCALE

    def acceleration(self, x, v):
        return self.force(x) - self.d * v

    def step(self, x, v, h=0.1):
        v = v + h * self.acceleration(x, v) * self.ratio
        return x + h * v, v


class Heavy(Pendulum):
    def force(self, x):
        return -2.0 * self.k * x


class Slotted:
    __slots__ = ("k",)

    def __init__(self, k: Any) -> None:
        self.k = k

    def grow(self, x):
        return self.k * math.sin(x)


class Private:
    def __init__(self, k: Any) -> None:
        self.__k = k

    def grow(self, x):
        return self.__k * math.sin(x)


class Counting:
    def __init__(self, k: Any, total: Any) -> None:
        self.k, self.total = k, total

    def add(self, x):
        self.total = self.total * 0.5 + self.k * x
        return self.total


class Shaped:
    def __init__(self, w: Any) -> None:
        self.w = w

    def grow(self, x):
        return np.sin(self.w * x)


def swung(o, x, v):
    for _ in range(4):
        x, v = o.step(x, v)
    return x * v


def pushed(o, x, v):
    t = 0
    while t < 4:
        v = v + 0.1 * o.acceleration(x, v)
        x = x + 0.1 * v
        t += 1
    return x


def grown(o, x):
    for _ in range(3):
        x = x + o.grow(x)
    return np.sum(x) if np.ndim(x) else x


def summed(o, x):
    s = 0.0
    for k in range(3):
        s = s + o.add(x) * o.total + k * o.k
    return s


def read_before(o, x):
    s = 0.0
    for k in range(3):
        s = s + (o.total + o.add(x) + o.total)
    return s


def added_before(o, x):
    for k in range(3):
        o.total += o.add(x) * o.k
    return o.total


def bound_again(o, p, x):
    for k in range(3):
        x = math.sin(x) + o.force(x)
        if k == 1:
            o = p
    return x


def two(o, p, x):
    for _ in range(3):
        x = o.force(p.force(x)) + p.force(x)
    return x


PROGRAMS: tuple[tuple[Any, ...], ...] = (
    (swung, Pendulum(1.1, 0.4), 0.3, 0.2),
    (swung, Heavy(1.1, 0.4), 0.3, 0.2),
    (pushed, Pendulum(1.1, 0.4), 0.3, 0.2),
    (pushed, Heavy(1.1, 2), 0.3, 0.2),
    (pushed, Pendulum(np.float64(1.1), 0.4), 0.3, 0.2),
    (pushed, Pendulum(np.float32(1.5), 0.5), 0.25, 0.5),
    (grown, Slotted(1.1), 0.3),
    (grown, Private(1.1), 0.3),
    (grown, Shaped(np.array([1.1, 0.7])), np.array([0.3, 0.2])),
    (summed, Counting(1.1, 0.2), 0.3),
    (read_before, Counting(1.1, 0.2), 0.3),
    (added_before, Counting(1.1, 0.2), 0.3),
    (bound_again, Pendulum(1.1, 0.4), Pendulum(0.7, 0.4), 0.3),
    (two, Pendulum(1.1, 0.4), Heavy(0.7, 0.4), 0.3),
)


def numbers(found: Any) -> list[Any]:
    if isinstance(found, tuple):
        return [n for part in found for n in numbers(part)]
    held = vars(found) if isinstance(found, tl.Gradient) else {"": found}
    return [held[key] for key in sorted(held) if held[key] is not None]


@pytest.mark.parametrize("case", PROGRAMS, ids=lambda c: f"{c[0].__name__}-{type(c[1]).__name__}")
@pytest.mark.parametrize("several", [True, False])
def test_programs(case: Any, several: bool) -> None:
    function, *args = case
    if not several and isinstance(args[1], Pendulum):
        args[1] = args[0]  # one object twice
    wrt = tuple(range(len(args))) if several else (len(args) - 1,)
    plain = tl.grad(function, wrt=wrt, optimized=False)
    derivative, both = tl.grad(function, wrt=wrt), tl.value_and_grad(function, wrt=wrt)
    for _ in range(2):
        expected, own = plain(*copy.deepcopy(args)), function(*copy.deepcopy(args))
        value, second = both(*copy.deepcopy(args))
        for found in (derivative(*copy.deepcopy(args)), second):
            for mine, other in zip(numbers(found), numbers(expected), strict=True):
                assert type(mine) is type(other)
                np.testing.assert_allclose(
                    mine, other, rtol=1e-6 if "float32" in str(args) else 1e-12
                )
        np.testing.assert_array_equal(value, own)
        assert type(value) is type(own)
        args[-1] = args[-1] * 1.5


def test_what_is_written_out() -> None:
    for function, *args in PROGRAMS[2:4]:
        derivative = tl.grad(function, wrt=(0, 1))
        derivative(*args)
        assert "_forward(" not in inspect.getsource(derivative.__func__)


class Named:
    def __init__(self, k: Any) -> None:
        self.k = k

    def grow(self, y):
        y = y * self.k
        return math.sin(y)


def without_a_name(o, x, y):
    for _ in range(3):
        x = x + o.grow(y * 0.5) * y
        y = math.sin(x)
    return x * 2.0 + y


def test_seeds_are_called_alike() -> None:
    derivative = tl.grad(without_a_name, wrt=(0, 1, 2))
    expected = tl.grad(without_a_name, wrt=(0, 1, 2), optimized=False)(Named(0.7), 0.3, 0.4)
    for seed in ({}, {"adjoint": 1.0}, {"adjoint": 2.0}, {}):
        scale = seed.get("adjoint", 1.0)
        for args, named in (((Named(0.7), 0.3, 0.4), {}), ((Named(0.7), 0.3), {"y": 0.4})):
            found = numbers(derivative(*args, **named, **seed))
            assert found == pytest.approx([scale * v for v in numbers(expected)], rel=1e-12)


def squashed(y):
    y = y * 0.5
    return y * math.sin(y)


def with_something_else(o, x, y):
    for _ in range(3):
        x = x + squashed(y + 0.7) * y
        y = math.sin(x)
    return x * 2.0 + y


def test_seeds_are_called_alike_where_a_general_text_sends_them_on() -> None:
    derivative = tl.grad(with_something_else, wrt=(0, 1, 2))
    plain = tl.grad(with_something_else, wrt=(0, 1, 2), optimized=False)
    expected = numbers(plain(Named(0.7), 0.3, 0.4))
    for seed in (1.0, 2.0, 1.0):
        given = {} if seed == 1.0 else {"adjoint": seed}
        found = numbers(derivative(Named(0.7), 0.3, 0.4, **given))
        assert found == pytest.approx([seed * v for v in expected], rel=1e-12)


def test_what_an_object_has_of_its_own_comes_first() -> None:
    one = Pendulum(1.1, 0.4)
    one.force = lambda x: 0.5 * x  # type: ignore[method-assign]
    other = Pendulum(1.1, 0.4)
    derivative = tl.grad(pushed, wrt=1)
    assert derivative(other, 0.3, 0.2) == pytest.approx(
        tl.grad(pushed, wrt=1, optimized=False)(other, 0.3, 0.2)
    )
    try:
        found = derivative(one, 0.3, 0.2)
    except tl.DerivativeError:
        return
    step = 1e-6
    slope = (pushed(one, 0.3 + step, 0.2) - pushed(one, 0.3 - step, 0.2)) / (2 * step)
    assert found == pytest.approx(slope, rel=1e-6)


def test_methods_that_change_are_seen(monkeypatch: pytest.MonkeyPatch) -> None:
    derivative, model = tl.grad(pushed), Pendulum(1.1, 0.4)
    before = derivative(model, 0.3, 0.2)
    monkeypatch.setattr(Pendulum, "acceleration", lambda self, x, v: self.k * x)
    after = derivative(model, 0.3, 0.2)
    assert after != before
    assert after == tl.grad(pushed, optimized=False)(model, 0.3, 0.2)
    monkeypatch.undo()
    monkeypatch.setattr(Pendulum, "force", lambda self, x: self.k * x)
    again = derivative(model, 0.3, 0.2)
    assert again != before
    assert numbers(again) == pytest.approx(
        numbers(tl.grad(pushed, optimized=False)(model, 0.3, 0.2))
    )
