"""Signs: what is added with a minus sign is subtracted without it, also where it has a name in between.

In: the finished statements of a function, ``Scope``.
Out: the same with fewer negations.
Next: late.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Container

import gast

from tangentlite import runtime, syntax
from tangentlite.optimize.facts.buffers import Buffers
from tangentlite.optimize.facts.scope import Scope
from tangentlite.optimize.facts.solid import is_part
from tangentlite.optimize.replace import inside, remade, replaced

Body = list[gast.stmt]
ODD = (  # of what they are given first
    *(runtime.unbroadcast, runtime.unbroadcast_product, runtime.unreduce_product),
    *(runtime.times, runtime.cancel, runtime.cancelled, runtime.quotient, runtime.dot),
)


def signs(body: Body, scope: Scope) -> Body:
    """Move a sign to where its number is added.

    >>> from tangentlite.optimize.samples import function, text_of, USER
    >>> def show(text):
    ...     sample = function(text, names={"rt": runtime})
    ...     print(text_of(signs(sample.body, Scope(sample, USER, lambda f: True))))
    >>> show('''
    ... bx = np.zeros(n)
    ... bt1 = -by * y
    ... bt1 = rt.unbroadcast(bt1, x)
    ... bx[1:] += bt1
    ... ''')
    bx = np.zeros(n)
    bt1 = by * y
    bt1 = rt.unbroadcast(bt1, x)
    bx[1:] -= bt1

    It goes through what is made of the number; where it cannot go on, a number that is written there takes it.

    >>> show('''
    ... bx = np.zeros(n)
    ... bt1 = -rt.unbroadcast(by, x)
    ... bt2 = bt1 * 0.5
    ... bx[1:] += bt2
    ... bx[:-1] -= bt2
    ... bt3 = -by * 0.7
    ... return bx, bt3
    ... ''')
    bx = np.zeros(n)
    bt1 = rt.unbroadcast(by, x)
    bt2 = bt1 * 0.5
    bx[1:] -= bt2
    bx[:-1] += bt2
    bt3 = by * -0.7
    return (bx, bt3)
    """
    if not any(_negative(s, scope) for s in syntax.statements(body)):
        return body
    return _Signs(body, scope).block(body)


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
    while True:
        match tree:
            case gast.BinOp(left=left):
                tree = left
            case gast.Call(func=func, args=[first, *_], keywords=[]):
                if not scope.purity.means(func, ODD):
                    return False
                tree = first
            case gast.Subscript(value=base, slice=index) if is_part(index):
                tree = base
            case _:
                return isinstance(tree, gast.Name) and scope.adjoint(tree.id)


class _Signs:
    def __init__(self, body: Body, scope: Scope) -> None:
        self._scope, self._buffers = scope, Buffers(body, scope)
        self._loads = syntax.times_loaded(body)

    def block(self, body: Body) -> Body:
        result = [inside(s, self.block) if syntax.blocks(s) else s for s in body]
        start = 0
        while start < len(result):
            name = _negative(result[start], self._scope)
            if name is not None:
                result[start:] = self._without(result[start], name, result[start + 1 :])
            start += 1
        return result

    def _without(self, statement: gast.stmt, name: str, rest: Body) -> Body:
        """A statement that binds a temporary to what has a sign, and those behind it, without the sign."""
        value = _unsigned(statement.value)
        turned = self._turned(rest, name, value)
        if turned is None:
            value, turned = _taken_in(value), rest
        elif isinstance(value, gast.Name) and {name, value.id}.isdisjoint(syntax.stores(rest)):
            return [replaced(s, {name: value}) if name in syntax.loads(s) else s for s in turned]
        return [statement if value is None else remade(statement, {"value": value}), *turned]

    def _turned(self, rest: Body, name: str, value: gast.expr) -> Body | None:
        """The statements behind one that binds a temporary, for the temporary without its sign."""
        turns, reads, result = {name: True}, Counter[str](), list[gast.stmt]()
        last = 0
        for k, statement in enumerate(rest):
            read = syntax.loads(statement) & turns.keys()
            other = self._other(statement, turns) if read else statement
            if other is None or not (read or turns.keys().isdisjoint(syntax.stores(statement))):
                return None
            reads.update(read)
            last = k if read else last
            result.append(other)
        if any(reads[n] != self._loads[n] for n in turns):
            return None
        return result if self._is_new(value) or self._stays(value, rest[:last]) else None

    def _is_new(self, value: gast.expr) -> bool:
        """Whether a product is in memory of its own."""
        call = isinstance(value, gast.Call) and self._scope.purity.fresh(value)
        return call or isinstance(value, gast.BinOp)

    def _stays(self, value: gast.expr, body: Body) -> bool:
        """Whether what a value is part of is not written in some statements."""
        facts, read = self._scope.facts.block(body), syntax.loads(value)
        written = (self._buffers.sharing(name) for name in facts.writes)
        return not facts.effect and all(read.isdisjoint(names) for names in written)

    def _other(self, statement: gast.stmt, turns: dict[str, bool]) -> gast.stmt | None:
        """What stands for a statement that reads one of these names, of which some have lost their sign.

        More names are of this kind if they are bound to what has the memory or the sign of such a name.
        """
        match statement:
            case gast.Assign(targets=[gast.Name(id=name)], value=value):
                positive = _unsigned(value)
                first = self._first(value if positive is None else positive, turns)
                if first is None:
                    return None
                if positive is not None and not turns[first]:
                    return statement
                turned = positive is None and turns[first]
                value = value if positive is None else positive
                if turned or not self._is_new(value):
                    if turns.setdefault(name, turned) is not turned or not self._is_ours(name):
                        return None
                return statement if positive is None else remade(statement, {"value": positive})
            case gast.AugAssign(
                target=gast.Subscript(value=gast.Name(id=sum_)) as place,
                op=gast.Add() | gast.Sub() as op,
                value=value,
            ) if self._scope.adjoint(sum_) and turns.keys().isdisjoint(syntax.loads(place)):
                first = self._first(value, turns)
                if first is None or not turns[first]:
                    return statement if first is not None else None
                return remade(
                    statement, {"op": gast.Sub() if isinstance(op, gast.Add) else gast.Add()}
                )
        return None

    def _is_ours(self, name: str) -> bool:
        """Whether a name is a temporary of an adjoint that nobody else reads."""
        scope = self._scope
        return scope.temporary(name) and scope.adjoint(name) and name not in scope.captured

    def _first(self, tree: gast.expr, turns: Container[str]) -> str | None:
        """The name that a product begins with, if it is one of these, and none stands in the rest of it."""
        match tree:
            case gast.Name(id=name):
                return name if name in turns else None
            case gast.BinOp(left=left, op=gast.Mult() | gast.Div(), right=right):
                rest = [right]
            case gast.Call(func=func, args=[left, *rest], keywords=[]):
                if not self._scope.purity.means(func, ODD):
                    return None
            case _:
                return None
        return None if any(n in turns for n in syntax.loads(rest)) else self._first(left, turns)


def _taken_in(tree: gast.expr | None) -> gast.expr | None:
    """A product whose last factor is a number, with the other sign."""
    match tree:
        case gast.BinOp(op=gast.Mult(), right=gast.Constant(value=float(value)) as right):
            number = syntax.at(syntax.constant(abs(value)), right)
            if value > 0:
                number = syntax.at(gast.UnaryOp(gast.USub(), number), right)
            return remade(tree, {"right": number})
        case gast.BinOp(left=left, op=gast.Mult() | gast.Div()):
            turned = _taken_in(left)
            return None if turned is None else remade(tree, {"left": turned})
    return None
