"""Iterators that are followed step by step: a sequence, and how far one has come.

In: the statements of a function.
Out: the same statements without ``iter``; ``next`` of such an iterator is said by ``following``.
Next: exits, consumers.
"""

from __future__ import annotations

import ast
import itertools
from collections import Counter
from collections.abc import Iterator
from typing import Any

import gast

from tangentlite import scopes, syntax
from tangentlite.frontend.consumers import CONSUMERS, LAZY, LEFT, is_one
from tangentlite.lowering import effects
from tangentlite.lowering.context import Context, read, remade
from tangentlite.lowering.flow import early, exits
from tangentlite.lowering.iteration import generators, lazy, listing
from tangentlite.lowering.iteration.suspended import asked


def stepped(body: list[Any], context: Context) -> list[Any]:
    """``it = iter(xs)`` is ``it = xs``, beside ``it_at``, the number of steps that were made.

    >>> from tangentlite.lowering.example import lowered
    >>> print(lowered("it = iter(x)\\na = next(it)\\nfor v in it:\\n    a = a * v\\nreturn a", "x"))
    it = rt.sequence(x)
    it_at = 0
    if it_at == len(it):
        raise StopIteration
    a = it[it_at]
    t1 = it_at + 1
    it_at = t1
    t2 = it[it_at:]
    it_at = len(it)
    t3 = rt.sequence(t2)
    t4 = len(t3)
    for i in range(t4):
        v = t3[i]
        t5 = a * v
        a = t5
    return a
    """
    if any(_splits(call, context) for call in context.contents(body).calls):
        body = syntax.rewrite(body, lambda s: _split(s, context))
    if not any(_asks(call, context) for call in context.contents(body).calls):
        return body
    nodes = list(scopes.inside(body))
    steps = _Steps(body, nodes, context)
    return [new for statement in body for new in steps.statement(statement)]


def _splits(node: Any, context: Context) -> bool:
    return isinstance(node, gast.Call) and context.meaning(node.func) is itertools.tee


def _split(statement: Any, context: Context) -> list[Any]:
    """``a, b = itertools.tee(xs)`` are two iterators over one list.

    >>> from tangentlite.lowering.example import lowered
    >>> print(lowered("a, b = tee(x)\\nreturn next(a)", "x", tee=itertools.tee))
    items = list(x)
    a = rt.sequence(items)
    a_at = 0
    b = rt.sequence(items)
    b_at = 0
    if a_at == len(a):
        raise StopIteration
    y = a[a_at]
    t1 = a_at + 1
    a_at = t1
    return y
    """
    match statement:
        case gast.Assign(
            targets=[gast.Tuple(elts=targets) | gast.List(elts=targets)],
            value=gast.Call(args=[items, *more], keywords=[]) as call,
        ) if _splits(call, context):
            count = more[0].value if more and isinstance(more[0], gast.Constant) else 2
            if len(targets) == count and all(isinstance(t, gast.Name) for t in targets):
                name = context.local("items")
                holes = {n: context.builtin(n, call) for n in ("list", "iter")}
                made = context.quote("t = list(e)", statement, t=name, e=items, **holes)
                for target in targets:
                    made += context.quote("v = iter(t)", statement, v=target, t=name, **holes)
                return list(made)
    return [statement]


def following(name: str, node: gast.Call, context: Context) -> list[gast.stmt]:
    """``y = next(it)``, of an iterator or of ``iter(xs)``.

    >>> from tangentlite.lowering.example import lowered
    >>> print(lowered("return next(iter(x), 1.0)", "x"))
    t1 = rt.sequence(x)
    if len(t1) == 0:
        y = 1.0
    else:
        y = t1[0]
    return y
    """
    if (name_of := asked(node, context)) in context.suspended:
        return _resumed(name, name_of, node, context)
    items, *default = node.args
    before: list[gast.stmt] = []
    holes: dict[str, Any] = {"rt": context.rt(), "count": context.builtin("len", node)}
    if isinstance(items, gast.Name):
        holes |= {"y": name, "xs": items, "k": context.positions[items.id]}
        step = "y = xs[k]\nk = k + 1"
        ended = "k == count(xs)"
    else:
        holes |= {"y": name, "xs": context.temporary(), "e": items.args[0]}
        before += context.quote("xs = rt.sequence(e)", node, **holes)
        step, ended = "y = xs[0]", "count(xs) == 0"
    if default:
        made, default[0] = context.named(default[0])
        before += made
    else:
        return before + context.quote(
            f"if {ended}:\n    raise StopIteration\n{step}", node, **holes
        )
    rest = context.quote(step, node, **holes)
    text = f"if {ended}:\n    y = default\nelse:\n    rest"
    return before + context.quote(text, node, **holes, default=default[0], rest=rest)


