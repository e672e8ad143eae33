"""Functions with values of their own: nested functions that capture variables, and partials.

In: a function, and the values that it captures.
Out: ``Closure``: a tuple of both, which can be called.
Next: sequences.
"""

from __future__ import annotations

import inspect
from collections.abc import Callable
from functools import cache
from typing import Any

POSITIONAL = (inspect.Parameter.POSITIONAL_ONLY, inspect.Parameter.POSITIONAL_OR_KEYWORD)


class Label:
    """Which function a closure calls: ``count`` values go before the arguments of a call, the others, ``names``,
    stand for keyword arguments that a call leaves away. ``loose``: a variable that it captured is bound again later."""

    __slots__ = ("count", "function", "loose", "names")

    def __init__(
        self, function: Callable[..., Any], count: int, names: tuple[str, ...], loose: bool = False
    ) -> None:
        self.function, self.count, self.names, self.loose = function, count, names, loose

    def left(self, given: int, keywords: Any) -> list[str]:
        """The names that a call with so many positional arguments leaves away."""
        if not self.names:
            return []
        params = inspect.signature(self.function).parameters.values()
        taken = [p.name for p in params if p.kind in POSITIONAL][: self.count + given]
        return [n for n in self.names if n not in taken and n not in keywords]

    def __repr__(self) -> str:
        return getattr(self.function, "__qualname__", repr(self.function))


class Closure(tuple[Any, ...]):
    """A label, and the values.

    >>> closure(pow, 2.0)(3.0)
    8.0
    """

    __slots__ = ()

    @property
    def __name__(self) -> str:
        return str(self[0].function.__name__)

    def __call__(self, *args: Any, **keywords: Any) -> Any:
        label = self[0]
        values = dict(zip(label.names, self[1 + label.count :]))
        named = {n: values[n] for n in label.left(len(args), keywords)}
        return label.function(*self[1 : 1 + label.count], *args, **named, **keywords)


@cache
def label(
    function: Callable[..., Any], count: int, names: tuple[str, ...], loose: bool = False
) -> Label:
    """The one label of a function with so many values before its arguments."""
    return Label(function, count, names, loose)


def closure(function: Callable[..., Any], /, *values: Any, **named: Any) -> Closure:
    """``function`` with values for its first parameters, and for those named."""
    return Closure((label(function, len(values), tuple(named)), *values, *named.values()))


def passing(function: Callable[..., Any], /, *values: Any, **named: Any) -> Closure:
    """A closure that is called before the variables that it captured are bound again."""
    made = label(function, len(values), tuple(named), True)
    return Closure((made, *values, *named.values()))


def calls(function: Any, other: Any) -> bool:
    """Whether a function, or what it holds, is ``other``."""
    return function is other or (type(function) is Closure and function[0].function is other)
