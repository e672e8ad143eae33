"""Twice: what a loop computes twice in a trip is computed once.

In: the finished statements of a function, ``Scope``.
Out: the same with fewer views and fewer sums of products.
Next: late.

A view is the same whenever it is taken; what is computed of it is the same as long as nobody writes there.
"""

from __future__ import annotations

import ast
from collections.abc import Iterator
from typing import TypeVar

import gast

from tangentlite import syntax
from tangentlite.optimize.facts.scope import Scope
from tangentlite.optimize.replace import inside, remade, replaced
from tangentlite.optimize.temporaries import numbered

Node = TypeVar("Node", bound=ast.AST)
Body = list[gast.stmt]
Loops = tuple[gast.For, ...]
SIMPLE = (gast.Assign, gast.AugAssign, gast.Expr)
PERHAPS = (gast.IfExp, gast.BoolOp, gast.Lambda, gast.ListComp, gast.GeneratorExp, gast.DictComp)


def twice(body: Body, scope: Scope) -> Body:
    """Take views once, and name a sum of products that stands in two statements.

    >>> from tangentlite.optimize.samples import show
    >>> show(twice, '''
    ... x = np.zeros(n)
    ... for i in range(1, 9):
    ...     t1 = x[1:, i - 1]
    ...     x[1:, i] = 3.0 / (2.0 * t1 + y)
    ...     t2 = x[1:, i - 1]
    ...     z = 4.0 / (2.0 * t2 + y)
    ... ''')
    x = np.zeros(n)
    for i in range(1, 9):
        t1 = x[1:, i - 1]
        t3 = 2.0 * t1 + y
        x[1:, i] = 3.0 / t3
        z = 4.0 / t3
    """
    if gast.For not in scope.kinds:
        return body
    return _Twice(body, scope).block(body, ())


