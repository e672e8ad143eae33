"""Derivatives of methods: bound to their objects, or methods themselves where a class is written.

In: a function, a method or an object that can be called, and a request.
Out: its derivative; the parameter that ``wrt`` does not count.
Next: api.
"""

from __future__ import annotations

import functools
import inspect
from collections.abc import Callable
from types import FunctionType, MethodType
from typing import Any

from tangentlite import arguments, ir, wrappers
from tangentlite.derivative import Derivative
from tangentlite.emit import Unit
from tangentlite.errors import DerivativeError
from tangentlite.remembering import remembered
from tangentlite.runtime.containers.objects import is_object


def derivative(primal: Callable[..., Any], request: ir.Request) -> Derivative:
    """The derivative of a function; of a method it is bound to the method's object."""
    primal = as_method(primal)
    if isinstance(primal, MethodType):
        return Bound(derivative(primal.__func__, request), primal.__self__)
    if isinstance(primal, Bound):
        return Bound(derivative(primal.plain, request), primal.owner)
    kind = Method if unseen(primal) is not None else Derivative
    return remembered(primal, request, kind)


def as_method(f: Any) -> Any:
    """An object that can be called is called by its method ``__call__``; what is decorated, by a plain function."""
    if is_object(f) and isinstance(f.__call__, MethodType):
        return f.__call__
    return wrappers.plain(f)


def unseen(f: Any) -> str | None:
    """The parameter that ``wrt`` does not count: ``self`` or ``cls`` of what was written in a class."""
    function = getattr(f, "primal", f)
    while hasattr(function, "primal"):
        function = function.primal
    function = getattr(function, "__func__", function)
    if not isinstance(function, FunctionType) or not in_class(function):
        return None
    first = next(iter(inspect.signature(function).parameters), "")
    return first if first in ("self", "cls") else None


def in_class(function: Any) -> bool:
    """Whether a function was written in the body of a class."""
    path = ["", *getattr(function, "__qualname__", "").split(".")]
    return path[-2] not in ("", "<locals>")


class Method(Derivative):
    """The derivative of a function that was written in a class: what a class has of it are methods."""

    def __get__(self, owner: Any, kind: type | None = None) -> Derivative:
        """A derivative made in the body of a class is a method of its objects, as its primal is."""
        return self if owner is None else Bound(self, owner)


class Bound(Derivative):
    """The derivative of a method, with the object it belongs to."""

    plain: Derivative
    owner: Any

    def __new__(cls, plain: Any, owner: Any) -> Bound:
        if not isinstance(plain, Derivative):  # a profiler puts together again what it took apart
            return functools.partial(plain, owner)  # type: ignore[return-value]
        self: Bound = functools.partial.__new__(cls, plain, owner)
        self.plain, self.owner = plain, owner
        self.primal, self.request = MethodType(plain.primal, owner), plain.request
        self.__name__ = self.__qualname__ = plain.__name__
        self.__doc__ = plain.__doc__
        return self

    @property
    def __func__(self) -> Any:
        return self.plain.__func__

    def _ready(self) -> None:
        """The text of the method, for objects like this one where it cannot be written for all."""
        try:
            self.plain._ready()
        except DerivativeError as fault:
            if not fault.of_kinds:
                raise
            if not self.plain._units:
                self.plain._settle_usual()
                others = (self.plain._usual or ())[1:]
                self.plain._write((arguments.kind("self", self.owner), *others))
        self._units, self._aside = self.plain._units, self.plain._aside

    def _shown(self) -> list[Unit]:
        return self.plain._shown()

    @property
    def __signature__(self) -> inspect.Signature:
        signature = inspect.signature(self.plain)
        return signature.replace(parameters=list(signature.parameters.values())[1:])

    def forward(self, args: tuple[Any, ...], kwargs: dict[str, Any]) -> tuple[Any, FunctionType]:
        return self.plain.forward((self.owner, *args), kwargs)

    def prepare(self, *args: Any, **kwargs: Any) -> None:
        self.plain.prepare(self.owner, *args, **kwargs)

    def __reduce__(self) -> tuple[Any, ...]:
        return Bound, (self.plain, self.owner)
