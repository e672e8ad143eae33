"""Callables that are no plain functions of their own parameters, as functions that call them.

In: a function, a cached, compiled or decorated one, a ``functools.partial``, a ``staticmethod``.
Out: a plain function that takes the same arguments.
Next: methods.
"""

from __future__ import annotations

import functools
import inspect
from collections.abc import Iterable, Iterator
from inspect import Parameter, Signature
from types import CellType, FunctionType
from typing import Any

from tangentlite import rules
from tangentlite.derivative import Derivative
from tangentlite.emit.module import load, register
from tangentlite.frontend import jitted
from tangentlite.ir import EMPTY, Namespace
from tangentlite.naming import Names
from tangentlite.rules import Rule
from tangentlite.sharing import memory, same, standing

VARIADIC = (Parameter.VAR_POSITIONAL, Parameter.VAR_KEYWORD)
CACHED = type(functools.lru_cache(len))
SHOWN = (int, float, complex, str, bytes, bool, type(None))


def plain(f: Any) -> Any:
    """``f`` if it is a plain function, or nothing that can be called like one; else a function that calls it.

    >>> import linecache
    >>> def power(x, n, *, scale=2.0):
    ...     return scale * x**n
    >>> cube = plain(functools.partial(power, n=3))
    >>> print(*linecache.getlines(cube.__code__.co_filename), sep="", end="")
    def power(x, *, n=3, scale=2.0):
        return power_1(x, n=n, scale=scale)
    >>> cube(2.0)
    16.0
    """
    if isinstance(f, staticmethod):
        return plain(f.__func__)
    rule = None if isinstance(f, Derivative) else rules.find(f)
    if rule is not None:
        return _by_rule(f, rule)
    if isinstance(f, Derivative) or not isinstance(f, FunctionType | functools.partial | CACHED):
        function = jitted.inside(f)
        return f if function is None else plain(function)
    if isinstance(f, FunctionType) and not hasattr(f, "__wrapped__"):
        return f
    try:
        said = inspect.signature(f)
    except ValueError:
        return f
    if not isinstance(f, FunctionType):
        return _calling(f, said)
    own = inspect.signature(f, follow_wrapped=False)
    if any(p.kind in VARIADIC for p in own.parameters.values()):
        return _calling(f, said)
    return f if _form(own) == _form(said) else _calling(f, own)


def _by_rule(f: Any, rule: Rule) -> Any:
    """A function that calls what has a rule, so that the rule is used and not what the function does inside."""
    if not isinstance(f, FunctionType):
        needed = [p for p in rule.params if p.default is EMPTY]
        said = Signature([Parameter(p.name, p.kind) for p in needed])
        return _calling(f, said) if needed else f
    kept, now = memory(f), standing(f)
    before, made = kept.get(_by_rule, ((), None))
    if not same(before, now):
        made = _calling(f, inspect.signature(f, follow_wrapped=False))
        kept[_by_rule] = now, made
    return made


def _form(signature: Signature) -> list[tuple[Any, ...]]:
    return [(p.name, p.kind, id(p.default)) for p in signature.parameters.values()]


def layers(f: Any) -> Iterator[Any]:
    """The functions that a ``functools.partial`` or a decorated function is made of, the innermost last."""
    yield f
    if isinstance(f, functools.partial) and not isinstance(f, Derivative):
        yield from layers(f.func)
    elif hasattr(f, "__wrapped__") and not isinstance(f, Derivative):
        yield from layers(f.__wrapped__)


def _calling(f: Any, signature: Signature) -> FunctionType:
    parameters = signature.parameters.values()
    *_, function = parts = tuple(layers(f))
    name = getattr(function, "__name__", "")
    name = name if name.isidentifier() else "f"
    names = Names([name, *signature.parameters])
    callee = names.fresh(f"{name}_1")
    shown = signature.replace(
        parameters=[_shown(p) for p in parameters], return_annotation=Signature.empty
    )
    given = ", ".join(map(_given, parameters))
    source = f"def {name}{shown}:\n    return {callee}({given})\n"
    space = Namespace(getattr(function, "__globals__", {}), {callee: CellType(f)})
    (made,) = load(source, register(source, name), [name], [space])
    made.__around__ = parts  # type: ignore[attr-defined]
    made.__qualname__ = getattr(f, "__qualname__", name)
    made.__doc__ = f.__doc__
    made.__module__ = getattr(function, "__module__", None) or type(function).__module__
    _fill(made, parameters)
    made.__renew__ = functools.partial(_renew, made)  # type: ignore[attr-defined]
    return made


def _renew(made: FunctionType) -> None:
    """The defaults are those that the function inside has now."""
    try:
        now = inspect.signature(made.__around__[0]).parameters  # type: ignore[attr-defined]
    except ValueError:  # of C, told by its rule
        return
    held = list(inspect.signature(made).parameters.values())
    found = [Parameter(p.name, p.kind, default=now.get(p.name, p).default) for p in held]
    if any(one.default is not other.default for one, other in zip(held, found)):
        _fill(made, found)


class _Dots:
    """What stands for a default that has no text."""

    def __repr__(self) -> str:
        return "..."


def _shown(parameter: Parameter) -> Parameter:
    """A parameter without annotation."""
    default = parameter.default
    if default is not EMPTY and not isinstance(default, SHOWN):
        default = _Dots()
    return Parameter(parameter.name, parameter.kind, default=default)


def _given(parameter: Parameter) -> str:
    if parameter.kind is Parameter.KEYWORD_ONLY:
        return f"{parameter.name}={parameter.name}"
    stars = VARIADIC.index(parameter.kind) + 1 if parameter.kind in VARIADIC else 0
    return "*" * stars + parameter.name


def _fill(made: FunctionType, parameters: Iterable[Parameter]) -> None:
    """The defaults are the objects themselves."""
    given = [p for p in parameters if p.default is not EMPTY]
    positional = tuple(p.default for p in given if p.kind is not Parameter.KEYWORD_ONLY)
    keyword = {p.name: p.default for p in given if p.kind is Parameter.KEYWORD_ONLY}
    made.__defaults__, made.__kwdefaults__ = positional or None, keyword or None
