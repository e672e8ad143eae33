"""Outlines: what a tree looks like from above, so that few laws are tried.

In: an expression.
Out: ``outline``, ``may_match``.
Next: simplify.
"""

from __future__ import annotations

import gast

Outline = tuple[object, ...]


def outline(tree: gast.expr) -> Outline:
    """The root of a tree and what stands below it, two levels of operators.

    >>> from tangentlite import syntax
    >>> [part.__name__ for part in outline(syntax.expression("t1 * f(x)"))]
    ['Mult', 'Name', 'Call']
    >>> [part.__name__ for part in outline(syntax.expression("t1 * (-x)"))[2]]
    ['USub', 'Name']
    """
    kind = tree.__class__
    if kind is gast.BinOp:
        return tree.op.__class__, _below(tree.left), _below(tree.right)
    if kind is gast.UnaryOp:
        return tree.op.__class__, _below(tree.operand)
    if kind is gast.Call:
        func = tree.func
        named = func.attr if func.__class__ is gast.Attribute else func.__class__
        return kind, named, len(tree.args)
    if kind is gast.Subscript or kind is gast.Attribute:
        return kind, tree.value.__class__
    return (kind,)


def _below(tree: gast.expr) -> object:
    kind = tree.__class__
    if kind is gast.BinOp:
        return tree.op.__class__, tree.left.__class__, tree.right.__class__
    return (tree.op.__class__, tree.operand.__class__) if kind is gast.UnaryOp else kind


def may_match(law: object, shape: object) -> bool:
    """Names in a law may stand for anything."""
    if law is gast.Name or not (isinstance(law, tuple) and isinstance(shape, tuple)):
        return law is gast.Name or law == shape
    return len(law) == len(shape) and all(map(may_match, law, shape))
