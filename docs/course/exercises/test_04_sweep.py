"""Exercise 4: the adjoints against tangentlite and against differences."""

import math

import numpy as np
import pytest

import tangentlite as tl

POINT = (0.7, -0.2, 1.5, 0.4)
PROGRAM = [
    ("p", "multiply", ("a", "b")),
    ("q", "sin", ("p",)),
    ("r", "divide", ("q", "a")),
    ("s", "exp", ("r",)),
    ("t", "add", ("s", "p")),
    ("u", "log", ("t",)),
    ("y", "multiply", ("u", "u")),
]


def as_a_function(a, b):
    p = a * b
    t = np.exp(np.sin(p) / a) + p
    return np.log(t) ** 2


def test_the_adjoints_of_the_inputs_are_the_gradient(work):
    found = work.neuron_adjoints(*POINT)
    expected = tl.grad(work.neuron, wrt=("w", "b", "x", "t"))(*POINT)
    np.testing.assert_allclose([found[name] for name in "wbxt"], expected, rtol=1e-12)


def test_the_adjoints_between(work):
    found = work.neuron_adjoints(*POINT)
    z = POINT[0] * POINT[2] + POINT[1]
    rest = tl.grad(lambda z, t: (np.tanh(z) - t) ** 2)(z, POINT[3])
    r = math.tanh(z) - POINT[3]
    assert set(found) == set("rhzwbxt")
    np.testing.assert_allclose([found[n] for n in "rhz"], [2.0 * r, 2.0 * r, rest], rtol=1e-12)


@pytest.mark.parametrize("operation", ["add", "multiply", "divide", "sin", "exp", "log"])
def test_slopes(work, operation):
    f = work.OPERATIONS[operation]
    arguments = (0.7, 1.3) if operation in ("add", "multiply", "divide") else (0.7,)
    found = work.slopes(operation, arguments, f(*arguments))
    assert len(found) == len(arguments)
    for k, slope in enumerate(found):
        up, down = (
            f(*(v + sign * 1e-6 * (j == k) for j, v in enumerate(arguments))) for sign in (1, -1)
        )
        assert math.isclose(slope, (up - down) / 2e-6, rel_tol=1e-8)


def test_a_program(work):
    values = work.evaluate(PROGRAM, {"a": 1.2, "b": 0.8})
    adjoints = work.backward(PROGRAM, values)
    expected = tl.grad(as_a_function, wrt=("a", "b"))(1.2, 0.8)
    np.testing.assert_allclose([adjoints["a"], adjoints["b"]], expected, rtol=1e-12)
    assert set(adjoints) == set(values)
    assert adjoints["y"] == 1.0


def test_what_is_read_twice_hears_from_both(work):
    program = [("y", "multiply", ("x", "x"))]
    assert work.backward(program, work.evaluate(program, {"x": 3.0}))["x"] == 6.0


def test_what_does_not_matter_has_adjoint_zero(work):
    program = [("u", "exp", ("a",)), ("y", "sin", ("b",))]
    adjoints = work.backward(program, work.evaluate(program, {"a": 1.0, "b": 0.0}))
    assert adjoints == {"a": 0.0, "b": 1.0, "u": 0.0, "y": 1.0}
