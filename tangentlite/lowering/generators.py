"""Generator functions that are consumed where they are called give lists.

In: the statements of a function.
Out: the same statements with calls of functions that collect what the generators yield.
Next: exits.
"""

from __future__ import annotations

import ast
from inspect import CO_GENERATOR
from types import CellType, FunctionType, ModuleType
from typing import Any

import gast

from tangentlite import frontend, scopes, syntax
from tangentlite.ir import Function
from tangentlite.lowering import captures, early
from tangentlite.lowering.context import Context, read, remade
from tangentlite.lowering.lifted import lifted
from tangentlite.naming import Names

CONSUMERS = ("sum", "list", "tuple", "sorted", "min", "max", "zip", "enumerate", "dict")


def listed(body: list[gast.stmt], context: Context) -> list[gast.stmt]:
    """``for v in g(x)`` walks over a list where g is a generator function.

    What g computes is computed before the first trip; where that could be seen, the call stays, and is refused.
    """
    if not any(_generator(call, context) for call in context.contents(body).calls):
        return body
    return [_Consumed(context).tree(statement) for statement in body]


def _generator(node: Any, context: Context) -> FunctionType | None:
    """The generator function that a call is of."""
    found = context.meaning(node.func) if isinstance(node, gast.Call) else None
    if isinstance(found, FunctionType) and found.__code__.co_flags & CO_GENERATOR:
        return found
    return None


def listing(function: FunctionType) -> FunctionType | None:
    """A function that gives the list of what an iterator gives; None where the difference may be seen.

    The iterator is the generator that ``function`` makes, or the ``iter(xs)`` that it returns.
    """
    source = frontend.read(function, fenced=False)
    made = source.nested.get("listed")
    if made is None:
        generates = function.__code__.co_flags & CO_GENERATOR
        made = source.nested["listed"] = _listing(source) if generates else _handing(source)
    return made if isinstance(made, FunctionType) else None


class _Consumed:
    """Rewrites calls of generators that are consumed at once."""

    def __init__(self, context: Context) -> None:
        self.context = context

    def tree(self, node: Any) -> Any:
        match node:
            case gast.For(iter=iterable, body=body) if not _leaves(body):
                stored = set().union(*early.written(body, self.context).values())
                node = remade(node, iter=self.consumed(iterable, stored))
            case gast.comprehension(iter=iterable):
                node = remade(node, iter=self.consumed(iterable, set()))
            case gast.Call(func=gast.Name(id=name), args=[_, *_]) if name in CONSUMERS:
                if name not in ("zip", "enumerate") and self.context.is_builtin(name):
                    first = self.consumed(node.args[0], set())
                    node = remade(node, args=[first, *node.args[1:]])
        fields: dict[str, Any] = {}
        for field in node._fields:
            value = getattr(node, field, None)
            if isinstance(value, list):
                fields[field] = [self.tree(v) if isinstance(v, ast.AST) else v for v in value]
            elif isinstance(value, ast.AST):
                fields[field] = self.tree(value)
        return remade(node, **fields) if fields else node

    def consumed(self, node: Any, stored: set[str]) -> Any:
        """What is walked over to its end: the call of a generator, or what walks over one."""
        match node:
            case gast.Call(func=gast.Name(id="zip" | "enumerate" as name), args=args):
                if self.context.is_builtin(name):
                    return remade(node, args=[self.consumed(a, stored) for a in args])
        function = _generator(node, self.context)
        if function is None or syntax.loads(node) & stored:
            return node
        made = listing(function)
        if made is None or (scopes.free(frontend.read(function, fenced=False).tree) & stored):
            return node
        name = self.context.names.fresh(function.__name__)
        self.context.cells[name] = CellType(made)
        return remade(node, func=read(name, node.func))


def consumed(node: Any, context: Context) -> Any:
    """The call of a function that gives a list, for the call of a generator function."""
    return _Consumed(context).consumed(node, set())


def _leaves(body: list[Any]) -> bool:
    """Whether a loop may end before its last trip."""
    kinds = (gast.Break, gast.Return)
    return any(isinstance(n, kinds) for n in scopes.inside(body))


