"""Apart: statements that use a name only for themselves may call it something else.

In: statements.
Out: ``private``: the names that they bind before they read them, and the trips of their loops, too.
Next: parting.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import gast

from tangentlite import syntax


def private(body: Sequence[gast.stmt]) -> set[str]:
    """Names whose values before are not read; the value afterwards may be.

    >>> body = syntax.parse('''
    ... s = 0.0
    ... s += x[0]
    ... for j in range(n):
    ...     t = 2.0 * x[j]
    ...     s += t * c
    ...     if t > s:
    ...         c = t
    ... ''')
    >>> sorted(private(body))
    ['s', 't']
    """
    bound, exposed = _bound(body, set())
    return bound - exposed


def _bound(body: Sequence[Any], before: set[str]) -> tuple[set[str], set[str]]:
    """The names that are bound by the statements or in loops there, and those that may be read before."""
    bound, own, exposed = set(before), set[str](), set[str]()
    for statement in body:
        match statement:
            case gast.Assign():
                exposed |= syntax.loads(statement) - bound
                bound |= syntax.stores(statement)
            case gast.For(target=gast.Name(), iter=iterable, body=inner, orelse=[]):
                exposed |= syntax.loads(iterable) - bound
                made, read = _bound(inner, bound)
                own |= made
                exposed |= read - bound
            case _:
                exposed |= (syntax.loads(statement) | syntax.stores(statement)) - bound
    return bound | own, exposed
