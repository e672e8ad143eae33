"""Tangents of arrays that are written in place: arrays too, which share memory just as their primals do.

In: a statement that binds or writes such an array.
Out: what binds or writes its tangent.
Next: tangents.

A *changing* name may hold memory that is written somewhere. Its tangent is an array that no tangent of another
class of names shares. Where a second living name sees the write (the name is *shadowed*), the tangent is there as
soon as the array is, and is a view exactly where the array is one.
"""

from __future__ import annotations

from collections.abc import Iterator, Set
from typing import NoReturn

import gast
import numpy as np

from tangentlite import runtime, syntax
from tangentlite.analysis.kinds import CONTAINERS, Num
from tangentlite.analysis.operations import (
    Accumulate,
    Display,
    Joined,
    Mutate,
    NoFlow,
    Operation,
    Pop,
    Slot,
    UserCall,
)
from tangentlite.analysis.storage.memory import is_view, memory, shared
from tangentlite.differentiate.adjoints import Body
from tangentlite.differentiate.record import unbound
from tangentlite.differentiate.session import Session
from tangentlite.errors import AliasError

FRESH = (
    *(np.where, np.sum, np.dot, np.outer, np.tensordot, np.concatenate, np.stack, np.mean),
    *(np.take_along_axis, runtime.zeros, runtime.still, runtime.owned),
)
SUMS = (np.add, np.subtract)
HELD = "`{0}` holds an array that is written in place under another name"
OUTER = "`{0}` is an array from outside the function, which writes into it"
COPY = "Write into a copy: `x = x.copy()`, or keep the arrays under names of their own."


