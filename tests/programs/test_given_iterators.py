"""Helpers that give an iterator over what they are given, in loops: as ``six.iteritems``."""

from __future__ import annotations

import numpy as np
import pytest

import tangentlite as tl


def iteritems(d, **kw):
    """Items of a dict, one after the other."""
    return iter(d.items(**kw))


def iterkeys(d):
    return iter(d.keys())


def over(values):
    return iter(values)


def looped(x):
    total = 0.0
    for name, value in iteritems({"a": x, "b": 2.0 * x}):
        total = total + value**2 * len(name)
    return total


def counted(x):
    table = {"a": x, "b": 2.0 * x}
    total = 0.0
    for k, name in enumerate(iterkeys(table)):
        total = total + (k + 1) * table[name] ** 2
    return total


def side_by_side(x):
    return sum(v**2 * w for v, w in zip(over([x, 2.0 * x]), over([1.0, 2.0])))


def collected(x):
    return np.prod([v**2 for v in over((x, 2.0 * x))])


def rows(x):
    total = 0.0
    for row in over(np.outer(np.array([1.0, 2.0]), np.array([x, x**2]))):
        total = total + np.sum(np.sin(row))
    return total


@pytest.mark.parametrize("f", [looped, counted, side_by_side, collected, rows])
def test_loops_over_given_iterators(confirm, f):
    confirm(f, 1.3)


def test_an_iterator_that_is_used_up_is_no_list():
    """It has nothing more to give; that is refused."""

    def f(x):
        it = over([x, 2.0 * x])
        return sum(it) + sum(it)

    with pytest.raises(tl.DerivativeError):
        tl.grad(f)(1.5)
