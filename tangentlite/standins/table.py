"""Which function stands in for which.

In: nothing.
Out: ``stands_for``, ``read_for``, ``find``.
Next: the functions.
"""

from __future__ import annotations

import importlib
from collections.abc import Callable, Mapping
from types import FunctionType
from typing import Any, TypeVar

Standin = Callable[..., Any]
Function = TypeVar("Function", bound=Standin)

_table: dict[object, Standin] = {}
_complex: dict[object, Standin] = {}
_literal: dict[object, list[tuple[dict[str, object], Standin]]] = {}
_whole: set[Standin] = set()


def stands_for(*primals: object, **literals: object) -> Callable[[Function], Function]:
    """Declare that calls of ``primals`` are compiled as calls of a plain function: those with ``literals``, if given.

    >>> @stands_for("a primal")
    ... def said_otherwise(x):
    ...     return x * x
    >>> find("a primal") is said_otherwise, find("another")
    (True, None)
    >>> del _table["a primal"]
    """

    def declare(function: Function) -> Function:
        for primal in primals if literals else ():
            _literal.setdefault(primal, []).append((literals, function))
        _table.update(dict.fromkeys(() if literals else primals, function))
        return function

    return declare


STEPWISE = "__stepwise__"  # what a function has that is read in another form


def read_for(primal: Any) -> Callable[[Function], Function]:
    """Declare that the derivatives of ``primal``, which is called as it is, are those of another plain function."""

    def declare(function: Function) -> Function:
        setattr(primal, STEPWISE, lambda: function)
        return function

    return declare


def later(name: str) -> Callable[..., Any]:
    """``tl.jvp`` or its like for the text of stand-ins, which are read before there is one.

    >>> later("jvp").__name__
    'jvp'
    """

    def transform(*args: Any, **options: Any) -> Any:
        return getattr(importlib.import_module("tangentlite.api"), name)(*args, **options)

    transform.__name__ = name
    transform.__transforms__ = True  # type: ignore[attr-defined]
    return transform


def whole(function: Function) -> Function:
    """Declare that a stand-in does nothing that may fail after it has written into what it is given."""
    _whole.add(function)
    return function


def is_whole(function: object) -> bool:
    """Whether a function is a stand-in that is declared ``whole``."""
    return function in _whole


def stands_for_complex(*primals: object) -> Callable[[Function], Function]:
    """Declare what calls of ``primals`` with complex arguments are compiled as."""

    def declare(function: Function) -> Function:
        _complex.update(dict.fromkeys(primals, function))
        return function

    return declare


def find(primal: object, is_complex: bool = False) -> Standin | None:
    """The stand-in of a callable; None if it has none. Functions of SciPy are known by their public names."""
    try:
        found = (_complex if is_complex else _table).get(primal)
    except TypeError:
        return None
    if found is None and not is_complex:
        if str(getattr(primal, "__module__", "")).startswith("scipy."):
            return _table.get(public_name(primal))
        if isinstance(primal, FunctionType):  # a Jacobian that was made outside
            return vars(primal).get("__plain__")
    return found


def find_literal(primal: object, given: Mapping[str, object]) -> Standin | None:
    """The stand-in of a callable for a call in which keywords have these values."""
    name = str(getattr(primal, "__module__", ""))
    if not given or not name.startswith("scipy."):
        return None
    for literals, function in _literal.get(public_name(primal), ()):
        if literals.items() <= given.items():
            return function
    return None


def public_name(primal: Any) -> str:
    """A function without the private modules that it is written in.

    >>> def function(): ...
    >>> function.__module__ = "scipy.special._logsumexp"
    >>> public_name(function)
    'scipy.special.function'
    """
    parts = [p for p in primal.__module__.split(".") if not p.startswith("_")]
    owner = getattr(primal, "__self__", None)
    kind = type(owner).__name__
    name = kind.removesuffix("_gen") if kind.endswith("_gen") else None  # a distribution
    held = [getattr(owner, "name", name)] if owner is not None else []
    return ".".join([*parts, *(h for h in held if h), getattr(primal, "__name__", "")])


def entries() -> dict[object, Standin]:
    """All primals that have a stand-in."""
    return dict(_table)
