"""Functions that take any number of arguments, with one parameter for all of them.

In: ``ir.Function``.
Out: a function object that takes ``args`` and ``kwargs`` as a tuple and a dict.
Next: analysis.
"""

from __future__ import annotations

from inspect import Parameter
from types import FunctionType
from typing import Any

import gast

from tangentlite import syntax
from tangentlite.ir import Function
from tangentlite.lowering.functions import captures
from tangentlite.lowering.functions.lifted import lifted
from tangentlite.values import replace

VARIADIC = (Parameter.VAR_POSITIONAL, Parameter.VAR_KEYWORD)


def collected(function: Function) -> FunctionType:
    """``def f(x, *args)`` as ``def f(x, args)``."""
    made: FunctionType | None = function.nested.get("collected")
    if made is None:
        made = function.nested["collected"] = _collected(function)
    return made


def _collected(function: Function) -> FunctionType:
    args = captures.undefaulted(function.tree.args)
    none = syntax.at(syntax.constant(None), function.tree)
    if args.vararg is not None:
        args.args, args.defaults = [*args.args, args.vararg], [*args.defaults, none]
    if args.kwarg is not None:
        args.kwonlyargs = [*args.kwonlyargs, args.kwarg]
        args.kw_defaults = [*args.kw_defaults, none]
    args.vararg = args.kwarg = None
    name = function.tree.name
    tree: Any = gast.FunctionDef(name, args, function.body, [], None, None, [])
    params = {p.name: p for p in function.params}
    ordered = [*args.posonlyargs, *args.args, *args.kwonlyargs]
    plain = tuple(_plain(params[arg.id]) for arg in ordered)
    return lifted(syntax.at(tree, function.tree), function, {}, plain)


def _plain(param: Any) -> Any:
    if param.kind is Parameter.VAR_POSITIONAL:
        return replace(param, kind=Parameter.POSITIONAL_OR_KEYWORD, default=())
    if param.kind is Parameter.VAR_KEYWORD:
        return replace(param, kind=Parameter.KEYWORD_ONLY, default={})
    return param
