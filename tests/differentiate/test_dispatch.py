"""Helpers that choose what to do by an argument that is None, or by a text: what is not chosen is not looked at."""

from __future__ import annotations

from collections.abc import Callable
from math import log, sqrt
from typing import Any

import numpy as np
import pytest

import tangentlite as tl
from tangentlite.errors import DerivativeError

GLOBAL = 0.0


def cannot(x: Any) -> Any:
    global GLOBAL
    GLOBAL = x
    return x


def by_method(x: Any, method: str = "sine") -> Any:
    if method == "sine":
        return np.sin(x)
    if method in ("cube", "third power"):
        return x**3
    elif method == "store":
        return cannot(x)
    raise ValueError(f"no method {method!r}")


def by_method_or_default(x: Any, method: str | None = None, square: bool = False) -> Any:
    if method is None:
        method = "sine"
    if x < -10.0 or method == "linear":
        found = 2.0 * x
    elif method == "sine":
        found = np.sin(x)
    else:
        found = cannot(x)
    if square:
        found *= found
    return found


def by_match(x: Any, how: str) -> Any:
    match how:
        case "double":
            return 2.0 * x
        case "store":
            return cannot(x)
        case _:
            return -x


TABLE: dict[str, Callable[[Any], Any]] = {"sine": np.sin, "store": cannot, "tanh": np.tanh}


def by_table(x: Any, name: str) -> Any:
    return TABLE[name](x)


def handed_on(x: Any, *, method: str = "cube") -> Any:
    return by_method(x, method=method) * x


def several(x: Any) -> Any:
    total = by_method(x) + by_method(x, "cube") + by_method(x, method="third power")
    total += by_method_or_default(x, square=True) + by_method_or_default(x, "sine")
    total += by_match(x, "double") * by_match(x, "other")
    return total + by_table(x, "tanh") + handed_on(x) + handed_on(x, method="sine")


def in_a_loop(x: Any) -> Any:
    total = 0.0
    for method in ("sine", "cube", "sine"):
        total = total * x + by_choice(x, method)
    return total


def by_choice(x: Any, method: str) -> Any:
    return np.sin(x) if method == "sine" else x**3


def pipe(d: Any, p: Any = None, q: Any = None, flow: Any = None) -> Any:
    """Whatever of the two pressures and the flow is not given."""
    if flow is None and p is not None and q is not None:
        return sqrt(d * (p * p - q * q))
    elif p is None and q is not None and flow is not None:
        low, high = q, 10 * q
        for _ in range(60):
            middle = 0.5 * (low + high)
            if flow_left(middle, d, q, flow) > 0:
                low = middle
            else:
                high = middle
        return low
    elif q is None and p is not None and flow is not None:
        most = pipe(d, p=p, q=0.01)
        if flow > most:
            raise ValueError(f"no more than {most:.3f} flows")
        return sqrt(p * p - flow * flow / d)
    raise ValueError("give two of three")


def flow_left(p: Any, d: Any, q: Any, flow: Any) -> Any:
    return flow - pipe(d, p=p, q=q)


def flow_of(d: Any, p: Any, q: Any) -> Any:
    return pipe(d, p, q)


def outlet_of(d: Any, p: Any, flow: Any) -> Any:
    return log(pipe(d, p=p, flow=flow))


def weighted(x: Any, w: Any = None) -> Any:
    return np.sum(x) if w is None else np.sum(x * w)


def with_and_without(x: Any, w: Any) -> Any:
    return weighted(x) * weighted(x, w)


def found_late(x: Any, n: int) -> Any:
    w = None
    for i in range(n):
        x = x * weighted_or_not(x, w)
        w = x + i
    return x


def weighted_or_not(x: Any, w: Any) -> Any:
    if w is not None:
        return np.sin(w)
    return np.cos(x)


def rebound(x: Any, c: Any) -> Any:
    w = 0.5
    if c > 0:
        w = None
    return x * x if w is None else x * w


def differences(f: Callable[..., Any], *args: float) -> list[float]:
    steps = [
        [a + s * (k == j) for k, a in enumerate(args)]
        for j in range(len(args))
        for s in (1e-6, -1e-6)
    ]
    values = [f(*step) for step in steps]
    return [(a - b) / 2e-6 for a, b in zip(values[::2], values[1::2])]


@pytest.mark.parametrize("optimized", [True, False])
@pytest.mark.parametrize(
    ("f", "args"),
    [
        (several, (0.7,)),
        (in_a_loop, (0.7,)),
        (flow_of, (1.3, 2.0, 0.5)),
        (outlet_of, (1.3, 2.0, 0.5)),
    ],
)
def test_what_is_chosen(f: Callable[..., Any], args: tuple[float, ...], optimized: bool) -> None:
    wrt = tuple(range(len(args)))
    found = tl.grad(f, wrt=wrt, optimized=optimized)(*args)
    expected = differences(f, *args)
    np.testing.assert_allclose(np.ravel(found), expected, rtol=1e-6)
    for k in wrt:
        _, tangent = tl.jvp(f, wrt=k)(*args, tangent=1.0)
        np.testing.assert_allclose(tangent, expected[k], rtol=1e-6)


