"""Variables that a nested function binds by ``nonlocal``, handed back by each call where no closure keeps them.

In: a plan.
Out: which functions hand back which variables; those need no cells.
Next: closures.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import gast

from tangentlite import scopes, syntax
from tangentlite.lowering.context import Context, read, remade
from tangentlite.lowering.functions.plans import Nested, Plan

TRIES = (gast.Try, *(getattr(gast, name) for name in ("TryStar",) if hasattr(gast, name)))
Given = dict[str, tuple[str, ...]]


def given(plan: Plan, values: set[str], context: Context) -> Given:
    """By fixed function, what its calls give beside the result; ``values``: functions that are handed on as values.

    >>> from tangentlite.lowering.example import lowered
    >>> text = "n = x\\ndef up(a):\\n    nonlocal n\\n    n += a\\nup(2)\\nreturn n"
    >>> print(lowered(text, "x"))
    n = x
    given = up(n, 2)
    n = given[1]
    return n
    """
    written = {f: _written(one) for f, one in plan.fixed.items()}
    changed = True
    while changed:
        more = {
            f: w.union(*(written[m] for m in plan.fixed[f].mentioned)) for f, w in written.items()
        }
        changed, written = more != written, more
    found = set().union(*written.values()) - plan.cells if written else set()
    kept = {v for v in found if _plain(v, plan, values, context)}
    return {f: tuple(sorted(w & kept)) for f, w in written.items() if w & kept}


def _written(one: Nested) -> set[str]:
    return scopes.declared(scopes.body_of(one.node), gast.Nonlocal) & set(one.captured)


def _plain(variable: str, plan: Plan, values: set[str], context: Context) -> bool:
    """Whether all that captures a variable is called by name, from statements that run one after the other."""
    users = [one for one in plan.nested.values() if variable in one.captured]
    if any(not one.fixed or one.makes or one.name in values for one in users):
        return False
    if not _begun(variable, context):
        return False
    names = {one.name for one in users}
    for body in (context.function.body, *(scopes.body_of(one.node) for one in users)):
        for node in scopes.inside(body):
            if isinstance(node, (*TRIES, gast.Yield, gast.YieldFrom)):
                return False
            inside = syntax.walk(node) if isinstance(node, scopes.COMPREHENSIONS) else ()
            if any(isinstance(n, gast.Name) and n.id in names for n in inside):
                return False
    return True


def _begun(variable: str, context: Context) -> bool:
    """Whether a variable is bound before anything else happens to it."""
    if any(p.name == variable for p in context.function.params):
        return True
    for statement in context.function.body:
        match statement:
            case gast.Assign(targets=[gast.Name(id=name)], value=value) if name == variable:
                return variable not in syntax.loads(value)
        if any(isinstance(n, gast.Name) and n.id == variable for n in syntax.walk(statement)):
            return False
    return False


def statements(node: Any, call: gast.Call, names: list[str], held: str) -> list[Any]:
    """``y = g(x)`` becomes ``t = g(x); n = t[1]; y = t[0]``."""
    result = [_assigned(held, call, node)]
    result += [_assigned(n, _slot(held, k + 1, node), node) for k, n in enumerate(names)]
    if not isinstance(node, gast.Expr):
        new = node.__class__.__new__(node.__class__)
        new.__dict__.update(node.__dict__)
        new.value = _slot(held, 0, node)
        result.append(new)
    return result


def expression(node: Any, call: gast.Call, names: list[str], held: str) -> Any:
    """``g(x)`` inside an expression becomes ``(t := g(x), n := t[1], t[0])[-1]``."""
    parts = [_named(held, call, node)]
    parts += [_named(n, _slot(held, k + 1, node), node) for k, n in enumerate(names)]
    return last([*parts, _slot(held, 0, node)], node)


def last(parts: list[Any], node: Any) -> Any:
    """``(a, b, c)[-1]``: one after the other, and what the last one gives."""
    both = syntax.at(gast.Tuple(parts, gast.Load()), node)
    return syntax.at(gast.Subscript(both, syntax.at(syntax.constant(-1), node), gast.Load()), node)


def bound(values: list[Any]) -> set[str]:
    """The variables that expressions bind, but for those in cells."""
    nodes = (n for value in values for n in syntax.walk(value))
    targets = [n.target for n in nodes if isinstance(n, gast.NamedExpr)]
    return {target.id for target in targets if isinstance(target, gast.Name)}


def beforehand(
    args: list[Any], keywords: list[Any], context: Context
) -> tuple[list[Any], list[Any], list[Any]]:
    """Arguments by names that are bound before, in their order: those bindings, and the arguments."""
    before: list[Any] = []

    def named(value: Any) -> Any:
        if isinstance(value, (gast.Starred, gast.keyword)):
            return remade(value, value=named(value.value))
        if isinstance(value, gast.Constant):
            return value
        name = context.names.numbered("t")
        before.append(_named(name, value, value))
        return read(name, value)

    return before, [named(a) for a in args], [named(k) for k in keywords]


def returning(body: list[Any], names: list[str]) -> list[Any]:
    """The statements of a function that hands back variables."""
    last = syntax.at(gast.Return(None), body[-1])
    return [_returning(s, names) for s in (*body, last)]


def _returning(statement: Any, names: list[str]) -> Any:
    if isinstance(statement, gast.Return):
        value = statement.value or syntax.at(syntax.constant(None), statement)
        parts = [value, *(read(n, statement) for n in names)]
        both = syntax.at(gast.Tuple(parts, gast.Load()), statement)
        return syntax.at(gast.Return(both), statement)
    if isinstance(statement, scopes.FUNCTIONS):
        return statement
    new = statement.__class__.__new__(statement.__class__)
    new.__dict__.update(statement.__dict__)
    for name, block in _blocks(statement):
        new.__dict__[name] = [_returning(s, names) for s in block]
    return new


def _blocks(statement: Any) -> Iterator[tuple[str, list[Any]]]:
    for name in ("body", "orelse", "finalbody"):
        block = getattr(statement, name, None)
        if isinstance(block, list):
            yield name, block


def _slot(held: str, k: int, place: Any) -> gast.expr:
    index = syntax.at(syntax.constant(k), place)
    return syntax.at(gast.Subscript(read(held, place), index, gast.Load()), place)


def _named(name: str, value: gast.expr, place: Any) -> gast.expr:
    target = syntax.at(gast.Name(name, gast.Store(), None, None), place)
    return syntax.at(gast.NamedExpr(target, value), place)


def _assigned(name: str, value: gast.expr, place: Any) -> gast.stmt:
    target = syntax.at(gast.Name(name, gast.Store(), None, None), place)
    return syntax.at(gast.Assign([target], value, None), place)
