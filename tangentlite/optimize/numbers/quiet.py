"""Quiet: whether a function may be called once more, if the first time went wrong, and nobody sees that it was.

In: a function in plain numbers, ``Scope``, the helpers it calls.
Out: ``Effects``: ``quiet``, ``written``, ``writes(statement)``.
Next: lists.
"""

from __future__ import annotations

import ast
from collections.abc import Iterator, Mapping
from functools import cached_property
from typing import Any

import gast

from tangentlite import runtime, syntax
from tangentlite.ir import Function
from tangentlite.optimize.facts.scope import Scope
from tangentlite.optimize.numbers.forms import NUMBERS, Tape
from tangentlite.optimize.numbers.memory import Memory, has_memory
from tangentlite.optimize.numbers.sorts import Sorts
from tangentlite.optimize.replace import exchanged

SPARED = (runtime.own, runtime.within, runtime.weighted)


class Effects:
    """What a function does besides what it gives; ``inner``: it is a helper, whose arguments are the caller's own.

    ``helpers`` has the places of the arguments into which each helper writes.
    """

    def __init__(
        self,
        function: Function,
        scope: Scope,
        sorts: Sorts,
        helpers: Mapping[str, frozenset[int]],
        inner: bool,
    ) -> None:
        self._scope, self._sorts, self._helpers, self._inner = scope, sorts, helpers, inner
        self._function = function
        self._written = set[str]()
        self.memory = Memory(function, sorts, inner)
        self.quiet = all(map(self._is_quiet, syntax.statements(function.body)))
        reached = self._written.union(*map(self.memory.shared, self._written))
        self.written = frozenset(k for k, p in enumerate(function.params) if p.name in reached)

    def sharing(self, name: str) -> set[str]:
        """The names that may hold memory of one, and that one: values and adjoints that are written are apart."""
        if not has_memory(self._sorts.known.get(name)):
            return set()
        shared = self.memory.shared(name)
        return shared & self._adjoints if name in self._adjoints else shared - self._adjoints

    @cached_property
    def _adjoints(self) -> frozenset[str]:
        return frozenset(filter(self._scope.floating, self._scope.local))

    def writes(self, statement: gast.stmt) -> set[str]:
        """The names into whose memory a statement writes; tapes aside."""
        found = set[str]()
        for inner in syntax.statements([statement]):
            if not syntax.blocks(inner):
                found |= self._done(inner)[0]
        return found

    def _done(self, statement: gast.stmt) -> tuple[set[str], bool]:
        """Into which names a simple statement writes, and whether it does anything else that can be seen."""
        call = self._helper(statement)
        if call is not None:
            own = (call.args[k] for k in self._helpers[call.func.id])
            return {n for arg in own for n in self._names(arg)}, False
        match statement:
            case gast.Expr(value=gast.Call(func=func, args=[gast.Name(id=name), *rest])):
                if self._scope.purity.means(func, (runtime.add_at,)):
                    return {name}, any(self._done(gast.Expr(arg))[1] for arg in rest)
        if any(map(self._is_unknown, syntax.walk(statement))):
            return set(), True
        holes = {
            id(c): hole for c in syntax.walk(statement) if (hole := self._spared(c)) is not None
        }
        facts = self._scope.facts(exchanged(statement, holes) if holes else statement)
        known = self._sorts.known
        written = {n for n in facts.writes if not isinstance(known.get(n), Tape)}
        return {n for n in written if n not in known or has_memory(known[n])}, facts.seen

    def _is_unknown(self, call: ast.AST) -> bool:
        """Whether a helper is called of which nothing is known."""
        if not isinstance(call, gast.Call) or not isinstance(call.func, gast.Name):
            return False
        cells = self._function.namespace.cells
        return call.func.id in cells and call.func.id not in self._helpers

    def _spared(self, call: ast.AST) -> gast.expr | None:
        """What stands for a call that is only seen here: of a copy, and of what a tape does."""
        match call:
            case gast.Call(func=gast.Attribute(value=gast.Name(id=name)), args=args) if isinstance(
                self._sorts.known.get(name), Tape
            ):
                return args[0] if args else syntax.constant(0)
            case gast.Call(func=func, args=[value, like]) if self._scope.purity.means(
                func, (runtime.seed,)
            ):
                return value if self._sorts.of(like) in NUMBERS else None
            case gast.Call(func=func, args=[value, *_]):
                return value if self._scope.purity.means(func, SPARED) else None
        return None

    def _helper(self, statement: Any) -> gast.Call | None:
        """The call of a helper in plain numbers that a statement is."""
        value = getattr(statement, "value", None)
        if isinstance(value, gast.Call) and isinstance(value.func, gast.Name):
            return value if value.func.id in self._helpers else None
        return None

    def _is_quiet(self, statement: Any) -> bool:
        if syntax.blocks(statement):
            heads = [getattr(statement, f) for f in ("test", "iter") if hasattr(statement, f)]
            return all(map(self._scope.purity.pure, heads))
        if isinstance(statement, gast.Raise):
            return True  # then it is called once more
        written, seen = self._done(statement)
        self._written |= written
        if (call := self._helper(statement)) is not None:
            return self._calls(self._helpers[call.func.id], call.args)
        return not seen and all(map(self._may_write, written))

    def _may_write(self, name: str) -> bool:
        if name not in self._scope.local:
            return False
        return self._inner or not self.memory.is_given(name)

    def _calls(self, written: frozenset[int], args: list[gast.expr]) -> bool:
        """Whether a helper writes into nothing that another argument of it holds, and nothing that is seen."""
        if any(self._done(gast.Expr(arg))[1] for arg in args):
            return False
        held = list(map(self._held, args))
        for k in written:
            names = set(self._names(args[k]))
            others = (held[j] for j in range(len(args)) if j != k)
            if not all(map(self._may_write, names)) or any(
                not held[k].isdisjoint(h) for h in others
            ):
                return False
        return True

    def _held(self, tree: gast.expr) -> frozenset[str]:
        """The names that may share memory with an argument."""
        return frozenset[str]().union(*map(self.sharing, self._names(tree)))

    def _names(self, tree: gast.expr) -> Iterator[str]:
        """The names of which an argument may hold memory."""
        yield from (n for n in self.memory.sources(tree) if n in self._scope.local)
