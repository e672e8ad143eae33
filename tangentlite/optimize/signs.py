"""Signs: what is added with a minus sign is subtracted without it, also where it has a name in between.

In: the finished statements of a function, ``Scope``.
Out: the same with fewer negations.
Next: late.
"""

from __future__ import annotations

from collections import Counter

import gast

from tangentlite import runtime, syntax
from tangentlite.optimize.replace import inside, remade
from tangentlite.optimize.scope import Scope

Body = list[gast.stmt]


def signs(body: Body, scope: Scope) -> Body:
    """Move a sign to where its number is added.

    >>> from tangentlite.optimize.samples import function, text_of, USER
    >>> text = '''
    ... bx = np.zeros(n)
    ... bt1 = -by * y
    ... bt1 = rt.unbroadcast(bt1, x)
    ... bx[1:] += bt1
    ... '''
    >>> sample = function(text, names={"rt": runtime})
    >>> print(text_of(signs(sample.body, Scope(sample, USER, lambda f: True))))
    bx = np.zeros(n)
    bt1 = by * y
    bt1 = rt.unbroadcast(bt1, x)
    bx[1:] -= bt1
    """
    if not any(_negative(s, scope) for s in syntax.statements(body)):
        return body
    loads = syntax.times_loaded(body)
    return _block(body, scope, loads)


def _block(body: Body, scope: Scope, loads: Counter[str]) -> Body:
    result = [inside(s, lambda b: _block(b, scope, loads)) if syntax.blocks(s) else s for s in body]
    for start, statement in enumerate(result):
        name = _negative(statement, scope)
        end = _sum(result, start, name, scope, loads) if name is not None else None
        if end is not None:
            sum_, turned = result[end], gast.Sub()
            if isinstance(sum_.op, gast.Sub):
                turned = gast.Add()
            result[start] = remade(statement, {"value": _unsigned(statement.value)})
            result[end] = remade(sum_, {"op": turned})
    return result


def _negative(statement: gast.AST, scope: Scope) -> str | None:
    """The temporary that a statement binds to an adjoint with a minus sign."""
    match statement:
        case gast.Assign(targets=[gast.Name(id=name)], value=value) if (
            scope.temporary(name) and scope.adjoint(name) and name not in scope.captured
        ):
            whole = _unsigned(value)
            return name if whole is not None and _is_adjoint(whole, scope) else None
    return None


def _unsigned(tree: gast.expr) -> gast.expr | None:
    """A product that begins with a minus sign, without it."""
    match tree:
        case gast.UnaryOp(op=gast.USub(), operand=operand):
            return operand
        case gast.BinOp(left=left, op=gast.Mult() | gast.Div()):
            turned = _unsigned(left)
            return None if turned is None else remade(tree, {"left": turned})
    return None


def _is_adjoint(tree: gast.expr, scope: Scope) -> bool:
    """Whether a product begins with an adjoint, which is no integer whose sign may be lost."""
    while isinstance(tree, gast.BinOp):
        tree = tree.left
    return isinstance(tree, gast.Name) and scope.adjoint(tree.id)


def _sum(body: Body, start: int, name: str, scope: Scope, loads: Counter[str]) -> int | None:
    """Where a temporary is added to part of an adjoint, if it is only summed down before, and read nowhere else."""
    reads = 0
    for k, statement in enumerate(body[start + 1 :], start + 1):
        match statement:
            case gast.Assign(
                targets=[gast.Name(id=same)],
                value=gast.Call(func=func, args=[gast.Name(id=given), like], keywords=[]),
            ) if same == given == name and name not in syntax.loads(like):
                if not scope.purity.means(func, (runtime.unbroadcast,)):
                    return None
                reads += 1
            case gast.AugAssign(
                target=gast.Subscript(value=gast.Name(id=sum_)) as place,
                op=gast.Add() | gast.Sub(),
                value=gast.Name(id=given),
            ) if given == name and name not in syntax.loads(place.slice):
                return k if scope.adjoint(sum_) and reads + 1 == loads[name] else None
            case _:
                if name in syntax.loads(statement) | syntax.stores(statement):
                    return None
    return None
