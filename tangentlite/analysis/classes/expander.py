"""Statements about objects, replaced by statements about what they hold and by calls of functions.

In: a normal form, and statements with the kinds before them.
Out: a normal form without methods, properties and operators of the user's classes.
Next: inference.
"""

from __future__ import annotations

import inspect
from collections.abc import Callable, Hashable, Mapping, Set
from types import CellType
from typing import Any

import gast

from tangentlite import ir, lowering, runtime, syntax
from tangentlite.analysis.calling.rewrites import Rewrites
from tangentlite.analysis.cfg import Graph
from tangentlite.analysis.classes import elsewhere, members
from tangentlite.analysis.classes.gathering import gathered
from tangentlite.analysis.classes.inlining import inlined, statements
from tangentlite.analysis.classes.making import KindOf
from tangentlite.analysis.classes.meant import Laid, Meant, at, copied, marks
from tangentlite.analysis.classes.objects import Expansion
from tangentlite.analysis.kinds import Kind, Member, Named, Object
from tangentlite.errors import UnsupportedSyntaxError
from tangentlite.lines import behind
from tangentlite.lowering import Normal
from tangentlite.lowering.arrays import augmented
from tangentlite.lowering.rewriting import within
from tangentlite.values import field, mutable, replace

APART = "Give one of the two another name: what the class counts, and what its objects have."


