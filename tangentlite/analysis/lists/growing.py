"""Lists of unlike objects that are filled one after the other are made at once: each item keeps its own kind.

In: a normal form and its kinds.
Out: a normal form in which ``xs = []; xs.append(a); xs.append(b)`` is ``xs = [a, b]``; dicts likewise.
Next: unrolled.
"""

from __future__ import annotations

from typing import Any

import gast

from tangentlite import syntax
from tangentlite.analysis.cfg import Graph
from tangentlite.analysis.classes.meant import Meant
from tangentlite.analysis.inference import Inference
from tangentlite.analysis.kinds import Kind, Num, Object, Tuple
from tangentlite.analysis.lists import said
from tangentlite.analysis.lists.unrolled import mixes, put
from tangentlite.analysis.operations import Display, Joined, Slot
from tangentlite.lowering import Normal
from tangentlite.lowering.rewriting import within
from tangentlite.values import mutable, replace

Sources = dict[gast.stmt, gast.stmt]
Table = dict[str, set[Any]]
Found = tuple[tuple[Table, set[Any]] | None, gast.stmt]
Items = list[tuple[gast.expr | None, gast.expr]]


def grown(normal: Normal, graph: Graph, inferred: Inference, meant: Meant) -> Normal | None:
    """The normal form in which lists of objects of several classes are made at once; None if there are none."""
    unlike = {s for s in graph.first if mixes(s, graph, inferred)}
    if not unlike:
        return None
    lists = _Lists(normal, unlike, graph, inferred, meant, dict(normal.sources))
    body = lists.block(normal.function.body)
    if body is normal.function.body:
        return None
    return replace(normal, function=normal.function.with_body(body), sources=lists.sources)


@mutable
class _Lists:
    """Looks for the lists of a function; ``unlike``: the statements that put unlike objects into them."""

    normal: Normal
    unlike: set[gast.stmt]
    graph: Graph
    inferred: Inference
    meant: Meant
    sources: Sources

    def block(self, body: list[gast.stmt]) -> list[gast.stmt]:
        """The block with its lists made at once; the same block if there are none."""
        result = [within(s, self.block, self.sources) for s in body]
        k = 0
        while k < len(result):
            if (begun := self.begun(result[k])) is not None:
                tries = [_Growth(self, *begun, lists) for lists in (False, True)]
                found = max((t.run(result[k + 1 :]) for t in tries), key=lambda f: f[0])
                result[k:] = found[1] if found[0] else result[k:]
            k += 1
        same = len(result) == len(body) and all(a is b for a, b in zip(result, body))
        return body if same else result

    def begun(self, statement: gast.stmt) -> tuple[gast.stmt, list[gast.stmt], Items] | None:
        """A new list or dict: the statements that make its items, and these."""
        match statement:
            case gast.Assign(targets=[gast.Name()], value=gast.List(elts=elts)):
                starred = any(isinstance(e, gast.Starred) for e in elts)
                return None if starred else (statement, [], [(None, e) for e in elts])
            case gast.Assign(targets=[gast.Name()], value=gast.Dict(keys=keys, values=values)):
                return statement, [], list(zip(keys, values))
            case gast.Assign(targets=[gast.Name(id=name)], value=value):
                kind = self.kind(statement, name, after=True)
                operation = self.inferred.operations.get(statement)
                new = isinstance(operation, Joined) or (
                    isinstance(operation, Slot) and isinstance(operation.index, gast.Slice)
                )
                match value:
                    case gast.Call(func=func) if self.means(func, list):
                        new = True
                if new and isinstance(kind, Tuple) and kind.type == "list":
                    whole = self.temporary(value, statement)
                    parts = self.parts(whole.targets[0].id, kind, statement)
                    return (
                        statement,
                        [whole, *parts],
                        [(None, syntax.name(p.targets[0].id)) for p in parts],
                    )
        return None

    def parts(self, name: str, kind: Tuple, place: gast.stmt) -> list[gast.Assign]:
        """A name for each item of a list or tuple."""
        items = (
            gast.Subscript(syntax.name(name), syntax.constant(k), gast.Load())
            for k in range(len(kind.items))
        )
        return [self.temporary(item, place) for item in items]

    def temporary(self, value: gast.expr, place: gast.stmt) -> gast.Assign:
        """A statement that gives a value a name."""
        made = syntax.assign(self.normal.names.numbered("t"), value)
        self.like(made, place)
        return made

    def kind(self, statement: gast.stmt, name: str, after: bool = False) -> Kind | None:
        """The kind of a name before or after a statement."""
        point = (self.graph.last if after else self.graph.first).get(statement)
        if point is None:
            return None
        return (self.inferred.after if after else self.inferred.before)[point].get(name)

    def means(self, func: gast.expr, value: Any) -> bool:
        """Whether a function is called by its path."""
        path = syntax.dotted(func) or ""
        if path.partition(".")[0] in self.normal.function.local:
            return False
        try:
            return self.normal.function.namespace.resolve(path) is value
        except (KeyError, AttributeError):
            return False

    def like(self, new: gast.stmt, place: gast.stmt) -> gast.stmt:
        """A new statement, at the place of another one."""
        for node in syntax.walk(new):
            syntax.at(node, place)
        self.sources[new] = self.sources[place]
        return new


