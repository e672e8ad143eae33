"""Statements said by simpler statements: unpacking, chained and augmented assignment.

In: a statement of the user.
Out: the statements that stand for it, still to be lowered; None if there is nothing to desugar.
Next: loops, blocks.
"""

from __future__ import annotations

from typing import Any

import gast

from tangentlite import syntax
from tangentlite.lowering import effects, truth, values
from tangentlite.lowering.arrays import (
    additions,
    flat,
    inplace,
    parts,
)
from tangentlite.lowering.context import Context, read, remade
from tangentlite.lowering.functions import stars
from tangentlite.lowering.iteration import consumers, lazy, loops, parallel
from tangentlite.lowering.lists import dunders, growing

INTO = (gast.IfExp, gast.BoolOp, gast.ListComp)


def desugar(statement: gast.stmt, context: Context) -> list[gast.stmt] | None:
    """One step towards the normal form."""
    match statement:
        case gast.Assign(targets=[gast.Name(id=name)], value=value):
            return bound(name, value, context)
        case gast.Assign(targets=[gast.Tuple() | gast.List() as target], value=value):
            return unpack(target, value, context)
        case gast.Assign(targets=[_, _, *_] as targets, value=value):
            return chained(targets, value, context)
        case gast.Assign(targets=[gast.Subscript(value=owner) as target], value=value):
            if parts.is_imaginary(owner, context):
                return parts.stored(target, value, context)
            return flat.stored(target, value, context) if flat.is_flat(owner, context) else None
        case gast.Assign(
            targets=[gast.Attribute(attr="real" | "imag" | "flat") as target], value=value
        ):
            return whole(target, value, context)
        case gast.AugAssign() if (made := additions.of_place(statement, context)) is not None:
            return made
        case (
            gast.Assign(targets=[gast.Attribute() as target])
            | gast.AugAssign(target=gast.Attribute() as target)
        ):
            return attribute(statement, target, context)
        case gast.AugAssign(target=gast.Name(id=name), op=op, value=value):
            return additions.augmented(name, op, value, context)
        case gast.AnnAssign(target=target, value=value):
            return context.quote("x = value", statement, x=target, value=value) if value else []
        case gast.For():
            return _loop(statement, context)
        case gast.Expr(value=gast.Call() as call):
            call = dunders.bound(call, context)
            return _effect(remade(statement, value=call), call, context)
        case gast.Expr(value=gast.IfExp() | gast.BoolOp() as value):
            return values.alone(value, context)
        case gast.Delete(targets=targets):
            return inplace.deleted(targets, context)
        case gast.Global():
            return []
    return None


def _loop(statement: gast.For, context: Context) -> list[gast.stmt] | None:
    """A loop, over what grows or over what stays."""
    made = parallel.in_parallel(statement, context) or loops.into_place(statement, context)
    made = made or growing.walked(statement, context)
    return made or loops.over_data(statement, context)


def _effect(statement: gast.Expr, call: gast.Call, context: Context) -> list[gast.stmt] | None:
    """A call whose value nobody reads."""
    ordered = effects.in_order(statement, context)
    return ordered or set_by_name(call, context) or inplace.effect(call, context)


def bound(name: str, value: gast.expr, context: Context) -> list[gast.stmt] | None:
    """``x = a if c else b`` needs no temporary: the user's name serves. So with ``or``, lists.

    >>> from tangentlite.lowering.example import lowered
    >>> print(lowered("x = x or 1\\nreturn x", "x"))
    if not x:
        x = 1
    return x
    """
    if isinstance(value, gast.Call):
        plain = consumers.simplified(value, context)
        if plain is not value:
            return context.quote("x = e", value, x=name, e=plain)
    expands = values.expands(value, context)
    if not expands and (not isinstance(value, INTO) or truth.is_truth(value)):
        return None
    late: Any = value.values[1:] if isinstance(value, gast.BoolOp) else value
    if isinstance(value, gast.IfExp) or name not in syntax.loads(late) | syntax.stores(late):
        return values.into(name, value, context)
    return None


