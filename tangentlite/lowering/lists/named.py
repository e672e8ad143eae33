"""Attributes whose names stand in a list: one statement for each name.

In: the statements of a function.
Out: the same statements; ``getattr`` and ``setattr`` in loops over written names have the names themselves.
Next: managers.
"""

from __future__ import annotations

import ast
from typing import Any

import gast

from tangentlite import scopes, syntax
from tangentlite.lowering import offered
from tangentlite.lowering.context import Context, remade

Body = list[Any]
ASKING = (getattr, setattr, hasattr)
MOST = 16


def spelled(body: Body, context: Context) -> Body:
    """``for n in ("a", "b"): setattr(x, n, v)`` is ``setattr(x, "a", v)`` and ``setattr(x, "b", v)``.

    >>> from tangentlite.lowering.example import function
    >>> f = function("t = sum(getattr(x, n) for n in ('a', 'b'))\\nfor n, v in [('c', 1)]: setattr(x, n, v)", "x")
    >>> print("\\n".join(map(syntax.unparse, spelled(f.body, Context.of(f, print)))))
    t = sum([x.a, x.b])
    n = 'c'
    v = 1
    setattr(x, 'c', 1)
    """
    calls = context.contents(body).calls
    if not any(context.meaning(call.func) in ASKING for call in calls):
        return body
    return [new for statement in body for new in _statement(statement, context)]


def _statement(statement: Any, context: Context) -> Body:
    if isinstance(statement, scopes.FUNCTIONS):
        return [statement]
    unrolled = _unrolled(statement, context)
    if unrolled is not None:
        return [new for s in unrolled for new in _statement(s, context)]
    fields: dict[str, Any] = {}
    for name in syntax.BLOCKS:
        block = getattr(statement, name, None)
        if isinstance(block, list) and block and isinstance(block[0], gast.stmt):
            fields[name] = [new for s in block for new in _statement(s, context)]
    plain = _tree(remade(statement, **fields), context)
    context.made[plain] = context.made.get(statement, statement)
    decided = getattr(plain, "test", None) is not getattr(statement, "test", None)
    return offered.branch(plain) if decided else [plain]


def _unrolled(statement: Any, context: Context) -> Body | None:
    """A loop over written names, one trip after the other."""
    match statement:
        case gast.For(target=target, iter=iterable, body=body, orelse=[]):
            rows = _rows(target, iterable)
        case _:
            return None
    stored = syntax.stores(body)
    if rows is None or not _asks(body, target, context) or stored & syntax.stores(target):
        return None
    if any(isinstance(n, gast.Break | gast.Continue) for n in scopes.inside(body)):
        return None
    result: Body = []
    for row in rows:
        for name, value in row.items():
            before, row[name] = context.named(value)
            result += before
    for row in rows:
        holes = {}
        for name, value in row.items():
            result += context.quote("n = e", statement, n=name, e=syntax.copy(value))
            if isinstance(value, gast.Constant):
                holes[name] = value
        for part in body:
            new = syntax.substitute(part, holes)
            for old, made in zip(syntax.statements([part]), syntax.statements([new]), strict=True):
                context.made[made] = context.made.get(old, old)
            result.append(new)
    return result


def _expression(node: Any, context: Context) -> Any:
    """A comprehension over written names is a list."""
    match node:
        case (
            gast.ListComp(elt=elt, generators=[step])
            | gast.GeneratorExp(elt=elt, generators=[step])
        ) if not step.ifs and not step.is_async:
            rows = _rows(step.target, step.iter)
            if rows is not None and _are_plain(rows) and _asks([elt], step.target, context):
                items = [syntax.substitute(elt, row) for row in rows]
                return syntax.at(gast.List(items, gast.Load()), node)
        case gast.DictComp(key=key, value=value, generators=[step]) if not step.ifs:
            rows = _rows(step.target, step.iter)
            if rows is not None and _are_plain(rows) and _asks([value], step.target, context):
                keys = [syntax.substitute(key, row) for row in rows]
                values = [syntax.substitute(value, row) for row in rows]
                return syntax.at(gast.Dict(keys, values), node)
    return node


def _tree(node: Any, context: Context) -> Any:
    """A statement, or a part of one, without comprehensions over names; ``getattr(x, "a")`` is ``x.a``."""
    new = _expression(node, context)
    fields: dict[str, Any] = {}
    for name in new._fields:
        value = getattr(new, name, None)
        if isinstance(value, list) and not (value and isinstance(value[0], gast.stmt)):
            fields[name] = [_tree(v, context) if isinstance(v, ast.AST) else v for v in value]
        elif isinstance(value, ast.AST):
            fields[name] = _tree(value, context)
    if any(fields[n] is not getattr(new, n) and fields[n] != getattr(new, n) for n in fields):
        new = remade(new, **fields)
    match new:
        case gast.Call(func=func, args=[owner, gast.Constant(value=str() as attr)], keywords=[]):
            if attr.isidentifier() and context.meaning(func) is getattr:
                return syntax.at(gast.Attribute(owner, attr, gast.Load()), new)
    return offered.decided(new, context)


def _asks(nodes: Body, target: Any, context: Context) -> bool:
    """Whether an attribute is asked for whose name is a variable of the loop."""
    names = syntax.stores(target)
    for node in scopes.inside(nodes):
        match node:
            case gast.Call(func=func, args=[_, gast.Name(id=name), *_]) if name in names:
                if context.meaning(func) in ASKING:
                    return True
    return False


def _rows(target: Any, iterable: Any) -> list[dict[str, Any]] | None:
    """What the variables of a loop are in each trip, if that is written out."""
    if not isinstance(iterable, gast.List | gast.Tuple) or len(iterable.elts) > MOST:
        return None
    if any(isinstance(e, gast.Starred) for e in iterable.elts):
        return None
    if isinstance(target, gast.Name):
        return [{target.id: e} for e in iterable.elts]
    names = [getattr(t, "id", "") for t in getattr(target, "elts", [])]
    rows = [getattr(e, "elts", []) for e in iterable.elts]
    if not all(names) or not names or any(len(row) != len(names) for row in rows):
        return None
    return [dict(zip(names, row)) for row in rows]


def _are_plain(rows: list[dict[str, Any]]) -> bool:
    return all(syntax.is_atom(value) for row in rows for value in row.values())
