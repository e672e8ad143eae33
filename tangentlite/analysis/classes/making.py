"""What makes objects: dataclasses, and copies of which some attributes are others.

In: a statement with the kinds before it.
Out: statements that say the same with ``rt.made``, or with the class itself.
Next: objects.
"""

from __future__ import annotations

import dataclasses
from collections.abc import Callable, Mapping
from typing import Any, Protocol

import gast

from tangentlite import ir, runtime, syntax
from tangentlite.analysis.classes import members, yielded
from tangentlite.analysis.classes.members import written_out
from tangentlite.analysis.classes.records import (
    arguments,
    filled,
    is_filled,
    is_late,
    makes_objects,
    record,
)
from tangentlite.analysis.kinds import Kind, Member, Named, Object, Value
from tangentlite.lowering import Normal
from tangentlite.runtime.containers.fields import slots

State = Mapping[str, Kind]
KindOf = Callable[[gast.expr], Kind]


class Expanding(Protocol):
    """What gives an expansion its names."""

    @property
    def normal(self) -> Normal:
        """The normal form with the statements."""
        ...

    def temporary(self, statement: gast.stmt, wish: str, local: set[str], number: int = 0) -> str:
        """A new name."""
        ...

    def slot(self, statement: gast.stmt) -> str | None:
        """The name u of ``u = xs[i]; t = u * e; xs[i] = t``, which ends there."""
        ...

    def renewal(self, statement: gast.stmt, name: str, value: gast.expr) -> gast.stmt:
        """``name = value``, which ends an augmented assignment of the name."""
        ...

    def source(self, statement: gast.stmt) -> Any:
        """The user's statement behind one of the normal form."""
        ...

    def opens(self, statement: gast.stmt) -> bool:
        """Whether the user's statement asks for the dict of an object's attributes, and sets none by its name."""
        ...

    def callee(self, value: Any, path: str, local: set[str]) -> gast.expr:
        """An expression that means a function or a class."""
        ...

    @property
    def function(self) -> ir.Function:
        """The function whose statements these are."""
        ...

    @property
    def stored(self) -> frozenset[str]:
        """The attributes that the function sets."""
        ...

    def holder(self, statement: gast.stmt, fields: str) -> gast.expr | None:
        """The object whose attribute a statement sets."""
        ...

    def made(
        self, statement: gast.stmt, owner: Any, slots: Mapping[Any, gast.expr], local: set[str]
    ) -> gast.Assign:
        """A new object with these attributes."""
        ...


