"""Buffers: which names may hold memory of an adjoint into which a function writes.

In: the finished statements of a function, ``Scope``.
Out: names.
Next: late, again.
"""

from __future__ import annotations

from collections import Counter
from functools import cached_property

import gast
import numpy as np

from tangentlite import runtime, syntax
from tangentlite.optimize.facts.scope import Scope
from tangentlite.optimize.facts.solid import is_part

HANDED = (runtime.buffer, runtime.storage)
MAKERS = (*HANDED, runtime.room, runtime.zeros, np.zeros)


class Buffers:
    """The arrays that adjoints are added up in.

    >>> from tangentlite.optimize.samples import USER, function, sample_is_pure
    >>> f = function("bx = np.zeros(n)\\nbt1 = bx[1:]\\nbt2 = bx[1:].copy()")
    >>> sorted(Buffers(f.body, Scope(f, USER, sample_is_pure)).sharing("bx"))
    ['bt1', 'bx']
    """

    def __init__(self, body: list[gast.stmt], scope: Scope) -> None:
        self._body, self._scope = body, scope
        self._known: dict[str, set[str]] = {}

    def sharing(self, base: str) -> set[str]:
        """The names that may share memory with an adjoint.

        An array that a function makes for an adjoint, or is handed to write into, is none of its values, and no
        other such array: only what is taken out of it here shares its memory.
        """
        if base not in self._known:
            found = {base, *self._scope.members(base)}
            if self.is_buffer(base):
                found = self._taken_out(base) or found
            self._known[base] = found
        return self._known[base]

    def is_buffer(self, base: str) -> bool:
        return 0 < self._made[base] == self._stored[base]

    def is_array(self, base: str) -> bool:
        """Whether a name holds nothing but arrays, so that what is stored in them is copied."""
        return base in self._scope.solid or 0 < self._handed[base] == self._stored[base]

    @cached_property
    def _made(self) -> Counter[str]:
        """How often names are bound to arrays that are made for adjoints, or handed to write into."""
        return self._given_by(MAKERS)

    @cached_property
    def _handed(self) -> Counter[str]:
        return self._given_by(HANDED)

    def _given_by(self, makers: tuple[object, ...]) -> Counter[str]:
        """How often names are bound to what one of some functions gives."""
        found = Counter[str]()
        for statement in syntax.statements(self._body):
            match statement:
                case gast.Assign(targets=[gast.Name(id=name)], value=gast.Call(func=func)) if (
                    self._scope.purity.means(func, makers)
                ):
                    found[name] += 1
        return found

    @cached_property
    def _stored(self) -> Counter[str]:
        return syntax.times_stored(self._body)

    @cached_property
    def _readers(self) -> dict[str, list[gast.stmt]]:
        """The assignments, calls and loops that read a name."""
        found: dict[str, list[gast.stmt]] = {}
        for statement in syntax.statements(self._body):
            read: set[str] = set()
            if isinstance(statement, gast.Assign | gast.Expr):
                read = syntax.loads(statement)
            elif isinstance(statement, gast.For):
                read = syntax.loads(statement.iter)
            for name in read:
                found.setdefault(name, []).append(statement)
        return found

    def _taken_out(self, base: str) -> set[str] | None:
        """A name, and those that are bound to parts of its memory; None if something else may hold some."""
        found, waiting = {base}, [base]
        while waiting:
            for statement in self._readers.get(waiting.pop(), ()):
                match statement:
                    case gast.Assign(targets=[gast.Name(id=name)], value=value):
                        if name not in found and not found.isdisjoint(self._scope.sources(value)):
                            found.add(name)
                            waiting.append(name)
                    case gast.Assign(targets=[gast.Subscript(slice=index)], value=value):
                        holds = not found.isdisjoint(self._scope.sources(value))
                        if holds and not is_part(index):
                            return None
                    case _:
                        return None
        return found
