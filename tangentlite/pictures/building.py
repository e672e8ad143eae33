"""From the normal form of a function to its computation graph.

In: a function in normal form, the names that the user gave, which statements belong to a derivative.
Out: ``Level``: nodes and edges; a box for each loop and each branch.
Next: layout.

A box shows at its upper edge what it reads of what stands outside, at its lower edge what is read of it later. What a
trip of a loop hands to the next one goes back along a dashed line.
"""

from __future__ import annotations

from collections.abc import Callable
from types import BuiltinFunctionType, FunctionType, MethodType, ModuleType
from typing import Any

import gast
import numpy as np

from tangentlite import ir, syntax
from tangentlite.lowering.flow.guards import called
from tangentlite.pictures.blocks import Block, Value, later
from tangentlite.pictures.model import End, Level, Node, every
from tangentlite.pictures.wording import labeled, short

NO_VALUES = (FunctionType, BuiltinFunctionType, MethodType, ModuleType, type, np.ufunc)
CHECKS = ("numbers", "alike")
BODY, OTHER = "body", "other"  # the blocks of a statement


class Builder:
    """Walks over the statements of a function."""

    def __init__(
        self, function: ir.Function, own: frozenset[str], derived: Callable[[gast.stmt], bool]
    ) -> None:
        self.function, self.own, self.derived = function, own, derived
        self.now = False

    def graph(self) -> Level:
        """The graph of the function."""
        top = Block(self.free, Level(), None, None)
        for param in self.function.params:
            top.names[param.name] = End(top.level.node("input", param.name, place=param.name))
        self.block(self.function.body, top)
        _prune(top.level)
        return top.level

    def free(self, name: str, level: Level) -> Node | None:
        """A node for a number or an array that the function finds outside."""
        try:
            value = self.function.namespace.lookup(name)
        except KeyError:
            return None
        if isinstance(value, NO_VALUES):
            return None
        return level.node("constant", name, place=("free", name), derived=self.now)

    def block(self, body: list[gast.stmt], block: Block) -> None:
        """The statements of a block, one after the other."""
        for statement in body:
            if block.outer is None:
                self.now = self.derived(statement)
            match statement:
                case gast.If(test=test, body=then, orelse=other):
                    self._branches(
                        statement, short(f"if {syntax.unparse(test)}"), then, other, block
                    )
                case gast.Try(body=then, handlers=[gast.ExceptHandler(body=other)]):
                    self._branches(statement, "try", then, other, block)
                case gast.With(items=items, body=inside):
                    head = ", ".join(syntax.unparse(item.context_expr) for item in items)
                    self._branches(statement, short(f"with {head}"), inside, [], block)
                case gast.For() | gast.While():
                    self._loop(statement, block)
                case _:
                    self._simple(statement, block)

    # Statements -----------------------------------------------------------------------------

    def _simple(self, statement: gast.stmt, block: Block) -> None:
        match statement:
            case gast.Assign(targets=[gast.Name(id=name)], value=value):
                block.names[name] = End(self._value(statement, name, value, block))
            case gast.Assign(targets=[gast.Subscript() | gast.Attribute() as target], value=value):
                self._store(statement, target, value, "=", block)
            case gast.AugAssign(target=gast.Subscript() | gast.Attribute() as target, value=value):
                self._store(statement, target, value, "+=", block)
            case gast.Assign(targets=[gast.Tuple(elts=parts)], value=value):
                maker = self._operation(statement, value, block)
                for part in parts:
                    if isinstance(part, gast.Name):
                        node = self._made(statement, part.id, block)
                        block.level.link(End(maker), End(node))
                        block.names[part.id] = End(node)
            case gast.Expr(value=gast.Call() as call) if called(statement) is None:
                self._effect(statement, call, block)
            case gast.Return(value=value) if value is not None:
                self._result(statement, value, block)

    def _value(self, statement: gast.stmt, name: str, value: gast.expr, block: Block) -> Node:
        """The node of what is bound: behind an operation, or behind what it copies."""
        node = self._made(statement, name, block)
        start = (
            self._operand(value, block)
            if syntax.is_atom(value)
            else End(self._operation(statement, value, block))
        )
        if start is not None:
            block.level.link(start, End(node))
        return node

    def _made(self, statement: gast.stmt, name: str, block: Block) -> Node:
        kind = "value" if name in self.own else "wire"
        return block.level.node(kind, name, place=(statement, name), derived=self.now)

    def _operation(
        self, statement: gast.stmt, value: gast.expr, block: Block, label: str = ""
    ) -> Node:
        said, operands = labeled(value)
        node = block.level.node("operation", label or said, derived=self.now)
        node.told = short(syntax.unparse(statement), 200)
        for operand in operands:
            start = self._operand(operand, block)
            if start is not None:
                block.level.link(start, End(node))
        return node

    def _operand(self, tree: gast.expr, block: Block) -> End | None:
        match tree:
            case gast.Starred(value=inner):
                return self._operand(inner, block)
            case gast.Name(id=name):
                return block.read(name)
            case gast.Constant() | gast.UnaryOp(operand=gast.Constant()):
                label = short(syntax.unparse(tree), 12)
                return End(block.level.node("constant", label, derived=self.now))
        return None

    def _store(
        self, statement: gast.stmt, target: Any, value: gast.expr, sign: str, block: Block
    ) -> None:
        """A write into a part: the whole goes in, and comes out changed."""
        place = f"[{syntax.unparse(target.slice).strip('()')}]" if hasattr(target, "slice") else ""
        place = place or f".{target.attr}"
        self._changed(statement, short(f"{place} {sign}"), target.value, [value], block)

    def _changed(
        self,
        statement: gast.stmt,
        label: str,
        whole: gast.expr,
        operands: list[gast.expr],
        block: Block,
    ) -> None:
        node = block.level.node("operation", label, derived=self.now)
        node.told = short(syntax.unparse(statement), 200)
        for operand in (whole, *operands):
            start = self._operand(operand, block)
            if start is not None:
                block.level.link(start, End(node))
        name = root(whole)
        if name is not None and block.read(name) is not None:
            made = self._made(statement, name, block)
            block.level.link(End(node), End(made))
            block.names[name] = End(made)

    def _effect(self, statement: gast.stmt, call: gast.Call, block: Block) -> None:
        path = syntax.dotted(call.func) or ""
        if path.startswith("rt.") and path.removeprefix("rt.") in CHECKS:
            return
        label, operands = labeled(call)
        owner = call.func.value if isinstance(call.func, gast.Attribute) else None
        if owner is not None and block.read(root(owner) or "") is not None:
            self._changed(statement, label, owner, operands[1:], block)
        elif path.startswith("rt.") and operands:  # writes into its first argument
            self._changed(statement, label, operands[0], operands[1:], block)
        else:
            node = self._operation(statement, call, block)
            node.kind = "effect"

    def _result(self, statement: gast.stmt, value: gast.expr, block: Block) -> None:
        start = self._operand(value, block)
        node = start.node if start is not None else None
        if node is not None and node.kind in ("value", "wire"):
            node.label = node.label if node.kind == "value" else "result"
            node.kind = "result"
            return
        if not syntax.is_atom(value):
            start = End(self._operation(statement, value, block))
        made = block.level.node("result", "result", derived=self.now)
        if start is not None:
            block.level.link(start, End(made))

    # Boxes ----------------------------------------------------------------------------------

    def _box(self, statement: gast.stmt, label: str, block: Block, side: str = BODY) -> Block:
        box = block.level.node("box", label, derived=self.now, place=(statement, side))
        box.inner = Level()
        box.told = short(syntax.unparse(statement).partition("\n")[0], 200)
        return Block(self.free, box.inner, block, box)

    def _loop(self, statement: gast.For | gast.While, block: Block) -> None:
        if isinstance(statement, gast.For):
            head = f"for {syntax.unparse(statement.target)} in {syntax.unparse(statement.iter)}"
        else:
            head = f"while {syntax.unparse(statement.test)}"
        inside = self._box(statement, short(head, 60), block)
        for name in sorted(syntax.stores(statement.target)) if hasattr(statement, "target") else ():
            inside.names[name] = End(inside.level.node("index", name, derived=self.now))
        self._ruled(getattr(statement, "iter", None) or statement.test, block, inside)
        self.block(statement.body, inside)
        for name in sorted(syntax.stores(statement.body) | inside.changed()):
            port = inside.ports.get(name)
            last = inside.read(name) if port is not None else None
            if port is not None and last is not None and last.node is not port:
                inside.level.link(last, End(port), back=True)
            block.names[name] = later(inside, name)

    def _ruled(self, head: gast.expr, block: Block, inside: Block) -> None:
        """What decides over a box leads to it."""
        assert inside.box is not None
        for name in sorted(syntax.loads(head)):
            if (start := block.read(name)) is not None:
                block.level.link(start, End(inside.box), rules=True)

    def _branches(
        self,
        statement: gast.stmt,
        label: str,
        then: list[gast.stmt],
        other: list[gast.stmt],
        block: Block,
    ) -> None:
        before = dict(block.names)
        words = {"try": "except"}
        made: list[Block | None] = []
        for body, said, side in ((then, label, BODY), (other, words.get(label, "else"), OTHER)):
            if all(isinstance(s, (gast.Pass, syntax.Comment)) for s in body):
                made.append(None)
                continue
            inside = self._box(statement, said, block, side)
            if isinstance(statement, gast.If):
                self._ruled(statement.test, block, inside)
            self.block(body, inside)
            made.append(inside)
        changed = set().union(*(side.changed() for side in made if side))
        for name in sorted(syntax.stores([*then, *other]) | changed):
            sides = [side if side and side.binds(name) else None for side in made]
            if label.startswith("with "):
                block.names[name] = later(sides[0], name) if sides[0] else before[name]
            else:
                block.names[name] = self._merged(statement, name, sides, before.get(name), block)

    def _merged(
        self,
        statement: gast.stmt,
        name: str,
        sides: list[Block | None],
        before: Value | None,
        block: Block,
    ) -> Value:
        """Where two ways meet, a name stands for what either of them bound."""
        derived = self.now

        def meet() -> End:
            if None in sides:
                block.names.pop(name)
                if before is not None:
                    block.names[name] = before
            kind = "value" if name in self.own else "wire"
            node = block.level.node(kind, name, place=(statement, name), derived=derived)
            outside = block.read(name) if None in sides else None
            for start in (outside if side is None else side.left(name) for side in sides):
                if start is not None:
                    block.level.link(start, End(node))
            return End(node)

        return meet


def root(tree: gast.expr) -> str | None:
    """The name whose value a part belongs to."""
    while isinstance(tree, (gast.Subscript, gast.Attribute)):
        tree = tree.value
    return tree.id if isinstance(tree, gast.Name) else None


def _prune(level: Level) -> None:
    """Without what nothing is linked to."""
    for node in every(level):
        if node.inner is not None:
            _prune(node.inner)
    linked = {id(end.node) for edge in level.edges for end in (edge.start, edge.end)}
    level.nodes = [
        n for n in level.nodes if n.kind not in ("constant", "index", "wire") or id(n) in linked
    ]
