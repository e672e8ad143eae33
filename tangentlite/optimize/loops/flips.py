"""Flips: a vector is turned round by a slice, which takes a fifth of the time of ``np.flip``.

In: the finished statements of a function for NumPy, ``Scope``, ``Axes``.
Out: the same with ``x[::-1]`` for ``np.flip(x)``, where ``x`` has one axis.
Next: emit.
"""

from __future__ import annotations

from collections.abc import Iterator

import gast
import numpy as np

from tangentlite import syntax
from tangentlite.optimize.facts.axes import Axes
from tangentlite.optimize.facts.scope import Scope
from tangentlite.optimize.replace import exchanged, inside

Body = list[gast.stmt]
BACK = syntax.expression("x[::-1]").slice


def flips(body: Body, scope: Scope, axes: Axes) -> Body:
    """Turn vectors round by slices.

    >>> from tangentlite.optimize.samples import USER, function, sample_is_pure, text_of
    >>> text = '''
    ... t1 = np.flip(x[:k])
    ... t2 = np.flip(A)
    ... bx = np.zeros(x.shape)
    ... bx[:k] += np.flip(x[:k] * c)
    ... '''
    >>> sample = function(text)
    >>> scope = Scope(sample, USER, sample_is_pure)
    >>> print(text_of(flips(sample.body, scope, Axes(sample.body, {"x": 1}, scope.purity))))
    t1 = x[:k][::-1]
    t2 = np.flip(A)
    bx = np.zeros(x.shape)
    bx[:k] += (x[:k] * c)[::-1]
    """
    if "flip" not in scope.attributes:
        return body
    return [_said(s, scope, axes) for s in body]


def _said(statement: gast.stmt, scope: Scope, axes: Axes) -> gast.stmt:
    if syntax.blocks(statement):
        return inside(statement, lambda body: [_said(s, scope, axes) for s in body])
    holes = {}
    added = _added(statement, axes)
    for node in syntax.walk(statement):
        match node:
            case gast.Call(func=func, args=[x], keywords=[]) if scope.purity.means(
                func, (np.flip,)
            ):
                if axes.of(x) == 1 or (node is added and 1 in _parts(x, axes)):
                    turned = gast.Subscript(x, BACK, gast.Load())
                    holes[id(node)] = syntax.at(turned, node)
    return exchanged(statement, holes) if holes else statement


def _added(statement: gast.stmt, axes: Axes) -> gast.expr | None:
    """What is added to a vector in place: it has one axis at most."""
    match statement:
        case gast.AugAssign(target=target, value=value) if axes.of(target) == 1:
            return value
    return None


def _parts(tree: gast.expr, axes: Axes) -> Iterator[int | None]:
    """The axes of what a product or a sum is made of."""
    if isinstance(tree, gast.BinOp) and not isinstance(tree.op, gast.MatMult):
        yield from _parts(tree.left, axes)
        yield from _parts(tree.right, axes)
        return
    bound = axes.bindings.get(tree.id, []) if isinstance(tree, gast.Name) else []
    if len(bound) == 1 and isinstance(bound[0], gast.BinOp) and axes.of(tree) is None:
        yield from map(axes.of, (bound[0].left, bound[0].right))
    else:
        yield axes.of(tree)
