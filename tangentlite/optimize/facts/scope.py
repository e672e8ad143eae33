"""Scope: what all passes know about one function.

In: an ir.Function, the names its user wrote, what counts as a pure callee.
Out: ``Scope``: facts, purity, classes of names, stacks, roles of names.
Next: propagate, simplify, liveness, prune, refold.
"""

from __future__ import annotations

import ast
import re
from collections import Counter, defaultdict
from collections.abc import Callable
from functools import cache, cached_property
from typing import Any

import gast

from tangentlite import syntax
from tangentlite.ir import Function
from tangentlite.optimize.facts.measure import Measure
from tangentlite.optimize.facts.purity import Effects, Purity
from tangentlite.optimize.facts.sharing import Sharing, tapes
from tangentlite.optimize.facts.solid import handed, owned, parts, solid
from tangentlite.optimize.facts.table import (
    LENT,
    NESTED,
    OUTSIDE,
    Kept,
    Table,
    content,
    leaves,
    root,
)

TEMPORARY = re.compile(r"_?[bd]*t\d+(_\d+)?|\w+_\d+")
# Attributes that tell that there are lists or dicts.
CONTAINERS = frozenset(
    """split array_split hsplit vsplit dsplit append pop insert extend remove reverse clear update
    setdefault popitem own shadow""".split()
)
LOOKED_AT = (gast.Subscript, gast.Attribute, gast.AugAssign, gast.List, gast.Dict, gast.Call)
TELLING = frozenset((*NESTED, *LOOKED_AT))
COUNTED = (gast.List, gast.Dict, gast.FunctionDef, gast.With)
WORD = re.compile(r"\b[^\W\d]\w*")


@cache
def is_numbered(name: str) -> bool:
    """Whether a name is one that the compiler gives to temporaries, if it has given it."""
    return TEMPORARY.fullmatch(name) is not None


