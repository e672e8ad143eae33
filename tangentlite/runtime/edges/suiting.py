"""Whether arguments are such as an exported file was written for.

In: patterns, and the values that are given.
Out: nothing; KindError for values of another kind.
Next: the runtime.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from tangentlite.runtime.containers.objects import attributes
from tangentlite.runtime.edges.entry import KindError, numeric
from tangentlite.runtime.memory.arrays import is_array

UNLIKE = "this file was not written for such arguments ({}): export it with an example like them"


def suits(patterns: Any, *values: Any) -> None:
    """Check values against patterns.

    A pattern is ``...`` for numbers and arrays, ``complex`` for complex ones, ``{"rank": n}`` for arrays of so many
    dimensions, ``{"rank": None}`` for numbers alone, a list or tuple or ``{"keys": …}`` of patterns, ``{class: …}``
    for objects and namedtuples, else the value itself, or its type.

    >>> suits((..., [...], {"keys": {"w": ...}}, np.sin, str), 1.0, [2.0], {"w": 3.0}, np.sin, "s")
    >>> suits(([..., ...],), [2.0])
    Traceback (most recent call last):
    tangentlite.runtime.edges.entry.KindError: this file was not written for such arguments ([2.0]): export it ...
    """
    for pattern, value in zip(patterns, values):
        if not _suits(pattern, value):
            raise KindError(value, UNLIKE.format(repr(value)[:60]))


def _suits(pattern: Any, value: Any) -> bool:
    if pattern is ...:
        return numeric(value) and value is not None
    if pattern is complex:
        return isinstance(value, complex | np.complexfloating) or is_array(value)
    if isinstance(pattern, dict):
        ((word, inside),) = pattern.items()
        return _of_kind(word, inside, value)
    if isinstance(pattern, list | tuple):
        return type(value) is type(pattern) and _each(pattern, value)
    if isinstance(pattern, type):
        return value is pattern or type(value) is pattern
    return value is pattern or (isinstance(pattern, str | bytes) and value == pattern)


def _of_kind(word: Any, inside: Any, value: Any) -> bool:
    if word == "rank":
        ranked = is_array(value) if inside is not None else not is_array(value)
        return numeric(value) and ranked and inside in (None, np.ndim(value))
    if word == "keys":
        same = type(value) is dict and list(value) == list(inside)
        return same and all(_suits(inside[key], value[key]) for key in inside)
    if type(value) is not word:
        return False
    if isinstance(inside, tuple):
        return _each(inside, value)
    own = attributes(value)
    return own.keys() == inside.keys() and all(_suits(inside[key], own[key]) for key in inside)


def _each(patterns: Any, values: Any) -> bool:
    return len(patterns) == len(values) and all(map(_suits, patterns, values))
