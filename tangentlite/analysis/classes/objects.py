"""What is done to objects, said by functions: ``x.area(h)`` is ``Shape.area(x, h)`` where x is a Shape.

In: a normal form, and statements with the kinds before them.
Out: the statements that say the same without methods, properties and operators of the user's classes.
Next: classify.
"""

from __future__ import annotations

import functools
from types import FunctionType, ModuleType
from typing import Any

import gast
import numpy as np

from tangentlite import ir, runtime, syntax
from tangentlite.analysis.classes import members
from tangentlite.analysis.classes.making import Expanding, KindOf, expressed
from tangentlite.analysis.classes.operators import Operators
from tangentlite.analysis.classes.records import is_named
from tangentlite.analysis.given import of
from tangentlite.analysis.kinds import Kind, Member, Named, Object, Unknown, Value
from tangentlite.analysis.storage.memory import memory
from tangentlite.frontend.consumers import VIEWS
from tangentlite.lowering.arrays import inplace, outputs
from tangentlite.values import immutable

LOWERED = {"get", "item", *VIEWS, *inplace.METHODS}  # to statements, by their names


@immutable
class Super(Kind):
    """``super()`` in a method: the class behind which it looks, and the name of the object."""

    after: type
    name: str


class Expansion(Operators):
    """One statement."""

    def run(self) -> list[gast.stmt] | None:
        match self.statement:
            case gast.Assign(targets=[gast.Name() as target], value=gast.Call() as call) if (
                made := self.copied_object(call) or self.dataclass(target.id, call)
            ):
                return made
            case gast.Assign(targets=[gast.Name() as target], value=value):
                found = self.value(value)
                if found is None:
                    return None
                return [*found[:-1], gast.Assign([target], found[-1], None)]
            case gast.Expr(value=gast.Call() as call):
                return expressed(self.value(call))
            case (
                gast.Assign(targets=[gast.Subscript(value=gast.Name() as base, slice=index)])
                | gast.AugAssign(target=gast.Subscript(value=gast.Name() as base, slice=index))
            ):
                if (named := self.named(base, index)) is not None:
                    return [self.at_name(named)]
                return self.element_set(base, index)
        return None

    def at_name(self, place: gast.expr) -> gast.stmt:
        """The statement, which sets an attribute by a name that is known."""
        if isinstance(self.statement, gast.AugAssign):
            return gast.AugAssign(syntax.store(place), self.statement.op, self.statement.value)
        return syntax.assign(syntax.store(place), self.statement.value)

    def value(self, node: gast.expr) -> list[Any] | None:
        """Statements, and the expression that stands for ``node`` after them."""
        match node:
            case gast.Attribute(value=gast.Name() as base, attr=attr):
                owner, kind = self.owner(base), self.kind_of(base)
                if isinstance(kind, Super):
                    return self.inherited_value(kind, attr)
                of_named = kind.owner if isinstance(kind, Named) else owner
                found = members.getter(of_named, attr) if of_named is not None else None
                if found is not None:
                    return [self.call(*found, [base], [])]
                if owner is not None and (
                    got := self.name_kept(base, attr) or self.got(owner, base, attr)
                ):
                    return got
                if owner is not None and self.is_shared(owner, base, attr):
                    return [gast.Attribute(self.owner_name(owner), attr, gast.Load())]
                if owner is not None and self.is_missing(owner, base, attr):
                    name = syntax.constant(attr)
                    return self.method(owner, "__getattr__", base, [name], [])
                return self.bound(owner, base, attr) if owner is not None else None
            case gast.Call(func=func, args=args, keywords=keywords):
                return self.called(func, args, keywords)
            case gast.BinOp(left=left, op=op, right=right):
                return self.binary(type(op), left, right)
            case gast.UnaryOp(op=op, operand=operand):
                return self.unary(type(op), operand)
            case gast.Subscript(value=base, slice=index):
                named = self.named(base, index)
                return self.element(base, index) if named is None else [named]
        return None

    def bound(self, owner: type, base: gast.expr, attr: str) -> list[Any] | None:
        """``x.method`` as a value is a function that holds x."""
        kind, found = self.kind_of(base), members.method(owner, attr)
        if found is None or not isinstance(kind, Object) or attr in kind.keys:
            return None
        return self.holding(found, base)

    def holding(self, found: tuple[Any, str, Any], base: gast.expr) -> list[Any] | None:
        """A method as a function that holds its object."""
        meant = self.expander.callee(found[0], found[1], self.local)
        if found[2] != "object":
            return None if found[2] else [meant]
        rt = self.expander.callee(runtime, "rt", self.local)
        name = self.expander.temporary(self.statement, "t", self.local)
        made = syntax.expression("rt.closure(f, x)", rt=rt, f=name, x=base)
        return [syntax.assign(name, meant), made]

    def is_missing(self, owner: type, base: gast.expr, attr: str) -> bool:
        """Whether an object has no such attribute, and its class has a ``__getattr__`` for that."""
        kind = self.kind_of(base)
        known = isinstance(kind, Object) and not kind.loose and attr not in kind.keys
        return known and members.lookup(owner, attr)[1] is members.MISSING

    # Calls ----------------------------------------------------------------------------------

    def is_shared(self, owner: type, base: gast.expr, attr: str) -> bool:
        """Whether an attribute is a list or an array of the class, which all of its objects have."""
        kind = self.kind_of(base)
        found = members.lookup(owner, attr)[1]
        if found is members.MISSING:
            return False
        own = isinstance(kind, Object) and attr in kind.keys
        return not own and not hasattr(type(found), "__get__") and memory(of(found))

    def called(
        self, func: gast.expr, args: list[gast.expr], keywords: list[gast.keyword]
    ) -> list[Any] | None:
        if len(args) == 1 and not keywords and (made := self.copied(func, args[0])):
            return made
        if self.is_replace(func) and args:
            return self.replaced(self.kind_of(args[0]), args[0], keywords)
        match func:
            case gast.Name(id="vars") if len(args) == 1 and (view := self.view(args[0])):
                return [view]
            case gast.Name():
                owner = self.owner(func)
                if owner is not None:
                    return self.method(owner, "__call__", func, args, keywords)
                kind, given = self.kind_of(func), [] if keywords else args
                meant = kind.value if isinstance(kind, Value) else None
                return self.builtin(meant, given) or self.walked(func, args)
            case gast.Attribute(value=gast.Name() as base, attr=attr):
                kind = self.kind_of(base)
                if isinstance(kind, Value) and (kind.value is runtime or kind.value is np):
                    return self.walked(func, args)
                if isinstance(kind, Value) and isinstance(kind.value, ModuleType):
                    return self.builtin(getattr(kind.value, attr, None), [] if keywords else args)
                if isinstance(kind, Named) and attr == "_replace":
                    return self.replaced(kind, base, keywords)
                if isinstance(kind, Named) and attr == "_asdict" and not args:
                    return self.shown_as_dict(kind, base)
                if isinstance(kind, Named | Member):
                    return self.method(kind.owner, attr, base, args, keywords)
                if isinstance(kind, Super):
                    return self.inherited(kind, attr, args, keywords)
                if isinstance(kind, Object) and not kind.fields:
                    return self.attribute(kind, base, attr, args, keywords)
                if isinstance(kind, Value) and isinstance(kind.value, type):
                    return self.of_class(kind.value, attr, args, keywords)
        return None

    def attribute(
        self,
        kind: Object,
        base: gast.Name,
        attr: str,
        args: list[gast.expr],
        keywords: list[gast.keyword],
    ) -> list[Any] | None:
        """``x.attr(args)``: what an object holds comes before the methods of its class."""
        if attr == "__class__":
            return [gast.Call(self.owner_name(kind.owner), args, keywords)]
        getter = members.getter(kind.owner, attr)
        if getter is None and attr not in kind.keys:
            made = self.made_of_a_method(kind.owner, attr, base, args, keywords)
            return made or self.method(kind.owner, attr, base, args, keywords)
        name = self.expander.temporary(self.statement, "t", self.local)
        read = gast.Attribute(base, attr, gast.Load())
        return [syntax.assign(name, read), gast.Call(syntax.name(name), args, keywords)]

    def made_of_a_method(
        self,
        owner: type,
        attr: str,
        base: gast.expr,
        args: list[gast.expr],
        keywords: list[gast.keyword],
    ) -> list[Any] | None:
        """``functools.partialmethod`` and ``singledispatchmethod``."""
        found, path = members.lookup(owner, attr)[1], f"{owner.__name__}.{attr}"
        if isinstance(found, functools.partialmethod) and isinstance(found.func, FunctionType):
            named = {k: v for k, v in found.keywords.items() if k not in {k.arg for k in keywords}}
            first = [members.written_out(v) for v in found.args]
            more = [members.written_out(v) for v in named.values()]
            if None in first or None in more:
                return None
            held = [gast.keyword(k, v) for k, v in zip(named, more)]
            given = [base, *(v for v in first if v is not None), *args]
            return [self.call(found.func, path, given, [*held, *keywords])]
        function = members.dispatched(found, self.kind_of(args[0])) if args else None
        return None if function is None else [self.call(function, path, [base, *args], keywords)]

    def inherited(
        self, kind: Super, attr: str, args: list[gast.expr], keywords: list[gast.keyword]
    ) -> list[Any] | None:
        own = self.kind_of(syntax.name(kind.name))
        owner = own.owner if isinstance(own, Object) else None
        if isinstance(own, Value) and isinstance(own.value, type):
            owner = own.value
        found = members.inherited(owner, attr, kind.after) if owner is not None else None
        if found is None and attr == "__setattr__":
            args = [syntax.name(kind.name), *args]
            return self.bare_set(args) or [
                self.call(object.__setattr__, "object.__setattr__", args, keywords)
            ]
        if found is None:
            nothing = attr == "__init__" and owner is not None  # that of `object`
            return [syntax.constant(None)] if nothing else None
        first = [syntax.name(kind.name)] if found[2] else []
        return [self.call(found[0], found[1], [*first, *args], keywords)]

    def inherited_value(self, kind: Super, attr: str) -> list[Any] | None:
        """``super().v`` of a property, or of an attribute of a class."""
        own = self.kind_of(syntax.name(kind.name))
        owner = own.owner if isinstance(own, Object) else None
        if owner is None:
            return None
        if (found := members.getter(owner, attr, kind.after)) is not None:
            return [self.call(*found, [syntax.name(kind.name)], [])]
        if (method := members.inherited(owner, attr, kind.after)) is not None:
            return self.holding(method, syntax.name(kind.name))
        base, value = members.lookup(owner, attr, kind.after)
        if isinstance(value, functools.cached_property) and self.expander.function.name == attr:
            path = f"{base.__name__}.{attr}.func"  # nothing is kept yet under its name
            return [self.call(value.func, path, [syntax.name(kind.name)], [])]
        if base is None or hasattr(type(value), "__get__"):
            return None
        return [gast.Attribute(self.owner_name(base), attr, gast.Load())]

    def of_class(
        self, owner: type, attr: str, args: list[gast.expr], keywords: list[gast.keyword]
    ) -> list[Any] | None:
        """``cls.attr(args)`` of a class method; other functions of a class are what they are."""
        if is_named(owner) and attr == "_make" and len(args) == 1:
            return [gast.Call(self.owner_name(owner), [gast.Starred(args[0], gast.Load())], [])]
        found = members.method(owner, attr)
        if found is None and attr in ("__setattr__", "__new__"):
            return self.bare_set(args) if attr == "__setattr__" else self.blank(args)
        if found is None or found[2] != "class":
            return None
        return [self.call(found[0], found[1], [self.owner_name(owner), *args], keywords)]


