"""Statements that write into arrays, walked back.

In: a store, or a sum into an element.
Out: what the adjoint of the array gives to the value, and what becomes of it.
Next: contributions.
"""

from __future__ import annotations

import gast

from tangentlite import syntax
from tangentlite.analysis.kinds import SCALAR, List, Num, Shape, Tuple
from tangentlite.analysis.operations import Accumulate, Store
from tangentlite.analysis.shapes.subscripts import subscript
from tangentlite.differentiate.adjoints import Adjoints, Body
from tangentlite.differentiate.pieces import as_value, is_whole
from tangentlite.differentiate.shapes import ANY


def store(adjoints: Adjoints, operation: Store) -> Body:
    """``a[i] = v``: the adjoint of the elements goes to v, and begins anew from zero."""
    if not adjoints.reaches(operation.container):
        return []
    ba, index = adjoints.at(operation.container), adjoints.operand(operation.index)
    body = adjoints.writable(operation.container)
    empty = syntax.quote("ba[i] = 0.0", ba=ba, i=index)
    match operation.value:
        case gast.Name(id=name) if name in adjoints.before:
            part, shape = _part(adjoints, operation, ba, index)
            taken = adjoints.session.names.numbered("t")
            adjoints.shapes.known[taken] = shape
            value: gast.expr = syntax.name(taken)
            if isinstance(adjoints.kind(name), List | Tuple):  # NumPy may have spread what is in it
                like = adjoints.operand(operation.value)
                value = adjoints.session.runtime("unbroadcast(e, x)", e=value, x=like)
            given = adjoints.give(name, value, shape)
            return [*body, syntax.assign(taken, part), *empty, *given]
    return body + empty


def accumulate(adjoints: Adjoints, operation: Accumulate) -> Body:
    """``a[i] += v``: the adjoint of the elements goes to v too."""
    if not adjoints.reaches(operation.buffer):
        return []
    match operation.value:
        case gast.Name(id=name) if name in adjoints.before:
            ba, index = adjoints.at(operation.buffer), adjoints.operand(operation.index)
            part, shape = _part(adjoints, operation, ba, index)
            return adjoints.give(name, part, shape, operation.sign)
    return []


def _part(
    adjoints: Adjoints, operation: Store | Accumulate, ba: gast.expr, index: gast.expr
) -> tuple[gast.expr, Shape]:
    """A copy of the adjoint at an index: zero where another element of the index wins."""
    name = operation.container if isinstance(operation, Store) else operation.buffer
    kind, shape = adjoints.kind(name), ANY
    element = gast.Subscript(ba, index, gast.Load())
    if not isinstance(kind, Num):
        return element, ANY
    whole = is_whole(operation.index)
    if whole and kind.scalar and name not in adjoints.shadowed:
        return ba, SCALAR  # the adjoint of a number is bound anew, not written into
    assert adjoints.statement is not None
    bounds = adjoints.session.facts.kinds.amounts.bounds.get(adjoints.statement, {})
    found = subscript(kind, operation.index, -1, adjoints.kind_of, bounds)
    if found.scalar and not whole:
        return element, SCALAR
    if found.shape is not None and -1 not in found.shape:
        shape = found.shape
    if not operation.unique:
        i = as_value(adjoints.session, index)
        return adjoints.session.runtime("won(ba, i)", ba=ba, i=i), ANY
    sliced = any(isinstance(n, gast.Slice) for n in syntax.walk(operation.index))
    if not (kind.array or sliced):
        part = ba if whole else element
        return adjoints.session.runtime("drained(bx)", bx=part), shape
    return syntax.expression("e.copy()", e=element), shape
