"""Functions that import another and hand it all that they are given: a call of one is a call of that.

In: a function of the user.
Out: the function of a library that it hands its arguments to.
Next: stars.
"""

from __future__ import annotations

from types import FunctionType
from typing import Any

import gast

from tangentlite import frontend
from tangentlite.errors import DerivativeError


def forwarded(function: FunctionType) -> Any:
    """``splev`` for ``def f(*args, **kw): from scipy.interpolate import splev; return splev(*args, **kw)``; or None."""
    code = function.__code__
    if code.co_argcount or code.co_kwonlyargcount or len(code.co_varnames) > 3:
        return None
    try:
        source = frontend.read(function, fenced=False)
    except DerivativeError:
        return None
    match source.body:
        case [
            gast.Return(
                value=gast.Call(
                    func=gast.Name(id=called),
                    args=[gast.Starred(value=gast.Name(id=args))],
                    keywords=keywords,
                )
            )
        ] if called in code.co_varnames[1:] and args == code.co_varnames[0]:
            spread = [(k.arg, getattr(k.value, "id", None)) for k in keywords]
            if spread in ([], [(None, code.co_varnames[1])]) and source.namespace.binds(called):
                return source.namespace.lookup(called)
    return None
