"""Programs that nobody wrote for derivatives: parsers, trees, events, filters."""

from __future__ import annotations

import dataclasses
import functools
import heapq
import itertools
import math
import re
from collections import deque
from dataclasses import dataclass, replace
from types import SimpleNamespace
from typing import Any, NamedTuple

import numpy as np
import pytest

from tests.programs.strict import case, cases, check, label


@dataclass
class Node:
    op: str
    left: Any = None
    right: Any = None
    value: Any = 0.0


def evaluate(node, names):
    if node is None:
        return 0.0
    if node.op == "name":
        return names[node.value]
    if node.op == "number":
        return node.value
    a = evaluate(node.left, names)
    b = evaluate(node.right, names)
    if node.op == "+":
        return a + b
    elif node.op == "*":
        return a * b
    elif node.op == "sin":
        return np.sin(a)
    raise ValueError(f"unknown {node.op}")


X, Y = Node("name", value="x"), Node("name", value="y")
TREE = Node("+", Node("*", X, Node("sin", Y)), Node("*", Node("number", value=3.0), X))


@case(0.7, 0.4)
def a_tree_of_objects(x, y):
    return evaluate(TREE, {"x": x, "y": y})


def nested(t, names):
    if isinstance(t, str):
        return names[t]
    if isinstance(t, (int, float)):
        return t
    op, *rest = t
    values = [nested(r, names) for r in rest]
    if op == "+":
        return sum(values)
    if op == "*":
        return functools.reduce(lambda a, b: a * b, values)
    if op == "exp":
        return math.exp(values[0])
    raise KeyError(op)


NESTED = ("+", ("*", "x", "y", 2.0), ("exp", ("*", "x", 0.5)), 1)


@case(0.7, 0.4, second=False)
def a_tree_of_tuples(x, y):
    return nested(NESTED, dict(x=x, y=y))


@case(0.7, "x*(x+2)/3-x", second=False)
@case(0.7, "(1-x)*(x-2*(x+1))", second=False)
@case(0.7, "x", second=False)
def a_parser(x, text):
    tokens = re.findall(r"\d+\.?\d*|[-+*/()x]", text)
    position = 0

    def peek():
        return tokens[position] if position < len(tokens) else None

    def take():
        nonlocal position
        token = tokens[position]
        position += 1
        return token

    def atom():
        token = take()
        if token == "(":
            v = total()
            take()
            return v
        if token == "x":
            return x
        return float(token)

    def term():
        v = atom()
        while peek() in ("*", "/"):
            if take() == "*":
                v = v * atom()
            else:
                v = v / atom()
        return v

    def total():
        v = term()
        while peek() in ("+", "-"):
            if take() == "+":
                v = v + term()
            else:
                v = v - term()
        return v

    return total()


@case(0.7, [(0, 1, 1.0), (1, 2, 2.0), (0, 2, 4.0), (2, 3, 1.0)], 4, second=False)
def shortest_path(w, edges, n):
    distances = [float("inf")] * n
    distances[0] = 0.0
    heap = [(0.0, 0)]
    while heap:
        d, u = heapq.heappop(heap)
        if d > distances[u]:
            continue
        for a, b, c in edges:
            if a == u:
                new = d + c * w
                if new < distances[b]:
                    distances[b] = new
                    heapq.heappush(heap, (new, b))
    return distances[n - 1]


@case(0.7, 9, second=False)
def events_in_their_order(rate, n):
    queue = []
    heapq.heappush(queue, (0.5 * rate, 0, "arrive"))
    heapq.heappush(queue, (0.1 * rate**2, 1, "serve"))
    total = 0.0
    k = 2
    while queue and k < n:
        t, _, kind = heapq.heappop(queue)
        total += t * t
        if kind == "arrive":
            heapq.heappush(queue, (t + rate, k, "serve"))
            k += 1
            heapq.heappush(queue, (t + 0.3, k, "arrive"))
            k += 1
    return total


