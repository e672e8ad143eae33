"""Exercise 6: the source that is written runs, and gives what tangentlite's gives."""

import inspect

import numpy as np
import pytest

import tangentlite as tl


def product(a, b):
    c = a * b
    s = np.sin(c)
    y = s + c
    return y


def everything(u, v, w):
    p = u - v
    q = p / w
    e = np.exp(q)
    c = np.cos(e)
    s = np.sin(u)
    t = c * s
    g = np.log(w)
    y = t + g
    return y


def square(x):
    y = x * x
    return y


def unused(a, b):
    y = np.exp(a)
    return y


POINTS = {product: (2.0, 0.5), everything: (0.4, 1.1, 1.6), square: (3.0,), unused: (0.5, 2.0)}


def test_the_lines_of_one_step(work):
    found = work.backward_lines("c", "Mult", ("a", "b"))
    assert found == ["ba = ba + bc * b", "bb = bb + bc * a"]


@pytest.mark.parametrize(
    ("operation", "count"),
    [
        ("Add", 2),
        ("Sub", 2),
        ("Mult", 2),
        ("Div", 2),
        *((f, 1) for f in ("sin", "cos", "exp", "log")),
    ],
)
def test_one_line_for_each_argument(work, operation, count):
    arguments = ("x", "y")[:count]
    lines = work.backward_lines("z", operation, arguments)
    assert [line.split(" = ")[0] for line in lines] == [f"b{a}" for a in arguments]


@pytest.mark.parametrize("f", list(POINTS), ids=lambda f: f.__name__)
def test_gradients(work, f):
    source = work.gradient_source(inspect.getsource(f))
    names = {"np": np}
    exec(source, names)
    found = names[f"d{f.__name__}"](*POINTS[f])
    assert isinstance(found, tuple)
    expected = tl.grad(f, wrt=tuple(range(len(POINTS[f]))))(*POINTS[f])
    np.testing.assert_allclose(found, expected, rtol=1e-12)


def test_the_function_itself_is_run_once(work):
    source = work.gradient_source(inspect.getsource(product))
    assert source.startswith("def dproduct(a, b):\n    c = a * b\n    s = np.sin(c)\n")
    assert source.count("a * b") == 1
