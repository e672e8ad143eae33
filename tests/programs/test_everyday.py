"""Everyday Python that was refused, or wrong, once: outputs, options in dicts, methods with names of arrays' methods, draws, dicts that are objects."""

# ruff: noqa: B012
from __future__ import annotations

import collections
import dataclasses
import random
from typing import NamedTuple

import numpy as np
import pytest

import tangentlite as tl
from tests.programs.strict import case, cases, check, label

X, TWO, W = np.array([0.4, 1.3, 0.7, 2.1]), np.array([0.4, 1.3]), np.arange(1.0, 5.0)
MATRIX = np.array([[1.1, 0.4, 0.2], [0.3, 1.7, 0.6], [0.2, 0.5, 2.3]])
DEFAULTS = {"lr": 0.1, "n": 3}


def rep(items, n):
    return items * n


class Pt(NamedTuple):
    x: float
    y: float = 2.0

    def norm(self):
        return self.x**2 + self.y**2

    @property
    def prod(self):
        return self.x * self.y


class Node(NamedTuple):
    val: float
    kids: tuple = ()

    def total(self):
        return self.val * 2 + sum(k.total() * self.val for k in self.kids)


class Options:
    def __init__(self, **kw):
        self.a = 1.0
        self.__dict__.update(kw)


class Shelf:
    def __init__(self):
        self.items = []

    def add(self, v):
        self.items.append(v)
        return self

    def sort(self):
        self.items.sort()

    def get(self, k, d=0.0):
        return self.items[k] if k < len(self.items) else d

    def put(self, k, v):
        self.items[k] = v

    def item(self, k):
        return self.items[k]

    def fill(self, v):
        self.items = [v, v]

    def values(self):
        return [v * 2 for v in self.items]


@dataclasses.dataclass
class Place:
    x: float
    y: float


@dataclasses.dataclass
class Weights:
    w: np.ndarray
    name: str = "q"
    b: float = 2.0


class Flat:
    def __init__(self, v):
        self.v = v

    @property
    def flat(self):
        return self.v[::-1]


@case(X)
def two_outputs(x):
    y = x * 1.7
    a, b = np.empty(4), np.empty(4)
    np.modf(y, out=(a, b))
    np.multiply(a, x, out=a)
    return a @ W + b.sum()


@case(X)
def outputs_by_position(x):
    y = x * 1.7
    a, b = np.empty(4), np.empty(4)
    np.modf(y, a, b)
    p, q = np.divmod(y, x + 1, out=(b, None))
    return a @ W + p @ x + q @ W


@case(X)
def an_output_that_is_the_input(x):
    y = x * 1.7
    np.modf(y, out=(y, None))
    return y @ W


@case(X)
def dicts_joined_and_spread(x):
    def g(*vs, **kw):
        return sum(vs) * kw["p"] - kw["q"] ** 2

    t = {**{"p": x[0]}, **dict(q=x[1])}
    return g(x[0], **t)


@case(X)
def a_dict_of_unlike_values_changes(x):
    d = {"a": x, "n": 3}
    d.update(b=x[0], label="t")
    n = d.pop("n")
    d.setdefault("c", [x[1]])
    d["c"].append(x[2])
    d.setdefault("a", None)
    return np.sum(d["a"]) * d["b"] * n + sum(d["c"]) * len(d)


@case(X)
def through_another_name(x):
    d = {"a": x, "n": 3}
    e = d
    for k in range(2):
        d.update(b=x[0] * k, a=d["a"] * 2)
    if x[0] > 0:
        e.pop("n")
    return np.sum(e["a"]) * e["b"] * len(d)


@case(X)
def options_taken_out(x):
    def f(v, **kw):
        p = kw.pop("p", 2.0)
        if "q" in kw:
            v = v * kw.pop("q")
        return h(v, **kw) * p

    def h(v, r=1.0):
        return v * r

    return f(x[0]) + f(x[1], p=x[2], q=x[3]) + f(x[2], r=x[0])


@case(X)
def options_over_defaults(x):
    def f(v, **kw):
        opts = {**DEFAULTS, **kw}
        for _ in range(opts["n"]):
            v = v - opts["lr"] * v**2
        return v

    return f(x[0]) + f(x[1], lr=x[2]) + f(x[3], n=2)


@case(X)
def a_copy_of_a_table(x):
    opts = {**DEFAULTS, "lr": x[0]}
    return opts["lr"] * opts["n"]


@case(X)
def a_copy_that_is_updated(x):
    opts = dict(DEFAULTS)
    opts.update(lr=x[0])
    return opts["lr"] * opts["n"]


@case(X)
def dict_with_keywords(x):
    opts = dict(DEFAULTS, lr=x[0])
    return opts["lr"] * opts["n"]


