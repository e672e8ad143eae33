"""The calculus of linear expressions: the transpose of a differential, and terms that vanish.

In: an expression that is linear in its slots, with slots as names (``d[x]``).
Out: adjoint contributions, or the expression without its inactive slots.
Next: slices.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Set

import gast

from tangentlite import syntax
from tangentlite.rules.model import is_slot, slot_name

Contribution = tuple[str, int, gast.expr]


class NotLinearError(Exception):
    """An expression that is not linear in its slots, in a form the transpose knows."""

    def __init__(self, tree: gast.AST) -> None:
        super().__init__(f"not linear in d[·]: `{syntax.unparse(tree)}`")
        self.tree = tree


def depends(tree: gast.AST, names: Set[str] = frozenset()) -> bool:
    """Whether ``tree`` reads a slot, or one of ``names``."""
    return any(is_slot(name) or name in names for name in syntax.loads(tree))


def transpose(tree: gast.expr, seed: gast.expr, sign: int = 1) -> Iterator[Contribution]:
    """Yield ``(variable, sign, adjoint)`` for each ``d[·]`` in the linear expression ``tree``.

    d[x]            ->  b[x] += seed
    l + r, l - r    ->  both sides
    c * e, e * c    ->  e with seed * c
    e / c           ->  e with seed / c
    rt.times(e, c)  ->  e with rt.times(seed, c)
    where(c, l, r)  ->  l with where(c, seed, 0.0), r with where(c, 0.0, seed)
    """
    match tree:
        case gast.Name(id=name) if is_slot(name, "d"):
            yield slot_name(name), sign, seed
        case gast.BinOp(left=left, op=gast.Add() | gast.Sub() as op, right=right):
            _require(left, right)
            yield from transpose(left, seed, sign)
            yield from transpose(right, seed, sign if isinstance(op, gast.Add) else -sign)
        case gast.UnaryOp(op=gast.USub() | gast.UAdd() as op, operand=operand):
            yield from transpose(operand, seed, -sign if isinstance(op, gast.USub) else sign)
        case gast.BinOp(left=c, op=gast.Mult(), right=e) if depends(e) and not depends(c):
            turn, product = times(seed, c)
            yield from transpose(e, product, sign * turn)
        case gast.BinOp(left=e, op=gast.Mult(), right=c) if not depends(c):
            turn, product = times(seed, c)
            yield from transpose(e, product, sign * turn)
        case gast.BinOp(left=e, op=gast.Div(), right=c) if not depends(c):
            yield from transpose(e, gast.BinOp(seed, gast.Div(), c), sign)
        case gast.Call():
            yield from _transpose_call(tree, seed, sign)
        case _:
            raise NotLinearError(tree)


def _require(*trees: gast.expr) -> None:
    for tree in trees:
        if not depends(tree):
            raise NotLinearError(tree)


LINEAR_IN_FIRST = frozenset("times cancel quotient ratio steep".split())


def _transpose_call(tree: gast.Call, seed: gast.expr, sign: int) -> Iterator[Contribution]:
    match tree:
        case gast.Call(func=gast.Attribute(attr=attr), args=[e, c], keywords=[]) if (
            attr in LINEAR_IN_FIRST and not depends(c)
        ):
            yield from transpose(e, gast.Call(tree.func, [seed, c], []), sign)
        case gast.Call(func=gast.Attribute(attr="where"), args=[c, left, right], keywords=[]) if (
            not depends(c)
        ):
            zero = syntax.constant(0.0)
            if depends(left):
                yield from transpose(left, gast.Call(tree.func, [c, seed, zero], []), sign)
            if depends(right):
                yield from transpose(right, gast.Call(tree.func, [c, zero, seed], []), sign)
        case _:
            raise NotLinearError(tree)


def times(seed: gast.expr, c: gast.expr) -> tuple[int, gast.expr]:
    """The sign and the rest of ``seed * c``, written from left to right.

    >>> text = lambda c: syntax.unparse(times(syntax.name("by"), syntax.expression(c))[1])
    >>> text("2.0 * x"), text("-sin(x)"), text("1.0 / x"), text("1.0 - x * x")
    ('by * 2.0 * x', 'by * sin(x)', 'by / x', 'by * (1.0 - x * x)')
    """
    match c:
        case gast.Constant(value=float(value)) if value == 1.0:
            return 1, seed
        case gast.UnaryOp(op=gast.USub(), operand=operand):
            sign, product = times(seed, operand)
            return -sign, product
        case gast.BinOp(left=left, op=gast.Mult() | gast.Div() as op, right=right):
            sign, product = times(seed, left)
            return sign, gast.BinOp(product, op, right)
        case _:
            return 1, gast.BinOp(seed, gast.Mult(), c)


def vanish(tree: gast.expr, dead: Set[str], live: Set[str] = frozenset()) -> gast.expr | None:
    """``tree`` without the slots and locals in ``dead``, which are zero; None if nothing is left.

    ``live`` names locals that depend on slots. A call whose slots are all dead is zero, since
    rules are linear in their slots.

    >>> tree = syntax.expression("solve(a, dy - da @ x)")
    >>> print(syntax.unparse(vanish(tree, {"da"}, {"dy"})))
    solve(a, dy)
    >>> vanish(tree, {"da", "dy"}) is None
    True
    """
    reads = syntax.loads(tree)
    if not reads & dead:
        return tree
    if not any((is_slot(name) or name in live) and name not in dead for name in reads):
        return None
    return _reduced(tree, lambda part: vanish(part, dead, live))


def _reduced(tree: gast.expr, step: Callable[[gast.expr], gast.expr | None]) -> gast.expr | None:
    match tree:
        case gast.BinOp(left=left, op=op, right=right):
            return _sum(step(left), op, step(right))
        case gast.UnaryOp(op=op, operand=operand):
            inner = step(operand)
            return inner and gast.UnaryOp(op, inner)
        case gast.Attribute(value=value, attr=attr):
            inner = step(value)
            return inner and gast.Attribute(inner, attr, tree.ctx)
        case gast.Subscript(value=value, slice=index):
            inner = step(value)
            return inner and gast.Subscript(inner, index, tree.ctx)
        case gast.Starred(value=value):
            inner = step(value)
            return inner and gast.Starred(inner, tree.ctx)
        case gast.Tuple(elts=elements) | gast.List(elts=elements):
            return type(tree)([step(e) or _zero("") for e in elements], tree.ctx)
        case gast.Call():
            return _call(tree, step)
        case _:
            raise NotLinearError(tree)


def _sum(left: gast.expr | None, op: gast.operator, right: gast.expr | None) -> gast.expr | None:
    if left is not None and right is not None:
        return gast.BinOp(left, op, right)
    if isinstance(op, gast.Add):
        return left if right is None else right
    if isinstance(op, gast.Sub):
        return left if right is None else gast.UnaryOp(gast.USub(), right)
    return None


def _call(tree: gast.Call, step: Callable[[gast.expr], gast.expr | None]) -> gast.expr | None:
    function: gast.expr = tree.func
    if isinstance(function, gast.Attribute):
        inner = step(function.value)
        if inner is None:
            return None
        function = gast.Attribute(inner, function.attr, function.ctx)
    zero = _zero(getattr(function, "attr", ""))
    arguments = [step(a) or zero for a in tree.args]
    keywords = [gast.keyword(k.arg, step(k.value) or zero) for k in tree.keywords]
    return gast.Call(function, arguments, keywords)


def _zero(function: str) -> gast.expr:
    return syntax.constant(0.0) if function == "where" else syntax.expression("rt.ZERO")


def total(terms: list[tuple[int, gast.expr]]) -> gast.expr:
    """The sum of signed expressions.

    >>> a, b = syntax.expression("a"), syntax.expression("b")
    >>> print(syntax.unparse(total([(1, a), (-1, b)])))
    a - b
    """
    (sign, result), *rest = terms
    if sign < 0:
        result = gast.UnaryOp(gast.USub(), result)
    for sign, term in rest:
        result = gast.BinOp(result, gast.Add() if sign > 0 else gast.Sub(), term)
    return result
