"""Helpers that give an iterator over what they are given, as ``six.iteritems``: a loop over one walks over that.

In: what a loop walks over.
Out: the view, or the list, of which the helper makes an iterator.
Next: loops.
"""

from __future__ import annotations

from types import FunctionType
from typing import Any

import gast

from tangentlite import frontend, syntax
from tangentlite.errors import DerivativeError
from tangentlite.frontend.consumers import VIEWS
from tangentlite.lowering.context import Context, remade


def walked(data: gast.Call, context: Context) -> gast.expr:
    """``d.items()`` for ``iteritems(d)``, where that is ``return iter(d.items())``; any other call as it is."""
    function = context.meaning(data.func)
    if type(function) is not FunctionType or "iter" not in function.__code__.co_names:
        return data
    given = [*data.args, *(k.value for k in data.keywords)]
    if len(given) != 1 or data.keywords or isinstance(given[0], gast.Starred):
        return data
    found = _iterated(function)
    if found is None:
        return data
    attr, name = found
    params = function.__code__.co_varnames
    if not params or params[0] != name or function.__code__.co_argcount != 1:
        return data
    if attr is None:
        return given[0]
    method = syntax.at(gast.Attribute(given[0], attr, gast.Load()), data)
    return remade(data, func=method, args=[])


def _iterated(function: FunctionType) -> tuple[str | None, str] | None:
    """The method, and the parameter, of ``return iter(d.items())``."""
    try:
        body: list[Any] = frontend.read(function, fenced=False).body
    except DerivativeError:
        return None
    match body[-1:]:
        case [gast.Return(value=gast.Call(func=gast.Name(id="iter"), args=[inner], keywords=[]))]:
            plain = all(isinstance(s, gast.Expr) and _is_text(s.value) for s in body[:-1])
            own = {"iter"} & {*function.__globals__, *function.__code__.co_freevars}
            return _view(inner) if plain and not own else None
    return None


def _view(inner: gast.expr) -> tuple[str | None, str] | None:
    match inner:
        case gast.Name(id=name):
            return None, name
        case gast.Call(func=gast.Attribute(value=gast.Name(id=name), attr=attr), args=[]):
            spread = all(k.arg is None for k in inner.keywords)  # ``**kw``, of which none is given
            return (attr, name) if attr in VIEWS and spread else None
    return None


def _is_text(node: gast.expr) -> bool:
    return isinstance(node, gast.Constant) and isinstance(node.value, str)
