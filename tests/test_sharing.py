"""Derivatives of one function share what was found out about it, and are written as if they did not."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

import tangentlite as tl
from tangentlite import pipeline, rules, sharing, twins
from tangentlite.knowledge import Known
from tangentlite.rules.notation import adjoint, d
from tests.programs import (
    test_buses,
    test_calls,
    test_deques,
    test_objects,
    test_payloads,
    test_trees,
)
from tests.programs.strict import CASES

X = np.array([0.3, -1.2, 0.7])
MODES: list[Callable[..., Any]] = [tl.value_and_grad, tl.vjp, tl.jvp, tl.grad]
MODULES = (test_buses, test_calls, test_deques, test_objects, test_payloads, test_trees)
QUICK = {m: [c for c in CASES.get(m.__name__, []) if not c[2].get("long")] for m in MODULES}
PROGRAMS = [case[:2] for m in MODULES for case in QUICK[m][::6]]


def written(function: Any, args: tuple[Any, ...]) -> str:
    tl.grad(function)(*args)
    return str(tl.grad(function).source)


def forget(function: Any) -> None:
    vars(function).pop(sharing.NAME, None)
    twins._twins.clear()


@pytest.mark.parametrize("function, args", PROGRAMS, ids=lambda f: getattr(f, "__name__", ""))
def test_the_text_does_not_tell_what_was_written_before(function: Any, args: Any) -> None:
    forget(function)
    try:
        alone = written(function, args)
    except tl.DerivativeError:
        pytest.skip("not in reverse mode")
    for mode in MODES:
        forget(function)
        mode(function)
        for other in MODES[:-1]:
            other(function)
        assert written(function, args) == alone


def helper(v: Any) -> Any:
    return v * v


def other_helper(v: Any) -> Any:
    return 3.0 * v


SCALE: Any = 2.0
TABLE: Any = [1.0, 2.0]


class Model:
    def __init__(self) -> None:
        self.w: Any = 2.0

    def apply(self, v: Any) -> Any:
        return self.w * v


MODEL = Model()


def uses_all(x: Any) -> Any:
    return np.sum(SCALE * helper(x)) + TABLE[0] * np.sum(x) + np.sum(MODEL.apply(x))


def expected(x: Any, step: float = 1e-6) -> Any:
    sides = [[uses_all(x + s * step * e) for s in (1, -1)] for e in np.eye(len(x))]
    return [(up - down) / (2 * step) for up, down in sides]


CHANGES: dict[str, Callable[[pytest.MonkeyPatch], None]] = {
    "helper": lambda m: m.setitem(globals(), "helper", other_helper),
    "code": lambda m: m.setattr(helper, "__code__", other_helper.__code__),
    "number": lambda m: m.setitem(globals(), "SCALE", np.array([1.0, 2.0, 3.0])),
    "list": lambda m: m.setitem(globals(), "TABLE", [np.array(5.0), 2.0]),
    "longer list": lambda m: m.setitem(globals(), "TABLE", [[1.0, 2.0], 3.0][::-1]),
    "method": lambda m: m.setattr(Model, "apply", lambda self, v: self.w * v**3),
    "attribute": lambda m: m.setattr(MODEL, "w", np.array([4.0, 5.0, 6.0])),
    "object": lambda m: m.setitem(globals(), "MODEL", Model()),
}


@pytest.mark.parametrize("change", CHANGES)
@pytest.mark.parametrize("late", MODES, ids=lambda f: f.__name__)
def test_what_is_bound_anew_is_seen_by_later_derivatives(
    change: str, late: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    forget(uses_all)
    for mode in MODES:
        if mode is not late:
            mode(uses_all)
    CHANGES[change](monkeypatch)
    want = expected(X)
    match late:
        case tl.vjp:
            found = tl.vjp(uses_all)(X)[1](1.0)
        case tl.jvp:
            found = [tl.jvp(uses_all)(X, tangent=e)[1] for e in np.eye(3)]
        case tl.value_and_grad:
            found = tl.value_and_grad(uses_all)(X)[1]
        case _:
            found = tl.grad(uses_all)(X)
    np.testing.assert_allclose(found, want, rtol=1e-5)


def leaning(x: Any, n: Any) -> Any:
    return x * swinging(x, n - 1) if n > 0 else np.sin(x)


def swinging(x: Any, n: Any) -> Any:
    return np.cos(x) + leaning(0.5 * x, n - 1) if n > 0 else x * x


def calls_helpers(x: Any) -> Any:
    return np.sum(helper(x) * other_helper(x)) + np.sum(leaning(x, 3)) + np.sum(swinging(x, 2))


def test_helpers_are_written_once_for_all_derivatives(monkeypatch: pytest.MonkeyPatch) -> None:
    written: list[Any] = []

    def noted(function: Any, *rest: Any, **options: Any) -> Any:
        written.append(function)
        return derive(function, *rest, **options)

    derive = pipeline.derive
    forget(calls_helpers)
    alone = tl.value_and_grad(calls_helpers).source
    forget(calls_helpers)
    first = tl.grad(calls_helpers)
    monkeypatch.setattr(pipeline, "derive", noted)
    second = tl.value_and_grad(calls_helpers)
    assert second.source == alone
    assert written.count(calls_helpers) == 1
    assert helper not in written and other_helper not in written
    assert {leaning, swinging} <= set(
        written
    )  # each was written while it was waiting for the other
    np.testing.assert_array_equal(first(X), second(X)[1])
    sides = [[calls_helpers(X + s * 1e-6 * e) for s in (1, -1)] for e in np.eye(3)]
    np.testing.assert_allclose(first(X), [(a - b) / 2e-6 for a, b in sides], rtol=1e-6)


def test_new_rules_are_seen() -> None:
    def squared(v: Any) -> Any:
        return v * v

    def f(x: Any) -> Any:
        return np.sum(squared(x))

    tl.vjp(f)(X)

    with rules.restored():

        @adjoint(squared)
        def asquared(y: Any, v: Any) -> None:
            d[v] = 10.0 * d[y]

        np.testing.assert_allclose(tl.grad(f)(X), 10.0 * np.ones(3))


def test_functions_asked_for_long_ago_are_forgotten() -> None:
    def f(x: Any) -> Any:
        return x * x

    tl.grad(f)
    assert Known in vars(f)[sharing.NAME]
    for _ in range(sharing.RECENT):

        def g(x: Any) -> Any:
            return x * x * x

        forget(g)
        tl.grad(g)
    assert Known not in vars(f)[sharing.NAME] and tl.grad(f)(2.0) == 4.0


def test_a_wrapper_starts_with_nothing() -> None:
    def f(x: Any) -> Any:
        return x * x

    tl.grad(f)

    def g(x: Any) -> Any:
        return 5.0 * x

    g.__dict__.update(f.__dict__)
    assert tl.grad(g)(2.0) == 5.0 and tl.vjp(g)(2.0)[1](1.0) == 5.0
