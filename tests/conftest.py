"""Options of the test suite, and the comparison of derivatives with finite differences."""

from __future__ import annotations

import copy
import dataclasses
import gc
import inspect
import sys
from collections.abc import Callable, Iterator
from types import FunctionType
from typing import Any

import numpy as np
import pytest

import tangentlite as tl
from tangentlite import sharing, twins
from tangentlite.doors import floating
from tangentlite.runtime.containers.objects import attributes, is_object, made

SECOND = 1e-5
floating.strict = True  # what goes wrong in a faster text is seen


def pytest_addoption(parser: pytest.Parser) -> None:
    parser.addoption("--regold", action="store_true", help="write the golden files anew")


def pytest_collection_finish() -> None:
    """What the compiler knows stays: to search it for garbage again and again would take a fifth of the time."""
    gc.collect()
    gc.freeze()
    gc.set_threshold(200_000, 20, 100)


@pytest.fixture(autouse=True)
def no_twins() -> None:
    """What one test differentiates has no twin because of another one."""
    twins._twins.clear()


@pytest.fixture
def regold(request: pytest.FixtureRequest) -> bool:
    """Whether golden files are written instead of compared."""
    return bool(request.config.getoption("--regold"))


@pytest.fixture
def confirm() -> Callable[..., None]:
    """``confirm(f, *args)``: all derivatives of f at args, in every mode, against finite differences."""
    return confirm_derivatives


def confirm_derivatives(f: Any, *args: Any, second: bool = True) -> None:
    """Reverse (optimized and not) and forward mode, then both of the gradient, in every active argument."""
    active = [k for k, x in enumerate(args) if leaves(x)]
    assert active, "nothing to differentiate"
    for k in active:
        direction = filled(args[k], iter(np.cos(1.0 + np.arange(len(leaves(args[k]))))))
        expected = differences(f, args, k, 1e-6)
        for optimized in (True, False):
            gradient = tl.grad(f, wrt=k, optimized=optimized)(*copy.deepcopy(args))
            same_form(gradient, args[k])
            np.testing.assert_allclose(leaves(gradient), expected, rtol=2e-5, atol=1e-6)
        value, tangent = tl.jvp(f, wrt=k)(*copy.deepcopy(args), tangent=direction)
        np.testing.assert_allclose(value, f(*copy.deepcopy(args)), rtol=1e-12)
        along = np.dot(expected, leaves(direction))
        np.testing.assert_allclose(tangent, along, rtol=2e-5, atol=1e-6)
        if second and not isinstance(args[k], (list, tuple, dict)):
            confirm_second(f, args, k, direction)


def confirm_second(f: Any, args: tuple[Any, ...], k: int, direction: Any) -> None:
    """The Hessian times a direction, by reverse and by forward mode over reverse mode."""
    df = tl.grad(f, wrt=k)

    def slope(*args: Any) -> float:
        return float(np.dot(leaves(df(*args)), leaves(direction)))

    expected = differences(slope, args, k, SECOND)
    _, pullback = tl.vjp(df, wrt=k)(*copy.deepcopy(args))
    np.testing.assert_allclose(leaves(pullback(direction)), expected, rtol=1e-4, atol=1e-5)
    _, tangent = tl.jvp(df, wrt=k)(*copy.deepcopy(args), tangent=direction)
    np.testing.assert_allclose(leaves(tangent), expected, rtol=1e-4, atol=1e-5)


def leaves(x: Any) -> list[float]:
    """The floats in a nest, in order."""
    if isinstance(x, (float, np.floating)):
        return [float(x)]
    if isinstance(x, np.ndarray):
        return [float(e) for e in x.ravel()] if x.dtype.kind == "f" else []
    if isinstance(x, (list, tuple)):
        return [leaf for e in x for leaf in leaves(e)]
    if isinstance(x, dict):
        return [leaf for e in x.values() for leaf in leaves(e)]
    return leaves(attributes(x)) if is_object(x) else []


