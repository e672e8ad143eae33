"""Loops over values that are not alike, one trip after the other: each trip meets one of its own.

In: a normal form and its kinds.
Out: a normal form in which ``for f in (g, h): x = f(x)`` has one block for g and one for h.
Next: inference.
"""

from __future__ import annotations

import gast

from tangentlite import syntax
from tangentlite.analysis.cfg import Graph
from tangentlite.analysis.classes.meant import Meant, copied, marks
from tangentlite.analysis.environment import Environment
from tangentlite.analysis.inference import Inference
from tangentlite.analysis.inside import has_objects, unknown_inside
from tangentlite.analysis.joining import element
from tangentlite.analysis.kinds import CONTAINERS, Inert, Kind, Named, Num, Tuple, choices
from tangentlite.analysis.lists import said
from tangentlite.analysis.lists.unordered import unlike
from tangentlite.ir import Function
from tangentlite.lowering import Normal
from tangentlite.lowering.rewriting import within
from tangentlite.values import mutable, replace

TRIPS = 32
Sources = dict[gast.stmt, gast.stmt]


def unrolled(normal: Normal, graph: Graph, inferred: Inference, meant: Meant) -> Normal | None:
    """The normal form without its loops over functions and over values that differ; None if there is none."""
    trips = {s: n for s in graph.first if (n := _trips(s, graph, inferred)) is not None}
    if not trips:
        return None
    sources = dict(normal.sources)
    unroll = _Unroll(normal.function, trips, graph, inferred, sources, meant)
    body = unroll.block(normal.function.body)
    return replace(normal, function=normal.function.with_body(body), sources=sources)


def _trips(statement: gast.stmt, graph: Graph, inferred: Inference) -> range | None:
    """The indices of a loop that walks over such values, or over nothing, if they are known."""
    match statement:
        case gast.For(target=gast.Name(id=index), iter=walk, body=body):
            state, bound = inferred.before[graph.first[statement]], syntax.stores(body)
            trips = _range(walk, state)
            if trips is None or index in bound or not trips:
                return trips if index not in bound else None
            if len(trips) > TRIPS:
                return None
            named, start = _named(body, index, state), _entry(statement, graph, inferred)
            for node in (n for s in body for n in syntax.walk(s)):
                match node:
                    case gast.Subscript(value=gast.Name(id=base), slice=gast.Name(id=at)):
                        if at == index and base not in bound and _differ(start.get(base)):
                            return trips
                        if at in named and base not in bound and unlike(state.get(base)):
                            return trips
                    case gast.Call(
                        func=gast.Name(id="setattr" | "getattr"), args=[_, gast.Name(id=at), *_]
                    ) if at in named:
                        return trips
                    case gast.Expr() | gast.Assign() | gast.AugAssign():
                        if mixes(node, graph, inferred):
                            return trips
    return None


def _entry(loop: gast.For, graph: Graph, inferred: Inference) -> Environment:
    """What holds before a loop: what its trips write may be of any of the objects that it walks over."""
    return inferred.after[graph.predecessors[graph.first[loop]][0]]


def _named(body: list[gast.stmt], index: str, state: Environment) -> set[str]:
    """The names that hold a text of the source in each trip: ``name = names[i]``."""
    found: set[str] = set()
    for statement in body:
        match statement:
            case gast.Assign(
                targets=[gast.Name(id=name)],
                value=gast.Subscript(value=gast.Name(id=base), slice=gast.Name(id=at)),
            ) if at == index:
                kind = state.get(base)
                texts = isinstance(kind, Tuple) and all(map(_is_text, kind.items))
                if texts or (isinstance(kind, Inert) and isinstance(kind.literal, tuple)):
                    found.add(name)
            case gast.Assign(targets=[gast.Name(id=name)], value=gast.Name(id=other)):
                found |= {name} if other in found else set()
    return found


def _is_text(kind: Kind) -> bool:
    return isinstance(kind, Inert) and isinstance(kind.literal, str)


def _range(walk: gast.expr, state: Environment) -> range | None:
    """The numbers of a ``range``, backward or not, if they are known."""
    match walk:
        case gast.Call(func=gast.Name(id="reversed"), args=[inner]):
            found = _range(inner, state)
            return None if found is None else found[::-1]
        case gast.Call(func=gast.Name(id="range"), args=bounds):
            known = [_whole(b, state) for b in bounds]
            numbers = [k for k in known if k is not None]
            if len(numbers) == len(known) and numbers[2:] != [0]:
                return range(*numbers)
    return None


