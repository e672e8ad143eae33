"""``rt.pour(bx, e)`` in the text of a derivative, part by part, so that it has a derivative itself.

In: a normal form and its kinds.
Out: a normal form in which ``rt.pour`` is a statement for each array of the shadow, if it is known what lies in there.
Next: inference.
"""

from __future__ import annotations

from typing import Any

import gast

from tangentlite import runtime, syntax
from tangentlite.analysis.cfg import Graph
from tangentlite.analysis.inference import Inference
from tangentlite.analysis.kinds import (
    Again,
    Dict,
    Inert,
    Kind,
    Linked,
    List,
    Nested,
    Nothing,
    Num,
    Tuple,
    Unknown,
    Value,
    is_open,
)
from tangentlite.lowering import Normal
from tangentlite.lowering.rewriting import Rewriting

Body = list[gast.stmt]


def unfolded(normal: Normal, graph: Graph, inferred: Inference) -> Normal:
    """The normal form in which shadows are added to part by part."""
    found: dict[gast.stmt, Kind] = {}
    for statement in inferred.operations if normal.function.generated else ():
        match statement:
            case gast.Expr(
                value=gast.Call(
                    func=gast.Attribute(attr="pour"), args=[gast.Name(id=name), gast.Name()]
                )
            ):
                kind = inferred.before[graph.first[statement]].get(name)
                if kind is not None and _is_known(kind):
                    found[statement] = kind
    return _Unfolding(normal, found).run() if found else normal


def _is_known(kind: Kind | None) -> bool:
    """Whether it is known what lies in a shadow."""
    match kind:
        case Nested() | Linked() | Again() | Unknown():
            return False
        case Tuple(items=items) | Dict(items=items):
            return all(map(_is_known, items))
        case List(item=item):
            return item is None or _is_known(item)
    return isinstance(kind, (Num, Inert, Nothing, Value))


class _Unfolding(Rewriting):
    def __init__(self, normal: Normal, found: dict[gast.stmt, Kind]) -> None:
        super().__init__(normal)
        self.found = found
        self.range, self.len = self.name(range, "range"), self.name(len, "len")
        self.rt = self.name(runtime, "rt")

    def block(self, body: Body) -> Body:
        result: Body = []
        for statement in body:
            if statement not in self.found:
                result.append(self.inside(statement))
                continue
            bx, e = statement.value.args
            new = self.poured(bx.id, e.id, self.found[statement]) or [gast.Pass()]
            result += self.placed(new, statement)
        return result

    def poured(self, bx: str, e: str, kind: Kind) -> Body:
        """``e`` added to a shadow of a kind; either may be a zero that stands for the whole."""
        match kind:
            case Num(exact=exact):
                return [] if exact == "zero" else self.quote("rt.add_at(bx, ..., e)", bx=bx, e=e)
            case List(item=Kind() as item):
                return self.nest(bx, e, self.slots("n = len(bx)", "range(n)", bx, e, item))
            case Dict(keys=keys, items=(item,)) if is_open(keys):
                return self.nest(bx, e, self.slots("n = rt.sequence(e)", "n", bx, e, item))
            case Tuple(items=items):
                parts = [self.part(bx, e, k, item) for k, item in enumerate(items)]
                return self.nest(bx, e, [s for part in parts for s in part])
            case Dict(keys=keys, items=items):
                return self.nest(bx, e, self.attributes(bx, e, kind))
        return []

    def nest(self, bx: str, e: str, body: Body) -> Body:
        """What is done if there are parts."""
        if not body:
            return []
        test = self.names.fresh("taken")
        text = "test = rt.nests(bx, e)\nif test:\n    pass"
        made = self.quote(text, test=test, bx=bx, e=e)
        made[1].body = body
        return made

    def slots(self, count: str, walked: str, bx: str, e: str, item: Kind) -> Body:
        """The elements of a list, or of a dict of unknown keys."""
        k, n = self.names.fresh("k"), self.names.numbered("t")
        body = self.part(bx, e, syntax.name(k), item)
        if not body:
            return []
        made = self.quote(f"{count}\nfor k in {walked}:\n    pass", n=n, k=k, bx=bx, e=e)
        made[1].body = body
        return made

    def attributes(self, bx: str, e: str, kind: Dict) -> Body:
        """What is in both of two dicts."""
        body: Body = []
        for key, item in zip(kind.keys, kind.items):
            part = self.part(bx, e, key, item)
            if part:
                held = syntax.constant(key)
                (asked,) = self.quote("if key in e:\n    pass", key=held, e=e)
                asked.body = part
                body.append(asked)
        return body

    def part(self, bx: str, e: str, key: Any, item: Kind) -> Body:
        """The part under a key."""
        inner, given = self.names.numbered("t"), self.names.numbered("t")
        body = self.poured(inner, given, item)
        key = key if isinstance(key, gast.AST) else syntax.constant(key)
        text = "t = bx[key]\nu = e[key]"
        return [*self.quote(text, t=inner, u=given, bx=bx, e=e, key=key), *body] if body else []

    def quote(self, text: str, **holes: Any) -> Body:
        rt = syntax.name(self.rt)
        own = {"rt": rt, "range": syntax.name(self.range), "len": syntax.name(self.len)}
        return syntax.quote(text, **own, **holes)
