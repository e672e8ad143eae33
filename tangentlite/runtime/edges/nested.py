"""Nests of gradients that fit as they are: nests like an earlier one are finished by one function, written for these.

In: a nest and its gradient, which were finished part by part.
Out: ``fitting``: that function; ``Fits``: those that are known.
Next: finish.
"""

from __future__ import annotations

import dataclasses
from collections.abc import Callable
from functools import lru_cache
from types import CodeType, FunctionType
from typing import Any

import numpy as np

from tangentlite.runtime.containers.fields import slots
from tangentlite.runtime.containers.objects import Gradient, attributes, has_attributes
from tangentlite.runtime.shapes.broadcast import DOUBLE, NESTS
from tangentlite.runtime.zero import ZERO

Finish = Callable[[Any, Any], Any]
LARGE = 64  # parts of a nest that are named one by one
MANY = 512  # types and lengths that are known
NUMBERS = {float}
EMPTY = frozenset(
    (int, bool, str, type(None), FunctionType, np.ufunc)
)  # what has no gradient in a nest
ARRAY = (
    "type({x}) is type({b}) is ndarray and {x}.dtype is {b}.dtype is DOUBLE and {b}.base is None"
    " and {b}.shape == {x}.shape and {b}.flags.writeable"
)
TEXT = """def finished(b0, x0):
    try:
{lines}    except (ValueError, KeyError):
        return None
    return {result}
"""


def _is_plain(kind: Any) -> bool:
    """Whether the gradient of an object holds what its dict holds."""
    return has_attributes(kind) and not slots(kind) and not dataclasses.is_dataclass(kind)


class _Odd(Exception):
    """A part that only a closer look can finish."""


class Fits:
    """The functions for nests of a type and a length, or of a class, each written for the last that it did not fit.

    >>> fits, x = Fits(), [np.ones(2), 1.0]
    >>> [fits([np.zeros(2), 3.0], x) for _ in range(3)]
    [None, None, None]
    >>> for _ in range(2):
    ...     fits.learn([np.zeros(2), 3.0], x)
    >>> fits([np.zeros(2), 3.0], x), fits([np.zeros(3), 3.0], x), fits([3.0, np.zeros(2)], x)
    ([array([0., 0.]), 3.0], None, None)
    """

    def __init__(self) -> None:
        self._known, self._missed = dict[Any, Finish](), dict[Any, int]()

    def __call__(self, bx: Any, x: Any) -> Any:
        """The finished gradient, if all of it fits as it is; else None."""
        kind: Any = type(x)
        finish = self._known.get((kind, len(x)) if kind in NESTS else kind)
        return None if finish is None else finish(bx, x)

    def learn(self, bx: Any, x: Any) -> None:
        """A nest that was not known: the next one may be like it, the more seldom the more were not."""
        kind: Any = type(x)
        if kind in NESTS and len(x) > LARGE:
            return
        if len(self._missed) > MANY:
            self._missed.clear()
            self._known.clear()
        key = (kind, len(x)) if kind in NESTS else kind
        missed = self._missed[key] = self._missed.get(key, 0) + 1
        if missed > 1 and not missed & (missed - 1):
            finish = fitting(bx, x)
            if finish is not None:
                self._known[key] = finish


def fitting(bx: Any, x: Any) -> Finish | None:
    """What gives the gradients of nests like ``x`` if these are like ``bx`` and fit as they are, else None.

    >>> finish = fitting({"w": [np.ones(2), np.ones(3)]}, {"w": (np.ones(2), np.ones(3))})
    >>> w, b = np.zeros(4), np.zeros(5)
    >>> finish({"w": [w, b]}, {"w": (w, b)})
    {'w': (array([0., 0., 0., 0.]), array([0., 0., 0., 0., 0.]))}
    >>> finish({"w": [w, w]}, {"w": (w, w)}), finish({"w": [w]}, {"w": (w,)}), finish({"v": []}, {"w": ()})
    (None, None, None)
    >>> fitting([np.ones(2)], [object()]) is None
    True
    """
    parts = _Parts()
    try:
        result = parts.of("0", bx, x)
    except _Odd:
        return None
    lines = "".join(f"        {line}\n" for line in [*parts.lines, *parts.apart()])
    scope = {**parts.names, "ndarray": np.ndarray, "DOUBLE": DOUBLE, "NUMBERS": NUMBERS}
    exec(_compiled(TEXT.format(lines=lines, result=result)), scope)
    made: Finish = scope["finished"]
    return made


