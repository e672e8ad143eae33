"""Afterwards: which names are read after a loop before they are bound again.

In: the statements of a function.
Out: ``After``: ``names(loop)``.
Next: slices.
"""

from __future__ import annotations

from collections.abc import Sequence, Set
from typing import Any

import gast

from tangentlite import syntax

NONE: frozenset[str] = frozenset()


class After:
    """What is read after the loops of a function, as far as they stand in loops and branches.

    >>> body = syntax.parse('''
    ... for k in range(n):
    ...     for i in range(n):
    ...         t = x[i]
    ...     t = 1.0
    ... for i in range(n):
    ...     s = t
    ... ''')
    >>> after = After(body)
    >>> sorted(after.names(body[0].body[0])), sorted(after.names(body[0])), sorted(after.names(body[1]))
    (['n', 'range', 'x'], ['n', 'range', 't'], [])
    """

    def __init__(self, body: Sequence[gast.stmt]) -> None:
        self._after: dict[int, Set[str]] = {}
        self._ends: list[tuple[Set[str], Set[str]]] = []  # where ``break`` and ``continue`` lead
        self._block(body, NONE)

    def names(self, loop: gast.For) -> Set[str] | None:
        """The names that are read, if that is known."""
        return self._after.get(id(loop))

    def _block(self, body: Sequence[Any], read: Set[str]) -> Set[str]:
        """What is read from the start of some statements on, if that is read from their end on."""
        for statement in reversed(body):
            read = self._statement(statement, read)
        return read

    def _statement(self, statement: Any, read: Set[str]) -> Set[str]:
        match statement:
            case gast.If(test=test, body=body, orelse=orelse):
                return self._block(body, read) | self._block(orelse, read) | syntax.loads(test)
            case gast.For(target=target, iter=iterable, body=body, orelse=orelse):
                self._after[id(statement)] = self._after.get(id(statement), NONE) | read
                bound = syntax.stores(target)
                return self._trips(body, orelse, read, bound, set()) | syntax.loads(iterable)
            case gast.While(test=test, body=body, orelse=orelse):
                return self._trips(body, orelse, read, set(), syntax.loads(test))
            case gast.Assign() | gast.AnnAssign():
                return (read - syntax.stores(statement)) | syntax.loads(statement)
            case gast.Return():
                return syntax.loads(statement)
            case gast.Break() | gast.Continue() if self._ends:
                return self._ends[-1][isinstance(statement, gast.Continue)]
        return read | syntax.loads(statement) | syntax.stores(statement)

    def _trips(
        self, body: Any, orelse: Any, read: Set[str], bound: set[str], asked: set[str]
    ) -> Set[str]:
        """What is read from a loop on: its trips may follow each other."""
        start = self._block(orelse, read) | asked
        for _ in range(2):
            self._ends.append((read, start))
            start = start | (self._block(body, start) - bound)
            self._ends.pop()
        return start
