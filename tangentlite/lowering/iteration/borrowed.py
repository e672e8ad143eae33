"""The statements of a generator function, for the function that follows it.

In: a call of a generator function.
Out: statements that bind its parameters, and its own with other names; they stand where the call does.
Next: yielding, suspended.
"""

from __future__ import annotations

import inspect
from types import CellType, FunctionType, ModuleType
from typing import Any

import gast

from tangentlite import frontend, scopes, syntax
from tangentlite.frontend.inserted import Insertion
from tangentlite.ir import Function
from tangentlite.lowering.context import Context, read, remade
from tangentlite.lowering.flow import exits
from tangentlite.lowering.functions import captures, closures

Body = list[Any]
FIXED = (FunctionType, ModuleType, type, type(len), Insertion)


def borrowed(
    function: FunctionType, call: gast.Call, context: Context, spread: bool = True
) -> tuple[Body, Body] | None:
    """What binds the parameters, and the body; None where it cannot stand among the statements of another function.

    ``spread``: ``yield from`` is a loop.
    What a nested generator captures it reads when it goes on, so those names are the variables themselves.
    """
    source = frontend.read(function, fenced=False)
    source = closures.converted(source, Context.of(source, context.lower))
    args = _arguments(function, call, source)
    if args is None or any(_is_odd(n) for n in scopes.inside(source.body)):
        return None
    captured = getattr(function, "__captured__", 0)
    bound = scopes.bound(source.body)
    holes: dict[str, Any] = {}
    before: Body = []
    for place, (name, value) in enumerate(args.items()):
        known = isinstance(value, gast.Name) and value.id in context.instances
        itself = place < captured or name in ("self", "cls") or known
        if itself and isinstance(value, gast.Name) and name not in bound:
            holes[name] = value.id
            continue
        holes[name] = context.local(name)
        before += context.quote("p = e", call, p=holes[name], e=value)
    for node in scopes.inside(source.body):
        for name in syntax.stores(node) if isinstance(node, gast.Name) else ():
            holes[name] = holes.get(name) or context.local(name)
    for name in sorted({n for s in source.body for n in syntax.loads(s)} - set(holes)):
        found = _outside(name, source, context)
        if found is None:
            return None
        holes[name] = found
    body = [syntax.substitute(s, holes) for s in captures.undocumented(source.body)]
    for node in (n for s in body for n in syntax.walk(s)):
        syntax.at(node, call)
    return before, [new for s in body for new in _spread(s, context)] if spread else body


def _arguments(function: FunctionType, call: gast.Call, source: Function) -> dict[str, Any] | None:
    """The parameters with the expressions that they are given."""
    if any(isinstance(a, gast.Starred) for a in call.args):
        return None
    if any(k.arg is None for k in call.keywords):
        return None
    signature = inspect.signature(function, follow_wrapped=False)
    kinds = (inspect.Parameter.VAR_POSITIONAL, inspect.Parameter.VAR_KEYWORD)
    if any(p.kind in kinds for p in signature.parameters.values()):
        return None
    try:
        given = signature.bind(*call.args, **{k.arg: k.value for k in call.keywords}).arguments
    except TypeError:
        return None
    for name, parameter in signature.parameters.items():
        if name not in given:
            if not isinstance(parameter.default, int | float | str | bool | None):
                return None
            given[name] = syntax.at(syntax.constant(parameter.default), call)
    return {name: given[name] for name in signature.parameters}


def _is_odd(node: Any) -> bool:
    """What has no meaning among other statements."""
    if isinstance(node, gast.Yield | gast.YieldFrom):
        return False
    match node:
        case gast.Name(id="super" | "__class__"):
            return True
        case gast.Attribute(attr=attr) if attr.startswith("__") and not attr.endswith("__"):
            return True
    kinds = (gast.Global, gast.Nonlocal, gast.ClassDef, gast.Delete, *scopes.FUNCTIONS)
    return isinstance(node, kinds)


def _outside(name: str, source: Function, context: Context) -> str | gast.expr | None:
    """What means the same in the function that follows; None if nothing does. What may change keeps its place."""
    same = source.namespace.globals is context.function.namespace.globals
    if same and name not in source.namespace.cells and name not in context.locals:
        if name not in context.function.namespace.cells:
            return name
    if not source.namespace.binds(name):
        return None
    value = source.namespace.lookup(name)
    if isinstance(value, FIXED):
        context.cells[fresh := context.names.fresh(name)] = CellType(value)
        return fresh
    if name in source.namespace.cells or name not in source.namespace.globals:
        return None
    module = source.namespace.holder
    return None if module is None else gast.Attribute(_said(module, context), name, gast.Load())


def _said(module: ModuleType, context: Context) -> gast.expr:
    """A name for a module in the function that follows."""
    short = module.__name__.rpartition(".")[2]
    for name, cell in context.cells.items():
        if name.startswith(short) and cell == CellType(module):
            return syntax.name(name)
    context.cells[fresh := context.names.fresh(short)] = CellType(module)
    return syntax.name(fresh)


def _spread(statement: Any, context: Context) -> Body:
    """``yield from xs`` is ``for item in xs: yield item``."""
    match statement:
        case gast.Expr(value=gast.YieldFrom(value=value)):
            item = context.local("item")
            shown = syntax.at(gast.Yield(read(item, statement)), statement)
            inner = [syntax.at(gast.Expr(shown), statement)]
            text = "for v in xs:\n    inner"
            return context.quote(text, statement, v=item, xs=value, inner=inner)
    fields = {}
    for name in syntax.BLOCKS:
        block = getattr(statement, name, None)
        if isinstance(block, list) and block:
            fields[name] = [new for s in block for new in _spread(s, context)]
    return [remade(statement, **fields) if fields else statement]


def standing_in(
    function: FunctionType, call: gast.Call, context: Context
) -> tuple[Body, Any] | None:
    """The statements of a helper and the value that it gives; None where they cannot stand here."""
    made = borrowed(function, call, context)
    if made is None or getattr(function, "__wrapped__", None) is not None:
        return None
    before, body = made
    if any(isinstance(n, gast.Yield) for n in scopes.inside(body)):
        return None
    *body, last = exits.single(body, context)
    return [*before, *body], last.value