@case(np.array([0.9, 0.8, 0.3]), second=False)
def sorted_by_a_heap(x):
    heap = [x[0], x[1] * x[2], x[2]]
    heapq.heapify(heap)
    out = []
    while heap:
        out.append(heapq.heappop(heap))
    return out[0] * 1.0 + out[1] * 10.0 + out[2] * 100.0


@case(0.05, second=False)
def accounts(rate):
    log = []

    def withdraw(account, amount):
        if account["balance"] < amount:
            raise ValueError("insufficient")
        account["balance"] -= amount

    held = [{"balance": 150.0 + rate}, {"balance": 50.0 * rate}]
    for account in held:
        account["balance"] *= 1 + rate
        try:
            withdraw(account, 100.0)
        except ValueError as error:
            log.append(str(error))
            account["balance"] += 5 * rate
        else:
            account["fee"] = account["balance"] * 0.01
    return sum(a["balance"] - a.get("fee", 0.0) for a in held)


class Pair:
    def __init__(self, x, y):
        self.x, self.y = x, y

    def __iter__(self):
        yield self.x
        yield self.y

    def __getitem__(self, k):
        return (self.x, self.y)[k]


class Bag:
    def __init__(self, items):
        self.items = items

    def __iter__(self):
        return iter(self.items)


class Row:
    def __init__(self, items):
        self.items = items

    def __getitem__(self, k):
        return self.items[k]

    def __len__(self):
        return len(self.items)


@case(0.7)
def an_object_is_unpacked(a):
    u = Pair(a, a * a)
    x, y = u
    return x * y + u[0]


@case(0.7)
def a_loop_over_an_object(a):
    s = 0.0
    for c in Pair(a, a * a):
        s = s + c * a
    return s


@case(0.7)
def a_loop_over_what_an_object_holds(a):
    s = 0.0
    for c in Bag([a, a * a]):
        s = s * a + c
    return s


@case(0.7)
def sums_over_objects(a):
    return sum(c * c for c in Bag([a, a * a])) + sum(list(Pair(a, 3.0 * a)))


@case(0.7, second=False)
def a_loop_over_what_has_items(a):
    s = 0.0
    for c in Row([a, a * a, 2.0]):
        s = s * a + c
    return s


class Filter:
    def __init__(self, F=None, H=None, Q=None, R=None, P=None, x0=None):
        if F is None or H is None:
            raise ValueError("Set proper system dynamics.")
        self.n = F.shape[1]
        self.F = F
        self.H = H
        self.Q = np.eye(self.n) if Q is None else Q
        self.R = np.eye(self.n) if R is None else R
        self.P = np.eye(self.n) if P is None else P
        self.x = np.zeros((self.n, 1)) if x0 is None else x0

    def predict(self):
        self.x = np.dot(self.F, self.x)
        self.P = np.dot(np.dot(self.F, self.P), self.F.T) + self.Q
        return self.x

    def update(self, z):
        y = z - np.dot(self.H, self.x)
        S = self.R + np.dot(self.H, np.dot(self.P, self.H.T))
        K = np.dot(np.dot(self.P, self.H.T), np.linalg.inv(S))
        self.x = self.x + np.dot(K, y)
        rest = np.eye(self.n) - np.dot(K, self.H)
        self.P = np.dot(np.dot(rest, self.P), rest.T) + np.dot(np.dot(K, self.R), K.T)
        return y


@case(0.8, np.array([0.3, 0.5]), second=False)
def a_filter(q, zs):
    dt = 1.0 / 6
    F = np.array([[1, dt, 0], [0, 1, dt], [0, 0, 1]])
    H = np.array([1.0, 0.0, 0.0]).reshape(1, 3)
    Q = np.array([[0.05, 0.05, 0.0], [0.05, 0.05, 0.0], [0.0, 0.0, 0.0]]) * q
    found = Filter(F=F, H=H, Q=Q, R=np.array([0.5]).reshape(1, 1))
    predictions = []
    for z in zs:
        predictions.append(np.dot(H, found.predict())[0])
        found.update(z)
    return sum(p[0] ** 2 for p in predictions)


