"""A part of a rule, written with the names of one statement.

In: a ``Part``, the trees of its parameters and slots, the names of its locals and modules.
Out: the same part without holes.
Next: registry.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from functools import cache

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
    absent = part.defaults.keys() - bindings.keys()
    if absent:
        part = _defaulted(part, frozenset(absent))
    holes: dict[str, syntax.Hole] = {**modules, **locals, **bindings, **slots}
    folded = _adds(part) and any(isinstance(t, gast.Constant) for t in bindings.values())

    def fill(tree: gast.expr) -> gast.expr:
        written = syntax.substitute(tree, holes)
        return _Folder().visit(written) if folded else written

    return _filled(part, fill, locals, {})


def _filled(
    part: Part,
    fill: Callable[[gast.expr], gast.expr],
    locals: Mapping[str, str],
    defaults: Mapping[str, gast.expr],
) -> Part:
    shared = []
    for statement in part.shared:
        target = syntax.substitute(statement.targets[0], locals)
        shared.append(gast.Assign([target], fill(statement.value), None))
    terms = tuple(
        Term(t.target, fill(t.value), t.sign, t.index and fill(t.index), t.elementwise)
        for t in part.terms
    )
    return replace(part, shared=tuple(shared), terms=terms, defaults=defaults)


@cache
def _defaulted(part: Part, absent: frozenset[str]) -> Part:
    """A part in which the defaults of some parameters stand for them, and are left out of calls."""
    free = {n: part.defaults[n] for n in absent if n in part.reads | part.shapes}
    if not free:
        return part
    literals = any(isinstance(t, gast.Constant) for t in free.values())

    def fill(tree: gast.expr) -> gast.expr:
        tidied = _tidied(syntax.substitute(tree, free), part.globals)
        return _Folder().visit(tidied) if literals else tidied

    return _filled(part, fill, {}, part.defaults)


@cache
def _adds(part: Part) -> bool:
    """Whether there are sums in a part, which may be those of literals."""
    trees = [*part.shared, *(t.value for t in part.terms), *(t.index for t in part.terms)]
    nodes = (n for tree in trees if tree is not None for n in syntax.walk(tree))
    return any(isinstance(n, gast.BinOp) and isinstance(n.op, (gast.Add, gast.Sub)) for n in nodes)


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