@mutable
class Expander:
    """Expands the statements of one normal form; ``table`` holds what stands for each."""

    normal: Normal
    waiting: Set[Hashable] = frozenset()
    table: dict[gast.stmt, list[gast.stmt]] = field(default_factory=dict)
    cells: dict[str, CellType] = field(default_factory=dict)
    meant: Meant = field(default_factory=dict)
    new: tuple[Any, Any, dict[str, gast.expr]] | None = None
    origins: dict[gast.stmt, gast.stmt] = field(default_factory=dict)
    chains: dict[gast.stmt, frozenset[Any]] = field(default_factory=dict)
    _inlined: dict[tuple[gast.stmt, Any], list[gast.stmt] | None] = field(default_factory=dict)
    _names: dict[tuple[gast.stmt, str, int], str] = field(default_factory=dict)
    _renewals: dict[gast.stmt, gast.stmt] = field(default_factory=dict)
    _callees: dict[int, gast.expr] = field(default_factory=dict)
    _viewed: tuple[ir.Function | None, dict[str, str]] = None, {}

    @property
    def function(self) -> ir.Function:
        """The function whose statements these are."""
        return self.normal.function

    @property
    def stored(self) -> frozenset[str]:
        """The attributes that the function sets: ``t = vars(x); t["w"] = v``."""
        return self.function.keys

    def expanded(
        self, statement: gast.stmt, kind_of: KindOf, local: set[str]
    ) -> list[gast.stmt] | None:
        """The statements that stand for one, or None if it may stay."""
        expansion = Expansion(self, statement, kind_of, local)
        found = expansion.run()
        known = self.table.get(statement)
        if found is None:
            self.table.pop(statement, None)
            return None
        names = sorted(syntax.loads(statement) & local)
        told = Laid if expansion.copies else _of_class
        found = [
            *marks(statement, names, lambda n: told(kind_of(syntax.name(n))), self.meant),
            *found,
        ]
        if known is not None and len(known) == len(found) and all(map(syntax.same, known, found)):
            copied(self.meant, zip(found, known))
            return known
        self._placed(found, statement)
        self.inherit(statement, found)
        self.table[statement] = found
        return found

    def inherit(self, statement: gast.stmt, found: list[gast.stmt]) -> None:
        """What stands for a statement was inlined with what that was inlined with: a method calls itself only once."""
        for inner in (i for new in found for i in statements(new)):
            self.chains.setdefault(inner, self.chains.get(statement, frozenset()))

    def inline(
        self, statement: gast.stmt, callee: Any, bound: Mapping[str, gast.expr], local: set[str]
    ) -> None:
        """A call that writes into objects is to be said by the statements of the function."""
        key = (statement, callee)
        if key not in self._inlined:
            self._inlined[key] = self._said(statement, callee, bound, local)
        found = self._inlined[key]
        if found is not None:
            self.table[statement] = found

    def construct(
        self,
        statement: gast.stmt,
        owner: Any,
        init: Any,
        bound: Mapping[str, gast.expr],
        local: set[str],
    ) -> None:
        """``x = C(args)`` is to be said by what ``__init__`` does."""
        key = (statement, owner)
        if key not in self._inlined:
            name = statement.targets[0].id
            own = next(iter(inspect.signature(init).parameters))
            bound = {**bound, own: syntax.name(name)}
            found = self._said(statement, init, bound, local)
            if found is not None:
                found = [self.made(statement, owner, {}, local), *found[:-1]]
                self._placed(found[:1], statement)
            self._inlined[key] = found
        found = self._inlined[key]
        if found is not None:
            self.table[statement] = found

    def holder(self, statement: gast.stmt, fields: str) -> gast.expr | None:
        """The object of which a statement sets an attribute, as ``fields = vars(x)`` says; None if it sets none."""
        if not self.sets_attribute(statement):
            return None
        if self._viewed[0] is not self.function:
            self._viewed = self.function, members.views(self.function.body)
        others = (s for found in self.table.values() for s in found)
        holder = self._viewed[1].get(fields) or members.views([*others]).get(fields)
        return syntax.name(holder) if holder is not None else None

    def sets_attribute(self, statement: gast.stmt) -> bool:
        """Whether the user's statement sets an attribute, by its name."""
        source = self.source(statement)
        match source:
            case gast.Expr(value=gast.Call(func=gast.Name(id="setattr"))):
                return True
        heads = [*getattr(source, "targets", []), getattr(source, "target", None)]
        heads += [item.optional_vars for item in getattr(source, "items", [])]
        nodes = (n for head in heads if head is not None for n in syntax.walk(head))
        return any(isinstance(n, gast.Attribute) and isinstance(n.ctx, gast.Store) for n in nodes)

    def opens(self, statement: gast.stmt) -> bool:
        """Whether the user's statement asks for the dict of an object's attributes, and sets none by its name."""
        source = self.source(statement)
        nodes = [source, *syntax.walk(source)] if source is not None else []
        asked = any(
            getattr(n, "id", "") == "vars" or getattr(n, "attr", "") == "__dict__" for n in nodes
        )
        return asked and not self.sets_attribute(statement)

    def made(
        self, statement: gast.stmt, owner: Any, slots: Mapping[Any, gast.expr], local: set[str]
    ) -> gast.Assign:
        """``x = rt.made(C, w=v, n=0)``: what the class has by default comes last."""
        known = members.defaults(owner, self.stored)
        shared = known and sorted((known.keys() - slots.keys()) & elsewhere.of_class(owner))
        if shared:
            what = f"`{shared[0]}` is set of the class `{owner.__name__}` and of its objects"
            place = self.function.origin.place(statement)
            raise UnsupportedSyntaxError(f"{what}, which is not differentiated yet", place, APART)
        slots = {**{key: syntax.constant(value) for key, value in known.items()}, **slots}
        meant = self.callee(owner, owner.__name__, local)
        make = syntax.expression("rt.made(C)", rt=self.callee(runtime, "rt", local), C=meant)
        make.keywords += [gast.keyword(key, value) for key, value in slots.items()]
        return syntax.assign(statement.targets[0].id, make)

    def _said(
        self, statement: gast.stmt, callee: Any, bound: Mapping[str, gast.expr], local: set[str]
    ) -> list[gast.stmt] | None:
        chain = self.chains.get(statement, frozenset())
        if callee in chain:
            return None
        made = inlined(callee, bound, self.function, self.normal.names, local)
        if made is None:
            return None
        self.cells.update(made.cells)
        call = self.function.origin.lines_of(self.source(statement) or statement)
        for source in set(made.sources.values()):
            source.__dict__["behind"] = behind(source) | call
        self.origins.update(made.sources)
        match statement:
            case gast.Assign(targets=[target]):
                last: gast.stmt = gast.Assign([target], made.result, None)
            case _:
                last = gast.Pass()
        found = [*made.body, last]
        for new in found:
            for inner in statements(new):
                self.chains[inner] = chain | {callee}
        self._placed(found, statement)
        return found

    def _placed(self, found: list[gast.stmt], statement: gast.stmt) -> None:
        for new in found:
            for node in syntax.walk(new):
                syntax.at(node, statement)

    def stands(self, graph: Graph) -> bool:
        """Whether something stands for a statement of the function that does not wait; else all is forgotten."""
        if not any(s in graph.first for s in self.table):
            self.table.clear()
        return any(s in graph.first and at(s) not in self.waiting for s in self.table)

    def waits(self, graph: Graph) -> bool:
        """Whether something stands for a statement that waits until the others are known."""
        return any(s in graph.first for s in self.table)

    def follow(self, rewrites: Rewrites) -> None:
        """What stands for calls of values is inlined where the calls are."""
        self.meant.update(rewrites.meant)
        for statement, (_, others) in rewrites.found.items():
            chain = self.chains.get(statement, frozenset())
            for new in others:
                for inner in statements(new):
                    self.chains[inner] = chain | self.chains.get(inner, frozenset())

    def apply(self) -> Normal:
        """The normal form with the statements that stand for others; those that wait, if there are none else."""
        ready = {s: new for s, new in self.table.items() if at(s) not in self.waiting}
        self.table = ready or self.table
        sources = {**self.normal.sources, **self.origins}
        attempts = (
            a for a in syntax.statements(self.function.body) if isinstance(a, syntax.Attempt)
        )
        inside = any(s in self.table for a in attempts for s in syntax.statements(a.body))

        def step(statement: gast.stmt) -> list[gast.stmt]:
            found = self.table.get(statement)
            if found is None:
                return [_without_super(statement, sources)]
            for new in found:
                for inner in statements(new):
                    sources.setdefault(inner, sources[statement])
                    self.chains.setdefault(inner, self.chains.get(statement, frozenset()))
            return [inner for new in found for inner in (step(new) if new in self.table else [new])]

        namespace = self.function.namespace.extended(self.cells)

        def plain(meant: gast.expr, key: str, bare: bool) -> bool:
            try:
                owner = namespace.resolve(syntax.dotted(meant) or "")
                return members.writable(owner, key, bare)
            except (KeyError, AttributeError):
                return False

        body = gathered(_rewritten(self.function.body, step, sources), sources, plain)
        function = replace(self.function.with_body(body), namespace=namespace)
        stacks = lowering.lists.stacks.found(function) if self._inlined else self.normal.stacks
        self.normal = replace(self.normal, function=function, sources=sources, stacks=stacks)
        if inside:
            self.normal = lowering.cut_again(self.normal)
        self.table.clear()
        return self.normal

    def slot(self, statement: gast.stmt) -> str | None:
        """The name u of ``u = xs[i]; t = u * e; xs[i] = t``, which ends with this statement."""
        if not isinstance(self.source(statement), gast.AugAssign):
            return None
        for body in (self.function.body, *self.table.values()):
            for block in [body, *(b for s in syntax.statements(body) for b in syntax.blocks(s))]:
                if statement in block:
                    return augmented.slot_of(statement, block)
        return None

    def renewal(self, statement: gast.stmt, name: str, value: gast.expr) -> gast.stmt:
        """``name = value``, which ends an augmented assignment of the name: the same whenever it is asked for."""
        if statement not in self._renewals:
            source = self.source(statement)
            made = syntax.at(syntax.assign(name, value), statement)
            renewed = syntax.at(syntax.store(syntax.name(name)), statement)
            added = gast.AugAssign(renewed, source.op, source.value)
            self.origins[made] = syntax.at(added, source)
            self._renewals[statement] = made
        return self._renewals[statement]

    def source(self, statement: gast.stmt) -> Any:
        """The user's statement behind one of the normal form."""
        return self.origins.get(statement, self.normal.sources.get(statement))

    def temporary(self, statement: gast.stmt, wish: str, local: set[str], number: int = 0) -> str:
        """A new name, the same whenever a statement is looked at."""
        key = (statement, wish, number)
        if key not in self._names:
            self._names[key] = self.normal.names.numbered(wish)
        local.add(self._names[key])
        return self._names[key]

    def callee(self, value: Any, path: str, local: set[str]) -> gast.expr:
        """An expression that means a function: its path from its class, if the function can name that."""
        if id(value) not in self._callees:
            self._callees[id(value)] = self._named(value, path, local)
        return syntax.copy(self._callees[id(value)])

    def _named(self, value: Any, path: str, local: set[str]) -> gast.expr:
        first = path.partition(".")[0]
        if first.isidentifier() and first not in local:
            try:
                if self.function.namespace.resolve(path) is value:
                    return syntax.expression(path)
            except (KeyError, AttributeError):
                pass
        wish = path.replace(".", "_").strip("_")
        name = self.normal.names.fresh(wish if wish.isidentifier() else "made")
        self.cells[name] = CellType(value)
        return syntax.name(name)


def _of_class(kind: Kind) -> Kind | None:
    """The kind of an object."""
    return kind if isinstance(kind, Object | Member | Named) else None


def _without_super(statement: gast.stmt, sources: dict[gast.stmt, gast.stmt]) -> gast.stmt:
    """Only methods may say ``super()``; what is asked of it has been said."""
    match statement:
        case gast.Assign(targets=[target], value=gast.Call(func=gast.Name(id="super"))):
            new: gast.stmt = syntax.at(
                gast.Assign([target], syntax.constant(None), None), statement
            )
            sources[new] = sources[statement]
            return new
    return statement


def _rewritten(
    body: list[gast.stmt],
    step: Callable[[gast.stmt], list[gast.stmt]],
    sources: dict[gast.stmt, gast.stmt],
) -> list[gast.stmt]:
    """The block with its statements replaced; a statement round a changed block is another one."""
    result: list[gast.stmt] = []
    for statement in body:
        new = within(statement, lambda block: _rewritten(block, step, sources), sources)
        result += [new] if new is not statement else step(statement)
    return result
