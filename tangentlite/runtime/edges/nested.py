"""Nests of gradients that fit as they are: nests like an earlier one are finished by one function, written for these.

In: a nest and its gradient, which were finished part by part.
Out: ``fitting``: that function; ``Fits``: those that are known.
Next: finish.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import lru_cache
from types import CodeType
from typing import Any

import numpy as np

from tangentlite.runtime.shapes.broadcast import DOUBLE

Finish = Callable[[Any, Any], Any]
LARGE = 64  # parts of a nest that are named one by one
NUMBERS = {float}
EMPTY = frozenset((int, bool, str, type(None)))  # what has no gradient inside of a nest
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


class _Odd(Exception):
    """A part that only a closer look can finish."""


class Fits:
    """The functions for nests of a type and a length, each written for the last that it did not fit.

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
        finish = self._known.get((type(x), len(x)))
        return None if finish is None else finish(bx, x)

    def learn(self, bx: Any, x: Any) -> None:
        """A nest that was not known: the next one may be like it, the more seldom the more were not."""
        if len(x) > LARGE:
            return
        key = type(x), len(x)
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
            return self._dict(name, bx, x)
        if kind is type(bx) is list and {*map(type, x)} == {*map(type, bx)} == NUMBERS:
            return self._numbers(name)
        if (kind is list or kind is tuple) and type(bx) in (list, tuple) and len(bx) == len(x) > 0:
            return self._sequence(name, bx, x)
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

    def _dict(self, name: str, bx: Any, x: Any) -> str:
        inner = self._fresh(len(x))
        self._wants(f"type(x{name}) is type(b{name}) is dict and [*x{name}] == {[*x]!r}")
        self.lines.append(f"{', '.join('x' + n for n in inner)}, = x{name}.values()")
        for n, key in zip(inner, x):
            self.lines.append(f"b{n} = b{name}[{key!r}]")
        parts = (f"{k!r}: {self.of(n, bx[k], x[k])}" for n, k in zip(inner, x))
        return f"{{{', '.join(parts)}}}"

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
