"""Functions in values: which kinds may hold some, and which calls they take.

In: kinds.
Out: answers, and the kinds of containers in which functions may be exchanged.
Next: operations.
"""

from __future__ import annotations

import inspect
from typing import Any

import gast

from tangentlite.analysis.kinds import Choice, Dict, Kind, List, Tuple, Value, is_closure
from tangentlite.runtime.containers.closures import Label


def perhaps_closure(kind: Kind | None) -> bool:
    """Whether some values of a kind are closures, and others are functions that hold nothing."""
    return is_closure(kind) and isinstance(kind.items[0], Choice)  # type: ignore[union-attr]


def is_loose(kind: Kind | None) -> bool:
    """Whether there are closures in values of a kind which must not outlive the variables that they captured."""
    match kind:
        case Tuple(items=items) | Dict(items=items):
            return any(map(is_loose, items))
        case List(item=item):
            return is_loose(item)
        case Choice(values=values):
            return any(map(is_loose, values))
        case Value(value=Label(loose=loose)):
            return loose
    return False


def holds_functions(kind: Kind | None) -> bool:
    """Whether there may be functions in values of a kind that were made with them, and are others in each call."""
    match kind:
        case Tuple(items=items) | Dict(items=items):
            return is_closure(kind) or any(map(holds_functions, items))
        case List(item=item):
            return holds_functions(item)
        case Choice(values=values):
            return any(map(holds_functions, values))
        case Value(value=value):
            return hasattr(value, "__lifted__") and not hasattr(value, "__standing__")
    return False


def takes(function: Any, call: gast.Call) -> bool:
    """Whether a function may be called with such arguments, as far as its signature and the call tell."""
    named = {k.arg: k.value for k in call.keywords if k.arg is not None}
    if len(named) < len(call.keywords) or any(isinstance(a, gast.Starred) for a in call.args):
        return True
    held: list[Any] = list(call.args)
    if isinstance(function, Label):
        named |= dict.fromkeys(function.left(len(held), named), call.func)
        function, held = function.function, [call.func] * function.count + held
    try:
        inspect.signature(function).bind(*held, **named)
    except ValueError:
        return True
    except TypeError:
        return False
    return True
