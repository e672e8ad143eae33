"""Helpers that put an argument into a list, a dict or an object: it is written there afterwards, and read by its own name."""

from __future__ import annotations

import numpy as np

from tests.mutation.registry import W4, case, vector


def put(v, w):
    v["v"] = w


def put_get(v, w):
    v["v"] = w
    return v["v"]


def push(st, w):
    st.append(w)


def push_get(st, w):
    st.append(w)
    return st[-1]


class Box:
    def __init__(self):
        self.a = np.zeros(4)

    def put(self, w):
        self.a = w
        return self

    def get(self):
        return self.a

    def scale(self):
        self.a *= 2.0


@case(vector())
def put_by_a_helper(y):
    d = {"v": 2.0 * y}
    put(d, y)
    d["v"][0] = y[1] * 3
    return np.sum(W4 * y) + np.sum(d["v"] ** 2)


@case(vector())
def put_and_given(y):
    d = {"v": 2.0 * y}
    c = put_get(d, y)
    c[0] = y[1] * 3
    return np.sum(W4 * y) + np.sum(d["v"] ** 2)


@case(vector())
def pushed_by_a_helper(y):
    st = [2.0 * y]
    push(st, y)
    st[1][0] = y[1] * 3
    return np.sum(W4 * y) + np.sum(st[0] * st[1])


@case(vector())
def pushed_and_popped(y):
    st = [2.0 * y]
    c = push_get(st, y)
    c[0] = y[1] * 3
    st.pop()[1] *= 5
    return np.sum(W4 * y) + np.sum(st[0])


@case(vector())
def put_into_an_object(y):
    b = Box()
    b.put(y)
    b.scale()
    return np.sum(W4 * y)


@case(vector())
def put_into_an_object_and_given(y):
    b = Box()
    c = b.put(y).get()
    b.scale()
    c[1] = c[2]
    return np.sum(W4 * y) * b.get()[0]


@case(vector())
def written_by_its_own_name(y):
    d = {"v": 2.0 * y}
    put(d, y)
    y[2] *= y[0]
    return np.sum(W4 * d["v"])


@case(vector())
def put_twice(y):
    d = {"v": 2.0 * y}
    e = {"v": 1.0 * y}
    put(d, y)
    put(e, d["v"])
    e["v"][1:] *= y[0]
    return np.sum(W4 * d["v"]) + np.sum(e["v"] * y)


def fill(v, w):
    v["v"] = w
    w[0] = 5.0 * w[1]
    v["u"] = w[::-1]


@case(vector())
def put_and_turned_round(y):
    d = {"v": 2.0 * y, "u": 1.0 * y}
    fill(d, y)
    d["u"][0] *= 2.0
    return np.sum(W4 * d["v"]) + np.sum(d["u"] * W4 * y)


def swap(p, q):
    p["a"], q["a"] = (q["a"], p["a"])
    p["a"][0] *= 3.0


@case(vector())
def swapped_between_dicts(y):
    p = {"a": y}
    q = {"a": y * 2.0}
    swap(p, q)
    swap(q, p)
    q["a"][1] = 4 * p["a"][2]
    return np.sum(W4 * y) + np.sum(p["a"] * W4) * y[1]


def keep(lst, v):
    lst.append(v[1:])
    v[1] *= 2.0
    return lst


@case(vector())
def part_of_it_kept(y):
    xs = keep([], y)
    keep(xs, xs[0])
    xs[1][0] = y[0] ** 2
    return np.sum(y**2 * W4)


@case(vector())
def dict_of_two_names(y):
    d = {"v": 2.0 * y}
    c = d
    d["v"] = y
    c["v"][0] = y[1] * 3
    return np.sum(W4 * y) + np.sum(d["v"] ** 2)


@case(vector())
def list_of_two_names(y):
    st = [2.0 * y]
    c = st
    st.append(y)
    c[1][0] = y[1] * 3
    c[0][1] = y[0]
    return np.sum(W4 * y) + np.sum(st[0] * st[1])


@case(vector())
def dict_in_a_dict(y):
    outer = {"in": {"v": 2.0 * y}}
    inner = outer["in"]
    inner["v"] = y
    outer["in"]["v"][2] *= y[0]
    return np.sum(W4 * y)


@case(vector())
def list_in_a_list(y):
    g = [[2.0 * y], [3.0 * y]]
    r = g[1]
    r.append(y)
    g[1][1][0] = y[3] ** 2
    return np.sum(W4 * y) + np.sum(g[0][0] * r[1])


class N:
    def __init__(self, v):
        self.v = v
        self.kids = []

    def add(self, k):
        self.kids.append(k)
        return self


@case(vector())
def child_of_an_object(y):
    root = N(2.0 * y)
    kid = N(y)
    root.add(kid)
    k = root.kids[0]
    k.v[1] = y[0] * 4
    return np.sum(W4 * y) + np.sum(root.v * kid.v)


@case(vector())
def object_of_two_names(y):
    a = N(2.0 * y)
    b = a
    a.v = y
    b.v[3] = y[0] ** 2
    return np.sum(W4 * y)


def setter(o, w):
    o.v = w


@case(vector())
def set_by_a_helper(y):
    a = N(2.0 * y)
    setter(a, y)
    a.v[3] = y[0] ** 2
    return np.sum(W4 * y)


@case(vector())
def set_in_an_object_in_a_list(y):
    a = N(2.0 * y)
    p = [a]
    setter(p[0], y)
    p[0].v[3] = y[0] ** 2
    return np.sum(W4 * y) + a.v[0]


def both(xs, m, w):
    xs.append(w)
    m["k"] = xs[-1]


@case(vector())
def into_a_list_and_a_dict(y):
    xs = []
    m = {}
    both(xs, m, y)
    m["k"][0] = y[1] * y[2]
    xs[0][1] *= 2
    return np.sum(W4 * y)


@case(vector())
def zeros_in_a_dict(y):
    z = np.zeros(4)
    d = {"v": y * 2}
    d["v"] = z
    d["v"][1:] = y[:-1] ** 2
    return np.sum(W4 * z)


@case(vector())
def zeros_put_by_a_helper(y):
    z = np.zeros(4)
    d = {"v": y * 2}
    put(d, z)
    d["v"][1:] = y[:-1] ** 2
    return np.sum(W4 * z)


@case(vector())
def zeros_in_a_list_in_a_list(y):
    z = np.zeros(4)
    st = []
    st.append(z)
    st[0][1:] = y[:-1] ** 2
    st2 = [st]
    st2[0].append(y)
    st2[0][1][0] = 7.0 * z[1]
    return np.sum(W4 * z) + np.sum(y * W4)


@case(vector())
def registered_by_a_closure(y):
    reg = {}

    def register(k, w):
        reg[k] = w

    register("a", y)
    register("b", y[1:])
    reg["b"][0] = y[0] ** 3
    return np.sum(y * W4) + np.sum(reg["a"])


@case(vector())
def unpacked_dict(y):
    d = {}
    d.update(v=y)
    e = {**d}
    e["v"][0] = y[1] ** 2
    xs = list(d.values())
    xs[0][1] = y[2] * 2
    return np.sum(W4 * y)