def _resumed(name: str, held: str, node: gast.Call, context: Context) -> list[gast.stmt]:
    """``y = next(it)`` of a generator: its statements up to the next value."""
    before: list[gast.stmt] = []
    default = None
    if isinstance(node.func, gast.Name) and len(node.args) > 1:
        before, default = context.named(node.args[1])
    made = context.suspended[held].given(name, node, default)
    return [*before, *exits.Exits(context, None).block(made, None)]


def is_followed(node: gast.Call, context: Context) -> bool:
    """Whether a call is ``next`` of an iterator whose steps are counted, or of ``iter(xs)``."""
    if asked(node, context) in context.suspended:
        return True
    if context.meaning(node.func) is not next or node.keywords or len(node.args) not in (1, 2):
        return False
    first = node.args[0]
    name = getattr(first, "id", None)
    return _is_iter(first, context) or name in context.positions


def rest(name: str, node: gast.Call, context: Context) -> list[gast.stmt]:
    """``y = it[it_at:]``: what is left of an iterator is taken."""
    items = node.args[0]
    if items.id in context.suspended:
        made = context.suspended[items.id].rest(name, node)
        return exits.Exits(context, None).block(made, None)
    holes = {"y": name, "xs": items, "k": context.positions[items.id]}
    count = context.builtin("len", node)
    return context.quote("y = xs[k:]\nk = count(xs)", node, **holes, count=count)


def is_rest(node: gast.Call) -> bool:
    """Whether a call stands for what is left of an iterator."""
    return getattr(node.func, "id", None) == LEFT


def _is_iter(node: Any, context: Context) -> bool:
    plain = isinstance(node, gast.Call) and len(node.args) == 1 and not node.keywords
    return plain and context.meaning(node.func) is iter


def _asks(node: Any, context: Context) -> bool:
    return isinstance(node, gast.Call) and context.meaning(node.func) in (iter, next)


