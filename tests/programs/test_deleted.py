"""Names without value: read after `del`, or before they are bound, where a handler waits for the error."""

from __future__ import annotations

import numpy as np
import pytest

import tangentlite as tl
from tests.programs.strict import case, cases, check, label

X = np.array([0.4, 1.3, 0.7, 2.1])


@case(X)
def deleted(x):
    y = x[0]
    z = x[1]
    del y
    try:
        y
    except UnboundLocalError:
        z = z * x[1]
    return z


@case(X)
def deleted_and_computed_with(x):
    y = x[0]
    z = x[1]
    del y
    try:
        z = z * y
    except UnboundLocalError:
        z = z * x[1]
    return z


@case(X)
def bound_in_a_branch_not_taken(x):
    z = x[1]
    if x[0] > 1:
        y = x[0]
    try:
        z = z * y
    except UnboundLocalError:
        z = z * x[1] * 2
    return z


@case(X)
def bound_by_the_handler(x):
    for v in x:
        try:
            total
        except NameError:
            total = 0.0
        total = total + v * v
    return total


@case(X)
def begun_by_the_handler(x):
    for v in x:
        try:
            total = total + v * v
        except NameError:
            total = v
    return total


@case(X)
def deleted_and_printed(x):
    y = [x[0]]
    del y
    z = x[1]
    try:
        print(y)
    except UnboundLocalError:
        z = z * x[1]
    return z


@case(X)
def deleted_in_a_branch(x):
    y = x[0]
    z = x[1] * y
    if x[0] < 1:
        del y
    try:
        y[0]
    except UnboundLocalError:
        z = z * x[1]
    except (TypeError, IndexError):
        z = z * 4
    return z


@case(X)
def a_global_that_is_not_there(x):
    z = x[0]
    try:
        undefined_name
        z = z * 3
    except NameError:
        z = z * x[1]
    return z


@case(X)
def statements_that_only_raise(x):
    d = {"a": x[0]}
    z = x[0]
    try:
        d["b"]
        z = z * 3
    except KeyError:
        z = z * x[1]
    try:
        x[7]
        z = z * 3
    except IndexError:
        z = z * x[1]
    try:
        x.nothing
        z = z * 3
    except AttributeError:
        z = z * x[1]
    try:
        d["a"] + "x"
        z = z * 3
    except TypeError:
        z = z * x[1]
    try:
        (1 if x[0] > 0 else 2) // 0
        z = z * 3
    except ZeroDivisionError:
        z = z * x[1]
    return z


@case(X)
def deleted_in_a_loop(x):
    total = 0.0
    for k in range(4):
        if k % 2 == 0:
            v = x[k]
        try:
            total = total + v * x[k]
            del v
        except UnboundLocalError as error:
            total = total * x[k] + len(str(error)) * 0.01
    return total


@case(0.7)
def a_parameter_deleted(x):
    y = x * x
    del x
    try:
        return x * y
    except NameError:
        return y * y


def test_without_a_handler_the_error_is_the_users():
    def f(x):
        y = x * x
        if x > 0:
            del y
        return y * x

    assert tl.grad(f)(-1.0) == 3.0
    with pytest.raises(UnboundLocalError) as own:
        f(1.0)
    with pytest.raises(UnboundLocalError) as ours:
        tl.grad(f)(1.0)
    assert str(ours.value) == str(own.value)


def test_the_test_of_a_loop_is_refused():
    def f(x):
        y = x
        while y < 3.0:
            if y > 2.0:
                del y
        return x

    with pytest.raises(tl.UnsupportedSyntaxError, match="may have been deleted"):
        tl.grad(f)


@pytest.mark.parametrize(("f", "args", "options"), cases(__name__), ids=label)
def test_names_without_value(f, args, options):
    check(f, *args, **options)
