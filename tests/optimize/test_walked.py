"""Loops along tapes, and numbers that are bound later, give what the texts give that are not in Python's numbers."""

import inspect
import math

import numpy as np
import pytest

import tangentlite as tl
from tangentlite import syntax
from tangentlite.doors import floating
from tangentlite.optimize.numbers.sunk import sunk
from tangentlite.optimize.numbers.walked import walked


@pytest.fixture(autouse=True)
def strictly(monkeypatch):
    monkeypatch.setattr(floating, "strict", True)


def said(step, text, numbers=lambda name: True):
    return "\n".join(map(syntax.unparse, step(syntax.parse(text.strip()), numbers)))


KEPT = (
    # another trip more, or less
    "tape = []\nfor i in range(n):\n    tape.append(x)\nfor i in reversed(range(m)):\n    x = tape.pop()",
    "tape = []\nfor i in range(n):\n    tape.append(x)\nn = 3\nfor i in reversed(range(n)):\n    x = tape.pop()",
    "tape = []\nfor i in range(n):\n    n = 3\n    tape.append(x)\nfor i in reversed(range(n)):\n    x = tape.pop()",
    # more than one record for a trip, or not in each
    "tape = []\nfor i in range(n):\n    if x:\n        tape.append(x)\nfor i in reversed(range(n)):\n    x = tape.pop()",
    "tape = [y]\nfor i in range(n):\n    tape.append(x)\nfor i in reversed(range(n)):\n    x = tape.pop()",
    "tape = []\nfor i in range(n):\n    tape.append(x)\n    tape.append(y)\nfor i in reversed(range(n)):\n    x = tape.pop()",
    "tape = []\nfor i in range(n):\n    if x:\n        break\n    tape.append(x)\nfor i in reversed(range(n)):\n    x = tape.pop()",
    # the counter is read, or the tape
    "tape = []\nfor i in range(n):\n    tape.append(x)\nfor i in reversed(range(n)):\n    x = tape.pop()\n    y[i] = x",
    "tape = []\nfor i in range(n):\n    tape.append(x)\nfor i in reversed(range(n)):\n    x = tape.pop()\nprint(i)",
    "tape = []\nfor i in range(n):\n    tape.append(x)\nfor i in reversed(range(n)):\n    x = tape.pop()\nprint(tape)",
    # a counter that counts something else
    "k = 1\ntape = []\nwhile x:\n    tape.append(x)\n    k = k + 1\nfor t in range(k):\n    x = tape.pop()",
    "k = 0\ntape = []\nwhile x:\n    tape.append(x)\n    k = k + 2\nfor t in range(k):\n    x = tape.pop()",
    "k = 0\ntape = []\nwhile x:\n    tape.append(x)\n    k = k + 1\nk = 5\nfor t in range(k):\n    x = tape.pop()",
)


@pytest.mark.parametrize("text", KEPT)
def test_loops_that_may_not_take_what_one_loop_put_stay(text):
    assert said(walked, text) == said(lambda body, _: body, text)


def test_a_counter_that_is_read_elsewhere_stays():
    text = """
k = 0
tape = []
while x:
    tape.append((x, y))
    k = k + 1
for t in range(k):
    x, y = tape.pop()
    bx = bx * y
return k
"""
    shown = said(walked, text)
    assert "k = k + 1" in shown and "for x, y in reversed(tape)" in shown


STAYS = (
    "for i in r:\n    t = b\n    b = b * x\n    x = x + t",  # x is read before it is bound
    "for i in r:\n    t = b\n    b = b * x\n    c = b + t",
    "for i in r:\n    t = b\n    if x:\n        b = b * x\n    c = c + t",
    "for i in r:\n    t = b\n    if x:\n        b = b * x\n        c = c + t",
    "for i in r:\n    t = b\n    b = f(b)\n    c = c + t",
    "for i in r:\n    t = b\n    b = b * x\n    b = b + 1\n    c = c + t",
    "for i in r:\n    c = c + t\n    t = b\n    b = b * x\n    c = c + t",
    "for i in r:\n    t = b\n    b = b * x\n    c = c + t\nprint(t)",
    "for i in r:\n    if x:\n        t = b\n    else:\n        t = c\n    b = b * x\n    c = c + t",
)