def chained(targets: list[gast.expr], value: gast.expr, context: Context) -> list[gast.stmt]:
    """The value is bound once.

    >>> from tangentlite.lowering.example import lowered
    >>> print(lowered("a = b = g(x)\\nreturn b", "x"))
    a = g(x)
    b = a
    return b
    """
    first, statements = targets[0], []
    if not isinstance(first, gast.Name):
        name = context.temporary()
        statements = context.quote("t = e", value, t=name, e=value)
        value = read(name, value)
    statements += context.quote("a = e", first, a=first, e=value)
    held = read(first.id, first) if isinstance(first, gast.Name) else value
    for target in targets[1:]:
        statements += context.quote("a = e", target, a=target, e=held)
    return statements


def whole(target: gast.Attribute, value: gast.expr, context: Context) -> list[gast.stmt]:
    """All elements of ``a.flat``, ``a.real`` or ``a.imag``."""
    if target.attr == "flat":
        return flat.whole(target, value, context)
    return parts.whole(target, value, context)


def attribute(statement: Any, target: Any, context: Context) -> list[gast.stmt]:
    """The attributes of an object are a dict that it hands out.

    >>> from tangentlite.lowering.example import lowered
    >>> print(lowered("x.w = 2.0\\nx.n += 1\\nreturn x", "x"))
    t1 = vars(x)
    t1['w'] = 2.0
    t2 = vars(x)
    t2['n'] += 1
    return x
    """
    if _is_class(target.value, context):
        return _of_class(statement, target, context)
    fields = syntax.at(
        gast.Call(read(context.builtin("vars", target), target), [target.value], []), target
    )
    key = syntax.at(syntax.constant(target.attr), target)
    place = syntax.at(gast.Subscript(fields, key, gast.Store()), target)
    if isinstance(statement, gast.AugAssign):
        return [context.standing(remade(statement, target=place))]
    return [context.standing(remade(statement, targets=[place]))]


def set_by_name(call: gast.Call, context: Context) -> list[gast.stmt] | None:
    """``setattr(x, "w", v)`` is ``x.w = v``.

    >>> from tangentlite.lowering.example import lowered
    >>> print(lowered("setattr(x, 'w', 2.0)\\nreturn x", "x"))
    t1 = vars(x)
    t1['w'] = 2.0
    return x
    """
    match call:
        case gast.Call(args=[owner, gast.Constant(value=str(attr)), value], keywords=[]):
            if context.meaning(call.func) is setattr and not _is_class(owner, context):
                if attr.isidentifier() and not attr.startswith("__"):
                    target = syntax.at(gast.Attribute(owner, attr, gast.Store()), call)
                    return [context.standing(syntax.at(gast.Assign([target], value, None), call))]
    return None


def _is_class(node: gast.expr, context: Context) -> bool:
    params = context.function.params
    first = params[0].name if params else ""
    if isinstance(node, gast.Name) and node.id == first == "cls":
        return True
    return isinstance(context.meaning(node), type)


def _of_class(statement: Any, target: Any, context: Context) -> list[gast.stmt]:
    """What a class holds is no dict that can be written: ``C.n += 1`` becomes ``setattr(C, 'n', C.n + 1)``."""
    value = statement.value
    if isinstance(statement, gast.AugAssign):
        now = syntax.at(gast.Attribute(target.value, target.attr, gast.Load()), target)
        value = syntax.at(gast.BinOp(now, statement.op, value), statement)
    bind = read(context.builtin("setattr", target), target)
    args = [target.value, syntax.at(syntax.constant(target.attr), target), value]
    return [syntax.at(gast.Expr(syntax.at(gast.Call(bind, args, []), target)), target)]


