"""Cancelled: a guarded product that is summed is guarded by its sum.

In: the finished functions of a derivative for NumPy.
Out: the same with ``rt.cancelled(b, y, x)`` for ``rt.unbroadcast(rt.cancel(b, y), x)``.
Next: emit.
"""

from __future__ import annotations

import gast

from tangentlite import runtime, syntax
from tangentlite.ir import Derived
from tangentlite.optimize.facts.purity import Purity
from tangentlite.optimize.replace import exchanged, inside
from tangentlite.values import replace

Body = list[gast.stmt]


def cancelled(derived: Derived) -> Derived:
    """The functions of a derivative, with one guard for a product and its sum."""
    functions = [
        f.with_body(summed(f.body, Purity(f.namespace, f.local, lambda callee: False)))
        if "cancel" in f.contents.attributes
        else f
        for f in derived.functions
    ]
    return replace(derived, functions=tuple(functions))


def summed(body: Body, purity: Purity) -> Body:
    """Guard the sum.

    >>> from tangentlite.optimize.samples import function, text_of
    >>> sample = function("bx = -rt.unbroadcast(rt.cancel(by, y), x)", names={"rt": runtime})
    >>> print(text_of(summed(sample.body, Purity(sample.namespace, sample.local, lambda f: True))))
    bx = -rt.cancelled(by, y, x)
    """
    result: Body = []
    for statement in body:
        if syntax.blocks(statement):
            statement = inside(statement, lambda block: summed(block, purity))
        else:
            holes = {
                id(n): call
                for n in syntax.walk(statement)
                if (call := _at_once(n, purity)) is not None
            }
            statement = exchanged(statement, holes) if holes else statement
        result.append(statement)
    return result


def _at_once(node: object, purity: Purity) -> gast.expr | None:
    match node:
        case gast.Call(
            func=gast.Attribute(value=rt) as outer,
            args=[gast.Call(func=inner, args=[b, d]), like],
            keywords=[],
        ):
            means = purity.means
            if means(outer, (runtime.unbroadcast,)) and means(inner, (runtime.cancel,)):
                call = gast.Call(gast.Attribute(rt, "cancelled", gast.Load()), [b, d, like], [])
                return syntax.at(call, node)
    return None
