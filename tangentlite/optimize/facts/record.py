"""Record: what the functions of a pair hand to each other, as the finished texts have it.

In: a forward and a backward function.
Out: ``ir.Record``.
Next: pipeline.
"""

from __future__ import annotations

import ast
from collections import Counter
from collections.abc import Callable
from typing import Any

import gast

from tangentlite import syntax
from tangentlite.ir import Function, Record
from tangentlite.optimize.facts.purity import Purity
from tangentlite.optimize.facts.sharing import Sharing
from tangentlite.optimize.replace import remade
from tangentlite.rules.reads import reads

LISTS = (gast.List, gast.ListComp, gast.Dict, gast.DictComp)
REFUSALS = ("in_step", "disjoint", "no_array", "single")


def record(forward: Function, backward: Function, is_pure: Callable[[Any], bool]) -> Record | None:
    """What the backward function needs; None if that cannot be told from the texts."""
    match forward.body[-1]:
        case gast.Return(value=gast.Tuple(elts=[result, gast.Tuple(elts=parts)])) if all(
            isinstance(part, gast.Name) for part in parts
        ):
            names = tuple(part.id for part in parts)
        case _:
            return None
    body, plain = list(backward.body), True
    for k, statement in enumerate(body):
        match statement:
            case gast.Assign(targets=[gast.Tuple(elts=parts)], value=value) if names == tuple(
                getattr(part, "id", None) for part in parts
            ):
                plain = isinstance(value, gast.Name)
                del body[k]
                break
    params = {p.name for p in forward.params}
    plain = plain and not any(map(_asks_dtype, body)) and not any(map(_refuses, forward.body))
    given = plain and params.issuperset(names) and forward.bound.isdisjoint(names)
    values = _values(body) & set(names)
    found = syntax.loads(result)
    held = _memories(forward, values, [*params, *found], is_pure)
    restores = any(map(_restores, backward.body))
    heavy = values.isdisjoint(found) and any(map(_is_heavy, syntax.statements(forward.body)))
    return Record(names, given, held & params, not held.isdisjoint(found), restores, heavy)


def _values(body: list[gast.stmt]) -> set[str]:
    """The names whose value is read: of an array not, where only the shape of a part of it is asked for.

    >>> sorted(_values(syntax.quote("u = x[2:]\\nfor k in r:\\n    y += rt.unbroadcast(b, u)")))
    ['b', 'k', 'r', 'rt', 'y']
    """
    values = reads(body)[0]
    bound = Counter(n for s in syntax.statements(body) for n in syntax.stores(s))
    parts: dict[str, Any] = {part[0]: s for s in syntax.statements(body) if (part := _part(s))}
    parts = {n: s for n, s in parts.items() if bound[n] == 1}
    if values.isdisjoint(s.value.value.id for s in parts.values()):
        return values
    left = set(parts.values())
    values = reads(syntax.rewrite(body, lambda s: [] if s in left else [s]))[0]
    for name, statement in reversed(parts.items()):
        whole = name in values
        values |= reads([statement if whole else statement.value.slice])[0]
    return values


def _part(statement: ast.AST) -> tuple[str, str] | None:
    """The name of a slice that a statement binds, and that of the array."""
    match statement:
        case gast.Assign(
            targets=[gast.Name(id=name)],
            value=gast.Subscript(value=gast.Name(id=whole), slice=index),
        ) if any(isinstance(n, gast.Slice) for n in getattr(index, "elts", [index])):
            return name, whole
    return None


def by_name(body: list[gast.stmt]) -> list[gast.stmt]:
    """What is kept for its shape is kept as it is, once it is settled that nobody needs its content.

    >>> from tangentlite.optimize.samples import after
    >>> "(p, q)" in after(lambda body, scope: by_name(body), "return None, (p, rt.outline(q))")
    True
    """
    *above, last = body
    match last:
        case gast.Return(value=gast.Tuple(elts=[result, gast.Tuple(elts=parts)])):
            kept = gast.Tuple([_kept(part) for part in parts], gast.Load())
            above, result = _framed(above, result, kept)
            return [*above, syntax.at(gast.Return(gast.Tuple([result, kept], gast.Load())), last)]
    return body


def _kept(part: gast.expr) -> gast.expr:
    match part:
        case gast.Call(func=gast.Attribute(attr="outline"), args=[gast.Name() as name]):
            return name
    return part


def _framed(
    above: list[gast.stmt], result: gast.expr, kept: gast.expr
) -> tuple[list[gast.stmt], gast.expr]:
    """A result of which only the shape is asked for: if it is a sum or a product, nobody needs to make that.

    y = a + b
    return rt.outline(y), (a, b)        return rt.frame(a, b), (a, b)
    """
    match above[-1:], result:
        case [
            [
                gast.Assign(
                    targets=[gast.Name(id=name)],
                    value=gast.BinOp(left=a, op=gast.Add() | gast.Sub() | gast.Mult(), right=b),
                )
            ],
            gast.Call(func=gast.Attribute(attr="outline") as func, args=[gast.Name(id=same)]),
        ] if name == same and name not in syntax.loads(kept):
            frame = remade(func, {"attr": "frame"})
            return above[:-1], remade(result, {"func": frame, "args": [a, b]})
    return above, result


def _restores(statement: gast.stmt) -> bool:
    """Whether a record is copied, since something is put back there, or in one within."""
    calls = (n for n in syntax.walk(statement) if isinstance(n, gast.Call))
    named = (getattr(call.func, "attr", None) for call in calls)
    return any(name in ("private", "spent") for name in named)


def _is_heavy(statement: ast.AST) -> bool:
    """Whether a statement is a loop, or calls the forward function of a helper."""
    match statement:
        case gast.For() | gast.While() | gast.Assign(targets=[gast.Tuple()], value=gast.Call()):
            return True
    return False


def _asks_dtype(statement: gast.stmt) -> bool:
    """Whether integers are told from floats: a caller may give another array of the same shape."""
    return any(
        isinstance(n, gast.Attribute) and n.attr == "storage" for n in syntax.walk(statement)
    )


def _refuses(statement: gast.stmt) -> bool:
    """Whether memory is checked that the user's own call would write into without a word."""
    nodes = syntax.walk(statement)
    return any(isinstance(n, gast.Attribute) and n.attr in REFUSALS for n in nodes)


def _memories(
    forward: Function, names: set[str], among: list[str], is_pure: Callable[[Any], bool]
) -> frozenset[str]:
    """The names ``among`` others whose memory these names may hold at the end of the forward function."""
    local = forward.local
    purity = Purity(forward.namespace, local, is_pure)
    lists = any(isinstance(n, LISTS) for s in forward.body for n in syntax.walk(s))
    solid = () if lists else local
    sharing = Sharing(local, purity, frozenset(), displays=lists, containers=True, solid=solid)
    sharing.study(forward.body)
    held = {sharing.find(name) for name in names}
    return frozenset(name for name in among if sharing.find(name) in held)
