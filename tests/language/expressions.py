"""Expressions, builtins, comprehensions, displays."""

from __future__ import annotations

import functools
import itertools
import logging
import sys
from collections import deque
from functools import reduce
from typing import Any

import numpy as np

import tangentlite as tl
from tests.language.rows import Section

SECTION = Section("Expressions")
X = np.array([0.4, 1.3, 0.7])
LOG = logging.getLogger(__name__)
RATE = 2.5


@SECTION.works("`:=`", 0.7)
def walrus(x):
    return (y := x * x) * y + y


@SECTION.works("`a if c else b`", 0.7)
def ternary(x):
    return x * x if x > 0.5 else x


@SECTION.works("`a < b < c`, `and`, `or`, `not`", 0.7)
def conditions(x):
    if 0.0 < x < 1.0 and not x == 0.5 or x > 7.0:
        return x**3
    return x


@SECTION.works("`and` and `or` as values", 0.7, 0.4)
def or_as_a_value(x, y):
    return (x or y) * (x and y)


@SECTION.works("`in`, `is`", 0.7, "b")
def membership(x, mode):
    factor = None
    if mode in ("a", "b"):
        factor = 2.0 * x
    return x if factor is None else factor * x


@SECTION.works("`//`, `%`, `divmod`", 7.3)
def floors(x):
    whole, rest = divmod(x, 2.0)
    return rest * rest + (x % 3.0) * x + x // 2.0 * x


@SECTION.works("`@`, `**`", X)
def powers(x):
    return (x @ x) ** 2 + np.sum(x**3) + np.sum(2.0**x)


@SECTION.works("bit operators on whole numbers", 0.7, 6)
def bits(x, n):
    return x * (n & 3) + x * x * ((n | 1) ^ 2) * (n << 1 >> 2) + ~n * x


@SECTION.works("unpacking, with a star", X)
def unpacks(x):
    a, *rest = [v * v for v in x]
    (b, c), d = (a, rest[0]), rest[1]
    return a * b + c * d


@SECTION.works("stars in calls and displays", X)
def stars(x):
    args = (x[0], x[1])
    values = [*args, x[2], *[x[0] * x[1]]]
    return np.hypot(*args) * sum(values)


@SECTION.works(
    "slices, `...`, `None`, arrays and masks as indices", np.arange(12.0).reshape(3, 4) / 7
)
def indices(x):
    y = x[1:, ::-2] * x[..., None][:2, 1:3, 0]
    return np.sum(y) + np.sum(x[[0, 2], [1, 3]] ** 2) + np.sum(x[x > 0.5] ** 3) + x[-1, -1]


@SECTION.works("f-strings, `format`, string methods", X)
def texts(x):
    table = {f"key{k}": v for k, v in enumerate(x)}
    return table["key0"] * table["key{}".format(1)] + table["KEY2".lower()]


@SECTION.works("list comprehensions, nested, with conditions", X)
def comprehensions(x):
    rows = [[v * w for w in x if w > 0.5] for v in x]
    return sum(v for row in rows for v in row)


@SECTION.works("dict and set comprehensions", X)
def other_comprehensions(x):
    table = {k: v * v for k, v in enumerate(x)}
    return sum(table[k] for k in {k % 3 for k in range(7)})


@SECTION.works("generators where they are consumed: `sum`, `list`, `zip`, `np.array`", X)
def generators(x):
    a = np.array(list(v * v for v in x))
    return sum(v * w for v, w in zip(a, (np.sin(u) for u in x)))


@SECTION.works("`lambda`", 0.7)
def lambdas(x):
    square = lambda v: v * v * x
    return square(x) + (lambda v: np.sin(v))(x)


@SECTION.works("`sorted`, `min`, `max` with keys; `reversed`", X)
def orders(x):
    ordered = sorted(x, key=lambda v: -v)
    return ordered[0] ** 2 * min(x, key=abs) + max(x) * list(reversed(x))[0]


@SECTION.works("`sum`, `any`, `all`, `len`, `abs`, `round`, `pow`", X)
def builtins(x):
    s = sum(x) * len(x) + abs(-x[0]) + pow(x[1], 2) + round(x[2]) * x[0]
    return s * x[0] if any(v > 1.0 for v in x) and all(v > 0.0 for v in x) else s


