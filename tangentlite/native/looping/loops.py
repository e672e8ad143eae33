"""Statements on whole arrays and slices as loops over their elements: what machine code is fast at.

In: statements of a kernel, what is known of their names.
Out: statements; those that are not understood stay as they are.
Next: kernel.

One statement becomes one nest of loops, the last axis innermost. Lengths that are not the same by their text are
compared before the loop: Numba looks at no bounds. Neighbors over the same lengths share a loop where each element is
met in the order that the statements say.
"""

from __future__ import annotations

import ast
from collections import Counter
from collections.abc import Callable
from typing import Any

from tangentlite.native.facts.alone import alone
from tangentlite.native.facts.known import ADDED, AT, EITHER, ROLLED, TURN, UNSHARED
from tangentlite.native.facts.lengths import Lengths
from tangentlite.native.facts.measures import measured, whole
from tangentlite.native.facts.names import reads, rebuild
from tangentlite.native.facts.ranks import Names
from tangentlite.native.library.exponentials import OWN
from tangentlite.native.looping.access import SPAN
from tangentlite.native.looping.elements import Elements
from tangentlite.native.looping.gathers import gathered
from tangentlite.native.looping.hoisting import Hoister
from tangentlite.native.looping.moving import Mover
from tangentlite.native.looping.neighbors import Neighbors
from tangentlite.native.looping.nests import MISMATCH as MISMATCH, Loop, variables
from tangentlite.native.looping.rows import narrowed
from tangentlite.native.looping.single import Nester
from tangentlite.native.looping.zeroing import zeroed
from tangentlite.native.memory.idle import Idle

VARIABLES = {
    "_j",
    "_sum",
    SPAN,
    ADDED,
    AT,
    EITHER,
    UNSHARED,
    ROLLED,
    TURN,
    *OWN,
    *(f"{letter}{k}" for letter in ("_", "_c", "_n") for k in range(10)),
}


class Looper:
    """Turns the blocks of one kernel into loops.

    ``double``: no array is of single precision; else ``x = e + x`` stays, as loops make arrays of double precision.
    """

    def __init__(
        self,
        tree: ast.FunctionDef,
        names: Names,
        meaning: Callable[[ast.expr], Any],
        double: bool = True,
    ) -> None:
        self._double = double
        self._names, self._meaning, self._count = names, meaning, 0
        self._known = set(names.ranks)
        self._loads = Counter(n for s in tree.body for n in reads(s))
        self._mover = Mover(tree, names, meaning)
        self._lengths = Lengths(tree, names, meaning, self.fresh)
        self._lengths.partly = measured(tree, names, meaning)
        self._lengths.claims = whole(self._lengths.partly)
        self._elements = Elements(names, self._lengths, meaning, self.fresh)
        self._hoister = Hoister(names, self._elements, self._lengths, meaning, self.fresh)
        self._nester = Nester(names, self._lengths, self._elements, meaning, self.fresh)
        self._nester.alone = alone(tree, names)
        self._neighbors = Neighbors(names, self._lengths, self._reads, self.fresh)

    @property
    def writes(self) -> bool:
        """Whether loops may be written: no name of the kernel is one of theirs."""
        return self._known.isdisjoint(VARIABLES)

    @property
    def claims(self) -> dict[str, tuple[str, ...]]:
        """The lengths that names have wherever they are bound."""
        return self._lengths.claims

    def whole(self, body: list[ast.stmt]) -> list[ast.stmt]:
        """The body of the kernel; views that nothing reads any more are left out."""
        if not self.writes:
            return body
        done = self.block(body)
        return Idle(self._lengths.inlined, self._names.ranks).without(done)

    def block(self, body: list[ast.stmt]) -> list[ast.stmt]:
        """The statements, with loops for what has axes."""
        scope, done = self._lengths.scope(), []
        body = self._mover.sunk(self._mover.moved(body))
        for statement in (part for s in body for part in self._hoister.prepared(s)):
            for part in self._nester.apart(statement) if self._double else [statement]:
                done += self._taken(part)
        self._lengths.back(scope)
        made = [s for group in self._neighbors.joined(done) for s in self._written(group)]
        return made or [ast.Pass()]

    def _taken(self, statement: Any) -> list[ast.stmt | Loop]:
        loop = statement if isinstance(statement, Loop) else self._nester.loop(statement)
        before: list[ast.stmt] = ast.parse("\n".join(self._lengths.waiting())).body
        if loop is not None:
            for pair in loop.checks:
                self._lengths.equal(*pair)
        if not isinstance(statement, Loop):
            zeroed(statement, self._names, self._lengths, self._meaning)
            self._lengths.learn(statement, loop.counts if loop else self._outline(statement))
            before += ast.parse("\n".join(self._lengths.waiting())).body
        if loop is not None:
            loop.sources = loop.sources or [statement]
            return [*before, loop]
        rebuild(statement, lambda inner: self._inside(statement, inner))
        return [*before, statement]

    def _inside(self, statement: ast.stmt, body: list[ast.stmt]) -> list[ast.stmt]:
        scope = self._lengths.scope()
        self._lengths.begin(statement)
        made = self.block(body)
        self._lengths.back(scope)
        return made

    def _outline(self, statement: ast.stmt) -> tuple[str, ...]:
        match statement:
            case ast.Assign(value=ast.BinOp(op=ast.MatMult()) | ast.Call() as value):
                return self._elements.outline(value) or ()
        return ()

    def _written(self, group: list[Any]) -> list[ast.stmt]:
        if not isinstance(group[0], Loop):
            return group
        places = variables(len(group[0].counts))
        if len(group) > 1:
            return gathered(group, places)
        loop = narrowed(group[0], self._reads(), self._lengths.sized, self.fresh)
        return loop.statements(places)

    def _reads(self) -> Counter[str]:
        """How often each name is read, also by what was put before a loop."""
        return self._loads + Counter(self._hoister.reads)

    def fresh(self, wish: str) -> str:
        """A name that the kernel does not have."""
        self._count += 1
        name = f"_{wish}{self._count}"
        return name if name not in self._known else self.fresh(wish)

    # Neighbors ------------------------------------------------------------------------------
