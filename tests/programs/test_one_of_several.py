"""Lists, dicts and objects that are one of several: what is put into one is in none of the others."""

from __future__ import annotations

from collections import defaultdict
from dataclasses import dataclass, field

import numpy as np
import pytest

import tangentlite as tl
from tests.programs.strict import case, cases, check, label


@case(1.2, 0.7)
@case(0.9, 0.7, second=False)
def empty_or_filled(x, y):
    a = [x]
    b = []
    t = a if x < 1.0 else b
    t.append(x * y)
    return sum(v * v for v in b) + sum(a)


@case(1.2, 0.7)
def dict_or_other_dict(x, y):
    a = {"k": x}
    b = {}
    t = a if x < 1.0 else b
    t["k"] = x * y
    return b["k"] * y


@case(1.2, 0.7, second=False)
def each_of_two_lists(x, y):
    a = [x, y]
    b = []
    for t in (a, b):
        t.append(x * y)
    return b[0] ** 2 + sum(a)


def put(xs, v):
    xs.append(v)


@case(1.2, 0.7)
def chosen_for_a_helper(x, y):
    a = [x, y]
    b = []
    t = a if x < 1.0 else b
    put(t, x * y)
    return b[0] ** 2 + sum(a)


@case(1.2, 0.7)
def another_one_in_the_next_trip(x, y):
    b = []
    t = [x * y]
    for _ in range(2):
        t.append(x)
        t = b
    return b[0] ** 2 * y


@case(1.2, 0.7, second=False)
def under_names_of_a_dict(x, y):
    q = []
    d = {"p": [x], "q": q}
    for name in ("p", "q"):
        d[name].append(x * y)
    return q[0] ** 2


class Box:
    pass


@case(1.2, 0.7, second=False)
def in_one_object_or_another(x, y):
    o, p = Box(), Box()
    o.v, p.v = [x], []
    q = o if x < 1.0 else p
    q.v.append(x * y)
    return sum(v * v for v in p.v)


@case(1.2, 0.7)
def kept_from_the_trip_before(x, y):
    d = {"e": []}
    for a in (x, 0.1 * y, x * y, y):
        try:
            if a < 0.5:
                raise ValueError
            t = d["e"]
            t.append(a)
        except ValueError:
            pass
    return sum(a * a for a in d["e"])


class Shop:
    def __init__(self):
        self.orders = []
        self.log = []

    def order(self, n, price):
        self.orders.append((n, price))
        self.log.append(n * price)

    def total(self):
        return sum(n * price for n, price in self.orders) * sum(self.log)


@case(1.2, 0.7, second=False)
def two_lists_of_each_object(x, y):
    shops = [Shop(), Shop()]
    for shop in shops:
        shop.order(2.0, x)
        shop.order(x, y)
    return sum(shop.total() for shop in shops)


@dataclass
class Ledger:
    entries: list = field(default_factory=list)
    errors: list = field(default_factory=list)
    totals: dict = field(default_factory=dict)
    counts: dict = field(default_factory=dict)

    def post(self, name, amount):
        try:
            if amount < 0.5:
                raise ValueError(name)
            self.entries.append((name, amount))
            self.totals[name] = self.totals.get(name, 0.0) + amount
        except ValueError as error:
            self.errors.append(str(error))
        self.counts[name] = self.counts.get(name, 0) + 1


@case(1.2, 0.7, long=True)
def four_containers_of_a_dataclass(x, y):
    ledger = Ledger()
    for name, amount in [("a", x), ("b", 0.1 * y), ("a", x * y), ("b", y)]:
        ledger.post(name, amount)
    total = ledger.totals["a"] * ledger.counts["b"] + len(ledger.errors)
    return sum(a * a for _, a in ledger.entries) + total


class Base:
    def __init__(self):
        self.log, self.index = [], {}

    def note(self, v):
        self.log.append(v)


class Derived(Base):
    def __init__(self, k):
        super().__init__()
        self.pairs, self.k = [], k

    def step(self, v):
        try:
            self.index[len(self.pairs)] = v
            self.pairs.append((v, self.k))
            self.note(v * self.k)
        finally:
            self.k = self.k * 1.1


@case(1.2, 0.7, long=True)
def lists_of_the_class_and_its_base(x, y):
    derived = Derived(y)
    for i in range(3):
        derived.step(x * (i + 1))
    return sum(a * b for a, b in derived.pairs) + sum(derived.log) ** 2 + derived.index[1]


class Node:
    def __init__(self):
        self.inbox, self.sent = [], []

    def on_add(self, v):
        self.sent.append(v + 1.0)

    def on_mul(self, v):
        self.sent.append(v * 2.0)

    def handle(self):
        while self.inbox:
            kind, v = self.inbox.pop(0)
            getattr(self, "on_" + kind)(v)


