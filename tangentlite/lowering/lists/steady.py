"""Dicts and lists that may be changed while a loop walks over them keep their size.

In: a ``for`` of the user.
Out: what its body says at its end.
Next: loops.
"""

from __future__ import annotations

import gast

from tangentlite import syntax
from tangentlite.frontend.consumers import names_walked
from tangentlite.frontend.refusals import CHANGES
from tangentlite.lowering import effects
from tangentlite.lowering.context import Context
from tangentlite.lowering.flow.early import LOOKING


def steadied(
    statement: gast.For, before: list[gast.stmt], counts: list[str], context: Context
) -> list[gast.stmt]:
    """A dict that is stored into while the loop walks over it must keep its size.

    >>> from tangentlite.lowering.example import lowered
    >>> print(lowered("for k in x:\\n    x[k] = 1", "x"))
    t1 = rt.sequence(x)
    t2 = len(t1)
    for i in range(t2):
        k = t1[i]
        x[k] = 1
        rt.steady(x, t2)
    return None
    """
    walked = names_walked(statement.iter)
    names = sorted(n for n in _stored_into(statement.body) if n in walked)
    pairs = [(name, counts[0]) for name in names if len(counts) == 1]
    if not pairs and _may_change(statement, context):
        items = _taken(before)
        pairs = list(zip(items, counts)) if len(items) == len(counts) else []
    text = "rt.steady(xs, n)"
    return [
        s
        for name, count in pairs
        for s in context.quote(text, statement, rt=context.rt(), xs=name, n=count)
    ]


def _may_change(statement: gast.For, context: Context) -> bool:
    """Whether the body may change the length of the list that is walked over, which has other names, too."""
    data = statement.iter
    apart = isinstance(data, gast.Name) and data.id in context.lists | _given(context)
    calls = [n for s in statement.body for n in syntax.walk(s) if isinstance(n, gast.Call)]
    return any(_changes_list(call, apart, context) for call in calls)


def _changes_list(call: gast.Call, apart: bool, context: Context) -> bool:
    match call.func:
        case gast.Attribute(value=gast.Name(id=name), attr=attr) if attr in CHANGES:
            if name not in context.function.local:  # the list of a comprehension
                return False
            return not (apart and name in context.lists) and not context.is_method(call.func)
        case gast.Attribute(attr=attr) if context.meaning(call.func) is None:
            return attr in CHANGES or attr not in LOOKING
    return effects.may_write(call.func, context)


def _given(context: Context) -> set[str]:
    """The parameters that are never bound anew."""
    return {p.name for p in context.function.params} - context.function.bound


def _taken(before: list[gast.stmt]) -> list[str]:
    """The names under which a loop walks over sequences."""
    found: list[str] = []
    for statement in before:
        match statement:
            case gast.Assign(
                targets=[gast.Name(id=name)], value=gast.Call(func=gast.Attribute(attr="sequence"))
            ):
                found.append(name)
    return found


def _stored_into(body: list[gast.stmt]) -> set[str]:
    """The names of which a block stores elements."""
    return {
        node.value.id
        for statement in body
        for node in syntax.walk(statement)
        if isinstance(node, gast.Subscript)
        and isinstance(node.ctx, gast.Store)
        and isinstance(node.value, gast.Name)
    }
