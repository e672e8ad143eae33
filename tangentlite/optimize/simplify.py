"""Simplify: the laws, applied from the leaves up until none fits.

In: a block, ``Scope``.
Out: the block with simpler expressions.
Next: prune.
"""

from __future__ import annotations

import ast
import math
import operator
from collections import Counter
from functools import cache
from itertools import pairwise, repeat
from typing import Any

import gast

from tangentlite import syntax
from tangentlite.lines import joined
from tangentlite.optimize.facts.scope import Scope
from tangentlite.optimize.facts.table import root
from tangentlite.optimize.laws import LAWS
from tangentlite.optimize.outlines import Outline, may_match, outline
from tangentlite.optimize.replace import inside, remade, replaced, unchanged
from tangentlite.optimize.sums.collect import collected, scaled
from tangentlite.translation import PLAIN
from tangentlite.values import immutable

FOLDED = {
    gast.Add: operator.add,
    gast.Sub: operator.sub,
    gast.Mult: operator.mul,
    gast.Div: operator.truediv,
}
FLOATING = frozenset("sin cos tan exp log sqrt tanh sinh cosh arctan expm1 log1p".split())
OPERATED, LEAVES = (gast.BinOp, gast.UnaryOp), (gast.Name, gast.Constant)
HEADS = frozenset(("value", "test", "iter"))
SCALED = frozenset(
    {"rt.cancel", "rt.times", "rt.quotient", "rt.ratio", "rt.steep"}
)  # of a derivative, hence floating
LISTS = frozenset({"rt.stack", "rt.aligned", "rt.repeated", "rt.sequence", "rt.unpack"})
SUMMED = "rt.unbroadcast"
KEPT = frozenset({"np.sum", "np.reshape", "np.transpose", "np.real", "np.conj"})


def simplify(body: list[gast.stmt], scope: Scope) -> list[gast.stmt]:
    """Rewrite by the laws.

    >>> from tangentlite.optimize.samples import show
    >>> show(simplify, '''
    ... bx = rt.ZERO + by * y * 1.0
    ... bx = bx + -(by * y)
    ... z = x * 1.0
    ... bx = bx * (2.0 * 3.0)
    ... bx[1:] += by * z
    ... bx[1:] += by * z
    ... bx[:1] += -by * z
    ... bx[2:] -= rt.unbroadcast(-by * y, z)
    ... by = by + bx * (0.5 * y)
    ... by = by + bx * y * 0.5
    ... ''')
    bx = by * y
    bx = bx - by * y
    z = x * 1.0
    bx = bx * 6.0
    bx[1:] += 2.0 * by * z
    bx[:1] -= by * z
    bx[2:] += rt.unbroadcast(by * y, z)
    by = by + bx * y
    """
    return _Simplifier(scope).block(body)


@immutable
class _Row:
    before: gast.expr
    after: gast.expr
    floating: str
    pure: tuple[str, ...]


@cache
def _rows() -> tuple[_Row, ...]:
    rows = []
    for before, after, floating in LAWS:
        left, right = syntax.expression(before), syntax.expression(after)
        was, now = _letters(left), _letters(right)
        pure = tuple(was) if list(was) != list(now) else tuple(n for n in was if was[n] != now[n])
        rows.append(_Row(left, right, floating, pure))
    return tuple(rows)


@cache
def _candidates(shape: Outline) -> tuple[_Row, ...]:
    """The laws whose left side may match trees of this shape, in order."""
    return tuple(row for row in _rows() if may_match(outline(row.before), shape))


def _letters(tree: ast.AST) -> Counter[str]:
    names = (node.id for node in syntax.walk(tree) if isinstance(node, gast.Name))
    return Counter(name for name in names if len(name) == 1)


def _match(pattern: Any, tree: Any, found: dict[str, gast.expr]) -> bool:
    """Whether ``tree`` is an instance of ``pattern``; the letters' trees go to ``found``."""
    kind = pattern.__class__
    if kind is gast.Name and len(pattern.id) == 1:
        known = found.setdefault(pattern.id, tree)
        return known is tree or syntax.same(known, tree)
    if kind is not tree.__class__:
        return False
    if kind is gast.Constant:
        return type(pattern.value) is type(tree.value) and bool(pattern.value == tree.value)
    if kind is gast.Name:
        return bool(pattern.id == tree.id)
    if kind is gast.Attribute and pattern.attr != tree.attr:
        return False
    if kind in OPERATED and pattern.op.__class__ is not tree.op.__class__:
        return False
    if kind is gast.BinOp:
        return _match(pattern.left, tree.left, found) and _match(pattern.right, tree.right, found)
    parts, others = syntax.children(pattern), syntax.children(tree)
    return len(parts) == len(others) and all(map(_match, parts, others, repeat(found)))


