"""Operands: what is copied to be an operand, and for nothing else, need not be copied.

In: the statements of a function, ``Scope``.
Out: the same with fewer copies.
Next: signs.
"""

from __future__ import annotations

import gast

from tangentlite import runtime, syntax
from tangentlite.optimize.facts.scope import Scope
from tangentlite.optimize.facts.solid import is_part
from tangentlite.optimize.replace import inside, remade, unchanged

Body = list[gast.stmt]
NEW = (gast.Mult, gast.Div)  # a sum with ZERO is the other operand itself


def operands(body: Body, scope: Scope) -> Body:
    """Read parts of adjoints where they are, if a product or a negation makes something new of them.

    >>> from tangentlite.optimize.samples import function, text_of, USER
    >>> text = '''
    ... bt1 = -by[1:].copy() * 0.5
    ... bt2 = -rt.unbroadcast(by[:-1].copy(), x)
    ... bt3 = rt.unbroadcast(by[:-1].copy(), x)
    ... bx = np.zeros(n)
    ... bx[1:] += rt.unbroadcast(by[:-1].copy(), y)
    ... '''
    >>> sample = function(text, names={"rt": runtime})
    >>> print(text_of(operands(sample.body, Scope(sample, USER, lambda f: True))))
    bt1 = -by[1:] * 0.5
    bt2 = -rt.unbroadcast(by[:-1], x)
    bt3 = rt.unbroadcast(by[:-1].copy(), x)
    bx = np.zeros(n)
    bx[1:] += rt.unbroadcast(by[:-1], y)
    """
    return _block(body, scope) if "copy" in scope.attributes else body


def _block(body: Body, scope: Scope) -> Body:
    return [
        inside(s, lambda b: _block(b, scope)) if syntax.blocks(s) else _changed(s, scope)
        for s in body
    ]


def _changed(statement: gast.stmt, scope: Scope) -> gast.stmt:
    match statement:
        case gast.Assign(value=value) if scope.purity.pure(value):
            new = _within(value, scope)
        case gast.AugAssign(
            target=gast.Subscript(value=gast.Name(id=base), slice=index), value=value
        ) if scope.adjoint(base) and scope.purity.pure(value):
            new = _within(value, scope)
            array = base in scope.solid or is_part(index)  # a list may hold what is added to ZERO
            new = _operand(new, scope) if array else new
        case _:
            return statement
    return statement if new is value else remade(statement, {"value": new})


def _within(tree: gast.expr, scope: Scope) -> gast.expr:
    """An expression, without copies in the products and negations in it."""
    match tree:
        case gast.Call(args=args):
            new = [_within(a, scope) for a in args]
            return tree if unchanged(args, new) else remade(tree, {"args": new})
    return _sparing(tree, scope)


def _sparing(tree: gast.expr, scope: Scope) -> gast.expr:
    """A product or a negation, without copies of its operands."""
    parts: dict[str, gast.expr] = {}
    match tree:
        case gast.UnaryOp(op=gast.USub(), operand=operand):
            parts = {"operand": operand}
        case gast.BinOp(left=left, op=op, right=right):
            parts = {"left": left, "right": right}
            if not isinstance(op, NEW):
                changes = {k: new for k, e in parts.items() if (new := _within(e, scope)) is not e}
                return remade(tree, changes) if changes else tree
    changes = {k: new for k, e in parts.items() if (new := _operand(e, scope)) is not e}
    return remade(tree, changes) if changes else tree


def _operand(tree: gast.expr, scope: Scope) -> gast.expr:
    match tree:
        case gast.Call(
            func=gast.Attribute(
                value=gast.Subscript(value=gast.Name(id=base)) as part, attr="copy"
            ),
            args=[],
            keywords=[],
        ):
            return part if scope.adjoint(base) else tree
        case gast.Call(func=func, args=[given, like], keywords=[]) if scope.purity.means(
            func, (runtime.unbroadcast,)
        ):  # which gives what it is given, or a sum of that
            part = _operand(given, scope)
            return tree if part is given else remade(tree, {"args": [part, like]})
    return _sparing(tree, scope)
