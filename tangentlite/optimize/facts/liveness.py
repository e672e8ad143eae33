"""Liveness: which statements are needed, backwards over structured code to a fixpoint.

A statement is needed if its effect can be seen from outside or if it binds or changes what a
needed statement reads. An ``if`` or a loop is needed if a statement in it is; its test is read
only then. An element of what is pushed on a stack is live if a name it is popped into is.

In: a block, ``Scope``.
Out: ``Marks``.
Next: prune.
"""

from __future__ import annotations

import gast

from tangentlite import syntax
from tangentlite.optimize.facts.scope import Scope
from tangentlite.optimize.facts.table import CONTENT, LENGTH, READ, Facts, content, stack_call


class Marks:
    """The needed statements of a function, by identity, and the live elements of its stacks."""

    def __init__(self, body: list[gast.stmt], scope: Scope) -> None:
        self._scope = scope
        self.needed: set[int] = set()
        self.elements: dict[str, set[int]] = {}
        self.width = _widths(body, scope)
        self._heads: dict[int, set[str]] = {}
        self._marks: dict[frozenset[str], frozenset[str]] = {}  # of names that may share memory
        writing = [s for s in body if scope.facts(s).writes]
        self._written = any(not scope.facts(s).seen or syntax.blocks(s) for s in writing)
        # What is live behind the loops around, and what each may bind: for other names that holds in it, too.
        self._around: list[tuple[set[str], frozenset[str]]] = []
        self._whole = 0  # in a try, where what may raise decides the way
        self._grown = True
        while self._grown:
            self._grown, self._seen = False, set[str]()
            self._block(body, {*scope.captured, *(n + m for n in scope.captured for m in READ)})

    def _block(self, body: list[gast.stmt], live: set[str]) -> None:
        for statement in reversed(body):
            self._statement(statement, live)

    def _any(self, *blocks: list[gast.stmt]) -> bool:
        return any(id(statement) in self.needed for block in blocks for statement in block)

    def _statement(self, statement: gast.stmt, live: set[str]) -> None:
        match statement:
            case gast.Assign() | gast.Expr():
                stacks = self._scope.stacks
                stack = stack_of(statement, stacks) if stacks else None
                if stack is None:
                    self._simple(statement, live)
                else:
                    self._stack(statement, stack, live)
            case syntax.Comment() | syntax.Blank() | gast.Pass() | gast.Break():
                return
            case gast.If():
                self._branches(statement, live)
            case gast.For(orelse=[]) | gast.While(orelse=[]):
                self._loop(statement, live)
            case gast.AugAssign():
                self._simple(statement, live)
            case gast.Try(body=body):
                self.needed.add(id(statement))
                own = {n + mark for n in syntax.loads(statement) for mark in ("", *READ)}
                for block in syntax.blocks(statement):
                    self._whole += block is body
                    self._block(block, inner := live | own)
                    self._whole -= block is body
                    own |= inner
                live |= own
            case gast.With(items=items, body=body):
                self.needed.add(id(statement))
                self._block(body, live)
                live |= syntax.loads(items)
            case syntax.Inserted(lines=lines):
                self.needed.add(id(statement))
                reads = self._scope.facts(statement).reads
                live |= reads | {name + mark for name in reads for mark in READ}
                live |= self._around[-1][0] if syntax.breaks(lines) else set()
            case _:
                self.needed.update(id(node) for node in syntax.walk(statement))
                live |= self._scope.facts(statement).reads | self._scope.content(statement)

    def _simple(self, statement: gast.stmt, live: set[str]) -> None:
        facts = self._scope.facts(statement)
        if id(statement) not in self.needed:
            if not (self._whole or self._needed(statement, facts, live)):
                return
            self.needed.add(id(statement))
        live -= facts.kills
        live -= {name + mark for name in facts.kills for mark in READ}
        live |= facts.reads
        if self._written:  # somebody asks what is read of what a write leaves
            live |= self._scope.content(statement)

    def _needed(self, statement: gast.stmt, facts: Facts, live: set[str]) -> bool:
        match statement:
            case gast.Assign(targets=[gast.Name(id=a)], value=gast.Name(id=b)) if a == b:
                return False
            case gast.Expr(value=gast.Constant(value=str())):
                return True
        if facts.seen or not facts.binds.isdisjoint(live):
            return True
        scope = self._scope
        return any(scope.visible(w) or self._read_again(w, live) for w in facts.writes)

    def _read_again(self, written: str, live: set[str]) -> bool:
        """Whether what a write leaves in memory is read: of an array not only its shape; a dict may have grown."""
        names = self._scope.members(written)
        marks = self._marks.get(names)
        if marks is None:
            grown = names - self._scope.solid
            marks = frozenset([*(n + CONTENT for n in names), *(n + LENGTH for n in grown)])
            self._marks[names] = marks
        around = ((marks - changed, outer) for outer, changed in self._around)
        return not marks.isdisjoint(live) or any(not m.isdisjoint(o) for m, o in around)

    def _branches(self, statement: gast.If, live: set[str]) -> None:
        other = set(live)
        self._block(statement.body, live)
        self._block(statement.orelse, other)
        live |= other
        pure = self._scope.purity.pure(statement.test)
        if self._any(statement.body, statement.orelse) or not pure or self._whole:
            self.needed.add(id(statement))
            live |= syntax.loads(statement.test) | content(statement.test)

    def _loop(self, statement: gast.For | gast.While, live: set[str]) -> None:
        head = self._heads.setdefault(id(statement), set())
        source = statement.iter if isinstance(statement, gast.For) else statement.test
        fixed = self._whole > 0 or not self._removable(statement)
        targets = syntax.stores(statement.target) if isinstance(statement, gast.For) else set()
        bound = self._scope.facts(statement).binds | syntax.stores(statement)
        bound |= {name + mark for name in bound for mark in READ}
        head |= live & bound
        self._around.append((live, bound))
        while True:
            inner = set(head)
            self._block(statement.body, inner)
            needed = fixed or self._any(statement.body) or not inner.isdisjoint(targets)
            inner -= targets
            if needed:
                self.needed.add(id(statement))
                inner |= syntax.loads(source) | content(source)
                for exit_ in syntax.parted(statement.body)[1]:
                    self.needed.update((id(exit_), id(exit_.body[0])))
                    inner |= syntax.loads(exit_.test)
            if inner <= head:
                break
            head |= inner
        self._around.pop()
        live |= head

    def _removable(self, statement: gast.For | gast.While) -> bool:
        if isinstance(statement, gast.While):
            return self._scope.purity.pure(statement.test)
        walked = statement.iter
        plain = isinstance(statement.target, gast.Name)
        return plain and not isinstance(walked, gast.Name) and self._scope.purity.pure(walked)

    def _stack(self, statement: gast.stmt, stack: str, live: set[str]) -> None:
        alive = self.elements.setdefault(stack, set())
        before = len(alive)
        match statement:
            case gast.Assign(targets=[_], value=gast.List()):
                if not alive:
                    return
                live.discard(stack)
            case gast.Assign(targets=[target]):
                alive |= self._live_targets(stack, target, live)
                live -= syntax.stores(target)
            case gast.Expr(value=gast.Call(args=[pushed])):
                names = self._pushed(stack, pushed)
                live |= names | {name + mark for name in names for mark in READ}
        self._grown |= len(alive) > before and stack in self._seen  # by a statement below
        self._seen.add(stack)
        if alive:
            self.needed.add(id(statement))
            live.add(stack)

    def _live_targets(self, stack: str, target: gast.expr, live: set[str]) -> set[int]:
        parts = target.elts if self.width[stack] is not None else [target]
        return {k for k, part in enumerate(parts) if not syntax.stores(part).isdisjoint(live)}

    def _pushed(self, stack: str, pushed: gast.expr) -> set[str]:
        parts = pushed.elts if self.width[stack] is not None else [pushed]
        return syntax.loads([parts[k] for k in self.elements[stack]])


