"""What a store overwrites, kept and put back: only where the backward sweep reads it.

In: a sweep with marks where memory was written.
Out: the same sweep; its marks are statements that put things back, or gone.
Next: recording.

At every point of the backward sweep the arrays hold what they held at that point of the forward sweep, as far as
anything is still read from them. So a view that was read once may be read again, and is not recorded.
"""

from __future__ import annotations

import functools
import operator
from collections.abc import Iterable

import gast

from tangentlite import syntax
from tangentlite.analysis import dataflow
from tangentlite.analysis.kinds import CONTAINERS, Num
from tangentlite.analysis.operations import Accumulate, Primitive, Store, UserCall, target
from tangentlite.analysis.storage.memory import held, memory, shared
from tangentlite.analysis.versions import Version
from tangentlite.differentiate.adjoints import Body
from tangentlite.differentiate.restore import marks, overwriting
from tangentlite.differentiate.restore.putting import Putting
from tangentlite.differentiate.restore.untouched import Group, Untouched
from tangentlite.differentiate.reverse import Sweep
from tangentlite.differentiate.statements import Restored
from tangentlite.rules.reads import reads as values_and_shapes

Tokens = int  # names, a bit for each
NOTHING: Tokens = 0


def restore(sweep: Sweep, extra: Body) -> None:
    """Decide for every mark; ``extra`` is backward code outside the sweep."""
    _Restoring(sweep, extra).run()


