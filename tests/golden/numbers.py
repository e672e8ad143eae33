"""Derivatives against central differences, in a direction that no symmetry hides."""

from __future__ import annotations

import inspect
from collections.abc import Iterator
from typing import Any

import numpy as np

from .case import Case

FORMS = (np.float32, np.array, lambda v: np.array([v]), lambda v: np.array([v, 0.9 * v, 1.1 * v]))


def points(case: Case) -> Iterator[tuple[Any, ...]]:
    """The case's points, and with ``shapes`` the same with other types for the floats in wrt."""
    names = case.names
    for point in case.request["points"]:
        yield point
        if case.request.get("shapes"):
            for form in FORMS:
                yield tuple(
                    form(a) if n in case.wrt and isinstance(a, float) else a
                    for n, a in zip(names, point)
                )


def agree(case: Case, derivative: Any, point: tuple[Any, ...]) -> None:
    """Compare at one point; ``<seed, J v>`` by differences with what the derivative says."""
    active = [case.names.index(w) for w in case.wrt]
    steps = {i: direction(point[i], 1.0 + 0.3 * k) for k, i in enumerate(active)}
    expected = difference(case.function, point, steps)
    extra = [p for p in inspect.signature(derivative).parameters if p not in case.names]
    if case.forward:
        tangents = dict(zip(extra, (steps[i] for i in active)))
        close(derivative(*point, **tangents), expected, point, active)
        return
    seed = direction(expected, 0.7)
    given = derivative(*point) if np.ndim(expected) == 0 else derivative(*point, **{extra[0]: seed})
    seed = 1.0 if np.ndim(expected) == 0 else seed
    if case.call == "value_and_grad":
        value, given = given
        np.testing.assert_allclose(value, case.function(*point), rtol=1e-12)
    gradients = given if isinstance(case.request.get("wrt", 0), tuple) else (given,)
    total = sum(product(g, steps[i], point[i]) for g, i in zip(gradients, active))
    close(total, np.sum(seed * expected), point, active)


def direction(value: Any, scale: float) -> Any:
    """A direction of the value's form with unequal entries."""
    if isinstance(value, dict):
        return {key: direction(v, scale + 0.1 * k) for k, (key, v) in enumerate(value.items())}
    if isinstance(value, (list, tuple)):
        return type(value)(direction(v, scale + 0.1 * k) for k, v in enumerate(value))
    if np.ndim(value) == 0:
        return scale
    return scale * np.cos(np.arange(1.0, np.size(value) + 1.0)).reshape(np.shape(value))


def moved(value: Any, step: Any, h: float) -> Any:
    """``value + h * step``, in double precision."""
    if isinstance(value, dict):
        return {key: moved(value[key], step[key], h) for key in value}
    if isinstance(value, (list, tuple)):
        return type(value)(moved(v, s, h) for v, s in zip(value, step))
    return np.float64(value) + h * step


def product(gradient: Any, step: Any, value: Any) -> Any:
    """The inner product of a gradient, which has the form of its argument, and a direction."""
    if isinstance(value, dict):
        assert list(gradient) == list(value)
        return sum(product(gradient[key], step[key], value[key]) for key in value)
    if isinstance(value, (list, tuple)):
        assert type(gradient) is type(value)
        assert len(gradient) == len(value)
        return sum(product(g, s, v) for g, s, v in zip(gradient, step, value))
    assert type(gradient) is type(value)
    assert np.shape(gradient) == np.shape(value)
    assert np.asarray(gradient).dtype == np.asarray(value).dtype
    return np.sum(gradient * step)


def difference(function: Any, point: tuple[Any, ...], steps: dict[int, Any]) -> Any:
    """The central difference in double precision."""
    h = 1e-6
    ends = [
        function(*(moved(a, steps[i], s) if i in steps else a for i, a in enumerate(point)))
        for s in (h, -h)
    ]
    return (ends[0] - ends[1]) / (2.0 * h)


def close(given: Any, expected: Any, point: tuple[Any, ...], active: list[int]) -> None:
    single = any(getattr(point[i], "dtype", None) == np.float32 for i in active)
    np.testing.assert_allclose(given, expected, rtol=2e-4 if single else 1e-6, atol=1e-7)
