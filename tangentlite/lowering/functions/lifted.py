"""A function object for a definition that the compiler wrote: a nested function with what it captures as parameters.

In: a tree, and the function that it stands in.
Out: a function; ``frontend.read`` gives its tree.
Next: closures.
"""

from __future__ import annotations

import ast
from collections.abc import Mapping
from inspect import Parameter
from types import CellType, FunctionType
from typing import Any

import gast

from tangentlite import syntax
from tangentlite.compiling import function_of
from tangentlite.ir import EMPTY, Function, Param
from tangentlite.lowering.flow import guards
from tangentlite.lowering.functions import captures
from tangentlite.values import replace


def lifted(
    tree: gast.FunctionDef,
    around: Function,
    cells: Mapping[str, CellType],
    params: tuple[Param, ...] | None = None,
) -> FunctionType:
    """The function that ``tree`` defines among the names of ``around`` and of ``cells``.

    ``params`` tells the defaults where they are no literals.
    """
    namespace = around.namespace.extended(cells)
    standard: Any = ast.fix_missing_locations(syntax.to_ast(tree))
    ast.increment_lineno(standard, around.origin.line - 1)
    made = function_of(standard, around.origin.file, namespace.cells, namespace.globals)
    params = tuple(_params(tree.args)) if params is None else params
    given = [p for p in params if p.default is not EMPTY]
    positional = tuple(p.default for p in given if p.kind is not Parameter.KEYWORD_ONLY)
    keyword = {p.name: p.default for p in given if p.kind is Parameter.KEYWORD_ONLY}
    made.__defaults__, made.__kwdefaults__ = positional or None, keyword or None
    source = replace(
        around, tree=tree, name=tree.name, params=params, namespace=namespace, nested={}
    )
    made.__lifted__ = source  # type: ignore[attr-defined]
    return made


def standing(function: Function) -> FunctionType:
    """A function object for a normal form."""
    args = captures.undefaulted(function.tree.args)
    body = guards.written(function.body)
    tree = gast.FunctionDef(function.tree.name, args, body, [], None, None, [])
    made = lifted(syntax.at(tree, function.tree), function, {}, function.params)
    made.__standing__ = True  # type: ignore[attr-defined]
    return made


def _params(args: gast.arguments) -> list[Param]:
    """The parameters; defaults are literals."""
    positional: list[Any] = [(a, Parameter.POSITIONAL_ONLY) for a in args.posonlyargs]
    positional += [(a, Parameter.POSITIONAL_OR_KEYWORD) for a in args.args]
    texts = [None] * (len(positional) - len(args.defaults)) + list(args.defaults)
    found = [_param(a, kind, text) for (a, kind), text in zip(positional, texts, strict=True)]
    if args.vararg is not None:
        found.append(Param(args.vararg.id, Parameter.VAR_POSITIONAL))
    for arg, text in zip(args.kwonlyargs, args.kw_defaults, strict=True):
        found.append(_param(arg, Parameter.KEYWORD_ONLY, text))
    if args.kwarg is not None:
        found.append(Param(args.kwarg.id, Parameter.VAR_KEYWORD))
    return found


def _param(arg: gast.Name, kind: Any, text: gast.expr | None) -> Param:
    if text is None:
        return Param(arg.id, kind)
    return Param(arg.id, kind, ast.literal_eval(syntax.unparse(text)), text)
