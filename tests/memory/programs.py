"""Programs with a loop over ``tl.checkpoint_loop``: each means what it means with a plain loop."""

# ruff: noqa: B007, C419, D101, D102, D103, D107
from __future__ import annotations

import numpy as np

import tangentlite as tl

W = np.arange(1.0, 5.0)


def helper(a, y):
    return np.sin(a) * y


def mutate(u, k):
    u[k] = np.sin(u[k]) * u[0]


class Cell:
    def __init__(self, h):
        self.h = h
        self.n = 0

    def step(self, x):
        self.h = np.sin(self.h) * x
        self.n += 1


def rnn(w, xs):
    h = np.zeros(4)
    loss = 0.0
    for t in tl.checkpoint_loop(range(len(xs)), slots=2):
        h = np.tanh(w * h + xs[t])
        loss = loss + np.sum(h * W)
    return loss


def inplace(x):
    u = x.copy()
    for t in tl.checkpoint_loop(range(5), slots=2):
        u[1:-1] = np.sin(u[:-2]) + u[1:-1] * u[2:]
    return np.sum(u * u)


def early(x):
    y = x
    for t in tl.checkpoint_loop(range(20), slots=3):
        y = y * 1.3 + np.sin(y)
        if y > 4.0:
            break
    return y * x


def returns(x):
    y = x
    for t in tl.checkpoint_loop(range(20), slots=3):
        y = y * 1.3 + np.sin(y)
        if y > 4.0:
            return y * y
    return y * x


def cont(x):
    y = x
    for t in tl.checkpoint_loop(range(9), slots=3):
        if t % 3 == 1:
            continue
        y = y * 0.9 + np.sin(y)
    return y * y


def nested(x):
    y = x
    for t in tl.checkpoint_loop(range(4), slots=2):
        z = y
        for s in tl.checkpoint_loop(range(5), slots=2):
            z = np.sin(z) * y + 0.1 * s
        y = z * y + 0.2 * t
    return y * y


def inner_plain(x):
    y = x
    for t in tl.checkpoint_loop(range(4), slots=2):
        z = y
        for s in range(3):
            z = np.sin(z) * y
        y = z + y
    return y * y


def outer_plain(x):
    y = x
    for t in range(3):
        k = t + 2
        for s in tl.checkpoint_loop(range(k), slots=2):
            y = np.sin(y) * x + 0.1 * t
        y = y * y
    return y


def shadowed_names(x):
    states = x
    stops = 2.0
    start = 1.0
    t = 0
    for t in tl.checkpoint_loop(range(6), slots=2):
        states = np.sin(states) * stops + start
        t = t + 1
        states = states * t
    return states * t


def grows(x):
    hs = [x]
    for t in tl.checkpoint_loop(range(6), slots=2):
        hs.append(np.sin(hs[-1]) * x)
    return hs[-1] * hs[2]


def late_bound(x):
    for t in tl.checkpoint_loop(range(5), slots=2):
        if t == 0:
            h = x
        else:
            h = np.sin(h) * x
    return h * h


def branch(x):
    y = x
    for t in tl.checkpoint_loop(range(8), slots=2):
        if y > 0.5:
            z = y * y
            y = z * 0.5
        else:
            y = y + 0.7 * x
    return y


def swap(x):
    a, b = x, 2.0 * x
    for t in tl.checkpoint_loop(range(7), slots=3):
        a, b = b, np.sin(a) * b
    return a * b


def backwards(x):
    y = x
    for t in tl.checkpoint_loop(range(10, 1, -2), slots=2):
        y = np.sin(y) * t
    for t in tl.checkpoint_loop(reversed(range(2, 9, 3)), slots=2):
        y = np.sin(y) * t
    return y


def over_data(x):
    y = 0.5
    for v in tl.checkpoint_loop(x, slots=2):
        y = np.sin(y * v)
    return y


def zipped(x, w):
    y = 0.5
    for i, (v, u) in tl.checkpoint_loop(enumerate(zip(x, w)), slots=2):
        y = np.sin(y * v + u) + i
    return y


def pingpong(x):
    u = x.copy()
    v = np.zeros(4)
    for t in tl.checkpoint_loop(range(5), slots=2):
        v[:] = np.sin(u) * u
        u, v = v, u
    return np.sum(u * W)


def kind_changes(x):
    y = 1
    for t in tl.checkpoint_loop(range(5), slots=2):
        y = y * x + np.sin(y)
    return y


def out_array(x):
    out = np.zeros(6)
    y = x
    for t in tl.checkpoint_loop(range(6), slots=2):
        y = np.sin(y) * x
        out[t] = y
    return np.sum(out * out)


def written_before(x):
    out = np.zeros(6)
    out[0] = x * x
    z = out[0] * x
    y = x
    for t in tl.checkpoint_loop(range(6), slots=2):
        y = np.sin(y) * x
        out[t] = y * z
    return np.sum(out * out)


