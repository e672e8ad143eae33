"""Small pieces of generated text.

In: expressions.
Out: expressions.
Next: pouring.
"""

from __future__ import annotations

import gast

from tangentlite import syntax
from tangentlite.differentiate.session import Session


def is_whole(index: gast.expr) -> bool:
    """Whether an index takes all there is, so that a number has it too: ``x[()]``, ``x[...]``."""
    if isinstance(index, gast.Tuple):
        return not index.elts
    return isinstance(index, gast.Constant) and index.value is ...


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


def displayed(display: gast.expr, parts: list[gast.expr]) -> gast.expr:
    """A display like another one, with other elements; what stands beside a closure is a plain tuple."""
    if isinstance(display, gast.Call):
        return gast.Tuple(parts, gast.Load())
    return type(display)(parts, gast.Load())


def negated(value: gast.expr) -> gast.expr:
    """``-value``."""
    return gast.UnaryOp(gast.USub(), value)
