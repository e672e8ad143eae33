"""Functions that are called: builtins with a meaning of their own, and the user's.

In: a callee and its arguments.
Out: how to treat the call.
Next: classify.
"""

from __future__ import annotations

import inspect
import operator
import sys
from types import FunctionType
from typing import Any

import gast

from tangentlite import rules, runtime
from tangentlite.analysis import containers
from tangentlite.analysis.kinds import Dict, Inert, Kind, List, Nothing, Tuple
from tangentlite.analysis.operations import Copy, NoFlow, Operation

LIBRARIES = frozenset(sys.stdlib_module_names) - {"__main__"} | {"numpy", "scipy"}


def special(
    callee: Any, args: list[gast.expr], kinds: list[Kind], point: int
) -> tuple[Operation, Kind] | None:
    """Calls that hand their argument on: conversions of containers, unpacking, sequences."""
    if callee in (set, frozenset):
        return NoFlow(), Inert("set")
    if callee is dict and not args:
        return None
    if callee is runtime.joined:
        return containers.operation(operator.add, args, kinds)
    if not args or not isinstance(args[0], gast.Name):
        return None
    name, kind = args[0].id, kinds[0]
    if callee is runtime.sequence:
        return _sequence(name, kind)
    if callee is runtime.unpack or callee is runtime.stack:
        return Copy(name), kind
    if callee is dict and len(args) == 1 and isinstance(kind, Dict):
        return Copy(name), kind
    if callee in (list, tuple) and len(args) == 1:
        match kind:
            case Tuple(items=items):
                return Copy(name), Tuple(items, callee.__name__)
            case List():
                return Copy(name), kind
            case Dict() | Inert() | Nothing():
                return NoFlow(), Inert("sequence")
    return None


def _sequence(name: str, kind: Kind) -> tuple[Operation, Kind]:
    match kind:
        case Inert(type="shape"):
            return NoFlow(), kind
        case Dict() | Inert() | Nothing():
            return NoFlow(), Inert("sequence")
    return Copy(name), kind


def observes(callee: Any) -> bool:
    """Whether a callee only looks at its arguments: print, logging, time, what is registered as inactive."""
    owner = getattr(callee, "__func__", callee)
    module = (getattr(owner, "__module__", None) or "").partition(".")[0]
    if callee in (print, input) or module in ("logging", "warnings", "time", "matplotlib"):
        return True
    rule = rules.find(callee)
    return rule is not None and rule.algebra == "inactive"


def parameters(callee: Any) -> list[tuple[str, object]]:
    """The parameters of a user's function with their defaults."""
    return [
        (p.name, p.default)
        for p in inspect.signature(callee, follow_wrapped=False).parameters.values()
    ]


def bind(
    callee: Any, args: list[gast.expr], keywords: dict[str, gast.expr]
) -> dict[str, gast.expr] | str:
    """Arguments by parameter, or the reason why the call cannot be followed."""
    if not isinstance(callee, FunctionType):
        return f"no rule for `{rules.spelled(callee)}`"
    if (callee.__module__ or "").startswith("tangentlite.runtime"):
        return f"a second derivative through `rt.{callee.__name__}` is not written yet"
    if (callee.__module__ or "").partition(".")[0] in LIBRARIES:
        return f"no rule for `{callee.__module__}.{callee.__qualname__}`"
    signature = inspect.signature(callee, follow_wrapped=False)
    variadic = (inspect.Parameter.VAR_POSITIONAL, inspect.Parameter.VAR_KEYWORD)
    if any(p.kind in variadic for p in signature.parameters.values()):
        return f"`{callee.__qualname__}` takes * or ** arguments"
    try:
        return dict(signature.bind(*args, **keywords).arguments)
    except TypeError as fault:
        return f"{callee.__qualname__}(): {fault}"


def hint(callee: Any, shown: str) -> str:
    """What the user can do about a function without rule."""
    return (
        "Give it a rule:\n"
        f"    @tl.adjoint({shown})\n"
        "    def df(y, x):\n"
        "        d[x] = …  # the adjoint of x, from the adjoint d[y] of the result\n"
        f"or, if its result has no derivative, tl.inactive({shown})."
    )


__all__ = ["bind", "hint", "observes", "parameters", "special"]
