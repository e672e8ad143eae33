"""Methods of universal functions: ``np.add.outer(x, y)`` is a sum, the others are calls of functions that do the same.

In: a call.
Out: a call that means the same, still to be lowered.
Next: spellings.
"""

from __future__ import annotations

from typing import Any

import gast
import numpy as np

from tangentlite.lowering.context import Context, read, remade
from tangentlite.standins import ufuncs

METHODS = {f.__name__: f for f in (ufuncs.reduce, ufuncs.accumulate, ufuncs.reduceat, ufuncs.outer)}
SIGNS = ((np.add, "+"), (np.subtract, "-"), (np.multiply, "*"), (np.divide, "/"))


def of_ufunc(node: gast.Call, meaning: Any, context: Context) -> gast.expr:
    """The call of what belongs to a ufunc; as it is, if that is none of these methods.

    >>> from tangentlite.lowering.example import lowered
    >>> print(lowered("return np.add.outer(x, y)", "x", "y"))
    t1 = np.shape(x)
    t2 = (1,)
    t3 = np.ndim(y)
    t4 = t2 * t3
    t5 = t1 + t4
    t6 = np.reshape(x, t5)
    y_1 = t6 + y
    return y_1
    """
    if meaning.__name__ not in METHODS or any(isinstance(a, gast.Starred) for a in node.args):
        return node
    if meaning.__name__ == "outer" and len(node.args) == 2 and not node.keywords:
        return _outer(node, context)
    function = METHODS[meaning.__name__]
    func = read(context.module(function.__name__, function), node)
    return remade(node, func=func, args=[node.func.value, *node.args])


def _outer(node: gast.Call, context: Context) -> gast.expr:
    """``np.add.outer(a, b)`` is ``np.reshape(a, np.shape(a) + (1,) * np.ndim(b)) + b``."""
    before, first = context.named(node.args[0])
    more, second = context.named(node.args[1])
    context.run(before + more)
    sign = next((text for ufunc, text in SIGNS if ufunc is context.meaning(node.func.value)), None)
    column = "reshape(a, shape(a) + (1,) * ndim(b))"
    (made,) = context.quote(
        f"{column} {sign} b" if sign else f"f({column}, b)",
        node,
        **{name: context.numpy(name, node) for name in ("reshape", "shape", "ndim")},
        f=node.func.value,
        a=first,
        b=second,
    )
    return made.value
