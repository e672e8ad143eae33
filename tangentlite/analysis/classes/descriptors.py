"""Descriptors of the user: ``x.v`` is ``D.__get__(d, x, C)`` and ``x.v = e`` is ``D.__set__(d, x, e)``.

In: a statement with the kinds before it.
Out: the statements that say the same with the functions of the descriptor's class.
Next: elements.
"""

from __future__ import annotations

import functools
from types import FunctionType
from typing import Any

import gast

from tangentlite import runtime, syntax
from tangentlite.analysis.classes import elsewhere, keeping, members
from tangentlite.analysis.classes.making import Making
from tangentlite.analysis.kinds import Inert, Object
from tangentlite.runtime.containers.objects import attributes, is_object


class Descriptors(Making):
    """The part of an expansion for attributes that an object of the class looks after."""

    def got(self, owner: type, base: gast.expr, attr: str) -> list[Any] | None:
        """``x.v``, unless the object has an attribute of its own that comes first."""
        kind = self.kind_of(base)
        own = isinstance(kind, Object) and attr in kind.keys
        if own and not members.is_described(owner, attr):
            return self.cached(owner, base, attr)
        return self.cached(owner, base, attr) or self.asked(
            owner, attr, "__get__", [base, self.owner_name(owner)]
        )

    def cached(self, owner: type, base: gast.expr, attr: str) -> list[Any] | None:
        """``x.v`` of a ``functools.cached_property``: it is computed where the object has none, and kept there."""
        kind, found = self.kind_of(base), members.lookup(owner, attr)[1]
        if not isinstance(found, functools.cached_property) or not isinstance(kind, Object):
            return None
        if attr in kind.keys and not kind.loose:
            return None
        path = f"{owner.__name__}.{attr}.func"
        file, noted = self.expander.function.origin.file, self.expander.stored
        stays = keeping.stays(kind, found.func, elsewhere.stored(file, owner) | noted)
        if attr not in kind.keys and not members.changes(owner) and stays:
            return [self.call(found.func, path, [base], [])]
        value = syntax.name(self.expander.temporary(self.statement, f"{attr}_", self.local))
        held = syntax.name(self.expander.temporary(self.statement, "t", self.local))
        rt = self.expander.callee(runtime, "rt", self.local)
        call = self.call(found.func, path, [base], [])
        holes = {"held": held, "x": base, "key": syntax.constant(attr), "v": value, "rt": rt}
        view = syntax.quote("held = rt.bare_vars(x)", **holes)
        made = [syntax.assign(value.id, call), *syntax.quote("held[key] = v", **holes)]
        there = syntax.expression("key in held", **holes)
        return [*view, gast.If(there, syntax.quote("v = held[key]", **holes), made), value]

    def asked(self, owner: type, attr: str, method: str, args: list[gast.expr]) -> list[Any] | None:
        """A call of a method of the descriptor: a new object like it, whose names are known, stands for it."""
        found = members.lookup(owner, attr)[1]
        function = members.lookup(type(found), method)[1]
        if not isinstance(function, FunctionType) or not is_object(found):
            return None
        meant = self.expander.callee(found, attr, self.local)
        name = self.expander.temporary(self.statement, attr + method.strip("_"), self.local)
        before: list[Any] = []
        slots: dict[str, gast.expr] = {}
        for number, (key, value) in enumerate(attributes(found).items()):
            if isinstance(value, str | None):
                slots[key] = syntax.constant(value)
                continue
            read = self.expander.temporary(self.statement, f"{attr}{method}t", self.local, number)
            before.append(syntax.assign(read, gast.Attribute(meant, key, gast.Load())))
            slots[key] = syntax.name(read)
        rt = self.expander.callee(runtime, "rt", self.local)
        made = syntax.expression("rt.made(D)", rt=rt, D=self.owner_name(type(found)))
        made.keywords = [gast.keyword(key, value) for key, value in slots.items()]
        before.append(syntax.assign(name, made))
        path = f"{type(found).__name__}.{method}"
        return [*before, self.call(function, path, [syntax.name(name), *args], [])]

    def name_kept(self, base: gast.expr, attr: str) -> list[Any] | None:
        """``self.name`` in a descriptor, which is a text that is known."""
        kind = self.kind_of(base)
        if not isinstance(kind, Object) or not hasattr(kind.owner, "__get__"):
            return None
        item = kind.items[kind.keys.index(attr)] if attr in kind.keys else None
        found = item.literal if isinstance(item, Inert) else None
        return [syntax.constant(found)] if isinstance(found, str) else None

    def named(self, base: gast.expr, index: gast.expr) -> gast.expr | None:
        """``vars(x)[name]`` with a name that is known."""
        kind = self.kind_of(base) if isinstance(base, gast.Name) else None
        key = self.text(index) if isinstance(index, gast.Name) else None
        if key is None or not isinstance(kind, Object) or not kind.fields:
            return None
        return gast.Subscript(base, syntax.constant(key), gast.Load())

    def text(self, node: gast.expr) -> str | None:
        """The text that an expression is for certain."""
        kind = self.kind_of(node) if isinstance(node, gast.Name) else None
        found = kind.literal if isinstance(kind, Inert) else getattr(node, "value", None)
        return found if isinstance(found, str) else None
