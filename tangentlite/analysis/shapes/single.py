"""Single: expressions that give one number, and no array of them.

In: an expression, the kinds of its names and what its callees mean.
Out: ``gives_one``.
Next: atoms.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import Any

import gast
import numpy as np

from tangentlite import syntax
from tangentlite.analysis.kinds import Kind, Num

WHOLE = (gast.Is, gast.IsNot, gast.In, gast.NotIn)
OF_ANYTHING = (len, isinstance, bool, float, int, callable, hasattr)
OF_NUMBERS = (abs, min, max, round, divmod)


def gives_one(
    node: Any, kind: Callable[[gast.expr], Kind], meaning: Callable[[gast.expr], Any]
) -> bool:
    """Whether an expression is sure to give one number, or one truth, whatever else there is.

    >>> from tangentlite.analysis.kinds import FLOAT
    >>> kinds = {"x": FLOAT, "n": FLOAT, "a": Num(frozenset("a"), "float", 1)}
    >>> meant = {"abs": abs, "len": len, "np.sin": np.sin, "np.arange": np.arange}
    >>> def ask(text):
    ...     find = lambda n: meant.get(syntax.dotted(n))
    ...     return gives_one(syntax.expression(text), lambda n: kinds[n.id], find)
    >>> ask("abs(x) > 2 and len(a) == n"), ask("not a"), ask("np.sin(x) < 0.5")
    (True, True, True)
    >>> ask("a > 0"), ask("np.arange(n) < 3"), ask("x < a[0]")
    (False, False, False)
    """

    def one(part: gast.expr) -> bool:
        return gives_one(part, kind, meaning)

    match node:
        case gast.Name():
            found = kind(node)
            return isinstance(found, Num) and found.scalar
        case gast.Constant() | gast.UnaryOp(op=gast.Not()):
            return True
        case gast.Compare(left=left, ops=ops, comparators=others):
            return all(isinstance(op, WHOLE) for op in ops) or all(map(one, (left, *others)))
        case gast.Call(func=func, args=args, keywords=[]):
            meant = meaning(func)
            return any(meant is f for f in OF_ANYTHING) or (_keeps(meant) and all(map(one, args)))
        case gast.BoolOp() | gast.BinOp() | gast.UnaryOp():
            return all(one(p) for p in syntax.children(node) if isinstance(p, gast.expr))
    return False


def _keeps(callee: Any) -> bool:
    """Whether a function gives numbers for numbers."""
    known = any(callee is f for f in OF_NUMBERS) or isinstance(callee, np.ufunc)
    return known or getattr(callee, "__module__", None) == math.__name__