def _listing(function: Function) -> FunctionType | bool:
    """The function that collects what a generator yields; False where the difference may be seen."""
    body, namespace = function.body, function.namespace
    args = captures.undefaulted(function.tree.args)
    if all(isinstance(s, gast.Expr) and isinstance(s.value, gast.Yield) for s in body):
        values = [s.value.value or syntax.at(syntax.constant(None), s) for s in body]
        shown = syntax.at(gast.Return(gast.List(values, gast.Load())), body[0])
        tree: Any = gast.FunctionDef(function.tree.name, args, [shown], [], None, None, [])
        return lifted(syntax.at(tree, function.tree), function, {}, function.params)
    taken = {n.id for s in body for n in syntax.walk(s) if isinstance(n, gast.Name)}
    items = Names(taken | {p.name for p in function.params}).fresh("items")
    if any(_seen(node, namespace) for node in scopes.inside(body)):
        return False
    lines = [new for statement in body for new in _collecting(statement, items)]
    if any(isinstance(n, gast.Yield | gast.YieldFrom) for s in lines for n in scopes.inside([s])):
        return False
    first, last = syntax.quote("items = []\nreturn items", items=items)
    lines = [_placed(first, body[0]), *lines, _placed(last, body[-1])]
    tree = gast.FunctionDef(function.tree.name, args, lines, [], None, None, [])
    return lifted(syntax.at(tree, function.tree), function, {}, function.params)


def _handing(function: Function) -> FunctionType | bool:
    """``return iter(xs)`` as ``return list(xs)``."""
    match function.body:
        case [gast.Return(value=gast.Call(func=gast.Name(id="iter") as called, args=[_]) as call)]:
            known = function.namespace.lookup("iter"), function.namespace.lookup("list")
            if known != (iter, list):
                return False
            value = remade(call, func=remade(called, id="list"))
            body = [remade(function.body[0], value=value)]
            args = captures.undefaulted(function.tree.args)
            tree: Any = gast.FunctionDef(function.tree.name, args, body, [], None, None, [])
            return lifted(syntax.at(tree, function.tree), function, {}, function.params)
    return False


def _seen(node: Any, namespace: Any) -> bool:
    """Whether it matters when a statement runs: it has effects, or runs for ever."""
    match node:
        case gast.While(test=gast.Constant()):
            return True
        case gast.Expr(value=gast.Call()) | gast.Return(value=gast.expr()):
            return True
        case gast.Call(func=func):
            path = syntax.dotted(func)
            if isinstance(func, gast.Name):
                return func.id in ("next", "input", "print", "open")
            try:
                owner = namespace.resolve(path.rpartition(".")[0]) if path else None
            except (KeyError, AttributeError):
                owner = None
            return not isinstance(owner, ModuleType) or "random" in owner.__name__
    return False


def _collecting(statement: Any, items: str) -> list[Any]:
    """``yield v`` becomes ``items.append(v)``."""
    match statement:
        case gast.Expr(value=gast.Yield(value=value)):
            value = value or syntax.at(syntax.constant(None), statement)
            return [_placed(syntax.quote("xs.append(v)", xs=items, v=value)[0], statement)]
        case gast.Expr(value=gast.YieldFrom(value=value)):
            text = "for item in values:\n    xs.append(item)"
            made = syntax.quote(text, xs=items, values=value, item=f"{items}_item")
            return [_placed(made[0], statement)]
        case gast.Return():
            return [_placed(syntax.quote("return xs", xs=items)[0], statement)]
    fields = {}
    for name in ("body", "orelse", "finalbody"):
        block = getattr(statement, name, None)
        if isinstance(block, list) and block and not isinstance(statement, scopes.FUNCTIONS):
            fields[name] = [new for s in block for new in _collecting(s, items)]
    return [remade(statement, **fields) if fields else statement]


def _placed(statement: Any, place: Any) -> Any:
    for node in syntax.walk(statement):
        if not hasattr(node, "lineno"):
            syntax.at(node, place)
    return statement
