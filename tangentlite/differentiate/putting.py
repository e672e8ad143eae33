"""What a write overwrites is kept before it, and put back.

In: a sweep, the statements that write, those whose old contents are read backward.
Out: for one statement, backward code; forward code that keeps is noted in the sweep.
Next: restoring.
"""

from __future__ import annotations

from collections.abc import Mapping, Set

import gast
import numpy as np

from tangentlite import syntax
from tangentlite.analysis.kinds import CONTAINERS, Dict, List, Num, is_persistent
from tangentlite.analysis.memory import restructured
from tangentlite.analysis.operations import Accumulate, Store, UserCall
from tangentlite.analysis.subscripts import subscript
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
        if isinstance(kind, Num) and kind.array:
            old = self._kept(statement, name, syntax.expression("s.copy()", s=name))
            place = self.sweep.operand(statement, syntax.name(name))
            return syntax.quote("s[...] = old", s=place, old=old)
        if isinstance(kind, Num):
            return self._array_put_back(statement, name)
        session = self.sweep.session
        if isinstance(self.facts.operation(statement), UserCall) and isinstance(kind, CONTAINERS):
            plain = isinstance(kind, (List, Dict)) or getattr(kind, "type", "") == "list"
            if statement in self.needed or not plain:  # what is in there may be written, too
                old = self._kept(statement, name, session.runtime("contents(s)", s=name))
                return [gast.Expr(session.runtime("put_contents_back(old)", old=old))]
        old = self._kept(statement, name, syntax.expression("s.copy()", s=name))
        place = self.sweep.operand(statement, syntax.name(name))
        text = "s.clear()\ns.update(old)" if isinstance(kind, Dict) else "s[:] = old"
        return syntax.quote(text, s=place, old=old)

    def _array_put_back(self, statement: gast.stmt, name: str) -> Body:
        """What turns out to be an array when the program runs."""
        session = self.sweep.session
        np_, test = session.alias("np", np), session.alias("isinstance", isinstance)
        copy = syntax.expression("np.copy(s)", np=np_, s=name)
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
        scope, position = self._position(statement)
        kept = self.sweep.session.names.fresh(f"{name}_old")
        version = self.facts.versions.new(kept, scope, position)
        now = self.sweep.replaced.get(statement, [statement])
        self.sweep.replaced[statement] = [
            syntax.at(syntax.assign(kept, value), statement),
            *now,
        ]
        return self.sweep.adjoints.shapes.read(version, None)

    def _position(self, statement: gast.stmt):  # type: ignore[no-untyped-def]
        for scope in self.sweep.backward:
            for position, other in enumerate(scope.block):
                if other is statement:
                    return scope, position
        raise AssertionError("a statement stands in a block")
