"""A part of a rule, written with the names of one statement.

In: a ``Part``, the trees of its parameters and slots, the names of its locals and modules.
Out: the same part without holes.
Next: registry.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping

import gast

from tangentlite import syntax
from tangentlite.rules.binding import tidy
from tangentlite.rules.model import Part, Term
from tangentlite.values import replace


def instantiate(
    part: Part,
    bindings: Mapping[str, gast.expr],
    slots: Mapping[str, gast.expr],
    locals: Mapping[str, str],
    modules: Mapping[str, str],
) -> Part:
    """``part`` with every hole filled; absent parameters take their defaults."""
    absent = {n: t for n, t in part.defaults.items() if n not in bindings}
    free = {n: tree for n, tree in absent.items() if n in part.reads | part.shapes}
    holes: dict[str, syntax.Hole] = {**modules, **locals, **free, **bindings, **slots}

    literals = any(isinstance(t, gast.Constant) for t in holes.values())

    def fill(tree: gast.expr) -> gast.expr:
        if free:
            tree = _tidied(syntax.substitute(tree, dict(free)), part.globals)
        written = syntax.substitute(tree, holes)
        return _Folder().visit(written) if literals else written

    shared = tuple(_assigned(statement, fill, locals) for statement in part.shared)
    terms = tuple(
        Term(t.target, fill(t.value), t.sign, t.index and fill(t.index), t.elementwise)
        for t in part.terms
    )
    return replace(part, shared=shared, terms=terms, defaults={})


def _assigned(
    statement: gast.stmt, fill: Callable[[gast.expr], gast.expr], locals: Mapping[str, str]
) -> gast.stmt:
    target = syntax.substitute(statement.targets[0], dict(locals))
    return gast.Assign([target], fill(statement.value), None)


class _Folder(gast.NodeTransformer):  # type: ignore[misc]
    """``x ** (3 - 1)`` becomes ``x ** 2``."""

    def visit_BinOp(self, node: gast.BinOp) -> gast.expr:
        self.generic_visit(node)
        match node:
            case gast.BinOp(
                left=gast.Constant(value=int() | float() as left),
                op=gast.Add() | gast.Sub() as op,
                right=gast.Constant(value=int() | float() as right),
            ):
                value = left + right if isinstance(op, gast.Add) else left - right
                return syntax.constant(value) if value >= 0 else node
        return node


class _Tidier(gast.NodeTransformer):  # type: ignore[misc]
    def __init__(self, scope: Mapping[str, object]) -> None:
        self.scope = scope

    def visit_Call(self, node: gast.Call) -> gast.expr:
        self.generic_visit(node)
        first, *rest = (syntax.dotted(node.func) or "?").split(".")
        callee = self.scope.get(first)
        for attribute in rest:
            callee = getattr(callee, attribute, None)
        return node if callee is None else tidy(node, callee)


def _tidied(tree: gast.expr, scope: Mapping[str, object]) -> gast.expr:
    """``rt.unreduce(by, x, None)`` becomes ``rt.unreduce(by, x)``; ``tree`` is a fresh copy."""
    result: gast.expr = _Tidier(scope).visit(tree)
    return result
