"""Sharing: which names may hold the same memory, whatever the path. One pass, union-find.

In: the statements of a function, its parameters, ``Purity``.
Out: ``Sharing``: the class of a name; two names of different classes never share memory.
Next: scope.
"""

from __future__ import annotations

import ast
from collections import Counter
from collections.abc import Container, Iterable, Iterator, Set
from functools import cached_property

import gast

from tangentlite import syntax
from tangentlite.optimize.facts.purity import Purity
from tangentlite.optimize.facts.table import LENT, OUTSIDE, leaves, root, stack_call

SHAPES = frozenset({"shape", "ndim", "size", "dtype"})
FIRST = frozenset({"rt.unbroadcast", "rt.unreduce", "rt.like", "rt.seed", "rt.buffer"})
FIRST |= {"rt.complete", "rt.replaced"}


class Sharing:
    """Classes of names that may share memory; parameters and globals are one class."""

    def __init__(
        self,
        local: Set[str],
        purity: Purity,
        stacks: frozenset[str],
        displays: bool,
        containers: bool,
        solid: Container[str] = (),
    ) -> None:
        self._parent: dict[str, str] = {}
        self._local, self._purity, self._stacks = local, purity, stacks
        self._solid = solid
        self._above: dict[str, set[str]] = {}
        self._tied: set[str] = set()
        self._held: dict[str, frozenset[str]] = {}
        self._reached: dict[str, frozenset[str]] = {}
        self._products = displays  # a product may be that of a list, which shares its elements
        self._containers = containers

    def find(self, name: str) -> str:
        """The representative of the class of ``name``."""
        parent = self._parent
        if name not in self._local and name != LENT:
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

    def given(self, params: Iterable[str], source: str = OUTSIDE) -> None:
        """Parameters hold what the caller holds, or lends."""
        self.join({source, *params})
        for name in params:
            self._above.setdefault(name, set()).add(source)

    def tie(self, names: Iterable[str]) -> None:
        """What is done with one of ``names`` may reach the memory of any other."""
        names = set(names)
        self.join(names)
        if len(names) > 1:
            self._tied |= names

    def view(self, name: str, base: str) -> None:
        """From now on ``name`` is bound to a part of the memory of ``base``."""
        self.join((name, base))
        self._above.setdefault(name, set()).add(base)
        self._held.clear()
        self._reached.clear()
        for known in ("_rings", "_tied_classes"):
            self.__dict__.pop(known, None)

    def held(self, name: str) -> frozenset[str]:
        """Where the memory comes from that a name may hold: names that have one in common may share it.

        A name that is bound to others holds their memory, and they hold nothing of its other memory: ``a`` may be an
        argument here, but ``b`` is none.

            b = np.zeros_like(a)
            b[1:] = a[:-1]
            a = b
        """
        if name not in self._held:
            top = self.find(name)
            if top in self._tied_classes:
                around = (source for source in (OUTSIDE, LENT) if top == self.find(source))
                self._held[name] = frozenset({next(around, top)})
            else:
                ring = self._rings.get(name, name)
                if ring not in self._reached:
                    self._reached[ring] = self._origins(ring)
                self._held[name] = self._reached[ring]
        return self._held[name]

    @cached_property
    def _rings(self) -> dict[str, str]:
        """Names that are bound to each other, as those that a tape gives back: one of them stands for all."""
        found: dict[str, str] = {}
        for name in self._above:
            waiting = [name]
            while waiting:
                one = waiting.pop()
                if one not in found:
                    found[one] = name
                    sources = self._above.get(one, set())
                    waiting += [s for s in sources if one in self._above.get(s, ())]
        return found

    @cached_property
    def _tied_classes(self) -> frozenset[str]:
        """Asked for when all statements were taken in."""
        return frozenset(map(self.find, self._tied))

    def _origins(self, name: str) -> frozenset[str]:
        seen, waiting = {name}, [name]
        while waiting:
            above = self._above.get(waiting.pop(), set()) - seen
            seen |= above
            waiting += above
        known = (seen & self._local) | (seen & {OUTSIDE, LENT})
        unknown = {OUTSIDE} if len(known) < len(seen) else set[str]()
        return frozenset(map(self._rings.get, known, known)) | unknown

    def study(self, body: list[gast.stmt]) -> None:
        """Take in the statements of ``body``."""
        for statement in body:
            match statement:
                case gast.Assign(targets=targets, value=value):
                    sources = set(self.sources(value))
                    for target in targets:
                        self._bind(target, sources)
                case gast.AugAssign(target=target, value=value):
                    if not self._copies(target):
                        self.tie({root(target), *self.sources(value)})
                case gast.For(target=target, iter=iterable):
                    self._bind(target, set(self.sources(iterable)))
                case gast.If() | gast.While() | gast.Try() | syntax.Comment() | syntax.Blank():
                    pass
                case gast.With(items=items):
                    self.tie({OUTSIDE} | syntax.loads(items) | syntax.stores(items))
                case gast.Expr(value=gast.Call() as call) if self._purity.written(call) is not None:
                    pass
                case gast.Expr(value=gast.Call() as call) if stack_call(call, self._stacks):
                    self._bind(call.func.value, set(self.sources(call)))
                case gast.Expr(value=gast.Call() as call):
                    self.tie({*self.sources(call)} or {OUTSIDE})
                case gast.Expr() | gast.Return() | gast.Pass() | gast.Raise() | gast.Assert():
                    pass
                case _:
                    self.tie({OUTSIDE} | syntax.loads(statement) | syntax.stores(statement))
            for block in syntax.blocks(statement):
                self.study(block)

    def _bind(self, target: gast.expr, sources: set[str]) -> None:
        places = [x for x in leaves(target) if not self._copies(x)]
        names = {root(x) for x in places}
        if not sources or not names:
            return
        if OUTSIDE in sources and len(sources) > 1:  # a call that may keep what it is given
            self.tie(sources)
        if all(isinstance(x, gast.Name) for x in places):
            self.join(sources | names)
            for name in names:
                self._above.setdefault(name, set()).update(sources)
        else:
            self.tie(sources | names)

    def _copies(self, place: gast.expr) -> bool:
        """Whether what is stored at a place is copied into an array."""
        match place:
            case gast.Subscript(value=gast.Name(id=name)):
                return name in self._solid
        return False

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
        if self._purity.fresh(call) or self._is_copy(call):
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

    def _is_copy(self, call: gast.Call) -> bool:
        """``a.copy()`` of an array: new memory. That of a list or a dict holds what they hold."""
        if not isinstance(call.func, gast.Attribute) or call.func.attr != "copy" or call.args:
            return False
        around = self.find(OUTSIDE), self.find(LENT)
        return not self._containers and self.find(root(call.func.value)) not in around

    def _receiver(self, tree: ast.AST) -> Iterator[str]:
        path = syntax.dotted(tree)
        if path is None or path.partition(".")[0] in self._local:
            yield from self.sources(tree)


def tapes(body: list[gast.stmt]) -> frozenset[str]:
    """Lists that are made empty, and then nothing but put on and given back."""
    made, seen, known = set[str](), Counter[str](), Counter[str]()
    for node in syntax.nodes(body):
        match node:
            case gast.Assign(targets=[gast.Name(id=name)], value=gast.List(elts=[])):
                made.add(name)
                known[name] += 1
            case gast.Expr(
                value=gast.Call(func=gast.Attribute(value=gast.Name(id=name), attr="append"))
            ):
                known[name] += 1
            case gast.Return(value=value) if value is not None:
                known.update(n.id for n in syntax.names([value]))
            case gast.Name(id=name):
                seen[name] += 1
    return frozenset(name for name in made if seen[name] == known[name])