class Scope:
    """The facts about one function. They stay true while passes rewrite its statements; one that spares a copy says so
    (``view``), since what reads it must not pass what is written then.
    """

    def __init__(
        self,
        function: Function,
        user: frozenset[str],
        is_pure: Callable[[Any], bool],
        effects: Effects = lambda callee: None,
        integers: frozenset[str] = frozenset(),
        arrays: frozenset[str] = frozenset(),
    ) -> None:
        body, self.given_integers, self._arrays = function.body, integers, arrays
        found = function.contents  # of the statements as they came
        self.kinds, self.attributes, self.calls = found.kinds, found.attributes, found.calls
        self.params = frozenset(p.name for p in function.params)
        self._written, self.user = user, user | self.params
        self.local = function.local
        census = _Census(function)
        self.captured, self.in_place = census.captured, census.in_place
        self.purity = Purity(function.namespace, self.local, is_pure, effects)
        self.stacks = frozenset(n for n in census.stacks() if self._is_stack(n, census))
        self.facts = Table(self.purity, self.stacks)
        self.content, self.measure = Kept(content), Measure()
        self._body, self._lists = body, census.displays or len(self.stacks) < census.lists
        self._containers = self._lists or census.containers
        self._has_lists = gast.List in function.contents.kinds
        self._simple: dict[int, ast.AST] = {}
        self._members: dict[frozenset[str], frozenset[str]] = {}

    @cached_property
    def solid(self) -> frozenset[str]:
        """The names that hold nothing but arrays that were made here: a store leaves them as long as they are."""
        copied = self._arrays & set(owned(self._body))
        return solid(self._body, self.params, self.purity, copied)

    @cached_property
    def integers(self) -> frozenset[str]:
        """The names that hold only Python's integers: sizes that are given, and what counts the trips of loops."""
        loops = (s for s in syntax.statements(self._body) if isinstance(s, gast.For))
        counted = Counter(s.target.id for s in loops if self._counts(s))
        if not counted:
            return self.given_integers
        stored = syntax.times_stored(self._body)
        own = {n for n, times in counted.items() if stored[n] == times} - self.params
        return self.given_integers | (own - self.captured)

    def _counts(self, loop: gast.For) -> bool:
        """Whether a loop runs over a range, or a reversed one."""
        match loop.iter:
            case gast.Call(func=func, args=[gast.Call(func=inner)]) if self.purity.means(
                func, (reversed,)
            ):
                func = inner
            case gast.Call(func=func):
                pass
            case _:
                return False
        return isinstance(loop.target, gast.Name) and self.purity.means(func, (range,))

    @cached_property
    def _sharing(self) -> Sharing:
        """What shares memory: of the statements as they came; asked for where something is written."""
        lists = tapes(self._body) if self._has_lists else frozenset[str]()
        names = self.local, self.purity, self.stacks | lists
        sharing = Sharing(*names, self._lists, self._containers, self.solid)
        lent = frozenset(handed(self._body))
        sharing.given(self.params - lent - set(owned(self._body)))
        sharing.given(lent & self.params, LENT)
        sharing.tie({OUTSIDE, *(self.captured & self.local)})
        sharing.study(self._body)
        return sharing

    @cached_property
    def _holders(self) -> dict[str, set[str]]:
        """The local names that may hold memory that comes from a name."""
        holders = defaultdict[str, set[str]](set)
        for name in self.local:
            for origin in self._sharing.held(name):
                holders[origin].add(name)
        return holders

    @cached_property
    def _numbers(self) -> Sharing:
        return Sharing(self.local, self.purity, self.stacks, displays=False, containers=False)

    def _is_stack(self, name: str, census: _Census) -> bool:
        if name in self.user and census.pops[name]:
            return False
        return name not in self.captured and all(map(self.purity.pure, census.pushed[name]))

    def shared(self, name: str) -> str:
        """The class of ``name``: names of different classes share no memory."""
        return self._sharing.find(name)

    def origins(self, name: str) -> frozenset[str]:
        """Where the memory comes from that ``name`` may hold: it shares some with names that have one of them too."""
        return self._sharing.held(name)

    def members(self, name: str) -> frozenset[str]:
        """The local names that may share memory with ``name``."""
        held = self._sharing.held(name)
        if held not in self._members:
            holders = (self._holders.get(origin, ()) for origin in held)
            self._members[held] = frozenset[str]().union(*holders)
        return self._members[held]

    def view(self, name: str, base: str) -> None:
        """Take in that a pass has given ``name`` memory of ``base``, of which it was a copy."""
        self._sharing.view(name, base)
        self._members.clear()
        self.__dict__.pop("_holders", None)

    def sources(self, tree: ast.AST) -> set[str]:
        """The names whose memory the value of ``tree``, made of numbers and arrays, may share."""
        return set(self._numbers.sources(tree))

    def visible(self, name: str) -> bool:
        """Whether a write through ``name`` can be seen from outside the function."""
        return not self._sharing.held(name).isdisjoint((OUTSIDE, LENT))

    def simple(self, statement: ast.AST) -> bool:
        """Whether the laws have been applied to ``statement``."""
        return id(statement) in self._simple

    def simplified(self, statement: ast.AST) -> None:
        """Remember that no law applies to ``statement``."""
        self._simple[id(statement)] = statement

    def generated(self, name: str) -> bool:
        """Whether the compiler made ``name``."""
        return name not in self.user and name in self.local

    def temporary(self, name: str) -> bool:
        """Whether ``name`` is a temporary, the adjoint of one, or a saved version."""
        return self.generated(name) and is_numbered(name)

    def adjoint(self, name: str) -> bool:
        """Whether ``name`` is an adjoint or a tangent, hence floating, shadow or ``rt.ZERO``."""
        return name[:1] in ("b", "d") and name not in self._written and name in self.local

    def floating(self, name: str) -> bool:
        """Whether ``name`` is an adjoint or a tangent, or a temporary for a part of one."""
        return self.adjoint(name) or (self.temporary(name) and name in self._taken)

    @cached_property
    def _taken(self) -> frozenset[str]:
        return parts(self._body, self.adjoint)


def words(lines: tuple[str, ...]) -> frozenset[str]:
    """All names in a source text.

    >>> sorted(words(("y = x_1 * 2e3",)))
    ['x_1', 'y']
    """
    return frozenset(word for line in lines for word in WORD.findall(line))


