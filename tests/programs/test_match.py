"""`match`: the case that matches decides the derivative."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
import pytest

from tests.programs.strict import case, cases, check, label, normal


@dataclass
class Pair:
    a: float
    b: float


@case(1.3, "double")
@case(1.3, "square")
@case(1.3, "other")
def literals(x, kind):
    match kind:
        case "double" | "twice":
            return x * 2
        case "square":
            return x * x
        case _:
            y = np.sin(x)
    return y


@case(-0.3)
@case(1.4)
def captures_of_what_is_active(x):
    match x:
        case 1.3:
            return x * x
        case v if v < 0:
            return v * v * v
        case _:
            return x


@case(1.3, 2)
@case(1.3, 0)
@case(1.3, 1)
def pairs(x, n):
    y = x
    match x * x, n:
        case y, 0:
            return y * 2.0
        case y, k if k > 1:
            return y * k
    return y * 3.0


@case(1.3, ["add", "multiply", "stop", "add"])
@case(1.3, ["add", "unknown", "multiply"])
@case(1.3, [])
def interpreter(x, program):
    total = x
    for word in program:
        match word:
            case "add":
                total = total + x
            case "multiply":
                total = total * x
            case "stop":
                break
            case _:
                continue
        total = total * 1.5
    return total


@case((1.3, 0.5))
def elements_of_a_tuple(p):
    match p:
        case (a, b):
            return a * b
        case _:
            return 0.0


@case([1.3, 0.5, 0.7])
@case([1.3])
def a_star(xs):
    match xs:
        case [first, *_, last]:
            return first * last
        case [only]:
            return only * only


@case(1.3, [("scale", 2.0), ("shift", 1.0), ("scale", 0.5)])
def tagged(x, steps):
    for step in steps:
        match step:
            case ("scale", factor):
                x = x * factor
            case ("shift", by):
                x = x + by * x * x
    return x


@case({"a": 2.0, "b": 3.0})
def keys(d):
    match d:
        case {"a": a, "b": b} if a > 1.0:
            return a * b
        case {"b": b}:
            return b
    return 0.0


@case(np.array([1.0, 2.0]), 0)
@case(np.array([1.0, 2.0]), None)
@case(np.array([1.0, 2.0]), "all")
def singletons(x, axis):
    match axis:
        case None:
            y = x * x
        case "all":
            y = np.sum(x)
        case int(k):
            y = x[k] * x
    return np.sum(y)


@case(normal(3), (3.0, 1))
@case(normal(3), (1, 2.0))
@case(normal(3), (1, 1))
@case(normal(3), (7, 7))
def captures_in_alternatives(x, s):
    match s:
        case (a, 1) | (1, a) if a > 1:
            return x[0] * a * x[1]
        case (1, a) | (a, 7):
            return np.sum(x) * a
    return x[2]


@case(normal(3))
def alternatives_inside(x):
    s = 0.0
    for row in [("a", x[0], 1.0), ("b", x[1], 2.0), ("c", 2.0, x[2])]:
        match row:
            case ["a" | "b", v, w] | ["c", w, v]:
                s += v * v * w
    match [Pair(x[0], 0.0), x[1]]:
        case [Pair(a=v, b=0.0) | Pair(a=0.0, b=v), w]:
            return s * v * w
    return s


@case({"a": 2.0, "b": 3.0, "c": 4.0})
def rest_of_a_dict(d):
    match d:
        case {"a": a, **rest}:
            return a * rest["b"] * len(rest) + sum(rest.values()) ** 2
    return d["a"]


def area(shape):
    match shape:
        case ("circle", r):
            return r**2 * 3.0
        case {"w": w, "h": h}:
            return w * h
        case [a, b, *_] if a > b:
            return a - b
        case float() | int():
            return shape * 3.0
        case _:
            return 1.0


@case(np.array([1.3, 0.7, 2.1, 0.4]))
def one_function_for_unlike_things(x):
    flat = area({"w": x[1], "h": x[2]}) + area([x[2], x[3], 1.0])
    return area(("circle", x[0])) + flat * area(float(x[3]))


@case(1.3)
def captured_by_a_function(x):
    match [x, x * x]:
        case [v, *rest]:
            times = lambda t: t * v + rest[0]  # noqa: E731
            return times(x)
    return x


@case(1.3)
def bound_again_by_a_function(x):
    match {"a": x, "b": x * x}:
        case {"a": float() as v, **rest}:

            def grow(t):
                nonlocal v, rest
                v = v * t
                rest = {"b": rest["b"] + v}
                return v

            return grow(rest["b"]) * v + rest["b"]
    return x


@case(1.3)
def in_a_cell(x):
    match x, 2.0 * x:
        case v, w:
            pass

    def grow(t):
        nonlocal v
        v += t
        return v * w

    many = [grow for _ in range(2)]
    return many[0](w) * many[1](x) + v


@pytest.mark.parametrize(("function", "args", "options"), cases(__name__), ids=label)
def test_program(function: Any, args: Any, options: Any) -> None:
    check(function, *args, **options)
