"""Ways out of loops and functions, exceptions, context managers."""

from __future__ import annotations

import contextlib
import threading

import numpy as np

from tests.language.rows import Section

SECTION = Section("Exits")
LOCK = threading.Lock()
X = np.array([0.4, 1.3, 0.7])


@SECTION.works("`break`", X)
def breaks(x):
    s = 0.0
    for v in x:
        if s > 0.5:
            break
        s = s + v * v
    return s * x[0]


@SECTION.works("`continue`", X)
def continues(x):
    s = 0.0
    for v in x:
        if v > 1.0:
            continue
        s = s + v * v
    return s


@SECTION.works("several `return`s", 0.7)
def returns_early(x):
    if x < 0.0:
        return -x
    if x < 1.0:
        return x * x
    return x


@SECTION.works("`return` out of nested loops", X)
def returns_from_loops(x):
    for i in range(3):
        for j in range(3):
            if x[i] * x[j] > 0.5:
                return x[i] ** 2 * x[j]
    return x[0]


@SECTION.works("`for … else`", X)
def for_else(x):
    s = x[0]
    for v in x:
        if v > 5.0:
            break
        s = s * v
    else:
        s = s * x[1]
    return s


@SECTION.works("`while … else`", 0.7)
def while_else(x):
    y = x
    while y < 3.0:
        y = y * 2.0 + x
        if y > 100.0:
            break
    else:
        y = y * x
    return y


@SECTION.works("`while True` with `break`", 0.7)
def while_true(x):
    y = x
    while True:
        y = y + x * x
        if y > 2.0:
            break
    return y * y


def scale(a):
    if a[0] > 10.0:
        return
    a *= 2.0


@SECTION.works("`return` without a value, in a helper that writes", X)
def returns_nothing(x):
    a = x * x
    scale(a)
    return np.sum(a * x)


@SECTION.works("`assert`", 0.7)
def asserts(x):
    assert x > 0.0, "positive numbers only"
    return np.log(x) * x


@SECTION.works("`raise`: the exception leaves unchanged", 0.7)
def raises(x):
    if x > 10.0:
        raise ValueError("too large")
    return x * x


@SECTION.works("`try … except`: the path that was taken decides", X)
def tries(x):
    s = x[0]
    for k in range(5):
        try:
            s = s * x[k]
        except IndexError:
            s = s + x[0] * x[1]
    return s


class TooLarge(Exception):
    def __init__(self, message, value):
        super().__init__(message)
        self.value = value


def limited(x, limit):
    if x > limit:
        raise TooLarge(f"more than {limit}", x * x)
    return x


@SECTION.works("`except E as e`: what the function, or one that it calls, raised with `e`", 0.7)
def reads_an_exception(x):
    try:
        y = limited(x, 1.0) + limited(2.0 * x, 1.0)
    except TooLarge as e:
        y = e.value * x
    return y


@SECTION.works("`try … except … else … finally`", 0.7)
def tries_everything(x):
    y = x
    try:
        y = y * x
    except ZeroDivisionError:
        y = x
    else:
        y = np.sin(y)
    finally:
        y = y * 2.0
    return y


@SECTION.works("`with np.errstate(…)`", X)
def under_errstate(x):
    with np.errstate(all="ignore"):
        y = np.sqrt(x)
    return np.sum(y * x)


@SECTION.works("`with` a lock or a manager of your own", 0.7)
def with_a_lock(x):
    with LOCK:
        y = x * x
    return y * x


@SECTION.works("`with contextlib.suppress(…)`", X)
def suppresses(x):
    s = x[0]
    with contextlib.suppress(IndexError):
        s = s * x[1]
        s = s * x[7]
    return s


class Doubled:
    def __init__(self, x):
        self.x = x

    def __enter__(self):
        self.x = self.x * 2.0
        return self.x

    def __exit__(self, *fault):
        self.x = 0.0

    def close(self):
        self.x = 1.0


@SECTION.works("`with contextlib.ExitStack() as stack`, `contextlib.closing(…)`", X)
def stacks(x):
    kept = []
    with contextlib.ExitStack() as stack:
        y = stack.enter_context(Doubled(x[0]))
        stack.callback(kept.append, y * x[1])
        y = y * x[2]
    with contextlib.closing(Doubled(x[0])) as d:
        y = y * d.x
    return y * kept[0] * d.x


class Swallows:
    def __enter__(self):
        return None

    def __exit__(self, *fault):
        return True


@SECTION.works("`with` a manager of your own that may swallow exceptions", 0.7)
def swallowed(x):
    y = x
    with Swallows():
        y = x * x
        y = y / 0
    return y


@contextlib.contextmanager
def doubled(v):
    try:
        yield 2.0 * v
    finally:
        print(end="")


class Sums:
    def __init__(self):
        self.total = 0.0

    def __enter__(self):
        return self

    def __exit__(self, *fault):
        self.total = self.total**2

    def add(self, v):
        self.total += v


@SECTION.works(
    "`with m as v`: `contextlib.contextmanager` and managers of your own hand over values", 0.7
)
def managed(x):
    with doubled(x) as v, Sums() as sums:
        sums.add(v * x)
        sums.add(x)
    return sums.total


SECTION.shown(
    "`with tl.insert_grad_of(x) as dx:`: inserted code (surgery.md), in reverse mode",
    "tests.surgery.test_numbers::test_gradient",
)


SECTION.shown(
    "`for t in tl.checkpoint_loop(range(n), slots=k)`, `tl.checkpoint(f)`: parts that run again (memory.md)",
    "tests.memory.test_loops::test_gradient",
)


@SECTION.works("`return`, `break` and `continue` that leave a `finally`", X)
def leaves_a_finally(x):
    def kept(v):
        try:
            if v > 1.0:
                raise ValueError("large")
            return v
        finally:
            if v > 0.5:
                return v * v  # noqa: B012

    s = 0.0
    for v in x:
        try:
            s = s + kept(v)
        finally:
            if s > 1.0:
                break  # noqa: B012
    return s * x[0]
