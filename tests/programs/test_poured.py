"""Second derivatives of lists of functions, and of objects whose attributes are set later."""

from __future__ import annotations

from dataclasses import dataclass, field

import numpy as np
import pytest

import tangentlite as tl
from tangentlite import runtime as rt
from tests.programs.strict import case, cases, check, label


class Layer:
    def __init__(self, w):
        self.w = w

    def __call__(self, x):
        self.x = x
        return np.tanh(self.w * x)


class Scale:
    def __call__(self, x):
        return 2.0 * x


class Sequence:
    def __init__(self, *layers):
        self.layers = layers

    def __call__(self, x):
        for layer in self.layers:
            x = layer(x)
        return x

    def loss(self):
        total = 0.0
        for layer in self.layers:
            if isinstance(layer, Layer):
                total = total + layer.w**2 * layer.x
        return total


@case(1.2, 0.7, long=True)
def layers_that_keep_what_they_saw(x, y):
    net = Sequence(Layer(x), Scale(), Layer(y))
    out = net(x * y)
    return out * out + net.loss()


@case(1.2, 0.7)
def functions_in_a_list(x, y):
    steps = []
    for k in range(3):
        steps.append(lambda v, k=k: v * x + k * y)
    steps.append(np.sin)
    v = y
    for step in steps:
        v = step(v)
    return v


class Pipe:
    def __init__(self):
        self.steps, self.names = [], {}

    def then(self, step, name=None):
        self.steps.append(step)
        if name is not None:
            self.names[name] = len(self.steps)
        return self

    def run(self, v):
        for step in self.steps:
            v = step(v)
        return v


@case(1.2, 0.7)
def chained_steps(x, y):
    return Pipe().then(np.sin).then(lambda v: v * y).then(np.exp).run(x)


@case(1.2, 0.7)
def steps_of_one_pipe_under_two_names(x, y):
    p = Pipe().then(np.sin)
    q = p.then(lambda v: v * y)
    return p.run(x) * q.run(y)


@case(1.2, 0.7, long=True)
def steps_with_names(x, y):
    p = Pipe()
    for k in range(3):
        p = p.then(lambda v, k=k: v + k * y)
    return p.then(np.tanh, name="t").run(x) * p.names["t"]


class Builder:
    def __init__(self):
        self.steps = []

    def add(self, step):
        self.steps = [*self.steps, step]
        return self

    def build(self):
        return lambda v: sum(step(v) for step in self.steps)


@case(1.2, 0.7)
def a_function_that_is_built(x, y):
    return Builder().add(lambda v: v * x).add(np.cos).build()(y)


class Integrator:
    def __init__(self, rhs, dt):
        self.rhs, self.dt, self.hooks, self.trace = rhs, dt, [], []

    def on_step(self, hook):
        self.hooks.append(hook)
        return self

    def step(self, t, u):
        slope = self.rhs(t, u)
        u = u + self.dt * self.rhs(t + self.dt / 2, u + self.dt / 2 * slope)
        for hook in self.hooks:
            u = hook(t, u)
        self.trace.append(u)
        return u

    def run(self, u, n):
        t = 0.0
        for _ in range(n):
            u = self.step(t, u)
            t += self.dt
        return u


@case(1.2, 0.7, long=True)
def midpoints_with_hooks(x, y):
    integrator = Integrator(lambda t, u: -x * u + np.sin(t), 0.2)
    integrator.on_step(lambda t, u: u * (1 + 0.01 * y)).on_step(lambda t, u: u + 0.1 * t)
    return integrator.run(y, 3) + sum(integrator.trace) ** 2


@dataclass
class Step:
    function: object
    weight: float
    history: list = field(default_factory=list)

    def apply(self, v):
        result = self.weight * self.function(v)
        self.history.append(result)
        return result


@case(1.2, 0.7, long=True)
def steps_with_histories(x, y):
    steps = [Step(np.sin, x), Step(lambda v: v * v, y), Step(np.exp, 0.5)]
    v = x * y
    for step in steps:
        v = step.apply(v)
    return v + sum(sum(step.history) for step in steps)


class State:
    pass


@case(1.2, 0.7, long=True)
def forces_on_a_state(x, y):
    s = State()
    s.pos = x
    s.vel = y
    forces = [lambda s: -s.pos, lambda s: -0.1 * s.vel, lambda s: x * y]
    for _ in range(2):
        acc = sum(force(s) for force in forces)
        s.vel = s.vel + 0.1 * acc
        s.pos = s.pos + 0.1 * s.vel
    return s.pos**2 + s.vel


def squared(s):
    return s.pos * s.pos


@case(1.2, 0.7)
def a_helper_sees_what_was_set_later(x, y):
    s = State()
    s.pos = x
    s.vel = y
    return squared(s) * s.vel


class Emitter:
    def __init__(self):
        self.callbacks = {}

    def on(self, event, callback):
        self.callbacks.setdefault(event, []).append(callback)

    def off(self, event, callback):
        self.callbacks[event].remove(callback)

    def emit(self, event, value):
        for callback in self.callbacks.get(event, []):
            value = callback(value)
        return value


@case(
    1.2, 0.7, long=True, gap="one of the functions in a dict of lists captures what others do not"
)
def callbacks_that_come_and_go(x, y):
    emitter = Emitter()
    square = lambda v: v * v  # noqa: E731
    emitter.on("a", square)
    emitter.on("a", np.sin)
    emitter.on("b", lambda v: v + y)
    out = emitter.emit("a", x) + emitter.emit("b", y) + emitter.emit("none", x)
    emitter.off("a", square)
    return out * emitter.emit("a", x)


@pytest.mark.parametrize(("function", "args", "options"), cases(__name__), ids=label)
def test_derivatives(function, args, options):
    check(function, *args, **options)


def test_a_copy_of_an_object_keeps_its_attributes():
    """Whatever comes first: the object, or the dict that is what it holds."""
    state = State()
    state.pos = np.zeros(2)
    for nest in ((state, vars(state)), (vars(state), state)):
        copies = rt.private(nest)
        one, held = copies if nest[0] is state else copies[::-1]
        held["pos"] = 1.0
        assert one.pos == 1.0
        assert one is not state
        assert isinstance(state.pos, np.ndarray)


def mixed_in_a_dict(x, y):
    steps = {"a": lambda v: v * x, "s": np.tanh, "b": lambda v: v * v * y}
    v = y
    for step in steps.values():
        v = v + step(v)
    return v


@pytest.mark.parametrize("function", [functions_in_a_list, mixed_in_a_dict])
def test_adjoints_of_functions_that_capture_and_of_those_that_do_not(function):
    """What a function captures comes into the list of adjoints when its call was seen: its shadow then, too."""
    first = tl.grad(function)
    for k in (0, 1):
        _, pullback = tl.vjp(first, wrt=k)(1.2, 0.7)
        _, tangent = tl.jvp(first, wrt=k)(1.2, 0.7, tangent=1.0)
        assert np.isclose(pullback(1.0), tangent, rtol=1e-12)