def test_none_that_comes_later() -> None:
    for n in (0, 1, 3):
        found = tl.grad(found_late)(0.6, n)
        np.testing.assert_allclose(
            found, differences(lambda x: found_late(x, n), 0.6)[0], rtol=1e-6
        )
    assert tl.grad(rebound)(3.0, 1.0) == 6.0
    assert tl.grad(rebound)(3.0, -1.0) == 0.5
    assert tl.grad(weighted)(3.0, None) == 1.0
    np.testing.assert_array_equal(tl.grad(weighted)(np.ones(2), np.array([2.0, 3.0])), [2.0, 3.0])


def test_what_is_not_known_is_refused() -> None:
    with pytest.raises(DerivativeError, match="global"):
        tl.grad(lambda x, how: by_match(x, how))


def test_the_text_names_each_variant() -> None:
    x, w = np.array([1.0, 2.0]), np.array([0.5, 3.0])
    df = tl.grad(with_and_without)
    np.testing.assert_allclose(df(x, w), weighted(x, w) + np.sum(x) * w)
    defined = [line.split("(")[0] for line in df.source.splitlines() if line.startswith("def ")]
    assert len(set(defined)) == len(defined)
    called = {
        name for name in ("weighted_backward", "weighted_backward_1") if f" {name}(" in df.source
    }
    assert {f"def {name}" for name in called} <= set(defined)


def root(
    f: Callable[..., Any], x: Any, *args: Any, full_output: bool = False, steps: int = 30
) -> Any:
    """Of a kind of result that a flag decides."""
    for k in range(steps):
        step = f(x, *args) / (2.0 * x)
        x = x - step
        if abs(step) < 1e-13:
            break
    if full_output:
        return x, {"steps": k, "residual": f(x, *args)}
    return x


def square_less(x: Any, a: Any) -> Any:
    return x * x - a


def by_flag(a: Any) -> Any:
    x, told = root(square_less, 1.0, a, full_output=True)
    return x * root(square_less, 1.0, a + 1.0) + told["residual"]


def moments(x: Any, *, unbiased: bool = True, deviation: bool = False) -> Any:
    middle = np.mean(x)
    square = np.sum((x - middle) ** 2) / (x.size - 1 if unbiased else x.size)
    return (middle, square, np.sqrt(square)) if deviation else (middle, square)


def by_flags(x: Any) -> Any:
    m, v = moments(x)
    n, w, s = moments(x, unbiased=False, deviation=True)
    return m * v + n * w * s


def alternating(x: Any, depth: int, up: bool = True) -> Any:
    if depth == 0:
        return x
    if up:
        return np.sin(alternating(x, depth - 1, not up))
    return alternating(x, depth - 1, up=not up) ** 2


def alternates(x: Any) -> Any:
    return alternating(x, 4) + alternating(x, 3, False)


@pytest.mark.parametrize("optimized", [True, False])
def test_flags(optimized: bool) -> None:
    for f, x in ((by_flag, 2.0), (alternates, 0.7)):
        expected = differences(f, x)[0]
        np.testing.assert_allclose(tl.grad(f, optimized=optimized)(x), expected, rtol=1e-6)
        np.testing.assert_allclose(tl.jvp(f)(x, tangent=1.0)[1], expected, rtol=1e-6)
    x = np.array([0.3, 1.2, -0.4, 2.0])
    found = tl.grad(by_flags, optimized=optimized)(x)
    for k, e in enumerate(np.eye(4) * 1e-6):
        np.testing.assert_allclose(found[k], (by_flags(x + e) - by_flags(x - e)) / 2e-6, rtol=1e-6)


def by_spelling(x: Any, how: str = "Sine", frame: str = "enu") -> Any:
    if frame.upper() not in ("ENU", "NED"):
        raise ValueError(frame)
    how = how.lower()
    if how == "pair":
        return x, x * x
    if how.startswith("square"):
        return x * x
    return np.sin(x) if how in ["sine", "sinus"] else cannot(x)


def spells(x: Any) -> Any:
    return by_spelling(x) + by_spelling(x, "Square root") * by_spelling(x, how="PAIR")[1]


def test_texts_in_other_letters() -> None:
    np.testing.assert_allclose(tl.grad(spells)(0.7), differences(spells, 0.7)[0], rtol=1e-6)
    with pytest.raises(ValueError, match="up"):
        tl.grad(lambda x: by_spelling(x, frame="up"))(1.0)


def within(x: Any, method: str | None = None, plain: bool = True) -> Any:
    return by_flags_of(x, plain) * by_method(x, method or "cube") + by_method_or_default(x, method)


def by_flags_of(x: Any, plain: bool) -> Any:
    return x if plain else cannot(x)


def hands_on(x: Any) -> Any:
    return within(x) + within(x, "sine")


def test_options_that_are_handed_on() -> None:
    np.testing.assert_allclose(tl.grad(hands_on)(0.7), differences(hands_on, 0.7)[0], rtol=1e-6)
