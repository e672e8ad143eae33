"""The adjoints that are bound at a point of the backward sweep, and how contributions reach them.

In: names, values and shapes.
Out: statements that bind adjoints, or add to them.
Next: contributions.
"""

from __future__ import annotations

import gast
import numpy as np

from tangentlite import syntax
from tangentlite.analysis.atoms import written
from tangentlite.analysis.kinds import CONTAINERS, SCALAR, Kind, Num, Shape, Unknown
from tangentlite.analysis.lists import containers
from tangentlite.analysis.versions import Scope, Version
from tangentlite.differentiate.pieces import (
    as_value,
    fits_numbers,
    is_basic,
    is_unsure,
    negated,
    whole_of,
)
from tangentlite.differentiate.refusals import BEFORE, NO_VALUE
from tangentlite.differentiate.session import Session
from tangentlite.differentiate.shadows.pouring import poured
from tangentlite.differentiate.shapes import ANY, LARGER, Shapes, shape_of_kind
from tangentlite.errors import AliasError
from tangentlite.values import replace

Body = list[gast.stmt]


class Adjoints:
    """The adjoints that are bound at the current point of the backward sweep, with their shapes."""

    def __init__(self, session: Session, buffers: frozenset[str]) -> None:
        self.session, self.buffers = session, buffers
        self.shapes = Shapes(session)
        self.bound: dict[str, Shape] = {}
        self.extra: dict[gast.stmt, dict[str, Version]] = {}
        self.recorded: dict[gast.stmt, tuple[str, ...]] = {}
        self.before: frozenset[str] = frozenset()
        self.statement: gast.stmt | None = None
        self.shared = False
        self.unsure: frozenset[str] = frozenset()
        self.rooms: frozenset[str] = frozenset()
        self.ready: set[str] = set()
        self.owned: set[str] = set()
        self.parts: dict[Version, dict[int, gast.Name]] = {}
        self.shadowed = session.facts.activity.shadowed
        self.shadows: dict[int, Version] = {}
        self.own_shadows: dict[int, Version] = {}

    # What a statement reads -----------------------------------------------------------------

    def kind(self, name: str) -> Kind | None:
        """The kind of an operand of the current statement."""
        assert self.statement is not None
        return self.session.facts.kind_before(self.statement, name)

    def kind_of(self, node: gast.expr) -> Kind | None:
        """The kind of an operand."""
        return self.kind(node.id) if isinstance(node, gast.Name) else written(node)

    def item(self, name: str, index: gast.expr) -> Kind | None:
        """The kind of an element of a list, tuple or dict."""
        kind = self.kind(name)
        if not isinstance(kind, CONTAINERS):
            return None
        return containers.slot(kind, index, lambda e: self.kind_of(e) or Unknown())

    def reaches(self, name: str) -> bool:
        """Whether a name has an adjoint here."""
        return name in self.bound or name in self.shadowed

    def operand(self, node: gast.expr) -> gast.expr:
        """An operand with its names replaced by the versions that the statement reads."""
        assert self.statement is not None
        reads = self.session.facts.versions.reads[self.statement]
        if node.__class__ is gast.Name:
            version = reads.get(node.id)
            return node if version is None else self.shapes.read(version, self.kind(node.id))
        names = syntax.loads(node)
        holes = {n: self.shapes.read(v, self.kind(n)) for n, v in reads.items() if n in names}
        return syntax.substitute(node, holes) if holes else node

    def result(self) -> gast.Name:
        """The version that the current statement made."""
        assert self.statement is not None
        version = self.session.facts.versions.made[self.statement]
        return self.shapes.read(
            version, self.session.facts.kind_after(self.statement, version.name)
        )

    def adjoint(self, name: str) -> str:
        """The name of an adjoint."""
        return self.session.letter("b", name)

    # Shadows --------------------------------------------------------------------------------

    def shadow(self, version: Version) -> gast.Name:
        """The shadow of a version of a shadowed name: bound beside it in the forward sweep."""
        if version.number not in self.shadows:
            name = self.adjoint(version.name)
            scope: Scope | None = version.scope
            while scope is not None:
                if version.name in scope.stores:
                    scope.stores[name] = scope.stores[version.name]
                scope = scope.parent
            self.shadows[version.number] = replace(version, name=name)
        return self.shapes.read(self.shadows[version.number], None)

    def own_shadow(self, version: Version) -> Version:
        """What of the shadow of a result is no view of other shadows, kept by the forward sweep."""
        if version.number not in self.own_shadows:
            name = self.session.names.fresh(f"own_{self.adjoint(version.name)}")
            facts = self.session.facts
            self.own_shadows[version.number] = facts.versions.new(
                name, version.scope, version.position
            )
        return self.own_shadows[version.number]

    def shadow_of(self, name: str) -> gast.Name:
        """The shadow of what the current statement reads."""
        assert self.statement is not None
        reads = self.session.facts.versions.reads[self.statement]
        if name not in reads:
            node = self.session.normal.sources.get(self.statement, self.statement)
            place = self.session.function.origin.place(node)
            raise AliasError(NO_VALUE.format(name), place, BEFORE)
        return self.shadow(reads[name])

    def at(self, name: str) -> gast.Name:
        """The adjoint of a name that the current statement reads or writes into."""
        if name in self.shadowed:
            return self.shadow_of(name)
        return syntax.name(self.adjoint(name))

    def writable(self, name: str) -> Body:
        """The adjoint of an array that the current statement writes into is a buffer, no ZERO."""
        if name not in self.unsure or name in self.shadowed | self.ready:
            return []
        self.ready.add(name)
        ba, a = self.adjoint(name), self.operand(syntax.name(name))
        call = "room(a, ba)" if self._has_room(name, self.kind(name)) else "buffer(ba, a)"
        return [syntax.assign(ba, self.session.runtime(call, ba=ba, a=a))]

    # Exactness ------------------------------------------------------------------------------

    def exact(self, name: str, like: gast.expr, kind: Kind | None) -> Body:
        """Give a bound adjoint the exact shape of its primal."""
        have, want = self.bound[name], shape_of_kind(kind)
        if have == want or isinstance(kind, CONTAINERS):
            return []
        self.bound[name] = want
        call = "spread(bx, x)" if have < want and LARGER not in have else "unbroadcast(bx, x)"
        bx, x = self.adjoint(name), self.shapes.number(want) or like
        return [syntax.assign(bx, self.session.runtime(call, bx=bx, x=x))]

    # Contributions --------------------------------------------------------------------------

    def is_buffer(self, name: str, kind: Kind | None) -> bool:
        """Whether the adjoint of a name is written into where the name is of this kind."""
        return name in self.buffers and not (isinstance(kind, Num) and kind.scalar)

    def _has_room(self, name: str, kind: Kind | None) -> bool:
        """Whether the adjoint of what may be a number is an array, since an index that it may have stands in a name."""
        return name in self.rooms and is_unsure(kind)

    def start(self, name: str, like: gast.expr, kind: Kind | None, parts: bool = False) -> Body:
        """Bind an adjoint to nothing, where nothing has reached it on some path; ``parts``: they are added to."""
        self.bound[name] = shape_of_kind(kind)
        zero = self.session.runtime("ZERO")
        if isinstance(kind, Num) and kind.python and kind.exact == "float":
            zero = syntax.constant(0.0)
        if parts or self.is_buffer(name, kind):
            floats = isinstance(kind, CONTAINERS) or getattr(kind, "exact", "") == "float"
            unsure = name in self.session.facts.aliases.written and not floats
            call = "storage(x)" if unsure else "zeros(x)"
            call = "room(x)" if self._has_room(name, kind) else call
            zero = self._zeros(kind) or self.session.runtime(call, x=like)
        return [syntax.assign(self.adjoint(name), zero)]

    def _zeros(self, kind: Kind | None) -> gast.expr | None:
        """Zeros in the shape of a parameter, where it is that of the name."""
        if not (isinstance(kind, Num) and kind.array and kind.exact == "float"):
            return None
        given = self.shapes.given(shape_of_kind(kind))
        if not isinstance(given, gast.Name):
            return None
        return syntax.expression("np.zeros(x.shape)", np=self.session.alias("np", np), x=given)

    def start_unsure(self, name: str, kind: Kind | None) -> Body:
        """Bind the adjoint of a name that has no value here: its buffer is made when something reaches it."""
        self.ready.discard(name)
        self.bound[name] = shape_of_kind(kind)
        return [syntax.assign(self.adjoint(name), self.session.runtime("ZERO"))]

    def give(self, name: str, value: gast.expr, shape: Shape, sign: int = 1) -> Body:
        """``b[name] += value``, or ``=`` where it is the first."""
        if name not in self.before:
            return []
        kind = self.kind(name)
        if name in self.shadowed:
            value = value if sign > 0 else negated(value)
            return self.pour(self.shadow_of(name), value, kind)
        self.shared |= shape != SCALAR and isinstance(value, gast.Name)
        value, shape = self.conformed(name, value, shape, kind)
        if self.is_buffer(name, kind):
            return self._give_buffer(name, value, shape, kind, sign)
        self.ready.discard(name)
        bx = self.adjoint(name)
        if name not in self.bound:
            self.bound[name] = shape
            return [syntax.assign(bx, value if sign > 0 else negated(value))]
        if isinstance(kind, CONTAINERS):
            value = value if sign > 0 else negated(value)
            return [syntax.assign(bx, self.session.runtime("add(bx, e)", bx=bx, e=value))]
        body, value, shape = self._summable(name, value, shape, kind)
        self.bound[name] |= shape
        return body + syntax.quote("bx = bx + e" if sign > 0 else "bx = bx - e", bx=bx, e=value)

    def hand_over(self, source: str, name: str, shape: Shape) -> Body | None:
        """``y = x`` where the adjoint of y is an array of its own: it becomes that of x, if x has none yet."""
        owned = name in self.buffers or name in self.owned
        self.owned.discard(name)
        if not owned or source in self.bound or source not in self.before:
            return None
        if source in self.shadowed or not isinstance(self.kind(source), Num):
            return None
        if shape != shape_of_kind(self.kind(source)) or self.shapes.lazy:
            return None
        self.owned.add(source)
        self.bound[source] = shape
        return [syntax.assign(self.adjoint(source), syntax.name(self.adjoint(name)))]

    def _summable(
        self, name: str, value: gast.expr, shape: Shape, kind: Kind | None
    ) -> tuple[Body, gast.expr, Shape]:
        """Only adjoints of one shape may be added.

        A larger one would count a smaller one several times; a scalar that stands for a whole array would stay one
        where the other is ZERO.
        """
        want, body = shape_of_kind(kind), []
        if shape != self.bound[name] or not shape <= want:
            if shape != want:
                call = "spread(e, x)" if shape < want else "unbroadcast(e, x)"
                like = self.shapes.number(want) or self.operand(syntax.name(name))
                value, shape = self.session.runtime(call, e=value, x=like), want
            body = self.exact(name, self.operand(syntax.name(name)), kind)
        return body, value, shape

    def _give_buffer(
        self, name: str, value: gast.expr, shape: Shape, kind: Kind | None, sign: int
    ) -> Body:
        start = (
            [] if name in self.bound else self.start(name, self.operand(syntax.name(name)), kind)
        )
        value = value if sign > 0 else negated(value)
        bx = self.adjoint(name)
        if isinstance(kind, Num):
            if not kind.array and not self._has_room(name, kind):
                return [*start, self._sum(name, value)]
            plain = shape == shape_of_kind(kind) and shape != ANY
            return [*start, *self._gather(name, syntax.constant(...), value, plain)]
        return [*start, syntax.assign(bx, self.session.runtime("add(bx, e)", bx=bx, e=value))]

    def give_at(
        self, name: str, index: gast.expr, value: gast.expr, exact: bool, sign: int = 1
    ) -> Body:
        """``b[name][index] += value`` into a buffer."""
        if name not in self.before:
            return []
        kind = self.kind(name)
        if name in self.shadowed:
            value = value if sign > 0 else negated(value)
            if not isinstance(kind, Num):
                part = gast.Subscript(self.shadow_of(name), self.operand(index), gast.Load())
                return self.pour(part, value, self.item(name, index))
            plain = exact and is_basic(index, self.kind_of) and (kind.array or not self.shapes.lazy)
            return [self.add_at(self.shadow_of(name), self.operand(index), value, plain)]
        start = (
            [] if name in self.bound else self.start(name, self.operand(syntax.name(name)), kind)
        )
        plain = exact and isinstance(kind, Num) and is_basic(index, self.kind_of)
        value = value if sign > 0 else negated(value)
        fits = isinstance(kind, Num) and (kind.scalar or fits_numbers(index)) and not kind.array
        if fits and not self._has_room(name, kind):
            whole = whole_of(self.session, value, self.operand(syntax.name(name)), index)
            return [*start, self._sum(name, whole)]
        return [*start, *self._gather(name, self.operand(index), value, plain)]

    def _gather(self, name: str, index: gast.expr, value: gast.expr, plain: bool) -> Body:
        """Add into the buffer of a name; that of a ZERO stays one."""
        bx, body = self.adjoint(name), self.writable(name)
        if not self.shapes.lazy:
            return [*body, self.add_at(bx, index, value, plain)]
        text, like = "add_at(bx, i, e, of=x)", self.operand(syntax.name(name))
        i = as_value(self.session, index)
        return [*body, gast.Expr(self.session.runtime(text, bx=bx, i=i, e=value, x=like))]

    def _sum(self, name: str, value: gast.expr) -> gast.stmt:
        """Add to the adjoint of what may be a number, which has no place to write into."""
        bx, x = self.adjoint(name), self.operand(syntax.name(name))
        return syntax.assign(bx, self.session.runtime("summed(bx, e, x)", bx=bx, e=value, x=x))

    def pour(self, bx: gast.expr, value: gast.expr, kind: Kind | None) -> Body:
        """The statements that add into a shadow."""
        return poured(self.session, bx, value, kind)

    def add_at(
        self, bx: str | gast.Name, index: gast.expr, value: gast.expr, plain: bool
    ) -> gast.stmt:
        """The statement that adds into a buffer."""
        if plain:
            return syntax.quote("bx[i] += e", bx=bx, i=index, e=value)[0]
        return gast.Expr(
            self.session.runtime(
                "add_at(bx, i, e)", bx=bx, i=as_value(self.session, index), e=value
            )
        )

    def conformed(
        self, name: str, value: gast.expr, shape: Shape, kind: Kind | None
    ) -> tuple[gast.expr, Shape]:
        """Sum a contribution down to the shape of its target, at once if that is free, later if not."""
        want = shape_of_kind(kind)
        if shape in (want, SCALAR) or not isinstance(kind, Num):
            return value, shape
        assert self.statement is not None
        version = self.session.facts.versions.reads[self.statement].get(name)
        like = self.shapes.carrier(version, kind)
        if like is None:
            return value, shape | want | {LARGER}
        if (small := self.shapes.along(value, shape, kind)) is not None:
            return small, want
        like = self.shapes.number(want) or like
        return self.session.runtime("unbroadcast(e, x)", e=value, x=like), want