class _Twice:
    def __init__(self, body: Body, scope: Scope) -> None:
        self._scope = scope
        self._loads, self._bound = syntax.times_loaded(body), syntax.times_stored(body)
        self._fresh = numbered(body, scope)

    def block(self, body: Body, loops: Loops) -> Body:
        result: Body = []
        for s in body:
            around = (*loops, s) if isinstance(s, gast.For) else loops
            result.append(
                inside(s, lambda b: self.block(b, around)) if syntax.blocks(s) else s  # noqa: B023
            )
        if not loops:
            return result if any(a is not b for a, b in zip(result, body)) else body
        return self._sums(self._views(result), loops)

    # Views ----------------------------------------------------------------------------------

    def _views(self, body: Body) -> Body:
        """Views that were taken before, under the name that they got first."""
        known: list[tuple[str, gast.Subscript]] = []
        result: Body = []
        holes: dict[str, gast.expr] = {}
        for k, statement in enumerate(body):
            found = self._view(statement)
            if found is None:
                remark = isinstance(statement, syntax.Comment | syntax.Blank)
                result.append(replaced(statement, holes) if holes and not remark else statement)
                lost = syntax.stores(statement)
                known = [v for v in known if lost.isdisjoint({v[0], *syntax.loads(v[1])})]
                continue
            name, part = found
            same = next((n for n, p in known if syntax.same(p, part)), None)
            if same is not None and self._stays(body[k + 1 :], name, {same, *syntax.loads(part)}):
                holes[name] = syntax.name(same)
                continue
            known.append(found)
            result.append(statement)
        return result if holes else body

    def _view(self, statement: gast.stmt) -> tuple[str, gast.Subscript] | None:
        """A temporary that is bound to slices of an array, by numbers."""
        match statement:
            case gast.Assign(
                targets=[gast.Name(id=name)],
                value=gast.Subscript(
                    value=gast.Name(id=base), slice=gast.Tuple(elts=index)
                ) as part,
            ) if self._scope.temporary(name) and name != base and self._bound[name] == 1:
                sliced = any(isinstance(e, gast.Slice) for e in index)
                return (name, part) if sliced and self._by_numbers(part.slice) else None
        return None

    def _by_numbers(self, index: gast.expr) -> bool:
        nodes = [n for n in syntax.walk(index) if isinstance(n, gast.expr)]
        plain = (gast.Tuple, gast.Slice, gast.BinOp, gast.Name)
        numbers = all(
            isinstance(n, plain) or (isinstance(n, gast.Constant) and type(n.value) is int)
            for n in nodes
        )
        return numbers and syntax.loads(index) <= self._scope.integers

    def _stays(self, rest: Body, name: str, made_of: set[str]) -> bool:
        """Whether a name is read in the rest of its block only, while nothing that it is made of is bound again."""
        return syntax.times_loaded(rest)[name] == self._loads[name] and made_of.isdisjoint(
            syntax.stores(rest)
        )

    # Sums of products -----------------------------------------------------------------------

    def _sums(self, body: Body, loops: Loops) -> Body:
        start = 0
        while start < len(body):
            for tree in self._parts(body[start]):
                ends = self._again(body, start, tree, loops)
                if ends:
                    body = self._named(body, start, ends, tree)
                    break
            start += 1
        return body

    def _parts(self, statement: gast.stmt) -> Iterator[gast.BinOp]:
        """The sums of products of names that are operands, or put on a tape."""
        if not isinstance(statement, SIMPLE):
            return
        if any(isinstance(n, PERHAPS) for n in syntax.walk(statement)):
            return
        for node in syntax.walk(statement):
            if not isinstance(node, gast.BinOp | gast.UnaryOp | gast.Tuple):
                continue
            if isinstance(node, gast.Tuple) and not isinstance(statement, gast.Expr):
                continue
            for part in syntax.children(node):
                inner = list(syntax.walk(part)) if isinstance(part, gast.BinOp) else []
                plain = all(
                    isinstance(n, gast.BinOp | gast.Name | gast.Constant)
                    for n in inner
                    if isinstance(n, gast.expr)
                )
                if plain and sum(isinstance(n, gast.BinOp) for n in inner) > 1:
                    yield part

    def _again(self, body: Body, start: int, tree: gast.BinOp, loops: Loops) -> list[int]:
        """The later statements that compute the same, as long as nothing that it is made of changes."""
        read, found = syntax.loads(tree), list[int]()
        views = {v[0]: v[1] for s in body[:start] if (v := self._view(s)) is not None}
        for k in range(start, len(body)):
            statement = body[k]
            if k > start and any(syntax.same(tree, part) for part in self._parts(statement)):
                found.append(k)
            facts = self._scope.facts(statement)
            if syntax.blocks(statement) or facts.effect or not facts.binds.isdisjoint(read):
                return found
            if facts.writes and not self._elsewhere(statement, facts.writes, read, views, loops):
                return found
        return found

    def _elsewhere(
        self,
        statement: gast.stmt,
        writes: frozenset[str],
        read: set[str],
        views: dict[str, gast.Subscript],
        loops: Loops,
    ) -> bool:
        """Whether a statement writes into nothing that names hold, or into other places of it."""
        shared = {n for w in writes for n in self._scope.members(w)} | writes
        near = read & shared
        if not near:
            return True
        match statement:
            case gast.Assign(targets=[gast.Subscript(value=gast.Name(id=base), slice=index)]):
                return all(
                    n in views
                    and views[n].value.id == base
                    and self._apart(views[n].slice, index, loops)
                    for n in near
                )
        return False

    def _apart(self, one: gast.expr, other: gast.expr, loops: Loops) -> bool:
        """Whether two indices say different numbers along an axis, of one counter that is large enough for both."""
        if not (isinstance(one, gast.Tuple) and isinstance(other, gast.Tuple)):
            return False
        if not self._by_numbers(other) or len(one.elts) != len(other.elts):
            return False
        low = {loop.target.id: self._least(loop) for loop in loops if hasattr(loop.target, "id")}
        for a, b in zip(one.elts, other.elts):
            if isinstance(a, gast.Slice) or isinstance(b, gast.Slice):
                continue
            (name, m), (same, n) = _shifted(a), _shifted(b)
            least = low.get(name) if name else 0
            if name == same and m != n and least is not None and least + min(m, n) >= 0:
                return True
        return False

    def _least(self, loop: gast.For) -> int | None:
        """The least number that a loop counts through, if the text tells it, and the loop alone binds its counter."""
        match loop.iter:
            case gast.Call(args=[_]) if self._scope.purity.means(loop.iter.func, (range,)):
                least = 0
            case gast.Call(args=[gast.Constant(value=value), _]) if (
                self._scope.purity.means(loop.iter.func, (range,)) and type(value) is int
            ):
                least = value
            case _:
                return None
        return least if self._bound[loop.target.id] >= 1 and not self._moves(loop) else None

    @staticmethod
    def _moves(loop: gast.For) -> bool:
        return loop.target.id in syntax.stores(loop.body)

    def _named(self, body: Body, start: int, ends: list[int], tree: gast.BinOp) -> Body:
        name = next(self._fresh)
        made = syntax.at(syntax.assign(name, tree), body[start])
        result = list(body)
        for k in (start, *ends):
            result[k] = _with_name(body[k], tree, name)
        return [*result[:start], made, *result[start:]]


def _shifted(entry: gast.expr) -> tuple[str | None, int]:
    """A name and what is added to it; a number has no name. What is neither is like nothing else."""
    match entry:
        case gast.Name(id=name):
            return name, 0
        case gast.Constant(value=value) if type(value) is int:
            return None, value
        case gast.BinOp(
            left=gast.Name(id=name),
            op=gast.Add() | gast.Sub() as op,
            right=gast.Constant(value=value),
        ) if type(value) is int:
            return name, value if isinstance(op, gast.Add) else -value
    return f"?{id(entry)}", 0


def _with_name(node: Node, tree: gast.expr, name: str) -> Node:
    """A statement, or a part of one, with a name for an expression in it."""
    if isinstance(node, gast.BinOp) and syntax.same(node, tree):
        return syntax.at(syntax.name(name), node)  # type: ignore[no-any-return]
    changes: dict[str, object] = {}
    for field, value in node.__dict__.items():
        if isinstance(value, gast.expr | gast.Slice):
            new = _with_name(value, tree, name)
            changes |= {field: new} if new is not value else {}
        elif isinstance(value, list) and value and isinstance(value[0], gast.expr | gast.Slice):
            parts = [v and _with_name(v, tree, name) for v in value]
            changes |= {field: parts} if any(a is not b for a, b in zip(parts, value)) else {}
    return remade(node, changes) if changes else node