class Making:
    """The part of an expansion for new objects."""

    def __init__(
        self, expander: Expanding, statement: gast.stmt, kind_of: KindOf, local: set[str]
    ) -> None:
        self.expander, self.statement, self.local = expander, statement, local
        self.kind_of = kind_of

    def owner(self, node: gast.expr) -> type | None:
        """The class of an object, if that is what a name holds for certain."""
        kind = self.kind_of(node) if isinstance(node, gast.Name) else None
        if isinstance(kind, Member):
            return kind.owner  # type: ignore[no-any-return]
        return kind.owner if isinstance(kind, Object) and not kind.fields else None

    def view(self, node: gast.expr) -> gast.expr | None:
        """What says ``vars(x)`` where some attribute is in no dict, or to set one is a call that is not meant."""
        owner = self.owner(node) or object
        bare = self.expander.opens(self.statement) and not members.is_plain(owner)
        if not bare and not slots(owner):
            return None
        rt = self.expander.callee(runtime, "rt", self.local)
        text = "rt.bare_vars(x)" if bare else "rt.vars_of(x)"
        return syntax.expression(text, rt=rt, x=node)

    def blank(self, args: list[gast.expr]) -> list[Any] | None:
        """``object.__new__(C)``."""
        kind = self.kind_of(args[0]) if args else None
        owner = kind.value if isinstance(kind, Value) else None
        if (
            len(args) != 1
            or not makes_objects(owner)
            or not isinstance(self.statement, gast.Assign)
        ):
            return None
        return [self.expander.made(self.statement, owner, {}, self.local).value]

    def dataclass(self, name: str, call: gast.Call) -> list[gast.stmt] | None:
        """``x = C(args)`` of a dataclass that does more than to keep its arguments."""
        known = {k.arg: k.value for k in call.keywords}
        match call:
            case gast.Call(func=gast.Attribute(attr="made"), args=[gast.Name() as func]):
                again = self.kind_of(func)
                return self.plain(again.value, known) if isinstance(again, Value) else None
        kind = self.kind_of(call.func) if isinstance(call.func, gast.Name) else None
        owner: Any = kind.value if isinstance(kind, Value) else None
        form = record(owner) if makes_objects(owner) else None
        if form is not None:
            return self.plain(owner, form.bind(call.args, known))
        given = arguments(owner, call) if is_filled(owner) else None
        if given is None:
            return None
        body: list[gast.stmt] = []
        slots: dict[str, gast.expr] = {}
        late: list[gast.expr] = []
        for slot in filled(owner):
            value = given.get(slot.name)
            if value is None:
                if slot.default is not dataclasses.MISSING:
                    value = self.default(slot.default, slot.name)
                    if isinstance(value, gast.Tuple):
                        value = self.held(value, slot.name, body)
                elif slot.default_factory is not dataclasses.MISSING:
                    value = self.held(
                        self.made_by(slot.default_factory, slot.name), slot.name, body
                    )
            if is_late(slot):
                late.append(value)
            elif value is not None:
                slots[slot.name] = value
        body.append(self.expander.made(self.statement, owner, slots, self.local))
        if members.method(owner, "__post_init__") is not None:
            post = self.method(owner, "__post_init__", syntax.name(name), late, [])
            body += expressed(post) or []
        return body

    def held(self, value: gast.expr, name: str, body: list[gast.stmt]) -> gast.expr:
        """The name that a statement, put behind the others, gives a value."""
        made = self.expander.temporary(self.statement, f"{name}_", self.local)
        body.append(syntax.assign(made, value))
        return syntax.name(made)

    def plain(self, owner: Any, slots: Mapping[Any, gast.expr] | None) -> list[gast.stmt] | None:
        """``x = C(args)`` of a class that keeps its arguments, where some other attribute is that of the class."""
        known = members.defaults(owner, self.expander.stored)
        if slots is None or known.keys() <= slots.keys():
            return None
        return [self.expander.made(self.statement, owner, slots, self.local)]

    def made_by(self, factory: Any, name: str) -> gast.expr:
        if factory is list:
            return gast.List([], gast.Load())
        if factory is dict:
            return gast.Dict([], [])
        return gast.Call(self.default(factory, name), [], [])

    def default(self, value: Any, name: str) -> gast.expr:
        if (literal := written_out(value)) is not None:
            return literal
        return self.expander.callee(value, getattr(value, "__name__", name), self.local)

    def owner_name(self, owner: type) -> gast.expr:
        """The class, as an expression."""
        return self.expander.callee(owner, owner.__name__, self.local)

    def is_replace(self, func: gast.expr) -> bool:
        """Whether a function is ``dataclasses.replace``."""
        match func:
            case gast.Attribute(value=gast.Name() as base, attr="replace"):
                kind = self.kind_of(base)
                return isinstance(kind, Value) and kind.value is dataclasses
            case gast.Name():
                kind = self.kind_of(func)
                return isinstance(kind, Value) and kind.value is dataclasses.replace
        return False

    def replaced(
        self, kind: Kind, base: gast.expr, keywords: list[gast.keyword]
    ) -> list[Any] | None:
        """``replace(x, b=v)`` is ``C(a=x.a, b=v)``."""
        if isinstance(kind, Named):
            names = kind.owner._fields
        elif isinstance(kind, Object) and dataclasses.is_dataclass(kind.owner):
            names = [slot.name for slot in dataclasses.fields(kind.owner) if slot.init]
            late = [slot.name for slot in filled(kind.owner) if is_late(slot)]
            names += [name for name in late if name in {k.arg for k in keywords}]
        else:
            return None
        given = {keyword.arg: keyword.value for keyword in keywords}
        if not given.keys() <= set(names):
            return None
        before: list[Any] = []
        for name in names:
            if name not in given:
                read = self.expander.temporary(self.statement, f"{name}_", self.local)
                before.append(syntax.assign(read, gast.Attribute(base, name, gast.Load())))
                given[name] = syntax.name(read)
        made = [gast.keyword(name, given[name]) for name in names]
        return [*before, gast.Call(self.owner_name(kind.owner), [], made)]

    def shown_as_dict(self, kind: Named, base: gast.expr) -> list[Any]:
        """``p._asdict()`` is ``{"x": p.x, "y": p.y}``."""
        lines: list[Any] = []
        for field in kind.owner._fields:
            name = self.expander.temporary(self.statement, f"{field}_", self.local)
            lines.append(syntax.assign(name, gast.Attribute(base, field, gast.Load())))
        keys: list[Any] = [syntax.constant(field) for field in kind.owner._fields]
        return [*lines, gast.Dict(keys, [syntax.name(line.targets[0].id) for line in lines])]

    def method(
        self,
        owner: type,
        attr: str,
        base: gast.expr,
        args: list[gast.expr],
        keywords: list[gast.keyword],
    ) -> list[Any] | None:
        found = members.method(owner, attr)
        if found is None:
            return None
        if yielded.is_generator(found[0]):
            source = self.expander.source(self.statement)
            if (made := yielded.collected(found[0], attr, source)) is not None:
                found = made, f"{attr}_items", found[2]
        first = {"object": [base], "class": [self.owner_name(owner)], "": []}[found[2]]
        return [self.call(found[0], found[1], [*first, *args], keywords)]

    def call(
        self, value: Any, path: str, args: list[gast.expr], keywords: list[gast.keyword]
    ) -> gast.expr:
        callee = self.expander.callee(value, path, self.local)
        return gast.Call(callee, list(args), list(keywords))


def expressed(found: list[Any] | None) -> list[gast.stmt] | None:
    """Statements whose last expression is a statement as well."""
    if found is None:
        return None
    last = gast.Pass() if isinstance(found[-1], gast.Constant) else gast.Expr(found[-1])
    return [*found[:-1], last]