def filled(x: Any, floats: Iterator[float]) -> Any:
    """A nest like x with other floats."""
    if isinstance(x, (float, np.floating)):
        return type(x)(next(floats))
    if isinstance(x, np.ndarray) and x.dtype.kind == "f":
        return np.array([next(floats) for _ in range(x.size)], x.dtype).reshape(x.shape)
    if isinstance(x, tuple) and hasattr(x, "_fields"):
        return x._make(filled(e, floats) for e in x)
    if isinstance(x, (list, tuple)):
        return type(x)(filled(e, floats) for e in x)
    if isinstance(x, dict):
        return {key: filled(e, floats) for key, e in x.items()}
    if is_object(x):
        return made(type(x), **{name: filled(part, floats) for name, part in attributes(x).items()})
    return x


def same_form(gradient: Any, x: Any) -> None:
    """A gradient has its argument's type, structure, shape and dtype."""
    if isinstance(x, (list, tuple)):
        assert type(gradient) is type(x)
        assert len(gradient) == len(x)
        for part, whole in zip(gradient, x):
            same_form(part, whole)
    elif isinstance(x, dict):
        assert list(gradient) == list(x)
        for key in x:
            same_form(gradient[key], x[key])
    elif is_object(x):
        assert type(gradient) is (type(x) if dataclasses.is_dataclass(x) else tl.Gradient)
        same_form(attributes(gradient), attributes(x))
    elif leaves(x):
        assert type(gradient) is type(x)
        assert np.shape(gradient) == np.shape(x)
        assert np.asarray(gradient).dtype == np.asarray(x).dtype
    else:
        assert gradient is None


def differences(f: Any, args: tuple[Any, ...], k: int, step: float) -> np.ndarray:
    """Central differences in every float of argument k."""
    base, slopes = leaves(args[k]), []
    for i in range(len(base)):
        ends = []
        for sign in (1.0, -1.0):
            moved = [*base[:i], base[i] + sign * step, *base[i + 1 :]]
            at = [
                *copy.deepcopy(args[:k]),
                filled(args[k], iter(moved)),
                *copy.deepcopy(args[k + 1 :]),
            ]
            ends.append(float(f(*at)))
        slopes.append((ends[0] - ends[1]) / (2.0 * step))
    return np.array(slopes)


@pytest.fixture
def refused() -> Callable[..., None]:
    """``refused(f, line)``: an error of the compiler that points at a line of f and says what to do."""
    return refusal_of


def refusal_of(
    f: Any,
    line: str,
    *words: str,
    error: type = tl.UnsupportedSyntaxError,
    wrt: Any = 0,
    args: tuple[Any, ...] | None = None,
) -> None:
    """``args``: the function is refused for these arguments, when it is called."""
    with pytest.raises(error) as caught:
        df = tl.grad(f, wrt=wrt)
        if args is not None:
            df(*args)
    place, lines = caught.value.place, inspect.getsourcelines(f)
    assert place is not None
    assert place.file == inspect.getsourcefile(f)
    assert lines[1] <= place.line < lines[1] + len(lines[0])
    assert line in place.text
    text = str(caught.value).splitlines()
    caret = next(k for k, shown in enumerate(text) if shown.strip() == "^")
    assert text[caret - 2] == f'  File "{place.file}", line {place.line}'
    assert text[caret].index("^") == place.column + 4
    assert 0 <= place.column < len(place.text)
    assert caught.value.hint
    for word in words:
        assert word in str(caught.value)


@pytest.fixture(autouse=True, scope="module")
def forgetting() -> Iterator[None]:
    """Programs keep their derivatives: thousands of them are let go when a module of tests is done."""
    yield
    for name, module in list(sys.modules.items()):
        if name.startswith("tests."):
            for value in vars(module).values():
                if isinstance(value, FunctionType):
                    vars(value).pop(sharing.NAME, None)
