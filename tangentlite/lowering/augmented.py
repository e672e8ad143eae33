"""``s op= e`` where s is an array: it is written in place.

In: a normal form, and the statements ``s = t`` of its augmented assignments whose s is an array.
Out: a normal form in which they store into s.
Next: analysis.
"""

from __future__ import annotations

from collections.abc import Set
from dataclasses import replace

import gast

from tangentlite import syntax
from tangentlite.lowering.context import Normal


def in_place(normal: Normal, arrays: Set[gast.stmt]) -> Normal:
    """``t = s + e; s = t`` becomes ``s[...] += e``, and with other operators ``s[...] = t``."""
    if not arrays:
        return normal
    sources = dict(normal.sources)
    body = _block(normal.function.body, arrays, sources)
    return replace(normal, function=normal.function.with_body(body), sources=sources)


def through_slots(normal: Normal, stores: Set[gast.stmt]) -> Normal:
    """``t = u * e; xs[i] = t`` becomes ``t = u * e; u = t; xs[i] = u``: an array in a list is written in place."""
    if not stores:
        return normal
    sources = dict(normal.sources)
    body = _spread(normal.function.body, stores, sources)
    return replace(normal, function=normal.function.with_body(body), sources=sources)


def slot_of(statement: gast.stmt, block: list[gast.stmt]) -> str | None:
    """The name u of ``u = xs[i]; t = u * e; xs[i] = t``, where the last statement is given."""
    match statement:
        case gast.Assign(targets=[gast.Subscript() as place], value=gast.Name(id=new)):
            for before in block[: block.index(statement)]:
                match before:
                    case gast.Assign(
                        targets=[gast.Name(id=made)], value=gast.BinOp(left=gast.Name(id=old))
                    ) if made == new and place.ctx is not None:
                        return old  # type: ignore[no-any-return]
    return None


def _spread(
    body: list[gast.stmt], stores: Set[gast.stmt], sources: dict[gast.stmt, gast.stmt]
) -> list[gast.stmt]:
    result: list[gast.stmt] = []
    for statement in body:
        if statement in stores:
            old = slot_of(statement, body)
            if old is not None:
                statement = _renewing(statement, old, result, sources)
        for name in ("body", "orelse"):
            inner = getattr(statement, name, None)
            if isinstance(inner, list) and inner:
                new = _spread(inner, stores, sources)
                if len(new) != len(inner) or any(a is not b for a, b in zip(new, inner)):
                    statement = with_block(statement, name, new, sources)
        result.append(statement)
    return result


def _renewing(
    statement: gast.stmt, old: str, before: list[gast.stmt], sources: dict[gast.stmt, gast.stmt]
) -> gast.stmt:
    user = sources[statement]
    renewal = syntax.at(syntax.assign(old, statement.value), statement)
    name = syntax.at(syntax.store(syntax.name(old)), statement)
    sources[renewal] = syntax.at(gast.AugAssign(name, user.op, user.value), user)
    before.append(renewal)
    store = syntax.at(gast.Assign(statement.targets, syntax.name(old), None), statement)
    sources[store] = user
    return store


def augmented_slots(normal: Normal) -> dict[gast.stmt, str]:
    """The stores that end ``xs[i] op= e``, each with the name of what was there."""
    found: dict[gast.stmt, str] = {}
    waiting = [normal.function.body]
    while waiting:
        block = waiting.pop()
        for statement in block:
            waiting += syntax.blocks(statement)
            if isinstance(normal.sources.get(statement), gast.AugAssign):
                old = slot_of(statement, block)
                if old is not None:
                    found[statement] = old
    return found


def augmented(normal: Normal) -> dict[gast.stmt, str]:
    """The statements ``s = t`` that end an augmented assignment of a name, with the name."""
    return {
        statement: source.target.id
        for statement, source in normal.sources.items()
        if isinstance(source, gast.AugAssign)
        and isinstance(source.target, gast.Name)
        and _binds(statement, source.target.id)
    }


def _binds(statement: gast.stmt, name: str) -> bool:
    match statement:
        case gast.Assign(targets=[gast.Name(id=target)], value=gast.Name()):
            return bool(target == name)
    return False


def _block(
    body: list[gast.stmt], arrays: Set[gast.stmt], sources: dict[gast.stmt, gast.stmt]
) -> list[gast.stmt]:
    result: list[gast.stmt] = []
    for statement in body:
        if statement in arrays:
            _store(statement, result, sources)
            continue
        for name in ("body", "orelse"):
            inner = getattr(statement, name, None)
            if isinstance(inner, list) and inner:
                new = _block(inner, arrays, sources)
                if any(a is not b for a, b in zip(new, inner)) or len(new) != len(inner):
                    statement = with_block(statement, name, new, sources)
        result.append(statement)
    return result


def with_block(
    statement: gast.stmt, field: str, block: list[gast.stmt], sources: dict[gast.stmt, gast.stmt]
) -> gast.stmt:
    """The statement with another block."""
    new = statement.__class__.__new__(statement.__class__)
    new.__dict__.update(statement.__dict__)
    new.__dict__[field] = block
    sources[new] = sources[statement]
    return new


def _store(
    statement: gast.stmt, before: list[gast.stmt], sources: dict[gast.stmt, gast.stmt]
) -> None:
    name, temporary = statement.targets[0].id, statement.value.id
    place = gast.Subscript(syntax.name(name), syntax.constant(...), gast.Store())
    new: gast.stmt = gast.Assign([place], statement.value, None)
    match before[-1] if before else None:
        case gast.Assign(
            targets=[gast.Name(id=made)],
            value=gast.BinOp(
                left=gast.Name(id=left), op=gast.Add() | gast.Sub() as op, right=value
            ),
        ) if made == temporary and left == name and not _reads(value, name):
            before.pop()
            new = gast.AugAssign(place, op, value)
    for node in syntax.walk(new):
        syntax.at(node, statement)
    sources[new] = sources[statement]
    before.append(new)


def _reads(value: gast.expr, name: str) -> bool:
    return name in syntax.loads(value)
