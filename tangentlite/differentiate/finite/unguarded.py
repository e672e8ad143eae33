"""Local derivatives without guard, where it is known that they are finite.

In: expressions of a rule, over placeholders of versions.
Out: the same with ``b * d`` for ``rt.times(b, d)`` and ``b / y`` for ``rt.quotient(b, y)`` and ``rt.ratio(b, y)``.
Next: primitives.
"""

from __future__ import annotations

import gast

from tangentlite import syntax
from tangentlite.analysis.operations import Primitive
from tangentlite.analysis.shapes.bounds import shows
from tangentlite.differentiate.adjoints import Adjoints
from tangentlite.rules import Term
from tangentlite.values import replace


def unguarded(adjoints: Adjoints, operation: Primitive, term: Term) -> Term:
    """What the current statement gives to an argument, without guards that are not needed."""
    if adjoints.statement not in adjoints.session.bounds.seen or not shows(operation):
        return term
    return replace(term, value=_plain(adjoints, term.value))


def _plain(adjoints: Adjoints, tree: gast.expr) -> gast.expr:
    """An expression without guards round what is finite."""
    rt, table, bounds = adjoints.session.rt, adjoints.shapes.table, adjoints.session.bounds
    match tree:
        case gast.UnaryOp(op=op, operand=operand):
            return gast.UnaryOp(op, _plain(adjoints, operand))
        case gast.BinOp(left=left, op=op, right=right):
            return gast.BinOp(_plain(adjoints, left), op, _plain(adjoints, right))
        case gast.Call(func=func, args=[b, d], keywords=[]):
            name = syntax.dotted(func)
            if name == f"{rt}.times" and bounds.finite(d, table):
                return gast.BinOp(_plain(adjoints, b), gast.Mult(), d)
            if name in (f"{rt}.quotient", f"{rt}.ratio") and bounds.nonzero(d, table):
                return gast.BinOp(_plain(adjoints, b), gast.Div(), d)
            return gast.Call(func, [_plain(adjoints, b), d], [])
    return tree
