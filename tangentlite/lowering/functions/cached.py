"""Nested functions that are cached: plain ones, or with a table of their own where they branch into themselves.

In: ``ir.Function``.
Out: the same function; its nested ones have no ``functools.cache`` and no ``lru_cache`` any more.
Next: closures.
"""

from __future__ import annotations

import functools
from typing import Any

import gast

from tangentlite import scopes, syntax
from tangentlite.ir import Function
from tangentlite.lowering.context import Context, remade
from tangentlite.lowering.iteration.listing import meanwhile, stored

CACHES = (functools.cache, functools.lru_cache)


def uncached(function: Function, context: Context) -> Function:
    """A cache saves work, and nothing else, where a function only computes.

    >>> from tangentlite.lowering.example import function as example
    >>> from tangentlite.lowering.context import Context
    >>> f = example('''
    ... @functools.cache
    ... def steps(n):
    ...     return x if n < 2 else steps(n - 1) + steps(n - 2)
    ... return steps(9)''', "x", functools=functools)
    >>> print("\\n".join(map(syntax.unparse, uncached(f, Context.of(f, print)).body)))
    memo = {}
    def steps(n):
        if n in memo:
            return memo[n]
        memo[n] = x if n < 2 else steps(n - 1) + steps(n - 2)
        return memo[n]
    return steps(9)
    """
    if gast.FunctionDef not in function.contents.kinds:
        return function
    nodes = list(scopes.inside(function.body))
    known = [n for n in nodes if isinstance(n, gast.FunctionDef) and _is_cached(n, context)]
    known = [n for n in known if _only_computes(n) and not _is_asked(n, function.body)]
    known = [n for n in known if not _is_changed(n, function)]
    if not known:
        return function

    def step(statement: Any) -> list[Any]:
        if statement not in originals:
            return [statement]
        return _plain(statement, function.body, context)

    originals = set(known)
    return function.with_body(rewritten(function.body, step))


def rewritten(body: list[Any], step: Any) -> list[Any]:
    """The statements, and those inside them, with what ``step`` gives for each; not inside functions."""
    result: list[Any] = []
    for statement in body:
        fields = {}
        if not isinstance(statement, (*scopes.FUNCTIONS, gast.ClassDef)):
            for name in syntax.BLOCKS:
                block = getattr(statement, name, None)
                if isinstance(block, list) and block:
                    fields[name] = rewritten(block, step)
        if any(a is not b for n in fields for a, b in zip(fields[n], getattr(statement, n))):
            statement = remade(statement, **fields)
        result += step(statement)
    return result


def _is_cached(node: Any, context: Context) -> bool:
    match node.decorator_list:
        case [gast.Call(func=func)] if context.meaning(func) is functools.lru_cache:
            return True
        case [decorator]:
            return any(context.meaning(decorator) is one for one in CACHES)
    return False


def _only_computes(node: Any) -> bool:
    """Whether nobody can tell how often a function was called."""
    own = scopes.own(node)
    for part in scopes.inside(node.body):
        match part:
            case gast.Nonlocal() | gast.Global() | gast.Yield() | gast.YieldFrom():
                return False
            case gast.Expr(value=gast.Call()):
                return False
            case gast.Subscript(ctx=gast.Store()) | gast.Attribute(ctx=gast.Store()):
                if not syntax.loads(part.value) <= own:
                    return False
    return True


def _is_changed(node: Any, function: Function) -> bool:
    """Whether what a function captures may be another thing later: the cache would not notice."""
    body, later = function.body, meanwhile(function.body, node)
    inside = {n for s in body for n in syntax.walk(s) if isinstance(n, scopes.FUNCTIONS)}
    changed = stored(later) | scopes.bound([s for s in later if s is not node])
    changed |= {v for f in inside for v in stored(scopes.body_of(f)) | _rebound(f)}
    return bool(scopes.free(node) & changed & (function.local - {node.name}))


def _rebound(function: Any) -> set[str]:
    return scopes.declared(scopes.body_of(function), gast.Nonlocal)


def _is_asked(node: Any, body: list[Any]) -> bool:
    """Whether the cache itself is used: ``f.cache_clear()``."""
    parts = (n for s in body for n in syntax.walk(s))
    return any(isinstance(n, gast.Attribute) and _is_call_of(n.value, node) for n in parts)


def _is_call_of(func: Any, node: Any) -> bool:
    return isinstance(func, gast.Name) and func.id == node.name


def _plain(node: Any, body: list[Any], context: Context) -> list[Any]:
    """The function without a cache, or with a table that it fills."""
    plain = remade(node, decorator_list=[])
    args = node.args
    special = args.vararg or args.kwarg or args.kwonlyargs or args.posonlyargs or args.defaults
    inner = [n for n in scopes.inside(node.body) if _calls(n, node)]
    if special or len(inner) < 2 or not args.args or not _is_counted(node, inner, body):
        return [plain]
    memo = context.local("memo")
    params: list[Any] = [gast.Name(a.id, gast.Load(), None, None) for a in args.args]
    key = params[0] if len(params) == 1 else gast.Tuple(params, gast.Load())

    def step(statement: Any) -> list[Any]:
        if not isinstance(statement, gast.Return):
            return [statement]
        value = statement.value or syntax.constant(None)
        text = "memo[key] = e\nreturn memo[key]"
        return context.quote(text, statement, memo=memo, key=key, e=value)

    first = context.quote("if key in memo:\n    return memo[key]", node, memo=memo, key=key)
    inside = [*first, *rewritten(node.body, step)]
    return [*context.quote("memo = {}", node, memo=memo), remade(plain, body=inside)]


def _calls(part: Any, node: Any) -> bool:
    return isinstance(part, gast.Call) and _is_call_of(part.func, node)


def _is_counted(node: Any, inner: list[Any], body: list[Any]) -> bool:
    """Whether arguments are integers as far as one sees: equal ones have no derivatives that differ."""
    params = [p.id for p in node.args.args]
    outer = [n for n in scopes.inside(body) if _calls(n, node)]
    mentioned = sum(_is_call_of(n, node) for s in body for n in syntax.walk(s))
    if mentioned > len(outer) + len(inner) or any(call.keywords for call in (*inner, *outer)):
        return False
    if not all(_is_step(a, p) for call in inner for a, p in zip(call.args, params)):
        return False
    return len(outer) == 1 or all(_is_step(a, None) for call in outer for a in call.args)


def _is_step(value: Any, param: str | None) -> bool:
    """Whether a value is an integer, or so far from a parameter."""
    match value:
        case gast.Constant(value=int()):
            return True
        case gast.Name(id=name):
            return bool(name == param)
        case gast.BinOp(left=gast.Name(id=name), op=gast.Add() | gast.Sub(), right=right):
            return name == param and _is_step(right, None)
    return False
