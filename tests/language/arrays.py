"""Methods of arrays, writing in place, lists and dicts that change."""

from __future__ import annotations

import collections
from collections import Counter, defaultdict, deque

import numpy as np

import tangentlite as tl
from tests.language.rows import Section

SECTION = Section("Arrays, lists and dicts")
X = np.array([0.4, 1.3, 0.7])
A = np.arange(6.0).reshape(2, 3) / 5.0 + 0.3
SHARED = np.ones(3)


@SECTION.works("`x.sum()`, `x.mean(axis)`, `x.max()`, `x.dot(y)`", A)
def reductions(x):
    return x.sum() * x.mean(axis=0)[0] * x.max() + x[0].dot(x[1])


@SECTION.works("`x.T`, `x.reshape(…)`, `x.ravel()`, `x.shape`, `x.size`", A)
def shapes(x):
    n, m = x.shape
    return np.sum((x.T @ x).reshape(m * m)[:n] * x.ravel()[:2]) * x.size


@SECTION.works("`x.copy()`, `x.astype(float)`, `x.clip(…)`, `x.cumsum()`", X)
def copies(x):
    y = x.copy()
    y[0] = 2.0 * x[1]
    return np.sum(y.astype(float).clip(0.5, 2.0) * x.cumsum())


@SECTION.works("`x.real`, `x.imag`, `x.conj()`", X)
def complexes(x):
    z = np.exp(1j * x) * x
    return np.sum(z.real * z.imag) + np.sum((z * z.conj()).real ** 2)


@SECTION.works("`x.flat`", A)
def flat(x):
    return x.flat[1] * x.flat[4] + sum(v * v for v in x.flat)


class Curve:
    def __init__(self, c):
        self.c, self.shape, self.T = c, c * 3.0, 2.0

    def sum(self):
        return self.c**3

    def dot(self, other):
        return self.c * other


@SECTION.works("the same names on an object of your own", 0.7)
def same_names(x):
    c = Curve(x)
    return c.sum() * c.dot(x) * c.shape * c.T


@SECTION.works("stores: `a[i] = v`, slices, masks, `a[i] += v`", X)
def stores(x):
    a = np.zeros(3)
    a[0] = x[1]
    a[1:] = x[:-1] * x[0]
    a[a > 0.8] += 1.0 * x[2]
    a[1] *= x[0]
    return np.sum(a * a)


@SECTION.works("views and other names of one array", X)
def views(x):
    a = x * x
    b, c = a[1:], a
    b *= x[0]
    c[0] = 3.0 * x[1]
    return np.sum(a * a)


@SECTION.works("`x += y` of arrays, `out=`, `np.add.at`", X)
def in_place(x):
    a = x.copy()
    a += x * x
    np.multiply(a, x, out=a)
    np.add.at(a, [0, 0, 2], x)
    return np.sum(a * a)


@SECTION.works("lists: `append`, `pop`, `extend`, `insert`, `sort`, stores", X)
def lists(x):
    items = [x[0]]
    for v in x:
        items.append(items[-1] * v)
    items.extend([x[1], x[2]])
    items[1] = items[2] * x[0]
    items.sort()
    return items.pop() * items[0]


@SECTION.works("dicts: stores, `get`, `items`, `update`, `pop`, `|`", X)
def dicts(x):
    table = {"a": x[0], "b": x[1]}
    table["c"] = table["a"] * x[2]
    table.update(a=x[1] * x[1])
    table = table | {"d": 2.0 * x[0]}
    return sum(v * v for _, v in table.items()) * table.get("e", x[0])


def fill(a, v):
    a[:] = a * v


@SECTION.works("helpers that write into their arguments", X)
def helpers_write(x):
    a = x.copy()
    fill(a, x[0])
    fill(a[1:], x[1])
    return np.sum(a)


@SECTION.works("`tl.PersistentArray`", X)
def persistent(x):
    p = tl.PersistentArray(x)
    p[0] = p[1] * x[2]
    return np.sum(np.asarray(p) ** 2)


@SECTION.works("`rng.normal(mu, sigma)`, `random.uniform(a, b)` and their kin", X)
def drawn_for_parameters(x):
    rng = np.random.default_rng(3)
    return np.sum(rng.normal(x[0], x[1] ** 2, 3) ** 2) + rng.uniform(x[2], 5.0) ** 2


@SECTION.works("adding to a list while `enumerate` counts it", X)
def grows_while_counted(x):
    items = [x[0], x[1]]
    s = 0.0
    for i, v in enumerate(items):
        if i < 3:
            items.append(v * x[2])
        s += v * i
    return s


@SECTION.works("`OrderedDict`, `move_to_end`", X)
def ordered(x):
    table = collections.OrderedDict(a=x[0], b=x[1], c=x[2])
    table.move_to_end("a")
    return sum((k + 1) * v * v for k, v in enumerate(table.values()))


@SECTION.works("`rng.permutation(x)`, `rng.choice(x)`", X)
def drawn(x):
    rng = np.random.default_rng(3)
    return rng.permutation(x) @ np.arange(1.0, 4.0) + rng.choice(x) ** 2


@SECTION.works("adding to a list while a loop walks over it", X)
def grows(x):
    items = [x[0], x[1]]
    for v in items:
        if len(items) < 5:
            items.append(v * x[2])
    return sum(items)


@SECTION.refused("changing a list otherwise while a loop walks over it", X)
def shrinks(x):
    items = [x[0], x[1], x[2]]
    for v in items:
        if len(items) > 2:
            items.remove(v)
    return sum(items)


@SECTION.refused("what writes, inside an expression", X)
def writes_inside(x):
    a = x * x
    return np.sum(a) if a.sort() is None else x[0]


@SECTION.refused("active values stored outside the function", X, error=tl.AliasError)
def stores_outside(x):
    SHARED[0] = x[0]
    return np.sum(x * x)


@SECTION.refused("overwriting what the derivative reads, outside", X, error=tl.AliasError)
def overwrites_outside(x):
    y = np.sum(SHARED * x)
    SHARED[0] = 2.0
    return y * y


@SECTION.refused("setting `a.shape`", X)
def sets_the_shape(x):
    a = x * x
    a.shape = (3, 1)
    return np.sum(a)


class Book:
    def __init__(self):
        self.entries = defaultdict(list)

    def enter(self, name, value):
        self.entries[name].append(value)

    def total(self, name):
        return sum(v * v for v in self.entries[name])


@SECTION.works(
    "`self.entries = defaultdict(list)` in an `__init__`, read by the class's own methods", X
)
def attribute_with_default(x):
    book = Book()
    for name, v in zip("aba", x):
        book.enter(name, v)
    return book.total("a") * book.total("b") + book.total("c")


@SECTION.works("`defaultdict` and `Counter`, where they are made and changed in one function", X)
def adds_up(x):
    sums, counts = defaultdict(float), Counter()
    for k, v in zip("aba", x):
        sums[k] += v * v
    counts["a"] += x[0]
    return sums["a"] * sums["b"] * counts["a"]


@SECTION.works("`deque`, with `maxlen` too, of the function, an object or a dict", X)
def both_ends(x):
    items = deque(maxlen=2)
    for v in x:
        items.append(v * v)
    items.rotate(1)
    return items.popleft() * items[0] ** 2


@SECTION.works("`x.tolist()`", X)
def as_a_list(x):
    return sum(v * v for v in x.tolist())
