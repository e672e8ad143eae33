"""The derivatives of a function are written once, and kept where the function is.

In: a function, a request, the class of the derivative.
Out: the derivative, the same one for the same request as long as the function and the rules are the same.
Next: methods.
"""

from __future__ import annotations

from types import FunctionType
from typing import Any, TypeVar

from tangentlite import ir, twins
from tangentlite.derivative import Derivative
from tangentlite.sharing import memory, same, standing
from tangentlite.twins import Again

Kind = TypeVar("Kind", bound=Derivative)


def remembered(primal: Any, request: ir.Request, kind: type[Kind]) -> Kind:
    """The derivative that was asked for before, or a new one.

    >>> def f(x):
    ...     return x * x
    >>> first, second = (remembered(f, ir.Request(wrt=("x",)), Derivative) for _ in range(2))
    >>> first is second
    True
    """
    if not isinstance(primal, FunctionType | Derivative):
        return kind(primal, request)
    if isinstance(primal, Again):
        primal._ready()
    made = memory(primal)
    now = standing(primal)
    before, found = made.get((kind, request), ((), None))
    if not same(before, now):
        twin = twins.of(primal, request) if kind is Derivative else None
        found = kind(primal, request) if twin is None else Again(primal, request, twin)
        if kind is Derivative:
            twins.note(primal, request)
        made[kind, request] = now, found
    return found  # type: ignore[no-any-return]
