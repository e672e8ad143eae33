"""Dicts that are stored into while a loop walks over them keep their size.

In: a ``for`` of the user.
Out: what its body says at its end.
Next: loops.
"""

from __future__ import annotations

import gast

from tangentlite import syntax
from tangentlite.frontend.consumers import names_walked
from tangentlite.lowering.context import Context


def steadied(statement: gast.For, count: str, context: Context) -> list[gast.stmt]:
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
    text = "rt.steady(xs, n)"
    return [
        s
        for name in names
        for s in context.quote(text, statement, rt=context.rt(), xs=name, n=count)
    ]


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
