"""Products of two matrices and a vector, begun with the vector.

In: a normal form, and for products of two matrices the statements that multiply them by a vector.
Out: a normal form in which a matrix is multiplied by a vector twice.
Next: analysis.
"""

from __future__ import annotations

from collections.abc import Mapping

import gast

from tangentlite import syntax
from tangentlite.lowering.context import Normal
from tangentlite.lowering.rewriting import Lines, within
from tangentlite.values import replace


def operands(statement: gast.stmt) -> tuple[str, str] | None:
    """The names that a statement multiplies.

    >>> texts = "y = A @ x", "y = np.dot(A, x)", "y = A.dot(x)", "y = A @ x.T"
    >>> [operands(syntax.parse(text)[0]) for text in texts]
    [('A', 'x'), ('A', 'x'), ('A', 'x'), None]
    """
    match statement:
        case gast.Assign(
            targets=[gast.Name()],
            value=gast.BinOp(left=gast.Name(id=x), op=gast.MatMult(), right=gast.Name(id=y))
            | gast.Call(args=[gast.Name(id=x), gast.Name(id=y)], keywords=[])
            | gast.Call(
                func=gast.Attribute(value=gast.Name(id=x)), args=[gast.Name(id=y)], keywords=[]
            ),
        ):
            return x, y
    return None


def with_vector_first(normal: Normal, outer: Mapping[gast.stmt, gast.stmt]) -> Normal:
    """``t = A @ B; y = t @ v`` becomes ``t = B @ v; y = A @ t``, and ``y = v @ t`` then ``t = v @ A; y = t @ B``."""
    sources = dict(normal.sources)
    inner = {s: made for made, s in outer.items()}

    def changed(body: Lines) -> Lines:
        result: Lines = []
        for statement in body:
            made = inner.get(statement)
            if made is not None:
                both = _turned(made, statement)
                sources.update(dict.fromkeys(both, sources[statement]))
                result += both
            elif statement not in outer:
                result.append(within(statement, changed, sources))
        return result

    function = normal.function.with_body(changed(normal.function.body))
    return replace(normal, function=function, sources=sources)


def _turned(made: gast.stmt, outer: gast.stmt) -> Lines:
    (first, second), (left, right) = operands(made) or ("", ""), operands(outer) or ("", "")
    name = made.targets[0].id
    if left == name:
        return [_with(made, second, right), _with(outer, first, name)]
    return [_with(made, left, first), _with(outer, name, second)]


def _with(statement: gast.Assign, x: str, y: str) -> gast.Assign:
    """The same product of other names."""
    value, first, second = statement.value, syntax.name(x), syntax.name(y)
    match value:
        case gast.BinOp(op=op):
            product: gast.expr = gast.BinOp(first, op, second)
        case gast.Call(func=gast.Attribute(attr=method), args=[_]):
            product = gast.Call(gast.Attribute(first, method, gast.Load()), [second], [])
        case _:
            product = gast.Call(value.func, [first, second], [])
    return syntax.assign(statement.targets[0].id, product)
