"""The table of kernels, and builders of their arguments.

A builder takes a generator of random numbers; any other value given to ``kernel`` is the argument itself.
"""

from __future__ import annotations

import copy
import importlib
import inspect
import pkgutil
import zlib
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import numpy as np

Function = Callable[..., Any]
Builder = Callable[[np.random.Generator], Any]
KERNELS: dict[str, Kernel] = {}
PLACES: dict[str, tuple[str, int]] = {}  # a module may be imported under two names


@dataclass(frozen=True)
class Kernel:
    """A function with example arguments; ``inert`` names those without influence on the outputs."""

    function: Function
    arguments: dict[str, Any]
    inert: tuple[str, ...] = ()
    second: bool = True
    gap: str | None = None

    @property
    def name(self) -> str:
        return self.function.__name__

    def fresh(self) -> tuple[Any, ...]:
        """The arguments in order, for a call that may write them."""
        return copy.deepcopy(tuple(self.arguments.values()))


def kernel(
    *, inert: tuple[str, ...] = (), second: bool = True, gap: str | None = None, **arguments: Any
) -> Callable[[Function], Function]:
    """Add a kernel; ``second=False`` leaves out the second order, ``gap`` says what is missing yet."""

    def add(function: Function) -> Function:
        name = function.__name__
        place = function.__code__.co_filename, function.__code__.co_firstlineno
        assert PLACES.setdefault(name, place) == place, f"two kernels are called {name}"
        given = [p for p in inspect.signature(function).parameters if p in arguments]
        assert len(given) == len(arguments), f"{name} has no parameter of that name"
        made = {p: built(f"{name}.{p}", arguments[p]) for p in given}
        KERNELS[name] = Kernel(function, made, inert, second, gap)
        return function

    return add


def built(place: str, what: Any) -> Any:
    """The argument that a builder makes for this place, always the same."""
    return what(np.random.default_rng(zlib.crc32(place.encode()))) if callable(what) else what


def every_kernel() -> dict[str, Kernel]:
    """All kernels of this folder, by name."""
    package = __package__ or ""
    for module in pkgutil.iter_modules(importlib.import_module(package).__path__):
        if module.name not in ("corpus", "harness") and not module.name.startswith("test_"):
            importlib.import_module(f"{package}.{module.name}")
    return KERNELS


def normal(*shape: int, scale: float = 1.0) -> Builder:
    """Normally distributed numbers."""
    return lambda rng: scale * rng.normal(size=shape)


def positive(*shape: int, low: float = 0.5, high: float = 1.5) -> Builder:
    """Numbers between two bounds."""
    return lambda rng: rng.uniform(low, high, size=shape)


def dominant(n: int, *, scale: float = 1.0) -> Builder:
    """A matrix that needs no pivoting."""
    return lambda rng: scale * rng.normal(size=(n, n)) + 2.0 * n * scale * np.eye(n)


def definite(n: int) -> Builder:
    """A symmetric positive definite matrix."""

    def build(rng: np.random.Generator) -> Any:
        root = rng.normal(size=(n, n))
        return root @ root.T / n + np.eye(n)

    return build


def integers(high: int, *shape: int) -> Builder:
    """Whole numbers below ``high``."""
    return lambda rng: rng.integers(0, high, size=shape)


def series(count: int, builder: Builder) -> Builder:
    """A list of values of one sort."""
    return lambda rng: [builder(rng) for _ in range(count)]


def record(**builders: Any) -> Builder:
    """A dict of values."""
    return lambda rng: {k: b(rng) if callable(b) else b for k, b in builders.items()}
