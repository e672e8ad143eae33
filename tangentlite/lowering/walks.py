"""How loops walk over something.

In: an iterable.
Out: ``Walk``.
Next: loops.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import gast

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
