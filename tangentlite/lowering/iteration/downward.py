"""A range with steps, from its end.

In: a ``for`` over ``reversed(range(a, b, s))`` that may be left.
Out: a ``for`` over ``range``.
Next: loops.
"""

from __future__ import annotations

from typing import Any

import gast

from tangentlite import syntax
from tangentlite.lowering.context import Context


def downward(statement: gast.For, steps: Any, context: Context) -> list[gast.stmt]:
    """A loop that may be left has no ``reversed`` of a range with steps.

    >>> from tangentlite.lowering.example import lowered
    >>> print(lowered("for i in reversed(range(0, x, 3)):\\n    break", "x"))
    stop = False
    t2 = range(0, x, 3)
    t1 = len(t2)
    t3 = t1 - 1
    t4 = t3 * 3
    t5 = 0 + t4
    t6 = 0 - 3
    for i in range(t5, t6, -3):
        stop = True
        if stop:
            break
    return None
    """
    before: list[gast.stmt] = []
    args = []
    for arg in steps.args:
        if not syntax.is_atom(arg):
            held, arg = context.named(arg)
            before += held
        args.append(arg)
    start, end, step = args
    count = context.temporary()
    context.builtin("len", steps)
    text = """n = len(range(a, b, s))
for i in range(a + (n - 1) * s, a - s, -s):
    body"""
    holes = {"n": count, "a": start, "b": end, "s": step, "i": statement.target}
    return before + context.quote(text, statement, **holes, body=statement.body)
