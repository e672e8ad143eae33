"""Generator functions that are consumed where they are called give lists.

In: the statements of a function.
Out: the same statements with calls of functions that collect what the generators yield.
Next: exits.
"""

from __future__ import annotations

import ast
import itertools
from collections.abc import Sequence, Set
from inspect import CO_GENERATOR
from types import CellType, FunctionType
from typing import Any

import gast
import numpy as np

from tangentlite import frontend, scopes, syntax
from tangentlite.lowering.context import Context, read, remade
from tangentlite.lowering.flow import early
from tangentlite.lowering.iteration import interleaved
from tangentlite.lowering.iteration.listing import Way, changes, listing, stored

CONSUMERS = (sum, min, max, sorted)
KEEPING = (list, tuple, dict)
PASSING = (gast.BinOp, gast.UnaryOp, gast.Compare, gast.Subscript, gast.Attribute, gast.AugAssign)
SIZED = (gast.Name, gast.List, gast.Tuple, gast.Constant)


def listed(body: list[gast.stmt], context: Context) -> list[gast.stmt]:
    """``for v in g(x)`` walks over a list where g is a generator function.

    What g computes is computed before the first trip; where that could be seen, the call stays, and is refused.
    """
    if not any(generating(call, context) for call in context.contents(body).calls):
        return body
    return [_Consumed(context).tree(statement) for statement in body]


def generating(node: Any, context: Context) -> FunctionType | None:
    """The generator function that a call is of."""
    found = context.meaning(node.func) if isinstance(node, gast.Call) else None
    if isinstance(found, FunctionType) and found.__code__.co_flags & CO_GENERATOR:
        return found
    return None


