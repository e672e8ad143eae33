"""One normal statement: which operation it is, and the kind of what it binds.

In: a statement and the kinds before it.
Out: an operation and the changed kinds.
Next: inference.
"""

from __future__ import annotations

import operator
from collections.abc import Sequence
from typing import Any

import gast
import numpy as np

from tangentlite import rules, runtime, syntax
from tangentlite.analysis import callees, results
from tangentlite.analysis.atoms import Atoms, Environment
from tangentlite.analysis.kinds import (
    SCALAR,
    Dict,
    Inert,
    Kind,
    List,
    Nothing,
    Num,
    Tuple,
    Unknown,
    Value,
    element,
    floating,
    forget,
    join,
    of,
)
from tangentlite.analysis.operations import (
    Accumulate,
    Copy,
    Display,
    NoFlow,
    Opaque,
    Operation,
    Pop,
    Primitive,
    Push,
    Slot,
    UserCall,
)
from tangentlite.errors import DerivativeError, MissingRuleError, RuleError

Found = tuple[Operation, Kind]

OPERATORS: dict[type, Any] = {
    gast.Add: operator.add,
    gast.Sub: operator.sub,
    gast.Mult: operator.mul,
    gast.Div: operator.truediv,
    gast.FloorDiv: operator.floordiv,
    gast.Mod: operator.mod,
    gast.Pow: operator.pow,
    gast.MatMult: operator.matmul,
    gast.BitAnd: operator.and_,
    gast.BitOr: operator.or_,
    gast.BitXor: operator.xor,
    gast.LShift: operator.lshift,
    gast.RShift: operator.rshift,
    gast.USub: operator.neg,
    gast.UAdd: operator.pos,
    gast.Invert: operator.invert,
}


