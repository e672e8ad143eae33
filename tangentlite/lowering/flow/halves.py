"""What can be seen of a body that fails halfway.

In: the statements of an attempt, and the names that are read where it is caught, or later.
Out: where it may fail after it has done what can be seen.
Next: attempts.
"""

from __future__ import annotations

from typing import Any

import gast

from tangentlite import syntax
from tangentlite.lowering.context import Context
from tangentlite.lowering.flow.guards import called
from tangentlite.lowering.flow.visible import is_fresh, may_hold, seen

Body = list[gast.stmt]
Names = frozenset[str]
LOOPS = (gast.For, gast.While)


class Seen:
    """What can be seen of a body that fails: ``names`` are read where it is caught, or later."""

    def __init__(self, context: Context, names: Names, body: Body) -> None:
        self.context, self.names = context, names
        fresh = [s for s in body if is_fresh(s)]
        self.own = {s.targets[0].id for s in fresh}
        self.own -= seen(body, names, context) if self.own else set()
        self.holders = {s.targets[0].id for s in fresh if may_hold(s.value)}

    def is_whole(self, body: Body) -> bool:
        """Whether nothing may fail after an effect that can be seen."""
        return len(self.parts(body)) < 2 and all(map(self.is_one, body))

    def is_one(self, statement: Any) -> bool:
        """Whether a statement leaves nothing behind if it fails."""
        blocks = syntax.blocks(statement)
        if not blocks or not self.effect(statement):
            return True
        if isinstance(statement, LOOPS):
            return not may_fail(statement)
        return all(map(self.is_whole, blocks))

    def parts(self, body: Body) -> list[Body]:
        """The body cut before what may fail after an effect."""
        parts: list[Body] = [[]]
        done = False
        for statement in body:
            if done and may_fail(statement):
                parts.append([])
                done = False
            parts[-1].append(statement)
            done = done or self.effect(statement)
        return parts

    def effect(self, statement: Any) -> bool:
        """Whether a statement changes what can be seen."""
        match statement:
            case gast.Assign(targets=[gast.Name(id=name)], value=value):
                source = self.context.sources.get(statement)
                seen = name in self.names or _renews(name, source)
                return seen or self.changes(value)
            case (
                gast.Assign(targets=[gast.Subscript(value=container)])
                | gast.AugAssign(target=gast.Subscript(value=container))
            ):
                name = getattr(container, "id", None)
                inside = name in self.holders and self.augments(statement)
                return inside or name not in self.own
            case gast.Expr(value=value):
                return self.changes(value) or not self.observed(value)
        return any(self.effect(s) for block in syntax.blocks(statement) for s in block)

    def augments(self, statement: Any) -> bool:
        """Whether a statement ends ``xs[i] op= e``, which writes into what the element is."""
        augmented = statement, self.context.sources.get(statement)
        return any(isinstance(s, gast.AugAssign) for s in augmented)

    def changes(self, value: Any) -> bool:
        """Whether a method changes its list."""
        match value:
            case gast.Call(func=gast.Attribute(value=gast.Name(id=name), attr=attr)):
                if name not in self.context.locals or name in self.own:
                    return False
                return attr in ("append", "pop", "__delitem__", "extend", "insert", "update")
        return False

    def observed(self, call: Any) -> bool:
        """Whether a call whose result is dropped changes nothing that has a derivative."""
        if called(syntax.at(gast.Expr(call), call)):
            return True
        meaning = self.context.meaning(call.func)
        return getattr(meaning, "__module__", None) in ("builtins", "logging", "warnings", "time")


def _renews(name: str, source: Any) -> bool:
    """Whether a statement that binds a name is the one by which ``s op= e`` writes into ``s``."""
    return isinstance(source, gast.AugAssign) and getattr(source.target, "id", None) == name


def may_fail(statement: Any) -> bool:
    """Whether a statement may raise."""
    match statement:
        case gast.Assign(targets=[gast.Name()], value=gast.Constant() | gast.Name()):
            return False
        case gast.Pass() | gast.Break():
            return False
        case gast.If(test=gast.Name() | gast.UnaryOp(operand=gast.Name()) | gast.Constant()):
            return any(may_fail(s) for block in syntax.blocks(statement) for s in block)
    return called(statement) != "end_with"
