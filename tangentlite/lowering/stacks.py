"""Lists that grow and shrink: refused where something else still holds what they were.

In: a normal form.
Out: nothing, or UnsupportedSyntaxError.
Next: analysis.

The backward sweep walks such a list back, step by step. A call, a loop or a container that read the whole list would
meet another one there.
"""

from __future__ import annotations

import builtins

import gast

from tangentlite import runtime, syntax
from tangentlite.errors import UnsupportedSyntaxError
from tangentlite.ir import Function

HINT = "Take its elements by index, or let the list be complete before it is handed on."
HARMLESS = (builtins.len, builtins.bool, runtime.zeros)


def check(function: Function) -> None:
    """Refuse a list that grows or shrinks after it was read as a whole."""
    grown = {name for s in syntax.walk(function.tree) if (name := _grown(s)) is not None}
    if grown:
        _Walk(function, grown).block(function.body, set())


class _Walk:
    """Follows the lists ``grown`` through the statements; ``held`` are those that were read as a whole."""

    def __init__(self, function: Function, grown: set[str]) -> None:
        self.function, self.grown = function, grown

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
            place = self.function.origin.place(statement)
            message = f"`{name}` changes after it was read as a whole: that is not supported yet"
            raise UnsupportedSyntaxError(message, place, HINT)
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