class _Census:
    """One walk over a function: which lists are stacks, which names are captured."""

    def __init__(self, function: Function) -> None:
        self.captured: set[str] = set()
        self.in_place: set[str] = set()
        self.displays = self.containers = False
        self.pushed: dict[str, list[ast.AST]] = {}
        self.pops: Counter[str] = Counter()
        self._made: Counter[str] = Counter()
        self._bound: Counter[str] = Counter()
        self._read: Counter[str] = Counter()
        if not self._is_plain(function.contents):
            self._block(function.body)
        elif not function.contents.kinds.isdisjoint((gast.AugAssign, gast.Store)):
            self._stores(function.body)

    @staticmethod
    def _is_plain(contents: syntax.Contents) -> bool:
        """Whether there are no lists, dicts or functions inside."""
        made = contents.loads.isdisjoint(("list", "dict"))
        return (
            made
            and contents.kinds.isdisjoint((*NESTED, *COUNTED))
            and contents.attributes.isdisjoint(CONTAINERS)
        )

    def _stores(self, body: list[gast.stmt]) -> None:
        """What is written in place, where there is nothing else to see."""
        for statement in syntax.statements(body):
            match statement:
                case gast.AugAssign(target=target):
                    self.in_place.add(root(target))
                case gast.Assign(targets=targets):
                    places = (place for target in targets for place in leaves(target))
                    self.in_place |= {root(p) for p in places if p.__class__ is not gast.Name}
                case gast.For(target=target):
                    self.in_place |= {
                        root(p) for p in leaves(target) if not isinstance(p, gast.Name)
                    }

    def stacks(self) -> list[str]:
        """Names bound to ``[]`` only and used by ``append`` and ``pop`` only."""
        return [
            name
            for name, made in self._made.items()
            if made == self._bound[name]
            and self._read[name] == len(self.pushed.get(name, ())) + self.pops[name]
            and self.pushed.setdefault(name, []) is not None
        ]

    @property
    def lists(self) -> int:
        """How many names are bound to an empty list."""
        return len(self._made)

    def _block(self, body: list[gast.stmt]) -> None:
        for statement in body:
            match statement:
                case gast.Assign(targets=[gast.Name(id=name)], value=gast.List(elts=[])):
                    self._made[name] += 1
                    self._bound[name] += 1
                    continue
                case gast.Expr(
                    value=gast.Call(
                        func=gast.Attribute(value=gast.Name(id=name), attr="append"),
                        args=[pushed],
                        keywords=[],
                    )
                ):
                    self.pushed.setdefault(name, []).append(pushed)
                case gast.Assign(value=value, targets=[_]) | gast.Expr(value=value):
                    self._pop(value)
            self._tree(statement)

    def _pop(self, value: gast.expr) -> None:
        match value:
            case gast.Call(
                func=gast.Attribute(value=gast.Name(id=name), attr="pop"), args=[], keywords=[]
            ):
                self.pops[name] += 1

    def _tree(self, statement: gast.stmt) -> None:
        blocks = syntax.blocks(statement)
        if isinstance(statement, gast.FunctionDef):
            self.captured |= syntax.loads(statement)
            blocks = []
        stack: list[ast.AST] = [statement]
        while stack:
            node = stack.pop()
            if node.__class__ is gast.Name:
                self._name(node)
            elif node.__class__ is not gast.Constant:
                if node.__class__ in TELLING:
                    self._node(node)
                inside = syntax.children(node)
                if blocks and node is statement:
                    inside = [c for c in inside if not isinstance(c, ast.stmt)]
                stack += inside
        for block in blocks:
            self._block(block)

    def _name(self, node: gast.Name) -> None:
        count = self._read if isinstance(node.ctx, gast.Load) else self._bound
        count[node.id] += 1

    def _node(self, node: ast.AST) -> None:
        match node:
            case gast.Subscript(ctx=gast.Store()) | gast.Attribute(ctx=gast.Store()):
                self.in_place.add(root(node))
            case gast.AugAssign(target=target):
                self.in_place.add(root(target))
            case gast.List() | gast.ListComp():
                self.displays = True
            case gast.Dict() | gast.Call(func=gast.Name(id="list" | "dict")):
                self.containers = True
            case gast.Attribute(attr=attr) if attr in CONTAINERS:
                self.containers = True
        if isinstance(node, NESTED):
            self.captured |= syntax.loads(node) | syntax.stores(node)
