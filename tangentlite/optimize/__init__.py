"""Optimize: the generated statements as a person would have written them.

In: ``ir.Derived``: right but long statements, one per step of calculus.
Out: ``ir.Derived`` with the same functions in fewer, shorter statements: the same values, the same
    effects in the same order, nothing evaluated more often than before.
Next: emit.

The passes know no calculus. ``propagate`` replaces copies, ``simplify`` applies the laws,
``prune`` drops what nobody needs, ``early`` spares copies,
``refold`` puts single-use temporaries back into expressions.
"""

from __future__ import annotations

import dataclasses
from collections.abc import Callable
from typing import Any

import gast

from tangentlite import syntax
from tangentlite.ir import Derived, Function
from tangentlite.optimize.early import early
from tangentlite.optimize.propagate import propagate
from tangentlite.optimize.prune import prune
from tangentlite.optimize.refold import refold
from tangentlite.optimize.replace import unchanged
from tangentlite.optimize.scope import TEMPORARY, Scope, words
from tangentlite.optimize.simplify import simplify

PASSES = (propagate, simplify, prune, early, refold)
ROUNDS = 4


def improve(derived: Derived, is_pure: Callable[[Any], bool] | None = None) -> Derived:
    """``derived`` with better statements; ``is_pure`` tells whether a callee has no effects."""
    known = is_pure or _registered
    user = _user_names(derived.primal)
    return dataclasses.replace(
        derived, functions=tuple(_improved(f, user, known) for f in derived.functions)
    )


def _improved(function: Function, user: frozenset[str], is_pure: Callable[[Any], bool]) -> Function:
    return function.with_body(improve_block(function.body, Scope(function, user, is_pure)))


def improve_block(body: list[gast.stmt], scope: Scope) -> list[gast.stmt]:
    """Apply the passes in turn, until each one has seen the block and left it as it was."""
    idle = 0
    for step in PASSES * ROUNDS:
        before, body = body, step(body, scope)
        idle = idle + 1 if unchanged(before, body) else 0
        if idle == len(PASSES):
            break
    return body


def _user_names(primal: Function) -> frozenset[str]:
    named = syntax.loads(primal.body) | syntax.stores(primal.body)
    kept = {name for name in named if not TEMPORARY.fullmatch(name)}
    return words(primal.origin.lines) | kept | {p.name for p in primal.params}


def _registered(callee: Any) -> bool:
    from tangentlite import rules

    return bool(rules.is_pure(callee))
