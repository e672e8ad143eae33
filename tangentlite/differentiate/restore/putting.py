"""What a write overwrites is kept before it, and put back.

In: a sweep, the statements that write, those whose old contents are read backward.
Out: for one statement, backward code; forward code that keeps is noted in the sweep.
Next: restoring.
"""

from __future__ import annotations

from collections.abc import Mapping, Set
from functools import cached_property

import gast
import numpy as np

from tangentlite import syntax
from tangentlite.analysis.joining import element
from tangentlite.analysis.kinds import (
    CONTAINERS,
    Dict,
    Inert,
    Kind,
    List,
    Nothing,
    Num,
    Object,
    Tuple,
    Value,
    is_open,
    is_persistent,
)
from tangentlite.analysis.operations import Accumulate, Store, UserCall
from tangentlite.analysis.shapes.subscripts import subscript
from tangentlite.analysis.storage.memory import memory, restructured
from tangentlite.analysis.versions import Scope
from tangentlite.differentiate.adjoints import Body
from tangentlite.differentiate.reverse import Sweep


class Putting:
    """Writes what puts back what one statement overwrote."""

    def __init__(
        self, sweep: Sweep, writers: Mapping[gast.stmt, tuple[str, ...]], needed: Set[gast.stmt]
    ) -> None:
        self.sweep, self.facts = sweep, sweep.facts
        self.writers, self.needed = writers, needed

    def put_back(self, statement: gast.stmt) -> Body:
        operation = self.facts.operation(statement)
        if statement in self.sweep.undone:
            return []
        changed = restructured(operation)
        if changed is not None:
            return self._put_content_back(statement, changed)
        match operation:
            case Store(container=name, index=index) | Accumulate(buffer=name, index=index):
                place = gast.Subscript(syntax.name(name), index, gast.Load())
                old = self._kept(statement, name, self._copied(statement, place))
                back = self.sweep.operand(statement, place)
                return [syntax.assign(back, old)]
            case UserCall():
                names = dict.fromkeys(self.writers[statement])
                return [s for name in names for s in self._put_content_back(statement, name)]
        return []

    def _put_content_back(self, statement: gast.stmt, name: str) -> Body:
        """The whole of an array, a list or a dict."""
        kind = self.facts.kind_before(statement, name)
        if isinstance(kind, Num) and kind.array and not kind.optional:
            old = self._kept(statement, name, syntax.expression("s.copy()", s=name))
            place = self.sweep.operand(statement, syntax.name(name))
            return syntax.quote("s[...] = old", s=place, old=old)
        if isinstance(kind, Num):
            return self._array_put_back(statement, name)
        if isinstance(self.facts.operation(statement), UserCall) and isinstance(kind, CONTAINERS):
            plain = isinstance(kind, (List, Dict)) or getattr(kind, "type", "") == "list"
            spared = not isinstance(kind, Object) and not self._writes_deep(statement)
            if spared and not plain:
                return []  # a tuple stays what it is
            deep = statement in self.needed and not (spared or _is_flat(kind))
            whole = isinstance(kind, Object) and not kind.fields  # which has no slots
            if deep or not plain or whole:  # what is in there may be written, too
                return self._put_nest_back(statement, name, kind)
        body = self._whole_back(statement, name, syntax.name(name), kind)
        return self._unless_none(statement, name, kind, body)

    def _whole_back(
        self, statement: gast.stmt, name: str, place: gast.expr, kind: Kind | None
    ) -> Body:
        """What the slots of a list or dict hold."""
        copy = "None if s is None else s.copy()" if _may_be_none(kind) else "s.copy()"
        old = self._kept(statement, name, syntax.expression(copy, s=place))
        text = "s.clear()\ns.update(old)" if isinstance(kind, Dict) else "s[:] = old"
        return syntax.quote(text, s=self.sweep.operand(statement, place), old=old)

    def _unless_none(self, statement: gast.stmt, name: str, kind: Kind | None, body: Body) -> Body:
        """``body``, where ``name`` holds a list or dict."""
        if not (body and _may_be_none(kind)):
            return body
        place = self.sweep.operand(statement, syntax.name(name))
        (guarded,) = syntax.quote("if s is not None:\n    pass", s=place)
        guarded.body = body
        return [guarded]

    def _writes_deep(self, call: gast.stmt) -> bool:
        """Whether a helper may write into what is in the lists and dicts that it is given."""
        operation = self.facts.operation(call)
        assert isinstance(operation, UserCall)
        return self.sweep.session.linker.summary(operation.function, operation.kinds).deep

    def _put_nest_back(self, statement: gast.stmt, name: str, kind: Kind) -> Body:
        """All that is in a list, a tuple or a dict: what its slots hold, and what is in the arrays there."""
        session = self.sweep.session
        if not _is_plain(kind):
            old = self._kept(statement, name, session.runtime("contents(s)", s=name))
            return [gast.Expr(session.runtime("put_contents_back(old)", old=old))]
        deep = self._kept(statement, name, session.runtime("private(s)", s=name))
        body = self._parts_back(statement, syntax.name(name), deep, kind)
        return self._unless_none(statement, name, kind, body)

    def _parts_back(
        self, statement: gast.stmt, place: gast.expr, deep: gast.expr, kind: Kind
    ) -> Body:
        """``place`` and all in it, of which ``deep`` is a copy."""
        back = self.sweep.operand(statement, place)
        if isinstance(kind, Num):
            return [] if kind.scalar else self._array_back(back, deep)
        if not isinstance(kind, (Tuple, List, Dict)):
            return []
        body: Body = []
        if not isinstance(kind, Tuple) or kind.type == "list":
            body = self._whole_back(statement, "part", place, kind)
        if isinstance(kind, List) or (isinstance(kind, Dict) and is_open(kind.keys)):
            return [*body, *self._slots_back(back, deep, kind)]
        keys = kind.keys if isinstance(kind, Dict) else range(len(kind.items))
        for key, item in zip(keys, kind.items):
            index = syntax.constant(key)
            inner, copy = (gast.Subscript(e, index, gast.Load()) for e in (place, deep))
            body += self._parts_back(statement, inner, copy, item)
        return body

    def _slots_back(self, back: gast.expr, deep: gast.expr, kind: List | Dict) -> Body:
        """The arrays in a list, or in a dict of unknown keys."""
        item, session = element(kind), self.sweep.session
        if not isinstance(item, Num) or item.scalar:
            return []
        text = (
            "for k in s:\n    pass"
            if isinstance(kind, Dict)
            else "for k in range(len(s)):\n    pass"
        )
        k = syntax.name(session.names.fresh("k"))
        names = {"range": session.alias("range", range), "len": session.alias("len", len)}
        (loop,) = syntax.quote(text, s=back, k=k, **names)
        slots = [gast.Subscript(e, k, gast.Load()) for e in (back, deep)]
        loop.body = self._array_back(slots[0], slots[1])
        return [loop]

    def _array_back(self, place: gast.expr, old: gast.expr) -> Body:
        """An array in a nest; there may be None, or a number."""
        session = self.sweep.session
        np_, test = session.alias("np", np), session.alias("isinstance", isinstance)
        text = "if isinstance(s, np.ndarray):\n    s[...] = old"
        return syntax.quote(text, s=place, old=old, np=np_, isinstance=test)

    def _array_put_back(self, statement: gast.stmt, name: str) -> Body:
        """What turns out to be an array when the program runs."""
        session = self.sweep.session
        np_, test = session.alias("np", np), session.alias("isinstance", isinstance)
        kind = self.facts.kind_before(statement, name)
        text = "None if s is None else np.copy(s)" if _may_be_none(kind) else "np.copy(s)"
        copy = syntax.expression(text, np=np_, s=name)
        holes = {
            "s": self.sweep.operand(statement, syntax.name(name)),
            "np": np_,
            "isinstance": test,
        }
        old = self._kept(statement, name, copy)
        return syntax.quote("if isinstance(s, np.ndarray):\n    s[...] = old", old=old, **holes)

    def _copied(self, statement: gast.stmt, place: gast.Subscript) -> gast.expr:
        kind = self.facts.kind_before(statement, place.value.id)
        self.sweep.adjoints.statement = statement
        if isinstance(kind, CONTAINERS) or is_persistent(kind):
            return place
        if isinstance(kind, Num):
            found = subscript(kind, place.slice, -1, self.sweep.adjoints.kind_of)
            if found.scalar:
                return place
        return syntax.expression("e.copy()", e=place)

    def _kept(self, statement: gast.stmt, name: str, value: gast.expr) -> gast.Name:
        """Keep a value just before a statement; the version in which backward code reads it."""
        scope, position = self._places[statement]
        kept = self.sweep.session.names.fresh(f"{name}_old")
        version = self.facts.versions.new(kept, scope, position)
        now = self.sweep.replaced.get(statement, [statement])
        self.sweep.replaced[statement] = [
            syntax.at(syntax.assign(kept, value), statement),
            *now,
        ]
        return self.sweep.adjoints.shapes.read(version, None)

    @cached_property
    def _places(self) -> dict[gast.stmt, tuple[Scope, int]]:
        """The block of each statement of the forward sweep, and its place there."""
        scopes = self.sweep.backward
        return {s: (scope, place) for scope in scopes for place, s in enumerate(scope.block)}


def _may_be_none(kind: Kind | None) -> bool:
    return getattr(kind, "optional", False)


def _is_flat(kind: Kind | None) -> bool:
    """Whether a list or dict holds nothing that can be written: numbers, and tuples of them."""
    match kind:
        case Object():
            return False
        case List(item=item):
            return item is None or _is_fixed(item)
        case Tuple(items=items) | Dict(items=items):
            return all(map(_is_fixed, items))
    return False


def _is_fixed(kind: Kind) -> bool:
    if isinstance(kind, Tuple) and kind.type == "tuple":
        return all(map(_is_fixed, kind.items))
    return not memory(kind)


def _is_plain(kind: Kind | None) -> bool:
    """Whether all that a nest may hold is known when compiling; what a closure captured is no number."""
    match kind:
        case Object():
            return False
        case Tuple(items=items, type="closure"):
            return all(map(_is_plain, items))
        case Tuple(items=items, optional=False) | Dict(items=items):
            return all(map(_is_atom, items))
        case List(item=item):
            return item is None or _is_atom(item)
    return _is_atom(kind)


def _is_atom(kind: Kind | None) -> bool:
    if isinstance(kind, Num):
        return not kind.persistent
    return isinstance(kind, (Inert, Value, Nothing))
