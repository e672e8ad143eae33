"""Atoms: the kinds of names and literals, and the objects that callees mean.

In: a function, and the kinds at a point.
Out: ``Atoms``, the ground of the classifier.
Next: classify.
"""

from __future__ import annotations

import operator
from collections.abc import Callable, Iterable, Mapping
from typing import Any

import gast
import numpy as np

from tangentlite import ir, rules, syntax
from tangentlite.analysis import results
from tangentlite.analysis.calling import callbacks
from tangentlite.analysis.calling.rewrites import Rewrites
from tangentlite.analysis.cfg import Graph
from tangentlite.analysis.classes.expander import Expander
from tangentlite.analysis.given import holds_names, of
from tangentlite.analysis.joining import element, number
from tangentlite.analysis.kinds import (
    CHANCE,
    FLOAT,
    SCALAR,
    Inert,
    Kind,
    Nothing,
    Num,
    Unknown,
    Value,
    forget,
)
from tangentlite.analysis.operations import NoFlow, Opaque, Operation, Summary
from tangentlite.analysis.shapes.amounts import Amount, amounts
from tangentlite.analysis.shapes.single import gives_one
from tangentlite.errors import UnsupportedSyntaxError
from tangentlite.frontend import writing
from tangentlite.values import replace

Environment = Mapping[str, Kind]
OUTSIDE = "this writes into an array, list or dict that lives outside the function"
KEEP = "Pass it as an argument, or write into a copy of it."
WITHIN = "`{}(…)`, which writes, inside an expression is not supported yet"
INTO = "`{}(…)` that is given an array to write into is not supported yet"
STORE = "Store what it gives: `a[...] = f(…)`."
ALONE = "Make it a statement of its own."


def _is_of_lists(func: gast.expr) -> bool:
    """Whether a method is one that only lists have: what is no list here may be one at another call."""
    return isinstance(func, gast.Attribute) and func.attr in ("insert", "extend", "__delitem__")