def stack_of(statement: gast.stmt, stacks: frozenset[str]) -> str | None:
    """The stack that a statement makes, pushes on or pops from."""
    kind = statement.__class__
    if not stacks or (kind is not gast.Assign and kind is not gast.Expr):
        return None
    value = statement.value
    if value.__class__ is gast.Call:
        return stack_call(value, stacks)
    if value.__class__ is gast.List and kind is gast.Assign and not value.elts:
        made = statement.targets[0]
        return made.id if isinstance(made, gast.Name) and made.id in stacks else None
    return None


def _widths(body: list[gast.stmt], scope: Scope) -> dict[str, int | None]:
    """How many elements all records of a stack have; None if a record is kept whole."""
    seen: dict[str, set[int | None]] = {name: set() for name in scope.stacks}
    pending = list(body) if seen else []
    while pending:
        statement = pending.pop()
        for block in syntax.blocks(statement):
            pending.extend(block)
        stack = stack_of(statement, scope.stacks)
        if stack is not None:
            match statement:
                case gast.Assign(targets=[record], value=gast.Call()):
                    seen[stack].add(_width(record))
                case gast.Expr(value=gast.Call(args=[record])):
                    seen[stack].add(_width(record))
    return {name: found.pop() if len(found) == 1 else None for name, found in seen.items()}


def _width(record: gast.expr) -> int | None:
    if not isinstance(record, gast.Tuple):
        return None
    plain = all(isinstance(e, (gast.Name, gast.Constant)) for e in record.elts)
    return len(record.elts) if plain else None
