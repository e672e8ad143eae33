"""The object that ``tl.grad`` returns: a function, with its source.

In: a function and a request.
Out: ``Derivative``.
Next: api.
"""

from __future__ import annotations

import inspect
from collections.abc import Callable
from dataclasses import replace
from types import CodeType, FunctionType
from typing import Any

import gast

from tangentlite import emit, frontend, ir, pipeline, syntax
from tangentlite.analysis.kinds import Kind, Num, Unknown, forget, of
from tangentlite.emit import Unit, travel
from tangentlite.errors import UnsupportedSyntaxError
from tangentlite.runtime import KindError, numbers

Kinds = tuple[Kind, ...]


class Derivative:
    """A derivative: call it, read its ``.source``, differentiate it again.

    ``function`` is the generated function, ``primal`` the user's, ``request`` what was asked for.
    """

    def __init__(self, primal: Callable[..., Any], request: ir.Request, defer: bool = False) -> None:
        self.primal, self.request = primal, request
        self._variants: dict[Kinds, Unit] = {}
        self._units: list[Unit] = []
        self._guards: list[tuple[Any, ...]] = []
        self._function: FunctionType | None = None
        self.__name__ = getattr(primal, "__name__", "derivative")
        if not (defer or _unbound(primal)):
            self._compile()

    # Compiling ------------------------------------------------------------------------------

    def _compile(self) -> FunctionType:
        linker = pipeline.Linker()
        unit = pipeline.derive(_plain(self.primal), self.request, linker)
        self._units = [unit, *linker.units]
        self._guards = _guards(self.primal, linker.helpers)
        self._function = unit.functions[0]
        self._function.__module__ = getattr(self.primal, "__module__", "")
        self.__name__ = self.__qualname__ = self._function.__name__
        self.__doc__ = self._function.__doc__
        self._variants = {}
        return self._function

    @property
    def function(self) -> FunctionType:
        """The generated function (of split motion: the forward one)."""
        if self._function is None or (self._guards and self._stale()):
            return self._compile()
        return self._function

    @property
    def functions(self) -> tuple[FunctionType, ...]:
        """All functions of the text: forward and backward in split motion."""
        assert self.function is not None
        return self._units[0].functions

    @property
    def __wrapped__(self) -> FunctionType:
        return self.function

    @property
    def source(self) -> str:
        """The generated text, with the pairs of its helpers."""
        assert self.function is not None
        return emit.sources(self._units[0], self._units[1:])

    @property
    def __signature__(self) -> inspect.Signature:
        return inspect.signature(self.function)

    def _stale(self) -> bool:
        """Whether a helper was redefined since its derivative was written."""
        return any(scope.get(name) is not found or found.__code__ is not code for scope, name, found, code in self._guards)

    # Calling --------------------------------------------------------------------------------

    def __call__(self, /, *args: Any, **kwargs: Any) -> Any:
        if self._function is None or self._guards or self._variants or kwargs:
            return self._call(args, kwargs)
        try:
            return self._function(*args)
        except KindError as mismatch:
            if not any(mismatch.value is a for a in args):
                raise
        return self._variant(args, kwargs)(*args)

    def _call(self, args: tuple[Any, ...], kwargs: dict[str, Any]) -> Any:
        function = self.function
        if kwargs:
            kwargs = self._spelled(kwargs)
        if self._variants:
            return self._variant(args, kwargs)(*args, **kwargs)
        try:
            return function(*args, **kwargs)
        except KindError as mismatch:
            if not any(mismatch.value is a for a in (*args, *kwargs.values())):
                raise
        return self._variant(args, kwargs)(*args, **kwargs)

    def _spelled(self, kwargs: dict[str, Any]) -> dict[str, Any]:
        """``adjoint=`` and ``tangent=`` in the names of the text."""
        own = self._own_parameters()
        if "adjoint" in kwargs and self.request.mode == "reverse" and "adjoint" not in own:
            (seed,) = [p for p in inspect.signature(self.function).parameters if p not in own]
            return {(seed if k == "adjoint" else k): v for k, v in kwargs.items()}
        if "tangent" in kwargs and self.request.mode == "forward" and "tangent" not in own:
            names = [p for p in inspect.signature(self.function).parameters if p not in own]
            given = kwargs.pop("tangent")
            several = self.request.several or len(names) > 1
            return {**kwargs, **dict(zip(names, given if several else (given,)))}
        return kwargs

    def _own_parameters(self) -> set[str]:
        return set(inspect.signature(_plain(self.primal)).parameters)

    def _variant(self, args: tuple[Any, ...], kwargs: dict[str, Any]) -> Callable[..., Any]:
        """The function compiled for the kinds of these arguments."""
        kinds = self._kinds(args, kwargs)
        if all(k == Num() for k in kinds):
            return self.function
        return self._unit(kinds).functions[0]

    def _kinds(self, args: tuple[Any, ...], kwargs: dict[str, Any]) -> Kinds:
        signature = inspect.signature(_plain(self.primal))
        own = {k: v for k, v in kwargs.items() if k in signature.parameters}
        bound = signature.bind(*args, **own)
        bound.apply_defaults()
        return tuple(_argument_kind(n, v) for n, v in bound.arguments.items())

    def _unit(self, kinds: Kinds) -> Unit:
        if kinds not in self._variants:
            linker = pipeline.Linker()
            primal = self.primal
            if isinstance(primal, Derivative):
                primal = primal.written_for(kinds)
            unit = pipeline.derive(primal, replace(self.request, kinds=kinds), linker)
            self._units += [unit, *linker.units]
            self._variants[kinds] = unit
        return self._variants[kinds]

    def written_for(self, kinds: Kinds) -> FunctionType:
        """The function for arguments of these kinds; parameters that the primal lacks come last or first."""
        own = [p in self._own_parameters() for p in inspect.signature(self.function).parameters]
        kinds = tuple(k for k, mine in zip(kinds, own) if mine)
        return self.function if all(k == Num() for k in kinds) else self._unit(kinds).functions[0]

    def pair_for(self, args: tuple[Any, ...], kwargs: dict[str, Any]) -> tuple[FunctionType, ...]:
        """The forward and backward function for these arguments."""
        pair = self.functions
        try:
            kinds = self._kinds(args, kwargs)
        except TypeError:
            return pair
        if all(k == Num() for k in kinds):
            return pair
        return self._unit(kinds).functions

    # Traveling ------------------------------------------------------------------------------

    def __reduce__(self) -> tuple[Any, ...]:
        functions = self.functions
        imports, values = travel.describe(functions)
        return _rebuild, (self._units[0].source, self.__name__, imports, values, self.request)

    def __repr__(self) -> str:
        return f"<derivative {self.__name__} of {getattr(self.primal, '__qualname__', self.primal)}>"


