"""Functions with inserted code, each beside its gradient as a person works it out: ``CASES``."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import numpy as np

import tangentlite as tl
from tangentlite import insert_grad_of

W = np.arange(1.0, 5.0)
X = np.array([0.3, 0.7, 1.1, 0.2])
CAP = 2.0


@dataclass(frozen=True)
class Case:
    """``expected`` gives the gradient in the first argument."""

    function: Callable[..., Any]
    args: tuple[Any, ...]
    expected: Any

    def __str__(self) -> str:
        return self.function.__name__


CASES: list[Case] = []


def case(expected: Any, *args: Any) -> Callable[[Any], Any]:
    """The function below has this gradient at these arguments."""

    def add(function: Any) -> Any:
        CASES.append(Case(function, args, expected))
        return function

    return add


@case(-36.0, 2.0)
def reversal(x):
    y = x * 3.0
    with tl.insert_grad_of(y) as dy:
        dy = -dy
    return y * y


@case(6.0 + 10.0 + 1.0, 3.0)
def two_blocks_on_one_name(x):
    with tl.insert_grad_of(x) as dx:
        dx = dx + 1.0
    y = x * x
    with tl.insert_grad_of(x) as dx:
        dx = dx * 2.0
    return y + 5.0 * x


@case(23.0, 1.0)
def other_name_of_a_value(x):
    y = x
    with tl.insert_grad_of(x) as dx:
        dx = dx * 10.0
    return x * 2.0 + y * 3.0


@case(4.0 * np.cos(1.0), 0.5)
def value_that_is_bound_again(x):
    h = x * 2.0
    with tl.insert_grad_of(h) as dh:
        dh = dh * h
    h = h * h
    h = np.sin(h)
    return h


@case(36.0, 2.0, False, 0)
@case(360.0, 2.0, True, 0)
@case(420.0, 2.0, True, 2)
def branches_and_trips(x, flag, n):
    y = x * 3.0
    if flag:
        with tl.insert_grad_of(y) as dy:
            dy = dy * 10
    for _ in range(n):
        with tl.insert_grad_of(y) as dy:
            dy = dy + 1.0
    return y * y


@case(sum(2 * (4 * i / 2 + j) * i * (i + 10 * j) for i in range(3) for j in range(2)), 2.0)
def counters_of_nested_loops(x):
    total = 0.0
    for i in range(3):
        for j in range(2):
            h = x * i + j
            with tl.insert_grad_of(h) as dh:
                dh = dh * (i + 10 * j)
            total = total + h * h
    return total


def bent(a):
    b = np.sin(a)
    with tl.insert_grad_of(b) as db:
        db = db * 2.0
    return b


@case(2 * np.cos(0.7) + 4 * np.cos(1.4) * np.sin(3.0), 0.7)
def helper_called_three_times(x):
    return bent(x) + bent(x * 2.0) * bent(3.0)


@case(27.0 * 8.0, 1.0, 3)
def recursion(x, n):
    if n == 0:
        return x
    with tl.insert_grad_of(x) as dx:
        dx = dx * 2.0
    return recursion(x * 3.0, n - 1)


@case(3 * 6.0 + 3 * 24.0, 3.0)
def nested_function(x):
    def inner(a):
        b = a * a
        with tl.insert_grad_of(b) as db:
            db = db * x
        return b

    return inner(x) + inner(2.0 * x)


@case(16.0 + 8.0 + 16.0, 2.0)
def nonlocal_variable(x):
    h = x * 1.0

    def bump():
        nonlocal h
        h = h * x
        with tl.insert_grad_of(h) as dh:
            dh = dh * 2.0

    bump()
    bump()
    return h


def overwritten_expected() -> Any:
    y, g = W.copy(), W.copy()
    y[1:] *= 2.0
    g[0], g[1] = W[0] * y[1], W[1] + W[0] * y[0]
    g *= 10.0
    g[1:] *= 2.0
    return g


@case(overwritten_expected(), W)
def array_that_is_overwritten(x):
    y = x.copy()
    y[1:] = y[1:] * 2.0
    with tl.insert_grad_of(y) as dy:
        dy = dy * 10.0
    y[0] = y[0] * y[1]
    return np.sum(y * W)


@case(np.array([0.0, 600.0, 18.0, 8.0]), W)
def view_whose_adjoint_is_shared(x):
    y = x * 2.0
    v = y[1:3]
    v *= 3.0
    with tl.insert_grad_of(v) as dv:
        dv[0] = 100.0
    y[0] = y[1]
    return np.sum(y * W)


@case(2.0 * W**3 * 1.0, W)
def array_before_anything_is_stored(x):
    a = np.zeros(4)
    with tl.insert_grad_of(a) as da:
        da *= 2.0
    a[:] = x * x
    return np.sum(a * a) / 2.0


@case(np.array([2.0, 2.0, 3.0, 4.0]) * 1.0, W)
def adjoint_that_two_names_share(x):
    a, b = x * 1.0, x * 1.0
    c = a + b
    with tl.insert_grad_of(a) as da:
        da[1:] = 0.0
    c = a + b
    return np.sum(c * W)


@case(2.0 * W * [1, 10, 10, 10], W)
def elements_of_an_array(x):
    y = x * 2.0
    with tl.insert_grad_of(y[1]) as d:
        d = d * 10.0
    with tl.insert_grad_of(y[2:]) as d:
        d = d * 10.0
    return np.sum(y * W)


@case([36.0, 300.0], [2.0, 3.0])
def element_of_a_list(xs):
    ys = [x * x for x in xs]
    with tl.insert_grad_of(ys[1]) as d:
        d = d * 10.0
    return ys[0] * ys[1] + ys[1]


@case((38.0, 13.0), (2.0, 7.0))
def several_names(xs):
    x, y = xs
    a, b = x * y, x + y
    with tl.insert_grad_of(a, b) as (da, db):
        da, db = db, da
    return a * 3.0 + b * 5.0


@case(6.0 * W, W)
def norm_whose_square_is_smooth(x):
    n = np.linalg.norm(x)
    with tl.insert_grad_of(n) as dn:
        dn = dn * 3.0
    return n**2


@case(np.exp(W - 4.0) / np.sum(np.exp(W - 4.0)) + [0, 0, 0, 1], W)
def maximum_that_cancels(x):
    m = np.max(x)
    with tl.insert_grad_of(m) as dm:
        dm = dm + 1.0
    return m + np.log(np.sum(np.exp(x - m)))


@case(1.0 + 2.0 * W, W)
def nothing_reaches_the_value(x):
    h = x * x
    with tl.insert_grad_of(h) as dh:
        dh = dh + 1.0
    return np.sum(x)


@case(np.array([5.0, 3.0, 3.0, 3.0]), W, False)
def nothing_reaches_the_value_on_this_path(x, flag):
    y, z = x * 2.0, x * 3.0
    with tl.insert_grad_of(y) as dy:
        dy[0] += 1.0
    if flag:
        z = z * y
    return np.sum(z)


@case(12.0, 2.0)
def inside_try(x):
    try:
        y = x * 2.0
        with tl.insert_grad_of(y) as dy:
            dy = dy * 3.0
        z = y / (x - x)
    except ZeroDivisionError:
        z = y * 2.0
    return z


def added_by(w, x):
    with tl.insert_grad_of(w) as dw:
        dw /= 2.0
    return np.sum(w * x)


@case(np.array([1.5, 1.5]), np.ones(2), np.ones((3, 2)))
def value_that_is_broadcast(w, x):
    return added_by(w, x)


@case(W + [1, 3, 2, 2], X)
def parts_before_and_the_whole_after(x):
    z = x * W
    with tl.insert_grad_of(x) as dx:
        dx = dx - [2, 2, 0, 0]
    y = x[1:] * 2.0
    return np.sum(z) + np.sum(y) + np.sum(x[:2] * 3.0)


@case(40.0, 2.0)
def with_other_managers(x):
    with np.errstate(all="ignore"), tl.insert_grad_of(x) as dx, np.errstate(all="ignore"):
        dx = dx * 10.0
    return x * x


def ten_times(x):
    for i in range(3):
        y = x * i
        with insert_grad_of(y) as dy:
            dy = dy * 10.0
        yield y


@case(200.0, 2.0)
def generator(x):
    total = 0.0
    for v in ten_times(x):
        total = total + v * v
        if total > 1e9:
            break
    return total


def clipped_steps(w, h, n):
    hs = [h]
    for i in range(n):
        hs.append(np.tanh(w * hs[-1] + 0.1 * i))
    g, gw = np.ones_like(h), 0.0
    for i in reversed(range(n)):
        size = np.linalg.norm(g)
        g = g * (0.5 / size) if size > 0.5 else g
        t = g * (1.0 - hs[i + 1] ** 2)
        gw, g = gw + t * hs[i], t * w
    return gw


@case(clipped_steps(X, W, 6), X, W, 6)
def clipping_of_a_recurrent_network(w, h, n):
    for i in range(n):
        h = np.tanh(w * h + 0.1 * i)
        with tl.insert_grad_of(h) as dh:
            size = np.linalg.norm(dh)
            if size > 0.5:
                dh *= 0.5 / size
    return np.sum(h)


def truncated_steps(w, h, n, first):
    hs = [h]
    for i in range(n):
        hs.append(np.tanh(w * hs[-1] + 0.1 * i))
    g, gw = 1.0, 0.0
    for i in range(n - 1, first - 1, -1):
        t = g * (1.0 - hs[i + 1] ** 2)
        gw, g = gw + t * hs[i], t * w
    return gw


@case(truncated_steps(0.5, 0.2, 9, 6), 0.5, 0.2, 9)
def truncation(w, h, n):
    for i in range(n):
        h = np.tanh(w * h + 0.1 * i)
        if i % 5 == 0:
            with tl.insert_grad_of(h) as dh:
                dh = dh * 0
    return h


@case(truncated_steps(0.5, 0.2, 6, 3), 0.5, 0.2)
def leaving_the_loop(w, h):
    for i in range(6):
        h = np.tanh(w * h + 0.1 * i)
        with tl.insert_grad_of(h) as dh:
            if i < 3:
                break
    return h


@case(truncated_steps(0.5, 0.2, 6, 3), 0.5, 0.2)
def leaving_a_while(w, h):
    i = 0
    while i < 6:
        h = np.tanh(w * h + 0.1 * i)
        with tl.insert_grad_of(h) as dh:
            if i < 3:
                break
        i += 1
    return h


def stacked(x):
    h1 = np.tanh(x * x)
    h2 = np.tanh(h1 * x)
    h3 = np.tanh(h2 * x)
    g = 2.0 * (1.0 - h3**2)
    gx, g = g * h2, 2.0 * g * x * (1.0 - h2**2)
    gx, g = gx + g * h1, 2.0 * (g * x + 1.0) * (1.0 - h1**2)
    return gx + g * 2.0 * x


@case(stacked(0.8), 0.8)
def last_state_of_a_list(x):
    hs = [x]
    for _ in range(3):
        hs.append(np.tanh(hs[-1] * x))
        with tl.insert_grad_of(hs[-1]) as dh:
            dh = dh * 2.0
    return hs[-1] + hs[1]


def clip(v):
    return np.clip(v, -CAP, CAP)


@case(6.0, 1.0)
def helper_in_the_block(x):
    h = x * 3.0
    with tl.insert_grad_of(h) as dh:
        dh = clip(dh)
    return h * 5.0


@case(36.0, 1.5)
def gradient_in_the_block(x):
    y = x * x
    with tl.insert_grad_of(y) as dy:
        dy = tl.grad(lambda v: v**3)(dy)
    return y * 2.0


@case(18.0, 2.0, "a")
@case(62.0, 0.5, "a")
@case(1.0, 2.0, "b")
@case(30.0, 2.0, "c")
def cases_of_a_match(x, mode):
    match mode:
        case "a":
            y = x * 2.0
            with tl.insert_grad_of(y) as dy:
                dy = dy + 1.0
            if x > 1:
                return y * y
        case "b":
            return x
        case _:
            y = x
    with tl.insert_grad_of(y) as dy:
        dy = dy * 10.0
    return y * 3.0


t1, rt, by, bh, tape = 1.0, 2.0, 3.0, 4.0, 5.0


@case(15.0 * 15.0 * 4.0 * 0.5**3, 0.5)
def names_that_the_compiler_likes(x):
    dx, bx = x * x, 7.0
    h = dx * 1.0
    for _ in range(2):
        h = h * 1.0
        with insert_grad_of(h) as dx:
            bx = t1 + rt + by + bh + tape
            dx = dx * bx
    return h * h


@case(2 * 2 * 2 * 63.0, 1.0, 1)
@case(2 * 2 * 33.0, 1.0, 0)
def all_of_python(x, k):
    y = x * 2.0
    with tl.insert_grad_of(y) as dy:
        import math

        try:
            if k == 0:
                raise ValueError
        except ValueError:
            dy = dy * 10.0
        else:
            dy = dy * 20.0
        finally:
            note = f"{float(dy):.1f}"
        with np.errstate(all="ignore"):
            dy = dy / 1.0
        for j in range(10):
            if j == 3:
                break
            if j == 1:
                continue
            dy = dy + j
        else:
            dy = 0.0

        def twice(v):
            return v * 2.0

        plus = lambda v, y=1.0: v + y  # noqa: E731
        dy = twice(plus(dy))
        if (m := math.floor(dy)) > 1:
            assert m and note
        dy = sum([dy * q for q in (0.5, 0.5)])
        match k:
            case 0:
                dy = dy * 1.0
            case _:
                dy = dy * 2.0
        del m
    return y * 3.0