class Classifier(Atoms):
    """Classifies the statements of one function."""

    def classify(
        self, statement: gast.stmt, state: Environment, point: int
    ) -> tuple[Operation, dict[str, Kind]]:
        """The operation of a simple statement, and the kinds it changes."""
        match statement:
            case gast.Assign(targets=[gast.Name(id=name)], value=value):
                operation, kind = self.expression(value, state, point)
                if isinstance(operation, Pop):
                    kind = results.named(kind, point)
                return operation, {name: kind}
            case gast.AugAssign(
                target=gast.Subscript(value=gast.Name(id=name), slice=index), value=value
            ):
                return Accumulate(name, index, value), {}
            case gast.Expr(
                value=gast.Call(
                    func=gast.Attribute(value=gast.Name(id=name), attr="append"), args=[value]
                )
            ):
                return self._push(name, value, state)
            case gast.Expr(value=gast.Call(args=[gast.Name(id=name), index, value]) as call):
                if self.value(call.func, state) is runtime.add_at:
                    return Accumulate(name, index, value), {}
                return self._effect(call, state, point), {}
            case gast.Expr(value=gast.Call() as call):
                return self._effect(call, state, point), {}
        return NoFlow(), {}

    def expression(self, node: gast.expr, state: Environment, point: int) -> Found:
        """The operation and kind of a simple expression."""
        match node:
            case gast.Name(id=name):
                kind = self.kind(node, state)
                return (Copy(name) if name in self.locals else NoFlow()), kind
            case gast.Constant() | gast.UnaryOp(operand=gast.Constant()):
                return NoFlow(), self.kind(node, state)
            case gast.BinOp(left=left, op=op, right=right):
                return self._operator(OPERATORS[type(op)], [left, right], state, point)
            case gast.UnaryOp(op=op, operand=operand) if type(op) in OPERATORS:
                return self._operator(OPERATORS[type(op)], [operand], state, point)
            case gast.Compare() | gast.BoolOp() | gast.UnaryOp():
                return NoFlow(), self._truth(node, state, point)
            case gast.Call():
                return self._call(node, state, point)
            case gast.Subscript(value=base, slice=index):
                return self._subscript(node, base, index, state, point)
            case gast.Attribute():
                return self._attribute(node, state, point)
            case gast.Tuple() | gast.List() | gast.Dict():
                return self._display(node, state)
        return NoFlow(), Inert(type(node).__name__)

    def _truth(self, node: gast.expr, state: Environment, point: int) -> Kind:
        names = [state.get(n) for n in syntax.loads(node) if n in self.locals]
        scalar = all(isinstance(k, Num) and k.scalar for k in names) or isinstance(
            node, gast.UnaryOp
        )
        return Num(SCALAR if scalar else frozenset({point}), "bool")

    def _display(self, node: gast.expr, state: Environment) -> Found:
        match node:
            case gast.Dict(keys=keys, values=values):
                if any(not isinstance(k, gast.Constant) for k in keys):
                    return self._opaque(node, "a dict whose keys are not literals"), Unknown(
                        "its keys are not literals"
                    )
                items = tuple(forget(self.kind(v, state)) for v in values)
                return Display(tuple(values), tuple(keys)), Dict(
                    tuple(k.value for k in keys), items
                )
        elements = tuple(node.elts)
        if any(isinstance(e, gast.Starred) for e in elements):
            return self._opaque(node, "a starred element"), Unknown(
                "it was built with a starred element"
            )
        if not elements and isinstance(node, gast.List):
            return Display((), ()), List(None)
        items = tuple(forget(self.kind(e, state)) for e in elements)
        keys = tuple(syntax.constant(i) for i in range(len(elements)))
        return Display(elements, keys), Tuple(
            items, "tuple" if isinstance(node, gast.Tuple) else "list"
        )

    def _push(
        self, name: str, value: gast.expr, state: Environment
    ) -> tuple[Operation, dict[str, Kind]]:
        stack, kind = (
            self.kind(gast.Name(name, gast.Load(), None, None), state),
            forget(self.kind(value, state)),
        )
        if isinstance(stack, (List, Tuple)):
            known = element(stack)
            return Push(name, value), {
                name: List(kind if known is None else join(known, kind, None))
            }
        why = stack.why if isinstance(stack, Unknown) else "it is no list"
        return Opaque((name, *syntax.loads(value)), f"cannot append to `{name}`: {why}"), {}

    def _subscript(
        self, node: gast.expr, base: gast.expr, index: gast.expr, state: Environment, point: int
    ) -> Found:
        kind = self.kind(base, state)
        match kind:
            case Num():
                found = self._primitive(operator.getitem, [base, index], {}, node, state, point)
                return found[0], results.subscript(
                    kind, index, point, lambda e: self.kind(e, state)
                )
            case Tuple() | List() | Dict():
                item = results.slot(kind, index, lambda e: self.kind(e, state))
                if not isinstance(base, gast.Name):
                    return NoFlow(), results.named(item, point)
                return Slot(base.id, index), results.named(item, point)
            case Inert(type="shape"):
                return NoFlow(), kind if isinstance(index, gast.Slice) else Num(
                    SCALAR, "int", 0, True
                )
            case Inert() | Value() | Nothing():
                return NoFlow(), Inert()
        return self._opaque(node, f"cannot tell what `{syntax.unparse(base)}` is: {kind.why}"), kind  # type: ignore[attr-defined]

    def _attribute(self, node: gast.expr, state: Environment, point: int) -> Found:
        found = self.value(node, state)
        if found is not rules.UNKNOWN:
            return NoFlow(), results.named(of(found), point)  # ZERO keeps its kind
        kind = self.kind(node.value, state) if syntax.is_atom(node.value) else Unknown()
        if isinstance(kind, Num):
            descriptor = getattr(np.ndarray, node.attr, None)
            if rules.find(descriptor) is None:
                return self._opaque(
                    node, f"no rule for the attribute `.{node.attr}` of an array", MissingRuleError
                ), Unknown()
            return self._primitive(descriptor, [node.value], {}, node, state, point)
        if not floating(kind):
            return NoFlow(), Inert()
        return self._opaque(
            node, f"attributes of `{syntax.unparse(node.value)}` are not differentiated yet"
        ), Unknown()

    def _operator(
        self, primal: Any, operands: list[gast.expr], state: Environment, point: int
    ) -> Found:
        kinds = [self.kind(o, state) for o in operands]
        if all(isinstance(k, Num) for k in kinds):
            return self._primitive(primal, operands, {}, None, state, point)
        if not any(map(floating, kinds)):
            return NoFlow(), Inert()
        return results.container_operator(primal, operands, kinds)

    def _call(self, node: gast.Call, state: Environment, point: int) -> Found:
        keywords = {k.arg: k.value for k in node.keywords}
        if None in keywords or any(isinstance(a, gast.Starred) for a in node.args):
            return self._opaque(node, "a call with * or ** arguments"), Unknown(
                "it came from a call with * arguments"
            )
        callee = self.value(node.func, state)
        if callee is rules.UNKNOWN:
            return self._method(node, keywords, state, point)
        special = callees.special(
            callee, node.args, [self.kind(a, state) for a in node.args], point
        )
        if special is not None:
            return special
        if rules.find(callee) is not None:
            return self._primitive(callee, node.args, keywords, node, state, point)
        return self._user_call(callee, node, keywords, state, point)

    def _method(
        self, node: gast.Call, keywords: dict[str, gast.expr], state: Environment, point: int
    ) -> Found:
        if not isinstance(node.func, gast.Attribute) or not isinstance(node.func.value, gast.Name):
            kind = self.kind(node.func, state) if isinstance(node.func, gast.Name) else Unknown()
            why = f": {kind.why}" if isinstance(kind, Unknown) and kind.why else ""
            return self._opaque(
                node, f"cannot tell which function `{syntax.unparse(node.func)}` is{why}"
            ), Unknown()
        base, name = node.func.value, node.func.attr
        kind = self.kind(base, state)
        match kind:
            case Num():
                descriptor = getattr(np.ndarray, name, None)
                if rules.find(descriptor) is None:
                    return self._opaque(
                        node, f"no rule for the method `.{name}` of an array", MissingRuleError
                    ), Unknown()
                return self._primitive(descriptor, [base, *node.args], keywords, node, state, point)
            case List() | Tuple() if name == "pop" and not node.args:
                item = element(kind) or Num()
                return Pop(base.id), item
            case List() | Tuple() | Dict() if name in ("index", "count", "keys"):
                return NoFlow(), Num(SCALAR, "int") if name != "keys" else Inert()
            case Inert() | Nothing() | Value():
                return NoFlow(), Inert()
        return self._opaque(
            node, f"the method `.{name}` of `{base.id}` is not differentiated yet"
        ), Unknown()

    def _primitive(
        self,
        primal: Any,
        args: Sequence[gast.expr],
        keywords: dict[str, gast.expr],
        node: gast.expr | None,
        state: Environment,
        point: int,
    ) -> Found:
        rule = rules.find(primal)
        if rule is None:
            return self._opaque(node, f"no rule for `{primal}`", MissingRuleError), Unknown()
        if rule.algebra == "inactive":
            return NoFlow(), results.inactive(primal, [self.kind(a, state) for a in args], point)
        try:
            bound = rule.bind(args, keywords)
        except RuleError as fault:
            return Opaque(
                tuple(syntax.loads(list(args))), fault.message, fault.hint, MissingRuleError
            ), Unknown()
        rule = rule.sized(bound)
        kinds = {parameter: self.kind(value, state) for parameter, value in bound.items()}
        return Primitive(rule, bound, kinds), results.primitive(rule, primal, bound, kinds, point)

    def _user_call(
        self,
        callee: Any,
        node: gast.Call,
        keywords: dict[str, gast.expr],
        state: Environment,
        point: int,
    ) -> Found:
        bound = callees.bind(callee, node.args, keywords)
        flows = any(floating(self.kind(a, state)) for a in [*node.args, *keywords.values()])
        if isinstance(bound, str):
            if not flows and callable(callee):
                return NoFlow(), Num(frozenset({point}))
            names = tuple(sorted(n for n in syntax.loads(node) if n in self.locals))
            hint = callees.hint(callee, syntax.unparse(node.func))
            return Opaque(names, bound, hint, MissingRuleError), Num(frozenset({point}))
        kinds = tuple(
            forget(self.kind(bound[p], state)) if p in bound else forget(of(default))
            for p, default in callees.parameters(callee)
        )
        try:
            kind = self.result_kind(callee, kinds)
        except DerivativeError:
            if flows:
                raise
            return NoFlow(), Unknown(
                f"it came from `{callee.__name__}`, which is not differentiated"
            )
        return UserCall(callee, bound, kinds), results.named(kind, point)

    def _effect(self, call: gast.Call, state: Environment, point: int) -> Operation:
        """A call whose result is dropped: an observer, or something that might write into its arguments."""
        operation, _ = self.expression(call, state, point)
        arguments = [*call.args, *(k.value for k in call.keywords)]
        harmless = all(self._immutable(a, state) for a in arguments)
        if (
            isinstance(operation, UserCall)
            or harmless
            or callees.observes(self.value(call.func, state))
        ):
            return operation if isinstance(operation, UserCall) else NoFlow()
        shown = syntax.unparse(call.func)
        names = tuple(sorted(n for n in syntax.loads(call) if n in self.locals))
        reason = f"`{shown}` has no rule and no source, and might write into what it is given"
        return Opaque(
            names, reason, f"If it only looks, say so: tl.inactive({shown}).", MissingRuleError
        )