class Traveled(Derivative):
    """A derivative that arrived by pickle: text and functions, without the primal."""

    def __init__(self, source: str, functions: tuple[FunctionType, ...], request: ir.Request) -> None:
        self.primal, self.request = functions[0], request
        self._variants, self._guards = {}, []
        self._units = [Unit(source, functions, functions[0].__code__.co_filename)]
        self._function = functions[0]
        self.__name__ = self.__qualname__ = functions[0].__name__
        self.__doc__ = functions[0].__doc__

    def _own_parameters(self) -> set[str]:
        parameters = inspect.signature(self.primal).parameters.values()
        return {p.name for p in parameters if p.kind is not inspect.Parameter.KEYWORD_ONLY}

    def _variant(self, args: tuple[Any, ...], kwargs: dict[str, Any]) -> Callable[..., Any]:
        raise TypeError("a derivative that was pickled takes the kinds of arguments it was compiled for")


def _rebuild(source: str, name: str, imports: Any, values: Any, request: ir.Request) -> Derivative:
    return Traveled(source, travel.rebuild(source, name, imports, values), request)


def _plain(function: Any) -> Any:
    """The function whose source is read: a derivative stands for its generated function."""
    return function.function if isinstance(function, Derivative) else function


def _argument_kind(name: str, value: Any) -> Kind:
    kind = of(value)
    if isinstance(kind, Num):
        numbers(value)
        return Num()
    if isinstance(kind, Unknown):
        try:
            numbers(value)
        except KindError:
            pass
        raise UnsupportedSyntaxError(
            f"argument `{name}`: {kind.why}, and objects are not differentiated yet",
            None,
            "Pass its numbers and arrays as arguments of their own, or in a list, tuple or dict.",
        )
    return forget(kind)


def _unbound(function: Any) -> bool:
    """Whether compiling must wait: a global is not bound yet, or the function is being decorated."""
    if isinstance(function, Derivative) or not isinstance(function, FunctionType):
        return False
    scope = function.__globals__
    if function.__qualname__ == function.__name__ and function.__name__.isidentifier():
        if scope.get(function.__name__) is not function and "<" not in function.__code__.co_filename[:1]:
            return True
    source = frontend.read(function)
    local = syntax.stores(source.body) | {p.name for p in source.params}
    return any(not source.namespace.binds(n) for n in syntax.loads(source.body) - local)


def _guards(primal: Any, helpers: list[Any]) -> list[tuple[dict[str, Any], str, Any, CodeType]]:
    """Where each helper was found, to notice when it is defined anew."""
    found = []
    scopes = [getattr(_plain(primal), "__globals__", {})] + [h.__globals__ for h in helpers]
    for helper in dict.fromkeys(helpers):
        for scope in scopes:
            names = [n for n, v in scope.items() if v is helper]
            found += [(scope, n, helper, helper.__code__) for n in names]
    return found


__all__ = ["Derivative", "gast"]
