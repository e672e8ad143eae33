"""Exceptions that bring values to their handlers."""

from __future__ import annotations

import io
import math
from typing import Any

import numpy as np
import pytest

import tangentlite as tl
from tests.programs.strict import case, cases, check, label

X = np.array([0.7, 1.3, 0.4])


class Big(Exception):
    def __init__(self, msg, value, limit=1.0):
        super().__init__(msg)
        self.value = value
        self.excess = value - limit


@case(0.7)
def excess(x):
    try:
        if x > 0.5:
            raise Big("b", x * x, limit=x)
        y = 1.0
    except Big as e:
        y = e.value * e.excess
    return y


class Bigger(Big):
    pass


@case(0.7)
def sub(x):
    try:
        raise Bigger("b", x**3)
    except Big as e:
        y = e.value + e.excess
    return y


class Plain(ValueError):
    pass


@case(0.7)
def plainargs(x):
    try:
        raise Plain(x * x, x)
    except ValueError as e:
        return e.args[0] * e.args[1]


@case(0.7)
def unpackargs(x):
    try:
        raise Plain("m", x * x)
    except Plain as e:
        m, v = e.args
        return v


class D(Exception):
    def __init__(self, v):
        self.v = v


@case(0.7)
def several(x):
    t = 0.0
    for k in range(4):
        try:
            if k == 0:
                raise Big("a", x)
            elif k == 1:
                raise D(x * x)
            elif k == 2:
                raise Plain("z", x**3)
            t += 1.0
        except Big as e:
            t += e.value
        except D as e:
            t += e.v * 2
        except (Plain, KeyError) as err:
            t = t * err.args[1]
        else:
            t *= x
        finally:
            t += 0.1 * x
    return t


def checked(v, lim):
    if v > lim:
        raise Big("too", v - lim)
    elif v < -lim:
        raise D(v * v)
    for k in range(3):
        if v * k > 0.9:
            return v * k
    return v * 2


@case(0.7)
def helper(x):
    t = 0.0
    for a in (-2.0, -0.1, 0.5, 0.3, 2.0):
        try:
            t += checked(a * x, 0.8)
        except Big as e:
            t += e.value * 3
        except D as e:
            t -= e.v
    return t


@case(0.7)
def from_library2(x):
    t = 0.0
    for s in ("1.5", "abc", "2"):
        try:
            v = float(s)
            if v > 1.8:
                raise ValueError("big", v * x)
            t += v * x
        except ValueError as e:
            t += x
    return t


@case(0.7)
def nested(x):
    try:
        try:
            raise D(x * x)
        except D as e:
            raise Big("again", e.v * x) from e
    except Big as b:
        return b.value
    return x


@case(0.7)
def reraise(x):
    try:
        try:
            raise D(x * x)
        except D as e:
            y = e.v
            raise
    except D as e2:
        return y * x
    return x


@case(0.7)
def message(x):
    try:
        raise Big("oops", x * x)
    except Big as e:
        s = str(e)
        return e.value * len(s)


@case(0.7)
def f_message(x):
    try:
        raise ValueError(f"bad value {x}")
    except ValueError as e:
        print(e, file=io.StringIO())
        return x * 2


@case(0.7)
def in_while(x):
    y = x
    n = 0
    while True:
        try:
            y = y * 1.7
            if y > 3:
                raise D(y * y)
        except D as e:
            return e.v + n
        n += 1


class Acc:
    def __init__(self, b):
        self.b = b

    def withdraw(self, a):
        if a > self.b:
            raise Big("insufficient", a - self.b)
        self.b -= a
        return self.b


@case(0.7)
def account(x):
    acc = Acc(x * 2)
    t = 0.0
    for a in (0.5, 0.4, 1.0):
        try:
            t += acc.withdraw(a)
        except Big as e:
            t += e.value
    return t + acc.b


@case(0.7)
def nested_def(x):
    def guard(v):
        if v > 1:
            raise D(v * x)
        return v

    try:
        y = guard(x * 2)
    except D as e:
        y = e.v
    return y


@case(0.7)
def deep(x):
    def inner(v):
        if v > 1:
            raise D(v * x)
        return v * x

    def outer(v):
        return inner(v * 2) + 1

    try:
        y = outer(x)
    except D as e:
        y = e.v * x
    return y


@case(0.7)
def expr_call(x):
    try:
        y = 2 * checked(x * 3, 0.8)
    except Big as e:
        y = e.value
    return y


@case(0.7)
def cause(x):
    try:
        try:
            z = 1 / 0
        except ZeroDivisionError as z:
            raise D(x) from z
    except D as e:
        return e.v * x


@case(X)
def arr(x):
    try:
        raise D(x * x)
    except D as e:
        return np.sum(e.v)


@case(0.7)
def twice_(x):
    try:
        y = checked(x, 0.8) * checked(x * 2, 0.8)
    except Big as e:
        y = e.value * x
    return y


@case(0.7)
def inner_arg(x):
    try:
        y = checked(math.sin(x) * 3, 0.8)
    except Big as e:
        y = e.value * x
    return y


class Neg(ValueError):
    """docs"""

    def __init__(self, value):
        self.value = value
        super().__init__(f"negative: {value}")


def root(v):
    if v < 0:
        raise Neg(v)
    return math.sqrt(v)


@case(0.7)
def neg(x):
    out = []
    for v in (x, -x, x * x, -2 * x):
        try:
            out.append(root(v))
        except Neg as e:
            out.append(-root(-e.value))
    return sum(out) * out[1]


@case(0.7)
def neg2(x):
    def safe(v):
        try:
            return root(v)
        except Neg as e:
            return e.value**2

    return safe(x) + safe(-x) * safe(-2 * x)


def from_elsewhere(x):
    try:
        v = float("abc") if x > 0 else x
        raise ValueError("a", v)
    except ValueError as e:
        return e.args[1]


def no_longer_what_was_raised(x):
    t = 0.0
    for k in range(3):
        try:
            if k == 0:
                raise ValueError("a", x * x)
            if k == 1:
                int("zz")
        except ValueError as e:
            t += e.args[1] if k == 0 else 0.5
    return t


def kept(x):
    saved = None
    try:
        raise D(x * x)
    except D as e:
        saved = e
    return saved.v


def test_refused(refused: Any) -> None:
    refused(kept, "except D as e:", args=(0.7,))
    for function in (from_elsewhere, no_longer_what_was_raised):
        with pytest.raises(tl.UnsupportedSyntaxError, match="raised elsewhere"):
            tl.grad(function)(0.7)


@pytest.mark.parametrize(("function", "args", "options"), cases(__name__), ids=label)
def test_programs(function: Any, args: Any, options: Any) -> None:
    check(function, *args, **options)
