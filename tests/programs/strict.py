"""One program against everything that must hold of its derivatives.

Reverse for every argument, optimized and not, forward, second order both ways; type, shape and dtype of
every gradient; the value; arguments left alone.
"""

from __future__ import annotations

import copy
import inspect
import math
import sys
import warnings
from collections.abc import Callable, Iterator
from typing import Any

import numpy as np
import pytest

import tangentlite as tl
from tests.turns import every_other

Function = Callable[..., Any]
CASES: dict[str, list[tuple[Function, tuple[Any, ...], dict[str, Any]]]] = {}
FLOATS = (float, np.floating)
COMPENSATED = sys.version_info >= (3, 12)


def case(*args: Any, **options: Any) -> Callable[[Function], Function]:
    """Add a program of the corpus; ``second=False`` leaves out the second order, ``gap`` says what is missing yet."""

    def add(function: Function) -> Function:
        CASES.setdefault(function.__module__, []).append((function, args, options))
        return function

    return add


def cases(module: str) -> list[Any]:
    """The programs of a module, with readable ids.

    The second order of every other program, and of one that runs with other arguments already, is left to the slow run, and so is
    what is ``long``: it takes many seconds to compile.
    """
    found: list[Any] = []
    seen: set[Function] = set()
    for number, (function, args, given) in enumerate(CASES.get(module, [])):
        options = dict(given)
        gap = options.pop("gap", None)
        marks = [pytest.mark.xfail(strict=True, reason=gap)] if gap else []
        if options.pop("long", False):
            found.append(pytest.param(function, args, options, marks=[*marks, pytest.mark.slow]))
            continue
        late = function in seen or every_other(number)
        if late and not gap and options.get("second", True):
            found.append(pytest.param(function, args, {**options, "second": False}))
            marks.append(pytest.mark.slow)
        found.append(pytest.param(function, args, options, marks=marks))
        seen.add(function)
    return found


def label(value: Any) -> str | None:
    """The id of a case: the name of its function."""
    return getattr(value, "__name__", "") or "_"


def normal(*shape: int, seed: int = 0) -> Any:
    """Numbers away from kinks and ties."""
    return np.random.default_rng(sum(shape) + 7 * len(shape) + seed).normal(size=shape)


def leaves(x: Any) -> list[float]:
    """The floating numbers in a value, in order."""
    match x:
        case bool() | int() | np.bool_() | np.integer():
            return []
        case float() | np.floating():
            return [float(x)]
        case np.ndarray() if x.dtype.kind == "f":
            return [float(e) for e in x.ravel()]
        case list() | tuple():
            return [leaf for e in x for leaf in leaves(e)]
        case dict():
            return [leaf for e in x.values() for leaf in leaves(e)]
    return []


def rebuilt(x: Any, numbers: Iterator[float], wide: bool = True) -> Any:
    """A value like ``x`` with other numbers, in double precision or in its own."""
    match x:
        case float() | np.floating():
            return (
                type(x)(next(numbers))
                if not wide or type(x) is float
                else np.float64(next(numbers))
            )
        case np.ndarray() if x.dtype.kind == "f":
            dtype = np.float64 if wide else x.dtype
            return np.array([next(numbers) for _ in range(x.size)], dtype).reshape(x.shape)
        case list() | tuple():
            return type(x)(rebuilt(e, numbers, wide) for e in x)
        case dict():
            return type(x)({k: rebuilt(e, numbers, wide) for k, e in x.items()})
    return copy.deepcopy(x)


def direction(x: Any, seed: int = 3) -> Any:
    """A random value like ``x``."""
    return without_inert(
        rebuilt(x, iter(np.random.default_rng(seed).normal(size=len(leaves(x)))), wide=False)
    )


def without_inert(x: Any) -> Any:
    """None in place of leaves that are no floats, as in a gradient."""
    match x:
        case list() | tuple():
            return type(x)(without_inert(e) for e in x)
        case dict():
            return type(x)({k: without_inert(e) for k, e in x.items()})
    return x if leaves(x) or isinstance(x, np.ndarray) else None


