"""Loops that Numba may run in parallel.

In: a ``for`` of the user over ``numba.prange``.
Out: a loop over ``range``.
Next: loops.
"""

from __future__ import annotations

import gast

from tangentlite import syntax
from tangentlite.frontend import jitted
from tangentlite.lowering.context import Context, read, remade


def in_parallel(statement: gast.For, context: Context) -> list[gast.stmt] | None:
    """A loop over ``numba.prange`` is one over ``range``; None of any other."""
    match statement.iter:
        case gast.Call(func=func, args=args, keywords=[]) if jitted.is_prange(
            context.meaning(func)
        ):
            steps = read(context.builtin("range", func), func)
            call = syntax.at(gast.Call(steps, args, []), statement.iter)
            return [remade(statement, iter=call)]
    return None
