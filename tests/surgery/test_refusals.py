"""What inserted code cannot do is refused by name, at its line."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

import tangentlite as tl

W = np.arange(1.0, 5.0)
PROGRAMS: list[tuple[Callable[..., Any], tuple[Any, ...], str]] = []
COUNT = 0


def refused(message: str, *args: Any) -> Callable[[Any], Any]:
    def add(function: Any) -> Any:
        PROGRAMS.append((function, args, message))
        return function

    return add


@refused("`continue` in inserted code", 0.5)
def going_on(w):
    for _ in range(3):
        w = w * w
        with tl.insert_grad_of(w):
            continue
    return w


@refused("`return` in inserted code", 0.5)
def returning(w):
    with tl.insert_grad_of(w):
        return w
    return w * w


@refused("leaves a loop inside of another one", 0.5)
def leaving_an_inner_loop(w):
    for _ in range(2):
        for _ in range(3):
            w = w * w
            with tl.insert_grad_of(w):
                break
    return w


def leaving_its_own_loop(w):
    v = w * 2.0
    with tl.insert_grad_of(v) as d:
        for k in range(2):
            if k:
                break
        d = d * 2.0
    return v


@refused("leaves a loop that writes into arrays or lists", W)
def leaving_a_loop_that_writes(x):
    y = x.copy()
    for i in range(1, 4):
        y[i] = y[i - 1] * x[i]
        with tl.insert_grad_of(x):
            break
    return np.sum(y)


@refused("`n` of the function is read and bound anew", 0.5)
def counting(w):
    n = 0
    with tl.insert_grad_of(w):
        n += 1
    return w * n


@refused("`n` is bound by inserted code, and read by other code", 0.5)
def binding_for_others(w):
    with tl.insert_grad_of(w):
        n = 1
    return w * n


@refused("cannot bind global or nonlocal names", 0.5)
def binding_a_global(w):
    global COUNT
    with tl.insert_grad_of(w):
        COUNT = 1
    return w


@refused("writes into `k`, an array of the function", W, W)
def writing_into_an_array(w, k):
    with tl.insert_grad_of(w):
        k[0] = 1.0
    return np.sum(w * k)


@refused("outside the head of a `with`", 0.5)
def as_a_manager(w):
    manager = tl.insert_grad_of(w)
    with manager:
        pass
    return w


@refused("of `w \\* 2`, which is no variable", 0.5)
def of_an_expression(w):
    with tl.insert_grad_of(w * 2):
        pass
    return w


@refused("of `W`, which is no variable here", 0.5)
def of_a_global(w):
    with tl.insert_grad_of(W):
        pass
    return w


@refused("of 2 values `as d`", 0.5)
def one_name_for_two(w):
    v = w * w
    with tl.insert_grad_of(w, v) as d:
        print(d)
    return w * v


@refused("of one value twice", 0.5)
def twice(w):
    with tl.insert_grad_of(w, w) as (a, b):
        print(a, b)
    return w


@refused("takes numbers and arrays", [0.5, 1.0])
def of_a_list(ws):
    with tl.insert_grad_of(ws) as d:
        print(d)
    return ws[0]


@refused("of an element of a tuple", 0.5)
def of_an_element_of_a_tuple(w):
    t = (w * 1.0, w * 2.0)
    with tl.insert_grad_of(t[1]) as d:
        print(d)
    return t[0] + t[1]


@refused("`n` holds no floating-point number", 0.5)
def of_an_integer(w):
    n = 3
    with tl.insert_grad_of(n) as d:
        print(d)
    return w * n


@refused("inserted code inside inserted code", 0.5)
def inside_another(w):
    with tl.insert_grad_of(w):
        v = w * 2
        with tl.insert_grad_of(v):
            pass
    return w


@refused("leaves no adjoint", 0.5)
def deleting(w):
    with tl.insert_grad_of(w) as d:
        del d
    return w


@pytest.mark.parametrize(
    ("function", "args", "message"),
    PROGRAMS,
    ids=lambda p: getattr(p, "__name__", ""),
)
def test_refused(function: Any, args: tuple[Any, ...], message: str) -> None:
    with pytest.raises(tl.DerivativeError, match=message) as caught:
        tl.grad(function)(*args)
    assert caught.value.place is not None and caught.value.hint


def test_a_loop_of_the_block_may_be_left() -> None:
    assert tl.grad(leaving_its_own_loop)(0.5) == 4.0


def once(x):
    with tl.insert_grad_of(x) as dx:
        dx = dx * 2.0
    return x * x


def above(x):
    return once(x) * 3.0


@pytest.mark.parametrize("f", [once, above])
def test_forward_mode(f: Any) -> None:
    with pytest.raises(tl.UnsupportedSyntaxError, match="forward mode has none") as caught:
        tl.jvp(f)(2.0, tangent=1.0)
    assert "insert_grad_of" in caught.value.place.text and "tl.primal" in caught.value.hint


def test_machine_code() -> None:
    pytest.importorskip("numba")
    with pytest.raises(tl.UnsupportedSyntaxError, match="not compiled to machine code"):
        tl.grad(once, compile="numba")(2.0)


def left_odd(x, kind):
    with tl.insert_grad_of(x) as dx:
        dx = {"shape": np.ones(7), "none": None, "complex": 1j, "text": "1"}[kind]
    return np.sum(x)


def of_indices(m):
    d = np.diag_indices(3)
    with tl.insert_grad_of(d) as dd:
        print(dd)
    return np.sum(m[d])


def test_what_is_no_number_when_it_comes() -> None:
    with pytest.raises(TypeError, match="takes numbers and arrays, and was given tuple"):
        tl.grad(of_indices)(np.ones((3, 3)))


@pytest.mark.parametrize(
    ("kind", "error"),
    [("shape", ValueError), ("none", TypeError), ("complex", TypeError), ("text", TypeError)],
)
def test_what_is_no_adjoint(kind: str, error: type[Exception]) -> None:
    with pytest.raises(error, match="inserted code leaves"):
        tl.grad(left_odd)(W, kind)
