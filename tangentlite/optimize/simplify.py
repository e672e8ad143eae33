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
from dataclasses import dataclass
from functools import lru_cache
from typing import Any

import gast

from tangentlite import syntax
from tangentlite.optimize.laws import LAWS
from tangentlite.optimize.replace import remade, replaced
from tangentlite.optimize.scope import Scope

FOLDED = {
    gast.Add: operator.add,
    gast.Sub: operator.sub,
    gast.Mult: operator.mul,
    gast.Div: operator.truediv,
}
FLOATING = frozenset("sin cos tan exp log sqrt tanh sinh cosh arctan expm1 log1p".split())
KEPT = frozenset({"np.sum", "np.reshape", "np.transpose", "np.real", "np.conj"})


def simplify(body: list[gast.stmt], scope: Scope) -> list[gast.stmt]:
    """Rewrite by the laws.

    >>> from tangentlite.optimize.samples import show
    >>> show(simplify, '''
    ... bx = rt.ZERO + by * y * 1.0
    ... bx = bx + -(by * y)
    ... z = x * 1.0
    ... bx = bx * (2.0 * 3.0)
    ... ''')
    bx = by * y
    bx = bx - by * y
    z = x * 1.0
    bx = bx * 6.0
    """
    return _Simplifier(scope).block(body)


@dataclass(frozen=True, slots=True)
class _Row:
    before: gast.expr
    after: gast.expr
    floating: str
    pure: tuple[str, ...]


@lru_cache(maxsize=1)
def _rows() -> dict[object, list[_Row]]:
    """The laws by the shape of their root."""
    table: dict[object, list[_Row]] = {}
    for before, after, floating in LAWS:
        left, right = syntax.expression(before), syntax.expression(after)
        was, now = _letters(left), _letters(right)
        pure = tuple(was) if list(was) != list(now) else tuple(n for n in was if was[n] != now[n])
        table.setdefault(_key(left), []).append(_Row(left, right, floating, pure))
    return table


def _letters(tree: ast.AST) -> Counter[str]:
    names = (node.id for node in syntax.walk(tree) if isinstance(node, gast.Name))
    return Counter(name for name in names if len(name) == 1)


def _key(node: ast.AST) -> object:
    if isinstance(node, (gast.BinOp, gast.UnaryOp)):
        return type(node.op)
    if isinstance(node, gast.Call):
        return syntax.dotted(node.func)
    return type(node)


def _match(pattern: Any, tree: Any, found: dict[str, gast.expr]) -> bool:
    if isinstance(pattern, gast.Name) and len(pattern.id) == 1:
        known = found.setdefault(pattern.id, tree)
        return known is tree or syntax.same(known, tree)
    if pattern.__class__ is not tree.__class__:
        return False
    if isinstance(pattern, gast.Constant):
        return type(pattern.value) is type(tree.value) and bool(pattern.value == tree.value)
    if isinstance(pattern, gast.Name):
        return bool(pattern.id == tree.id)
    if isinstance(pattern, gast.Attribute) and pattern.attr != tree.attr:
        return False
    parts, others = list(syntax.children(pattern)), list(syntax.children(tree))
    return len(parts) == len(others) and all(
        _match(p, t, found) for p, t in zip(parts, others, strict=True)
    )


class _Simplifier:
    """Statements that are simple already are remembered by the scope and not looked at again."""

    def __init__(self, scope: Scope) -> None:
        self._scope = scope
        self._rt = "rt" not in scope.local
        self._sharing = True

    def block(self, body: list[gast.stmt]) -> list[gast.stmt]:
        return [self._statement(statement) for statement in body]

    def _statement(self, statement: gast.stmt) -> gast.stmt:
        if self._scope.simple(statement):
            return statement
        blocks = {"body", "orelse"} if syntax.blocks(statement) else set()
        changes: dict[str, object] = {}
        for field in ("value", "test", "iter"):
            old = getattr(statement, field, None)
            if isinstance(old, ast.AST) and (new := self._value(old)) is not old:
                changes[field] = new
        for field in sorted(blocks):
            inner = getattr(statement, field)
            done = self.block(inner)
            if any(a is not b for a, b in zip(inner, done, strict=True)):
                changes[field] = done
        new = remade(statement, changes) if changes else statement
        self._scope.simplified(new)
        return new

    def _value(self, old: gast.expr) -> gast.expr:
        """A result stays as fresh as it was: ``x * 1.0`` is a copy of ``x``."""
        new = self.expression(old)
        if new is old or self._scope.sources(new) <= self._scope.sources(old):
            return new
        self._sharing = False
        new = self.expression(old)
        self._sharing = True
        return new

    def expression(self, tree: gast.expr) -> gast.expr:
        """``tree`` in its simplest form."""
        changes: dict[str, object] = {}
        for field in tree._fields:
            value = getattr(tree, field, None)
            if isinstance(value, gast.expr):
                if (new := self.expression(value)) is not value:
                    changes[field] = new
            elif isinstance(value, list) and value and isinstance(value[0], gast.expr):
                parts = [self.expression(part) for part in value]
                if any(a is not b for a, b in zip(value, parts, strict=True)):
                    changes[field] = parts
        tree = remade(tree, changes) if changes else tree
        return self._lawful(tree)

    def _lawful(self, tree: gast.expr) -> gast.expr:
        for row in _rows().get(_key(tree), ()):
            found: dict[str, gast.expr] = {}
            if _match(row.before, tree, found) and self._applies(row, found):
                return self.expression(syntax.at(replaced(row.after, found), tree))
        return _folded(tree)

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
                return self._scope.adjoint(name)
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
                if path.startswith(("np.", "math.")) and attr in FLOATING:
                    return True
                known = path in KEPT or path.startswith("rt.")
                return known and bool(args) and self.floating(args[0])
        return False


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