@lru_cache(256)
def _compiled(text: str) -> CodeType:
    return compile(text, "<tangentlite: gradients>", "exec")


class _Parts:
    """The ``lines`` that take nests apart and test their parts, and the ``names`` that they read."""

    def __init__(self) -> None:
        self.lines, self.names = list[str](), dict[str, Any]()
        self._arrays, self._count = list[str](), 0

    def of(self, name: str, bx: Any, x: Any) -> str:
        """What finishes a part, after lines that test it."""
        kind: Any = type(x)
        if kind is np.ndarray and type(bx) is np.ndarray and bx.dtype is x.dtype is DOUBLE:
            self._arrays.append(f"b{name}")
            self._wants(ARRAY.format(x=f"x{name}", b=f"b{name}"))
            return f"b{name}"
        if kind is float and type(bx) is float:
            self._wants(f"type(x{name}) is type(b{name}) is float")
            return f"b{name}"
        if kind in EMPTY:
            self._wants(f"type(x{name}) is {self._named(kind)}")
            return "None"
        if kind is dict and type(bx) is dict and {*map(type, x)} == {str} and bx.keys() == x.keys():
            self._wants(f"type(x{name}) is type(b{name}) is dict and [*x{name}] == {[*x]!r}")
            return f"{{{self._under_keys(name, bx, x)}}}"
        if kind is type(bx) is list and {*map(type, x)} == {*map(type, bx)} == NUMBERS:
            return self._numbers(name)
        if (kind is list or kind is tuple) and type(bx) in (list, tuple) and len(bx) == len(x) > 0:
            return self._sequence(name, bx, x)
        if type(bx) is dict and _is_plain(kind):
            return self._object(name, bx, x)
        raise _Odd

    def _sequence(self, name: str, bx: Any, x: Any) -> str:
        inner = self._fresh(len(x))
        kind, given = type(x).__name__, type(bx).__name__
        self._wants(f"type(x{name}) is {kind} and type(b{name}) is {given}")
        for side in "xb":
            self.lines.append(f"{', '.join(side + n for n in inner)}, = {side}{name}")
        parts = "".join(f"{self.of(n, b, part)}, " for n, b, part in zip(inner, bx, x))
        return f"[{parts}]" if kind == "list" else f"({parts})"

    def _numbers(self, name: str) -> str:
        """A list of numbers, of which nobody counts how many there are."""
        lists = f"type(x{name}) is type(b{name}) is list and len(x{name}) == len(b{name})"
        floats = f"{{*map(type, x{name})}} == {{*map(type, b{name})}} == NUMBERS"
        self._wants(f"{lists} and {floats}")
        return f"b{name}[:]"

    def _object(self, name: str, bx: Any, x: Any) -> str:
        held, known = attributes(x), self._named(type(x))
        if type(held) is not dict or held is not x.__dict__ or not held:
            raise _Odd
        own = f"[*x{name}.__dict__] == {[*held]!r}"
        self._wants(f"type(x{name}) is {known} and type(b{name}) is dict and {own}")
        self.lines.append(f"x{name} = x{name}.__dict__")
        self.names["Gradient"] = Gradient
        return f"Gradient(**{{{self._under_keys(name, bx, held)}}})"

    def _under_keys(self, name: str, bx: Any, x: Any) -> str:
        """The parts of what has names for them: none where there is no gradient."""
        inner = self._fresh(len(x))
        self.lines.append(f"{', '.join('x' + n for n in inner)}, = x{name}.values()")
        for n, key in zip(inner, x):
            if type(x[key]) not in EMPTY:
                self.lines.append(f"b{n} = b{name}[{key!r}]")
        parts = [f"{k!r}: {self.of(n, bx.get(k, ZERO), x[k])}" for n, k in zip(inner, x)]
        return ", ".join(parts)

    def apart(self) -> list[str]:
        """The test that no two gradients are one array."""
        ids = ", ".join(f"id({b})" for b in self._arrays)
        several = len(self._arrays) > 1
        return [f"if len({{{ids}}}) < {len(self._arrays)}: return None"] if several else []

    def _wants(self, test: str) -> None:
        self.lines.append(f"if not ({test}): return None")

    def _fresh(self, count: int) -> list[str]:
        self._count += count
        if self._count > LARGE:
            raise _Odd
        return [str(self._count - k) for k in range(count)]

    def _named(self, value: Any) -> str:
        name = f"known{len(self.names)}"
        self.names[name] = value
        return name
