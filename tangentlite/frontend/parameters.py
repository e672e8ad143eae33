"""The parameters of a function, each with the object and the text of its default.

In: the arguments of a definition, and the function that it made.
Out: ``ir.Param``.
Next: read.
"""

from __future__ import annotations

from collections.abc import Iterator
from inspect import Parameter
from types import FunctionType
from typing import Any

import gast

from tangentlite.ir import EMPTY, Param


def params(args: gast.arguments, function: FunctionType) -> Iterator[Param]:
    """The parameters, each with the object and the text of its default."""
    positional: list[tuple[Any, Any]] = [(a, Parameter.POSITIONAL_ONLY) for a in args.posonlyargs]
    positional += [(a, Parameter.POSITIONAL_OR_KEYWORD) for a in args.args]
    values = _last(list(function.__defaults__ or ()), len(positional), EMPTY)
    texts = _last(list(args.defaults), len(positional), None)
    for (arg, kind), value, text in zip(positional, values, texts, strict=True):
        yield Param(arg.id, kind, value, text)
    if args.vararg is not None:
        yield Param(args.vararg.id, Parameter.VAR_POSITIONAL, ())
    given = function.__kwdefaults__ or {}
    for arg, text in zip(args.kwonlyargs, args.kw_defaults, strict=True):
        yield Param(arg.id, Parameter.KEYWORD_ONLY, given.get(arg.id, EMPTY), text)
    if args.kwarg is not None:
        yield Param(args.kwarg.id, Parameter.VAR_KEYWORD, {})


def _last(items: list[Any], count: int, missing: object) -> list[Any]:
    return [missing] * (count - len(items)) + items[max(0, len(items) - count) :]
