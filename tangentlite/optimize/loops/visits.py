"""Visits: a loop that comes to each place of an adjoint once stores there, and empties nothing that nobody reads.

In: the finished statements of a function for NumPy, ``Scope``.
Out: the same with fewer writes.
Next: views.
"""

from __future__ import annotations

import ast
import bisect
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
    ... bh = np.zeros(n + 1)
    ... bh[n] = 1.0
    ... for i in reversed(range(n)):
    ...     bt1 = bh[i + 1] * w
    ...     bh[i + 1] = 0.0
    ...     bh[i] += bt1
    ...     bx[i] += bt1 * 2.0
    ... '''
    >>> sample = function(text)
    >>> print(text_of(visits(sample.body, Scope(sample, USER, sample_is_pure))))
    bx = np.zeros(n)
    bh = np.zeros(n + 1)
    bh[n] = 1.0
    for i in reversed(range(n)):
        bt1 = bh[i + 1] * w
        bh[i] += bt1
        bx[i] = bt1 * 2.0
    """
    loops = [k for k, s in enumerate(body) if isinstance(s, gast.For)]
    if not loops or gast.AugAssign not in scope.kinds:
        return body
    found, result = _Visits(body, scope), list(body)
    for k in loops:
        result[k] = found.loop(k)
    return result


Place = tuple[int, int | None]


class _Visits:
    def __init__(self, body: Body, scope: Scope) -> None:
        self._body, self._scope, self._buffers = body, scope, Buffers(body, scope)
        self._makers: dict[str, list[gast.stmt]] = {}
        for statement in syntax.statements(body):
            for name in syntax.stores(statement):
                self._makers.setdefault(name, []).append(statement)
        self._places: dict[str, list[int]] = {}  # the statements that name something
        for place, statement in enumerate(body):
            for name in syntax.loads(statement) | syntax.stores(statement):
                self._places.setdefault(name, []).append(place)

    def loop(self, place: int) -> gast.stmt:
        """A loop of the function with fewer writes."""
        loop = self._body[place]
        count = self._count(loop)
        if count is None:
            return loop
        inner: list[gast.stmt | None] = list(loop.body)
        met = _met(loop.body, count.name)
        written = {n for s in loop.body if (n := _written(s)) is not None}
        for name in sorted(written):
            offsets = [offset for _, offset in met[name] if offset is not None]
            if len(offsets) < len(met[name]) or min(offsets) + count.least < 0:
                continue
            if not self._is_alone(name, place):
                continue
            if len(offsets) == 1 and self._has_begun(name, place):
                k = met[name][0][0]
                inner[k] = _stored(loop.body[k])
            elif self._ends_here(name, place):
                k = _last_emptied(loop.body, name, met[name], count.rising)
                inner[k] = inner[k] if k < 0 else None
        made = [statement for statement in inner if statement is not None]
        return remade(loop, {"body": made}) if made != loop.body else loop

    def _is_alone(self, name: str, place: int) -> bool:
        """Whether a name is that of an adjoint, and no other name has a part of its memory in a loop."""
        if not self._scope.adjoint(name) or name in self._scope.captured:
            return False
        others = self._buffers.sharing(name) - {name}
        return self._buffers.is_buffer(name) and not any(self._is_named(n, place) for n in others)

    def _is_named(self, name: str, place: int) -> bool:
        places = self._places.get(name, [])
        k = bisect.bisect_left(places, place)
        return k < len(places) and places[k] == place

    def _ends_here(self, name: str, place: int) -> bool:
        """Whether nobody reads an array behind a loop: it was made here, and no other name holds it."""
        made = self._makers.get(name, [])
        own = name not in self._scope.params and all(zeros(s) == name for s in made)
        others = (self._places.get(n, [-1])[-1] for n in self._buffers.sharing(name))
        return own and max(others) <= place

    def _has_begun(self, name: str, place: int) -> bool:
        """Whether an array is zeros when a loop begins."""
        places = self._places[name]
        before = bisect.bisect_left(places, place) - 1
        return before >= 0 and zeros(self._body[places[before]]) == name

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


def _met(body: Body, counter: str) -> dict[str, list[Place]]:
    """By which statements names are met, and how far from the counter; None: elsewhere, or as a whole."""
    found: dict[str, list[Place]] = {}
    for k, statement in enumerate(body):
        stack: list[ast.AST] = [statement]
        while stack:
            node = stack.pop()
            match node:
                case gast.Subscript(value=gast.Name(id=name), slice=index):
                    found.setdefault(name, []).append((k, _offset(index, counter)))
                    stack.append(index)
                    continue
                case gast.Name(id=name):
                    found.setdefault(name, []).append((k, None))
            stack += syntax.children(node)
    return found


def _offset(index: gast.expr, counter: str) -> int | None:
    match index:
        case gast.Name(id=name) if name == counter:
            return 0
        case gast.BinOp(left=gast.Name(id=name), op=gast.Add() | gast.Sub() as op, right=right) if (
            name == counter and (number := whole(right)) is not None
        ):
            return number if isinstance(op, gast.Add) else -number
    return None


def _stored(statement: Any) -> gast.stmt:
    """What is added to a place is stored there."""
    if not isinstance(statement, gast.AugAssign):
        return statement
    value = statement.value
    if isinstance(statement.op, gast.Sub):
        value = syntax.at(gast.UnaryOp(gast.USub(), value), value)
    return syntax.at(gast.Assign([statement.target], value, None), statement)


def _last_emptied(body: Body, name: str, met: list[Place], rising: bool) -> int:
    """The statement that empties a place to which none behind it, and no later trip, comes; -1: there is none."""
    for k, own in met:
        if not isinstance(body[k], gast.Assign) or _written(body[k]) != name or own is None:
            continue
        others = [(other, offset) for other, offset in met if other != k and offset is not None]
        passed = all(o >= own if rising else o <= own for _, o in others)
        if passed and all(o != own for other, o in others if other > k):
            return k
    return -1
