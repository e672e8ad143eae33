"""Methods: reductions along an axis of what NumPy has made are said as methods, which take half of the time.

In: the finished statements of a function, ``Scope``, the parameters that are arrays.
Out: the same with ``t.sum(axis=1)`` for ``np.sum(t, axis=1)``.
Next: emit.
"""

from __future__ import annotations

from typing import Any

import gast
import numpy as np

from tangentlite import syntax
from tangentlite.optimize.facts.made import Made
from tangentlite.optimize.facts.scope import Scope
from tangentlite.optimize.replace import exchanged, inside

Body = list[gast.stmt]
REDUCTIONS = {np.sum: "sum", np.mean: "mean", np.max: "max", np.min: "min"}
NAMES = frozenset(("sum", "mean", "max", "amax", "min", "amin"))
SETTINGS = frozenset(("axis", "keepdims"))


def methods(body: Body, scope: Scope, arrays: frozenset[str] = frozenset()) -> Body:
    """Ask an array for its sums; a parameter that may be a number is left to NumPy.

    >>> from tangentlite.optimize.samples import show
    >>> show(methods, '''
    ... t1 = np.exp(x)
    ... t2 = np.sum(t1, axis=1) + np.sum(x, axis=1)
    ... y = np.max(x @ w, axis=0, keepdims=True)
    ... ''')
    t1 = np.exp(x)
    t2 = t1.sum(axis=1) + np.sum(x, axis=1)
    y = (x @ w).max(axis=0, keepdims=True)
    """
    calls = (n for n in syntax.nodes(body) if n.__class__ is gast.Call)
    if scope.attributes.isdisjoint(NAMES) or not any(map(_reduces, calls)):
        return body
    return _Methods(body, scope, arrays).block(body)


def _reduces(node: Any) -> bool:
    """Whether a call may be a reduction along an axis."""
    match node:
        case gast.Call(func=gast.Attribute(attr=attr), args=[_, *rest], keywords=keywords) if (
            attr in NAMES
        ):
            given = {k.arg for k in keywords}
            return given <= SETTINGS and ("axis" in given) + len(rest) == 1
    return False


class _Methods(Made):
    def block(self, body: Body) -> Body:
        return [inside(s, self.block) if syntax.blocks(s) else self._said(s) for s in body]

    def _said(self, statement: gast.stmt) -> gast.stmt:
        holes: dict[int, gast.expr] = {}
        for node in syntax.nodes([statement]):
            if isinstance(node, gast.Call) and _reduces(node):
                inner = any(map(_reduces, syntax.walk(node.args[0])))
                method = None if inner else self._method(node)
                holes |= {} if method is None else {id(node): method}
        return exchanged(statement, holes) if holes else statement

    def _method(self, call: gast.Call) -> gast.expr | None:
        x, *rest = call.args
        for function, name in REDUCTIONS.items():
            if self._scope.purity.means(call.func, (function,)) and self.is_made(x):
                func = syntax.at(gast.Attribute(x, name, gast.Load()), call)
                return syntax.at(gast.Call(func, rest, call.keywords), call)
        return None
