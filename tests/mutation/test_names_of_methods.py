"""Methods of the user's classes that have the names of those of arrays, lists and dicts: right, or refused."""

from __future__ import annotations

import numpy as np
import pytest

import tangentlite as tl
from tests.properties.programs import function

CLASS = """
class Body:
    def __init__(self, v):
        self.v = v
        self.s = v[0]

    def __getitem__(self, k):
        return 3.0

    def {name}(self, a, b=1.0, out=None):
        self.s = self.s * 1.5 + a * b
        self.v = self.v * 2.0 + 1.0
        return self.s * 0.5 + (self.v[1] if out is None else out[0])


def program(x, y):
"""
PLACES = {
    "of a local name": "    o = Body(x)\n    r = o.{call}\n    return r * o.s + np.sum(o.v * y)\n",
    "as a statement": "    o = Body(x)\n    o.{call}\n    return o.s + np.sum(o.v * y)\n",
    "of a list": (
        "    r, bodies = 0.0, [Body(x), Body(y)]\n    for o in bodies:\n"
        "        r = r + o.{call} * o.s\n    return r + np.sum(bodies[0].v * bodies[1].v)\n"
    ),
    "of a parameter": (
        "    def helper(o, y):\n        o.{call}\n        return o.s\n"
        "    o = Body(x)\n    return helper(o, y) + np.sum(o.v * y)\n"
    ),
}
NAMES = "item put update get dot clip take sum mean round setdefault pop append insert step".split()
REST = [n for n in NAMES if n not in NAMES[::3]]
CALLS = ["(1)", "(1, y[1])", "(y[2], 0.7)", "(0.7, out=y)", "(0.7, y[1], y)"]
X, Y = np.array([0.9, 0.3, 0.7]), np.array([-0.8, 0.4, 0.6])
U, V = np.array([0.3, -0.2, 0.7]), np.array([0.2, 0.9, -0.4])


@pytest.mark.parametrize("place", PLACES)
@pytest.mark.parametrize(
    "name", [*NAMES[::3], *(pytest.param(n, marks=pytest.mark.slow) for n in REST)]
)
def test_it_is_no_wrong_number(name, place):
    found = []
    for call in CALLS:
        f = function(CLASS.format(name=name) + PLACES[place].format(call=name + call))
        slope = (f(X + 1e-6 * U, Y + 1e-6 * V) - f(X - 1e-6 * U, Y - 1e-6 * V)) / 2e-6
        try:
            bx, by = tl.grad(f, wrt=(0, 1))(X.copy(), Y.copy())
        except tl.DerivativeError:
            continue
        found.append(call)
        assert bx @ U + by @ V == pytest.approx(slope, rel=1e-6), call
    assert found == CALLS or place != "of a local name"