def mistaken(
    statement: gast.stmt, source: gast.stmt | None, kind_of: KindOf
) -> list[tuple[str, gast.Attribute]]:
    """The methods of an object that may have been taken for one of a dict or an array, of the same name; and where."""
    called = ""
    match statement:
        case gast.Assign(targets=[gast.Subscript(value=gast.Name() as base)]):
            pass
        case gast.AugAssign(target=gast.Subscript(value=gast.Name() as base)):
            pass
        case gast.Assign(value=gast.Subscript(value=gast.Name() as base)):
            pass
        case gast.Assign(
            value=gast.Call(func=gast.Attribute(value=gast.Name() as base, attr=called))
        ) if outputs.of_method(called):
            pass
        case _:
            return []
    kind, found = kind_of(base), []
    if source is None or not isinstance(kind, Object) or kind.fields:
        return []
    for node in syntax.walk(source):
        match node:
            case gast.Call(func=gast.Attribute(attr=attr) as func):
                taken = _lost_output(node, statement) if attr == called else attr in LOWERED
                if taken and members.method(kind.owner, attr) is not None:
                    found.append((f"{kind.owner.__name__}.{attr}", func))
            case gast.Attribute(attr="flat") if not called and has_flat(kind):
                found.append((f"{kind.owner.__name__}.flat", node))
    return [(path, f) for path, f in found if f.value.col_offset == base.col_offset] or found


def has_flat(kind: Object) -> bool:
    """Whether objects have an attribute ``flat`` of their own."""
    return "flat" in kind.keys or members.lookup(kind.owner, "flat")[1] is not members.MISSING


def _lost_output(call: gast.Call, statement: Any) -> bool:
    """Whether a call of the user has more arguments than what it became: one was its ``out``."""
    left = statement.value
    return len(call.args) + len(call.keywords) > len(left.args) + len(left.keywords)


def of_super(function: ir.Function, node: gast.Call, kind_of: KindOf) -> Kind:
    """The kind of ``super()`` and of ``super(C, self)``."""
    first = function.params[0].name if function.params else ""
    if not node.args:
        cell = function.namespace.cells.get("__class__")
        if cell is not None and first:
            return Super(cell.cell_contents, first)
    match node.args:
        case [after, gast.Name(id=name)]:
            kind = kind_of(after)
            if isinstance(kind, Value) and isinstance(kind.value, type):
                return Super(kind.value, name)
    return Unknown("it is `super()` outside of a method")


__all__ = ["Expanding", "Expansion", "Super", "of_super"]