class _Restoring:
    def __init__(self, sweep: Sweep, extra: Body) -> None:
        self.sweep, self.facts, self.extra = sweep, sweep.facts, extra
        self.aliases = sweep.facts.aliases
        self.table = sweep.adjoints.shapes.table
        operations = self.facts.kinds.operations
        self.writers = {s: names for s in operations if (names := self.facts.writes(s))}
        self.needed: set[gast.stmt] = set()
        self.hot: dict[str, set[str]] = {
            self.aliases.family(name): {name} for names in self.writers.values() for name in names
        }
        function = self.facts.normal.function
        self.local = function.local
        for name in self.local if self.hot else ():
            self.hot.get(self.aliases.family(name), set()).add(name)
        self._bits: dict[str, int] = {}
        self._families: dict[str, Tokens] = {}
        self.outer = {n for names in self.writers.values() for n in names} - self.local
        self.structure = False

    def run(self) -> None:
        if self.writers:
            views, scalars = self._rereads()
            self._reread(views)
            self.needed = self._overwritten()
            if scalars and self._overwritten(scalars) == self.needed:
                self._reread(scalars)
            if self.sweep.session.request.bare and not any(map(self._index, self.writers)):
                self._left_out()
            overwriting.refuse_outside(self.sweep, self.writers, self.needed, self.outer)
            needed = self.needed | self._reshaped()
            for scope in self.sweep.backward:
                self._put(self.sweep.backward[scope], needed)
        for scope in self.sweep.backward:
            marks.tidy(self.sweep.backward[scope])

    def _reshaped(self) -> set[gast.stmt]:
        """Calls that may change lists and dicts: what they were must come back with their adjoints."""
        return {
            s
            for s, names in self.writers.items()
            if isinstance(self.facts.operation(s), UserCall)
            and any(isinstance(self.facts.kind_before(s, n), CONTAINERS) for n in names)
        }

    # Reading again --------------------------------------------------------------------------

    def _rereads(self) -> tuple[dict[str, gast.expr], dict[str, gast.expr]]:
        """What can be read again in loops, by placeholder: views, and single elements."""
        views: dict[str, gast.expr] = {}
        scalars: dict[str, gast.expr] = {}
        for version in sorted(self.table.values(), key=lambda v: v.number):
            tree = self._element(version)
            if tree is None:
                continue
            assert version.statement is not None
            kind = self.facts.kind_after(version.statement, version.name)
            scalar = isinstance(kind, Num) and kind.scalar
            if scalar and version.name in self._outliving:
                continue
            (scalars if scalar else views)[version.placeholder] = tree
        for found in (views, scalars):
            for name in found:
                found[name] = syntax.substitute(found[name], dict(views))
        return views, scalars

    @functools.cached_property
    def _outliving(self) -> set[str]:
        """The names that are still used after something is written: a number that is read again would not be there."""
        graph, live = self.facts.graph, self.aliases.live
        return set().union(*(live[graph.first[s]] for s in self.writers))

    def _element(self, version: Version) -> gast.expr | None:
        """``a[i]`` in placeholders, if the version is that, made in a loop, of memory that is written."""
        statement = version.statement
        if not version.scope.repeats or version.name in self.aliases.shadowed:
            return None
        match statement:
            case gast.Assign(
                targets=[gast.Name(id=name)], value=gast.Subscript(value=gast.Name(id=base)) as tree
            ) if name == version.name and self._is_hot(base):
                operation = self.facts.operation(statement)
                if isinstance(operation, Primitive) and operation.rule.name == "getitem":
                    return self.sweep.operand(statement, tree)
        return None

    def _is_hot(self, name: str) -> bool:
        return name in self.local and self.aliases.family(name) in self.hot

    def _reread(self, holes: dict[str, gast.expr]) -> None:
        if not holes:
            return
        names = set(holes)
        renewed: dict[int, gast.stmt] = {}
        for body in self.sweep.backward.values():
            for k, statement in enumerate(body):
                if isinstance(statement, (gast.If, gast.While)):
                    statement.test = syntax.substitute(statement.test, dict(holes))
                elif isinstance(statement, gast.For):
                    statement.iter = syntax.substitute(statement.iter, dict(holes))
                elif names & syntax.loads(statement):
                    body[k] = renewed[id(statement)] = syntax.substitute(statement, dict(holes))
        for _, group in self.sweep.reads:
            group[:] = [renewed.get(id(s), s) for s in group]
        self.extra[:] = [syntax.substitute(s, dict(holes)) for s in self.extra]

    # What is needed -------------------------------------------------------------------------

    def _tokens(
        self, holes: dict[str, gast.expr] | None = None
    ) -> tuple[dict[int, Tokens], dict[int, Tokens]]:
        """By point: the memory that the backward sweep reads there, and that of the statement's own result."""
        graph, found, made = self.facts.graph, dict[int, Tokens](), dict[int, Tokens]()
        for statement, group in self.sweep.reads:
            trees: list[gast.AST] = list(group)
            if holes:
                trees = [syntax.substitute(t, dict(holes)) for t in trees]
            point = graph.first[statement]
            values = values_and_shapes(trees)[0]
            tokens = self._read(values, statement)
            if tokens:
                found[point] = tokens
            tokens = self._own(values, statement, bool(trees))
            if tokens:
                made[point] = tokens
        for statement, tree in self.sweep.heads:
            tokens = self._read(values_and_shapes([tree])[0], statement)
            point = graph.last[statement]
            found[point] = found.get(point, NOTHING) | tokens
        end = len(graph.statements) - 1
        found[end] = self._read(values_and_shapes(self.extra)[0], None)
        return found, made

    def _read(self, values: Iterable[str], statement: gast.stmt | None) -> Tokens:
        """The memory that is read with values, but for the result of the statement that they walk back."""
        found = NOTHING
        for placeholder in values:
            version = self.table.get(placeholder)
            if version is None:
                found |= self._whole(placeholder) if placeholder in self.outer else NOTHING
            elif statement is None or version.statement is not statement:
                found |= self._whole(version.name) if self._is_memory(version) else NOTHING
        return found

    def _own(self, values: Iterable[str], statement: gast.stmt, reads: bool) -> Tokens:
        """That of the result of the statement itself; a call's record if its adjoint ``reads`` anything."""
        versions = (v for name in values if (v := self.table.get(name)) is not None)
        names = [v.name for v in versions if v.statement is statement and self._is_memory(v)]
        if reads and isinstance(self.facts.operation(statement), UserCall):
            names += self.sweep.adjoints.recorded.get(statement, ())
        return functools.reduce(operator.or_, map(self._whole, names), NOTHING)

    def _whole(self, name: str) -> Tokens:
        """The names that may ever share the memory of a name, if it is written through one of them."""
        family = self.aliases.family(name)
        found = self._families.get(family)
        if found is None:
            found = self._families[family] = self._tokens_of(self.hot.get(family, ()))
        return found

    def _tokens_of(self, names: Iterable[str]) -> Tokens:
        found, bits = NOTHING, self._bits
        for name in names:
            found |= bits.setdefault(name, 1 << len(bits))
        return found

    def _is_memory(self, version: Version) -> bool:
        kind = self.facts.kind_of(version)
        return memory(kind) and not (self.structure and isinstance(kind, Num))

    def _overwritten(self, holes: dict[str, gast.expr] | None = None) -> set[gast.stmt]:
        """The writes that overwrite what is read backward before them.

        A list whose slot is bound anew leaves the array that was there as it is: only reads of lists see that.
        """
        needed = self._touched(self._with_indices(holes, set()), holes)
        slots = {s for s in needed if overwriting.binds_slot(self.sweep, s)}
        if slots:
            self.structure = True
            needed -= slots - self._with_indices(holes, needed - slots)
            self.structure = False
        return needed

    def _touched(
        self, needed: set[gast.stmt], holes: dict[str, gast.expr] | None
    ) -> set[gast.stmt]:
        """Without the stores that come to other places than those that are read before them."""
        if not needed or any(map(self._index, needed)):
            return needed
        return set(filter(self._untouched(holes).touches, needed))

    def _untouched(self, holes: dict[str, gast.expr] | None = None) -> Untouched:
        groups: list[Group] = [
            (
                statement,
                [syntax.substitute(t, dict(holes)) for t in group] if holes else list(group),
            )
            for statement, group in self.sweep.reads
        ]
        return Untouched(self.sweep, groups, [t for _, t in self.sweep.heads], self.hot)

    def _left_out(self) -> None:
        """Where nobody sees what a function writes, stores that come after all reads are not done."""
        found = self._untouched().needless(self.writers)
        self.sweep.replaced |= {s: [] for s in found}
        self.sweep.plain |= {s: [] for s in found}
        self.needed -= found

    def _with_indices(
        self, holes: dict[str, gast.expr] | None, needed: set[gast.stmt]
    ) -> set[gast.stmt]:
        """The writes that are needed beside others: what is put back at an index needs the index as it was."""
        (tokens, made), waiting = self._tokens(holes), needed
        while True:
            for statement in waiting:
                point = self.facts.graph.first[statement]
                tokens[point] = tokens.get(point, NOTHING) | self._index(statement)
            waiting = self._needed((tokens, made)) - needed
            if not waiting:
                return needed
            needed = needed | waiting

    def _index(self, statement: gast.stmt) -> Tokens:
        """The memory that holds the index of a store."""
        match self.facts.operation(statement):
            case Store(index=index) | Accumulate(index=index):
                tree = self.sweep.operand(statement, index)
                return self._read(values_and_shapes([tree])[0], statement)
        return NOTHING

    def _needed(self, found: tuple[dict[int, Tokens], dict[int, Tokens]]) -> set[gast.stmt]:
        """The writes that overwrite what is read backward before them."""
        graph, (tokens, made) = self.facts.graph, found

        def transfer(point: int, state: Tokens) -> Tokens:
            statement = graph.statements[point]
            state |= tokens.get(point, NOTHING)
            if statement is None or statement not in self.facts.kinds.operations:
                return state
            covered = overwriting.covered(self.sweep, statement)  # what was read of it comes back
            state = self._after(statement, point, state) & ~self._tokens_of(covered)
            return state | made.get(point, NOTHING)

        def union(point: int, arriving: list[tuple[int, Tokens]]) -> Tokens:
            return functools.reduce(operator.or_, (state for _, state in arriving))

        before, _ = dataflow.forward(graph, NOTHING, transfer, union)
        needed = set()
        for statement, names in self.writers.items():
            point = graph.first[statement]
            if (before[point] | tokens.get(point, NOTHING)) & self._tokens_of(names):
                needed.add(statement)
        return needed

    def _after(self, statement: gast.stmt, point: int, state: Tokens) -> Tokens:
        """A name bound to a new array leaves the memory that it held; one bound to a view joins that of its source."""
        operation = self.facts.kinds.operations[statement]
        name, sources = target(statement, operation), self._tokens_of(shared(operation, statement))
        container, values = held(operation)
        if name is not None and syntax.binds(statement, name):
            own = self._tokens_of([name])
            if not sources:
                state &= ~own
            elif state & sources:
                state |= own
        if values and state & self._tokens_of(values):
            near = self.hot.get(self.aliases.family(container), ())
            state |= self._tokens_of(self.aliases.holders(point, container).intersection(near))
        return state

    # Putting back ---------------------------------------------------------------------------

    def _put(self, body: Body, needed: set[gast.stmt]) -> None:
        """Marks become statements, or vanish."""
        putting = Putting(self.sweep, self.writers, self.needed)
        new: Body = []
        for statement in body:
            if not isinstance(statement, Restored):
                new.append(statement)
            elif statement.key[0] in needed:
                self.sweep.puts_back = True
                new += putting.put_back(statement.key[0])
        body[:] = new
