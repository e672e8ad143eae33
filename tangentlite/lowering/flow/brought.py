"""Which functions raise, and what an exception holds that is made with some arguments.

In: a function; a class of exceptions and a call of it.
Out: whether the function raises; expressions for what the exception holds.
Next: payloads.
"""

from __future__ import annotations

import ast
import inspect
from types import FunctionType
from typing import Any

import gast

from tangentlite import frontend, scopes, syntax
from tangentlite.errors import DerivativeError


def raises(function: FunctionType, depth: int) -> bool:
    """Whether a function of the user may raise, itself or by one that it calls: a method of an argument, say."""
    try:
        source = frontend.read(function, fenced=False)
    except DerivativeError:
        return False
    params = {p.name for p in source.params}
    for node in scopes.inside(source.body):
        if isinstance(node, gast.Raise) or _is_of_argument(node, params):
            return True
        path = syntax.dotted(node.func) if isinstance(node, gast.Call) and depth else None
        try:
            inner = source.namespace.resolve(path) if path else None
        except (KeyError, AttributeError):
            continue
        library = str(getattr(inner, "__module__", "")).startswith(("numpy", "scipy"))
        if isinstance(inner, FunctionType) and not library and raises(inner, depth - 1):
            return True
    return False


def _is_of_argument(node: Any, params: set[str]) -> bool:
    """Whether this is a call of a method of an argument."""
    match node:
        case gast.Call(func=gast.Attribute(value=gast.Name(id=name))):
            return name in params
    return False


def brought(raised: type, call: gast.Call) -> dict[str, Any]:
    """What an exception holds: its attributes and arguments, as expressions."""
    args = {f"args_{k}": a for k, a in enumerate(call.args)}
    start = raised.__init__  # type: ignore[misc]
    if not isinstance(start, FunctionType):
        return {} if call.keywords else args
    source = frontend.read(start, fenced=False)
    try:
        named = {k.arg: k.value for k in call.keywords}
        given = inspect.signature(start).bind(None, *call.args, **named)
    except TypeError:
        return {}
    if any(not isinstance(v, ast.AST | None) for v in given.arguments.values()):
        return {}
    given.apply_defaults()
    holes: dict[str, Any] = {}
    for name, value in given.arguments.items():
        plain = isinstance(value, ast.AST)
        holes[name] = value if plain else syntax.at(syntax.constant(value), call)
    return _kept(source.body, args, holes)


def _kept(body: list[Any], args: dict[str, Any], holes: dict[str, Any]) -> dict[str, Any]:
    """What ``__init__`` keeps of its parameters."""
    first = next(iter(holes))
    found: dict[str, Any] = {}
    own = set(holes) - {first}
    for statement in body:
        match statement:
            case gast.Assign(
                targets=[gast.Attribute(value=gast.Name(id=owner), attr=attr)], value=value
            ) if owner == first and syntax.loads(value) <= own:
                found[attr] = syntax.substitute(value, holes)
            case gast.Assign(targets=[gast.Tuple(elts=targets)], value=gast.Tuple(elts=values)) if (
                len(targets) == len(values)
            ):
                for target, value in zip(targets, values):
                    if not isinstance(target, gast.Attribute) or not syntax.loads(value) <= own:
                        return {}
                    found[target.attr] = syntax.substitute(value, holes)
            case gast.Expr(value=gast.Call(func=gast.Attribute(attr="__init__"), args=given)):
                values = [a for a in given if not (isinstance(a, gast.Name) and a.id == first)]
                args = {
                    f"args_{k}": syntax.substitute(a, holes)
                    for k, a in enumerate(values)
                    if syntax.loads(a) <= own
                }
            case gast.Expr(value=gast.Constant()) | gast.Pass():
                pass
            case _:
                return {}
    return {**args, **found}
