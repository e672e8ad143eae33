"""Untouched: stores that overwrite nothing of what is read backward, since they come to other places.

In: a sweep, its stores, what is read backward of the arrays that they write into.
Out: those that do overwrite some, and those that need not be done.
Next: restoring.

The factor that ``A[i, j] = (A[i, j] - A[i, :j] @ A[j, :j]) / A[j, j]`` fills is read where it is done, and written
elsewhere: nothing is kept of it. The rows that ``B[i] += A[i + 1 :, i] @ B[i + 1 :]`` changes are read before only:
where nobody sees them, they may stay as they were.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Set
from functools import cached_property

import gast

from tangentlite import syntax
from tangentlite.analysis.kinds import Num
from tangentlite.analysis.operations import Accumulate, Store, UserCall
from tangentlite.differentiate.restore.places import Part, Parts, Places
from tangentlite.differentiate.reverse import Sweep
from tangentlite.rules.reads import reads as values_and_shapes

Group = tuple[gast.stmt, list[gast.AST]]
OTHERS = 4  # statements that read an array under other names: each of them reads all of it


class Untouched:
    """``groups``: what is read with each statement, backward; ``heads``: what conditions and loops read then.

    ``families``: names that share memory.
    """

    def __init__(
        self,
        sweep: Sweep,
        groups: list[Group],
        heads: list[gast.expr],
        families: Mapping[str, Set[str]],
    ) -> None:
        self._sweep, self._facts = sweep, sweep.facts
        self._table = sweep.adjoints.shapes.table
        self._groups, self._families = groups, families
        self._heads = self._named(heads)
        self._places = Places(sweep.facts)
        self._known: dict[str, Parts | None] = {}
        self._stored: dict[gast.stmt, tuple[str | None, Part]] = {}

    def _named(self, trees: Iterable[gast.AST]) -> set[str]:
        """The names of which trees read values."""
        return {v.name for p in values_and_shapes(trees)[0] if (v := self._table.get(p))}

    def touches(self, store: gast.stmt) -> bool:
        """Whether a store may overwrite what is read backward before it."""
        name, written = self._written(store)
        parts = self._parts(name) if name is not None else None
        return parts is None or self._places.may_follow_any(written, parts)

    def needless(self, writers: Mapping[gast.stmt, Iterable[str]]) -> set[gast.stmt]:
        """The stores into arrays of which nobody sees more than what was there before."""
        found: set[gast.stmt] = set()
        for name in sorted({name for names in writers.values() for name in names}):
            family = self._family(name)
            stores = [s for s, names in writers.items() if family & set(names)]
            if all(self._written(s)[0] == name for s in stores) and self._is_ahead(name, stores):
                found.update(stores)
        return found

    def _is_ahead(self, name: str, stores: list[gast.stmt]) -> bool:
        """Whether all that is read backward is read before any of the stores came there."""
        parts = self._parts(name)
        if parts is None or not self._only_feeds(name, stores):
            return False
        written = Parts(self._places, [self._written(store)[1] for store in stores])
        read = (part for near in parts.near.values() for part in near)
        return not any(self._places.may_follow_any(part, written, at_once=False) for part in read)

    def _only_feeds(self, name: str, stores: list[gast.stmt]) -> bool:
        """Whether what an array holds goes into nothing but the stores."""
        waiting, feeding, own = [*self._family(name)], {*self._family(name)}, set(stores)
        while waiting:
            source = waiting.pop()
            for statement in self._loading.get(source, ()):
                target = _target(statement)
                if statement in own:
                    if source in syntax.loads(self._place(statement)[1]):
                        return False
                elif (
                    target is None
                    or self._keeps(statement)
                    or len(self._binding.get(target, ())) != 1
                    or (target != name and target in self._read_backward)
                ):
                    return False
                elif target not in feeding:
                    feeding.add(target)
                    waiting.append(target)
        return True

    def _keeps(self, statement: gast.stmt) -> bool:
        """Whether the backward sweep reads what a statement makes beside its result: an order, the record of a call."""
        beside = self._sweep.adjoints.extra.get(statement, {}).values()
        return not self._read_backward.isdisjoint(version.name for version in beside)

    @cached_property
    def _read_backward(self) -> set[str]:
        return {n for _, trees in self._groups for n in self._named(trees)} | self._heads

    @cached_property
    def _binding(self) -> dict[str, list[gast.stmt]]:
        """The statements that bind a name."""
        return self._by_name(_bound)

    @cached_property
    def _loading(self) -> dict[str, list[gast.stmt]]:
        """The statements that read more of a name than the shape."""
        return self._by_name(self._loaded)

    def _by_name(self, names: Callable[[gast.stmt], Iterable[str]]) -> dict[str, list[gast.stmt]]:
        found: dict[str, list[gast.stmt]] = {}
        for statement in syntax.statements(self._facts.normal.function.body):
            for name in names(statement):
                found.setdefault(name, []).append(statement)
        return found

    @staticmethod
    def _loaded(statement: gast.stmt) -> set[str]:
        """The names of which a statement itself reads more than the shape."""
        inner = [s for block in syntax.blocks(statement) for s in block]
        return values_and_shapes([c for c in syntax.children(statement) if c not in inner])[0]

    def _written(self, store: gast.stmt) -> tuple[str | None, Part]:
        """The array into which a statement stores, and where."""
        if store not in self._stored:
            name, index = self._place(store)
            find = self._facts.versions.reads[store].get
            self._stored[store] = name, self._places.part(store, index, find)
        return self._stored[store]

    def _place(self, store: gast.stmt) -> tuple[str | None, gast.expr]:
        match self._facts.operation(store):
            case Store(container=name, index=index, holds=False):
                return name, index
            case Accumulate(buffer=name, index=index, holds=False, gathers=False):
                return name, index
        return None, syntax.constant(...)

    def _family(self, name: str) -> Set[str]:
        return self._families.get(self._facts.aliases.family(name), {name})

    def _parts(self, name: str) -> Parts | None:
        """The parts of an array that are read backward; None if it is read otherwise, or is not always the same one."""
        if name not in self._known:
            alone = self._is_one(name) and not self._family(name) & self._heads
            parts = self._read(name) if alone else None
            self._known[name] = None if parts is None else Parts(self._places, parts)
        return self._known[name]

    def _read(self, name: str) -> list[Part] | None:
        family, part, parts, others = self._family(name), self._part, list[Part](), 0
        for statement, trees in self._groups:
            named = self._named(trees) & family
            held = self._sweep.adjoints.recorded.get(statement, ())
            called = isinstance(self._facts.operation(statement), UserCall)
            if others > OTHERS or (called and family & set(held)):
                return None
            if not named:
                continue
            if named - {name}:
                others += 1
                parts.append(part(statement, syntax.constant(...)))
            nodes = [n for tree in trees for n in syntax.walk(tree)]
            found = [n for n in nodes if isinstance(n, gast.Subscript) and self._is(n.value, name)]
            if len(found) != sum(self._is(n, name) for n in nodes):
                parts.append(part(statement, syntax.constant(...)))
            parts += [part(statement, node.slice) for node in found]
        return parts

    def _part(self, statement: gast.stmt, index: gast.expr) -> Part:
        return self._places.part(statement, index, self._table.get)

    def _is(self, node: gast.AST, name: str) -> bool:
        version = self._table.get(node.id) if isinstance(node, gast.Name) else None
        return version is not None and version.name == name

    def _is_one(self, name: str) -> bool:
        """Whether a name means one array from beginning to end."""
        versions = self._facts.versions
        binding = self._binding.get(name, [])
        given = name in versions.at_start
        if given or len(binding) != 1:
            return given and not binding
        kind = self._facts.kind_after(binding[0], name)
        return binding[0] in versions.root.block and isinstance(kind, Num)


def _bound(statement: gast.stmt) -> set[str]:
    """The names that a statement itself binds."""
    match statement:
        case gast.Assign(targets=targets):
            nodes = (n for target in targets for n in syntax.walk(target))
            return {n.id for n in nodes if isinstance(n, gast.Name) and is_stored(n)}
        case gast.For(target=gast.Name(id=name)):
            return {name}
        case gast.AugAssign(target=gast.Name(id=name)):
            return {name}
    return set()


def _target(statement: gast.stmt) -> str | None:
    """The one name that a statement binds, and does no more."""
    match statement:
        case gast.Assign(targets=[gast.Name(id=name)]):
            return str(name)
    return None


def is_stored(node: gast.Name) -> bool:
    """Whether a name stands where it is bound."""
    return isinstance(node.ctx, gast.Store)
