"""Lasts: what only the next trip of a backward loop needs is not computed in its last one.

In: the finished statements of a function, ``Scope``.
Out: the same with a test before products of matrices that nobody reads after the last trip.
Next: emit.
"""

from __future__ import annotations

from typing import Any

import gast

from tangentlite import syntax
from tangentlite.analysis.shapes.broadcasting import whole
from tangentlite.optimize.facts.scope import Scope
from tangentlite.optimize.replace import remade

Body = list[gast.stmt]


def lasts(body: Body, scope: Scope) -> Body:
    """Leave out the last product of a chain that ends where nothing is differentiated.

    >>> from tangentlite.optimize.samples import function, text_of, sample_is_pure, USER
    >>> text = '''
    ... for i in reversed(range(n)):
    ...     x, w = tape.pop()
    ...     bw[i] = x.T @ bh
    ...     bh = bh @ w.T
    ... return bw
    ... '''
    >>> sample = function(text)
    >>> print(text_of(lasts(sample.body, Scope(sample, USER, sample_is_pure))))
    for i in reversed(range(n)):
        x, w = tape.pop()
        bw[i] = x.T @ bh
        if i:
            bh = bh @ w.T
    return bw
    """
    if gast.For not in scope.kinds:
        return body
    result = list(body)
    for place, loop in enumerate(body):
        test = _before_last(loop, scope)
        if test is not None and any(map(_product, loop.body)):
            result[place] = _shorter(loop, test, body[place + 1 :], scope)
    return result


def _product(statement: gast.stmt) -> bool:
    """Whether a name is bound to a product of matrices."""
    match statement:
        case gast.Assign(targets=[gast.Name()], value=gast.BinOp(op=gast.MatMult())):
            return True
    return False


def _before_last(loop: Any, scope: Scope) -> gast.expr | None:
    """What holds in all trips of a loop but the last one."""
    match loop:
        case gast.For(
            target=gast.Name(id=name),
            iter=gast.Call(func=func, args=[gast.Call(args=args)]),
            orelse=[],
        ) if scope.purity.means(func, (reversed,)) and name in scope.integers:
            least = whole(args[0]) if len(args) == 2 else 0 if len(args) == 1 else None
            if least is None or name in syntax.stores(loop.body):
                return None
            counter = syntax.name(name)
            return (
                syntax.expression("i > k", i=counter, k=syntax.constant(least))
                if least
                else counter
            )
    return None


def _shorter(loop: Any, test: gast.expr, behind: Body, scope: Scope) -> gast.stmt:
    later, inner = syntax.loads(behind), list(loop.body)
    for k, statement in enumerate(loop.body):
        match statement:
            case gast.Assign(
                targets=[gast.Name(id=name)], value=gast.BinOp(op=gast.MatMult()) as value
            ) if scope.adjoint(name) and name not in later and scope.purity.pure(value):
                rest, before = loop.body[k + 1 :], loop.body[:k]
                named = syntax.loads(rest) | syntax.times_stored(rest).keys()
                if name not in named and name not in scope.captured:
                    if name in syntax.loads([*before, statement]):
                        inner[k] = syntax.at(gast.If(test, [statement], []), statement)
    return remade(loop, {"body": inner}) if inner != loop.body else loop
