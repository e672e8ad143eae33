"""Generators that have a name and are walked once: a list would do as well.

In: the body of a function.
Out: the expressions that make them.
Next: check, lowering.
"""

from __future__ import annotations

import ast
from collections import Counter
from collections.abc import Iterator
from typing import Any

import gast

from tangentlite import syntax

NUMERIC = ("np", "numpy", "math")  # modules whose functions give arrays and numbers


def walked_once(body: list[gast.stmt]) -> set[gast.expr]:
    """The values v of ``name = v`` where a later statement of the block walks over ``name``, and no other reads it."""
    if not any(_may_be_lazy(s) for s in syntax.statements(body)):
        return set()
    names = [n for s in body for n in _names(s)]
    read = Counter(n.id for n in names if isinstance(n.ctx, gast.Load))
    bound = Counter(n.id for n in names if not isinstance(n.ctx, gast.Load))
    found: set[gast.expr] = set()
    waiting = [body]
    while waiting:
        block = waiting.pop()
        for k, statement in enumerate(block):
            waiting += syntax.blocks(statement)
            match statement:
                case gast.Assign(targets=[gast.Name(id=name)], value=value):
                    if _may_be_lazy(statement) and read[name] == bound[name] == 1:
                        if _is_walked(name, block[k + 1 :]):
                            found.add(value)
    return found


def _may_be_lazy(statement: Any) -> bool:
    match statement:
        case gast.Assign(targets=[gast.Name()], value=gast.GeneratorExp()):
            return True
        case gast.Assign(targets=[gast.Name()], value=gast.Call(func=func)):
            return (syntax.dotted(func) or "").partition(".")[0] not in NUMERIC
    return False


def _is_walked(name: str, rest: list[gast.stmt]) -> bool:
    for statement in rest:
        if name in syntax.loads(statement):
            return any(isinstance(n, gast.Name) and n.id == name for n in _walks(statement))
    return False


def _names(node: ast.AST) -> list[Any]:
    return [n for n in syntax.walk(node) if isinstance(n, gast.Name)]


def _walks(statement: Any) -> Iterator[gast.expr]:
    """What a statement walks over, once: iterables of loops and generators, arguments of calls."""
    if isinstance(statement, gast.For):
        yield statement.iter
        yield from _parts(statement.iter)
    elif not syntax.blocks(statement):
        yield from _parts(statement)


def _parts(node: ast.AST) -> Iterator[gast.expr]:
    match node:
        case gast.Lambda():
            return
        case gast.Call(func=func, args=args):
            if not (isinstance(func, gast.Name) and func.id in ("next", "iter", "len")):
                yield from args
        case gast.ListComp() | gast.GeneratorExp() | gast.SetComp() | gast.DictComp():
            yield node.generators[0].iter
            yield from _parts(node.generators[0].iter)
            return
    for child in syntax.children(node):
        yield from _parts(child)
