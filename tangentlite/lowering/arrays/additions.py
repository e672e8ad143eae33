"""``s += e``: a sum that is bound again; a list takes in whatever is walked over.

In: an augmented assignment.
Out: statements, still to be lowered.
Next: desugar, anf.
"""

from __future__ import annotations

from typing import Any

import gast

from tangentlite import syntax
from tangentlite.lowering.arrays import parts
from tangentlite.lowering.context import Context, read, remade


def augmented(name: str, op: Any, value: gast.expr, context: Context) -> list[gast.stmt]:
    """``s += e`` becomes ``s = s + e``.

    >>> from tangentlite.lowering.example import lowered
    >>> print(lowered("x += 2 * x\\nreturn x", "x"))
    t1 = 2 * x
    t2 = x + t1
    x = t2
    return x
    >>> print(lowered("x = []\\nx += (g(v) for v in y)\\nreturn x", "y"))
    x = []
    t1 = []
    t2 = rt.sequence(y)
    t3 = len(t2)
    for i in range(t3):
        v = t2[i]
        t4 = g(v)
        t1.append(t4)
    t5 = x + t1
    x = t5
    return x
    """
    place = context.source
    assert place is not None
    if isinstance(op, gast.Add) and isinstance(value, gast.Tuple):
        items = syntax.at(gast.List(syntax.copy(value).elts, gast.Load()), value)
        listed, plain = (_sum(name, op, v, place) for v in (items, value))
        holes = {"isinstance": context.builtin("isinstance", place), "s": name}
        holes |= {"list": context.builtin("list", place), "a": listed, "b": plain}
        text = "if isinstance(s, list):\n    s = a\nelse:\n    s = b"
        return context.quote(text, place, **holes)
    adds = isinstance(op, gast.Add)
    if adds and isinstance(value, gast.GeneratorExp) and name in syntax.loads(value):
        return context.quote("s.extend(e)", place, s=name, e=value)
    if adds and _runs_out(value, context):
        items = read(context.builtin("list", value), value)
        value = syntax.at(gast.Call(items, [value], []), value)
    return context.quote("s = e", place, s=name, e=_sum(name, op, value, place))


def of_place(statement: Any, context: Context) -> list[gast.stmt] | None:
    """An augmented assignment to a part of an array, or of a tuple to an attribute or element; None of any other."""
    if parts.is_part(statement.target, context):
        return parts.augmented(statement, context)
    adds = isinstance(statement.op, gast.Add) and isinstance(statement.value, gast.Tuple)
    return (
        taken_in(statement, statement.target, context)
        if adds and is_place(statement.target)
        else None
    )


def taken_in(statement: Any, target: Any, context: Context) -> list[gast.stmt]:
    """``x.items += (a, b)``, where a list takes in what is walked over.

    >>> from tangentlite.lowering.example import lowered
    >>> print(lowered("x[0] += (1, 2)\\nreturn x", "x"))
    t2 = x[0]
    t3 = isinstance(t2, list)
    if t3:
        t4 = [1, 2]
        x[0] += t4
    else:
        t1 = (1, 2)
        x[0] += t1
    return x
    """
    text = """if isinstance(now, list):
    slot += items
else:
    values = e
    slot += values"""
    items = syntax.at(gast.List(syntax.copy(statement.value).elts, gast.Load()), statement.value)
    holes = {"now": remade(target, ctx=gast.Load()), "slot": target, "items": items}
    holes |= {n: context.builtin(n, statement) for n in ("isinstance", "list")}
    return context.quote(text, statement, values=context.temporary(), e=statement.value, **holes)


def is_place(target: gast.expr) -> bool:
    """Whether a target may be said twice: an attribute of a name, an element at a name or a literal."""
    match target:
        case gast.Attribute(value=gast.Name()):
            return True
        case gast.Subscript(value=gast.Name(), slice=index):
            return bool(syntax.is_atom(index))
    return False


def _sum(name: str, op: Any, value: gast.expr, place: gast.stmt) -> gast.expr:
    return syntax.at(gast.BinOp(read(name, place), op, value), place)


def _runs_out(value: gast.expr, context: Context) -> bool:
    """Whether a value is an iterator or a view of a dict, which only a list takes in."""
    match value:
        case gast.GeneratorExp():
            return True
        case gast.Call(func=gast.Attribute(attr="keys" | "values" | "items"), args=[]):
            return not context.is_method(value.func)
        case gast.Call(func=func):
            return context.meaning(func) in (zip, map, filter, enumerate, reversed)
    return False