@case(0.7, second=False)
def walks_of_itertools(x):
    xs = [x, x * x, 2.0, x + 1]
    y = sum(a * b for a, b in itertools.combinations(xs, 2))
    y += sum(a * b * c for a, b, c in itertools.combinations(xs, 3))
    y += sum(itertools.accumulate(xs, lambda a, b: a * b)) + sum(itertools.accumulate(xs))
    for a, b in itertools.product(xs, [2.0, x]):
        y += a * b
    first = list(itertools.islice(xs, 2))
    return y * first[0] * first[1]


@case(0.7)
def a_complex_number(x):
    z = complex(x, 2 * x)
    return abs(z) + (z * z.conjugate()).real


@case(0.7)
def imports_of_its_own(x):
    import math as m

    from numpy import sin

    return m.sin(x) * sin(x)


class Point(NamedTuple):
    u: float
    v: float = 2.0

    def norm(self):
        return self.u**2 + self.v**2


@dataclass(frozen=True)
class Sides:
    a: float
    b: float = 2.0

    def area(self):
        return self.a * self.b


@case(0.7)
def copies_with_other_attributes(x):
    p = Point(x)
    p = p._replace(v=p.u * x)
    d = Sides(x)
    e = dataclasses.replace(d, a=d.a * x)
    return p.norm() + d.area() * replace(e, b=x).area()


@case(0.7, second=False)
def a_walk_through_a_graph(x):
    graph = {0: [1, 2], 1: [3], 2: [3], 3: []}
    distances = {0: x}
    queue = deque([0])
    while queue:
        u = queue.popleft()
        for w in graph[u]:
            if w not in distances:
                distances[w] = distances[u] * 1.5 + x
                queue.append(w)
    return distances[3] * distances[1]


@case(0.7, second=False)
def a_queue_with_two_ends(x):
    queue = deque()
    queue.append(x)
    queue.appendleft(2 * x)
    total = 0.0
    while queue:
        v = queue.popleft()
        total = total * x + v
        if len(queue) < 2 and total < 5:
            queue.append(v * 1.5)
    return total


TOKEN = re.compile(r"\s*(?:(\d+\.?\d*)|(.))")


def tokens(text):
    for number, sign in TOKEN.findall(text):
        if number:
            yield "number", float(number)
        else:
            yield "sign", sign


class Calculator:
    """A parser of sums and products; the end is a token without a value."""

    def __init__(self, text, names):
        self.tokens = list(tokens(text)) + [("end", None)]
        self.place, self.names = 0, names

    def value(self):
        kind, value = self.tokens[self.place]
        self.place += 1
        if kind == "number":
            return value
        elif value == "-":
            raise SyntaxError("a sign of its own")
        elif value in self.names:
            return self.names[value]
        else:
            raise SyntaxError(f"unexpected {value}")

    def product(self):
        result = self.value()
        while self.tokens[self.place][1] == "*":
            self.place += 1
            result = result * self.value()
        return result

    def total(self):
        result = self.product()
        while self.tokens[self.place][1] == "+":
            self.place += 1
            result = result + self.product()
        return result


@case(0.7, 0.4, second=False)
def tokens_with_an_end(x, y):
    return Calculator("2 * x + 3.5 * y * x + y", {"x": x, "y": y}).total()


@case(0.7, 0.4)
def namespaces_in_each_other(x, y):
    s = SimpleNamespace(a=x, b=SimpleNamespace(c=y))
    s.b.c = s.b.c * s.a
    return s.a * s.b.c


@pytest.mark.parametrize(("function", "args", "options"), cases(__name__), ids=label)
def test_program(function: Any, args: Any, options: Any) -> None:
    check(function, *args, **options)


@case(0.7)
@case(2.7)
def the_largest_of_an_object(a):
    return max(Pair(a, 2.0))


@case(0.7)
def the_first_of_an_object(a):
    walk = iter(Pair(a, 2.0))
    return next(walk) * a
