"""Local lists that only grow and shrink at their end, and are complete where they are read as a whole.

In: a normal form.
Out: their names: such a list is walked back step by step, its elements stay values. Other lists that
change are storage.
Next: analysis.
"""

from __future__ import annotations

import builtins

import gast

from tangentlite import runtime, syntax
from tangentlite.ir import Function

HARMLESS = (builtins.len, builtins.bool, runtime.zeros)
GENERATED = "<generated"
MADE = (runtime.unpack, runtime.stack, runtime.zeros, runtime.add)


def found(function: Function) -> frozenset[str]:
    """The stacks of a function."""
    if function.contents.attributes.isdisjoint(("append", "pop")):
        return frozenset()
    grown = {name for s in syntax.walk(function.tree) if (name := _grown(s)) is not None}
    if not grown:
        return frozenset()
    changed = {name for s in syntax.walk(function.tree) if (name := _changed(s)) is not None}
    walk = _Walk(function, grown - changed)
    walk.grown &= walk.fresh()
    walk.block(function.body, set())
    return frozenset(walk.grown - walk.late)


def _changed(node: gast.AST) -> str | None:
    """A name of which an element is stored or removed."""
    match node:
        case gast.Subscript(value=gast.Name(id=name), ctx=gast.Store()):
            return name  # type: ignore[no-any-return]
        case gast.Call(func=gast.Attribute(value=gast.Name(id=name), attr=attr), args=args):
            if attr in MUTATORS or (attr == "pop" and args):
                return name  # type: ignore[no-any-return]
    return None


MUTATORS = ("insert", "extend", "remove", "reverse", "sort", "clear", "__delitem__")


class _Walk:
    """Follows the lists ``grown`` through the statements; ``held`` are those that were read as a whole."""

    def __init__(self, function: Function, grown: set[str]) -> None:
        self.function, self.grown = function, grown
        self.late: set[str] = set()

    def fresh(self) -> set[str]:
        """The names that are only ever bound to lists made on the spot, to tapes of a record, or to their adjoints.

        One that is bound to a new list twice may have elements left by then: that is no stack.
        """
        fresh = {param.name: False for param in self.function.params}
        lists: set[str] = set()
        records: set[str] = set()
        undone = _undone(self.function)
        for node in syntax.walk(self.function.tree):
            match node:
                case gast.Assign(targets=[gast.Name(id=name)], value=value):
                    if self.calls(value, *MADE):
                        records.add(name)
                    again = name in lists and isinstance(value, gast.List)
                    if isinstance(value, gast.List):
                        lists.add(name)
                    tape = isinstance(value, gast.List) or name not in undone
                    made = self.makes_list(value, records) and (tape or self.calls(value, *MADE))
                    fresh[name] = fresh.get(name, True) and made and not again
                case gast.Assign(targets=targets):
                    fresh.update(dict.fromkeys(syntax.stores(targets), False))
                case gast.For(target=target):
                    fresh.update(dict.fromkeys(syntax.stores(target), False))
        return {name for name, is_fresh in fresh.items() if is_fresh}

    def makes_list(self, value: gast.expr, records: set[str]) -> bool:
        if not self.function.origin.file.startswith(GENERATED):
            return isinstance(value, gast.List)
        match value:
            case gast.Name(id=name) | gast.Subscript(value=gast.Name(id=name)):
                return name in records
        return isinstance(value, gast.List) or self.calls(value, *MADE)

    def calls(self, value: gast.expr, *callees: object) -> bool:
        return isinstance(value, gast.Call) and self.meaning(value.func) in callees

    def block(self, body: list[gast.stmt], held: set[str]) -> set[str]:
        for statement in body:
            held = self.statement(statement, held)
        return held

    def statement(self, statement: gast.stmt, held: set[str]) -> set[str]:
        match statement:
            case gast.If(body=body, orelse=orelse):
                return self.block(body, set(held)) | self.block(orelse, set(held))
            case gast.For(body=body) | gast.While(body=body):
                for _ in range(2):
                    held = held | self.block(body, set(held))
                return held
        name = _grown(statement)
        if name in held:
            self.late.add(name)
        return (held | self.whole(statement)) - syntax.stores(statement)

    def whole(self, statement: gast.stmt) -> set[str]:
        """The lists that a simple statement reads as a whole."""
        match statement:
            case gast.Assign(value=gast.Subscript(value=gast.Name(), slice=index)):
                return syntax.loads(index) & self.grown
            case gast.Assign(value=gast.Compare() | gast.BoolOp() | gast.UnaryOp()) | gast.Assert():
                return set()
            case gast.Assign(value=gast.Call(func=func)) if self.meaning(func) in HARMLESS:
                return set()
            case gast.Assign(value=gast.Call(func=func, args=args, keywords=keywords)):
                return syntax.loads([*args, *keywords]) & self.grown
            case gast.Expr(value=gast.Call(args=args)) if _grown(statement):
                return syntax.loads(args) & self.grown
            case gast.Expr(value=gast.Call(func=func, args=[gast.Name(), *rest])) if (
                self.meaning(func) is runtime.add_at
            ):
                return syntax.loads(rest) & self.grown
        return syntax.loads(statement) & self.grown

    def meaning(self, func: gast.expr) -> object:
        path = syntax.dotted(func)
        try:
            return self.function.namespace.resolve(path) if path else None
        except (KeyError, AttributeError):
            return None


def _undone(function: Function) -> set[str]:
    """The lists in records to which a derivative puts back what was taken, or takes away what was put: no tapes."""
    if not function.origin.file.startswith(GENERATED):
        return set()
    found, read = set(), syntax.loads(function.body)
    for node in syntax.walk(function.tree):
        match node:
            case gast.Assign(targets=[gast.Name(id=taken)]) if taken in read:
                continue
            case gast.Assign() | gast.Expr():
                found.add(_grown(node))
    return {name for name in found if name is not None}


def _grown(statement: gast.AST) -> str | None:
    """The list that a statement appends to or pops from."""
    match statement:
        case gast.Expr(
            value=gast.Call(func=gast.Attribute(value=gast.Name(id=name), attr="append" | "pop"))
        ):
            return name  # type: ignore[no-any-return]
        case gast.Assign(
            value=gast.Call(func=gast.Attribute(value=gast.Name(id=name), attr="pop"), args=[])
        ):
            return name  # type: ignore[no-any-return]
    return None
