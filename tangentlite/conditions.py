"""Under what conditions the compiler runs: one thread at a time, with room for deep trees, no search for garbage.

In: a function that compiles.
Out: the same function, under these conditions.
Next: pipeline.
"""

from __future__ import annotations

import functools
import gc
from collections.abc import Callable
from threading import RLock
from typing import ParamSpec, TypeVar

from tangentlite.translation import deep

P = ParamSpec("P")
R = TypeVar("R")
_compiling = RLock()


def undisturbed(function: Callable[P, R]) -> Callable[P, R]:
    """Trees make no garbage that is worth a search while they grow."""

    @functools.wraps(function)
    def calm(*args: P.args, **kwargs: P.kwargs) -> R:
        if not gc.isenabled():
            return function(*args, **kwargs)
        gc.disable()
        try:
            return function(*args, **kwargs)
        finally:
            gc.enable()

    return calm


def alone(function: Callable[P, R]) -> Callable[P, R]:
    """One thread at a time: what was compiled is shared, and so are trees and what is known of them."""

    @functools.wraps(function)
    def waiting(*args: P.args, **kwargs: P.kwargs) -> R:
        with _compiling:
            return function(*args, **kwargs)

    return waiting


def compiles(function: Callable[P, R]) -> Callable[P, R]:
    """All of it."""
    return alone(deep(undisturbed(function)))
