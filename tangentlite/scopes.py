"""Which names belong to a function, and which it takes from the function around it.

In: trees.
Out: the names that a function binds, and those that are free in it.
Next: frontend, lowering.
"""

from __future__ import annotations

import ast
from collections.abc import Iterable, Iterator
from typing import Any

import gast

from tangentlite import syntax

FUNCTIONS = (gast.FunctionDef, gast.AsyncFunctionDef, gast.Lambda)
COMPREHENSIONS = (gast.ListComp, gast.SetComp, gast.DictComp, gast.GeneratorExp)
LOOPS = (gast.For, gast.AsyncFor, gast.While)


def parameters(args: gast.arguments) -> list[str]:
    """The names of all parameters."""
    every = [*args.posonlyargs, *args.args, args.vararg, *args.kwonlyargs, args.kwarg]
    return [arg.id for arg in every if arg is not None]


def body_of(function: Any) -> list[Any]:
    """What stands inside a function."""
    return [function.body] if isinstance(function, gast.Lambda) else list(function.body)


def outside_of(function: Any) -> list[Any]:
    """What belongs to a definition, and is evaluated in the function around it: defaults and decorators."""
    args = function.args
    defaults = [d for d in [*args.defaults, *args.kw_defaults] if d is not None]
    return [*getattr(function, "decorator_list", []), *defaults]


def inside(nodes: Iterable[Any]) -> Iterator[Any]:
    """All nodes of one function: not those inside the functions that it defines."""
    waiting = list(nodes)[::-1]
    while waiting:
        node = waiting.pop()
        yield node
        if isinstance(node, FUNCTIONS):
            waiting += outside_of(node)[::-1]
        elif not isinstance(node, gast.ClassDef):
            waiting += list(syntax.children(node))[::-1]


def declared(nodes: Iterable[Any], kind: Any) -> set[str]:
    """The names in the ``nonlocal`` or ``global`` statements of one function."""
    return {name for node in inside(nodes) if isinstance(node, kind) for name in node.names}


def bound(nodes: Iterable[Any]) -> set[str]:
    """The names that the statements of one function bind; variables of comprehensions are not its own."""
    found: set[str] = set()
    waiting = list(nodes)
    while waiting:
        node = waiting.pop()
        match node:
            case gast.Name(id=name):
                if not isinstance(node.ctx, gast.Load):
                    found.add(name)
            case gast.FunctionDef(name=name) | gast.ClassDef(name=name):
                found.add(name)
                waiting += outside_of(node) if isinstance(node, gast.FunctionDef) else []
            case gast.Lambda():
                waiting += outside_of(node)
            case gast.comprehension(iter=iterable, ifs=tests):
                waiting += [iterable, *tests]
            case ast.AST():
                waiting += syntax.children(node)
    return found


def own(function: Any) -> set[str]:
    """The names that a function binds: parameters and variables."""
    body = body_of(function)
    outer = declared(body, gast.Nonlocal) | declared(body, gast.Global)
    return (set(parameters(function.args)) | bound(body)) - outer


def free(function: Any) -> set[str]:
    """The names that a function takes from around it."""
    return _free(body_of(function), frozenset(own(function))) - declared(
        body_of(function), gast.Global
    )


def idle(function: Any) -> Iterator[tuple[Any, set[str]]]:
    """The declarations in a function of variables of others, each with the names that it has no use for."""
    if isinstance(function, gast.FunctionDef):
        for node in inside(function.body):
            if isinstance(node, gast.Nonlocal):
                yield node, set(node.names) - free(function)


def mentioned(nodes: Iterable[Any]) -> set[str]:
    """The names that statements read or bind, those of functions inside that they take from outside."""
    return _free(nodes, frozenset())


def _free(nodes: Iterable[Any], hidden: frozenset[str]) -> set[str]:
    found: set[str] = set()
    waiting = list(nodes)
    while waiting:
        node = waiting.pop()
        if isinstance(node, gast.Name):
            found |= {node.id} - hidden
        elif isinstance(node, FUNCTIONS):
            waiting += outside_of(node)
            found |= free(node) - hidden
        elif isinstance(node, COMPREHENSIONS):
            targets = syntax.stores([g.target for g in node.generators])
            parts = [p for p in syntax.children(node) if p is not node.generators[0]]
            first = node.generators[0]
            waiting.append(first.iter)
            found |= _free([*parts, first.target, *first.ifs], hidden | targets)
        else:
            waiting += syntax.children(node)
    return found
