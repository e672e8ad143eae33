"""Calls that write, inside expressions: each derivative is right, or refused."""

from __future__ import annotations

import operator

import numpy as np
import pytest

import tangentlite as tl
from tests.properties.programs import function

WRITES = """
x.__imul__(2.0)
x.__ipow__(2.0)
x.partition(2)
x.put([0], 3.0)
x.setfield(3.0, np.float64)
x.byteswap(True)
x.sort()
x.__setitem__(0, y[1])
np.ndarray.__imul__(x, 2.0)
np.ndarray.put(x, [1], 5.0)
np.ndarray.sort(x)
np.ndarray.clip(x, 0.5, 0.8, x)
operator.imul(x, y)
operator.ipow(x, 2)
operator.setitem(x, 0, y[1])
np.put(x, 1, y[0])
np.add.at(x, [0, 0], y[1])
np.multiply(x, y, x)
np.multiply(x, y, out=x)
np.median(x, overwrite_input=True)
np.quantile(x, 0.3, overwrite_input=True)
np.modf(y, x, np.zeros(6))
np.divmod(y, 2.0, np.zeros(6), x)
np.add.accumulate(y, 0, None, x)
np.add.accumulate(y, out=x)
np.add.reduce(np.outer(x, y), 0, None, x)
np.add.reduceat(y, [0, 1, 2, 3, 4, 5], out=x)
np.random.default_rng(0).shuffle(x)
np.random.default_rng(0).random(out=x)
np.apply_along_axis(lambda v: v.sort(), 0, x)
np.frombuffer(x).__setitem__(0, 9.0)
np.from_dlpack(x).__imul__(y)
np.ndarray((3,), buffer=x).fill(3.0)
memoryview(x).__setitem__(0, 9.0)
list(map(x.fill, y))
max(y, key=lambda v: x.fill(v) or v)
(lambda: x.sort())()
np.random.default_rng(0).permuted(x, out=x)
""".strip().splitlines()
if not np.from_dlpack(np.ones(1)).flags.writeable:  # it cannot be written into before NumPy 2.1
    WRITES = [text for text in WRITES if "dlpack" not in text]
FORMS = {
    "statement": "{}",
    "named": "t = {}",
    "ternary": "{} if y[0] < 0 else None",
    "last of `and`": "y[0] < 0 and {}",
    "argument": "t = id({})",
    "test": "if ({}) is None: y = y * 2",
    "assert": "assert (({}) is None) or True",
    "operand": "y[0] += 1 if ({}) is None else 2",
}
X, Y = np.array([0.9, 0.3, 0.7, 1.3, 0.56, 1.1]), np.linspace(-0.8, 0.9, 6)
U, V = np.array([0.3, -0.2, 0.7, 0.4, -0.6, 0.5]), np.array([0.2, 0.9, -0.4, 0.3, 0.6, -0.1])
WEIGHTS = "(np.arange(1.0, 7.0) * (x + x * y)).sum()"


def slope(f):
    h = 1e-6
    return (f(X + h * U, Y + h * V) - f(X - h * U, Y - h * V)) / (2 * h)


def found(f, optimized):
    x, y = X.copy(), Y.copy()
    bx, by = tl.grad(f, wrt=(0, 1), optimized=optimized)(x, y)
    np.testing.assert_array_equal((x, y), (X, Y))
    return bx @ U + by @ V


@pytest.mark.parametrize("form", FORMS)
@pytest.mark.parametrize("call", WRITES)
def test_it_is_no_wrong_number(call, form):
    text = f"def program(x, y):\n    {FORMS[form].format(call)}\n    return {WEIGHTS}\n"
    f = function(text)
    f.__globals__.update(operator=operator)
    try:
        expected = slope(f)
    except TypeError:
        pytest.skip("the program fails")
    try:
        for optimized in (True, False):
            assert found(f, optimized) == pytest.approx(expected, rel=1e-6, abs=1e-7)
        tangent = tl.jvp(f, wrt=(0, 1))(X.copy(), Y.copy(), tangent=(U, V))[1]
        assert tangent == pytest.approx(expected, rel=1e-6, abs=1e-7)
    except tl.DerivativeError as refusal:
        assert form != "statement" or "np.multiply" not in call, refusal


@pytest.mark.parametrize("call", WRITES[:4] + WRITES[6:8] + WRITES[12:19])
@pytest.mark.parametrize("form", ["statement", "ternary", "last of `and`"])
def test_what_is_understood_as_a_statement_is_as_a_branch_of_one(call, form):
    f = function(f"def program(x, y):\n    {FORMS[form].format(call)}\n    return {WEIGHTS}\n")
    f.__globals__.update(operator=operator)
    assert found(f, True) == pytest.approx(slope(f), rel=1e-6, abs=1e-7)


@pytest.mark.parametrize("call", ["np.putmask(x, x > 0)", "x.put([0])", "np.place(x, x > 0)"])
def test_an_argument_that_is_missing_is_no_internal_error(call):
    f = function(f"def program(x, y):\n    {call}\n    return x @ y\n")
    with pytest.raises((tl.DerivativeError, TypeError)):
        tl.grad(f)(X.copy(), Y.copy())