def unpack(target: Any, value: gast.expr, context: Context) -> list[gast.stmt]:
    """The length is checked as Python checks it, unless the value is a display.

    >>> from tangentlite.lowering.example import lowered
    >>> print(lowered("a, b = g(x)\\nreturn b", "x"))
    t1 = g(x)
    t2 = rt.unpack(t1, 2)
    a = t2[0]
    b = t2[1]
    return b
    """
    elements = target.elts
    if flat.is_flat(value, context) and all(map(_is_name, elements)):
        value = flat.elements(value, context)
    stars = [k for k, e in enumerate(elements) if isinstance(e, gast.Starred)]
    if stars:
        return starred(elements, stars[0], value, context)
    if isinstance(value, gast.Tuple | gast.List) and len(value.elts) == len(elements):
        return paired(elements, value.elts, context)
    return _taken(elements, value, context)


def _is_name(target: gast.expr) -> bool:
    return isinstance(target.value if isinstance(target, gast.Starred) else target, gast.Name)


def _taken(targets: list[gast.expr], value: gast.expr, context: Context) -> list[gast.stmt]:
    if isinstance(value, gast.Call):
        value = lazy.listed(stars.unstarred(value, context), context)
    statements, value = context.named(value)
    name = context.temporary()
    count = syntax.at(syntax.constant(len(targets)), value)
    text = "t = rt.unpack(v, n)"
    statements += context.quote(text, value, t=name, rt=context.rt(), v=value, n=count)
    for k, target in enumerate(targets):
        statements += context.quote(f"a = t[{k}]", target, a=target, t=name)
    return statements


def starred(targets: list[Any], star: int, value: gast.expr, context: Context) -> list[gast.stmt]:
    """What stands before and after the star is unpacked by itself.

    >>> from tangentlite.lowering.example import lowered
    >>> print(lowered("a, *b = x\\nreturn b", "x"))
    t1 = rt.sequence(x)
    t2 = t1[:1]
    t3 = rt.unpack(t2, 1)
    a = t3[0]
    t4 = t1[1:]
    b = list(t4)
    return b
    """
    statements, value = context.named(value)
    items, after = context.temporary(), len(targets) - star - 1
    text = "t = rt.sequence(v)"
    statements += context.quote(text, value, t=items, rt=context.rt(), v=value)
    if star:
        head = context.quote(f"t[:{star}]", value, t=items)[0].value
        statements += _taken(targets[:star], head, context)
    rest = context.temporary()
    statements += context.quote(f"r = t[{star}:]", value, r=rest, t=items)
    middle, make = targets[star].value, context.builtin("list", value)
    text = f"b = make(r[:-{after}])" if after else "b = make(r)"
    statements += context.quote(text, middle, b=middle, r=rest, make=make)
    if after:
        tail = context.quote(f"r[-{after}:]", value, r=rest)[0].value
        statements += _taken(targets[star + 1 :], tail, context)
    return statements


def paired(targets: list[gast.expr], sources: list[gast.expr], context: Context) -> list[gast.stmt]:
    """Displays are paired; what would be read too late is kept first.

    >>> from tangentlite.lowering.example import lowered
    >>> print(lowered("x, y = y, x\\nreturn y", "x", "y"))
    t1 = x
    x = y
    y = t1
    return y
    """
    stores = [syntax.stores(t) for t in targets]
    reads = [syntax.loads(s) | syntax.stores(s) for s in sources]
    first: list[gast.stmt] = []
    then: list[gast.stmt] = []
    late = set().union(*stores) & set().union(*reads)
    simple_ = all(map(syntax.is_atom, sources))
    places = (gast.Subscript, gast.Attribute)
    writes = any(isinstance(n, places) for t in targets for n in syntax.walk(t))
    bound_: set[str] = set()
    for target, source, stored, loaded in zip(targets, sources, stores, reads, strict=True):
        kept = (
            loaded & bound_
            if simple_
            else (late or writes) and not isinstance(source, gast.Constant)
        )
        if kept:
            name = context.temporary()
            first += context.quote("t = e", source, t=name, e=source)
            source = read(name, source)
        then += context.quote("a = e", target, a=target, e=source)
        bound_ |= stored
    return first + then
