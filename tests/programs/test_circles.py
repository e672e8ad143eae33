"""Methods and helpers that call each other in circles, and change objects meanwhile: compiling ends."""

from __future__ import annotations

import numpy as np
import pytest

import tangentlite as tl


class Total:
    def __init__(self):
        self.total = 0.0

    def walk(self, n, x):
        self.total += x * n
        if n > 0:
            self.walk(n - 1, x * x)


def a_method_that_calls_itself(x):
    total = Total()
    total.walk(3, x)
    return total.total * x


class Parity:
    def __init__(self):
        self.value = 1.0

    def even(self, n, x):
        self.value *= x
        return self.odd(n - 1, x) if n > 0 else self.value

    def odd(self, n, x):
        self.value += x
        return self.even(n - 1, x) if n > 0 else self.value


def methods_that_call_each_other(x):
    return Parity().even(3, x) * x


class Parser:
    def __init__(self, tokens):
        self.tokens, self.at = tokens, 0

    def take(self):
        token = self.tokens[self.at]
        self.at += 1
        return token

    def product(self, names):
        value = self.factor(names)
        while self.at < len(self.tokens) and self.tokens[self.at] == "*":
            self.take()
            value = value * self.factor(names)
        return value

    def factor(self, names):
        token = self.take()
        if token == "(":
            value = self.product(names)
            self.take()
            return value
        return names[token] if token in names else float(token)


def a_parser(x):
    return Parser("x * ( y * 2.5 )".split()).product({"x": x, "y": x * x})


def expression(tokens, at, names):
    value, at = term(tokens, at, names)
    while at < len(tokens) and tokens[at] in "+-":
        sign = tokens[at]
        other, at = term(tokens, at + 1, names)
        value = value + other if sign == "+" else value - other
    return value, at


def term(tokens, at, names):
    value, at = factor(tokens, at, names)
    while at < len(tokens) and tokens[at] == "*":
        other, at = factor(tokens, at + 1, names)
        value = value * other
    return value, at


def factor(tokens, at, names):
    if tokens[at] == "(":
        value, at = expression(tokens, at + 1, names)
        return value, at + 1
    if tokens[at] in names:
        return names[tokens[at]], at + 1
    return float(tokens[at]), at + 1


def helpers_that_call_each_other(x):
    return expression("x * ( y + 2.5 ) - x".split(), 0, {"x": x, "y": x * x})[0]


@pytest.mark.parametrize(
    "f",
    [
        a_method_that_calls_itself,
        methods_that_call_each_other,
        a_parser,
        helpers_that_call_each_other,
    ],
)
def test_first_derivatives(f):
    expected = (f(0.7 + 1e-6) - f(0.7 - 1e-6)) / 2e-6
    np.testing.assert_allclose(tl.grad(f)(0.7), expected, rtol=1e-6)
    np.testing.assert_allclose(tl.jvp(f)(0.7, tangent=1.0)[1], expected, rtol=1e-6)


def test_what_never_settles_is_refused():
    df = tl.grad(helpers_that_call_each_other)
    with pytest.raises(tl.UnsupportedSyntaxError, match="another kind of value each time"):
        tl.vjp(df)(0.7)


def registered(x):
    """The table holds a function that captures the table."""
    table = {}

    def register(name):
        def keep(f):
            table[name] = f
            return f

        return keep

    @register("a")
    def first(v):
        return v * x

    @register("b")
    def second(v):
        return table["a"](v) + x * x

    return table["b"](x) * first(2.0)


def test_a_table_that_holds_itself_is_differentiated_once():
    test_first_derivatives(registered)
    with pytest.raises(tl.AliasError, match="holds itself"):
        tl.vjp(tl.grad(registered))(0.7)
