"""What functions mean to Numba where an argument may be None: what they mean for the array that it must be there.

In: the meaning of a function for plain types.
Out: the same, and one for types of what may be None.
Next: overloads.

A name that a branch alone binds begins as None, and is tested before it is read. Numba keeps both in its type; a
meaning that asks whether a type is that of an array would take it for a number.
"""

from __future__ import annotations

import inspect
from collections.abc import Callable
from functools import wraps
from typing import Any

from numba import extending
from numba.core import types
from numba.typed.typedobjectutils import _nonoptional as given


def overload(function: Any, **options: Any) -> Callable[[Any], Any]:
    """As ``numba.extending.overload``; None where an array is needed raises TypeError."""

    def register(meaning: Any) -> Any:
        signature = inspect.signature(meaning)

        @wraps(meaning)
        def told(*kinds: Any, **named: Any) -> Any:
            bound = signature.bind(*kinds, **named).arguments
            whole = {n: k.type for n, k in bound.items() if _is_array_or_none(k)}
            if not whole:
                return meaning(*kinds, **named)
            if meaning(**{**bound, **whole}) is None:
                return None
            return _unwrapped(function, signature, whole)

        extending.overload(function, **options)(told)
        return meaning

    return register


def _is_array_or_none(kind: Any) -> bool:
    return isinstance(kind, types.Optional) and isinstance(kind.type, types.Array)


def _unwrapped(function: Any, signature: inspect.Signature, whole: Any) -> Any:
    """``lambda b, like: function(b, given(like))``."""
    scope: dict[str, Any] = {"function": function, "given": given}
    params, args = [], []
    for name, param in signature.parameters.items():
        default = param.default is not inspect.Parameter.empty
        scope |= {f"_{name}": param.default} if default else {}
        params.append(f"{name}=_{name}" if default else name)
        args.append(f"given({name})" if name in whole else name)
    return eval(f"lambda {', '.join(params)}: function({', '.join(args)})", scope)