def structured(gradient: Any, x: Any, where: str) -> list[float]:
    """The numbers of a gradient, which must have the type, shape and dtype of its argument."""
    match x:
        case list() | tuple():
            assert type(gradient) is type(x), f"{where}: {type(gradient)} for {type(x)}"
            assert len(gradient) == len(x), where
            return [n for g, e in zip(gradient, x) for n in structured(g, e, where)]
        case dict():
            assert type(gradient) is type(x), f"{where}: {type(gradient)} for {type(x)}"
            assert list(gradient) == list(x), f"{where}: {gradient!r}"
            return [n for k in x for n in structured(gradient[k], x[k], where)]
        case np.ndarray() if x.dtype.kind == "f":
            assert type(gradient) is np.ndarray, f"{where}: {type(gradient)} for an array"
            assert gradient.shape == x.shape, f"{where}: shape {gradient.shape} for {x.shape}"
            assert gradient.dtype == x.dtype, f"{where}: dtype {gradient.dtype} for {x.dtype}"
            return leaves(gradient)
        case float() | np.floating() if not isinstance(x, bool):
            assert type(gradient) is type(x), f"{where}: {type(gradient)} for {type(x)}"
            return leaves(gradient)
    assert gradient is None or not isinstance(x, str), f"{where}: {gradient!r} for {x!r}"
    return []


def alike(a: Any, b: Any, where: str) -> None:
    """Values that must be the same, with their types."""
    assert type(a) is type(b), f"{where}: {type(a)} and {type(b)}"
    if isinstance(a, list | tuple):
        assert len(a) == len(b), where
        for x, y in zip(a, b):
            alike(x, y, where)
    elif isinstance(a, dict):
        assert list(a) == list(b), where
        for k in a:
            alike(a[k], b[k], where)
    elif isinstance(a, np.ndarray | np.generic):
        assert a.dtype == b.dtype and a.shape == b.shape, (
            f"{where}: {a.dtype}{a.shape}, {b.dtype}{b.shape}"
        )
        np.testing.assert_array_equal(a, b, err_msg=where)
    else:
        # From Python 3.12 on its own sum of floats is compensated, and that of a loop is not.
        same = math.isclose(a, b, rel_tol=1e-15) if type(a) is float and COMPENSATED else a == b
        assert same or (a != a and b != b), f"{where}: {a!r} and {b!r}"


def differences(
    f: Function, args: tuple[Any, ...], k: int, seed: list[float], step: float = 2e-4
) -> Any:
    """The gradient of ``seed . f`` by differences of fourth order."""
    base = leaves(args[k])
    found = np.zeros(len(base))
    for i in range(len(base)):
        for h, weight in ((1, 8.0), (-1, -8.0), (2, -1.0), (-2, 1.0)):
            moved = list(base)
            moved[i] += h * step
            call = [rebuilt(a, iter(moved if j == k else leaves(a))) for j, a in enumerate(args)]
            found[i] += weight * float(np.dot(seed, leaves(f(*call)))) / (12 * step)
    return found