class Storage:
    """Which tangents are bound, which of them are written in place, and how each of those is made."""

    def __init__(self, session: Session) -> None:
        self.session, self.facts = session, session.facts
        self.aliases = session.facts.aliases
        self.shadowed = session.facts.activity.shadowed
        self.bound: set[str] = set(self.shadowed)
        self.local = set(session.function.local)
        self.laid_out = frozenset(map(self.aliases.family, self._seen()))
        operations = self.facts.kinds.operations.values()
        self.gathering = {o.buffer for o in operations if isinstance(o, Accumulate) and o.gathers}

    def _seen(self) -> Iterator[str]:
        """Names whose tangents must lie in memory as they do: other names or functions look at them."""
        yield from self.shadowed
        for statement, operation in self.facts.kinds.operations.items():
            match (
                statement
            ):  # whether the order of a copy is right depends on how both lie in memory
                case gast.Expr(value=gast.Call(func=gast.Attribute(attr="in_step"), args=args)):
                    yield from syntax.loads(args)
            if isinstance(operation, UserCall):
                values = (v for p, v in operation.bound.items() if p in operation.writes)
                yield from (v.id for v in values if isinstance(v, gast.Name))
        if self.facts.kept:  # the caller may pass one array twice
            yield from (p.name for p in self.session.function.params)

    def name(self, name: str) -> str:
        """The name of a tangent."""
        return self.session.letter("d", name)

    def changes(self, name: str) -> bool:
        """Whether memory that a name may hold is written somewhere."""
        return self.aliases.is_written(name) or self.is_laid_out(name)

    def is_laid_out(self, name: str) -> bool:
        """Whether the tangent of a name must lie in memory as the name does."""
        return bool(self.laid_out) and self.aliases.family(name) in self.laid_out

    def zeros(self, name: str) -> gast.expr:
        """A zero tangent of a value that is bound."""
        return self.session.runtime("still(x)" if self.is_laid_out(name) else "zeros(x)", x=name)

    # Bindings -------------------------------------------------------------------------------

    def settled(
        self,
        statement: gast.stmt,
        operation: Operation,
        value: gast.expr | None,
        linear: bool = False,
    ) -> gast.expr:
        """The tangent of the target in memory of its own, or shared as the target is.

        ``value``: the tangent, or None for zero. ``linear``: it is what the operation makes of a tangent.
        """
        target = _bound_name(statement)
        if target in self.shadowed:
            return self._aliased(statement, operation, value, linear)
        if value is None:
            return self.zeros(target)
        if isinstance(operation, (Display, Joined)) or self._is_number(statement, value):
            return value
        if isinstance(value, gast.Constant) and value.value is None:
            return value
        whole = linear and not isinstance(operation, (Slot, Pop, Mutate))
        if target in self.gathering and not self.fresh(value):
            return self.session.runtime("owned(dx, x)", dx=value, x=target)
        if self.changes(target):
            if whole and is_view(operation):
                return value
            made = whole or (isinstance(value, gast.Call) and self.fresh(value))
            call = "owned(dx, x)" if self.is_laid_out(target) or not made else "buffer(dx, x)"
            return self.session.runtime(call, dx=value, x=target)
        if whole or self.fresh(value):
            return value
        read = syntax.loads(value)
        if isinstance(
            operation, UserCall
        ):  # the tangent of what it gives may be that of an argument
            values = (v for v in operation.bound.values() if isinstance(v, gast.Name))
            read |= {self.name(v.id) for v in values}
        if not self._changing(read):
            return value
        return self.session.runtime("owned(dx, x)", dx=value, x=target)

    def _aliased(
        self, statement: gast.stmt, operation: Operation, value: gast.expr | None, linear: bool
    ) -> gast.expr:
        target = _bound_name(statement)
        point = self.facts.graph.first[statement]
        taken = self.aliases.taken(point, operation, self.facts.kinds.before[point])
        found = dict.fromkeys([*shared(operation, statement), *sorted(taken - {target})])
        sources = [n for n in found if n in self.shadowed]
        near = {n: self.name(n) for n in taken & set(sources) - {target}}
        unbound.begin(self.session, statement, near)
        kind = self.facts.kind_after(statement, target)
        kept = isinstance(operation, (Slot, Pop, Mutate, Display, Joined))
        view = bool(sources) and is_view(operation)
        if value is not None and (kept or (linear and (view or isinstance(kind, CONTAINERS)))):
            return value
        if not sources:
            if value is None:
                return self.session.runtime("still(x)", x=target)
            return self.session.runtime("owned(dx, x)", dx=value, x=target)
        if not isinstance(kind, (Num, *CONTAINERS)):
            self._refuse(HELD, target, statement)
        zero = self.session.runtime("ZERO")
        call = self.session.runtime("followed(dy, y)", dy=value or zero, y=target)
        for source in sources:
            call.args += [syntax.name(source), syntax.name(self.name(source))]
        return call

    def _is_number(self, statement: gast.stmt, value: gast.expr) -> bool:
        """Whether the target is a number, and its tangent too: ``da[...]`` would be a view."""
        if memory(self.facts.kind_after(statement, _bound_name(statement))):
            return False
        match value:
            case gast.Subscript(slice=index):
                nodes = syntax.walk(index)
                return not any(isinstance(n, gast.Constant) and n.value is ... for n in nodes)
        return self.fresh(value) or not self._changing(syntax.loads(value))

    def _changing(self, read: Set[str]) -> bool:
        """Whether one of these is the tangent of what may be written."""
        return any(self.name(n) in read for n in self.bound if self.changes(n))

    def fresh(self, tree: gast.expr) -> bool:
        """Whether a value shares memory with nothing; ``dx + rt.ZERO`` is dx, ``1.0 * dx`` will be."""
        match tree:
            case gast.BinOp(left=left, op=gast.Add() | gast.Sub(), right=right):
                return self.fresh(left) and self.fresh(right)
            case gast.BinOp(left=left, right=right):
                return not any(isinstance(e, gast.Constant) and e.value == 1 for e in (left, right))
            case gast.UnaryOp() | gast.Constant() | gast.Compare():
                return True
            case gast.Call(func=gast.Attribute(attr="copy")):
                return True
            case gast.Call(func=func):
                callee = self._meaning(func)
                if isinstance(callee, np.ufunc):
                    return callee not in SUMS
                return any(callee is f for f in FRESH)
            case gast.Attribute():
                return self._meaning(tree) is runtime.ZERO
        return False

    def from_outside(self, result: gast.expr, body: Body) -> bool:
        """Whether the result of a body may share memory with the tangents that the user gave."""
        kind = self.facts.kinds.result
        if isinstance(kind, Num) and kind.scalar:
            return False
        found = {self.name(n) for n in self.facts.inputs}
        while True:
            new = {
                name
                for statement in _assignments(body)
                if not isinstance(statement.value, gast.BinOp)
                and not self.fresh(statement.value)
                and syntax.loads(statement.value) & found
                for name in syntax.stores(statement)
            }
            if new <= found:
                return bool(syntax.loads(result) & found)
            found |= new

    def _meaning(self, callee: gast.expr) -> object:
        """What a dotted name in generated code means; None if it is local or unknown."""
        path = syntax.dotted(callee)
        root, _, rest = (path or "").partition(".")
        if path is None or root in self.local:
            return None
        try:
            if root not in self.session.cells:
                return self.session.function.namespace.resolve(path)
            found = self.session.cells[root].cell_contents
            for attribute in filter(None, rest.split(".")):
                found = getattr(found, attribute)
        except (KeyError, AttributeError, ValueError):
            return None
        return found

    # What is refused ------------------------------------------------------------------------

    def check(self) -> None:
        """Refuse writes into arrays that are not of this function, nor of its caller."""
        if not self.aliases.outside:
            return
        for statement, operation in self.facts.kinds.operations.items():
            match operation:
                case NoFlow() if syntax.stores(statement) & self.shadowed:
                    if memory(self.facts.kind_after(statement, _bound_name(statement))):
                        for name in sorted(set(shared(operation, statement)) - self.local):
                            self._refuse(OUTER, name, statement)

    def _refuse(self, message: str, name: str, statement: gast.stmt) -> NoReturn:
        node = self.session.normal.sources.get(statement, statement)
        raise AliasError(message.format(name), self.session.function.origin.place(node), COPY)


def _assignments(body: Body) -> Iterator[gast.Assign]:
    for statement in body:
        if isinstance(statement, gast.Assign):
            yield statement
        for block in syntax.blocks(statement):
            yield from _assignments(block)


def _bound_name(statement: gast.stmt) -> str:
    (target,) = statement.targets
    name: str = target.id
    return name
