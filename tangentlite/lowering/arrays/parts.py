"""Stores into ``z.real`` and ``z.imag``: the first is a view of z, the second has an adjoint of the other sign.

In: assignments to these attributes, or to parts of ``z.imag``.
Out: stores into z, still to be lowered.
Next: desugar.
"""

from __future__ import annotations

from typing import Any

import gast

from tangentlite import syntax
from tangentlite.lowering.arrays.inplace import as_value
from tangentlite.lowering.context import Context, remade


def is_imaginary(node: gast.AST, context: Context) -> bool:
    """Whether ``node`` is ``z.imag``."""
    return (
        isinstance(node, gast.Attribute) and node.attr == "imag" and context.meaning(node) is None
    )


def is_part(target: gast.expr, context: Context) -> bool:
    """Whether a target is ``z.real``, ``z.imag`` or an element of ``z.imag``."""
    match target:
        case gast.Attribute(attr="real" | "imag"):
            return True
        case gast.Subscript(value=owner):
            return is_imaginary(owner, context)
    return False


def whole(target: gast.Attribute, value: gast.expr, context: Context) -> list[gast.stmt]:
    """``z.real = v`` is ``z.real[...] = v``."""
    return context.quote("a[...] = v", target, a=remade(target, ctx=gast.Load()), v=value)


def stored(target: gast.Subscript, value: gast.expr, context: Context) -> list[gast.stmt]:
    """``z.imag[i] = v``.

    >>> from tangentlite.lowering.example import lowered
    >>> print(lowered("x.imag[1] = y\\nreturn x", "x", "y"))
    t1 = x[1]
    t2 = rt.composed(t1, y)
    x[1] = t2
    return x
    """
    first, value = context.named(value)
    before, array = context.named(target.value.value)
    more, index = context.named(as_value(target.slice, context))
    text = "z[i] = rt.composed(z[i], v)"
    holes = {"z": array, "i": index, "v": value, "rt": context.rt()}
    return first + before + more + context.quote(text, target, **holes)


def augmented(statement: gast.AugAssign, context: Context) -> list[gast.stmt]:
    """``z.real op= v`` and ``z.imag[i] op= v`` read, compute and store.

    >>> from tangentlite.lowering.example import lowered
    >>> print(lowered("x.real *= y\\nreturn x", "x", "y"))
    t1 = x.real
    t2 = t1[...]
    t3 = t2 * y
    t1[...] = t3
    return x
    """
    target: Any = statement.target
    whole_ = isinstance(target, gast.Attribute)
    part = remade(target if whole_ else target.value, ctx=gast.Load())
    index = syntax.at(syntax.constant(...), target) if whole_ else target.slice
    if part.attr == "real":
        place = syntax.at(gast.Subscript(part, index, gast.Store()), target)
        return [_made(remade(statement, target=place), context)]
    before, array = context.named(part.value)
    more, index = context.named(as_value(index, context))
    place = syntax.at(gast.Subscript(remade(part, value=array), index, gast.Load()), target)
    value = syntax.at(gast.BinOp(place, statement.op, statement.value), target)
    return before + more + context.quote("p = v", target, p=place, v=value)


def _made(statement: gast.stmt, context: Context) -> gast.stmt:
    if context.source is not None:
        context.made[statement] = context.source
    return statement