@case(1.2, 0.7, second=False, long=True)
def handlers_by_name_and_two_queues(x, y):
    a, b = Node(), Node()
    a.inbox.append(("add", x))
    a.inbox.append(("mul", y))
    b.inbox.append(("mul", x * y))
    for node in (a, b):
        node.handle()
    return sum(a.sent) * sum(b.sent) + len(a.inbox)


class Shared:
    def __init__(self):
        self.a = []
        self.b = self.a
        self.c = []

    def put(self, v):
        try:
            self.a.append(v)
        except TypeError:
            pass
        self.c.append((v, "n"))


@case(1.2, 0.7)
def one_list_under_two_attributes(x, y):
    shared = Shared()
    shared.put(x)
    shared.put(y)
    shared.b.append(x * y)
    return sum(shared.a) * sum(shared.b) + sum(v for v, _ in shared.c)


class Recorder:
    def __init__(self, sink):
        self.sink, self.own = sink, []

    def put(self, v):
        self.sink.append(v)
        self.own.append({"v": v})


@case(1.2, 0.7, second=False, long=True)
def one_list_of_two_objects(x, y):
    common = []
    recorders = [Recorder(common), Recorder(common), Recorder([])]
    for k, recorder in enumerate(recorders):
        recorder.put(x * (k + 1))
        recorder.put(y)
    held = sum(d["v"] for r in recorders for d in r.own)
    return sum(common) + held + sum(recorders[2].sink) ** 2


class Buffers:
    def __init__(self):
        self.front, self.back, self.tags = [], [], []

    def push(self, v):
        self.back.append(v)
        self.tags.append("t")

    def swap(self):
        self.front, self.back = self.back, []


@case(1.2, 0.7)
def buffers_that_are_swapped(x, y):
    buffers = Buffers()
    buffers.push(x)
    buffers.push(y)
    buffers.swap()
    buffers.push(x * y)
    return sum(buffers.front) * sum(buffers.back) + len(buffers.tags)


class Counts:
    def __init__(self):
        self.seen = defaultdict(list)
        self.sums = defaultdict(float)
        self.n = defaultdict(int)

    def add(self, key, v):
        self.sums[key] += v
        self.seen[key].append(v * v)
        self.n[key] += 1


@case(1.2, 0.7, second=False, long=True)
def three_defaultdicts(x, y):
    counts = Counts()
    for key, v in (("a", x), ("b", y), ("a", x * y)):
        counts.add(key, v)
    return counts.sums["a"] * counts.n["a"] + counts.sums["b"] + sum(counts.seen["a"]) ** 2


def made():
    return {"events": [], "log": [], "names": []}


def record(state, v, name):
    state["events"].append((v, name))
    if v > 1.0:
        state["log"].append(v * v)
    state["names"].append(name)


@case(1.2, 0.7, second=False)
def tables_that_a_function_makes(x, y):
    s, t = made(), made()
    record(s, x, "a")
    record(s, y, "b")
    record(t, x * y, "c")
    first = sum(v for v, _ in s["events"]) * (1.0 + sum(s["log"]))
    return first + sum(v for v, n in t["events"] if n == "c") + len(s["names"])


@pytest.mark.parametrize(("function", "args", "options"), cases(__name__), ids=label)
def test_derivatives(function, args, options):
    check(function, *args, **options)


def test_what_is_given_may_be_one_list_twice():
    """Nobody knows where the lists of an argument were made."""

    def twice(box, x):
        box.a.append(x)
        box.b.append(x * x)
        return sum(v * v for v in box.a)

    def boxed(x):
        box = Box()
        box.a = box.b = []
        return twice(box, x)

    assert np.isclose(tl.grad(boxed)(1.5), 2 * 1.5 + 4 * 1.5**3)


def overlooked_list(x, y):
    a, b = [x], []
    t = a if x < 1.0 else b
    t.append(x * y)
    return sum(v * v for v in b) + x


def overlooked_dict(x, y):
    a, b = {"k": x}, {}
    t = a if x < 1.0 else b
    t["k"] = x * y
    return b["k"] * y


def test_what_was_not_foreseen_is_refused_when_it_is_reached(monkeypatch):
    """Whatever is overlooked in lists that another name changes: there is no zero instead of a derivative."""
    monkeypatch.setattr(tl.analysis.storage.ties, "changes", lambda *_: {})
    for program in (overlooked_list, overlooked_dict):
        for derived in (tl.grad(program), tl.vjp(program)):
            with pytest.raises(tl.DerivativeError, match="no derivative is written behind"):
                derived(1.2, 0.7)


def nothing_in_it(x, y):
    held, s = [], x * y
    for k in range(len(held)):
        s = s + held[k] * x
    try:
        s = s * held[0]
    except IndexError:
        s = s * 2.0
    return s


def test_what_surely_raises_costs_one_line():
    assert tl.grad(nothing_in_it)(1.2, 0.7) == 1.4
    source = tl.grad(nothing_in_it).source
    assert source.count("no derivative is written behind `held[k]`: report this program") == 1
    assert "behind" not in tl.grad(two_lists_of_each_object).source