class _Steps:
    """The iterators of one function."""

    def __init__(self, body: list[Any], nodes: list[Any], context: Context) -> None:
        self.context, self.body = context, body
        inner = {n for f in nodes if isinstance(f, scopes.FUNCTIONS) for n in scopes.free(f)}
        made = [n for n in nodes if isinstance(n, gast.Assign) and self.source(n) is not None]
        names = {n.targets[0].id for n in made} - inner
        asked = {n.args[0].id for n in nodes if self.is_next(n)}
        names &= asked | {n.targets[0].id for n in made if _is_iter(n.value, context)}
        names -= {p.name for p in context.function.params}
        bound = Counter(n.id for n in nodes if _is_bound(n))
        seen = Counter(n.id for n in nodes if isinstance(n, gast.Name) and not _is_bound(n))
        binding = Counter(n.targets[0].id for n in made)
        taken = Counter(name for n in nodes for name in self.taken(n, names, nodes))
        for name in sorted(names):
            if bound[name] == binding[name] and seen[name] == taken[name]:
                context.positions[name] = context.local(f"{name}_at")

    def is_next(self, node: Any) -> bool:
        """Whether a node is ``next(it)``."""
        asks = isinstance(node, gast.Call) and self.context.meaning(node.func) is next
        return asks and bool(node.args) and isinstance(node.args[0], gast.Name)

    def source(self, node: gast.Assign) -> Any:
        """What the iterator that a statement binds walks over; None if it binds none."""
        match node:
            case gast.Assign(targets=[gast.Name()], value=value):
                if effects.acts(value, self.context):
                    return None
                if _is_iter(value, self.context):
                    return value.args[0]
                if early.changes(value, self.context):
                    return None
                if isinstance(value, gast.GeneratorExp):
                    return value
                if isinstance(value, gast.Call):
                    meaning = self.context.meaning(value.func)
                    if is_one(meaning, LAZY) and not is_one(meaning, lazy.ENDLESS):
                        return value
                    made = generators.consumed(
                        value, self.context, listing.meanwhile(self.body, node)
                    )
                    return made if made is not value else None
        return None

    def taken(self, node: Any, names: set[str], nodes: list[Any]) -> Iterator[str]:
        """The iterators of which a node takes the next element, or all that are left."""
        for part in self.places(node):
            if isinstance(part, gast.Name) and part.id in names:
                if not self.is_lazy(node) or _is_last(part, nodes):
                    yield part.id

    def is_lazy(self, node: Any) -> bool:
        """Whether elements may be left: nobody may ask for them then."""
        lazy = isinstance(node, gast.Call) and is_one(self.context.meaning(node.func), LAZY)
        return lazy or isinstance(node, gast.comprehension)

    def places(self, node: Any) -> list[Any]:
        """The parts of a node that may be iterators."""
        match node:
            case gast.For(iter=part) | gast.comprehension(iter=part) | gast.Starred(value=part):
                return [part]
            case gast.Assign(targets=[gast.Tuple() | gast.List()], value=part):
                return [part]
            case gast.Call(func=func, args=args):
                meaning, given = self.context.meaning(func), list(args)
                if meaning is next:
                    return given[:1]
                known = is_one(meaning, CONSUMERS) and not is_one(meaning, (any, all))
                names = [a.id for a in given if isinstance(a, gast.Name)]
                return given if known and len(set(names)) == len(names) else []
        return []

    def statement(self, node: Any) -> list[Any]:
        """A statement without ``iter``."""
        match node:
            case gast.Expr(value=gast.Call() as call) if self.is_next(call):
                unused = self.context.local("item")
                return self.quoted("v = e", node, v=unused, e=self.tree(call))
            case gast.Assign(targets=[gast.Name(id=name)]) if name in self.context.positions:
                return self.begun(node, name)
            case gast.For(iter=gast.Name(id=name)) if name in self.context.positions:
                if name in self.mentioned(node.body) or _leaves(node.body):
                    return self.walked(node, name)
        return [self.tree(node)]

    def begun(self, node: gast.Assign, name: str) -> list[Any]:
        source = self.tree(self.source(node))
        function = self.context.builtin("list", node)
        text = "it = rt.sequence(e)\nk = 0"
        if isinstance(source, gast.Call | gast.GeneratorExp):
            text = "it = make(e)\nk = 0"
        holes = {"it": name, "k": self.context.positions[name], "e": source, "make": function}
        return self.quoted(text, node, **holes)

    def walked(self, node: gast.For, name: str) -> list[Any]:
        """``for v in it`` whose body takes steps as well, or which may be left, is a ``while``."""
        count = self.context.builtin("len", node)
        holes: dict[str, Any] = {"it": name, "k": self.context.positions[name], "count": count}
        holes |= {"v": node.target, "body": self.block(node.body)}
        text = "while k < count(it):\n    v = it[k]\n    k = k + 1\n    body"
        if node.orelse:
            text += "\nelse:\n    last"
            holes["last"] = self.block(node.orelse)
        return self.quoted(text, node, **holes)

    def quoted(self, text: str, node: Any, **holes: Any) -> list[Any]:
        quoted: list[Any] = self.context.quote(text, node, rt=self.context.rt(), **holes)
        return quoted

    def block(self, body: list[Any]) -> list[Any]:
        return [new for statement in body for new in self.statement(statement)]

    def mentioned(self, body: list[Any]) -> set[str]:
        return {n.id for n in scopes.inside(body) if isinstance(n, gast.Name)}

    def tree(self, node: Any) -> Any:
        """A node without ``iter``."""
        if isinstance(node, scopes.FUNCTIONS):
            return node
        asks = isinstance(node, gast.Call) and self.context.meaning(node.func) is next
        places = {id(part): self.part(part) for part in ([] if asks else self.places(node))}
        fields: dict[str, Any] = {}
        for field in node._fields:
            value = getattr(node, field, None)
            if isinstance(value, list) and value and isinstance(value[0], gast.stmt):
                fields[field] = self.block(value)
            elif isinstance(value, list):
                fields[field] = [self.child(v, places) for v in value]
            elif isinstance(value, ast.AST):
                fields[field] = self.child(value, places)
        return remade(node, **fields) if fields else node

    def child(self, node: Any, places: dict[int, Any]) -> Any:
        if not isinstance(node, ast.AST):
            return node
        found = places.get(id(node), node)
        return self.tree(node) if found is node else found

    def part(self, node: Any) -> Any:
        """What is walked over to the end."""
        if isinstance(node, gast.Name) and node.id in self.context.positions:
            return syntax.at(gast.Call(read(LEFT, node), [node], []), node)
        return self.tree(node.args[0]) if _is_iter(node, self.context) else node


def _is_last(name: Any, nodes: list[Any]) -> bool:
    """Whether an iterator is not mentioned afterwards, also not in the next trip of a loop."""
    same = [n for n in nodes if isinstance(n, gast.Name) and n.id == name.id]
    for loop in (n for n in nodes if isinstance(n, scopes.LOOPS)):
        inner = [n for n in scopes.inside(loop.body) if n in same]
        if name in inner and not any(map(_is_bound, inner)):
            return False
    return same[-1] is name


def _is_bound(node: Any) -> bool:
    return isinstance(node, gast.Name) and not isinstance(node.ctx, gast.Load)


def _leaves(body: list[Any]) -> bool:
    return any(isinstance(n, gast.Break | gast.Return) for n in scopes.inside(body))
