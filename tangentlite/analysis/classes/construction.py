"""New objects of the user's classes.

In: a call of a class, and the kinds before it.
Out: an operation and the kind of the object.
Next: calls.
"""

from __future__ import annotations

import inspect
from collections.abc import Mapping
from inspect import Parameter
from types import FunctionType
from typing import Any

import gast

from tangentlite import frontend, runtime, syntax
from tangentlite.analysis.atoms import Environment, constant
from tangentlite.analysis.calling import callees
from tangentlite.analysis.classes import enums, members
from tangentlite.analysis.classes.members import lookup
from tangentlite.analysis.classes.records import is_named, makes_objects, record
from tangentlite.analysis.given import of
from tangentlite.analysis.kinds import (
    Dict,
    Kind,
    Named,
    Object,
    Tuple,
    Unknown,
    Value,
    forget,
    general,
)
from tangentlite.analysis.operations import Display, NoFlow, Opaque, Operation, UserCall
from tangentlite.analysis.storage import origins
from tangentlite.analysis.storage.writes import Writes
from tangentlite.lowering.functions.collected import VARIADIC, collected

Found = tuple[Operation, Kind]
FALLBACK = "Write properties, or a `__getattr__`, which is asked for what is missing only."


class Construction(Writes):
    """The part of the classifier for new objects."""

    def made(
        self,
        callee: Any,
        node: gast.Call,
        keywords: dict[str, gast.expr],
        state: Environment,
        point: int,
    ) -> Found | None:
        """A new object that holds what its class is given."""
        if callee is runtime.made:
            owner = self.kind(node.args[0], state)
            if isinstance(owner, Value):
                return self._displayed(owner.value, keywords, state)
        if not isinstance(callee, type):
            return None
        if isinstance(lookup(callee, "__getattribute__")[1], FunctionType):
            names = tuple(sorted(syntax.loads(node) & self.locals))
            reason = f"`{callee.__name__}`, whose `__getattribute__` answers for every attribute, is not differentiated"
            return Opaque(names, reason, FALLBACK), Unknown(reason)
        if (member := enums.chosen(Value(callee))) is not None:
            return NoFlow(), member
        form = record(callee)
        if form is None and makes_objects(callee):
            return self._initialized(callee, node, keywords, state, point)
        slots = form.bind(node.args, keywords) if form is not None else None
        return None if slots is None else self._displayed(callee, slots, state)

    def _displayed(self, callee: Any, slots: Mapping[Any, gast.expr], state: Environment) -> Found:
        kept = forget if hasattr(callee, "__get__") else general
        items = tuple(kept(self.kind(v, state)) for v in slots.values())
        keys = tuple(syntax.constant(k) for k in slots)
        display = Display(tuple(slots.values()), keys)
        if is_named(callee):
            return display, Named(items, owner=callee)
        table = dict(sorted(zip(slots, items), key=str))
        return display, Object(tuple(table), tuple(table.values()), owner=callee)

    def _initialized(
        self,
        owner: Any,
        node: gast.Call,
        keywords: dict[str, gast.expr],
        state: Environment,
        point: int,
    ) -> Found | None:
        """A new object, by what ``__init__`` does."""
        init = lookup(owner, "__init__")[1]
        if self.expander is None or not isinstance(init, FunctionType):
            return None
        own = next(iter(inspect.signature(init).parameters), "")
        init, arguments, keywords = _plain(init, node.args, keywords)
        known = members.defaults(owner, self.expander.stored)
        empty = Object(
            tuple(known), tuple(forget(constant(*d)) for d in known.items()), owner=owner
        )
        bound = callees.bind(init, [syntax.name(""), *arguments], keywords)
        if isinstance(bound, str):
            return None
        kinds, places = origins.given(
            [
                empty if p == own else self._with(bound.get(p), default, state)
                for p, default in callees.parameters(init)
            ]
        )
        del bound[own]
        self.expander.new = (owner, init, bound)
        left = dict(self.summary(init, kinds).left)
        names = tuple(sorted(syntax.loads(list(bound.values())) & self.locals))
        reason = f"`{owner.__name__}` objects are not differentiated yet"
        kind = origins.handed_out(left.get(own, empty), places, point)
        return Opaque(names, reason, "Let `__init__` set attributes."), kind

    def _with(self, value: gast.expr | None, default: object, state: Environment) -> Kind:
        match value:
            case None:
                return forget(of(default))
            case gast.Tuple(elts=elements):
                return Tuple(tuple(general(self.kind(e, state)) for e in elements))
            case gast.Dict(keys=keys, values=values):
                items = tuple(general(self.kind(v, state)) for v in values)
                return Dict(tuple(k.value for k in keys), items)
        return general(self.kind(value, state))

    def left(self, operation: Operation, point: int) -> dict[str, Kind]:
        """The kinds of lists and dicts after a call that changes them."""
        if not isinstance(operation, UserCall):
            return {}
        left = self.summary(operation.function, operation.kinds).left
        bound = [(operation.bound.get(p), kind) for p, kind in left]
        return {
            value.id: origins.handed_out(kind, operation.places, point)
            for value, kind in bound
            if isinstance(value, gast.Name)
        }


def _plain(
    init: Any, args: list[gast.expr], keywords: dict[str, gast.expr]
) -> tuple[Any, list[gast.expr], dict[str, gast.expr]]:
    """``def __init__(self, *args)`` as ``def __init__(self, args)``, and what it is called with: args may be named."""
    signature = inspect.signature(init, follow_wrapped=False)
    kinds = {p.name: p.kind for p in signature.parameters.values()}
    if not any(kind in VARIADIC for kind in kinds.values()):
        return init, args, keywords
    rest = {n: v for n, v in keywords.items() if kinds.get(n) is Parameter.VAR_POSITIONAL}
    try:
        bound = signature.bind(None, *args, **{n: v for n, v in keywords.items() if n not in rest})
    except TypeError:
        return init, args, keywords
    bound.apply_defaults()
    given: dict[str, gast.expr] = {}
    for (name, parameter), value in zip(signature.parameters.items(), bound.arguments.values()):
        if parameter.kind is Parameter.VAR_POSITIONAL:
            given[name] = rest.get(name) or gast.Tuple(list(value), gast.Load())
        elif parameter.kind is Parameter.VAR_KEYWORD:
            keys: list[gast.expr] = [syntax.constant(key) for key in value]
            given[name] = gast.Dict(keys, list(value.values()))
        elif isinstance(value, gast.AST):
            given[name] = value
    return collected(frontend.read(init, fenced=False)), [], given
