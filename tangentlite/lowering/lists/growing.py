"""Lists that grow while a loop walks over them: what is added is walked over, too.

In: a ``for`` of the user.
Out: a ``while`` over the indices.
Next: loops.
"""

from __future__ import annotations

from typing import Any

import gast

from tangentlite import syntax
from tangentlite.frontend.refusals import GROWING
from tangentlite.lowering.context import Context


def walked(statement: gast.For, context: Context) -> list[gast.stmt] | None:
    """The loop over a list that its body adds to.

    >>> from tangentlite.lowering.example import lowered
    >>> print(lowered("for v in x:\\n    x.append(v)\\nreturn x", "x"))
    i = 0
    while i < len(x):
        v = x[i]
        t1 = i + 1
        i = t1
        x.append(v)
    return x
    """
    target: Any = statement.target
    match statement.iter:
        case gast.Call(func=gast.Name(id="enumerate"), args=[gast.Name() as data], keywords=[]):
            if not isinstance(target, gast.Tuple) or len(target.elts) != 2:
                return None
            counter, target = target.elts
        case gast.Name() as data:
            counter = None
        case _:
            return None
    name, nodes = data.id, [n for s in statement.body for n in syntax.walk(s)]
    if name not in context.locals or (counter and not context.is_builtin("enumerate")):
        return None
    if not any(_adds(node, name) for node in nodes):
        return None
    before: list[gast.stmt] = []
    items: Any = data
    if name in syntax.stores(statement.body) | syntax.stores(statement.target):
        items = context.temporary()
        before = context.quote("t = xs", statement, t=items, xs=data)
    count = "    n = i\n" if counter else ""
    text = f"i = 0\nwhile i < len(xs):\n{count}    v = xs[i]\n    i += 1\n    body"
    holes: dict[str, Any] = {"i": context.local("i"), "len": context.builtin("len", data)}
    holes |= {"xs": items, "n": counter, "v": target, "body": statement.body}
    return before + context.quote(text, statement, **holes)


def _adds(node: Any, name: str) -> bool:
    match node:
        case gast.Call(func=gast.Attribute(value=gast.Name(id=owner), attr=attr)):
            return owner == name and attr in GROWING
    return False
