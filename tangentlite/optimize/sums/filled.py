"""Filled: zeros to which one array is added, and nothing else, are that array.

In: the statements of a function, ``Scope``.
Out: the same with fewer arrays.
Next: accumulate.
"""

from __future__ import annotations

import gast
import numpy as np

from tangentlite import runtime, syntax
from tangentlite.optimize.comments import without_orphan
from tangentlite.optimize.facts.scope import Scope
from tangentlite.optimize.replace import replaced

Body = list[gast.stmt]


def filled(body: Body, scope: Scope) -> Body:
    """Begin with what is added, if that is an array of its own in the shape of the zeros.

    >>> from tangentlite.optimize.samples import show
    >>> show(filled, '''
    ... bx = np.zeros(y.shape)
    ... bx[0] += by
    ... bt1 = bx
    ... bx = np.zeros(y.shape)
    ... bx[...] += bt1 * np.cos(y)
    ... return bx
    ... ''')
    bx = np.zeros(y.shape)
    bx[0] += by
    bx = bx * np.cos(y)
    return bx
    """
    later, written = 0, set[str]()  # into what the last statements, so many, write
    for k in range(len(body) - 2, 0, -1):
        found = _sum(body[k], body[k + 1], scope) if k + 1 < len(body) else None
        if found is None:
            continue
        while later < len(body) - (k + 2):
            later += 1
            written |= scope.facts(body[-later]).writes
        if found[0] not in written:
            body = _Filled(body, k, scope).better(*found) or body
    return body


def _sum(made: gast.stmt, sum_: gast.stmt, scope: Scope) -> tuple[str, str, gast.expr] | None:
    """An adjoint, what has its shape, and what is added to its zeros at once."""
    name, like = _zeros(made, scope) or ("", "")
    match sum_:
        case (
            gast.Assign(
                targets=[
                    gast.Subscript(value=gast.Name(id=base), slice=gast.Constant(value=index))
                ],
                value=value,
            )
            | gast.AugAssign(
                target=gast.Subscript(value=gast.Name(id=base), slice=gast.Constant(value=index)),
                op=gast.Add() | gast.Sub(),
                value=value,
            )
        ) if base == name and index is ... and scope.adjoint(name):
            if isinstance(getattr(sum_, "op", None), gast.Sub):
                value = gast.UnaryOp(gast.USub(), value)
            return name, like, value
    return None


def _zeros(statement: gast.stmt, scope: Scope) -> tuple[str, str] | None:
    """The name that is bound to zeros, and what they have the shape of."""
    match statement:
        case gast.Assign(targets=[gast.Name(id=name)], value=gast.Call(func=func, args=[argument])):
            match argument:
                case gast.Attribute(value=gast.Name(id=like), attr="shape"):
                    return (name, like) if scope.purity.means(func, (np.zeros,)) else None
                case gast.Name(id=like):
                    return (name, like) if scope.purity.means(func, (runtime.zeros,)) else None
    return None


class _Filled:
    """The zeros that the statement at ``place`` makes."""

    def __init__(self, body: Body, place: int, scope: Scope) -> None:
        self._body, self._place, self._scope = body, place, scope

    def better(self, name: str, like: str, value: gast.expr) -> Body | None:
        """The statements without the zeros."""
        body, place = self._body, self._place
        before = body[place - 1]
        copy = _copied(before, name) if self._has_shape(name, like) else None
        read = syntax.times_loaded
        if copy is not None and read(body)[copy] == read([body[place + 1]])[copy]:
            value = replaced(value, {copy: syntax.name(name)})
            head = body[: place - 1]
            if isinstance(value, gast.Name):
                left = [*head, *body[place + 2 :]]
                return without_orphan(body, left) if value.id == name else None
        else:
            head = body[:place]
        if not (self._is_shaped(value, {like, *([name] if copy else [])}) and self._is_new(value)):
            return None
        sum_ = syntax.at(syntax.assign(name, value), body[place + 1])
        return [*head, sum_, *body[place + 2 :]]

    def _has_shape(self, name: str, like: str) -> bool:
        """Whether an adjoint has the shape of ``like`` whenever it is bound."""
        bound = syntax.times_stored(self._body)
        made = [s for s in self._body if _zeros(s, self._scope) == (name, like)]
        return bound[like] <= 1 and bound[name] == len(made)

    def _is_shaped(self, tree: gast.expr, known: set[str]) -> bool:
        """Whether one of the operands has the shape of the whole."""
        match tree:
            case gast.Name(id=name):
                return name in known
            case gast.UnaryOp(operand=operand):
                return self._is_shaped(operand, known)
            case gast.BinOp(
                left=left, op=gast.Add() | gast.Sub() | gast.Mult() | gast.Div(), right=right
            ):
                return self._is_shaped(left, known) or self._is_shaped(right, known)
            case gast.BinOp(left=left, op=gast.Pow()):
                return self._is_shaped(left, known)
            case gast.Call(func=func, args=[x], keywords=[]):
                return self._scope.purity.means(func, UFUNCS) and self._is_shaped(x, known)
            case gast.Call(func=func, args=[_, gast.Name(id=name)], keywords=[]):
                return name in known and self._scope.purity.means(func, (runtime.unbroadcast,))
        return False

    def _is_new(self, value: gast.expr) -> bool:
        match value:
            case gast.BinOp() | gast.UnaryOp():
                return self._scope.purity.pure(value)
            case gast.Call(func=func, args=[x, _], keywords=[]):
                if self._scope.purity.means(func, (runtime.unbroadcast,)):
                    return self._is_new(x)
        fresh = isinstance(value, gast.Call) and self._scope.purity.fresh(value)
        return fresh and self._scope.purity.pure(value)


UFUNCS = frozenset(f for f in vars(np).values() if isinstance(f, np.ufunc) and f.nin == f.nout == 1)


def _copied(statement: gast.stmt, name: str) -> str | None:
    """Another name for an adjoint."""
    match statement:
        case gast.Assign(targets=[gast.Name(id=copy)], value=gast.Name(id=source)):
            return str(copy) if source == name else None
    return None