class _Consumed:
    """Rewrites calls of generators that are consumed at once.

    ``apart`` tells whether what they yield may be copied: yes where nobody keeps it, no (False) where all of it is kept
    before anything is done with it. None is neither: what the generator writes into later is refused.
    """

    def __init__(self, context: Context) -> None:
        self.context = context

    def tree(self, node: Any) -> Any:
        match node:
            case gast.For(target=target, iter=iterable, body=body):
                if not _leaves(body) or recurs(generating(iterable, self.context)):
                    apart = None if self.keeps(body, target) else True
                    near = set().union(*early.written(body, self.context).values())
                    changed = stored(body) | near | self.seen(iterable, body, target)
                    walked = self.consumed(iterable, apart, changed, syntax.stores(body))
                    node = remade(node, iter=walked)
            case gast.Assign(targets=[gast.Tuple() | gast.List() as target], value=gast.Call()):
                node = remade(node, value=self.unpacked(target, node.value))
            case gast.Starred(value=gast.Call() as value):
                node = remade(node, value=self.consumed(value, None, once=True))
            case gast.ListComp() | gast.GeneratorExp() | gast.SetComp() | gast.DictComp():
                node = self.comprehension(node)
            case gast.Call(func=func, args=[first, *rest]):
                meaning = self.context.meaning(func)
                if meaning in CONSUMERS or meaning in KEEPING:
                    once = not node.keywords or meaning is sorted
                    first = self.consumed(first, meaning in CONSUMERS, once=once)
                    node = remade(node, args=[first, *rest])
                elif meaning is next and generating(first, self.context) is not None:
                    node = remade(node, args=[self.first(first), *rest])
                else:
                    node = self.taken(node, None)
        fields: dict[str, Any] = {}
        for field in node._fields:
            value = getattr(node, field, None)
            if isinstance(value, list):
                fields[field] = [self.tree(v) if isinstance(v, ast.AST) else v for v in value]
            elif isinstance(value, ast.AST):
                fields[field] = self.tree(value)
        return remade(node, **fields) if fields else node

    def comprehension(self, node: Any) -> Any:
        parts = [p for p in syntax.children(node) if not isinstance(p, gast.comprehension)]
        loops = []
        for step in node.generators:
            bare = [p for p in parts if isinstance(p, gast.Name)]
            kept = syntax.loads(bare) & syntax.stores(step.target)
            apart = None if kept or self.keeps(parts, step.target) else True
            between = [*parts, *step.ifs, *(s.iter for s in node.generators if s is not step)]
            changed = self.seen(step.iter, between, step.target)
            loops.append(remade(step, iter=self.consumed(step.iter, apart, changed)))
        return remade(node, generators=loops)

    def seen(self, iterable: Any, meanwhile: list[Any], target: Any = None) -> set[str]:
        """What the generators in an iterable write into, and what happens meanwhile reads."""
        own = set() if target is None else syntax.stores(target)
        calls = [n for n in syntax.walk(iterable) if isinstance(n, gast.Call)]
        found = [(c, f) for c in calls if (f := generating(c, self.context)) is not None]
        return interleaved.seen(found, meanwhile, own, self.context) if found else set()

    def keeps(self, nodes: list[Any], target: Any) -> bool:
        """Whether something may hold on to what a loop walks over."""
        names = syntax.stores(target)
        for node in scopes.inside(nodes):
            if isinstance(node, PASSING) or (isinstance(node, gast.Call) and self.is_plain(node)):
                continue
            for part in syntax.children(node):
                if isinstance(part, gast.Name) and part.id in names and syntax.loads(part):
                    return True
        return False

    def is_plain(self, node: gast.Call) -> bool:
        """Whether a call only computes."""
        meaning = self.context.meaning(node.func)
        known = isinstance(meaning, np.ufunc) or meaning in (np.sum, np.dot, np.mean)
        return known or meaning in (sum, len, abs, float, int, print, round)

    def consumed(
        self,
        node: Any,
        apart: bool | None,
        written: Set[str] = frozenset(),
        bound: Set[str] = frozenset(),
        once: bool = False,
    ) -> Any:
        """What is walked over to its end: the call of a generator, or what walks over one.

        ``written``: what may be written into meanwhile; ``bound``: the variables that are bound meanwhile;
        ``once``: nothing happens meanwhile.
        """
        held = apart, written, bound
        match node:
            case gast.Call(func=gast.Name(id="zip" | "enumerate" as name), args=args):
                if self.context.is_builtin(name):
                    args = self.together(args, *held) if name == "zip" else args
                    return remade(node, args=[self.consumed(a, *held) for a in args])
            case gast.Call():
                node = self.taken(node, *held)
        return self.listed(node, "", *held, once=once)

    def taken(
        self,
        node: gast.Call,
        apart: bool | None,
        written: Set[str] = frozenset(),
        bound: Set[str] = frozenset(),
    ) -> gast.Call:
        """``islice`` and ``takewhile`` of a generator."""
        match self.context.meaning(node.func), node.args:
            case itertools.islice, [first, *rest] if len(rest) in (1, 2, 3):
                most = rest[0] if len(rest) == 1 else rest[1]
                if not (isinstance(most, gast.Constant) and most.value is None):
                    first = self.listed(first, "most", apart, written, bound, [most])
                    return remade(node, args=[first, *rest])
            case itertools.takewhile, [test, first]:
                first = self.listed(first, "goes", apart, written, bound, [test])
                return remade(node, args=[test, first])
        return node

    def together(
        self, args: list[Any], apart: bool | None, written: Set[str], bound: Set[str]
    ) -> list[Any]:
        """Of a generator beside a list no more is taken than that has."""
        sized = next((a for a in args if isinstance(a, SIZED) or self.is_range(a)), None)
        if sized is None:
            return args
        count = read(self.context.builtin("len", sized), sized)
        most = syntax.at(gast.Call(count, [sized], []), sized)
        return [self.listed(a, "most", apart, written, bound, [most]) for a in args]

    def unpacked(self, target: Any, value: Any) -> Any:
        """``a, b = g(x)`` asks for one more than it has names for."""
        if any(isinstance(e, gast.Starred) for e in target.elts):
            return self.consumed(value, None, once=True)
        most = syntax.at(syntax.constant(len(target.elts) + 1), value)
        return self.listed(value, "most", None, given=[most], once=True)

    def is_range(self, node: Any) -> bool:
        return isinstance(node, gast.Call) and self.context.meaning(node.func) is range

    def first(self, node: Any) -> Any:
        """``next(g(x))`` asks for one element."""
        one = syntax.at(syntax.constant(1), node)
        called = read(self.context.builtin("iter", node), node)
        made = self.listed(node, "most", False, given=[one])
        return node if made is node else syntax.at(gast.Call(called, [made], []), node)

    def listed(
        self,
        node: Any,
        param: str,
        apart: bool | None,
        written: Set[str] = frozenset(),
        bound: Set[str] = frozenset(),
        given: Sequence[Any] = (),
        once: bool = False,
    ) -> Any:
        """The call of a function that gives a list, for the call of a generator function."""
        function = generating(node, self.context)
        if function is None or syntax.loads(node) & written:
            return node
        captured = node.args[: getattr(function, "__captured__", 0)]
        source = frontend.read(function, fenced=False)
        if syntax.loads(captured) & bound or scopes.free(source.tree) & written:
            return node
        kept = "itself"
        if apart is not False and changes(source):
            kept = "copy" if apart else "number"
        if kept == "number" and changes(source, surely=True):
            return node
        made = listing(function, Way(param, kept, once))
        if made is None:
            return node
        name = self.context.names.fresh(function.__name__)
        self.context.cells[name] = CellType(made)
        return remade(node, func=read(name, node.func), args=[*given, *node.args])


def consumed(node: Any, context: Context, meanwhile: list[Any]) -> Any:
    """The call of a function that gives a list, for the call of a generator function; what happens meanwhile."""
    walk = _Consumed(context)
    changed = stored(meanwhile) | walk.seen(node, meanwhile)
    return walk.consumed(node, None, changed, syntax.stores(meanwhile))


def recurs(function: FunctionType | None) -> bool:
    """Whether a generator function calls itself: it ends, if the recursion does."""
    if function is None:
        return False
    code = function.__code__
    return function.__name__ in (*code.co_names, *code.co_freevars)


def _leaves(body: list[Any]) -> bool:
    """Whether a loop may end before its last trip."""
    kinds = (gast.Break, gast.Return)
    return any(isinstance(n, kinds) for n in scopes.inside(body))
