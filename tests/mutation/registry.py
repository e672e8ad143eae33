"""Small programs that write in place: a function, its arguments, what is asked of it.

A program needs no expected value: finite differences give it. ``raises`` names the exception that the
program and every derivative of it must raise; ``rough`` is for results that float32 rounds; ``flat``
for a derivative that is zero; ``gap`` says what the compiler lacks yet, and expects the refusal.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import numpy as np

Function = Callable[..., Any]

W4 = np.array([0.7, -1.3, 0.4, 1.9])
W33 = np.cos(1.0 + np.arange(9.0)).reshape(3, 3)
W232 = np.cos(2.0 + np.arange(12.0)).reshape(2, 3, 2)


@dataclass(frozen=True)
class Case:
    """One program of the collection with one tuple of arguments."""

    function: Function
    args: tuple[Any, ...]
    raises: str = ""
    rough: bool = False
    flat: bool = False
    gap: str = ""

    @property
    def name(self) -> str:
        """Theme and function: ``stores.one_element``."""
        return f"{self.function.__module__.rpartition('.')[2]}.{self.function.__name__}"


def case(*args: Any, **options: Any) -> Callable[[Function], Function]:
    """Make a program a case of the collection, with these arguments."""

    def add(function: Function) -> Function:
        vars(function).setdefault("cases", []).append(Case(function, args, **options))
        return function

    return add


def vector(seed: int = 0) -> Any:
    """Four numbers, none near another, zero or a half."""
    return np.roll(np.array([0.31, -0.83, 1.17, 0.64]), seed) * (1.0 - 0.07 * seed)


def square(seed: int = 0) -> Any:
    """A matrix of three rows."""
    return np.sin(1.3 * np.arange(1.0, 10.0) + 0.4 * seed).reshape(3, 3)


def block(seed: int = 0) -> Any:
    """An array of shape (2, 3, 2)."""
    return np.cos(1.7 * np.arange(1.0, 13.0) + 0.3 * seed).reshape(2, 3, 2)
