"""How loops walk over something.

In: an iterable.
Out: ``Walk``.
Next: loops.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import gast

from tangentlite import syntax
from tangentlite.lowering.context import Context, read
from tangentlite.values import immutable

Bind = Callable[[Any, str], list[gast.stmt]]


@immutable(eq=False)
class Walk:
    """What to do before, how many trips (the least; for ever if none is counted), how a trip binds a target."""

    before: list[gast.stmt]
    counts: list[str]
    bind: Bind


def sequence(data: gast.expr, context: Context) -> Walk:
    """The walk over a sequence."""
    before, data = context.named(data)
    items, count = context.temporary(), context.temporary()
    text = "t = rt.sequence(xs)\nn = len(t)"
    holes = {"rt": context.rt(), "len": context.builtin("len", data), "xs": data}
    before += context.quote(text, data, t=items, n=count, **holes)

    def bind(target: Any, index: str) -> list[gast.stmt]:
        return context.quote("v = t[i]", target, v=target, t=items, i=index)

    return Walk(before, [count], bind)


def held(
    before: list[gast.stmt], value: gast.expr, context: Context
) -> tuple[list[gast.stmt], gast.expr]:
    """``value`` bound to a temporary, so that the loop cannot rebind what it names."""
    name = context.temporary()
    return before + context.quote("t = e", value, t=name, e=value), read(name, value)


def fixed(data: gast.expr) -> gast.expr:
    """A list of texts that is written where it is walked over may as well be a tuple: nobody can change it."""
    match data:
        case gast.List(elts=elts) if any(map(_has_text, elts)):
            return syntax.at(gast.Tuple(elts, gast.Load()), data)
    return data


def _has_text(node: gast.expr) -> bool:
    parts = node.elts if isinstance(node, gast.Tuple) else [node]
    return any(isinstance(p, gast.Constant) and isinstance(p.value, str) for p in parts)
