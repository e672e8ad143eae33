"""What is shared while one derivative is written: its names, and what they are bound to.

In: a normal form, its facts and a request.
Out: ``Session``.
Next: shapes.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable
from functools import cached_property
from types import CellType
from typing import Any, NoReturn, Protocol, TypeVar

import gast
import numpy as np

from tangentlite import ir, runtime, syntax
from tangentlite.analysis import Facts
from tangentlite.analysis.calling import callees
from tangentlite.analysis.calling.variants import selected
from tangentlite.analysis.kinds import (
    CONTAINERS,
    DIFFERENT,
    MERGED,
    Inert,
    Kind,
    Nothing,
    Num,
    Unknown,
    Value,
)
from tangentlite.analysis.lists import containers
from tangentlite.analysis.operations import Opaque, Operation, Primitive, Summary, UserCall
from tangentlite.analysis.shapes.bounds import Bounds
from tangentlite.differentiate.blocks import halfway
from tangentlite.differentiate.finite import masked as masks, saturating
from tangentlite.differentiate.finite.growing import growing as overflown
from tangentlite.differentiate.record.losing import lost
from tangentlite.differentiate.refusals import refusal
from tangentlite.errors import AliasError, MissingRuleError, RuleError
from tangentlite.frontend.inserted import named
from tangentlite.lines import Lines, behind
from tangentlite.lowering import Normal
from tangentlite.naming import Names
from tangentlite.rules import Part, Rule
from tangentlite.values import field, mutable

Found = TypeVar("Found")

OUTSIDE = "this writes into an array, list or dict that lives outside the function"
KEPT = "this keeps a value in a list, dict or object outside, from where it is read again"
HAND_OVER = "Return the value, or pass the list, dict or object as an argument."
COPY = "Pass it as an argument, or write into a copy of it."


class Linker(Protocol):
    """Gives the pairs of callees: cells that will hold their functions."""

    def summary(self, callee: Any, kinds: tuple[Kind, ...]) -> Summary:
        """What a callee returns, writes and hands on."""

    def facts(self, normal: Normal, request: ir.Request) -> Facts:
        """All that is known of a function, for a request."""

    def looks_at(self, container: int) -> bool:
        """Whether a container outside is read."""

    def pair(
        self,
        callee: Any,
        kinds: tuple[Kind, ...],
        wrt: tuple[str, ...],
        lent: tuple[str, ...] = (),
        bare: bool = False,
    ) -> tuple[CellType, CellType]:
        """Forward and backward function of ``callee``."""

    def record(
        self,
        callee: Any,
        kinds: tuple[Kind, ...],
        wrt: tuple[str, ...],
        lent: tuple[str, ...] = (),
        bare: bool = False,
    ) -> ir.Record | None:
        """What the pair of ``callee`` hands on, if that is known."""

    def leave_out(self, callee: Any, kinds: tuple[Kind, ...], wrt: tuple[str, ...]) -> None:
        """Do not show a pair that was only looked at."""

    def tangent(
        self,
        callee: Any,
        kinds: tuple[Kind, ...],
        wrt: tuple[str, ...],
        near: tuple[str, ...] = (),
    ) -> CellType:
        """The forward-mode function of ``callee``: value and tangent."""


def found(search: Callable[[Facts], Found]) -> cached_property[Found]:
    """What a search finds among the facts of a session; nobody searches for what nobody asks for."""
    return cached_property(lambda session: search(session.facts))


def _calls(facts: Facts) -> Counter[int]:
    """How often each function of the user is called, by identity."""
    operations = facts.kinds.operations.values()
    return Counter(id(o.function) for o in operations if isinstance(o, UserCall))


def _statements(facts: Facts) -> dict[int, gast.stmt]:
    """The statements of operations, by identity."""
    return {id(operation): s for s, operation in facts.kinds.operations.items()}


@mutable
class Session:
    """The names of one derivative in the making."""

    normal: Normal
    facts: Facts
    request: ir.Request
    linker: Linker
    names: Names = field(init=False)
    own: frozenset[str] = field(init=False)
    cells: dict[str, CellType] = field(default_factory=dict)
    unbound: dict[str, str] = field(
        default_factory=dict
    )  # names that begin as None, and their shadows
    _aliases: dict[int, str] = field(default_factory=dict)
    _letters: dict[tuple[str, str], str] = field(default_factory=dict)
    _linked: dict[tuple[Any, ...], tuple[str, ...]] = field(default_factory=dict)
    _variants: dict[Primitive, Rule] = field(default_factory=dict)
    later: list[tuple[gast.stmt, list[gast.stmt]]] = field(
        default_factory=list
    )  # what was written so far of the backward sweep
    bare: set[gast.stmt | None] = field(default_factory=set)  # calls of which only a record is made
    _record: str = ""
    _lines: dict[gast.stmt, Lines] = field(default_factory=dict)

    def __post_init__(self) -> None:
        self.names = self.normal.names.copy()
        for name in named(self.function.namespace):
            self.names.reserve(name)
        self.own = self.function.local

    masked = found(masks.statements)
    roots = found(masks.roots)
    limited = found(saturating.products)
    flat = found(saturating.flat)
    steep = found(saturating.steep)
    growing = found(overflown)
    vanishing = found(saturating.vanishing)
    tried = found(halfway.tried)
    overflowing = found(halfway.overflowing)
    called = found(_calls)
    _statements = found(_statements)
    bounds = found(Bounds)

    @property
    def function(self) -> ir.Function:
        """The function that is differentiated, in normal form."""
        return self.normal.function

    def lines(self, statement: gast.stmt) -> Lines:
        """The user's lines that a statement of the normal form came from."""
        source = self.normal.sources.get(statement)
        if source is None:
            return behind(statement)
        found = self._lines.get(source)
        if found is None:
            found = self._lines[source] = self.function.origin.lines_of(source)
        return found

    def variant(self, operation: Primitive) -> Rule:
        """The tidiest variant of a statement's rule."""
        if operation not in self._variants:
            kinds = operation.kinds
            statement = self._statements.get(id(operation)) if operation.rule.keeps else None
            if statement is not None:
                kinds = lost(self.facts, statement, operation)
            self._variants[operation] = selected(operation.rule, operation.bound, kinds)
        return self._variants[operation]

    @property
    def rt(self) -> str:
        """The name of the runtime."""
        return self.alias("rt", runtime)

    def runtime(self, call: str, **holes: syntax.Hole) -> gast.expr:
        """A call of a runtime function: ``session.runtime("zeros(x)", x=tree)``."""
        return syntax.expression(f"rt.{call}", rt=self.rt, **holes)

    def alias(self, wish: str, value: Any) -> str:
        """A name that is bound to ``value`` where the derivative runs: the user's own if it fits."""
        known = self._aliases.get(id(value))
        if known is not None:
            return known
        namespace = self.function.namespace
        free = (
            wish not in self.facts.versions.root.stores and wish not in self.facts.versions.at_start
        )
        if free and namespace.binds(wish) and namespace.lookup(wish) is value:
            name = wish
        else:
            if wish not in self.names and namespace.binds(wish):
                self.names.reserve(wish)
            own = value is runtime and self.function.leaves(wish, self.cells)
            name = wish if own else self.names.fresh(wish)
            self.cells[name] = CellType(value)
        self._aliases[id(value)] = name
        return name

    def letter(self, letter: str, name: str) -> str:
        """The adjoint (``b``) or tangent (``d``) of a name."""
        key = (letter, name)
        if key not in self._letters:
            self._letters[key] = self.names.fresh(letter + name)
        return self._letters[key]

    @property
    def record_name(self) -> str:
        """What a backward function calls its record."""
        self._record = self._record or self.names.fresh("saved")
        return self._record

    def link(
        self,
        key: tuple[Any, ...],
        wishes: tuple[str, ...],
        cells: Callable[[], tuple[CellType, ...]],
    ) -> tuple[str, ...]:
        """Names of linked functions, one set for each key."""
        if key not in self._linked:
            found = tuple(self.names.fresh(w) for w in wishes)
            self.cells.update(zip(found, cells()))
            self._linked[key] = found
        return self._linked[key]

    def has_shadow(self, kind: Kind) -> bool:
        """Whether values of a kind can have shadows."""
        return isinstance(kind, (Num, Inert, Nothing, Value, *CONTAINERS))

    def check_writes(self, statement: gast.stmt, operation: Operation) -> None:
        """Refuse what may write a derivative where it would be lost."""
        if isinstance(operation, Opaque) and operation.refused:
            self.refuse(statement, operation)
        if statement in self.tried and isinstance(operation, UserCall):
            whole = self.linker.summary(operation.function, operation.kinds).whole
            whole = whole and statement not in self.overflowing
            if self.facts.writes(statement) and not whole:
                place = self.function.origin.place(statement)
                raise AliasError(halfway.HELPER, place, halfway.CATCH)
        if statement in self.overflowing and halfway.is_ufunc_in_place(statement, self.facts):
            place = self.function.origin.place(self.normal.sources[statement])
            raise AliasError(halfway.UFUNC, place, halfway.APART)
        point = self.facts.graph.first[statement]
        names = self.facts.activity.varied(operation.sources(), point)
        if not names:
            return
        if statement in self.facts.aliases.outside:
            node = self.normal.sources.get(statement, statement)
            place = self.function.origin.place(statement) or self.function.origin.place(node)
            raise AliasError(OUTSIDE, place, COPY)
        if isinstance(operation, UserCall):
            self._check_known(statement, operation)
            self._check_kept(statement, operation, names)
        stores = isinstance(statement, gast.AugAssign) or (
            isinstance(statement, gast.Assign) and isinstance(statement.targets[0], gast.Subscript)
        )
        if isinstance(operation, Opaque) and (
            stores or isinstance(statement, gast.Expr) or set(operation.changes) & names
        ):
            self.refuse(statement, operation)

    def _check_known(self, statement: gast.stmt, call: UserCall) -> None:
        """What a helper writes into must be known."""
        for parameter in sorted(call.writes):
            match call.bound.get(parameter):
                case gast.Name(id=name) if isinstance(
                    kind := self.facts.kind_before(statement, name), Unknown
                ):
                    reason = containers.cannot_tell(name, kind)
                    self.refuse(statement, Opaque((name,), reason, containers.APART))

    def _check_kept(self, statement: gast.stmt, call: UserCall, varied: set[str]) -> None:
        """What a helper keeps outside must not be read again from there."""
        for name, container in self.linker.summary(call.function, call.kinds).keeps:
            given = call.bound.get(name)
            if (
                isinstance(given, gast.Name)
                and given.id in varied
                and self.linker.looks_at(container)
            ):
                raise AliasError(KEPT, self.function.origin.place(statement), HAND_OVER)

    def as_array(
        self, rule: Rule, part: Part, name: str, value: gast.expr, kind: Kind | None
    ) -> gast.expr:
        """A list of numbers counts as an array where a rule computes with it."""
        if not isinstance(kind, CONTAINERS):
            return value
        computes = rule.algebra == "elementwise" or part.computes_with(name)
        solves = getattr(rule.callee, "__module__", "") == np.linalg.__name__
        bare = name.removeprefix("d[").removesuffix("]")
        matrix = bare in rule.differentiable and rule.callee is not np.linalg.multi_dot
        if not computes and not (solves and matrix):
            return value
        return syntax.expression("np.asarray(x)", np=self.alias("np", np), x=value)

    def part(
        self,
        statement: gast.stmt | None,
        slice_: Callable[[frozenset[str]], Part],
        active: frozenset[str],
    ) -> Part:
        """A rule's part; what the rule does not give is an error at the user's statement."""
        try:
            return slice_(active)
        except RuleError as fault:
            assert statement is not None
            place = self.function.origin.place(statement)
            missing = MissingRuleError(fault.message, place or fault.place, fault.hint)
            missing.of_kinds = "spec" in active  # a text or a list may come, as for np.einsum
            raise missing from None

    def check_kinds(
        self, statement: gast.stmt | None, operation: Primitive, active: frozenset[str]
    ) -> None:
        """Nothing can be added to the adjoint of what may be a list or an array."""
        if statement is None or callees.of_runtime(operation.rule.callee):
            return
        for parameter in sorted(active & operation.kinds.keys()):
            kind, node = operation.kinds[parameter], operation.bound[parameter]
            if isinstance(kind, Unknown) and kind.why in (DIFFERENT, MERGED.why):
                reason = containers.cannot_tell(syntax.unparse(node), kind)
                names = tuple(syntax.loads(node))
                self.refuse(statement, Opaque(names, reason, containers.APART, of_kinds=True))

    def refuse(self, statement: gast.stmt, operation: Opaque) -> NoReturn:
        """Raise what is known of a statement whose derivative cannot be written."""
        raise refusal(self.facts, statement, operation)