@case(X)
def array_and_list_1(x):
    a, b = x[0], x[1]
    y = x[:2] * [a, b] + (b, a)
    return np.sum(y / [2.0, b])


@case(TWO, 0.7)
def array_and_list_2(x, k):
    return np.sum(x * [k, 2.0] - (1.0, k**2))


@case(TWO, 0.7)
def array_and_list_3(x, k):
    return np.sum([k, k**2] * x) + np.sum((k, 1.0) / x) + np.sum([1.0, k] ** x) + [k, 3.0] @ x


@case(TWO, 0.7)
def array_and_list_4(x, k):
    x = x * 1.0
    x += [k, k * k]
    x *= (2.0, k)
    return np.sum(x**2)


@case(TWO, 0.7)
def array_and_list_6(x, k):
    A = np.outer(x, x)
    return np.sum(A * [[k, 1.0], [2.0, k]]) + np.sum(A @ [k, 1.0])


@case(0.7, 3)
def whole_numbers_repeat_1(x, n):
    return sum([x, x * x] * n)


@case(0.7, 3)
def whole_numbers_repeat_3(x, n):
    l = n * [x, 1.0]
    l[1] = x**3
    return l[0] * l[1] + len(l)


@case(0.7, 3)
def whole_numbers_repeat_4(x, n):
    return sum(rep([x, x * x], n)) * len(rep([x], int(n)))


@case(X)
def a_get_of_its_own(x):
    def f(c):
        return c.get(0) * c.get(9, x[0])

    return f(Shelf().add(x[1]))


@case(X)
def an_item_of_its_own(x):
    def f(c):
        return c.item(0)

    return f(Shelf().add(x[1])) ** 2


@case(X)
def a_sort_of_its_own(x):
    def f(c):
        c.sort()

    c = Shelf().add(x[1]).add(x[0])
    f(c)
    return c.items[0] * c.items[1] ** 2


@case(X)
def a_put_of_its_own(x):
    def f(c):
        c.put(0, x[3] ** 2)

    c = Shelf().add(x[1]).add(x[0])
    f(c)
    return c.items[0] * c.items[1] ** 2


@case(X)
def a_fill_of_its_own(x):
    def f(c):
        c.fill(x[3])

    c = Shelf().add(x[1]).add(x[0])
    f(c)
    return c.items[0] * c.items[1] ** 2


@case(X)
def values_of_its_own(x):
    return sum(sum(c.values()) for c in [Shelf().add(x[0]), Shelf().add(x[1])])


@case(0.7)
def whole_powers(x):
    return x * pow(7, 3, 5) + pow(x, 2) * pow(3, -1, 7)


@case(X)
def a_flat_of_its_own(x):
    table = {"a": Flat(x)}
    return table["a"].flat[0] * x.flat[1]


@case(X)
def attributes_from_keywords(x):
    o = Options(a=x[0], b=x[1])
    return o.a * o.b**2


@case(X)
def attributes_are_a_dict(x):
    o = Options(b=x[1])
    o.__dict__["c"] = x[2]
    vars(o).update(a=o.b * x[0], d=x[3])
    return o.a * o.b**2 + o.c * o.d + len(o.__dict__)


@case(X)
def a_method_with_a_name_1(x):
    out = []
    push = out.append
    for v in x:
        push(v * v)
    return sum(out) * out[0]


@case(X)
def a_method_with_a_name_2(x):
    d = {"a": x[0], "b": x[1]}
    get = d.get
    return get("a") * get("z", x[2])


@case(X)
def a_method_with_a_name_3(x):
    s = x.sum
    dot = x.dot
    return s() * dot(x)


@case(X)
def a_method_with_a_name_4(x):
    out = []

    def f(v):
        res = []
        add = res.append
        add(v)
        add(v * v)
        return res

    ext = out.extend
    for v in x:
        ext(f(v))
    return sum(out) * out[1]


@case(X)
def grows_while_it_is_counted_1(x):
    xs = [x[0], x[1]]
    s = 0.0
    for i, v in enumerate(xs):
        if i < 3:
            xs.append(v * x[2])
        s += v * i
    return s


@case(X)
def grows_while_it_is_counted_2(x):
    xs = [x[0]]
    for i, v in enumerate(xs):
        if i > 4:
            break
        xs.append(v * x[i % 4] + 0.1)
    else:
        return x[0]
    return sum(xs) * i


@case(X)
def grows_while_it_is_counted_3(x):
    xs = [(0, x[0])]
    s = 0.0
    for i, (d, v) in enumerate(xs):
        if d < 3:
            xs.append((d + 1, v * v))
            xs.append((d + 1, v * x[1]))
        s += v / (i + 1)
    return s


@case(X)
def a_comprehension_beside_a_cell(x):
    fs = []
    for i in range(3):
        fs.append(lambda v: v * x[i])
    q = [i * 2 for i in range(3)]
    return fs[0](x[3]) + fs[1](2.0) + q[1]


