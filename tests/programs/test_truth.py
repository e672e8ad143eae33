"""Calls that write, where only the truth of what they give is asked for."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from tests.programs.strict import case, cases, check, label


class M:
    def __init__(self, k):
        self.k = k

    def triple(self):
        self.k = self.k * 3
        return self.k > 0

    def done(self, t):
        self.k = self.k * 2
        return t is not None


@case(0.7)
def b1(x):
    m = M(x)
    if not m.triple():
        return x
    return m.k * x


@case(0.7)
def b2(x):
    m = M(x)
    if m.done(1) and x > 0:
        return m.k * x
    return x


class H:
    def __init__(self, m):
        self.m = m
        self.old = m.k

    def restore(self, t):
        if t is not None:
            self.m.k = self.old
        return t is not None


@case(0.7)
def b3(x):
    m = M(x)
    h = H(m)
    m.k = m.k * 3
    if not h.restore(1):
        return x
    return m.k * x


@case(0.7)
def b4(x):
    m = M(x)
    h = H(m)
    m.k = m.k * 3
    try:
        raise ValueError
    except BaseException as e:
        if not h.restore(type(e)):
            return x
    return m.k * x


@case(0.7)
def b5(x):
    m = M(x)
    h = H(m)
    m.k = m.k * 3
    try:
        raise ValueError
    except BaseException as e:
        if not h.restore(e):
            raise
    return m.k * x


@case(0.7)
def b6(x):
    m = M(x)
    h = H(m)
    m.k = m.k * 3
    t = type(x)
    if not h.restore(t):
        raise ValueError
    return m.k * x


@case(0.7)
def b7(x):
    m = M(x)
    h = H(m)
    m.k = m.k * 3
    t = type(x)
    ok = h.restore(t)
    return m.k * x


def put(a, v):
    a[0] = v
    return v is None


@case(0.7)
def b8(x):
    a = [x]
    t = type(x)
    if not put(a, t):
        return x
    return x


def put2(a, t):
    a[0] = a[0] * 3
    return t is not None


@case(0.7)
def b9(x):
    a = [x]
    t = type(x)
    if not put2(a, t):
        return x
    return a[0] * x


class Account:
    def __init__(self, balance):
        self.balance = balance

    def withdraw(self, amount):
        if amount > self.balance:
            return False
        self.balance -= amount
        return True


@case(0.7)
def withdrawals(x):
    account, refused = Account(2 * x), 0
    for amount in (0.5, 2.0, 0.4):
        if not account.withdraw(amount * x):
            refused += 1
    while account.withdraw(0.1) and account.balance > 0.2:
        account.balance *= x + 0.2
    assert account.withdraw(0.01)
    return account.balance * x + refused


@case(0.7)
def in_a_conjunction(x):
    a, b = Account(x), Account(3 * x)
    ok = x > 0 and not a.withdraw(5.0) and b.withdraw(x * x)
    return a.balance + b.balance * 3 if ok else x


@pytest.mark.parametrize(("function", "args", "options"), cases(__name__), ids=label)
def test_programs(function: Any, args: Any, options: Any) -> None:
    check(function, *args, **options)


def last_or_one(x):
    stack = []
    for v in x:
        stack.append(v * 2.0 * (stack[-1] if stack else 1.0))
    return stack[-1]


def taken_while_there_are(x):
    stack, total = [x[0]], 0.0
    while stack:
        v = stack.pop()
        total += v * v
        if v * v < 0.5 and len(stack) < 3:
            stack.append(v * 1.5)
            stack.append(x[1] + v)
        if stack and stack[-1] > 0:
            total *= 2.0
        total += stack[0] if stack else x[2]
    return total


def moved_between(x):
    a, b = [], []
    for v in x:
        if a and not b:
            b.append(a.pop() * v)
        elif b:
            a.append(b.pop() + v * v)
        else:
            a.append(v)
    return sum(a) * 2.0 + sum(b)


def seen_before(x):
    seen, total = set(), 0.0
    if 2 in seen:
        total += x[0]
    else:
        total += x[0] ** 2
    for i, v in enumerate(x):
        total += v * v if seen else v**3
        seen.add(i)
    seen.add(2)
    return total


def pushed_by_a_function(x):
    stack = []

    def push(v):
        stack.append(v)

    for v in x:
        if stack:
            push(stack[-1] * v)
        else:
            push(v)
    return stack[-1] * stack[1]


def keys_so_far(x):
    table = {}
    for i, v in enumerate(x):
        if not table or i > 2:
            w = v * v
        else:
            w = table[i - 1] * v
        table[i] = w
    return table[3] + table[2]


@pytest.mark.parametrize(
    "f",
    [
        last_or_one,
        taken_while_there_are,
        moved_between,
        seen_before,
        pushed_by_a_function,
        keys_so_far,
    ],
)
def test_what_changes_later_is_asked_once(f, confirm):
    """A condition that asks whether a list or a set is empty is not asked again backward."""
    confirm(f, np.array([0.3, -0.7, 1.2, 0.9]))
