"""Elements and properties of objects: ``x[i]``, ``x[i] = v``, ``x[i] *= v``, ``x.v *= e``, said by functions.

In: a statement with the kinds before it.
Out: the statements that say the same with ``C.__getitem__``, ``C.__setitem__`` and the functions of properties.
Next: objects.
"""

from __future__ import annotations

from dataclasses import FrozenInstanceError
from typing import Any

import gast

from tangentlite import runtime, syntax
from tangentlite.analysis.classes import members
from tangentlite.analysis.classes.descriptors import Descriptors
from tangentlite.analysis.classes.making import expressed
from tangentlite.analysis.kinds import Object


class Elements(Descriptors):
    """The part of an expansion for elements and properties."""

    def element(self, base: gast.expr, index: gast.expr) -> list[Any] | None:
        """``x[i]``; ``vars(x)["v"]`` where v is a property of which ``x.v *= e`` asks."""
        owner = self.owner(base)
        if owner is None:
            return self.property_read(base, index)
        before, key = self.key(index)
        found = self.method(owner, "__getitem__", base, [key], [])
        return found and [*before, *found]

    def element_set(self, base: gast.Name, index: gast.expr) -> list[gast.stmt] | None:
        """``x[i] = v`` and ``x[i] += v``: what is there takes it, if it is an array, and is put there again."""
        if setting := self.property_set(base, index):
            return setting
        owner = self.owner(base)
        if owner is None:
            return None
        before, key = self.key(index)
        read = self.method(owner, "__getitem__", base, [key], [])
        first, value = self.renewed(read)
        found = self.method(owner, "__setitem__", base, [key, value], [])
        return found and [*before, *first, *(expressed(found) or [])]

    def property_set(self, base: gast.Name, index: gast.expr) -> list[gast.stmt] | None:
        """``x.v = e`` where v is a property: ``t = vars(x); t["v"] = e`` calls the function that sets it."""
        if (found := self.property_of(base, index, members.setter)) is None:
            return self.described_set(base, index) or self.set_by_class(base, index)
        function, path, holder = found
        before, value = self.renewed(self.property_read(base, index))
        return [*before, gast.Expr(self.call(function, path, [holder, value], []))]

    def described_set(self, base: gast.Name, index: gast.expr) -> list[gast.stmt] | None:
        """``x.v = e`` where v is a descriptor."""
        kind, key = self.kind_of(base), getattr(index, "value", None)
        holder = self.expander.holder(self.statement, base.id)
        if (
            not isinstance(kind, Object)
            or not isinstance(key, str)
            or holder is None
            or kind.direct
        ):
            return None
        if not kind.fields or not members.is_described(kind.owner, key):
            return None
        before, value = self.renewed(self.got(kind.owner, holder, key))
        found = self.asked(kind.owner, key, "__set__", [holder, value])
        return found and [*before, *(expressed(found) or [])]

    def set_by_class(self, base: gast.Name, index: gast.expr) -> list[gast.stmt] | None:
        """``x.v = e`` where the class has a ``__setattr__``: it is called; a frozen object raises."""
        kind, key = self.kind_of(base), getattr(index, "value", None)
        if not (isinstance(kind, Object) and kind.fields and isinstance(key, str)):
            return None
        holder = self.expander.holder(self.statement, base.id)
        if kind.direct or holder is None or members.sets_plainly(kind.owner):
            return None
        before, value = self.renewed([gast.Attribute(holder, key, gast.Load())])
        if members.is_frozen(kind.owner, key):
            text = syntax.constant(f"cannot assign to field {key!r}")
            error = self.expander.callee(FrozenInstanceError, "FrozenInstanceError", self.local)
            return [*before, gast.Raise(gast.Call(error, [text], []), None)]
        name = syntax.constant(key)
        found = self.method(kind.owner, "__setattr__", holder, [name, value], [])
        return found and [*before, *(expressed(found) or [])]

    def bare_set(self, args: list[gast.expr]) -> list[Any] | None:
        """``object.__setattr__(x, "v", e)`` is ``t = rt.bare_vars(x); t["v"] = e``."""
        match args:
            case [gast.Name() as base, name, value]:
                kind, key = self.kind_of(base), self.text(name)
            case _:
                return None
        if not isinstance(kind, Object) or key is None or members.is_described(kind.owner, key):
            return None
        if not members.writable(kind.owner, key, True):
            return None
        held = self.expander.temporary(self.statement, "t", self.local)
        text = "held = rt.bare_vars(x)\nheld[key] = v"
        holes = {"held": held, "x": base, "key": syntax.constant(key), "v": value}
        rt = self.expander.callee(runtime, "rt", self.local)
        return [*syntax.quote(text, rt=rt, **holes), syntax.constant(None)]

    def property_read(self, base: gast.expr, index: gast.expr) -> list[Any] | None:
        if (found := self.property_of(base, index, members.getter)) is None:
            return self.described_read(base, index)
        function, path, holder = found
        return [self.call(function, path, [holder], [])]

    def described_read(self, base: gast.expr, index: gast.expr) -> list[Any] | None:
        """``vars(x)["v"]`` where v is a descriptor of which ``x.v *= e`` asks."""
        kind, key = self.kind_of(base), getattr(index, "value", None)
        if not isinstance(kind, Object) or not isinstance(key, str) or kind.direct:
            return None
        holder = self.expander.holder(self.statement, getattr(base, "id", ""))
        return self.got(kind.owner, holder, key) if kind.fields and holder is not None else None

    def property_of(
        self, base: gast.expr, index: gast.expr, asked: Any
    ) -> tuple[Any, str, gast.expr] | None:
        """The function that gets or sets ``x.v``, its path and x, for ``vars(x)["v"]``."""
        kind, key = self.kind_of(base), getattr(index, "value", None)
        if not (isinstance(kind, Object) and kind.fields and isinstance(key, str)):
            return None
        found, holder = (
            asked(kind.owner, key),
            self.expander.holder(self.statement, getattr(base, "id", "")),
        )
        return None if found is None or holder is None else (*found, holder)

    def renewed(self, read: list[Any] | None) -> tuple[list[gast.stmt], gast.expr]:
        """What stands before the element is set, and what it is set to.

        An array that is augmented is written in place before, whoever else holds it.
        """
        statement = self.statement
        if isinstance(statement, gast.Assign):
            old = self.expander.slot(statement)
            if old is None:
                return [], statement.value
            return [self.expander.renewal(statement, old, statement.value)], syntax.name(old)
        if read is None:
            return [], statement.value
        old = self.expander.temporary(statement, "old", self.local)
        new = self.expander.temporary(statement, "new", self.local)
        sum_ = gast.BinOp(syntax.name(old), statement.op, statement.value)
        lines = [*read[:-1], syntax.assign(old, read[-1]), syntax.assign(new, sum_)]
        renewal = self.expander.renewal(statement, old, syntax.name(new))
        return [*lines, renewal], syntax.name(old)

    def key(self, index: gast.expr) -> tuple[list[gast.stmt], gast.expr]:
        """An index as an argument, and what stands before it: ``1:3`` is ``slice(1, 3)``."""
        parts = index.elts if isinstance(index, gast.Tuple) else [index]
        lines: list[gast.stmt] = []
        keys = [self._part(part, number, lines) for number, part in enumerate(parts)]
        if not isinstance(index, gast.Tuple):
            return lines, keys[0]
        name = self.expander.temporary(self.statement, "key", self.local)
        return [*lines, syntax.assign(name, gast.Tuple(keys, gast.Load()))], syntax.name(name)

    def _part(self, part: gast.expr, number: int, lines: list[gast.stmt]) -> gast.expr:
        if not isinstance(part, gast.Slice):
            return part
        bounds = [b or syntax.constant(None) for b in (part.lower, part.upper, part.step)]
        name = self.expander.temporary(self.statement, "part", self.local, number)
        lines.append(syntax.assign(name, self.call(slice, "slice", bounds, [])))
        return syntax.name(name)
