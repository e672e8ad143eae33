"""Contract: sums of products of several arrays are made by products of matrices where that takes less time.

In: the statements of a function, ``Scope``.
Out: the same statements; ``np.einsum(spec, x, y)`` is ``rt.einsum(spec, x, y)``.
Next: propagate.
"""

from __future__ import annotations

import gast
import numpy as np

from tangentlite import runtime, syntax
from tangentlite.optimize.replace import inside, remade
from tangentlite.optimize.scope import Scope

Body = list[gast.stmt]
OURS = syntax.expression("rt.einsum")


def contract(body: Body, scope: Scope) -> Body:
    """Leave the order of products to the runtime, where the user has not chosen one.

    >>> from tangentlite.optimize.samples import show
    >>> show(contract, '''
    ... y = np.einsum("ij,jk->ik", x, A)
    ... z = np.einsum("ij,jk->ik", x, A, optimize=False)
    ... ''')
    y = rt.einsum('ij,jk->ik', x, A)
    z = np.einsum('ij,jk->ik', x, A, optimize=False)
    """
    if not scope.purity.means(OURS, (runtime.einsum,)):
        return body
    return [_changed(s, scope) for s in body]


def _changed(statement: gast.stmt, scope: Scope) -> gast.stmt:
    if syntax.blocks(statement):
        return inside(statement, lambda body: [_changed(s, scope) for s in body])
    value = getattr(statement, "value", None)
    if isinstance(value, gast.Call) and _is_sum(value, scope):
        return remade(statement, {"value": remade(value, {"func": OURS})})
    return statement


def _is_sum(call: gast.Call, scope: Scope) -> bool:
    """Whether a call sums products of arrays, and says nothing of the order."""
    return (
        len(call.args) > 2
        and not call.keywords
        and isinstance(call.args[0], gast.Constant)
        and scope.purity.means(call.func, (np.einsum,))
    )
