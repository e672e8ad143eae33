"""Generated programs: reverse, forward and differences agree, optimized or not, in the first and the second order."""

from __future__ import annotations

from random import Random
from typing import Any

import numpy as np
import pytest
from hypothesis import HealthCheck, Phase, given, settings, strategies as st

import tangentlite as tl
from tests.programs.strict import leaves, structured
from tests.properties.programs import function, written
from tests.properties.steps import agrees

ARGUMENTS = (
    (0.7, -0.4, 2),
    (np.array([0.3, -0.8]), 0.6, 3),
    (0.45, np.array([0.9, 0.2]), 1),
    (np.array([0.35, -0.2]), np.array([0.8, 0.5]), 0),
    (np.array(0.8), np.array([[0.5], [-0.3]]), 2),
)
QUIET = {"deadline": None, "suppress_health_check": list(HealthCheck)}
FEW: dict[str, Any] = {"max_examples": 4, "derandomize": True, "phases": [Phase.generate], **QUIET}
randoms = st.randoms(use_true_random=False)


def agree(random: Random, args: tuple[Any, ...], second: bool, lists: bool = True) -> None:
    f = function(written(random, lists))
    value = f(*args)
    for k in (0, 1):
        gradients = []
        for optimized in (True, False):
            found, gradient = tl.value_and_grad(f, wrt=k, optimized=optimized)(*args)
            assert found == value
            gradients.append(structured(gradient, args[k], "gradient"))
        np.testing.assert_allclose(*gradients, rtol=1e-9, atol=1e-12)
        scale = max(1.0, float(np.max(np.abs(gradients[0]))))
        agrees(gradients[0], f, args, k, [1.0], rtol=1e-5, atol=1e-6 * scale)
        v = np.random.default_rng(1).normal(size=np.shape(args[k]))
        v = v if isinstance(args[k], np.ndarray) else float(v)
        _, tangent = tl.jvp(f, wrt=k)(*args, tangent=v)
        np.testing.assert_allclose(
            tangent, np.sum(v * np.reshape(gradients[0], np.shape(v))), rtol=1e-9, atol=1e-9 * scale
        )
        if second:
            twice(f, args, k, v)


def twice(f: Any, args: tuple[Any, ...], k: int, v: Any) -> None:
    """Forward over reverse and reverse over reverse are the same row of a symmetric matrix."""
    df = tl.grad(f, wrt=k)
    _, forward = tl.jvp(df, wrt=k)(*args, tangent=v)
    _, pullback = tl.vjp(df, wrt=k)(*args)
    reverse = structured(pullback(v), args[k], "second")
    scale = max(1.0, float(np.max(np.abs(reverse))))
    np.testing.assert_allclose(
        structured(forward, args[k], "second"), reverse, rtol=1e-8, atol=1e-8 * scale
    )
    agrees(reverse, df, args, k, leaves(v), rtol=1e-4, atol=1e-5 * scale)


def kink(x: float) -> float:
    """With a kink between the steps."""
    return abs(x - 3e-5) * x + x


def curved(x: float) -> float:
    """Differences with the first step are off by more than is asked."""
    return float(np.sin(2e3 * x))


def test_what_differences_find() -> None:
    """The judge takes what is right beside a kink and where the curvature is strong, and nothing that is off."""
    for f, x in ((kink, 0.0), (kink, 0.3), (curved, 0.2), (curved, 0.7)):
        (gradient,) = [tl.grad(f)(x)]
        agrees([gradient], f, (x,), 0, [1.0], rtol=1e-5, atol=1e-6)
        if x:
            with pytest.raises(AssertionError, match="argument 0"):
                agrees([gradient * 1.001], f, (x,), 0, [1.0], rtol=1e-5, atol=1e-6)


@pytest.mark.parametrize("args", ARGUMENTS, ids=str)
@settings(**FEW)
@given(random=randoms)
def test_few_programs(args: Any, random: Random) -> None:
    agree(random, args, second=False)


@settings(**FEW)
@given(random=randoms, args=st.sampled_from(ARGUMENTS))
def test_few_programs_twice(random: Random, args: Any) -> None:
    agree(random, args, second=True)


@pytest.mark.slow
@settings(max_examples=2000, **QUIET)
@given(random=randoms, args=st.sampled_from(ARGUMENTS))
def test_many_programs(random: Random, args: Any) -> None:
    agree(random, args, second=False)


@pytest.mark.slow
@settings(max_examples=500, **QUIET)
@given(random=randoms, args=st.sampled_from(ARGUMENTS))
def test_many_programs_twice(random: Random, args: Any) -> None:
    agree(random, args, second=True)
