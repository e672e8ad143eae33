"""Exercise 3: values, uses, and an order."""

import math
import random

import pytest

INPUTS = {"a": 2.0, "b": 0.5}


def test_values(work):
    values = work.evaluate(work.PROGRAM, INPUTS)
    expected = {"a": 2.0, "b": 0.5, "c": 1.0, "s": math.sin(1.0), "y": math.sin(1.0) + 1.0}
    assert values == expected
    assert INPUTS == {"a": 2.0, "b": 0.5}


def test_uses(work):
    assert work.uses(work.PROGRAM) == {"a": 1, "b": 1, "c": 2, "s": 1}
    assert work.uses([("y", "multiply", ("x", "x"))]) == {"x": 2}


@pytest.mark.parametrize("seed", range(5))
def test_order(work, seed):
    chain = [(f"v{k}", "add", (f"v{k - 1}", f"v{k // 2}")) for k in range(1, 40)]
    mixed = random.Random(seed).sample(chain, len(chain))
    order = work.ordered(mixed)
    assert sorted(order) == sorted(chain)
    assert work.evaluate(order, {"v0": 1.0}) == work.evaluate(chain, {"v0": 1.0})


def test_a_circle_has_no_order(work):
    with pytest.raises(ValueError):  # noqa: PT011
        work.ordered([("a", "sin", ("b",)), ("b", "exp", ("a",))])