@case(X)
def ordered_dict(x):
    d = collections.OrderedDict(a=x[0], b=x[1], c=x[2])
    d.move_to_end("a")
    s = 0.0
    for k, (key, v) in enumerate(d.items()):
        s += (k + 1) * v**2
    return s


@case(X)
def ordered_dict_of_pairs(x):
    d = collections.OrderedDict([("a", x[0]), ("b", x[1])])
    k, v = d.popitem()
    return v * d["a"]


@case(X)
def namedtuple_methods(x):
    p = Pt(x[0], x[1])
    return p.norm() * p.prod


@case(X)
def namedtuple_tree(x):
    t = Node(x[0], (Node(x[1]), Node(x[2], (Node(x[3]),))))
    return t.total()


@case(X)
def permutation(x):
    rng = np.random.default_rng(3)
    return rng.permutation(x) @ W


@case(X)
def choice(x):
    rng = np.random.default_rng(3)
    return np.sum(rng.choice(x, size=6) ** 2) + rng.choice(x)


@case(X)
def draws_of_numpy(x):
    np.random.seed(3)
    return (
        np.random.permutation(x) @ W
        + np.random.choice(x)
        + np.random.rand() * x[0]
        + np.random.randn(4) @ x
    )


@case(MATRIX)
def indices_of_a_shape(a):
    s = 0.0
    for i, j in np.ndindex(*a.shape):
        s += a[i, j] ** 2 * (i + 2 * j)
    return s


@case(X)
def break_leaves_finally(x):
    s = 0.0
    for v in x:
        try:
            s = s + v * v
        finally:
            if s > 1.0:
                break
    return s * x[0]


@case(X)
def all_ways_out_of_finally(x):
    s = 1.0
    for k, v in enumerate(x):
        try:
            if k == 1:
                return s * v
            if k == 2:
                break
            s = s * v
        finally:
            s = s + v
            if k < 3:
                continue
        s = s * 10
    else:
        s = s * x[0]
    return s


@case(X)
def finally_returns_or_not(x):
    def g(v):
        try:
            if v > 2:
                raise KeyError
            if v > 1:
                raise ValueError
            return v * v
        except ValueError:
            return v * 5
        finally:
            if v > 0.5:
                return v * 3 * x[0]

    return sum(g(v) for v in x) * x[0]


@case(X)
def finally_lets_pass_or_not(x):
    def g(v):
        try:
            if v > 2:
                raise KeyError
            if v > 1:
                raise ValueError
        finally:
            if v < 2:
                return v * 3 * x[0]
        return v

    s = 0.0
    for v in x:
        try:
            s = s + g(v)
        except KeyError:
            s = s * v
    return s


@case(X)
def loops_in_finally(x):
    s = 0.0
    while True:
        try:
            s = s + x[0]
            if s > 3:
                return s * 100
        finally:
            s = s * x[1]
            if s > 5:
                for k in range(5):
                    s = s + x[k % 4]
                    if k == 2:
                        break
                break
    return s * x[2]


@case(X)
def nested_loops_and_finally(x):
    for i in range(4):
        for j in range(4):
            try:
                y = x[i] * x[j]
                if y > 1:
                    return y
            finally:
                if i + j > 3:
                    return y * 2
                elif i == 0:
                    break
    return x[0]


@case(X)
def fields_as_dict_and_tuple(x):
    p = Place(x[0], x[1])
    d = dataclasses.asdict(p)
    t = dataclasses.astuple(Place(y=x[2], x=x[3]))
    return d["x"] * d["y"] ** 2 + t[0] * t[1] * sum(d.values())


@case(X)
def fields_are_copied(x):
    weights = Weights(x * 2, b=x[0])
    d = dataclasses.asdict(weights)
    d["w"][0] = 5.0
    w, name, b = dataclasses.astuple(weights)
    return np.sum(d["w"] * weights.w) * b + len(d["name"]) + w[1]


def test_an_output_that_is_a_tuple_by_name_is_refused():
    def f(x):
        buffers = (np.empty(4), np.empty(4))
        np.modf(x, out=buffers)
        return np.sum(buffers[0])

    with pytest.raises(tl.UnsupportedSyntaxError, match="cannot write into `buffers`"):
        tl.grad(f)


def test_draws_are_those_of_the_primal():
    def f(x):
        rng = np.random.default_rng(5)
        random.seed(5)
        first = rng.permutation(x) @ W + rng.choice(x) + np.sum(rng.choice(x, size=3))
        return first * random.choice([x[0], x[1], x[2]])

    assert tl.value_and_grad(f)(X)[0] == f(X)


@pytest.mark.parametrize(("f", "args", "options"), cases(__name__), ids=label)
def test_everyday(f, args, options):
    check(f, *args, **options)