class _Growth:
    """The statements after ``xs = []``: those that only hand the list on wait until it is full.

    ``lists``: other new lists that are empty wait, too.
    """

    def __init__(
        self, all_: _Lists, made: gast.Assign, before: list[gast.stmt], items: Items, lists: bool
    ) -> None:
        self.all, self.made, self.before, self.items = all_, made, [*before], [*items]
        self.with_lists = lists
        self.lists: Table = {made.targets[0].id: set()}  # names of the list
        self.holders: Table = {}  # of objects, and the attributes that are the list
        self.views: Table = {}  # ``t = vars(x)``
        self.others: Table = {}  # names of other lists that wait
        self.waiting: list[gast.stmt] = []
        self.texts: dict[
            str, int | str
        ] = {}  # what names hold, if that is a text or a whole number
        self.own = {*self.lists}
        self.read = {n for pair in items for e in pair if e is not None for n in syntax.loads(e)}

    def run(self, rest: list[gast.stmt]) -> tuple[int, list[gast.stmt]]:
        """How many statements are done with when the list is full, and the block from its making on."""
        done: tuple[int, list[gast.stmt]] = (0, [])
        for position, statement in enumerate(rest):
            said.learn(statement, self.texts, self.all.normal.function)
            added = self.added(statement, rest[position + 1 :])
            if added is not None:
                self.items += added
                self.read |= {n for _, value in added for n in syntax.loads(value)}
                if statement in self.all.unlike:
                    full = [*self.before, self.full(), *self.waiting]
                    done = position + 1, [*full, *rest[position + 1 :]]
                continue
            loads, stores = syntax.loads(statement), syntax.stores(statement)
            if statement in self.all.meant:
                loads = {self.all.meant[statement][0]}
            if not (loads | stores) & self.own and not self.is_list(statement):
                if stores & self.read or isinstance(statement, gast.Return):
                    break
                self.before.append(statement)
            elif not self.waits(statement):
                break
        return done

    def full(self) -> gast.stmt:
        """The making of the list with all that is in it so far."""
        keys, values = [k for k, _ in self.items], [v for _, v in self.items]
        value = gast.List(values, gast.Load())
        if isinstance(self.made.value, gast.Dict):
            value = gast.Dict(keys, values)
        made = syntax.assign(self.made.targets[0].id, syntax.copy(value))
        return self.all.like(made, self.made)

    def added(self, statement: gast.stmt, rest: list[gast.stmt]) -> Items | None:
        """What a statement adds to the list; None if it is no such statement."""
        found = put(statement)
        if found is None or found[1] in self.own:
            return None
        name, value = found
        match statement:
            case gast.AugAssign(target=gast.Subscript(slice=key)):
                many, is_list = True, key.value in self.views.get(name, ())
            case gast.Assign(targets=[gast.Subscript(slice=key)]):
                many, is_list, key = False, name in self.lists, self.said(key)
                if not isinstance(self.made.value, gast.Dict) or not self.is_new(key):
                    return None
            case _:
                key, many, is_list = None, statement.value.func.attr == "extend", name in self.lists
        if not is_list:
            return None
        if not many and value in syntax.stores(rest):  # the name gets another value
            kept = self.all.temporary(syntax.name(value), statement)
            self.before.append(kept)
            return [(key, syntax.name(kept.targets[0].id))]
        if not many:
            return [(key, syntax.name(value))]
        kind = self.all.kind(statement, value)
        if not isinstance(kind, Tuple) or kind.optional:
            return None
        parts = self.all.parts(value, kind, statement)
        self.before += parts
        return [(None, syntax.name(p.targets[0].id)) for p in parts]

    def said(self, key: gast.expr) -> gast.expr:
        """The text that a name holds, in its place."""
        if isinstance(key, gast.Name) and key.id in self.texts:
            return syntax.at(syntax.constant(self.texts[key.id]), key)
        return key

    def is_new(self, key: gast.expr) -> bool:
        """Whether a key is known, and not one of those before."""
        if not isinstance(key, gast.Constant):
            return False
        return not any(isinstance(k, gast.Constant) and k.value == key.value for k, _ in self.items)

    def is_list(self, statement: gast.stmt) -> bool:
        """Whether a statement makes an empty list which may wait."""
        match statement:
            case gast.Assign(targets=[gast.Name()], value=gast.List(elts=[])):
                return self.with_lists
        return False

    def waits(self, statement: gast.stmt) -> bool:
        """Whether a statement may be done once the list is full; it then is."""
        match statement:
            case gast.Assign(targets=[gast.Name(id=name)], value=value) if name not in self.read:
                found = self.meaning(value, statement)
                if found is None:
                    return False
                meant, kept = found
                for table in (self.lists, self.holders, self.views, self.others):
                    table.pop(name, None)
                if meant is not None:
                    meant[0][name] = meant[1]
                self.own.add(name)
                self.waiting.append(kept)
            case gast.Assign(
                targets=[gast.Subscript(value=gast.Name(id=view), slice=gast.Constant(value=key))],
                value=value,
            ) if view in self.views and syntax.is_atom(value):
                is_list = isinstance(value, gast.Name) and value.id in self.lists
                (self.views[view].add if is_list else self.views[view].discard)(key)
                self.waiting.append(statement)
            case gast.AugAssign(
                target=gast.Subscript(value=gast.Name(id=view), slice=gast.Constant(value=key)),
                value=value,
            ) if view in self.views and self.counts(statement, view, key, value):
                self.waiting.append(statement)
            case gast.Expr(
                value=gast.Call(
                    func=gast.Attribute(value=gast.Name(id=name), attr="append"), args=[value]
                )
            ) if name in self.others:
                self.waiting.append(statement)
            case gast.Pass():
                self.waiting.append(statement)
                return True
            case _:
                return False
        self.read |= syntax.loads(value) - self.own
        return True

    def counts(self, statement: gast.stmt, view: str, key: str, value: gast.expr) -> bool:
        """Whether ``x.key += value`` changes a number, and no array."""
        kind = self.all.kind(statement, view)
        if not isinstance(kind, Object) or key not in kind.keys or not syntax.is_atom(value):
            return False
        names = [self.all.kind(statement, n) for n in syntax.loads(value)]
        kinds = [kind.items[kind.keys.index(key)], *names]
        return all(isinstance(k, Num) and k.scalar for k in kinds)

    def meaning(self, value: gast.expr, statement: gast.stmt) -> Found | None:
        """What a value is to the list, and the statement as it is done later; None if it cannot wait."""
        match value:
            case gast.Name(id=other):
                tables = (self.lists, self.holders, self.views, self.others)
                return next(((t, t[other]) for t in tables if other in t), None), statement
            case gast.List(elts=[]):
                return (self.others, set()), statement
            case gast.Call() if (other := syntax.viewed(value)) is not None:
                if other in self.holders:
                    return (self.views, self.holders[other]), statement
            case gast.Attribute(value=gast.Name(id=other), attr=attr) if other in self.holders:
                if attr in self.holders[other]:
                    return (self.lists, set()), statement
                held = self.all.kind(statement, other)
                return (self.others, set()) if self.with_lists and held else None, statement
            case gast.Call(func=gast.Name(id="len"), args=[gast.Name(id=other)], keywords=[]):
                if other in self.lists:
                    count = syntax.assign(statement.targets[0].id, syntax.constant(len(self.items)))
                    return None, self.all.like(count, statement)
            case gast.BinOp() | gast.UnaryOp():
                kinds = [self.all.kind(statement, n) for n in syntax.loads(value)]
                if all(isinstance(k, Num) and k.scalar for k in kinds):
                    return None, statement
            case gast.Call() if (slots := self.held(statement)) is not None:
                return (self.holders, slots), statement
        return None

    def held(self, statement: gast.stmt) -> set[Any] | None:
        """The attributes of a new object that are the list; None if there is no new object."""
        operation = self.all.inferred.operations.get(statement)
        if not isinstance(operation, Display):
            return None
        pairs = zip(operation.keys, operation.elements)
        return {k.value for k, v in pairs if syntax.loads(v) & self.lists.keys()}
