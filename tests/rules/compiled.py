"""A rule in a function of its own, taken through the whole compiler and back by differences."""

from __future__ import annotations

import cmath
import copy
import linecache
import math
import operator
from collections.abc import Callable, Sequence
from typing import Any

import numpy as np
import pytest

import tangentlite as tl
from tangentlite import rules

WEIGHTS = np.random.default_rng(11).normal(size=1000)
SYMBOLS = {
    operator.add: "{} + {}",
    operator.sub: "{} - {}",
    operator.mul: "{} * {}",
    operator.truediv: "{} / {}",
    operator.pow: "{} ** {}",
    operator.mod: "{} % {}",
    operator.neg: "-{}",
    operator.pos: "+{}",
    operator.matmul: "{} @ {}",
    operator.getitem: "{}[{}]",
    operator.abs: "abs({})",
}


class Program:
    """``def f(x0, x1): …`` around one call: its float arguments are parameters, the rest is written out."""

    def __init__(self, primal: Any, args: Sequence[Any], kwargs: dict[str, Any]) -> None:
        self.values: list[Any] = []
        self.scope: dict[str, Any] = {}
        shown = [self._shown(a) for a in args]
        words = [f"{name}={self._shown(value)}" for name, value in kwargs.items()]
        self.call = _call(primal, shown, words)

    def _shown(self, x: Any) -> str:
        if is_float(x):
            self.values.append(x)
            return f"x{len(self.values) - 1}"
        if isinstance(x, list) and any(is_float(e) or isinstance(e, list) for e in x):
            return f"[{', '.join(map(self._shown, x))}]"
        if isinstance(x, slice):
            return ":".join("" if e is None else repr(e) for e in (x.start, x.stop, x.step))
        if isinstance(x, tuple) and any(isinstance(e, slice) or e is ... for e in x):
            return ", ".join(map(self._shown, x))
        if x is ...:
            return "..."
        if x is None or isinstance(x, int | str | tuple | list):
            return repr(x)
        if isinstance(x, type):
            return x.__name__
        self.scope[f"c{len(self.scope)}"] = x
        return f"c{len(self.scope) - 1}"

    def loss(self) -> Callable[..., Any]:
        """A scalar function of the call's result, curved, with a weight of its own per element."""
        plain = self._function(f"return {self.call}")(*self.values)
        several = isinstance(plain, list | tuple)
        terms = []
        for k, part in enumerate(plain if several else [plain]):
            size = int(np.size(part))
            self.scope[f"w{k}"] = WEIGHTS[7 * k : 7 * k + size].reshape(np.shape(part))
            result = f"r[{k}]" if several else "r"
            terms.append(f"np.sum(w{k} * np.sin({result}))")
        return self._function(f"r = {self.call}", "return " + " + ".join(terms))

    def _function(self, *lines: str) -> Callable[..., Any]:
        head = f"def f({', '.join(f'x{k}' for k in range(len(self.values)))}):"
        text = "".join(f"{line}\n" for line in (head, *(f"    {line}" for line in lines)))
        name = f"<compiled {self.call} {len(linecache.cache)}>"
        linecache.cache[name] = (len(text), None, text.splitlines(True), name)
        scope = {
            "np": np,
            "math": math,
            "cmath": cmath,
            "copy": copy,
            "operator": operator,
            **self.scope,
        }
        exec(compile(text, name, "exec"), scope)
        function: Callable[..., Any] = scope["f"]
        return function


def is_float(x: Any) -> bool:
    """Whether a derivative is asked for in ``x``."""
    return isinstance(x, float | np.floating) or (isinstance(x, np.ndarray) and x.dtype.kind == "f")


def _call(primal: Any, shown: list[str], words: list[str]) -> str:
    if primal in SYMBOLS:
        return SYMBOLS[primal].format(*shown)
    if getattr(primal, "__objclass__", None) is np.ndarray:
        method = f"{shown[0]}.{primal.__name__}"
        return f"{method}({', '.join(shown[1:] + words)})" if callable(primal) else method
    return f"{rules.spelled(primal)}({', '.join(shown + words)})"


def confirm(program: Program, second: bool = True) -> None:
    """Both modes against differences; then both modes of the gradient against its differences."""
    f, args = program.loss(), program.values
    wrt: Any = tuple(range(len(args))) if len(args) > 1 else 0
    draw = np.random.default_rng(5)
    v, u = ([_like(draw.normal(size=np.shape(x)), x) for x in args] for _ in range(2))
    expected = slope(lambda *xs: float(f(*xs)), args, v, 1e-6)
    for optimized in (True, False):
        gradient = listed(tl.grad(f, wrt=wrt, optimized=optimized)(*args), wrt)
        for g, x in zip(gradient, args, strict=True):
            assert type(g) is type(x)
            assert np.shape(g) == np.shape(x)
            assert getattr(g, "dtype", None) == getattr(x, "dtype", None)
        close(paired(gradient, v), expected, 2e-5)
    close(tl.jvp(f, wrt=wrt)(*args, tangent=given(v, wrt))[1], expected, 2e-5)
    if second:
        df = tl.grad(f, wrt=wrt)
        bent = slope(lambda *xs: paired(listed(df(*xs), wrt), u), args, v, 1e-5)
        back = tl.vjp(df, wrt=wrt)(*args)[1](given(u, wrt))
        close(paired(listed(back, wrt), v), bent, 1e-4)
        ahead = tl.jvp(df, wrt=wrt)(*args, tangent=given(v, wrt))[1]
        close(paired(listed(ahead, wrt), u), bent, 1e-4)


def slope(f: Callable[..., float], args: Sequence[Any], v: Sequence[Any], step: float) -> float:
    """The derivative of ``f`` along ``v`` by a central difference."""
    up, down = (
        f(*(_like(x + s * d, x) for x, d in zip(args, v, strict=True))) for s in (step, -step)
    )
    return (up - down) / (2 * step)


def close(found: Any, expected: float, tolerance: float) -> None:
    assert float(found) == pytest.approx(expected, rel=tolerance, abs=tolerance)


def paired(a: Sequence[Any], b: Sequence[Any]) -> float:
    """``Σ a·b`` over all arguments."""
    return float(sum(np.sum(np.asarray(x) * np.asarray(y)) for x, y in zip(a, b, strict=True)))


def listed(gradients: Any, wrt: Any) -> Sequence[Any]:
    return gradients if isinstance(wrt, tuple) else [gradients]


def given(values: list[Any], wrt: Any) -> Any:
    return tuple(values) if isinstance(wrt, tuple) else values[0]


def _like(value: Any, x: Any) -> Any:
    if type(x) is float:
        return float(value)
    return type(x)(value) if isinstance(x, np.floating) else np.asarray(value).astype(x.dtype)