class Check:
    """All that is asked of one program with one tuple of arguments."""

    def __init__(
        self, function: Function, args: tuple[Any, ...], second: bool = True, third: bool = False
    ) -> None:
        self.f, self.args, self.third = function, args, third
        self.value = function(*copy.deepcopy(args))
        self.scalar = not isinstance(self.value, list | tuple | dict) and np.shape(self.value) == ()
        self.seed = direction(self.value)
        self.active = [k for k, a in enumerate(args) if leaves(a)]
        self.second = second and self.scalar
        narrow = any(getattr(a, "dtype", None) == np.float32 for a in args)
        self.rtol, self.atol = (3e-4, 3e-5) if narrow else (1e-6, 1e-8)

    def run(self) -> None:
        with warnings.catch_warnings(), np.errstate(all="ignore"):
            warnings.simplefilter("ignore")
            for k in self.active:
                expected = differences(self.f, self.args, k, leaves(self.seed))
                self.split(k, expected)
                self.forward(k, expected)
                if self.scalar:
                    expected = differences(self.f, self.args, k, [1.0])
                    self.reverse(k, expected)
                if self.second:
                    self.twice(k)
            if self.scalar and len(self.active) > 1:
                self.several()

    def close(self, found: Any, expected: Any, where: str, loose: float = 1.0) -> None:
        scale = max(1.0, float(np.max(np.abs(expected), initial=0.0)))
        np.testing.assert_allclose(
            found, expected, rtol=self.rtol * loose, atol=self.atol * loose * scale, err_msg=where
        )

    def fresh(self) -> tuple[Any, ...]:
        return copy.deepcopy(self.args)

    def reverse(self, k: int, expected: Any) -> None:
        found = []
        for optimized in (True, False):
            where = f"reverse, argument {k}, optimized={optimized}"
            args = self.fresh()
            value, gradient = tl.value_and_grad(self.f, wrt=k, optimized=optimized)(*args)
            alike(value, self.value, f"value, {where}")
            alike(args, self.args, f"arguments, {where}")
            numbers = structured(gradient, args[k], where)
            self.close(numbers, expected, where)
            self.unshared(gradient, args, where)
            found.append(numbers)
            alone = tl.grad(self.f, wrt=k, optimized=optimized)(*args)
            self.close(structured(alone, args[k], f"grad, {where}"), expected, f"grad, {where}")
        np.testing.assert_allclose(*found, rtol=1e-12 if self.rtol < 1e-5 else 1e-5, atol=1e-12)

    def unshared(self, gradient: Any, args: tuple[Any, ...], where: str) -> None:
        mine = arrays(gradient)
        for i, g in enumerate(mine):
            assert g.flags.writeable, f"{where}: the gradient is read-only"
            for other in [*arrays(args), *mine[:i]]:
                assert not np.shares_memory(g, other), f"{where}: the gradient shares memory"

    def split(self, k: int, expected: Any) -> None:
        value, pullback = tl.vjp(self.f, wrt=k)(*self.fresh())
        alike(value, self.value, f"value of vjp, argument {k}")
        for again in (0, 1):
            found = pullback(copy.deepcopy(self.seed))
            where = f"pullback, argument {k}, call {again}"
            self.close(structured(found, self.args[k], where), expected, where)

    def forward(self, k: int, expected: Any) -> None:
        v = direction(self.args[k], 5)
        value, tangent = tl.jvp(self.f, wrt=k)(*self.fresh(), tangent=v)
        alike(value, self.value, f"value of jvp, argument {k}")
        where = f"forward, argument {k}"
        if self.scalar or isinstance(self.value, np.ndarray):
            assert np.shape(tangent) == np.shape(self.value), where
        found = float(np.dot(leaves(tangent), leaves(self.seed)))
        self.close(found, float(np.dot(expected, leaves(v))), where)

    def several(self) -> None:
        found = tl.grad(self.f, wrt=tuple(self.active))(*self.fresh())
        assert type(found) is tuple and len(found) == len(self.active)
        for k, gradient in zip(self.active, found):
            expected = differences(self.f, self.args, k, [1.0])
            where = f"several arguments, argument {k}"
            self.close(structured(gradient, self.args[k], where), expected, where)
        self.unshared(found, self.args, "several arguments")

    def twice(self, k: int) -> None:
        """Both modes over reverse, reverse over forward, and a mixed derivative."""
        first = tl.grad(self.f, wrt=k)
        v = direction(self.args[k], 7)
        for j in self.active:
            expected = differences(first, self.args, j, leaves(v))
            _, pullback = tl.vjp(first, wrt=j)(*self.fresh())
            where = f"reverse over reverse, arguments {k} and {j}"
            self.close(
                structured(pullback(copy.deepcopy(v)), self.args[j], where), expected, where, 10
            )
            w = direction(self.args[j], 9)
            _, tangent = tl.jvp(first, wrt=j)(*self.fresh(), tangent=w)
            where = f"forward over reverse, arguments {k} and {j}"
            found = float(np.dot(structured(tangent, self.args[k], where), leaves(v)))
            self.close(found, float(np.dot(expected, leaves(w))), where, 10)
        self.reverse_over_forward(k, v)
        if self.third and np.shape(self.args[k]) == ():
            self.thrice(k, first)

    def reverse_over_forward(self, k: int, v: Any) -> None:
        push = tl.jvp(self.f, wrt=k)
        expected = differences(tl.grad(self.f, wrt=k), self.args, k, leaves(v))
        own = self.tangents(push)
        if not own:  # a list as argument: the names are known once the text for it is written
            push(*self.fresh(), tangent=copy.deepcopy(v))
            own = self.tangents(push)
        _, pullback = tl.vjp(push, wrt=k)(*self.fresh(), **{own[0]: copy.deepcopy(v)})
        value = self.value
        seed = (value * 0, value * 0 + 1)
        where = f"reverse over forward, argument {k}"
        self.close(structured(pullback(seed), self.args[k], where), expected, where, 10)

    def tangents(self, push: Function) -> list[str]:
        """The names of the tangents that a forward derivative takes."""
        known = inspect.signature(self.f).parameters
        return [p for p in inspect.signature(push).parameters if p not in known]

    def thrice(self, k: int, first: Function) -> None:
        second = tl.grad(first, wrt=k)
        expected = differences(second, self.args, k, [1.0])
        found = tl.grad(second, wrt=k)(*self.fresh())
        self.close(
            structured(found, self.args[k], "third"), expected, f"third order, argument {k}", 100
        )


def arrays(x: Any) -> list[Any]:
    """The arrays in a value."""
    if isinstance(x, list | tuple):
        return [a for e in x for a in arrays(e)]
    if isinstance(x, dict):
        return [a for e in x.values() for a in arrays(e)]
    return [x] if isinstance(x, np.ndarray) else []


def check(function: Function, *args: Any, **options: Any) -> None:
    """Everything that must hold of the derivatives of ``function`` at ``args``."""
    Check(function, args, **options).run()
