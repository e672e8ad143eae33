"""An object that nobody else holds is dissolved: its attributes are variables.

In: a normal form and its kinds.
Out: a normal form in which ``x = C(v); f = vars(x); f["n"] = 2; y = x.n`` is ``x_w = v; x_n = 2; y = x_n``.
Next: inference.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator, Set
from typing import Any

import gast

from tangentlite import lowering, syntax
from tangentlite.analysis.cfg import Graph
from tangentlite.analysis.classes import members
from tangentlite.analysis.inference import Inference
from tangentlite.analysis.kinds import Object
from tangentlite.analysis.occurrences import blocks, loops, times_bound
from tangentlite.analysis.operations import Display, UserCall
from tangentlite.lowering import Normal
from tangentlite.lowering.rewriting import within
from tangentlite.values import field, mutable, replace

Body = list[gast.stmt]
OURS = re.compile(r"t\d+$")


@mutable
class Dissolved:
    """An object: the names of its attributes, and its own; ``views`` are ``vars`` of it.

    ``lasting``: it is made once, outside of loops. ``stored``: the attributes that are set.
    """

    owner: Any
    made: gast.stmt
    slots: dict[str, str]
    lasting: bool
    views: set[str] = field(default_factory=set)
    stored: set[str] = field(default_factory=set)


def dissolved(normal: Normal, graph: Graph, inferred: Inference) -> Normal | None:
    """The normal form without the objects that nobody else holds; None if there are none."""
    found = _found(normal, graph, inferred)
    return _Dissolve(normal, inferred, graph, found).run() if found else None


def reading(
    normal: Normal, graph: Graph, inferred: Inference, written: Set[str]
) -> dict[gast.stmt, UserCall]:
    """The calls that read objects which would be dissolved but for them, and which are written."""
    calls = {s: o for s, o in inferred.operations.items() if isinstance(o, UserCall)}
    without = {name for call in calls.values() for name in _given(call)} & written
    if not without:
        return {}
    found = without & _found(normal, graph, inferred, set(calls)).keys()
    return {s: call for s, call in calls.items() if found.intersection(_given(call))}


def _given(call: UserCall) -> Iterator[str]:
    return (v.id for v in call.bound.values() if isinstance(v, gast.Name))


def _found(
    normal: Normal, graph: Graph, inferred: Inference, aside: Set[gast.stmt] = frozenset()
) -> dict[str, Dissolved]:
    body, names = normal.function.body, normal.names.copy()
    kinds = ((s, makes(s, graph, inferred)) for s in syntax.statements(body))
    made = [(s, kind) for s, kind in kinds if kind is not None and _is_plain(kind)]
    if not made:
        return {}
    bound = times_bound(body)
    looped = {s for loop in loops(body) for s in syntax.statements(loop.body)}
    found: dict[str, Dissolved] = {}
    for statement, kind in made:
        assert isinstance(statement, gast.Assign)
        name, operation = statement.targets[0].id, inferred.operations[statement]
        if bound[name] == 1 and name not in normal.function.params:
            assert isinstance(operation, Display)
            keys = [k.value for k in operation.keys]
            slots = {key: names.fresh(f"{name}_{key.strip('_')}") for key in keys}
            found[name] = Dissolved(kind.owner, statement, slots, statement not in looped)
    _follow(body, found, bound)
    for name in _escaping(body, found, aside):
        found.pop(name, None)
    return found


def makes(statement: Any, graph: Graph, inferred: Inference) -> Object | None:
    """The kind of the object that a statement makes; None if it makes none."""
    if statement not in graph.last:
        return None
    match inferred.operations.get(statement), statement:
        case Display(), gast.Assign(targets=[gast.Name(id=name)]):
            kind = inferred.after[graph.last[statement]].get(name)
            return kind if isinstance(kind, Object) else None
    return None


def _is_plain(kind: Object) -> bool:
    """Whether a kind is that of an object all of whose attributes are known, and nothing but attributes."""
    if kind.fields or kind.loose or kind.optional:
        return False
    return not any(members.is_described(kind.owner, str(key)) for key in kind.keys)


def _follow(body: Body, found: dict[str, Dissolved], bound: Counter[str]) -> None:
    """Find the names of ``vars(x)``, and the attributes that are set."""
    for statement in syntax.statements(body):
        match statement:
            case gast.Assign(targets=[gast.Name(id=view)], value=value) if (
                name := syntax.viewed(value)
            ) in found and bound[view] == 1:
                found[name].views.add(view)
    views = {view: one for one in found.values() for view in one.views}
    for statement in syntax.statements(body):
        match statement:
            case (
                gast.Assign(
                    targets=[
                        gast.Subscript(value=gast.Name(id=view), slice=gast.Constant(value=key))
                    ]
                )
                | gast.AugAssign(
                    target=gast.Subscript(value=gast.Name(id=view), slice=gast.Constant(value=key))
                )
            ) if view in views:
                views[view].stored.add(key)


def _escaping(body: Body, found: dict[str, Dissolved], aside: Set[Any]) -> set[str]:
    """The objects that are used otherwise than by attributes that they have."""
    owners = {name: name for name in found}
    owners |= {view: name for name, one in found.items() for view in one.views}
    escaped: set[str] = set()
    for statement in syntax.statements(body):
        view = getattr(statement, "value", None)
        if (name := syntax.viewed(view)) in found and not syntax.is_bare(view):
            escaped |= set() if members.sets_plainly(found[name].owner) else {name}
        for node in () if statement in aside else _parts(statement):
            for name in _held(node, owners, found):
                escaped.add(owners[name])
    return escaped


def _held(node: Any, owners: dict[str, str], found: dict[str, Dissolved]) -> Iterator[str]:
    """The names of objects in an expression that stand for themselves."""
    match node:
        case gast.Name(id=name, ctx=gast.Load()):
            if name in owners:
                yield name
        case gast.Attribute(value=gast.Name(id=name), attr=key) if name in found:
            if key not in found[name].slots:
                yield name
        case gast.Subscript(value=gast.Name(id=name), slice=gast.Constant(value=key)) if (
            name in owners and name not in found
        ):
            if key not in found[owners[name]].slots:
                yield name
        case gast.Call() if (name := syntax.viewed(node)) in found:
            if not found[name].views:
                yield name
        case ast_node:
            for part in syntax.children(ast_node):
                yield from _held(part, owners, found)


def _parts(statement: Any) -> list[Any]:
    """What a statement says itself, without its blocks."""
    if not syntax.blocks(statement):
        return [statement]
    heads = (getattr(statement, name, None) for name in ("test", "iter", "target"))
    return [head for head in heads if head is not None]


class _Dissolve:
    """Writes the statements anew."""

    def __init__(
        self, normal: Normal, inferred: Inference, graph: Graph, found: dict[str, Dissolved]
    ) -> None:
        self.normal, self.inferred, self.graph, self.found = normal, inferred, graph, found
        self.names, self.sources = normal.names.copy(), dict(normal.sources)
        self.views = {view: one for one in found.values() for view in one.views}
        self.same: dict[str, str] = {}
        for one in found.values():
            for name in one.slots.values():
                self.names.fresh(name)

    def run(self) -> Normal:
        bound = times_bound(self.normal.function.body)
        read = syntax.times_loaded(self.normal.function.body)
        for block in blocks(self.normal.function.body):
            for k, statement in enumerate(block):
                self._note(statement, block[k + 1 :], bound, read)
        body = self.block(self.normal.function.body)
        function = self.normal.function.with_body(body)
        stacks = lowering.lists.stacks.found(function)
        return replace(
            self.normal, function=function, sources=self.sources, names=self.names, stacks=stacks
        )

    def _note(self, statement: Any, later: Body, bound: Counter[str], read: Counter[str]) -> None:
        """``t1 = x.w`` is the variable itself if the attribute is not set again before t1 is read for the last time."""
        match statement:
            case gast.Assign(
                targets=[gast.Name(id=name)],
                value=gast.Attribute(value=gast.Name(id=holder), attr=key),
            ) if holder in self.found and OURS.match(name) and bound[name] == 1:
                one = self.found[holder]
                forever = one.lasting and key not in one.stored
                if forever or self._is_read_first(name, key, one, later, read[name]):
                    self.same[name] = one.slots[key]

    def _is_read_first(self, name: str, key: str, one: Dissolved, later: Body, times: int) -> bool:
        """Whether all that reads a name stands before what sets an attribute, or makes the object, again."""
        for statement in later:
            times -= syntax.times_loaded([statement])[name]
            sets = any(n is one.made for n in syntax.statements([statement])) or any(
                isinstance(n, gast.Subscript)
                and isinstance(n.ctx, gast.Store)
                and getattr(n.value, "id", "") in one.views
                and getattr(n.slice, "value", None) == key
                for n in syntax.walk(statement)
            )
            if sets or times == 0:
                return times == 0 and not (sets and syntax.blocks(statement))
        return False

    def block(self, body: Body) -> Body:
        found = [new for s in body for new in self.statement(within(s, self.block, self.sources))]
        return found or [self._like(gast.Pass(), body[0])]

    def statement(self, statement: gast.stmt) -> Body:
        match statement:
            case gast.Assign(targets=[gast.Name(id=name)]) if name in self.found:
                return self._made(statement, self.found[name])
            case gast.Assign(targets=[gast.Name(id=name)]) if (
                name in self.views or name in self.same
            ):
                return []
            case gast.Assign(
                targets=[gast.Subscript(value=gast.Name(id=view), slice=gast.Constant(value=key))],
                value=value,
            ) if view in self.views:
                return [self._set(statement, self.slot(view, key), self.read(value))]
            case gast.AugAssign(
                target=gast.Subscript(value=gast.Name(id=view), slice=gast.Constant(value=key))
            ) if view in self.views:
                return self._added(statement, self.slot(view, key))
        return [self._reading(statement)]

    def slot(self, view: str, key: str) -> str:
        return self.views[view].slots[key]

    def _made(self, statement: gast.stmt, one: Dissolved) -> Body:
        operation = self.inferred.operations[one.made]
        assert isinstance(operation, Display)
        values = zip(operation.keys, operation.elements)
        return [
            self._like(syntax.assign(one.slots[k.value], self.read(v)), statement)
            for k, v in values
        ]

    def _set(self, statement: gast.stmt, name: str, value: gast.expr) -> gast.stmt:
        """``x.w = v``; what ends ``x.w *= e`` ends an augmented assignment of the variable."""
        made, user = self._like(syntax.assign(name, value), statement), self.sources[statement]
        if isinstance(user, gast.AugAssign):
            target = syntax.at(syntax.store(syntax.name(name)), user)
            self.sources[made] = syntax.at(gast.AugAssign(target, user.op, user.value), user)
        return made

    def _added(self, statement: Any, name: str) -> Body:
        """``x.n += e`` is ``t = x_n + e; x_n = t``."""
        total = self.names.numbered("t")
        added = gast.BinOp(syntax.name(name), statement.op, self.read(statement.value))
        first = self._like(syntax.assign(total, added), statement)
        return [first, self._set(statement, name, syntax.name(total))]

    def _like(self, new: gast.stmt, statement: gast.stmt) -> gast.stmt:
        for node in syntax.walk(new):
            syntax.at(node, statement)
        self.sources[new] = self.sources[statement]
        return new

    def _reading(self, statement: Any) -> gast.stmt:
        """The statement that reads variables instead of attributes."""
        if not any(syntax.loads(part) & self._own() for part in _parts(statement)):
            return statement
        new = statement.__class__.__new__(statement.__class__)
        new.__dict__.update(statement.__dict__)
        for name in ("test", "iter") if syntax.blocks(statement) else statement._fields:
            part = getattr(statement, name, None)
            if isinstance(part, list):
                new.__dict__[name] = [self.read(p) for p in part]
            elif isinstance(part, gast.AST):
                new.__dict__[name] = self.read(part)
        self.sources[new] = self.sources[statement]
        return new

    def _own(self) -> set[str]:
        return {*self.found, *self.views, *self.same}

    def read(self, node: Any) -> Any:
        """An expression with variables for attributes."""
        match node:
            case gast.Attribute(value=gast.Name(id=name), attr=key) if name in self.found:
                return syntax.at(syntax.name(self.found[name].slots[key]), node)
            case gast.Subscript(value=gast.Name(id=name), slice=gast.Constant(value=key)) if (
                name in self.views
            ):
                return syntax.at(syntax.name(self.slot(name, key)), node)
            case gast.Name(id=name, ctx=gast.Load()) if name in self.same:
                return syntax.at(syntax.name(self.same[name]), node)
            case gast.AST() if syntax.loads(node) & self._own():
                new = node.__class__.__new__(node.__class__)
                new.__dict__.update(node.__dict__)
                for name in node._fields:
                    part = getattr(node, name, None)
                    if isinstance(part, list):
                        new.__dict__[name] = [self.read(p) for p in part]
                    elif isinstance(part, gast.AST):
                        new.__dict__[name] = self.read(part)
                return new
        return node