class _Simplifier:
    """Statements that are simple already are remembered by the scope and not looked at again."""

    def __init__(self, scope: Scope) -> None:
        self._scope = scope
        self._rt = "rt" not in scope.local
        self._sharing = True

    def block(self, body: list[gast.stmt]) -> list[gast.stmt]:
        result = [self._statement(statement) for statement in body]
        for k in reversed(range(1, len(result))):
            whole = self._like(result[k - 1], result[k])
            if whole is not None:
                one = joined(remade(result[k], {"value": whole}), *result[k - 1 : k + 1])
                result[k - 1 : k + 1] = [self._statement(one)]
        twins = [k for k, pair in enumerate(pairwise(result), 1) if self._twins(*pair)]
        for k in reversed(twins):
            if self._twins(*result[k - 1 : k + 1]):  # of three that are alike, two are one by now
                double = remade(result[k], {"value": _doubled(result[k].value)})
                double = joined(double, *result[k - 1 : k + 1])
                result[k - 1 : k + 1] = [self._statement(double)]
        return result

    def _twins(self, one: gast.stmt, other: gast.stmt) -> bool:
        """Whether the same product is added to an adjoint twice."""
        match one, other:
            case (
                gast.AugAssign(op=gast.Add(), target=place, value=gast.BinOp(op=gast.Mult()) as e),
                gast.AugAssign(op=gast.Add(), target=same, value=twin),
            ) if syntax.same(e, twin) and syntax.same(place, same):
                name = root(place)
                alone = name not in syntax.loads(e) and self._scope.purity.pure(e)
                return alone and self._scope.adjoint(name) and self.floating(e)
        return False

    def _like(self, one: gast.stmt, other: gast.stmt) -> gast.expr | None:
        """The sum of two contributions to an adjoint that have like terms."""
        match one, other:
            case (
                gast.Assign(targets=[gast.Name(id=name)], value=gast.BinOp() as first),
                gast.Assign(
                    targets=[gast.Name(id=same)],
                    value=gast.BinOp(
                        left=gast.Name(id=before), op=gast.Add() | gast.Sub() as op, right=right
                    ),
                ),
            ) if name == same == before and name not in syntax.loads(right):
                if not self._scope.adjoint(name) or not isinstance(first.op, (gast.Add, gast.Sub)):
                    return None
                whole = syntax.at(gast.BinOp(first, op, right), other)
                found = collected(whole, self._scope.adjoint)
                return found if found is not whole else None
        return None

    def _statement(self, statement: gast.stmt) -> gast.stmt:
        if self._scope.simple(statement):
            return statement
        changes: dict[str, object] = {}
        fields = statement.__dict__
        for field in fields.keys() & HEADS:
            old = fields[field]
            if isinstance(old, ast.AST) and (new := self._value(old)) is not old:
                changes[field] = new
        new = remade(statement, changes) if changes else statement
        new = inside(self._signed(new), self.block)
        self._scope.simplified(new)
        return new

    def _signed(self, statement: gast.stmt) -> gast.stmt:
        """``bx[i] += -e * f`` as ``bx[i] -= e * f``."""
        match statement:
            case gast.AugAssign(target=target, op=gast.Add() | gast.Sub() as op, value=value):
                turned = self._unsigned(value)
                if turned is not None and self._scope.adjoint(root(target)):
                    other = gast.Sub() if isinstance(op, gast.Add) else gast.Add()
                    return remade(statement, {"op": other, "value": turned})
        return statement

    def _unsigned(self, tree: gast.expr) -> gast.expr | None:
        """A product that begins with a minus sign, without it; None if it begins with none."""
        match tree:
            case gast.UnaryOp(op=gast.USub(), operand=operand) if self.floating(operand):
                return operand
            case gast.BinOp(left=left, op=gast.Mult() | gast.Div()):
                turned = self._unsigned(left)
                return None if turned is None else remade(tree, {"left": turned})
            case gast.Call(func=func, args=[first, like]) if syntax.dotted(func) == SUMMED:
                turned = self._unsigned(first)
                return None if turned is None else remade(tree, {"args": [turned, like]})
        return None

    def _value(self, old: gast.expr) -> gast.expr:
        """A result stays as fresh as it was: ``x * 1.0`` is a copy of ``x``."""
        new = collected(self.expression(old), self._scope.adjoint)
        if new is old or self._scope.sources(new) <= self._scope.sources(old):
            return new
        self._sharing = False
        new = self.expression(old)
        self._sharing = True
        return new

    def expression(self, tree: gast.expr) -> gast.expr:
        """``tree`` in its simplest form."""
        if tree.__class__ in LEAVES or (self._sharing and self._scope.simple(tree)):
            return tree
        new = self._lawful(self._inside(tree))
        if self._sharing:
            self._scope.simplified(new)
        return new

    def _inside(self, tree: gast.expr) -> gast.expr:
        changes: dict[str, object] = {}
        fields = tree.__dict__
        for field in syntax.parts(tree.__class__):
            value = fields.get(field)
            if value.__class__ in LEAVES or value.__class__ in PLAIN:
                continue
            if isinstance(value, gast.expr):
                if (new := self.expression(value)) is not value:
                    changes[field] = new
            elif isinstance(value, list) and value and isinstance(value[0], gast.expr):
                parts = [self.expression(part) for part in value]
                if not unchanged(value, parts):
                    changes[field] = parts
        return remade(tree, changes) if changes else tree

    def _lawful(self, tree: gast.expr) -> gast.expr:
        for row in _candidates(outline(tree)):
            found: dict[str, gast.expr] = {}
            if _match(row.before, tree, found) and self._applies(row, found):
                return self.expression(syntax.at(replaced(row.after, found), tree))
        if tree.__class__ is not gast.BinOp or tree.right.__class__ is not gast.Constant:
            return tree
        joint = scaled(_folded(tree), self._scope.floating)
        return joint if joint.__class__ is not gast.BinOp or joint is tree else self._lawful(joint)

    def _applies(self, row: _Row, found: dict[str, gast.expr]) -> bool:
        sources = self._scope.sources
        if not self._sharing and not sources(row.after) <= sources(row.before):
            return False
        if not self._rt and "rt" in syntax.loads(row.before):
            return False
        pure = self._scope.purity.pure
        return all(self.floating(found[n]) for n in row.floating) and all(
            pure(found[n]) for n in row.pure
        )

    def floating(self, tree: ast.AST) -> bool:
        """Whether the value of ``tree`` is floating (or the lazy zero), whatever the user's are."""
        match tree:
            case gast.Name(id=name):
                return self._scope.floating(name)
            case gast.Constant(value=value):
                return isinstance(value, float)
            case gast.UnaryOp(op=gast.USub(), operand=value):
                return self.floating(value)
            case gast.Subscript(value=value) | gast.Attribute(value=value, attr="T"):
                return self.floating(value)
            case gast.BinOp(op=gast.Add() | gast.Sub() | gast.Mult() | gast.Div() | gast.MatMult()):
                return self.floating(tree.left) or self.floating(tree.right)
            case gast.BinOp(op=gast.Pow(), left=left):
                return self.floating(left)
            case gast.Call(func=gast.Attribute(attr=attr), args=args):
                path = syntax.dotted(tree.func) or ""
                if path in SCALED or (path.startswith(("np.", "math.")) and attr in FLOATING):
                    return True
                known = path in KEPT or (path.startswith("rt.") and path not in LISTS)
                return known and bool(args) and self.floating(args[0])
        return False


def _doubled(tree: gast.expr) -> gast.expr:
    return syntax.at(syntax.expression("2.0 * e", e=tree), tree)


def _folded(tree: gast.expr) -> gast.expr:
    """``2.0 * 3.0`` as ``6.0``."""
    match tree:
        case gast.BinOp(
            left=gast.Constant(value=float(a)), op=op, right=gast.Constant(value=float(b))
        ) if type(op) in FOLDED and not (isinstance(op, gast.Div) and b == 0.0):
            value = FOLDED[type(op)](a, b)
            if math.isfinite(value) and math.copysign(1.0, value) > 0:
                return syntax.at(syntax.constant(value), tree)
    return tree
