"""``copy.copy`` and ``copy.deepcopy`` of lists, tuples and dicts.

In: a statement with the kinds before it.
Out: the statements that say the same with displays and copies of the parts.
Next: objects.
"""

from __future__ import annotations

import copy
import dataclasses
import sys
from typing import Any

import gast

from tangentlite import runtime, syntax
from tangentlite.analysis.classes import members
from tangentlite.analysis.classes.elements import Elements
from tangentlite.analysis.kinds import (
    ANY_KEY,
    Dict,
    Inert,
    Kind,
    List,
    Named,
    Nothing,
    Num,
    Object,
    Tuple,
    Value,
)
from tangentlite.standins import copies

OWN = ("__copy__", "__deepcopy__", "__getstate__", "__setstate__", "__reduce__", "__reduce_ex__")
DEEP = "copy.deepcopy"


class Copying(Elements):
    """The part of an expansion for copies; ``copies``: what stands for the statement tells the parts of a value."""

    copies = False

    def copied(self, func: gast.expr, arg: gast.expr) -> list[Any] | None:
        """What stands for a copy; of numbers and arrays there is a rule."""
        deep = self.is_copy(func, copy.deepcopy)
        kind = self.kind_of(arg)
        if isinstance(kind, Object) and (made := self.fields_of(func, kind, arg)) is not None:
            return made
        if not (deep or self.is_copy(func, copy.copy)) or isinstance(kind, Object | Named):
            return None
        if deep:
            self.copies = True
            return self.deeply(kind, arg)
        if isinstance(kind, List) or (isinstance(kind, Tuple) and kind.type == "list"):
            return [self.call(list, "list", [arg], [])]
        if isinstance(kind, Tuple) and kind.type == "tuple":
            return [arg]
        return [self.call(dict, "dict", [arg], [])] if isinstance(kind, Dict) else None

    def fields_of(self, func: gast.expr, kind: Object, arg: gast.expr) -> list[Any] | None:
        """``dataclasses.asdict(x)`` and ``astuple(x)`` where no field holds another object."""
        named = self.is_copy(func, dataclasses.asdict)
        if not (named or self.is_copy(func, dataclasses.astuple)) or kind.optional or kind.fields:
            return None
        names = [field.name for field in dataclasses.fields(kind.owner)]
        kinds = dict(zip(kind.keys, kind.items))
        if kind.loose or not all(_is_data(kinds.get(n)) for n in names):
            return None
        lines: list[Any] = []
        self.copies = True
        for number, key in enumerate(names):
            part = self.expander.temporary(self.statement, "part", self.local, number)
            twin = self.expander.temporary(self.statement, "twin", self.local, number)
            lines.append(syntax.assign(part, gast.Attribute(arg, key, gast.Load())))
            copied = self.call(copy.deepcopy, DEEP, [syntax.name(part)], [])
            lines.append(syntax.assign(twin, copied))
        values: list[gast.expr] = [syntax.name(line.targets[0].id) for line in lines[1::2]]
        keys: list[gast.expr] = [syntax.constant(name) for name in names]
        shown = gast.Dict(keys, values) if named else gast.Tuple(values, gast.Load())
        return [*lines, shown]

    def copied_object(self, call: gast.Call) -> list[gast.stmt] | None:
        """``y = copy.copy(x)`` of an object of a class that does not say how: one with the same attributes."""
        deep = self.is_copy(call.func, copy.deepcopy)
        if len(call.args) != 1 or not (deep or self.is_copy(call.func, copy.copy)):
            return None
        kind, arg = self.kind_of(call.args[0]), call.args[0]
        if not isinstance(kind, Object) or kind.fields or kind.loose or kind.optional:
            return None
        if any(members.method(kind.owner, name) is not None for name in OWN):
            return None
        self.copies = True
        lines: list[gast.stmt] = [self.single(arg)] if deep else []
        slots: dict[Any, gast.expr] = {}
        for number, key in enumerate(kind.keys):
            part = self.expander.temporary(self.statement, "part", self.local, number)
            lines.append(syntax.assign(part, gast.Attribute(arg, key, gast.Load())))
            slots[key] = syntax.name(part)
            if deep:
                twin = self.expander.temporary(self.statement, "twin", self.local, number)
                lines.append(syntax.assign(twin, self.call(copy.deepcopy, DEEP, [slots[key]], [])))
                slots[key] = syntax.name(twin)
        return [*lines, self.expander.made(self.statement, kind.owner, slots, self.local)]

    def single(self, arg: gast.expr) -> gast.stmt:
        """A check that nothing is in there twice."""
        rt = self.expander.callee(runtime, "rt", self.local)
        return gast.Expr(syntax.expression("rt.single(x)", rt=rt, x=arg))

    def deeply(self, kind: Kind, arg: gast.expr) -> list[Any] | None:
        """Copies of all that is inside, where nothing is inside twice."""
        check = self.single(arg)
        match kind:
            case Num():
                return [self.call(copy.copy, "copy.copy", [arg], [])]
            case Inert() | Nothing():
                return [arg]
            case Tuple(items=items, type="list" | "tuple"):
                lines, parts = self.parts(arg, list(range(len(items))))
                shown = gast.List if kind.type == "list" else gast.Tuple
                return [check, *lines, shown(parts, gast.Load())]
            case List():
                return [check, self.call(copies.items_copied, "items_copied", [arg], [])]
            case Dict(keys=keys) if ANY_KEY not in keys:
                lines, parts = self.parts(arg, list(keys))
                return [check, *lines, gast.Dict([syntax.constant(k) for k in keys], parts)]
            case Dict():
                return [check, self.call(copies.values_copied, "values_copied", [arg], [])]
        return None

    def parts(self, arg: gast.expr, keys: list[Any]) -> tuple[list[gast.stmt], list[gast.expr]]:
        """Statements that copy the parts of something, and the names of the copies."""
        lines: list[gast.stmt] = []
        names: list[gast.expr] = []
        for number, key in enumerate(keys):
            part = self.expander.temporary(self.statement, "part", self.local, number)
            twin = self.expander.temporary(self.statement, "twin", self.local, number)
            read = gast.Subscript(arg, syntax.constant(key), gast.Load())
            deep = self.call(copy.deepcopy, DEEP, [syntax.name(part)], [])
            lines += [syntax.assign(part, read), syntax.assign(twin, deep)]
            names.append(syntax.name(twin))
        return lines, names

    def is_copy(self, func: gast.expr, meant: Any) -> bool:
        """Whether a function is one of its module, ``copy`` say."""
        match func:
            case gast.Attribute(value=gast.Name() as base, attr=attr) if attr == meant.__name__:
                module = self.kind_of(base)
                return isinstance(module, Value) and module.value is sys.modules[meant.__module__]
            case gast.Name():
                kind = self.kind_of(func)
                return isinstance(kind, Value) and kind.value is meant
        return False


def _is_data(kind: Kind | None) -> bool:
    """Whether a copy of a value is what ``asdict`` makes of it: nothing in it is an object."""
    match kind:
        case List(item=item):
            return item is None or _is_data(item)
        case Tuple(items=items, type="tuple" | "list"):
            return type(kind) is Tuple and all(map(_is_data, items))
        case Dict(items=items):
            return not isinstance(kind, Object) and all(map(_is_data, items))
    return isinstance(kind, Num | Inert | Nothing)
