"""Begins: an adjoint that is stored into zeros as a whole is an array already, and is written on.

In: the finished functions of a derivative for NumPy.
Out: the same with ``bx = rt.buffer(e, x)`` for ``bx = rt.zeros(x); bx[...] = e``: no zeros, and no copy.
Next: emit.
"""

from __future__ import annotations

import gast
import numpy as np

from tangentlite import runtime, syntax
from tangentlite.ir import Derived
from tangentlite.optimize.facts.purity import Purity
from tangentlite.optimize.replace import inside, unchanged
from tangentlite.values import replace

Body = list[gast.stmt]
NEW = (runtime.quotient, runtime.times, runtime.cancel, runtime.weighted)
BUFFER = syntax.expression("rt.buffer")


def begins(derived: Derived) -> Derived:
    """The functions of a derivative, without zeros that nobody reads."""
    functions = []
    for function in derived.functions:
        if "zeros" not in function.contents.attributes:
            functions.append(function)
            continue
        purity = Purity(function.namespace, function.local, lambda callee: False)
        if not purity.means(BUFFER, (runtime.buffer,)):
            return derived
        body = begun(function.body, purity)
        functions.append(function if body is function.body else function.with_body(body))
    return replace(derived, functions=tuple(functions))


def begun(body: Body, purity: Purity) -> Body:
    """Begin with what is stored, where that has memory of its own.

    >>> from tangentlite.optimize.samples import function, text_of
    >>> text = '''
    ... bx = rt.zeros(x)
    ... bx[...] = bt1 * y
    ... bx[1:] += by
    ... bz = np.zeros(z.shape)
    ... bu = np.zeros(u.shape)
    ... # Grad of: z = z * u
    ... bz[...] = bt1 * u
    ... bu[...] = bt2
    ... '''
    >>> sample = function(text, names={"rt": runtime, "np": np})
    >>> print(text_of(begun(sample.body, Purity(sample.namespace, sample.local, lambda f: True))))
    bx = rt.buffer(bt1 * y, x)
    bx[1:] += by
    bu = np.zeros(u.shape)
    # Grad of: z = z * u
    bz = rt.buffer(bt1 * u, z)
    bu[...] = bt2
    """
    result: Body = []
    for statement in body:
        statement = inside(statement, lambda block: begun(block, purity))
        zeros = _zeros(statement, result, purity) if _is_store(statement) else None
        if zeros is not None:
            made = syntax.expression("rt.buffer(e, x)", rt="rt", e=statement.value, x=zeros[1])
            name = statement.targets[0].value.id
            del result[zeros[0]]
            statement = syntax.at(syntax.assign(name, made), statement)
        result.append(statement)
    return body if unchanged(body, result) else result


def _is_store(statement: gast.AST) -> bool:
    kind = statement.__class__
    return kind is gast.Assign and statement.targets[0].__class__ is gast.Subscript


def _zeros(statement: gast.stmt, before: Body, purity: Purity) -> tuple[int, str] | None:
    """Where the zeros are made that a statement stores over, and what they are like."""
    for place in reversed(range(len(before))):
        if before[place].__class__ is syntax.Comment:
            continue
        made = _made(before[place], purity)
        if made is None:
            return None
        if _stores(statement, made[0], purity):
            return place, made[1]
    return None


def _made(statement: gast.stmt, purity: Purity) -> tuple[str, str] | None:
    """The name of an array of zeros, and of what it is like."""
    match statement:
        case gast.Assign(
            targets=[gast.Name(id=name)],
            value=gast.Call(
                func=func, args=[gast.Attribute(value=gast.Name(id=like), attr="shape")]
            ),
        ) if purity.means(func, (np.zeros,)):
            return name, like
        case gast.Assign(
            targets=[gast.Name(id=name)],
            value=gast.Call(func=func, args=[gast.Name(id=like)], keywords=[]),
        ) if purity.means(func, (runtime.zeros,)):
            return name, like
    return None


def _stores(statement: gast.stmt, name: str, purity: Purity) -> bool:
    """Whether a statement stores over the whole of an array what is new memory, made of other names."""
    match statement:
        case gast.Assign(
            targets=[gast.Subscript(value=gast.Name(id=base), slice=gast.Constant(value=index))],
            value=value,
        ) if base == name and index is ... and name not in syntax.loads(value):
            return _is_new(value, purity)
    return False


def _is_new(value: gast.expr, purity: Purity) -> bool:
    """Whether a value shares memory with nothing: of a sum, one part may be nothing, and the other all of it."""
    match value:
        case (
            gast.BinOp(op=gast.Mult() | gast.Div() | gast.MatMult()) | gast.UnaryOp(op=gast.USub())
        ):
            return True
        case gast.Call(func=func, keywords=[]):
            return purity.means(func, NEW)
    return False
