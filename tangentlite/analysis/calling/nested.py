"""Derivatives inside functions that are differentiated: they are made when compiling, and called as text.

In: a call of ``tl.grad`` or its like, or of what that gave.
Out: the derivative, and the function of its text for the kinds at hand.
Next: functions.
"""

from __future__ import annotations

import functools
import inspect
from collections.abc import Callable, Mapping
from types import FunctionType
from typing import Any
from weakref import WeakKeyDictionary

import gast

from tangentlite import syntax
from tangentlite.analysis.given import of
from tangentlite.analysis.kinds import Dict, Kind, List, Num, Tuple, forget, is_complex
from tangentlite.runtime.checkpoints import checkpoint
from tangentlite.values import replace

OPTIONS = ("wrt", "argnums")
_made: WeakKeyDictionary[Any, dict[Any, Any]] = WeakKeyDictionary()


def transforms(value: Any) -> bool:
    """Whether a value is ``tl.grad`` or its like, some options given perhaps."""
    if isinstance(value, functools.partial):
        value = value.func
    return bool(getattr(value, "__transforms__", False))


def marked(function: Any) -> Any:
    """``tl.checkpoint(f)``, made once; None where f is no function of the user."""
    if not isinstance(function, FunctionType):
        return None
    cache = _made.setdefault(function, {})
    if checkpoint not in cache:
        cache[checkpoint] = checkpoint(function)
    return cache[checkpoint]


def is_derivative(value: Any) -> bool:
    """Whether a value is an object that ``tl.grad`` or its like gave."""
    return hasattr(value, "pair_of") or hasattr(value, "__split__")


def is_bound(value: Any) -> bool:
    """Whether a value is the derivative of a method, with the method's object."""
    return is_derivative(value) and hasattr(value, "owner")


def options(call: gast.Call) -> dict[str, Any] | None:
    """The options of ``tl.grad(f, wrt=1)``; None if they are no literals."""
    given = dict(zip(OPTIONS[:1], call.args[1:])) | {k.arg: k.value for k in call.keywords}
    if len(call.args) > 2 or not all(isinstance(v, gast.Constant) for v in given.values()):
        return None
    return {str(k): v.value for k, v in given.items()}


def derivative(
    transform: Callable[..., Any], function: Any, held: int, given: Mapping[str, Any]
) -> Any:
    """``transform(function, …)``; the first ``held`` parameters belong to a closure and are not counted."""
    given = dict(given)
    if held:
        known = list(inspect.signature(function).parameters)[held:]
        key = "argnums" if given.get("argnums") is not None else "wrt"
        wrt = given.get(key, 0)
        several = isinstance(wrt, (tuple, list))
        names = [known[w] if isinstance(w, int) else w for w in (wrt if several else [wrt])]
        given[key] = tuple(names) if several else names[0]
    cache = _made.setdefault(function, {}) if isinstance(function, FunctionType) else {}
    which = (transform, held, repr(given))
    if which not in cache:
        made = transform(function, **given)
        made = getattr(made, "__held__", made) if held else made
        cache[which] = getattr(made, "__plain__", made)
    return cache[which]


def held(
    made: Any, values: list[gast.expr], temporary: Callable[[], str]
) -> tuple[list[gast.stmt], list[gast.expr]]:
    """What the closure of a derivative holds: what the function's closure holds, or the tuple of that."""
    if not hasattr(made, "__together__"):
        return [], values
    name = temporary()
    return [syntax.assign(name, gast.Tuple(values, gast.Load()))], [syntax.name(name)]


def plain(kind: Kind) -> Kind:
    """The kind of an argument as derivatives distinguish them."""
    match kind:
        case Num():
            if kind.persistent:
                return replace(forget(kind))
            return Num(None, "complex") if is_complex(kind) else Num()
        case Tuple(items=items):
            return replace(kind, items=tuple(map(plain, items)))
        case Dict(items=items):
            return replace(kind, items=tuple(map(plain, items)))
        case List(item=item) if item is not None:
            return replace(kind, item=plain(item))
    return forget(kind)


def texts(
    made: Any, args: list[Kind], named: Mapping[str, Kind]
) -> tuple[Callable[..., Any], ...] | None:
    """The functions of a derivative's text for arguments of these kinds; None if it is not called like this."""
    split = getattr(made, "__split__", made)
    if is_bound(split):
        return None
    signature = inspect.signature(split.primal, follow_wrapped=False)
    try:
        bound = signature.bind(
            *args, **{k: v for k, v in named.items() if k in signature.parameters}
        )
    except TypeError:
        return None
    kinds = [bound.arguments.get(n, of(p.default)) for n, p in signature.parameters.items()]
    found: tuple[Callable[..., Any], ...] = split.pair_of(tuple(map(plain, kinds)))
    return found


def seeds(made: Any, text: Callable[..., Any]) -> list[str]:
    """The parameters of a text that its primal has not: ``adjoint=`` or ``tangent=`` stands for them."""
    own = inspect.signature(made.primal, follow_wrapped=False).parameters
    return [n for n in inspect.signature(text).parameters if n not in own]