@pytest.mark.parametrize("text", STAYS)
def test_numbers_whose_old_value_is_needed_stay(text):
    assert said(sunk, text) == said(lambda body, _: body, text)


def test_only_numbers_move():
    text = "for i in r:\n    t = b\n    b = b * x\n    c = c + t"
    assert said(sunk, text) == "for i in r:\n    c = c + b\n    b = b * x"
    assert "t = b" in said(sunk, text, lambda name: name != "b")
    assert "t = b" in said(sunk, text, lambda name: name != "x")


def newton(a):
    x = a
    while abs(x * x - a) > 1e-10:
        x = 0.5 * (x + a / x)
    return x


def branches(x):
    i = 0
    while i < 30:
        if x > 1.0:
            x = x * 0.5
        else:
            x = x * x + 0.3
        i += 1
    return x


def horner(c, x):
    s = 0.0
    for a in c:
        s = s * x + a
    return s


def fibonacci(x, y):
    for _ in range(12):
        x, y = y, x * 0.3 + math.sin(y)
    return x + y


def leaves(x):
    for _ in range(50):
        if x < 0.1:
            break
        x = x * x * 0.9
    return x


def nested(x, n):
    s = x
    for _ in range(n):
        for _ in range(3):
            s = math.sin(s) * x
    return s


def squares(x):
    s = 1.0
    for _ in range(5):
        s = s * s * x
        s = s + s * s
    return s


C = np.random.default_rng(2).normal(size=9)
CASES = (
    *((newton, (a,)) for a in (3.0, 0.0, 1.0, 1e200, float("inf"), np.float64(2.0), 2)),
    *((branches, (a,)) for a in (0.9, 1.0, -3.0, float("nan"), np.float32(0.7))),
    *((horner, (C, a)) for a in (0.9, 0.0, float("inf"), float("nan"))),
    (horner, (C[:0], 0.5)),
    (horner, (C.astype(np.float32), 0.5)),
    (horner, (C.tolist(), 0.5)),
    (fibonacci, (0.4, 0.7)),
    *((leaves, (a,)) for a in (0.95, 0.01, 1.0, float("nan"))),
    *((nested, (0.7, n)) for n in (0, 1, 4)),
    *((squares, (a,)) for a in (0.5, 0.0, 1e100, -float("inf"))),
)


@pytest.mark.parametrize("f, args", CASES)
def test_programs(f, args):
    floats = [k for k, a in enumerate(args) if not isinstance(a, int) or f is newton]
    wrt = tuple(floats) if len(floats) > 1 else floats[0]
    with np.errstate(all="ignore"):
        try:
            wanted = tl.grad(f, wrt=wrt, optimized=False)(*args)
        except (ArithmeticError, ValueError):
            return
        df = tl.grad(f, wrt=wrt)
        for _ in range(4):
            found = df(*args)
            pairs = zip(found, wanted) if isinstance(wrt, tuple) else [(found, wanted)]
            for one, other in pairs:
                assert type(one) is type(other)
                np.testing.assert_allclose(one, other, rtol=1e-9, equal_nan=True)


def source(df, *args):
    """The text that takes calls, after some."""
    for _ in range(3):
        df(*args)
    called = df.func
    while hasattr(called, "__wrapped__"):
        called = called.__wrapped__
    return inspect.getsource(called)


def test_the_texts():
    text = source(tl.grad(newton), 3.0)
    assert "for x in reversed(tape):" in text and "trips" not in text
    assert "bx = 2.0 * bx * x" in source(tl.grad(branches), 0.9)
    assert "bt1_list[i] = bs\n" in source(tl.grad(horner, wrt=(0, 1)), C, 0.5)
