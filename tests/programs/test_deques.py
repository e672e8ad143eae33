"""Deques with a longest length, and deques that are turned."""

from __future__ import annotations

from collections import deque
from typing import Any

import numpy as np
import pytest

import tangentlite as tl
from tests.programs.strict import case, cases, check, label, normal


@case(normal(4))
def the_last_two(x):
    d = deque(maxlen=2)
    s = 0.0
    for v in x:
        d.append(v)
        s += sum(d) ** 2
    return s


@case(normal(4))
def turned(x):
    d = deque(x)
    d.rotate(1)
    return d[0] * d[1] ** 2 * d[2] ** 3


@case(normal(3))
def at_both_ends(x):
    e = deque([1.0, 2.0, x[0], x[2]], maxlen=3)
    e.rotate(-1)
    e.append(x[1])
    e.appendleft(x[0] * x[1])
    return e[0] * e[1] ** 2 * e[2] ** 3


@case(normal(4), 2)
def a_length_that_is_given(x, n):
    q = deque([1.0], maxlen=n)
    s = 0.0
    for v in x:
        if len(q) == n:
            s += q[0] * q[-1]
        q.append(v * v)
    return s


def grow(q, v):
    q.append(v)


@case(normal(4))
def changed_elsewhere(x):
    q = deque(maxlen=2)
    for v in x:
        grow(q, v)
    return sum(q)


@case(normal(4))
def extended(x):
    q = deque(maxlen=2)
    q.extend(x)
    return sum(q)


@case(np.array([0.7, 1.3, 2.1, 0.4]))
def put_in_at_the_front(x):
    item = x[3]
    q = deque(x, maxlen=3)
    q.append(x[0] ** 2)
    q.rotate(1)
    q.appendleft(2.0)
    q.extendleft([x[1], x[2]])
    q.extend([item * 2])
    r = deque()
    r.extendleft(v * v for v in x)
    r.rotate(-2)
    a = r.pop()
    r.extendleft([])
    return sum(v * (i + 1) for i, v in enumerate(q)) + a * r.popleft() * r[-1] + item


@pytest.mark.parametrize(("function", "args", "options"), cases(__name__), ids=label)
def test_program(function: Any, args: Any, options: Any) -> None:
    check(function, *args, **options)


def of_two_axes(x):
    return x.tolist()[0][1] ** 2


def test_lists_of_matrices() -> None:
    np.testing.assert_allclose(tl.grad(of_two_axes)(np.ones((2, 2))), [[0.0, 2.0], [0.0, 0.0]])
    with pytest.raises(tl.UnsupportedSyntaxError, match=r"list\(row\) for row in a"):
        tl.grad(lambda x: x.reshape(1, 1, 1, 2).tolist()[0][0][0][1] ** 2)(np.ones(2))


def sliced(x):
    q = deque([x, 2 * x])
    q.popleft()
    try:
        return sum(q[0:1])
    except TypeError:
        return 3 * x


def sorted_in_place(x):
    q = deque([x, 2 * x])
    q.popleft()
    try:
        q.sort()
    except AttributeError:
        return 3 * x
    return x


def sliced_only(x):
    q = deque([x, 2 * x])
    return q[0:1][0]


def stored_in_a_slice(x):
    q = deque([x, 2 * x])
    q[0:1] = [x]
    return q[0]


def like_a_list(x):
    q = deque([x, 2 * x])
    return x * 2 if q == [x, 2 * x] else x * 3


def like_a_deque(x):
    return x * 2 if deque([x]) == deque([x]) else x * 3


def with_a_list(x):
    q = deque([x, 2 * x])
    return sum(q + [x])


class Queue:
    def __init__(self, x):
        self.waiting = deque([x, 2 * x])
        self.done = [x]


def kept_and_sliced(x):
    return Queue(x).waiting[0:1][0]


def kept_and_compared(x):
    q = Queue(x)
    return x * 2 if q.waiting == [x, 2 * x] else x * 3


def kept_and_asked(x):
    q = Queue(x)
    return x * 2 if isinstance(q.waiting, list) else x * 3


def other_attributes(x):
    q = Queue(x)
    q.done.sort()
    return (q.done + [x])[0:1][0] * (2.0 if isinstance(q.done, list) and q.done == [x] else 3.0)


def test_other_attributes_are_lists() -> None:
    assert tl.grad(other_attributes)(1.3) == 2.0


REFUSED = [
    kept_and_sliced,
    kept_and_compared,
    kept_and_asked,
    sliced,
    sorted_in_place,
    sliced_only,
    stored_in_a_slice,
    like_a_list,
    like_a_deque,
]


@pytest.mark.parametrize("function", [*REFUSED, with_a_list])
def test_what_only_lists_do_is_refused(function: Any) -> None:
    with pytest.raises(tl.UnsupportedSyntaxError, match="deque"):
        tl.grad(function)(1.3)