@SECTION.works("`map`, `filter`, `functools.reduce`", X)
def functional(x):
    return reduce(lambda a, b: a * b, map(np.sin, filter(lambda v: v > 0.5, x)))


@SECTION.works("`zip`, `enumerate`, `range`", X)
def walks(x):
    s = 0.0
    for k, (v, w) in enumerate(zip(x, x[1:])):
        s = s + k * v * w
    for k in range(2, 0, -1):
        s = s * x[k]
    return s


@SECTION.works("`iter` and `next`: iterators that are followed where they are made", X)
def followed(x):
    it = iter(x)
    s = next(it)
    for v in it:
        s = s * v + next(it, 2.0)
    return s


@SECTION.works("`itertools`: `chain`, `accumulate`, `product`, `count`, `cycle`, …", X)
def made_by_itertools(x):
    s = sum(v * w for v, w in zip(itertools.chain(x, x), itertools.cycle([1.0, -2.0])))
    return s + sum(v * w for v, w in itertools.product(x, repeat=2)) + sum(itertools.accumulate(x))


@SECTION.works("`float(x)` keeps the derivative, `int(x)` ends it", 2.7)
def conversions(x):
    return float(x) * x + int(x) * x


@SECTION.works("`isinstance`, `bool`, `type`", 0.7)
def asks(x):
    return x * x if isinstance(x, float) and bool(x) else x


@SECTION.works("`match`", X)
def matches(x):
    match [x[0], x[1] * x[2]]:
        case []:
            return x[0]
        case [a, b] if b > 100.0:
            return a
        case [a, b] | [a, b, _]:
            return a * b
    return x[1]


@SECTION.works("annotated and augmented assignments, chains", 0.7)
def assignments(x):
    y: float = x * x
    y += x
    y *= 2.0
    a = b = y
    return a * b


@SECTION.works("reading globals", 0.7)
def reads_globals(x):
    return x**RATE * RATE


@SECTION.refused("binding globals", 0.7)
def binds_globals(x):
    global RATE
    RATE = 3.0
    return x * RATE


@SECTION.works("calls that only look: `print`, logging, warnings, plots", X)
def looks(x):
    print("sum", np.sum(x), file=sys.stderr, end="")
    LOG.debug("%s", x)
    return np.sum(x * x)


KEPT: deque[Any] = deque(maxlen=1)
keep = KEPT.append


@tl.inactive
def observe(x):
    KEPT.append(x)


@SECTION.refused(
    "a discarded call without rule and source that is given an array", X, error=tl.DerivativeError
)
def gives_an_array_away(x):
    keep(x)
    return np.sum(x * x)


@SECTION.works("such a call, marked `@tl.inactive`", X)
def gives_an_array_to_an_observer(x):
    observe(x)
    return np.sum(x * x)


@SECTION.refused("`eval`, `exec`, `locals`", 0.7)
def evaluates(x):
    return eval("x * x")


@SECTION.works("imports inside, in blocks and in `try`, too", 0.7)
def imports(x):
    import math

    try:
        import no_such_module as found
    except ImportError:
        found = None
    if found is None:
        from math import sin as wave
    else:
        from math import cos as wave
    return wave(x) * math.pi


@SECTION.refused("`async def`", 0.7)
async def asynchronous(x):
    return x * x


@SECTION.works("`functools.partial`", 0.7)
def partials(x):
    scaled = functools.partial(lambda a, b: a * b * b, x)
    return scaled(x * x)


@SECTION.works("operators between arrays and lists or tuples of numbers", X)
def arrays_and_lists(x):
    y = x * 2.0
    return np.sum(y * [x[0], 1.0, x[1]] + (x[2], x[0], 0.5))


@SECTION.works("`pow` of three whole numbers", 0.7)
def whole_powers(x):
    return x ** pow(7, 3, 5)


@SECTION.works("several outputs: `np.modf(x, out=(a, b))`", X)
def outputs(x):
    parts, wholes = np.empty(3), np.empty(3)
    np.modf(x * 1.7, out=(parts, wholes))
    return np.sum(parts * x) + np.sum(wholes)


@SECTION.refused("numbers read from text that was made from numbers", 0.7)
def through_text(x):
    return float(f"{x:.12f}") * x
