"""Counting: a counter of trips beside one that the user has is that one.

In: the statements of a function.
Out: the same without counters that are not needed.
Next: emit.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator

import gast

from tangentlite import syntax
from tangentlite.optimize.replace import remade

Body = list[gast.stmt]


def counted(body: Body) -> Body:
    """Use the counter of the user.

    >>> from tangentlite.optimize.samples import parse
    >>> text = '''
    ... i = 0
    ... trips = 0
    ... while i < n:
    ...     x = np.sin(x)
    ...     i = i + 1
    ...     trips = trips + 1
    ... for turn in range(trips):
    ...     bx = bx * y
    ... '''
    >>> print("\\n".join(map(syntax.unparse, counted(parse(text)))))
    i = 0
    while i < n:
        x = np.sin(x)
        i = i + 1
    for turn in range(i):
        bx = bx * y
    """
    if not any(isinstance(s, gast.While) for s in body):
        return body
    bound = Counter(name for s in syntax.statements(body) for name in _bound(s))
    for at, statement in enumerate(body):
        if isinstance(statement, gast.While) and (twins := _twins(body, at, bound)):
            kept, extra = twins
            return counted(_without(body, at, kept, extra))
    return body


def _bound(statement: gast.stmt) -> Iterator[str]:
    """The names that a statement itself binds, without those of the blocks in it."""
    inside = {id(s) for block in syntax.blocks(statement) for s in block}
    parts = [p for p in syntax.children(statement) if id(p) not in inside]
    yield from syntax.stores(parts)


def _twins(body: Body, at: int, bound: Counter[str]) -> tuple[str, str] | None:
    """A counter that stays and one that goes: both begin with zero, and count every trip of a loop that is not left."""
    loop = body[at]
    if any(isinstance(s, (gast.Break, gast.Return)) for s in syntax.statements(loop.body)):
        return None
    zeros = [name for s in body[:at] if (name := _zeroed(s)) is not None]
    steps = [name for s in loop.body if (name := _stepped(s)) is not None]
    counters = [n for n in zeros if bound[n] == 2 and n in steps]
    for extra in reversed(counters):
        others = [n for n in counters if n != extra]
        tests = syntax.loads(loop.test)
        free = extra not in tests and not any(
            extra in syntax.loads(s) for s in loop.body if _stepped(s) != extra
        )
        if others and free:
            return others[0], extra
    return None


def _zeroed(statement: gast.stmt) -> str | None:
    match statement:
        case gast.Assign(targets=[gast.Name(id=name)], value=gast.Constant(value=0 as value)):
            return name if type(value) is int else None
    return None


def _stepped(statement: gast.stmt) -> str | None:
    match statement:
        case gast.Assign(
            targets=[gast.Name(id=name)],
            value=gast.BinOp(
                left=gast.Name(id=same), op=gast.Add(), right=gast.Constant(value=1 as step)
            ),
        ) if name == same and type(step) is int:
            return str(name)
    return None


def _without(body: Body, at: int, kept: str, extra: str) -> Body:
    loop = body[at]
    inner = [s for s in loop.body if _stepped(s) != extra]
    after = [syntax.substitute(s, {extra: syntax.name(kept)}) for s in body[at + 1 :]]
    before = [s for s in body[:at] if _zeroed(s) != extra]
    return [*before, remade(loop, {"body": inner}), *after]
