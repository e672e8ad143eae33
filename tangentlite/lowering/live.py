"""The names that are read before they are bound again.

In: statements of a normal form, and what is live after them.
Out: what is live before them.
Next: attempts.
"""

from __future__ import annotations

import gast

from tangentlite import syntax

Names = frozenset[str]


def live_before(body: list[gast.stmt], after: Names, floor: Names = frozenset()) -> Names:
    """``floor`` is live everywhere, because handlers around read it.

    >>> body = syntax.quote("t = x + 1\\nif c:\\n    y = t\\nz = y")
    >>> sorted(live_before(body, frozenset({"z"})))
    ['c', 'x', 'y']
    """
    live = after | floor
    for statement in reversed(body):
        live = _statement(statement, live, floor) | floor
    return live


def _statement(statement: gast.stmt, live: Names, floor: Names) -> Names:
    match statement:
        case syntax.Attempt(body=body, orelse=orelse, errors=errors):
            entry = live_before(orelse, live, floor) | syntax.loads(errors)
            return live_before(body, live, floor | entry)
        case gast.If(test=test, body=body, orelse=orelse):
            both = live_before(body, live, floor) | live_before(orelse, live, floor)
            return both | syntax.loads(test)
        case gast.With(body=body):
            return live_before(body, live, floor) | syntax.loads(statement.items)
        case gast.For(target=target, iter=iterable, body=body):
            return _loop(body, live, floor, syntax.stores(target)) | syntax.loads(iterable)
        case gast.While(test=test, body=body):
            return _loop(body, live | syntax.loads(test), floor, set())
    return live - syntax.stores(statement) | syntax.loads(statement)


def _loop(body: list[gast.stmt], live: Names, floor: Names, targets: set[str]) -> Names:
    while True:
        head = live | (live_before(body, live, floor) - targets)
        if head == live:
            return head
        live = head
