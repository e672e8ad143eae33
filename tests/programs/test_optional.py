"""Helpers given a list, a dict, a tuple, an object or a function on one path, and None on another."""

from __future__ import annotations

from collections import namedtuple
from typing import Any

import numpy as np
import pytest

from tests.programs.strict import case, cases, check, label

POSITIVE = np.array([0.3, 0.8, -0.4, 1.2])
NEGATIVE = -POSITIVE
Pair = namedtuple("Pair", "a b")


class Node:
    def __init__(self, value):
        self.value = value
        self.below = None


def first_or_square(parts, v):
    if parts is None:
        return v * v
    return v * parts[0]


@case(POSITIVE)
@case(NEGATIVE)
def tuple_or_none(x):
    return first_or_square((x[1], x[2]) if x[0] > 0 else None, x[3])


@case(POSITIVE)
@case(NEGATIVE)
def list_or_none(x):
    return first_or_square([x[1], x[2]] if x[0] > 0 else None, x[3])


@case(POSITIVE)
@case(NEGATIVE)
def dict_or_none(x):
    def take(table, v):
        return v * v if table is None else v * table["a"]

    return take({"a": x[1], "b": x[2]} if x[0] > 0 else None, x[3])


@case(POSITIVE)
@case(NEGATIVE)
def named_or_none(x):
    def take(pair, v):
        return v * v if pair is None else v * pair.a

    return take(Pair(x[1], x[2]) if x[0] > 0 else None, x[3])


@case(POSITIVE)
@case(NEGATIVE)
def appended_or_none(x):
    def sums(items, v):
        if not items:
            return v * v
        total = 0.0
        for item in items:
            total = total + item * v
        return total

    items = None
    if x[0] > 0:
        items = []
        for i in range(3):
            items.append(x[i])
    return sums(items, x[3])


@case(POSITIVE)
@case(NEGATIVE)
def returned_or_none(x):
    def squares(c):
        if c > 0:
            found = []
            for i in range(3):
                found.append(x[i] ** 2)
            return found
        return None

    def sums(items, v):
        return v * v if items is None else v * sum(items)

    return sums(squares(x[0]), x[3])


@case(POSITIVE)
@case(NEGATIVE)
def function_or_none(x):
    def applied(f, v):
        if f is None:
            return v * v
        return f(v)

    return applied(np.sin if x[0] > 0 else None, x[3])


@case(POSITIVE)
@case(NEGATIVE)
def closure_or_none(x):
    def applied(f, v):
        if f is None:
            return v * v
        return f(v)

    f = None
    if x[0] > 0:
        f = lambda v: v * x[1]  # noqa: E731
    return applied(f, x[3])


@case(POSITIVE)
@case(NEGATIVE)
def closure_or_function_or_none(x):
    def applied(f, v):
        if f is None:
            return v * v
        return f(v)

    f = None
    if x[0] > 0:
        f = lambda v: v * x[1]  # noqa: E731
    elif x[1] > 5:
        f = np.cos
    return applied(f, x[3])


@case(POSITIVE)
def functions_and_none_in_a_loop(x):
    def applied(f, v):
        if f is not None:
            v = f(v)
        return v * x[2]

    total = 0.0
    for f in (None, np.sin, None, np.exp):
        total = total + applied(f, x[3])
    return total


@case(POSITIVE)
def picked_functions(x):
    def pick(k):
        if k == 0:
            return np.sin
        if k == 1:
            return None
        return np.exp

    total = 0.0
    for k in range(3):
        f = pick(k)
        total += x[k] if f is None else f(x[k])
    return total


@case(POSITIVE)
@case(NEGATIVE)
def dtype_or_none(x):
    def sums(dtype, v):
        a = np.zeros(3, dtype=dtype) if dtype is not None else np.ones(3)
        return np.sum(a) * v + v * v

    return sums(np.float64 if x[0] > 0 else None, x[3])


@case(POSITIVE, second=False)
@case(NEGATIVE, second=False)
def object_below_or_none(x):
    def squares(node):
        if node is None:
            return 1.0
        return node.value**2 + squares(node.below)

    node = Node(x[0])
    if x[1] > 0:
        node.below = Node(x[1] * x[2])
    return squares(node) * x[3]


@case(POSITIVE, second=False)
@case(NEGATIVE, second=False)
def options_of_none(x):
    options = {"scale": None, "shift": None}
    if x[0] > 0:
        options["shift"] = [x[1], x[2]]

    def changed(options, v):
        if options["scale"] is not None:
            v = v * options["scale"]
        if options["shift"] is not None:
            v = v * options["shift"][0] + options["shift"][1]
        return v * v

    return changed(options, x[3])


@case(POSITIVE)
def best_so_far(x):
    def worth(best):
        return 0.0 if best is None else best[0] * 3

    best = None
    for i in range(4):
        found = (x[i] ** 2, i)
        if best is None or found[0] > best[0]:
            best = found
    return worth(best) + worth(None)


@case(POSITIVE)
def found_or_made(x):
    found = {}

    def get(k):
        r = found.get(k)
        if r is None:
            r = found[k] = x * x[k]
        return r

    return np.sum(get(1) * get(1) + get(2))


@case(POSITIVE, second=False)
def pairs_found_or_made(x):
    found = {}

    def get(k):
        r = found.get(k)
        if r is None:
            r = (x[k] ** 2, [x[k]])
            found[k] = r
        return r

    return get(1)[0] * get(1)[1][0] + get(2)[0]


@case(POSITIVE)
def groups_found_or_made(x):
    groups = {}
    for i in range(4):
        group = groups.get(i % 2)
        if group is None:
            group = groups[i % 2] = []
        group.append(x[i] ** 2)
    return sum(groups[0]) * sum(groups[1])


@case(POSITIVE)
def best_of_an_empty_table(x):
    best = {}.get("best")
    for i in range(4):
        if best is None or x[i] > best[0]:
            best = [x[i], x[i] ** 2]
    return best[0] * best[1]


def with_momentum(v, state=None):
    if state is None:
        state = {"t": 0, "m": np.zeros_like(v)}
    state["t"] += 1
    state["m"] = 0.9 * state["m"] + 0.1 * v
    return v - state["m"] / state["t"], state


@case(POSITIVE)
def a_state_that_is_none_at_first(x):
    state = None
    for _ in range(3):
        x, state = with_momentum(x, state)
    return np.sum(x**2) + state["m"][0]


def remembered(v, past=None):
    if past is None:
        past = []
    past.append(np.sum(v * v))
    return v * past[-1], past


@case(POSITIVE)
def a_list_that_is_none_at_first(x):
    past = None
    for _ in range(3):
        x, past = remembered(x, past)
    return np.sum(x) * past[0] + past[1] * len(past)


def scales(k, w=None):
    if w is not None:
        w[0] *= k
        w[1:] += w[0]
    return k


@case(POSITIVE)
def arrays_that_may_be_none(x):
    y = x * 2.0
    late = None
    s = 0.0
    for i, w in enumerate((None, y, y[1:])):
        s += scales(x[i], w) + scales(x[1], late)
        late = y if i == 1 else late
    other = late
    return s * scales(s, other) + np.sum(y * y)


@pytest.mark.parametrize(("function", "args", "options"), cases(__name__), ids=label)
def test_program(function: Any, args: Any, options: Any) -> None:
    check(function, *args, **options)
