"""Functions kept in objects and tables: defaults that are functions, callbacks by name, what takes other arguments."""

from __future__ import annotations

import math
from typing import Any

import numpy as np
import pytest

import tangentlite as tl
from tests.programs.strict import case, cases, check, label

OPERATORS = {
    "+": lambda a, b: a + b,
    "*": lambda a, b: a * b,
    "sin": math.sin,
    "-": lambda a: -a,
}


WEIGHTS = np.array([1.0, 2.0])


class Layer:
    def __init__(self, w, act=np.tanh, scales=(1.0, 2.0), weights=WEIGHTS):
        self.w, self.act, self.scales, self.weights = w, act, scales, weights

    def __call__(self, h):
        return self.act(h * self.w) * self.scales[1] + np.sum(self.weights * h)


class Net:
    def __init__(self, layers):
        self.layers = layers

    def __call__(self, h):
        for layer in self.layers:
            h = layer(h)
        return h


@case(0.7)
def layers_with_functions_by_default(x):
    return Net([Layer(x), Layer(x, np.sin), Layer(2.0, lambda v: v * v)])(0.5)


@case(0.7)
def operators_of_other_arity(x):
    total = 0.0
    for name in "+*":
        arguments = (x, total)
        total = total + OPERATORS[name](*arguments) + OPERATORS[name](x, 2.0)
    return total


@case(0.7)
def arguments_of_other_length(x):
    total = 0.0
    for name, arguments in [("+", (x, 2.0)), ("sin", (x,)), ("-", (x,)), ("*", (x, x))]:
        total += OPERATORS[name](*arguments)
    return total


class Bus:
    def __init__(self):
        self.handlers = {}

    def on(self, name, handler):
        self.handlers[name] = handler

    def emit(self, name, *arguments):
        return self.handlers[name](*arguments)


@case(0.7)
def a_bus(x):
    bus = Bus()
    bus.on("scale", lambda v, k: v * k)
    bus.on("shift", lambda v, k: v + k)
    bus.on("sin", lambda v, k: math.sin(v) * k)
    bus.on("power", pow)
    y = x
    for name, k in [("scale", 2.0), ("shift", x), ("sin", 3.0), ("power", 2), ("scale", x)]:
        y = bus.emit(name, y, k)
    return y


class Vector:
    def __init__(self, x, y):
        self.x, self.y = x, y

    def __add__(self, other):
        return Vector(self.x + other.x, self.y + other.y)

    def __mul__(self, k):
        if not isinstance(k, Vector) and not isinstance(k, str):
            return Vector(self.x * k, self.y * k)
        return self.x * k.x + self.y * k.y

    __rmul__ = __mul__

    def scaled(self, k):
        return Vector(self.x * k, k) if not isinstance(k, Vector) else k


@case(0.7)
def scaled_or_multiplied(x):
    v = Vector(x, 1.0)
    return v.scaled(x).x * v.scaled(Vector(x, x)).y


@case(0.7)
def one_method_for_numbers_and_vectors(x):
    return (2 * Vector(x, 1.0) + Vector(1.0, x)) * Vector(x, x)


def tried(f, n):
    for k in range(n):
        try:
            return f(k)
        except ZeroDivisionError:
            last = k
    return last * 2.0


@case(0.7)
def tried_again(x):
    return tried(lambda k: x / k, 3) + tried(lambda k: x / 0, 2) * x


class Account:
    def __init__(self, balance):
        self.balance, self.year = balance, 0

    def deposit(self, v):
        self.balance = self.balance + v

    def grow(self, rate):
        self.balance = self.balance * rate

    def worth(self, factor=1.0):
        return self.balance * factor

    def years(self, rate):
        total = 0.0
        for self.year in range(3):
            total += self.balance * rate**self.year
        return total


@case(0.7)
def a_bound_method(x):
    account = Account(x)
    worth, grow = account.worth, account.grow
    grow(x)
    return worth(2.0) * worth() + account.years(x) * account.year


@case(0.7)
def bound_methods_by_name(x):
    account = Account(x)
    actions = {"deposit": account.deposit, "grow": account.grow}
    for name, value in [("deposit", 2.0), ("grow", x), ("deposit", x)]:
        actions[name](value)
    return sum(map(account.worth, [1.0, x]))


