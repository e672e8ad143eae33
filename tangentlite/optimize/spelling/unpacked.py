"""Unpacked: what is taken apart at once is said by one statement, as the user has written it.

In: the statements of a function whose names never hold ZERO.
Out: the same; ``t = rt.unpack(s, 2); u = t[0]; v = t[1]`` is ``u, v = s``.
Next: counting.
"""

from __future__ import annotations

from collections import Counter

import gast

from tangentlite import syntax
from tangentlite.optimize.replace import inside, with_head

Body = list[gast.stmt]
COLUMNS = 88


def unpacked(body: Body) -> Body:
    """Statements that take all parts of a sequence, one after the other, become one.

    >>> text = '''
    ... t1 = g(x)
    ... t2 = rt.unpack(t1, 2)
    ... u = t2[0]
    ... v = t2[1]
    ... return u * v'''
    >>> [made, _] = unpacked(syntax.parse(text))
    >>> [part.id for part in made.targets[0].elts], syntax.unparse(made.value)
    (['u', 'v'], 'g(x)')
    """
    if not any(map(_unpacks, syntax.statements(body))):
        return body
    return _block(body, syntax.times_loaded(body))


def _block(body: Body, reads: Counter[str]) -> Body:
    new: Body = []
    left = list(body)
    while left:
        statement = left.pop(0)
        found = _unpacks(statement)
        if found is not None:
            name, value, count = found
            targets = [_taken(s, name, k) for k, s in enumerate(left[:count])]
            if reads[name] == count == len(set(targets) - {None, name}):
                del left[:count]
                statement = _unpacking(statement, value, targets, new, reads)
        new.append(inside(statement, lambda b: _block(b, reads)))
    return new


def _unpacks(statement: gast.stmt) -> tuple[str, gast.expr, int] | None:
    """The name, the value and the length of ``t = rt.unpack(s, n)``."""
    match statement:
        case gast.Assign(
            targets=[gast.Name(id=name)],
            value=gast.Call(
                func=gast.Attribute(attr="unpack"),
                args=[value, gast.Constant(value=int() as count)],
            ),
        ):
            return name, value, count
    return None


def _taken(statement: gast.stmt, name: str, k: int) -> str | None:
    """The target of ``u = name[k]``."""
    match statement:
        case gast.Assign(
            targets=[gast.Name(id=target)],
            value=gast.Subscript(value=gast.Name(id=found), slice=gast.Constant(value=int() as at)),
        ) if found == name and at == k:
            return str(target)
    return None


def _unpacking(
    statement: gast.stmt,
    value: gast.expr,
    targets: list[str | None],
    before: Body,
    reads: Counter[str],
) -> gast.stmt:
    """One statement; what was computed just before, for it alone, goes into it."""
    names = [syntax.store(syntax.name(str(t))) for t in targets]
    made = syntax.at(gast.Assign([gast.Tuple(names, gast.Store())], value, None), statement)
    match value, before[-1:]:
        case gast.Name(id=name), [gast.Assign(targets=[gast.Name(id=bound)], value=whole)]:
            folded = with_head(made, {name: whole})
            if name == bound and reads[name] == 1 and len(syntax.unparse(folded)) < COLUMNS:
                before.pop()
                return folded
    return made
