"""Whether a function can be read yet, and whether what it calls is still what it called.

In: the function of the user, and the helpers that were compiled with it.
Out: guards, which notice a helper that is defined anew.
Next: derivative.
"""

from __future__ import annotations

from types import CodeType, FunctionType
from typing import Any

from tangentlite import frontend, syntax

Guard = tuple[dict[str, Any], str, Any, CodeType]


def unbound(function: Any) -> bool:
    """Whether compiling must wait: a global is not bound yet, or the function is being decorated."""
    if not isinstance(function, FunctionType):
        return False
    scope = function.__globals__
    if function.__qualname__ == function.__name__ and function.__name__.isidentifier():
        if (
            scope.get(function.__name__) is not function
            and "<" not in function.__code__.co_filename[:1]
        ):
            return True
    source = frontend.read(function)
    local = syntax.stores(source.body) | {p.name for p in source.params}
    return any(not source.namespace.binds(n) for n in syntax.loads(source.body) - local)


def made(primal: Any, helpers: list[Any]) -> list[Guard]:
    """Where each helper was found."""
    found: list[Guard] = []
    scopes = [getattr(primal, "__globals__", {})] + [h.__globals__ for h in helpers]
    for helper in dict.fromkeys(helpers):
        for scope in scopes:
            found += [
                (scope, n, helper, helper.__code__) for n, v in list(scope.items()) if v is helper
            ]
    return found


def stale(guards: list[Guard]) -> bool:
    """Whether a helper was redefined since its derivative was written."""
    return any(f.__code__ is not code or scope.get(n) is not f for scope, n, f, code in guards)