@case(0.7)
def bound_methods_of_several(x):
    accounts = [Account(x), Account(x * x)]
    worths = [a.worth for a in accounts]
    accounts[0].deposit(x)
    return max(accounts, key=Account.worth).balance * sum(w(x) for w in worths)


class Desk:
    def __init__(self, v):
        self.v, self.total = v, 0.0
        self.actions = {"double": self.double, "add": self.add}

    def double(self, k):
        self.total = self.total * 2 * k

    def add(self, k):
        self.total = self.total + self.v * k

    def run(self, name, k):
        self.actions[name](k)


@case(0.7, second=False)
def an_object_that_holds_its_methods(x):
    desk = Desk(x)
    desk.run("add", 3.0)
    desk.run("double", x)
    desk.run("add", x)
    return desk.total


@case(np.array([0.4, 1.3, 0.8]))
def targets_of_loops(x):
    table, pair = {}, [0.0, 0.0]
    for table["last"] in x:
        pass
    for k, pair[1] in enumerate(x):
        pair[0] += pair[1] * k
    return table["last"] * pair[0] * pair[1]


class Particle:
    def __init__(self, position, mass=1.0):
        self.position, self.mass, self.trail = np.array(position, dtype=float), mass, []


class World:
    def __init__(self, particles):
        self.particles, self.time = list(particles), 0.0

    def step(self, dt):
        for p in self.particles:
            p.position = p.position + dt * p.position
            p.trail.append(p.position[1])
        self.time += dt


@case(np.array([0.4, 1.3, 0.8]))
def trails_of_particles(x):
    world = World([Particle([x[0], 1.0], mass=2.0), Particle([x[0], x[1]], mass=x[2])])
    for _ in range(2):
        world.step(0.1)
    return sum(np.sum(p.position) * p.mass * max(p.trail) for p in world.particles) * world.time


class Entity:
    def __init__(self, x):
        self.x, self.hp, self.effects = x, 10.0, {}

    def damage(self, amount):
        self.hp -= amount * (0.5 if "shield" in self.effects else 1.0)


class Enemy(Entity):
    def __init__(self, x, speed, target):
        super().__init__(x)
        self.speed, self.target = speed, target

    def update(self, dt):
        if abs(self.x - self.target.x) < 1.0:
            self.target.damage(self.speed * dt)
            return
        self.x += (self.target.x - self.x) * self.speed * dt


@case(np.array([0.4, 1.3, 0.8]))
def enemies_of_one_player(x):
    player = Entity(x[2] * 0.1)
    player.effects["shield"] = 1
    enemies = [Enemy(2.0, x[0], player), Enemy(0.5, x[1], player)]
    for _ in range(2):
        for e in enemies:
            e.update(0.5)
    return player.hp * enemies[0].x


def trajectory(rhs, y, report):
    t, states = 0.0, [(0.0, y)]
    for h in (0.5, 0.5):
        y = y + h * rhs(y)
        t += h
        states.append((t, y))
        report(t, y)
    return states


@case(np.array([0.4, 1.3, 0.8]))
def reported_states(x):
    seen = []
    states = trajectory(lambda y: y * x[2], x[:2] * 1.0, lambda t, y: seen.append(y[0]))
    return np.sum(states[-1][1]) * max(seen)


@pytest.mark.parametrize(("function", "args", "options"), cases(__name__), ids=label)
def test_derivatives(function: Any, args: tuple[Any, ...], options: dict[str, Any]) -> None:
    check(function, *args, **options)


def test_arguments_that_do_not_fit_raise_as_in_python() -> None:
    def chosen(x, name):
        return OPERATORS[name](x, 2.0)

    assert tl.grad(chosen)(0.7, "*") == 2.0
    with pytest.raises(TypeError):
        tl.grad(chosen)(0.7, "sin")


class Items:
    def __init__(self, items=[]):  # noqa: B006
        self.items = items

    def add(self, v):
        self.items.append(v)
        return self


def test_a_list_that_is_a_default_lives_outside() -> None:
    with pytest.raises(tl.AliasError):
        tl.grad(lambda x: Items().add(x * x).items[-1])(0.7)
    assert tl.grad(lambda x: Items([x]).add(x * x).items[-1])(0.7) == 1.4
