"""Lists and dicts of objects of several classes that are filled one after the other, and what may change under one's feet."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

import tangentlite as tl

W = np.array([[0.3, -0.7], [1.2, 0.4]])
X = np.array([0.5, -0.9])
CASES: list[tuple[Callable[..., Any], tuple[Any, ...]]] = []


def case(*args: Any) -> Callable[..., Any]:
    def add(f: Callable[..., Any]) -> Callable[..., Any]:
        CASES.append((f, args))
        return f

    return add


class Dense:
    def __init__(self, w, b=0.1):
        self.w = w
        self.b = b

    def __call__(self, x):
        return self.w @ x + self.b


class Soft:
    def __call__(self, x):
        return np.log1p(np.exp(x))


class Sigmoid:
    def __call__(self, x):
        return 1 / (1 + np.exp(-x))


class Model:
    def __init__(self):
        self.layers = []
        self.sizes = []
        self.count = 0

    def add(self, layer, size=2):
        self.layers.append(layer)
        self.sizes.append(size)
        self.count += 1
        return self

    def __call__(self, x):
        for layer in self.layers:
            x = layer(x)
        return x


@case(W, X)
def one_by_one(w, x):
    model = Model()
    model.add(Dense(w))
    model.add(Soft(), 3)
    model.add(Dense(2 * w)).add(Sigmoid())
    return np.sum(model(x)) * model.count + sum(model.sizes)


class Deep(Model):
    def __init__(self, ws):
        super().__init__()
        n = len(ws)
        for i, w in enumerate(ws):
            self.layers.append(Dense(w))
            if i < n - 1:
                self.layers.append(Soft())


@case(W, X)
def in_a_loop_in_init(w, x):
    return np.sum(Deep([w, 2 * w, w.T])(x))


class Given(Model):
    def __init__(self, layers):
        self.layers = list(layers)
        self.sizes = []
        self.count = 0


class Starred(Model):
    def __init__(self, *layers):
        self.layers = []
        self.layers += layers
        self.sizes = []
        self.count = 0


class Extended(Model):
    def __init__(self, *layers):
        super().__init__()
        self.layers.extend(layers)


@case(W, X)
def from_lists(w, x):
    x = Given([Dense(w)]).add(Soft()).add(Dense(w))(x)
    x = Starred(Dense(w), Sigmoid())(x)
    return np.sum(Extended(Soft(), Dense(w)).add(Soft())(x))


def built(w):
    model = Model()
    for kind in [Soft, Sigmoid]:
        model.add(Dense(w))
        model.add(kind())
    return model


@case(W, X)
def by_a_helper(w, x):
    return np.sum(built(w)(x))


KINDS = {"soft": Soft, "sigmoid": Sigmoid}


@case(W, X)
def classes_by_name(w, x):
    layers = []
    for v, name in [(w, "soft"), (w.T, "sigmoid")]:
        layers.append(Dense(v))
        layers.append(KINDS[name]())
    for layer in reversed(layers):
        x = layer(x)
    return np.sum(x)


class Named:
    def __init__(self, w):
        self.parts = {}
        self.parts["in"] = Dense(w)
        self.parts["act"] = Soft()
        self.parts["out"] = Dense(w.T, 0.3)

    def __call__(self, x):
        for name, part in self.parts.items():
            x = part(x) + len(name)
        return x


@case(W, X)
def in_a_dict(w, x):
    x = Named(w)(x)
    parts = {"act": Sigmoid(), "out": Dense(w)}
    for name in parts:
        x = parts[name](x)
    return np.sum(x)


class Spring:
    def __init__(self, k):
        self.k = k
        self.seen = []

    def force(self, x, v):
        self.seen.append(x)
        return -self.k * x


class Drag:
    def __init__(self, c):
        self.c = c
        self.work = 0.0

    def force(self, x, v):
        self.work += v * v
        return -self.c * v


class Gravity:
    g = 9.81

    def force(self, x, v):
        return -self.g


class World:
    def __init__(self):
        self.forces = []
        self.time = 0.0

    def register(self, force):
        self.forces.append(force)

    def run(self, x, v, n):
        for _ in range(n):
            a = 0.0
            for force in self.forces:
                a += force.force(x, v)
            v = v + 0.1 * a
            x = x + 0.1 * v
            self.time += 0.1
        return x, v


@case(1.3, 0.4)
def forces_with_trails(k, c):
    world = World()
    spring = Spring(k)
    world.register(spring)
    for force in (Drag(c), Gravity()):
        world.register(force)
    x, v = world.run(1.0, 0.5, 4)
    return x * v + spring.seen[2] * world.forces[1].work + world.time


@case(W, X)
def twice_as_deep(w, x):
    deep = Deep([w, 2 * w])
    return np.sum(deep(x))


@pytest.mark.parametrize(("f", "args"), CASES, ids=[f.__name__ for f, _ in CASES])
def test_program(f, args, confirm):
    confirm(f, *args, second=f is not forces_with_trails)


def test_it_is_made_at_once():
    assert "layers.append" not in tl.stages(one_by_one)["optimized"]
    assert "_layers = [" in tl.stages(twice_as_deep)["optimized"]


class Adds:
    def __init__(self):
        self.values = []

    def add(self, x):
        self.values.append(x)


class AddsTwice:
    def __init__(self):
        self.twice = [0.0]

    def add(self, x):
        self.twice.append(2 * x)


def one_of_two(x):
    a, b = Adds(), AddsTwice()
    some = a if x > 0 else b
    some.add(x * x)
    return a.values[0] * x


def fill(some, x):
    some.add(x * x)


def one_of_two_by_a_helper(x):
    a, b = Adds(), AddsTwice()
    some = a if x > 0 else b
    fill(some, x)
    return a.values[0] * x


def one_of_two_in_a_list(x):
    a, b = Adds(), AddsTwice()
    things = []
    while len(things) < 2:
        things.append(a if not things else b)
    for thing in things:
        thing.add(x * x)
    return a.values[0] * x


class Turns:
    def __init__(self):
        self.act, self.x = self.one, 1.0

    def one(self, v):
        self.x += v
        self.act = self.two

    def two(self, v):
        self.x *= v
        self.act = self.one


def a_method_that_changes(x):
    turns = Turns()
    for v in (x, 2 * x, x):
        turns.act(v)
    return turns.x


def a_list_of_functions_that_grows(x):
    todo = []
    total = [1.0]

    def second(v):
        total[0] *= v

    def first(v):
        total[0] += v
        todo.append(second)

    todo.append(first)
    while todo:
        todo.pop()(x)
    return total[0]


class Queue:
    def __init__(self):
        self.x, self.queue = 1.0, []
        self.handlers = {"first": self.first, "second": self.second}

    def first(self, v):
        self.x += v
        self.queue.append(("second", 2 * v))

    def second(self, v):
        self.x *= v

    def run(self):
        while self.queue:
            name, v = self.queue.pop()
            self.handlers[name](v)
        return self.x


@pytest.mark.parametrize(
    "f",
    [
        one_of_two,
        one_of_two_by_a_helper,
        one_of_two_in_a_list,
        a_method_that_changes,
        a_list_of_functions_that_grows,
    ],
)
def test_what_is_not_known_is_no_silent_zero(f):
    """Whichever object or function is meant: the derivative is right, or refused."""
    expected = (f(0.7 + 1e-6) - f(0.7 - 1e-6)) / 2e-6
    for derivative in (lambda: tl.grad(f)(0.7), lambda: tl.jvp(f)(0.7, tangent=1.0)[1]):
        try:
            found = derivative()
        except tl.DerivativeError:
            continue
        np.testing.assert_allclose(found, expected, rtol=1e-6)


def events(x):
    queue = Queue()
    queue.queue.append(("first", x))
    return queue.run()


def test_names_that_a_handler_adds(confirm):
    confirm(events, 0.7, second=False)


def extended_by_an_array(x):
    xs = [x[0]]
    xs.extend(x * x)
    for k in range(2):
        xs.extend(np.outer(x, x)[k])
    xs.extend(range(2))
    xs.extend(x[1:] if x[0] > 0 else x[:1])
    return sum([v * v for v in xs]) * xs[-1]


def extended_by_rows(x):
    rows = []
    rows.extend(np.outer(x, x))
    rows[0] *= 2.0
    return np.sum(rows[0] * rows[1])


def extended_in_a_helper(x):
    def add(xs, more):
        xs.extend(more)

    xs = []
    add(xs, x)
    add(xs, [x[0]])
    return sum([v**2 for v in xs])


@pytest.mark.parametrize(
    "f", [extended_by_an_array, extended_by_rows, extended_in_a_helper], ids=lambda f: f.__name__
)
def test_lists_are_extended_by_arrays(f, confirm):
    confirm(f, np.array([0.4, -1.2, 0.7]))
