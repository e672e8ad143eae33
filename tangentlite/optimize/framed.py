"""Framed: sums and products of which only the shape is asked for are not made.

In: the finished statements of a function of numbers and arrays, ``Scope``.
Out: the same with ``rt.frame(a, b)`` for ``a + b``, which has its shape, and no elements of its own.
Next: emit.
"""

from __future__ import annotations

from collections import Counter

import gast

from tangentlite import runtime, syntax
from tangentlite.optimize.replace import remade
from tangentlite.optimize.scope import Scope
from tangentlite.rules.reads import reads

Body = list[gast.stmt]
FRAME, OUTLINE = syntax.expression("rt.frame"), syntax.expression("rt.outline")
OPERATORS = (gast.Add, gast.Sub, gast.Mult)


def framed(body: Body, scope: Scope) -> Body:
    """Make no more than the shape of a temporary, where nobody reads what it holds.

    >>> from tangentlite.optimize.samples import function, text_of, USER
    >>> text = '''
    ... t1 = x * y
    ... t2 = t1 - z
    ... t3 = x * z
    ... bt1 = rt.unbroadcast(by * t3, t2)
    ... '''
    >>> sample = function(text, names={"rt": runtime})
    >>> print(text_of(framed(sample.body, Scope(sample, USER, lambda f: True))))
    t1 = rt.frame(x, y)
    t2 = rt.frame(t1, z)
    t3 = x * z
    bt1 = rt.unbroadcast(by * t3, t2)
    """
    candidates = [s for s in body if _made(s, scope) is not None]
    if not candidates or not scope.purity.means(FRAME, (runtime.frame,)):
        return body
    bound = Counter(n.id for n in syntax.names(body) if not isinstance(n.ctx, gast.Load))
    result = list(body)
    while True:
        read = reads(map(_evaluated, result))[0]
        found = [
            k
            for k, s in enumerate(result)
            if (name := _made(s, scope)) is not None and bound[name] == 1 and name not in read
        ]
        if not found:
            return result
        for k in found:
            result[k] = remade(result[k], {"value": _frame(result[k].value)})


def _evaluated(statement: gast.stmt) -> gast.AST:
    """What a statement reads, without the name that it binds."""
    match statement:
        case gast.Assign(targets=[gast.Name()], value=value):
            return value
    return statement


def _made(statement: gast.stmt, scope: Scope) -> str | None:
    """The temporary that is a sum or a product."""
    match statement:
        case gast.Assign(targets=[gast.Name(id=name)], value=gast.BinOp() as value):
            plain = scope.temporary(name) and not scope.adjoint(name) and _is_plain(value)
            return str(name) if plain and name not in scope.captured else None
    return None


def _is_plain(tree: gast.expr) -> bool:
    match tree:
        case gast.BinOp(left=left, op=op, right=right):
            return isinstance(op, OPERATORS) and _is_plain(left) and _is_plain(right)
        case gast.Constant(value=value):
            return isinstance(value, float)
    return isinstance(tree, gast.Name | gast.Subscript)


def _frame(tree: gast.expr) -> gast.expr:
    """What has the shape of a sum or a product: a number among the factors has none."""
    if not isinstance(tree, gast.BinOp):
        return tree
    parts = [p for p in (tree.left, tree.right) if not isinstance(p, gast.Constant)]
    func = FRAME if len(parts) == 2 else OUTLINE
    return syntax.at(gast.Call(func, [_frame(p) for p in parts], []), tree)
