"""Visits: a loop that comes to each place of an adjoint once stores there, and empties nothing that nobody reads.

In: the finished statements of a function for NumPy, ``Scope``.
Out: the same with fewer writes.
Next: views.
"""

from __future__ import annotations

import ast
from collections.abc import Iterator
from typing import Any, NamedTuple

import gast

from tangentlite import syntax
from tangentlite.analysis.shapes.broadcasting import whole
from tangentlite.optimize.facts.buffers import Buffers
from tangentlite.optimize.facts.scope import Scope
from tangentlite.optimize.inherit import zeros
from tangentlite.optimize.replace import remade

Body = list[gast.stmt]


class Count(NamedTuple):
    """How a loop counts: the least number, and whether it goes up."""

    name: str
    least: int
    rising: bool


def visits(body: Body, scope: Scope) -> Body:
    """Store what is added once to each place of zeros; leave what is emptied and not read again.

    >>> from tangentlite.optimize.samples import function, text_of, sample_is_pure, USER
    >>> text = '''
    ... bx = np.zeros(n)
    ... by = np.zeros(n + 1)
    ... by[n] = 1.0
    ... for i in reversed(range(n)):
    ...     bt1 = by[i + 1] * w
    ...     by[i + 1] = 0.0
    ...     by[i] += bt1
    ...     bx[i] += bt1 * 2.0
    ... '''
    >>> sample = function(text)
    >>> print(text_of(visits(sample.body, Scope(sample, USER, sample_is_pure))))
    bx = np.zeros(n)
    by = np.zeros(n + 1)
    by[n] = 1.0
    for i in reversed(range(n)):
        bt1 = by[i + 1] * w
        by[i] += bt1
        bx[i] = bt1 * 2.0
    """
    loops = [k for k, s in enumerate(body) if isinstance(s, gast.For)]
    if not loops or gast.AugAssign not in scope.kinds:
        return body
    found, result = _Visits(body, scope), list(body)
    for k in loops:
        result[k] = found.loop(k)
    return result


class _Visits:
    def __init__(self, body: Body, scope: Scope) -> None:
        self._body, self._scope, self._buffers = body, scope, Buffers(body, scope)

    def loop(self, place: int) -> gast.stmt:
        """A loop of the function with fewer writes."""
        loop = self._body[place]
        count = self._count(loop)
        if count is None:
            return loop
        inner: Body = list(loop.body)
        for name in sorted({n for s in inner if (n := _written(s)) is not None}):
            offsets = _offsets(inner, name, count.name)
            if offsets is None or min(offsets) + count.least < 0 or not self._is_alone(name, loop):
                continue
            if self._begins(name, place) and len(offsets) == 1:
                inner = [_stored(s, name) for s in inner]
            elif self._ends_here(name, place):
                inner = _not_emptied(inner, name, count)
        return remade(loop, {"body": inner}) if inner != loop.body else loop

    def _is_alone(self, name: str, loop: gast.stmt) -> bool:
        """Whether a name is that of an adjoint, and no other name has a part of its memory in a loop."""
        mine = self._scope.adjoint(name) and name not in self._scope.captured
        others = self._buffers.sharing(name) - {name}
        return (
            mine
            and self._buffers.is_buffer(name)
            and others.isdisjoint(syntax.loads(loop) | syntax.stores(loop))
        )

    def _ends_here(self, name: str, place: int) -> bool:
        """Whether nobody reads an array behind a loop: it was made here, and no other name holds it."""
        made = [s for s in syntax.statements(self._body) if name in syntax.stores(s)]
        own = name not in self._scope.params and all(zeros(s) == name for s in made)
        later, names = self._body[place + 1 :], self._buffers.sharing(name)
        return own and not any(syntax.mentions(s, n) for s in later for n in names)

    def _begins(self, name: str, place: int) -> bool:
        """Whether an adjoint is an array of zeros when the loop begins."""
        for statement in reversed(self._body[:place]):
            if syntax.mentions(statement, name):
                return zeros(statement) == name
        return False

    def _count(self, loop: Any) -> Count | None:
        name = loop.target.id if isinstance(loop.target, gast.Name) else ""
        match loop.iter:
            case _ if loop.orelse or name not in self._scope.integers:
                return None
            case gast.Call(func=func, args=[gast.Call(args=args)]) if self._means(func, reversed):
                rising = False
            case gast.Call(args=args):
                rising = True
            case _:
                return None
        least = whole(args[0]) if len(args) == 2 else 0 if len(args) == 1 else None
        return None if least is None or least < 0 else Count(name, least, rising)

    def _means(self, func: gast.expr, callee: object) -> bool:
        return self._scope.purity.means(func, (callee,))


def _written(statement: Any) -> str | None:
    """The array to one place of which a statement adds, or which it empties there."""
    match statement:
        case (
            gast.AugAssign(
                target=gast.Subscript(value=gast.Name(id=name)), op=gast.Add() | gast.Sub()
            )
            | gast.Assign(
                targets=[gast.Subscript(value=gast.Name(id=name))], value=gast.Constant(value=0.0)
            )
        ):
            return str(name)
    return None


def _offsets(trees: Any, name: str, counter: str) -> list[int] | None:
    """How far from the counter the places are at which an array is met; None if it is met otherwise."""
    found: list[int | None] = list(_met(trees, name, counter))
    known = [k for k in found if k is not None]
    return known if known and len(known) == len(found) else None


def _met(trees: Any, name: str, counter: str) -> Iterator[int | None]:
    stack: list[ast.AST] = list(trees)
    while stack:
        node = stack.pop()
        match node:
            case gast.Subscript(value=gast.Name(id=base), slice=index) if base == name:
                yield _offset(index, counter)
                stack.append(index)
                continue
            case gast.Name(id=met) if met == name:
                yield None
        stack += syntax.children(node)


def _offset(index: gast.expr, counter: str) -> int | None:
    match index:
        case gast.Name(id=name) if name == counter:
            return 0
        case gast.BinOp(left=gast.Name(id=name), op=gast.Add() | gast.Sub() as op, right=right) if (
            name == counter and (number := whole(right)) is not None
        ):
            return number if isinstance(op, gast.Add) else -number
    return None


def _stored(statement: gast.stmt, name: str) -> gast.stmt:
    """What is added to a place is stored there."""
    if _written(statement) != name or not isinstance(statement, gast.AugAssign):
        return statement
    value = statement.value
    if isinstance(statement.op, gast.Sub):
        value = syntax.at(gast.UnaryOp(gast.USub(), value), value)
    return syntax.at(gast.Assign([statement.target], value, None), statement)


def _not_emptied(body: Body, name: str, count: Count) -> Body:
    """Without emptying a place to which no statement behind it, and no later trip, comes."""
    for k, statement in enumerate(body):
        if not isinstance(statement, gast.Assign) or _written(statement) != name:
            continue
        (own,) = _offsets([statement], name, count.name) or [0]
        others = _offsets([*body[:k], *body[k + 1 :]], name, count.name) or []
        behind = _offsets(body[k + 1 :], name, count.name) or []
        passed = all(o >= own if count.rising else o <= own for o in others)
        if passed and own not in behind:
            return [*body[:k], *body[k + 1 :]]
    return body
