"""One normal statement: which operation it is, and the kind of what it binds.

In: a statement and the kinds before it.
Out: an operation and the changed kinds.
Next: inference.
"""

from __future__ import annotations

import operator
from typing import Any

import gast
import numpy as np

from tangentlite import rules, slips, syntax
from tangentlite.analysis import likeness, results
from tangentlite.analysis.atoms import constant
from tangentlite.analysis.calling import callees
from tangentlite.analysis.calling.texts import taken, text
from tangentlite.analysis.classes import enums, members
from tangentlite.analysis.classes.construction import Found
from tangentlite.analysis.classes.expanded import Expanded
from tangentlite.analysis.environment import Environment
from tangentlite.analysis.given import holds_names, of, read_of
from tangentlite.analysis.kinds import (
    CONTAINERS,
    SCALAR,
    Dict,
    Inert,
    Kind,
    List,
    Named,
    Nothing,
    Num,
    Object,
    Tuple,
    Unknown,
    Value,
    floating,
    forget,
    general,
)
from tangentlite.analysis.lists import containers, unordered
from tangentlite.analysis.operations import (
    Copy,
    Display,
    Mutate,
    NoFlow,
    Opaque,
    Operation,
    Pop,
    Primitive,
    Slot,
    UserCall,
)
from tangentlite.analysis.operators import OPERATORS
from tangentlite.analysis.shapes import ranks
from tangentlite.analysis.storage.writes import DICT_METHODS, LIST_METHODS
from tangentlite.errors import MissingRuleError
from tangentlite.frontend import writing
from tangentlite.values import replace

KEYS = "a dict whose keys are not literals is not differentiated yet"
STARRED = "a starred element in a display is not differentiated yet"
STORE = "Begin with `{}` and store under one key after the other: `d[key] = x`."
PASS = "Pass its numbers and arrays as arguments of their own, or in a list, tuple or dict."
CALLED = "Read an attribute that `__init__` sets, or call the method."