def param_written_after(w, x):
    y = x
    for t in tl.checkpoint_loop(range(5), slots=2):
        y = np.sin(y) * w
    s = np.sum(y * w)
    w[:] = 2.0 * w
    return s + np.sum(y * w)


def calls(x):
    y = x
    for t in tl.checkpoint_loop(range(5), slots=2):
        y = helper(y, x)
    return y * y


def calls_mutating(x):
    u = x.copy()
    for t in tl.checkpoint_loop(range(4), slots=2):
        mutate(u, t)
        mutate(u, 0)
    return np.sum(u * u)


def closure(x):
    k = x * 2.0

    def step(y):
        return np.sin(y) * k

    y = x
    for t in tl.checkpoint_loop(range(5), slots=2):
        y = step(y)
    return y * y


def in_nested(x):
    def run(y, n):
        for t in tl.checkpoint_loop(range(n), slots=2):
            y = np.sin(y) * x
        return y

    return run(x, 4) * run(2.0 * x, 5)


def one_slot(x):
    y = x
    for t in tl.checkpoint_loop(range(6), 1):
        y = np.sin(y) * x
    return y


def zero(x):
    y = x
    for t in tl.checkpoint_loop(range(0), slots=3):
        y = np.sin(y) * x
    return y * x


def linear_acc(x):
    s = 0.0
    for t in tl.checkpoint_loop(range(4), slots=3):
        s = s + np.sin(x[t]) * t
    return s * s


def conditional_same(x):
    h = x
    for t in tl.checkpoint_loop(range(6), slots=2):
        if t < 3:
            h = np.sin(h) * W
    h = h * 1.0
    return np.sum(h * h)


def conditional_written(x):
    h = x * 1.0
    for t in tl.checkpoint_loop(range(6), slots=2):
        if t % 2:
            h = np.sin(h) * W
    s = np.sum(h * h)
    h[:] = h * 3.0
    return s + np.sum(h)


def dict_state(x):
    s = {"a": x, "b": 1.0}
    for t in tl.checkpoint_loop(range(5), slots=2):
        s = {"a": np.sin(s["a"]) * s["b"], "b": s["b"] + s["a"]}
    return s["a"] * s["b"]


def objects(x):
    c = Cell(x)
    for t in tl.checkpoint_loop(range(5), slots=2):
        c.step(x)
    return c.h * c.n


def whiles(x):
    y = x
    for t in tl.checkpoint_loop(range(5), slots=2):
        while abs(y) < 3.0:
            y = y * 1.5 + 0.1 * np.sign(y)
        y = np.sin(y) + x
    return y


def elses(x):
    y = x
    for t in tl.checkpoint_loop(range(4), slots=2):
        y = np.sin(y) * x
    else:
        y = y * 3.0
    return y


def f32(x):
    y = x.astype(np.float32)
    for t in tl.checkpoint_loop(range(4), slots=2):
        y = np.sin(y) * W.astype(np.float32)
    return np.sum(y)


def tail_names(x):
    y = x
    for t in tl.checkpoint_loop(range(4), slots=2):
        q = np.sin(y)
        y = q * x
    z = y * q * t
    return z * y


def two_in_row(x):
    y = x
    for t in tl.checkpoint_loop(range(4), slots=2):
        y = np.sin(y) * x
    z = y
    for t in tl.checkpoint_loop(range(5), slots=3):
        z = np.sin(z) * y
    return z * y


def slots_runtime(x, k=2, n=7):
    y = x
    for t in tl.checkpoint_loop(range(n), slots=k + 1):
        y = np.sin(y) * x
    return y


def aliasing(x):
    u = x.copy()
    r = u[1:]
    for t in tl.checkpoint_loop(range(4), slots=2):
        u[0] = np.sin(u[0]) * r[0]
        r[1] = r[1] * u[0]
    return np.sum(u * u)


def it(x):
    y = x
    i = iter([1.0, 2.0, 3.0])
    for t in tl.checkpoint_loop(range(3), slots=2):
        y = np.sin(y) * x * next(i)
    return y


def genloop(x):
    y = x
    for t in tl.checkpoint_loop((k * 0.5 for k in range(5)), slots=2):
        y = np.sin(y) * x * t
    return y


def matrix(w, h):
    for t in tl.checkpoint_loop(range(4), slots=2):
        h = np.tanh(w @ h)
        w = w * 0.9
    return np.sum(h * W) + np.sum(w)


def listparams(x):
    ps = [x, 2.0 * x, 3.0]
    y = x
    for t in tl.checkpoint_loop(range(4), slots=2):
        y = np.sin(y * ps[0] + ps[1]) * ps[2]
    return np.sum(y)


