"""Sharing: which names may hold the same memory, whatever the path. One pass, union-find.

In: the statements of a function, its parameters, ``Purity``.
Out: ``Sharing``: the class of a name; two names of different classes never share memory.
Next: scope.
"""

from __future__ import annotations

import ast
from collections.abc import Iterable, Iterator

import gast

from tangentlite import syntax
from tangentlite.optimize.facts import OUTSIDE, leaves, root, stack_call
from tangentlite.optimize.purity import Purity


def _copies(call: gast.Call) -> bool:
    """``a.copy()``: new memory, whatever a is."""
    return isinstance(call.func, gast.Attribute) and call.func.attr == "copy" and not call.args


def _part(target: gast.expr) -> bool:
    return isinstance(target, gast.Subscript)


SHAPES = frozenset({"shape", "ndim", "size", "dtype"})
FIRST = frozenset({"rt.unbroadcast", "rt.unreduce", "rt.like", "rt.seed"})


class Sharing:
    """Classes of names that may share memory; parameters and globals are one class."""

    def __init__(
        self,
        local: set[str],
        purity: Purity,
        stacks: frozenset[str],
        displays: bool,
        arrays: bool = False,
    ) -> None:
        self._parent: dict[str, str] = {}
        self._local, self._purity, self._stacks = local, purity, stacks
        self._arrays = arrays  # what is stored somewhere is copied: there are no lists
        self._products = displays  # a product may be that of a list, which shares its elements

    def find(self, name: str) -> str:
        """The representative of the class of ``name``."""
        parent = self._parent
        if name not in self._local:
            name = OUTSIDE
        top = name
        while (above := parent.get(top, top)) != top:
            top = above
        while name != top:
            parent[name], name = top, parent[name]
        return top

    def join(self, names: Iterable[str]) -> None:
        """All ``names`` may share memory."""
        first, *rest = map(self.find, names)
        for other in rest:
            self._parent[self.find(other)] = self.find(first)

    def study(self, body: list[gast.stmt]) -> None:
        """Take in the statements of ``body``."""
        for statement in body:
            match statement:
                case gast.Assign(targets=targets, value=value):
                    sources = set(self.sources(value))
                    for target in targets:
                        self._bind(target, sources)
                case gast.AugAssign(target=gast.Subscript()) if self._arrays:
                    pass
                case gast.AugAssign(target=target, value=value):
                    self.join({root(target), *self.sources(value)})
                case gast.For(target=target, iter=iterable):
                    self._bind(target, set(self.sources(iterable)))
                case gast.If() | gast.While() | syntax.Comment() | syntax.Blank():
                    pass
                case gast.Expr(value=gast.Call() as call) if self._purity.written(call) is not None:
                    pass
                case gast.Expr(value=gast.Call() as call):
                    self.join({*self.sources(call)} or {OUTSIDE})
                case gast.Expr() | gast.Return() | gast.Pass() | gast.Raise() | gast.Assert():
                    pass
                case _:
                    self.join({OUTSIDE} | syntax.loads(statement) | syntax.stores(statement))
            for block in syntax.blocks(statement):
                self.study(block)

    def _bind(self, target: gast.expr, sources: set[str]) -> None:
        names = {root(x) for x in leaves(target) if not (self._arrays and _part(x))}
        if sources and names:
            self.join(sources | names)

    def sources(self, tree: ast.AST) -> Iterator[str]:
        """The names whose memory the value of ``tree`` may share."""
        match tree:
            case gast.Name(id=name):
                yield name
            case gast.Constant() | gast.Compare() | gast.JoinedStr() | gast.Slice():
                return
            case gast.Attribute(attr=attr) if attr in SHAPES:
                return
            case gast.UnaryOp():
                return
            case gast.BinOp(op=gast.Add()):
                yield from self._parts(tree)  # rt.ZERO + x is x
            case gast.BinOp(left=left, op=gast.Sub()):
                yield from self.sources(left)  # x - rt.ZERO is x
            case gast.BinOp():
                if self._products:
                    yield from self._parts(tree)
            case gast.Subscript(value=value) | gast.Attribute(value=value):
                yield from self.sources(value)
            case gast.Call():
                yield from self._result(tree)
            case _:
                yield from self._parts(tree)

    def _parts(self, tree: ast.AST) -> Iterator[str]:
        for child in syntax.children(tree):
            yield from self.sources(child)

    def _result(self, call: gast.Call) -> Iterator[str]:
        if self._purity.fresh(call) or _copies(call):
            return
        if syntax.dotted(call.func) in FIRST and call.args:
            yield from self.sources(call.args[0])
            return
        if not self._purity.pure_call(call) and stack_call(call, self._stacks) is None:
            yield OUTSIDE
        for part in (*call.args, *(k.value for k in call.keywords)):
            yield from self.sources(part)
        if isinstance(call.func, gast.Attribute):
            yield from self._receiver(call.func.value)

    def _receiver(self, tree: ast.AST) -> Iterator[str]:
        path = syntax.dotted(tree)
        if path is None or path.partition(".")[0] in self._local:
            yield from self.sources(tree)