class Classifier(Expanded):
    """Classifies the statements of one function."""

    def classify(
        self, statement: gast.stmt, state: Environment, point: int
    ) -> tuple[Operation, dict[str, Kind]]:
        """The operation of a simple statement, and the kinds it changes."""
        taken = self.mistaken(statement, state)
        if taken is not None:
            return taken
        expanded = self.expanded(statement, state)
        if expanded is not None:
            return self.several(expanded, state, point)
        found = self.plainly(statement, state, point)
        if self.expander is not None:
            self.inlined(statement, found[0])
        return self.lost_to_super(statement, found, state) if self.supers else found

    def plainly(
        self, statement: gast.stmt, state: Environment, point: int
    ) -> tuple[Operation, dict[str, Kind]]:
        """The operation of a statement as it stands."""
        match statement:
            case gast.Assign(targets=[gast.Name(id=name)], value=value):
                changed = self._mutating(value, state)
                if changed is not None:
                    return changed[0], {**changed[2], name: results.named(changed[1], point)}
                found, kind = self.expression(value, state, point)
                kind = self.modeled(statement, kind, state, point)
                operation = self._of_members(found, statement, state)
                if isinstance(operation, Pop):
                    kind = results.named(kind, point)
                return operation, {**self.left(operation, point), name: kind}
            case gast.Assign(
                targets=[gast.Subscript(value=gast.Name(id=name), slice=index)], value=value
            ):
                return self.store(name, index, value, state)
            case gast.AugAssign(
                target=gast.Subscript(value=gast.Name(id=name), slice=index), op=op, value=value
            ):
                sign = 1 if isinstance(op, gast.Add) else -1
                return self.sum(name, index, value, sign, state)
            case gast.Expr(
                value=gast.Call(
                    func=gast.Attribute(value=gast.Name(id=name), attr="append"), args=[value]
                )
            ) if name in self.stacks:
                return self.push(name, value, state)
            case gast.Expr(value=gast.Call() as call):
                changed = self._mutating(call, state)
                if changed is not None:
                    return changed[0], changed[2]
                filled = self._filled(call, state)
                if filled is not None:
                    return NoFlow(), filled
                effect = self.effect(call, state) or self._effect(call, state, point)
                return effect, self.left(effect, point)
        return NoFlow(), {}

    def _mutating(
        self, node: gast.expr, state: Environment
    ) -> tuple[Mutate, Kind, dict[str, Kind]] | None:
        """A method that changes a list or a dict."""
        match node:
            case gast.Call(func=gast.Attribute(value=gast.Name(id=name) as base, attr=method)):
                kind = self.kind(base, state)
                if isinstance(kind, (List, Dict)) or (
                    isinstance(kind, Tuple) and kind.type == "list"
                ):
                    known = DICT_METHODS if isinstance(kind, Dict) else LIST_METHODS
                    plain = method in ("append", "pop") and not (method == "pop" and node.args)
                    if method in known and not (plain and name in self.stacks):
                        keywords = {k.arg: k.value for k in node.keywords}
                        return self.mutated(node, keywords, kind, state)
        return None

    def _of_members(
        self, operation: Operation, statement: gast.stmt, state: Environment
    ) -> Operation:
        """Nobody follows what comes to a set of numbers, and so nothing may be taken from it."""
        if isinstance(operation, NoFlow):
            return operation
        for name in self.graph.reads(statement):
            kind = state.get(name)
            if kind.__class__ is Unknown and kind in (unordered.NUMBERS, unordered.PERHAPS):
                return Opaque(self.inputs, kind.why, unordered.MEMBERS)
        return operation

    def _filled(self, call: gast.Call, state: Environment) -> dict[str, Kind] | None:
        """The kind of a set after a method that changes it."""
        match call.func:
            case gast.Attribute(value=gast.Name(id=name) as base, attr=method):
                kind = self.kind(base, state)
                if unordered.is_set(kind) and method in unordered.CHANGING:
                    given = [self.kind(a, state) for a in call.args]
                    return {name: unordered.changed(kind, given)}
        return None

    def expression(self, node: gast.expr, state: Environment, point: int) -> Found:
        """The operation and kind of a simple expression."""
        match node:
            case gast.Name(id=name):
                kind = self.kind(node, state)
                return (Copy(name) if name in self.locals else NoFlow()), kind
            case gast.Constant() | gast.UnaryOp(op=gast.USub(), operand=gast.Constant()):
                return NoFlow(), self.kind(node, state)
            case gast.BinOp(left=left, op=op, right=right):
                return self._operator(OPERATORS[type(op)], [left, right], state, point)
            case gast.UnaryOp(op=op, operand=operand) if type(op) in OPERATORS:
                return self._operator(OPERATORS[type(op)], [operand], state, point)
            case gast.Compare() | gast.BoolOp() | gast.UnaryOp():
                return NoFlow(), self._truth(node, state, point)
            case gast.Call():
                return self.call(node, state, point)
            case gast.Subscript(value=base, slice=index):
                return self._subscript(node, base, index, state, point)
            case gast.Attribute():
                return self._attribute(node, state, point)
            case gast.Tuple() | gast.List() | gast.Dict():
                return self._display(node, state, point)
        held = [self.kind(syntax.name(n), state) for n in syntax.loads(node)]
        return NoFlow(), text(held, type(node).__name__)

    def _truth(self, node: gast.expr, state: Environment, point: int) -> Kind:
        if isinstance(node, gast.UnaryOp):
            operand = node.operand
            return callees.negated(self.kind(operand, state) if syntax.is_atom(operand) else None)
        if self.is_number(node, state):
            return Num(SCALAR, "bool")
        return ranks.compared(node, lambda operand: self.kind(operand, state), point)

    def _display(self, node: gast.expr, state: Environment, point: int) -> Found:
        made = frozenset({point})
        match node:
            case gast.Dict(keys=keys, values=values):
                if any(not isinstance(k, gast.Constant) for k in keys):
                    return self._opaque(node, KEYS, STORE), Unknown("its keys are not literals")
                items = tuple(general(self.kind(v, state)) for v in values)
                names = tuple(k.value for k in keys)
                return Display(tuple(values), tuple(keys)), Dict(
                    names, items, bare=not keys, made=made
                )
        elements = tuple(node.elts)
        if any(isinstance(e, gast.Starred) for e in elements):
            return self._opaque(node, STARRED, "Join lists: `[a, *b]` is `[a] + b`."), Unknown(
                "it was built with a starred element"
            )
        if not elements and isinstance(node, gast.List):
            return Display((), ()), List(None, bare=True, made=made)
        plain = forget if isinstance(node, gast.Tuple) else general  # a list may change
        items = tuple(plain(self.kind(e, state)) for e in elements)
        keys = tuple(syntax.constant(i) for i in range(len(elements)))
        whole = Tuple(items) if isinstance(node, gast.Tuple) else Tuple(items, "list", made=made)
        return Display(elements, keys), whole

    def _subscript(
        self, node: gast.expr, base: gast.expr, index: gast.expr, state: Environment, point: int
    ) -> Found:
        kind = self.kind(base, state)
        match kind:
            case Num():
                found = self.primitive(operator.getitem, [base, index], {}, node, state, point)
                return found[0], results.subscript(
                    kind, index, point, lambda e: self.kind(e, state), self.bounds(point)
                )
            case Tuple() | List() | Dict():
                item = containers.slot(kind, index, lambda e: self.kind(e, state))
                if not isinstance(base, gast.Name):
                    return NoFlow(), results.named(item, point)
                return Slot(base.id, index), results.named(item, point)
            case Inert(type="shape"):
                part = isinstance(index, gast.Slice)
                return NoFlow(), Inert("shape") if part else Num(SCALAR, "int", 0, True)
            case Inert(type="mgrid" | "ogrid"):
                made = likeness.grid(kind.type, index, point)
                bounds = [state.get(n) for n in syntax.loads(index) if n in self.locals]
                if any(b is not None and floating(b) for b in bounds):
                    return self._opaque(node, *likeness.GRID), made
                return NoFlow(), made
            case Value(value=value) if holds_names(value):
                if isinstance(index, gast.Constant):
                    held = value.get(index.value, 0.0)  # one that is not there is an error there
                    return NoFlow(), results.named(read_of(held), point)
                return NoFlow(), Unknown("it is read by a key that is not written out")
            case Inert() | Value() | Nothing():
                return NoFlow(), enums.chosen(kind) or unordered.name_at(kind, index)
        reason = containers.cannot_tell(syntax.unparse(base), kind)
        return self._opaque(node, reason, containers.APART), kind

    def _attribute(self, node: gast.expr, state: Environment, point: int) -> Found:
        found = self.value(node, state)
        base = self.value(node.value, state)
        if found is not rules.UNKNOWN and not isinstance(base, np.ndarray):
            if isinstance(base, dict) and holds_names(base):
                return NoFlow(), results.named(read_of(found), point)
            fixed = callees.of_library(base)
            if fixed and type(found) is float:  # np.pi
                return NoFlow(), results.literal(found)
            kind = of(found) if fixed else constant(syntax.unparse(node), found)
            return NoFlow(), results.named(kind, point)  # ZERO keeps its kind
        kind = self.kind(node.value, state) if syntax.is_atom(node.value) else Unknown()
        if isinstance(kind, (Object, Named)) and node.attr != "__class__":
            return self._held(node, kind, point)
        if isinstance(kind, Num):
            descriptor = getattr(np.ndarray, node.attr, None)
            if rules.find(descriptor) is None:
                reason, hint = callees.attribute(node.attr)
                opaque = self._opaque(node, reason, hint, MissingRuleError)
                other = descriptor is None or not kind.array  # objects may have it
                return replace(opaque, of_kinds=other), Unknown(reason)
            return self.primitive(descriptor, [node.value], {}, node, state, point)
        containers.check_opened(kind, node, self.function.origin)
        if not floating(kind) or node.attr == "__class__":
            return NoFlow(), taken(kind, callees.about(kind, node.attr))
        reason = f"attributes of `{syntax.unparse(node.value)}` are not differentiated yet"
        opaque = replace(self._opaque(node, reason, PASS), of_kinds=isinstance(kind, Unknown))
        return opaque, Unknown("it is an attribute")

    def _held(self, node: gast.Attribute, kind: Object | Named, point: int) -> Found:
        """An attribute of an object: what it holds itself, or its class does."""
        base, attr = node.value, node.attr
        if isinstance(kind, Named) and attr in kind.owner._fields:
            key = kind.owner._fields.index(attr)
            return Slot(base.id, syntax.constant(key)), results.named(kind.items[key], point)
        if isinstance(kind, Object) and attr in kind.keys:
            index = syntax.constant(attr)
            item = containers.slot(kind, index, lambda e: Unknown())
            return Slot(base.id, index), results.named(item, point)
        found = members.lookup(kind.owner, attr)[1]
        if found is not members.MISSING and not hasattr(type(found), "__get__"):
            return NoFlow(), results.named(forget(of(found)), point)
        name = kind.owner.__name__
        reason, hint = f"no object of class `{name}` here has an attribute `{attr}`", CALLED
        if found is not members.MISSING:
            reason = f"`{attr}` of class `{name}` as a value is not differentiated yet"
        elif isinstance(kind, Object):
            hint = slips.near(attr, [*map(str, kind.keys), *dir(kind.owner)], CALLED)
        return self._opaque(node, reason, hint), Unknown(reason)

    def _operator(
        self, primal: Any, operands: list[gast.expr], state: Environment, point: int
    ) -> Found:
        kinds = [self.kind(o, state) for o in operands]
        if any(isinstance(k, Num) for k in kinds):  # with None this is not reached, or raises
            kinds = [Num() if isinstance(k, Nothing) else k for k in kinds]
        if all(isinstance(k, Num) for k in kinds):
            return self.primitive(primal, operands, {}, None, state, point)
        sets = unordered.combined(kinds)
        if sets is not None:
            return self._opaque(None, "", ""), sets
        if not any(map(floating, kinds)) and not any(isinstance(k, CONTAINERS) for k in kinds):
            return NoFlow(), text(kinds)
        return containers.operation(primal, operands, kinds)

    def _effect(self, call: gast.Call, state: Environment, point: int) -> Operation:
        """A call whose result is dropped: an observer, or something that might write into its arguments."""
        operation, _ = self.expression(call, state, point)
        if isinstance(operation, Primitive) and "templates" in operation.rule.file:
            return NoFlow()
        arguments = [*call.args, *(k.value for k in call.keywords)]
        known = (callee := self.value(call.func, state)) is not rules.UNKNOWN
        computed = [a for a in arguments if not isinstance(a, gast.Constant)]
        if writing.is_filling(callee) and any(floating(self.kind(a, state)) for a in computed):
            return operation
        inert = isinstance(call.func, gast.Attribute) and self._immutable(call.func.value, state)
        harmless = (known or inert) and all(self._immutable(a, state) for a in arguments)
        if isinstance(operation, UserCall) or harmless or callees.observes(callee):
            return operation if isinstance(operation, UserCall) else NoFlow()
        shown = syntax.unparse(call.func)
        names = tuple(sorted(n for n in syntax.loads(call) if n in self.locals))
        changes = self._changeable(names, state)
        if isinstance(operation, Opaque) and operation.of_kinds:
            method = isinstance(call.func, gast.Attribute)
            return replace(operation, changes=changes) if method else operation
        reason, hint = callees.effect(callee, shown)
        error: type[Exception] = MissingRuleError
        if not known and isinstance(operation, Opaque):
            reason, hint = operation.reason, operation.hint or hint
            error = operation.error or error
        return Opaque(names, reason, hint, error, callees.of_runtime(callee), changes=changes)