def _whole(bound: gast.expr, state: Environment) -> int | None:
    """The value of a bound of a ``range``, if it is known."""
    value = None
    match bound:
        case gast.Name(id=name):
            kind = state.get(name)
            value = kind.literal if isinstance(kind, Num) else None
        case gast.Constant(value=value):
            pass
        case gast.UnaryOp(op=gast.USub(), operand=gast.Constant(value=int() as below)):
            value = -below
    return value if isinstance(value, int) else None


def mixes(statement: gast.stmt, graph: Graph, inferred: Inference) -> bool:
    """Whether a statement puts objects or functions into a list or dict of others that are not of their kind."""
    found = put(statement)
    if found is None or statement not in graph.first:
        return False
    name, value = found
    held = inferred.before[graph.first[statement]].get(value)
    known = inferred.after[graph.last[statement]].get(name)
    if not (has_objects(held) or choices(held)) or unknown_inside(_own(held)):
        return False
    return isinstance(known, CONTAINERS) and unknown_inside(known)


def put(statement: gast.stmt) -> tuple[str, str] | None:
    """The names of a list, a dict or ``vars(x)``, and of what is put into it, or joined to it."""
    match statement:
        case gast.Expr(
            value=gast.Call(
                func=gast.Attribute(value=gast.Name(id=name), attr="append" | "extend"),
                args=[gast.Name(id=value)],
            )
        ):
            return name, value
        case (
            gast.Assign(
                targets=[
                    gast.Subscript(value=gast.Name(id=name), slice=gast.Constant() | gast.Name())
                ],
                value=gast.Name(id=value),
            )
            | gast.AugAssign(
                target=gast.Subscript(value=gast.Name(id=name), slice=gast.Constant(value=str())),
                op=gast.Add(),
                value=gast.Name(id=value),
            )
        ):
            return name, value
    return None


def _own(kind: Kind | None) -> Kind | None:
    """The kind of the items of a list or tuple, one by one."""
    return None if isinstance(kind, Tuple) and not any(map(unknown_inside, kind.items)) else kind


def _differ(kind: object) -> bool:
    """Whether the items of a sequence are functions, or of kinds that differ."""
    if not isinstance(kind, Tuple) or isinstance(kind, Named):
        return False
    if any(map(choices, kind.items)):
        return True
    return unknown_inside(element(kind)) and not any(map(unknown_inside, kind.items))


@mutable
class _Unroll:
    """``trips``: the loops, and the indices of their trips."""

    function: Function
    trips: dict[gast.stmt, range]
    graph: Graph
    inferred: Inference
    sources: Sources
    meant: Meant

    def block(self, body: list[gast.stmt]) -> list[gast.stmt]:
        """The block without these loops."""
        result: list[gast.stmt] = []
        for statement in body:
            if statement in self.trips:
                state = self.inferred.before[self.graph.first[statement]]
                names = sorted(syntax.loads(statement.iter) & set(state))
                noted = marks(statement, names, state.get, self.meant)
                self.sources.update((mark, self.sources[statement]) for mark in noted)
                result += noted
                result += self.spread(statement, self.trips[statement])
                continue
            result.append(within(statement, self.inner, self.sources))
        return result

    def inner(self, body: list[gast.stmt]) -> list[gast.stmt]:
        return self.block(body) or [self.like(gast.Pass(), body[0])]

    def spread(self, loop: gast.For, trips: range) -> list[gast.stmt]:
        """The trips that are left; after ``if stop: break`` the others are made if it does not stop."""
        if not trips:
            return []
        index = self.like(syntax.assign(loop.target.id, syntax.constant(trips[0])), loop)
        body, end = syntax.parted(loop.body)
        first = [index, *self.copied(body)]
        if index.targets[0].id not in syntax.stores(loop.body):
            said.say(first[1:], index.targets[0].id, trips[0], self.function)
        rest = self.spread(loop, trips[1:])
        if not end or not rest:
            return [*first, *rest]
        nothing = self.like(gast.Pass(), end[0])
        return [*first, self.like(gast.If(syntax.copy(end[0].test), [nothing], rest), end[0])]

    def like(self, new: gast.stmt, place: gast.stmt) -> gast.stmt:
        for node in syntax.walk(new):
            syntax.at(node, getattr(place, "target", place))
        self.sources[new] = self.sources[place]
        return new

    def copied(self, body: list[gast.stmt]) -> list[gast.stmt]:
        result = []
        for statement in body:
            new = syntax.copy(statement)
            pairs = [*zip(syntax.walk(statement), syntax.walk(new), strict=True)]
            self.sources.update((b, self.sources[a]) for a, b in pairs if a in self.sources)
            copied(self.meant, pairs)
            result.append(new)
        return result