class Atoms:
    """What the names of one function hold and mean."""

    def __init__(
        self,
        function: ir.Function,
        graph: Graph,
        summary: Callable[[Any, tuple[Kind, ...]], Summary],
        stacks: frozenset[str],
        rewrites: Rewrites,
        expander: Expander | None = None,
    ) -> None:
        self.function, self.expander, self.known = function, expander, 0
        self.supers = False  # whether `super()` was asked for
        self.graph, self.summary, self.stacks, self.rewrites = graph, summary, stacks, rewrites
        rewrites.begin(function)
        self.generated = function.generated
        self.inputs = tuple(p.name for p in function.params)
        self.locals = rewrites.locals
        self.amounts = amounts(function, graph)

    @property
    def namespace(self) -> ir.Namespace:
        """What free names mean, those of rewrites included."""
        return self.rewrites.namespace

    def bounds(self, point: int) -> Mapping[str, Amount]:
        """What the names in the bounds of slices stand for at a point."""
        statement = self.graph.statements[point]
        return self.amounts.bounds.get(statement, {}) if statement is not None else {}

    def modeled(self, statement: gast.stmt, kind: Kind, state: Environment, point: int) -> Kind:
        """The kind of what ``np.zeros(a.shape, dtype=a.dtype)`` makes: it has the shape of ``a``."""
        name, first = self.amounts.models.get(statement, ("", False))
        like = state.get(name)
        if (
            not isinstance(kind, Num)
            or kind.shape != frozenset((point,))
            or not isinstance(like, Num)
        ):
            return kind
        plain = like.shape is not None and like.exact != "complex" and not like.persistent
        made = self.value(statement.value.func, state) in (np.zeros, np.ones, np.empty)
        fits = made and plain and (like.ndim == 1 if first else True)
        return replace(kind, shape=like.shape) if fits and not like.scalar else kind

    def item(self, iterable: gast.expr, state: Environment, point: int) -> Kind:
        """The kind of a loop target."""
        match iterable:
            case gast.Call(func=gast.Name(id="range")):
                return Num(SCALAR, "int", 0, True)
            case gast.Call(func=gast.Name(id="reversed"), args=[inner]):
                return self.item(inner, state, point)
        return results.named(element(self.kind(iterable, state)) or Unknown("it is empty"), point)

    def kind(self, node: gast.expr, state: Environment) -> Kind:
        """The kind of an atom."""
        if node.__class__ is gast.Name:
            name = node.id
            if name not in self.locals:
                return self.free(name)
            known = state.get(name)
            return Unknown(f"`{name}` may not be bound here") if known is None else known
        return written(node) or Inert()

    def is_number(self, node: gast.expr, state: Environment) -> bool:
        """Whether an expression is sure to give one number, or one truth."""
        return gives_one(node, lambda n: self.kind(n, state), lambda n: self.value(n, state))

    def free(self, name: str) -> Kind:
        """The kind of a global or captured name: its number may be another one at the next call."""
        try:
            value = self.namespace.lookup(name)
        except KeyError:
            return Unknown(f"`{name}` is not bound")
        return constant(name, value)

    def value(self, node: gast.expr, state: Environment) -> Any:
        """The object that a callee means when compiling, else rules.UNKNOWN."""
        path = syntax.dotted(node)
        if path is None:
            return rules.UNKNOWN
        first, _, rest = path.partition(".")
        if first in self.locals:
            kind = state.get(first)
            base = kind.value if isinstance(kind, Value) else rules.UNKNOWN
        else:
            base = self.namespace.lookup(first) if self.namespace.binds(first) else rules.UNKNOWN
        if base is rules.UNKNOWN or not rest:
            return base
        try:
            return operator.attrgetter(rest)(base)
        except AttributeError:
            return rules.UNKNOWN

    def _immutable(self, node: gast.expr, state: Environment) -> bool:
        match self.kind(node, state) if syntax.is_atom(node) else Inert():
            case Num() as kind:
                return kind.scalar
            case Inert() | Nothing() | Value():
                return True
        return False

    def _changeable(self, names: Iterable[str], state: Environment) -> tuple[str, ...]:
        """Those of some names through which a call may write."""
        return tuple(n for n in names if not self._immutable(syntax.name(n), state))

    def _handed(self, operation: Operation, node: gast.Call, state: Environment) -> Operation:
        """An operation of which nothing is known, with what it may write into."""
        if callbacks.unfollowed(node, lambda e: self.kind(e, state)):
            read = tuple(n for n in sorted(syntax.loads(node)) if n in self.locals)
            reason = callbacks.WITHIN.format(syntax.unparse(node.func))
            return Opaque(read, reason, callbacks.AS_LOOP, refused=True)
        if not isinstance(operation, NoFlow | Opaque):
            return operation
        parts = [node.func, *node.args, *(k.value for k in node.keywords)]
        names = sorted({n for p in parts for n in syntax.loads(p) if n in self.locals})
        callee = self.value(node.func, state)
        if writing.is_filling(callee):
            named = holds_names(callee.__self__)  # of whose items nobody knows
            return Opaque(tuple(names), OUTSIDE, KEEP, refused=named)
        changes = self._changeable(names, state)
        if not changes:
            return operation
        told = writing.says_so(node.keywords)
        if told or self._writes(callee, node.func, state):
            reason = (INTO if told else WITHIN).format(syntax.unparse(node.func))
            opaque = Opaque(tuple(names), reason, STORE if told else ALONE, refused=True)
            may_be = not self._are_arrays(changes, state) or _is_of_lists(node.func)
            return replace(opaque, changes=changes, of_kinds=may_be)
        if isinstance(operation, Opaque) and not operation.changes and writing.perhaps(callee):
            return replace(operation, changes=changes)
        return operation

    def _writes(self, callee: Any, func: gast.expr, state: Environment) -> bool:
        """Whether a call surely writes: a method of that name, or a function that is known for it."""
        if callee is not rules.UNKNOWN:
            return writing.is_method(callee)
        if not isinstance(func, gast.Attribute) or func.attr not in writing.METHODS:
            return False
        kind = self.kind(func.value, state) if syntax.is_atom(func.value) else Unknown()
        return kind == CHANCE or not isinstance(kind, Inert)

    def _are_arrays(self, names: Iterable[str], state: Environment) -> bool:
        kinds = [self.kind(syntax.name(n), state) for n in names]
        return all(isinstance(k, Num) and k.array for k in kinds)

    def _opaque(
        self,
        node: gast.AST | None,
        reason: str,
        hint: str,
        error: type[Exception] = UnsupportedSyntaxError,
    ) -> Opaque:
        names = (
            sorted(n for n in syntax.loads(node) if n in self.locals) if node is not None else []
        )
        return Opaque(tuple(names), reason, hint, error)


def constant(name: str, value: Any) -> Kind:
    """The kind of what a global or captured name means: its number may be another one at the next call."""
    if type(value) is int:  # a size, whichever it is at the next call
        return Num(SCALAR, "int", 0, True)
    if isinstance(value, float) and number(
        value
    ):  # no array, that `t = RATE; t += x` would write into
        return FLOAT if type(value) is float else Num(SCALAR, "", 0)
    kind = of(value)
    if isinstance(kind, Num):
        return (
            results.named(kind, name)
            if kind.exact == "zero" or kind.persistent
            else Num(frozenset({name}), kind.exact, solid=isinstance(value, np.ndarray))
        )
    return forget(kind)


def written(node: gast.expr) -> Kind | None:
    """The kind of a literal, with its sign; None of anything else."""
    match node:
        case gast.Constant(value=value):
            return results.literal(value)
        case gast.UnaryOp(op=gast.USub(), operand=gast.Constant(value=value)):
            return results.literal(-value)
    return None
