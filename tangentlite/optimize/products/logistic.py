"""Logistic: what goes, or comes back, through ``p = 1 / (1 + np.exp(-z))`` is one product, guarded once.

In: the finished functions of a derivative for NumPy.
Out: the same with ``rt.logistic(b, p, t)`` for ``rt.times(rt.cancel(rt.quotient(b, 1 + t), p), t)``, and for
``rt.quotient(rt.cancel(rt.cancel(b, t), p), 1 + t)``, where ``b * t`` may be too large for a number.
Next: emit.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

import gast
import numpy as np

from tangentlite import runtime, syntax
from tangentlite.ir import Derived, Function
from tangentlite.optimize.facts.purity import Purity
from tangentlite.optimize.facts.solid import bindings
from tangentlite.optimize.replace import exchanged, inside
from tangentlite.values import replace

Body = list[gast.stmt]
Made = dict[str, list[gast.expr | None]]
LOGISTIC = syntax.expression("rt.logistic")


def logistic(derived: Derived) -> Derived:
    """One guarded product for three, where a function or its other half makes ``p``."""
    primal, functions = derived.primal, derived.functions
    if "exp" not in primal.contents.attributes or not _has_shares(primal.body):
        return derived
    bodies = guarded(functions)
    if all(body is f.body for f, body in zip(functions, bodies)):
        return derived
    return replace(derived, functions=tuple(f.with_body(b) for f, b in zip(functions, bodies)))


def guarded(functions: Sequence[Function]) -> list[Body]:
    """The statements of the halves of a derivative.

    >>> from tangentlite.optimize.samples import function, text_of
    >>> text = '''
    ... t1 = np.exp(-x)
    ... t2 = 1.0 + t1
    ... p = 1.0 / t2
    ... bt2 = -rt.cancel(rt.quotient(by, t2), p)
    ... bx = -rt.times(bt2, t1)
    ... '''
    >>> print(text_of(guarded([function(text, names={"rt": runtime})])[0]))
    t1 = np.exp(-x)
    t2 = 1.0 + t1
    p = 1.0 / t2
    bx = rt.logistic(by, p, t1)
    """
    made = _bound([f.body for f in functions])
    return [_Logistic(f, made).whole(f.body) for f in functions]


class _Logistic:
    """``made``: what names are bound to in both halves of a derivative, beside what a record gives back."""

    def __init__(self, function: Function, made: Made) -> None:
        self._purity = Purity(function.namespace, function.local, lambda callee: False)
        self._loads = syntax.times_loaded(function.body)
        self._stores = syntax.times_stored(function.body)
        self._made, self._gone, self._spared = made, set[int](), set[str]()
        self._found_some = False

    def whole(self, body: Body) -> Body:
        """The statements, without sums that nobody reads any more."""
        better = self.block(body)
        return _needed(better, self._spared) if self._found_some else body

    def block(self, body: Body) -> Body:
        result: Body = []
        for k, statement in enumerate(body):
            if syntax.blocks(statement):
                result.append(inside(statement, self.block))
                continue
            holes = self._holes(body, k)
            result.append(exchanged(statement, holes) if holes else statement)
        gone = [id(s) in self._gone for s in body]
        return [s for s, is_gone in zip(result, gone) if not is_gone] if any(gone) else result

    def _holes(self, body: Body, k: int) -> dict[int, gast.expr]:
        """What to write in place of products in a statement."""
        holes: dict[int, gast.expr] = {}
        for node in syntax.walk(body[k]):
            product, negated = _without_minus(node)
            if id(product) in holes:
                continue
            if (found := self._forward(product)) is not None:
                holes |= self._exchange(node, product, negated, *found)
                continue
            match product:
                case gast.Call(func=func, args=[factor, gast.Name(id=t)]) if self._means(
                    func, runtime.times
                ):
                    if (found := self._found(body, k, factor, t)) is not None:
                        holes |= self._exchange(node, product, negated, *found)
        return holes

    def _exchange(
        self, node: Any, product: Any, negated: bool, call: gast.expr, minus: bool
    ) -> dict[int, gast.expr]:
        """The one product in place of ``product``, or of ``node``, which may have a minus before it."""
        self._found_some = True
        call = syntax.at(call, product)
        new = call if minus == negated else gast.UnaryOp(gast.USub(), call)
        return {id(product): call, id(node): syntax.at(new, node)}

    def _forward(self, product: Any) -> tuple[gast.expr, bool] | None:
        """The one product for a tangent ``-(z * t) * p / (1 + t)``, and whether it is taken with a minus."""
        if product.__class__ is not gast.Call or len(product.args) != 2:
            return None
        inner, minus = _without_minus(product.args[0])
        match inner:
            case gast.Call(
                func=outer, args=[gast.Call(func=func, args=[z, gast.Name(id=t)]), p]
            ) if self._means(outer, runtime.cancel) and self._means(func, runtime.cancel):
                if self._divided(product, p, t) is not None:
                    z, negative = _without_minus(z)
                    call = gast.Call(LOGISTIC, [z, p, syntax.name(t)], [])
                    return call, minus != negative
        return None

    def _found(
        self, body: Body, k: int, factor: gast.expr, t: str
    ) -> tuple[gast.expr, bool] | None:
        """The one product for ``factor * t``, and whether it is taken with a minus."""
        place = k
        if isinstance(factor, gast.Name):
            place = self._place(body, k, factor.id)
            if place < 0:
                return None
            factor = body[place].value
        factor, minus = _without_minus(factor)
        match factor:
            case gast.Call(func=func, args=[quotient, gast.Name() as p]) if self._means(
                func, runtime.cancel
            ):
                b = self._divided(quotient, p, t)
                if b is None:
                    return None
                if place < k:
                    self._gone.add(id(body[place]))
                return gast.Call(LOGISTIC, [b, p, syntax.name(t)], []), minus
        return None

    def _place(self, body: Body, k: int, name: str) -> int:
        """The statement before ``k``, if it binds a name that is read only there; -1 if not."""
        if self._loads[name] != 1 or self._stores[name] != 1:
            return -1
        for place in range(k - 1, -1, -1):
            match body[place]:
                case gast.Assign(targets=[gast.Name(id=bound)]) if bound == name:
                    return place
                case syntax.Comment() | syntax.Blank():
                    continue
            return -1
        return -1

    def _divided(self, quotient: gast.expr, p: gast.expr, t: str) -> gast.expr | None:
        """What is divided by ``1 + t``, where ``p`` is always 1 divided by that, and ``t`` an exponential."""
        match quotient:
            case gast.BinOp(left=b, op=gast.Div(), right=s):
                pass
            case gast.Call(func=func, args=[b, s]) if self._means(func, runtime.quotient):
                pass
            case _:
                return None
        name = s.id if isinstance(s, gast.Name) else None
        told = self._all(name, lambda v: _is_sum(v, t)) if name else _is_sum(s, t)
        named = isinstance(p, gast.Name)
        share = self._all(p.id, lambda v: _is_share(v, name, t)) if named else _is_share(p, name, t)
        if not (told and share):
            return None
        if not self._all(t, self._is_exponential):
            return None
        self._spared |= {name} if name else set()
        return b

    def _all(self, name: str, holds: Callable[[gast.expr], bool]) -> bool:
        values = self._made.get(name, [])
        return bool(values) and all(v is not None and holds(v) for v in values)

    def _is_exponential(self, value: gast.expr) -> bool:
        return isinstance(value, gast.Call) and self._means(value.func, np.exp)

    def _means(self, func: gast.expr, meant: object) -> bool:
        return self._purity.means(func, (meant,))


def _has_shares(body: Body) -> bool:
    """Whether a number is divided by something."""
    waiting = [body]
    for block in waiting:
        for statement in block:
            if statement.__class__ is gast.Assign:
                value = statement.value
                if value.__class__ is gast.BinOp and value.op.__class__ is gast.Div:
                    if value.left.__class__ is gast.Constant:
                        return True
            elif statement.__class__ is not gast.Return:
                waiting += syntax.blocks(statement)
    return False


def _without_minus(tree: Any) -> tuple[Any, bool]:
    """An expression without its minus, and whether it has one."""
    minus = isinstance(tree, gast.UnaryOp) and isinstance(tree.op, gast.USub)
    return (tree.operand, True) if minus else (tree, False)


def _is_one(value: gast.expr) -> bool:
    return (
        isinstance(value, gast.Constant) and type(value.value) in (int, float) and value.value == 1
    )


def _is_share(value: gast.expr, s: str | None, t: str) -> bool:
    match value:
        case gast.BinOp(left=one, op=gast.Div(), right=right):
            named = isinstance(right, gast.Name) and right.id == s
            return _is_one(one) and (named or _is_sum(right, t))
    return False


def _is_sum(value: gast.expr, t: str) -> bool:
    match value:
        case gast.BinOp(left=one, op=gast.Add(), right=gast.Name(id=name)):
            return _is_one(one) and name == t
        case gast.BinOp(left=gast.Name(id=name), op=gast.Add(), right=one):
            return _is_one(one) and name == t
    return False


def _bound(bodies: Sequence[Body]) -> Made:
    """What names are bound to; None for what is changed in place."""
    made: Made = {}
    for body in bodies:
        for name, value in bindings(body):
            if value is not None:
                made.setdefault(name, []).append(value)
        for statement in syntax.statements(body):
            match statement:
                case gast.AugAssign(target=gast.Name(id=name)):
                    made.setdefault(name, []).append(None)
    return made


def _needed(body: Body, names: set[str]) -> Body:
    """The statements without sums that nobody reads any more."""
    read = syntax.times_loaded(body)

    def kept(block: Body) -> Body:
        return [inside(s, kept) for s in block if not _is_idle(s)]

    def _is_idle(statement: gast.stmt) -> bool:
        match statement:
            case gast.Assign(targets=[gast.Name(id=name)]):
                return name in names and not read[name]
        return False

    return kept(body)
