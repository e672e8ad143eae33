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
    zeros: list[str] = []
    holes: dict[str, str] = {}
    read, result = set[str](), Body()
    for statement in body:
        if (zero := _zeroed(statement)) is not None and bound[zero] == 2:
            zeros.append(zero)
        if holes and syntax.mentions(statement, holes):
            statement = syntax.substitute(statement, holes)
        if isinstance(statement, gast.While):
            statement, holes = _joined(statement, zeros, read, holes)
        read |= syntax.loads(statement)
        result.append(statement)
    return [s for s in result if _zeroed(s) not in holes] if holes else body


def _joined(
    loop: gast.While, zeros: list[str], read: set[str], holes: dict[str, str]
) -> tuple[gast.While, dict[str, str]]:
    """A loop without its second counters, and for each of those the one that stays."""
    while twins := _twins(loop, zeros, read):
        kept, extra = twins
        loop = _without(loop, extra)
        holes = {name: kept if to == extra else to for name, to in holes.items()} | {extra: kept}
    return loop, holes


def _bound(statement: gast.stmt) -> Iterator[str]:
    """The names that a statement itself binds, without those of the blocks in it."""
    inside = {id(s) for block in syntax.blocks(statement) for s in block}
    parts = [p for p in syntax.children(statement) if id(p) not in inside]
    yield from syntax.stores(parts)


def _twins(loop: gast.While, zeros: list[str], read: set[str]) -> tuple[str, str] | None:
    """A counter that stays and one that goes: both begin with zero, and count every trip of a loop that is not left.

    What was ``read`` before the loop stays.
    """
    if any(isinstance(s, (gast.Break, gast.Return)) for s in syntax.statements(loop.body)):
        return None
    steps = {name for s in loop.body if (name := _stepped(s)) is not None}
    counters = [n for n in zeros if n in steps]
    for extra in reversed(counters):
        others = [n for n in counters if n != extra]
        if others and extra not in read and _is_free(extra, loop):
            return others[0], extra
    return None


def _is_free(name: str, loop: gast.While) -> bool:
    """Whether a loop does nothing with a counter but to count."""
    inside = (s for s in loop.body if _stepped(s) != name)
    return not any(name in syntax.loads(part) for part in (loop.test, *inside))


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


def _without(loop: gast.While, extra: str) -> gast.While:
    return remade(loop, {"body": [s for s in loop.body if _stepped(s) != extra]})
