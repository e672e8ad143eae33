"""Contract: sums of products of several arrays are made by products of matrices where that takes less time.

In: the statements of a function, ``Scope``.
Out: the same statements; ``np.einsum(spec, x, y)`` is ``rt.einsum(spec, x, y)``, and in loops
    ``rt.unbroadcast(x * y, z)`` is ``rt.unbroadcast_product(x, y, z)``.
Next: propagate.
"""

from __future__ import annotations

from collections import Counter

import gast
import numpy as np

from tangentlite import runtime, syntax
from tangentlite.optimize.facts.scope import Scope
from tangentlite.optimize.replace import inside, remade

Body = list[gast.stmt]
OURS = syntax.expression("rt.einsum")
PRODUCT, DOT = map(syntax.expression, ("rt.unbroadcast_product", "rt.dot"))


def contract(body: Body, scope: Scope) -> Body:
    """Leave the order of products to the runtime, where the user has not chosen one.

    >>> from tangentlite.optimize.samples import show
    >>> show(contract, '''
    ... y = np.einsum("ij,jk->ik", x, A)
    ... z = np.einsum("ij,jk->ik", x, A, optimize=False)
    ... ''')
    y = rt.einsum('ij,jk->ik', x, A)
    z = np.einsum('ij,jk->ik', x, A, optimize=False)
    """
    sums = any(_is_sum(call, scope) for call in scope.calls)
    if not sums or not scope.purity.means(OURS, (runtime.einsum,)):
        return body
    return [_changed(s, scope) for s in body]


def _changed(statement: gast.stmt, scope: Scope) -> gast.stmt:
    if syntax.blocks(statement):
        return inside(statement, lambda body: [_changed(s, scope) for s in body])
    value = getattr(statement, "value", None)
    if isinstance(value, gast.Call) and _is_sum(value, scope):
        return remade(statement, {"value": remade(value, {"func": OURS})})
    return statement


def _is_sum(call: gast.Call, scope: Scope) -> bool:
    """Whether a call sums products of arrays, and says nothing of the order."""
    return (
        len(call.args) > 2
        and not call.keywords
        and isinstance(call.args[0], gast.Constant)
        and scope.purity.means(call.func, (np.einsum,))
    )


def products(body: Body, scope: Scope) -> Body:
    """Leave it to the runtime whether a product is made that is summed, in loops and where one number is left.

    >>> from tangentlite.optimize.samples import function, text_of, USER
    >>> text = "for i in range(n):\\n    bx += rt.unbroadcast(by * y, x)\\nbz = rt.unbroadcast(by * y, z)"
    >>> sample = function(text, names={"rt": runtime})
    >>> print(text_of(products(sample.body, Scope(sample, USER, lambda f: True))))
    for i in range(n):
        bx += rt.unbroadcast_product(by, y, x)
    bz = rt.unbroadcast(by * y, z)

    >>> text = "for i in range(n):\\n    bt1 = by * y\\n    bx[i] += rt.unbroadcast(bt1, x)"
    >>> sample = function(text, names={"rt": runtime})
    >>> print(text_of(products(sample.body, Scope(sample, USER, lambda f: True))))
    for i in range(n):
        bx[i] += rt.unbroadcast_product(by, y, x)

    >>> text = "for i in range(n):\\n    bw = bw + rt.unbroadcast(by * y, w[None])[0]"
    >>> sample = function(text, names={"rt": runtime})
    >>> print(text_of(products(sample.body, Scope(sample, USER, lambda f: True))))
    for i in range(n):
        bw = bw + rt.unbroadcast_product(by, y, w[None])[0]

    >>> sample = function("bk = rt.unbroadcast(by * y, 0.0)", names={"rt": runtime})
    >>> print(text_of(products(sample.body, Scope(sample, USER, lambda f: True))))
    bk = rt.dot(by, y)
    """
    if not scope.purity.means(PRODUCT, (runtime.unbroadcast_product,)):
        return body
    if not scope.kinds.isdisjoint((gast.For, gast.While)):
        read = syntax.times_loaded(body)
        body = [inside(s, lambda b: _joined(b, scope, read)) for s in body]
    return [_summed(s, scope, isinstance(s, gast.For | gast.While)) for s in body]


def _joined(body: Body, scope: Scope, read: Counter[str]) -> Body:
    """Products that have a name and are summed down to one element at once, without that name.

    bt1 = by * y
    bx[i] += rt.unbroadcast(bt1, x)        bx[i] += rt.unbroadcast(by * y, x)
    """
    result: Body = []
    for statement in body:
        last = result[-1] if result else statement
        match last, statement:
            case (
                gast.Assign(
                    targets=[gast.Name(id=name)], value=gast.BinOp(op=gast.Mult()) as product
                ),
                gast.AugAssign(
                    target=gast.Subscript(slice=index),
                    value=gast.Call(func=func, args=[gast.Name(id=given), like]) as sum_,
                ),
            ) if name == given and read[name] == 1 and scope.temporary(name):
                plain = scope.purity.pure(product) and name not in scope.captured
                element = not any(isinstance(n, gast.Slice) for n in syntax.walk(index))
                if plain and element and scope.purity.means(func, (runtime.unbroadcast,)):
                    result[-1] = remade(
                        statement, {"value": remade(sum_, {"args": [product, like]})}
                    )
                    continue
        result.append(inside(statement, lambda b: _joined(b, scope, read)))
    return result


def _summed(statement: gast.stmt, scope: Scope, inner: bool) -> gast.stmt:
    if syntax.blocks(statement):
        loop = inner or isinstance(statement, gast.For | gast.While)
        return inside(statement, lambda body: [_summed(s, scope, loop) for s in body])
    if not isinstance(statement, gast.Assign | gast.AugAssign):
        return statement
    value = _with_products(statement.value, scope, inner)
    return statement if value is statement.value else remade(statement, {"value": value})


def _with_products(node: gast.expr, scope: Scope, inner: bool) -> gast.expr:
    """An expression of calls and sums in which products that are summed are left to the runtime."""
    match node:
        case gast.Call(
            func=func, args=[gast.BinOp(left=a, op=gast.Mult(), right=b), like], keywords=[]
        ) if (inner or isinstance(like, gast.Constant)) and not _is_number(a, b):
            if scope.purity.means(func, (runtime.unbroadcast,)):
                if isinstance(like, gast.Constant) and type(like.value) is float:
                    return remade(node, {"func": DOT, "args": [a, b]})
                return remade(node, {"func": PRODUCT, "args": [a, b, like]})
        case gast.BinOp(left=left, right=right):
            parts = {"left": _with_products(left, scope, inner)}
            parts["right"] = _with_products(right, scope, inner)
            same = parts["left"] is left and parts["right"] is right
            return node if same else remade(node, parts)
        case gast.UnaryOp(operand=operand):
            part = _with_products(operand, scope, inner)
            return node if part is operand else remade(node, {"operand": part})
        case gast.Subscript(value=gast.Call() as whole):
            part = _with_products(whole, scope, inner)
            return node if part is whole else remade(node, {"value": part})
    return node


def _is_number(*factors: gast.expr) -> bool:
    return any(isinstance(f, gast.Constant) for f in factors)
