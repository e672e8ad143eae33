"""What a loop over ``tl.checkpoint_loop`` must not do is refused by name, with the next step."""

# ruff: noqa: B007
from __future__ import annotations

import itertools
import random
import time
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

import tangentlite as tl

RNG = np.random.default_rng(0)
SEEN: list[int] = []


def noisy(y: Any) -> Any:
    return y + RNG.normal()


def talking(y: Any) -> Any:
    print("y")
    return y * 2.0


def global_numbers(x: Any) -> Any:
    for t in tl.checkpoint_loop(range(5), slots=2):
        x = x * np.random.normal()
    return x


def generator(x: Any) -> Any:
    rng = np.random.default_rng(3)
    for t in tl.checkpoint_loop(range(5), slots=2):
        x = x * rng.normal()
    return x


def in_a_helper(x: Any) -> Any:
    for t in tl.checkpoint_loop(range(5), slots=2):
        x = noisy(x) * x
    return x


def printing_helper(x: Any) -> Any:
    for t in tl.checkpoint_loop(range(5), slots=2):
        x = talking(x) * x
    return x


def in_a_test(x: Any) -> Any:
    for t in tl.checkpoint_loop(range(5), slots=2):
        if random.random() < 0.5:
            x = np.sin(x)
    return x


def clock(x: Any) -> Any:
    for t in tl.checkpoint_loop(range(5), slots=2):
        x = np.sin(x) * time.time()
    return x


def a_set(x: Any) -> Any:
    seen: set[int] = set()
    for t in tl.checkpoint_loop(range(5), slots=2):
        if t % 2 not in seen:
            x = np.sin(x)
        seen.add(t % 2)
    return x


def outside(x: Any) -> Any:
    for t in tl.checkpoint_loop(range(5), slots=2):
        SEEN.append(t)
        x = np.sin(x)
    return x


def trying(x: Any) -> Any:
    for t in tl.checkpoint_loop(range(5), slots=2):
        try:
            x = np.sin(x)
        except ValueError:
            x = 1.0
    return x


def managed(x: Any) -> Any:
    for t in tl.checkpoint_loop(range(5), slots=2):
        with np.errstate(all="ignore"):
            x = np.sin(x)
    return x


def shared(x: Any) -> Any:
    u = np.array([x, x])
    for t in tl.checkpoint_loop(range(5), slots=2):
        row = u[1:]
        row[:] = np.sin(row) * u[0]
    return np.sum(u)


def a_dict(x: Any) -> Any:
    s = {"a": x, "b": 1.0}
    for t in tl.checkpoint_loop(range(5), slots=2):
        s["a"] = np.sin(s["a"]) * s["b"]
    return s["a"]


def endless(x: Any) -> Any:
    for t in tl.checkpoint_loop(itertools.count(), slots=2):
        x = np.sin(x)
        if t > 3:
            break
    return x


def named(x: Any) -> Any:
    trips = tl.checkpoint_loop(range(5), slots=2)
    for t in trips:
        x = np.sin(x)
    return x


def comprehended(x: Any) -> Any:
    return sum(np.sin(x * t) for t in tl.checkpoint_loop(range(5), slots=2))


def without_slots(x: Any) -> Any:
    for t in tl.checkpoint_loop(range(5)):  # type: ignore[call-arg]
        x = np.sin(x)
    return x


TWICE = "does not give the same again"


@pytest.mark.parametrize(
    ("function", "reason", "hint"),
    [
        (global_numbers, f"`np.random.normal` .* {TWICE}", "before the loop"),
        (generator, f"`rng.normal` .* {TWICE}", "before the loop"),
        (in_a_helper, f"`RNG.normal` .* {TWICE}", "before the loop"),
        (printing_helper, f"`print` .* {TWICE}", "Print in the loop itself"),
        (in_a_test, f"`random.random` .* {TWICE}", "before the loop"),
        (clock, f"`time.time` .* {TWICE}", "before the loop"),
        (a_set, f"`seen.add` .* {TWICE}", "before the loop"),
        (outside, "writes into what lives outside", "argument"),
        (trying, "`try` and `with`", "round the loop"),
        (managed, "`try` and `with`", "round the loop"),
        (shared, "memory that several names share", "plain loop"),
        (a_dict, "memory that several names share", "plain loop"),
        (endless, "can be counted", "upper bound"),
        (named, "outside the head of a `for`", "for t in"),
        (comprehended, "outside the head of a `for`", "for t in"),
        (without_slots, "takes what is walked over, and `slots`", "for t in"),
    ],
)
def test_refused(function: Callable[..., Any], reason: str, hint: str) -> None:
    with pytest.raises(tl.DerivativeError, match=reason) as found:
        tl.grad(function)(0.7)
    assert hint in found.value.hint
    assert "test_refusals.py" in str(found.value)


def test_forward_mode_needs_nothing_of_that() -> None:
    for function in (in_a_helper, outside, trying, shared, a_dict, endless):
        value, slope = tl.jvp(function)(0.7, tangent=1.0)
        assert np.isfinite(value)
        assert np.isfinite(slope)
