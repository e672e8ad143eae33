"""Programs that ask what something is: tuples that were lists, deques and dicts that keep an order."""

from __future__ import annotations

import collections

import pytest

import tangentlite as tl
from tangentlite.errors import UnsupportedSyntaxError
from tests.programs.strict import case, cases, check, label


@case(1.2, 3)
def the_type_is_asked_for(x, k):
    made = []
    for i in range(k):
        made.append(x * i)
    t = tuple(made)
    s = x * x if isinstance(t, tuple) else x
    return s + (x if isinstance(t, list) else x**3) + sum(t) * t[-1]


@pytest.mark.parametrize(("function", "args", "options"), cases(__name__), ids=label)
def test_derivatives(function, args, options):
    check(function, *args, **options)


def is_a_deque(x):
    q = collections.deque([x])
    q.append(x * x)
    return x if isinstance(q, collections.deque) else x * x


def is_a_list(x):
    q = collections.deque([x])
    q.append(x * x)
    return x if isinstance(q, (list, tuple)) else x * x


def is_ordered(x):
    d = collections.OrderedDict(a=x)
    return x if type(d) is collections.OrderedDict else x * x


def matches(x):
    q = collections.deque([x])
    q.append(x * x)
    match q:
        case collections.deque():
            return x
    return x * x


@pytest.mark.parametrize("function", [is_a_deque, is_a_list, is_ordered, matches])
def test_types_that_derivatives_replace_are_not_asked_for(function):
    """They are lists and dicts there: whatever was answered was wrong, and so was the derivative."""
    for derive in (tl.grad, tl.jvp):
        with pytest.raises(UnsupportedSyntaxError, match="asking for the type"):
            derive(function)(1.2) if derive is tl.grad else derive(function)(1.2, tangent=1.0)