def scalar_array(x):
    u = np.array(x)
    for t in tl.checkpoint_loop(range(4), slots=2):
        u[()] = np.sin(u) * x
    return u * x


def aug(x):
    u = x.copy()
    s = 0.0
    for t in tl.checkpoint_loop(range(4), slots=2):
        u += np.sin(u) * 0.1
        u[t] *= 1.5
        s += u[t] ** 2
    return s + np.sum(u)


def walrus(x):
    y = x
    for t in tl.checkpoint_loop(range(6), slots=2):
        if (z := np.sin(y)) > 0.4:
            y = z * x
        else:
            y = y + z
    return y


def inner_break(x):
    y = x
    for t in tl.checkpoint_loop(range(5), slots=2):
        for s in range(10):
            y = y * 1.2 + 0.1 * x
            if y > 3.0:
                break
        y = np.sin(y) + 0.3 * t
    return y


def nested_break(x):
    y = x
    for t in tl.checkpoint_loop(range(5), slots=2):
        for s in tl.checkpoint_loop(range(10), slots=3):
            y = y * 1.2 + 0.1 * x
            if y > 3.0:
                break
        y = np.sin(y) + 0.3 * t
    return y * x


def tuple_state(x):
    s = (x, 1.0)
    for t in tl.checkpoint_loop(range(5), slots=2):
        s = (np.sin(s[0]) * s[1], s[0] + s[1])
    return s[0] * s[1]


def stack_inside(x):
    y = x
    for t in tl.checkpoint_loop(range(5), slots=2):
        q = []
        for k in range(3):
            q.append(np.sin(y * k))
        y = q.pop() * x + q.pop()
    return y


def listcomp(x):
    y = x
    for t in tl.checkpoint_loop(range(5), slots=2):
        y = sum([np.sin(y * k) for k in range(3)])
    return y * x


def local_array(x):
    y = x
    for t in tl.checkpoint_loop(range(5), slots=2):
        a = np.zeros(3)
        a[0] = y
        a[1] = np.sin(a[0])
        a[2] = a[0] * a[1]
        y = a[2] + x
    return y


def carried_new(x):
    u = x.copy()
    for t in tl.checkpoint_loop(range(5), slots=2):
        new = np.zeros(4)
        new[1:] = np.sin(u[:-1])
        new[0] = u[0] * u[3]
        u = new
    return np.sum(u * W)


def static(x):
    total = 0.0
    k = 3
    for t in tl.checkpoint_loop(range(k), slots=2):
        k = k + 1
        total = total * x + k
    return total * k


def unused(x):
    y = x
    z = 1.0
    for t in tl.checkpoint_loop(range(4), slots=2):
        z = z * 2.0
    return y * y * z


def inactive_cond(x, n=5):
    y = x
    i = 0
    for t in tl.checkpoint_loop(range(n), slots=2):
        i = (i * 3 + t) % 5
        y = np.sin(y) * W[i % 4] * x
    return y


def stopg(x):
    y = x
    for t in tl.checkpoint_loop(range(4), slots=2):
        y = np.sin(y) * tl.stop_gradient(y) * x
    return y


VECTORS = (
    inplace,
    over_data,
    pingpong,
    calls_mutating,
    linear_acc,
    conditional_same,
    conditional_written,
    f32,
    aliasing,
    listparams,
    aug,
    carried_new,
)
PAIRS = {
    rnn: (0.3 + 0.1 * W, np.outer(np.arange(1.0, 7.0), 0.1 * W)),
    zipped: (0.3 * W, 0.1 * W),
    param_written_after: (0.3 * W, 0.4 * W),
    matrix: (0.1 * np.outer(W, W[::-1]), 0.2 * W),
}
PROGRAMS = (
    rnn,
    inplace,
    early,
    returns,
    cont,
    nested,
    inner_plain,
    outer_plain,
    shadowed_names,
    grows,
    late_bound,
    branch,
    swap,
    backwards,
    over_data,
    zipped,
    pingpong,
    kind_changes,
    out_array,
    written_before,
    param_written_after,
    calls,
    calls_mutating,
    closure,
    in_nested,
    one_slot,
    zero,
    linear_acc,
    conditional_same,
    conditional_written,
    dict_state,
    objects,
    whiles,
    elses,
    f32,
    tail_names,
    two_in_row,
    slots_runtime,
    aliasing,
    it,
    genloop,
    matrix,
    listparams,
    scalar_array,
    aug,
    walrus,
    inner_break,
    nested_break,
    tuple_state,
    stack_inside,
    listcomp,
    local_array,
    carried_new,
    static,
    unused,
    inactive_cond,
    stopg,
)


def arguments(program):
    """Fresh arguments of a program."""
    if program in PAIRS:
        return tuple(a.copy() for a in PAIRS[program])
    return (0.3 * W,) if program in VECTORS else (0.7,)
