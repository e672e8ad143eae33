"""Where names are bound and read in a text, and its blocks.

In: statements.
Out: names and how often, blocks, loops.
Next: dissolving.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from typing import Any

import gast

from tangentlite import syntax

Body = list[gast.stmt]


def _bound(statement: Any) -> set[str]:
    if isinstance(statement, gast.For):
        return syntax.stores(statement.target)
    return set() if syntax.blocks(statement) else syntax.stores(statement)


def times_bound(body: Body) -> Counter[str]:
    """How often names are bound in the text."""
    return Counter(n for s in syntax.statements(body) for n in _bound(s))


def blocks(body: Body) -> Iterator[Body]:
    """A block, and those inside it."""
    yield body
    for statement in body:
        for block in syntax.blocks(statement):
            yield from blocks(block)


def loops(body: Body) -> Iterator[Any]:
    """The loops of a text."""
    return (s for s in syntax.statements(body) if isinstance(s, gast.For | gast.While))
