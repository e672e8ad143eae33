"""Like terms: products of the same factors are counted, not computed again; factors of two join other numbers.

In: an expression.
Out: the same sum with fewer products.
Next: simplify.

>>> from tangentlite import syntax
>>> def show(text): return syntax.unparse(collected(syntax.expression(text), {"by"}.__contains__))
>>> show("by * (x * x) + by * x * x + by * x * x")
'3.0 * by * x * x'
>>> show("by * x + by * x")
'2.0 * by * x'
>>> show("by * x - x * (2.0 * by) + by")
'-1.0 * by * x + by'
>>> show("by * x + by * y"), show("x * y + x * y")
('by * x + by * y', 'x * y + x * y')

>>> def show(text): return syntax.unparse(scaled(syntax.expression(text), {"by"}.__contains__))
>>> show("by * 100.0 * 2.0"), show("by * x * 0.5 * 3.0")
('by * 200.0', 'by * x * 1.5')
>>> show("by * 3.0 * 0.1"), show("x * 100.0 * 2.0")
('by * 3.0 * 0.1', 'x * 100.0 * 2.0')
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator

import gast

from tangentlite import syntax

Factors = tuple[str, ...]


def collected(node: gast.expr, is_adjoint: Callable[[str], bool]) -> gast.expr:
    """``node`` with like terms added up, or ``node`` itself if there are none.

    Every term holds an adjoint: what the user adds and multiplies may be lists.
    """
    match node:
        case gast.BinOp(op=gast.Add() | gast.Sub()):
            terms = list(_terms(node, 1.0))
        case _:
            return node
    counted: dict[Factors, tuple[float, list[str]]] = {}
    for sign, term in terms:
        found = _product(term)
        if found is None or not any(map(is_adjoint, found[1])):
            return node
        count, factors = found
        key = tuple(sorted(factors))
        before, first = counted.get(key, (0.0, factors))
        counted[key] = before + sign * count, first
    if len(counted) == len(terms):
        return node
    return _sum([(count, _written(factors)) for count, factors in counted.values()])


def scaled(node: gast.expr, is_adjoint: Callable[[str], bool]) -> gast.expr:
    """``node``, a multiple of a multiple of an adjoint, as one, where that is the same number."""
    match node:
        case gast.BinOp(
            left=gast.BinOp(left=first, op=gast.Mult(), right=gast.Constant(value=float(a))),
            op=gast.Mult(),
            right=gast.Constant(value=float(b)),
        ) if _is_power_of_two(a) or _is_power_of_two(b):
            if a * b > 0.0 and math.isfinite(a * b) and any(map(is_adjoint, syntax.loads(first))):
                return syntax.at(
                    syntax.expression("e * c", e=first, c=syntax.constant(a * b)), node
                )
    return node


def _is_power_of_two(number: float) -> bool:
    """Whether to multiply by a number is exact."""
    return abs(math.frexp(number)[0]) == 0.5


def _terms(node: gast.expr, sign: float) -> Iterator[tuple[float, gast.expr]]:
    match node:
        case gast.BinOp(left=left, op=gast.Add(), right=right):
            yield from _terms(left, sign)
            yield from _terms(right, sign)
        case gast.BinOp(left=left, op=gast.Sub(), right=right):
            yield from _terms(left, sign)
            yield from _terms(right, -sign)
        case _:
            yield sign, node


def _product(node: gast.expr) -> tuple[float, list[str]] | None:
    """The number in front and the names of a product; None if it holds anything else."""
    match node:
        case gast.Name(id=name):
            return 1.0, [name]
        case gast.Constant(value=float(value)):
            return value, []
        case gast.UnaryOp(op=gast.USub(), operand=operand):
            found = _product(operand)
            return found and (-found[0], found[1])
        case gast.BinOp(left=left, op=gast.Mult(), right=right):
            first, second = _product(left), _product(right)
            if first is None or second is None:
                return None
            return first[0] * second[0], first[1] + second[1]
    return None


def _written(factors: list[str]) -> gast.expr:
    tree: gast.expr = syntax.name(factors[0]) if factors else syntax.constant(1.0)
    for factor in factors[1:]:
        tree = gast.BinOp(tree, gast.Mult(), syntax.name(factor))
    return tree


def _sum(parts: list[tuple[float, gast.expr]]) -> gast.expr:
    total: gast.expr | None = None
    for count, tree in parts:
        term = (
            tree
            if abs(count) == 1.0 and total is not None
            else _times(count if total is None else abs(count), tree)
        )
        if total is None:
            total = term
        else:
            total = gast.BinOp(total, gast.Add() if count > 0 else gast.Sub(), term)
    assert total is not None
    return total


def _times(count: float, tree: gast.expr) -> gast.expr:
    """``count`` in front of the first factor, so that scalars meet before arrays."""
    if count == 1.0:
        return tree
    match tree:
        case gast.BinOp(left=left, op=gast.Mult(), right=right):
            return gast.BinOp(_times(count, left), gast.Mult(), right)
    number = syntax.constant(abs(count))
    front = number if count > 0 else gast.UnaryOp(gast.USub(), number)
    return gast.BinOp(front, gast.Mult(), tree)
