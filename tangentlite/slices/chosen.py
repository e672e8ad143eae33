"""Chosen: branches in loops as values that are chosen.

In: an ``if`` in a loop.
Out: assignments of ``a if test else b``; ``NotSliced`` if it does anything else.
Next: reader.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

import gast

from tangentlite import syntax
from tangentlite.slices.nests import NotSliced

NEUTRAL = {gast.Add: 0.0, gast.Sub: 0.0, gast.Mult: 1.0, gast.Div: 1.0}


def chosen(branch: gast.If) -> list[gast.stmt]:
    """What an ``if`` does, without branches: what is not chosen stays what it was.

    >>> text = "if x[i] > 0.0:\\n    t = x[i]\\n    y[i] = t * t\\nelse:\\n    t = -x[i]\\n    y[i] = t"
    >>> print(*map(syntax.unparse, chosen(syntax.parse(text)[0])), sep="\\n")
    t = x[i] if x[i] > 0.0 else -x[i]
    y[i] = t * t if x[i] > 0.0 else t
    >>> print(*map(syntax.unparse, chosen(syntax.parse("if y[i] < c:\\n    s += c\\n    y[i] = c")[0])), sep="\\n")
    s += c if y[i] < c else 0.0
    y[i] = c if y[i] < c else y[i]
    """
    body, orelse = _flat(branch.body), _flat(branch.orelse)
    if _alike(body, orelse):
        pairs = [(a.targets[0], a.value, b.value) for a, b in zip(body, orelse)]
        found = [_assigned(t, None, gast.IfExp(branch.test, a, b)) for t, a, b in pairs]
    else:
        found = [_either(s, branch.test, True) for s in body]
        found += [_either(s, branch.test, False) for s in orelse]
    asked = syntax.loads(branch.test)
    if any(_written(s) in asked for s in found[:-1]):
        raise NotSliced
    return found


def _flat(body: Sequence[Any]) -> list[Any]:
    """The assignments of a branch."""
    return list(_assignments(body))


def _assignments(body: Sequence[Any]) -> Iterator[Any]:
    for statement in body:
        match statement:
            case gast.If():
                yield from chosen(statement)
            case gast.Assign(targets=[gast.Name() | gast.Subscript()]) | gast.AugAssign():
                yield statement
            case gast.Pass():
                pass
            case _:
                raise NotSliced


def _alike(body: list[Any], orelse: list[Any]) -> bool:
    """Whether both branches bind the same things, one after the other."""
    if len(body) != len(orelse) or not all(isinstance(s, gast.Assign) for s in (*body, *orelse)):
        return False
    return all(syntax.same(a.targets[0], b.targets[0]) for a, b in zip(body, orelse))


def _either(statement: Any, test: gast.expr, holds: bool) -> gast.stmt:
    """What a statement does if a test holds, or if it does not."""
    if isinstance(statement, gast.Assign):
        target, op = statement.targets[0], None
        other: gast.expr = syntax.copy(target)
        other.ctx = gast.Load()
    else:
        target, op = statement.target, statement.op
        if type(op) not in NEUTRAL:
            raise NotSliced
        other = syntax.constant(NEUTRAL[type(op)])
    sides = (statement.value, other) if holds else (other, statement.value)
    return _assigned(target, op, gast.IfExp(test, *sides))


def _assigned(target: gast.expr, op: gast.operator | None, value: gast.expr) -> gast.stmt:
    if op is None:
        return gast.Assign([target], value, None)
    return gast.AugAssign(target, op, value)


def _written(statement: Any) -> str | None:
    """The name that is bound, or into which is written."""
    target = statement.targets[0] if isinstance(statement, gast.Assign) else statement.target
    while isinstance(target, gast.Subscript):
        target = target.value
    return target.id if isinstance(target, gast.Name) else None
