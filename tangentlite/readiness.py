"""Whether a function can be read yet: a decorator runs before the name below it is bound.

In: the function of the user.
Out: ``unbound``, for which compiling waits; refusals of functions whose name is that of their derivative, or which
have other parameters by now.
Next: derivative.
"""

from __future__ import annotations

from types import FunctionType
from typing import Any

import gast

from tangentlite import frontend, scopes, syntax
from tangentlite.errors import UnsupportedSyntaxError


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
    around = [f for f in getattr(function, "__around__", ()) if isinstance(f, FunctionType)]
    return any(_awaits(f) for f in (function, *around))


def _awaits(function: FunctionType) -> bool:
    """Whether a name from outside is not bound yet."""
    if not frontend.lacks(function):
        return False
    source = frontend.read(function, fenced=False)
    own = {*function.__code__.co_varnames, *function.__code__.co_cellvars}
    lacking = {n for n in source.contents.names - own if not source.namespace.binds(n)}
    return bool(lacking) and not lacking.isdisjoint(scopes.free(source.tree))


def refuse_itself(primal: Any, derivative: Any) -> None:
    """A decorated function that calls itself would call its derivative."""
    if (
        not isinstance(primal, FunctionType)
        or primal.__globals__.get(primal.__name__) is not derivative
    ):
        return
    source = frontend.read(primal)
    for node in (n for s in source.body for n in syntax.walk(s)):
        if isinstance(node, gast.Name) and node.id == primal.__name__:
            name = primal.__name__
            raise UnsupportedSyntaxError(
                f"`{name}` now names its derivative",
                source.origin.place(node),
                f"Leave the decorator away, and write `d{name} = tl.grad({name})` below the function.",
            )


def refuse_renamed(primal: Any, names: tuple[str, ...]) -> None:
    """A derivative for the parameter ``x`` says so when a reload has given the function others."""
    if not isinstance(primal, FunctionType):
        return
    gone = [name for name in names if name not in primal.__code__.co_varnames]
    if gone:
        reason = f"`{primal.__name__}` has no parameter `{gone[0]}` any more"
        raise UnsupportedSyntaxError(
            reason, None, "Make its derivative anew, for a parameter it has now."
        )
