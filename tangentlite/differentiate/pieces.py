"""Small pieces of generated text.

In: expressions.
Out: expressions.
Next: pouring.
"""

from __future__ import annotations

import gast
import numpy as np

from tangentlite import syntax
from tangentlite.analysis.operations import Display
from tangentlite.differentiate.session import Session


def is_whole(index: gast.expr) -> bool:
    """Whether an index takes all there is, so that a number has it too: ``x[()]``, ``x[...]``."""
    if isinstance(index, gast.Tuple):
        return not index.elts
    return isinstance(index, gast.Constant) and index.value is ...


def fits_numbers(index: gast.expr) -> bool:
    """Whether a number of NumPy has what an index takes: all there is, perhaps with new axes (``x[None]``)."""
    parts = index.elts if isinstance(index, gast.Tuple) else [index]
    return all(isinstance(p, gast.Constant) and (p.value is ... or p.value is None) for p in parts)


def whole_of(session: Session, value: gast.expr, x: gast.expr, index: gast.expr) -> gast.expr:
    """The adjoint of all of ``x``, given that of ``x[index]``: without the axes that the index adds."""
    if is_whole(index):
        return value
    rt, np_ = session.rt, session.alias("np", np)
    text = "np.reshape(rt.summed(rt.ZERO, e, x[i]), np.shape(x))"
    return syntax.expression(text, rt=rt, np=np_, e=value, x=x, i=index)


def as_value(session: Session, index: gast.expr) -> gast.expr:
    """An index as an argument: ``1:3`` is ``slice(1, 3)``."""
    match index:
        case gast.Slice(lower=lower, upper=upper, step=step):
            bounds = [b or syntax.constant(None) for b in (lower, upper, step)]
            return gast.Call(
                syntax.name(session.alias("slice", slice)), bounds if step else bounds[:2], []
            )
        case gast.Tuple(elts=parts):
            return gast.Tuple([as_value(session, p) for p in parts], gast.Load())
    return index


def displayed(operation: Display, value: gast.expr, parts: list[gast.expr]) -> gast.expr:
    """A display of the derivatives of the elements: that of an object is a dict, that of a closure a tuple."""
    keys = list(operation.keys)
    if isinstance(value, gast.List):
        return gast.List(parts, gast.Load())
    if isinstance(value, gast.Dict) or any(isinstance(k.value, str) for k in keys):
        return gast.Dict(keys, parts)
    made = isinstance(value, gast.Call) and not parts
    return gast.Dict([], []) if made else gast.Tuple(parts, gast.Load())


def negated(value: gast.expr) -> gast.expr:
    """``-value``."""
    return gast.UnaryOp(gast.USub(), value)
