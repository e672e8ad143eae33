"""``np.multiply.at(a, i, v)`` and the like, said by stores: an element that is named twice is changed twice.

In: a call of the user.
Out: statements, still to be lowered.
Next: desugar, anf.
"""

from __future__ import annotations

import gast
import numpy as np

from tangentlite.lowering.context import Context, remade

KNOWN = (np.add, np.subtract)


def scattered(call: gast.Call, context: Context) -> list[gast.stmt] | None:
    """Round by round: an index names no element twice within one.

    >>> from tangentlite.lowering.example import lowered
    >>> print(lowered("np.multiply.at(x, y, 2)\\nreturn x", "x", "y"))
    t1 = rt.rounds(x, y)
    t6 = rt.shape_at(x, y)
    t7 = np.broadcast_to(2, t6)
    t2 = t7.flatten()
    t8 = rt.sequence(t1)
    t9 = len(t8)
    for i in range(t9):
        t3 = t8[i]
        t4 = t3[0]
        t5 = t3[1]
        t10 = x[t4]
        t11 = t2[t5]
        t12 = np.multiply(t10, t11)
        x[t4] = t12
    return x
    """
    function = getattr(context.meaning(call.func), "__self__", None)
    if not isinstance(function, np.ufunc) or function in KNOWN or not _understood(call, function):
        return None
    before, array = context.named(call.args[0])
    more, index = context.named(call.args[1])
    names = {n: context.temporary() for n in ("rounds", "values", "turn", "p", "k")}
    holes = {"a": array, "i": index, "rt": context.rt(), **names}
    start = context.quote("rounds = rt.rounds(a, i)", call, **holes)
    operands = [context.quote("a[p]", call, **holes)[0].value]
    if function.nin == 2:
        text = "values = broadcast_to(v, rt.shape_at(a, i)).flatten()"
        spread = context.numpy("broadcast_to", call)
        start += context.quote(text, call, v=call.args[2], broadcast_to=spread, **holes)
        operands += [context.quote("values[k]", call, **holes)[0].value]
    new = remade(call, func=call.func.value, args=operands)
    text = "for turn in rounds:\n    p = turn[0]\n    k = turn[1]\n    a[p] = new"
    return before + more + start + context.quote(text, call, new=new, **holes)


def _understood(call: gast.Call, function: np.ufunc) -> bool:
    plain = not call.keywords and not any(isinstance(a, gast.Starred) for a in call.args)
    return plain and call.func.attr == "at" and len(call.args) == function.nin + 1
