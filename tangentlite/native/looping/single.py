"""One statement on whole arrays or slices as one nest of loops, the last axis innermost.

In: a statement, what is known of its names.
Out: a loop; None for what is not understood.
Next: loops.
"""

from __future__ import annotations

import ast
from collections.abc import Callable
from typing import Any

from tangentlite import runtime
from tangentlite.native.facts.alone import in_place
from tangentlite.native.facts.known import ADD_AT
from tangentlite.native.facts.lengths import Lengths
from tangentlite.native.facts.names import loads
from tangentlite.native.facts.ranks import Names
from tangentlite.native.looping.access import Access, access
from tangentlite.native.looping.choices import choice
from tangentlite.native.looping.elements import SIGNS, Elements
from tangentlite.native.looping.nests import BEFORE, EVERYTHING, Loop, follows, note, variables
from tangentlite.native.looping.scattering import scattered
from tangentlite.values import replace


class Nester:
    """Knows the names of a kernel, those that are ``alone``, and the lengths as far as its statements were read."""

    def __init__(
        self,
        names: Names,
        lengths: Lengths,
        elements: Elements,
        meaning: Callable[[ast.expr], Any],
        fresh: Callable[[str], str],
    ) -> None:
        self._names, self._lengths, self._elements = names, lengths, elements
        self._meaning, self._fresh = meaning, fresh
        self.alone = frozenset[str]()

    def apart(self, statement: Any) -> list[Any]:
        """``x = e + x`` in two statements: what is read has another name, and what is bound is new.

        An adjoint that begins with nothing, ``bx = rt.unbroadcast(bx, x)``, has the lengths of ``x`` only then.
        """
        match statement:
            case ast.Assign(value=ast.BinOp() | ast.UnaryOp() as whole):
                _arithmetic(whole, self._is_as_it_should_be)
        match statement:
            case ast.Assign(targets=[ast.Name(id=name)], value=ast.BinOp() as value) if (
                self._names.ranks.get(name, -1) > 0 and name in loads(value)
            ):
                begins = any(self._begins(node, name) for node in ast.walk(value))
                shape = self._elements.shape(value)
                if begins or not shape or len(shape) != self._names.ranks[name]:
                    return [statement]
                claim = self._lengths.claims.get(name, ())
                place = in_place(statement, name) if claim == shape else None
                if name in self.alone and place is not None:
                    return [place]
                old = self._fresh("o")
                first = ast.Assign([ast.Name(old, ast.Store())], ast.Name(name, ast.Load()))
                self._names.add(old, first.value)
                self._lengths.add(old, claim)
                for node in ast.walk(value):
                    if isinstance(node, ast.Name) and node.id == name:
                        node.id = old
                return [ast.fix_missing_locations(first), statement]
            case ast.Assign(targets=[ast.Name(id=name)], value=value) if self._begins(
                value, name
            ) and self._is_as_it_should_be(value):
                return []
        return [statement]

    def _is_as_it_should_be(self, call: ast.expr) -> bool:
        """Whether ``bx`` has the lengths of ``x`` wherever it is bound: ``rt.unbroadcast(bx, x)`` is ``bx``."""
        match call:
            case ast.Call(func=func, args=[ast.Name(id=name), like], keywords=[]):
                claim = self._lengths.claims.get(name)
                if claim is None or self._meaning(func) is not runtime.unbroadcast:
                    return False
                return self._elements.outline(like) == claim
        return False

    def _begins(self, node: ast.AST, name: str) -> bool:
        match node:
            case ast.Call(func=func, args=[ast.Name(id=first), *_]) if first == name:
                return self._meaning(func) is runtime.unbroadcast
        return False

    def loop(self, statement: ast.stmt) -> Loop | None:
        """The loop that a statement is."""
        match statement:
            case ast.Assign(targets=[ast.Subscript() as target], value=value):
                return self._stored(target, "=", value)
            case ast.AugAssign(target=ast.Subscript() | ast.Name() as target, op=op, value=value):
                sign = SIGNS.get(type(op))
                return self._stored(target, f"{sign}=", value) if sign is not None else None
            case ast.Assign(targets=[ast.Name(id=name)], value=value):
                return self._bound(name, value)
            case ast.Expr(value=ast.Call(func=func, args=[array, index, value])) if (
                self._meaning(func) is runtime.add_at or ast.unparse(func) == ADD_AT
            ):
                found = choice(array, index, self._names, self._lengths)
                return scattered(found, value, self._names, self._elements) if found else None
        return None

    def _stored(self, target: ast.expr, sign: str, value: ast.expr) -> Loop | None:
        place = access(target, self._names, self._lengths)
        if place is None or not place.rank or place.name not in self._names.floats:
            return None
        shape = self._elements.shape(value)
        if shape is None or len(shape) > place.rank:
            return None
        if any(a == "1" != b for a, b in zip(place.counts[place.rank - len(shape) :], shape)):
            return None
        loop, places = _begun(place.counts), variables(place.rank)
        text = self._elements.say(value, loop, places[place.rank - len(shape) :])
        index = place.index(places)
        if self._overlaps(place.name, index, loop):
            return self._through(loop, place, index, sign, text)
        loop.body = [f"{index} {sign} {text}"]
        if sign in ("+=", "-=") and not any(self._names.meet(place.name, n) for n in loop.reads):
            loop.added, loop.sums = self._added(place), frozenset([place.name])
        note(loop.writes, place.name, index)
        if sign != "=":
            note(loop.reads, place.name, index)
        return loop

    def _added(self, place: Access) -> tuple[str, str, int] | None:
        last, (*lead, _) = place.axes[-1], variables(place.rank)
        if last.count is None or last.step != 1 or not last.start.isdigit():
            return None
        whole = replace(place, axes=(*place.axes[:-1], replace(last, start="0")))
        return place.name, whole.index((*lead, "_j")), int(last.start)

    def _through(self, loop: Loop, place: Access, index: str, sign: str, text: str) -> Loop | None:
        """The value is made as a whole before any of it is stored."""
        whole, places = self._fresh("w"), variables(place.rank)
        at = f"{whole}[{', '.join(places)}]"
        loop.before.append(f"{whole} = np.empty(({', '.join(loop.counts)},))")
        loop.body = [f"{at} = {text}"]
        first = loop.statements(places)
        second = Loop(loop.counts, [ast.unparse(s) for s in first], [f"{index} {sign} {at}"])
        note(second.writes, place.name, index)
        second.reads = loop.reads
        note(second.reads, place.name, EVERYTHING)
        return second

    def _overlaps(self, name: str, index: str, loop: Loop) -> bool:
        same = (n for n in loop.reads if self._names.meet(name, n))
        rank = len(loop.counts)
        return any(
            n != name or not all(follows(i, index, rank) for i in loop.reads[n] - {BEFORE, index})
            for n in same
        )

    def _bound(self, name: str, value: ast.expr) -> Loop | None:
        rank, kind = self._names.rank(value), self._kind(value)
        if not rank or kind is None:
            return None
        if isinstance(value, ast.Call) and self._meaning(value.func) is runtime.summed:
            return self._summed(name, value)
        if not self._names.is_fresh(value):
            return None
        shape = self._elements.shape(value)
        if rank != self._names.ranks.get(name) or not shape or len(shape) != rank:
            return None
        loop, places = _begun(shape), variables(rank)
        text = self._elements.say(value, loop, places)
        if name in loop.reads:
            return None
        index = f"{name}[{', '.join(places)}]"
        loop.before.append(f"{name} = np.empty(({', '.join(shape)},){kind})")
        loop.body = [f"{index} = {text}"]
        note(loop.writes, name, index)
        return loop

    def _kind(self, value: ast.expr) -> str | None:
        """The type of an array's elements, as its maker is told it."""
        if isinstance(value, ast.Compare):
            return ", np.bool_"
        return (
            ""
            if self._names.floating(value)
            else ", np.int64"
            if self._names.whole(value)
            else None
        )

    def _summed(self, name: str, call: ast.Call) -> Loop | None:
        """``ba = rt.summed(ba, e, a)`` adds in place."""
        match call.args:
            case [ast.Name(id=same), value, _] if same == name:
                return self._stored(ast.Name(name, ast.Load()), "+=", value)
        return None


def _begun(counts: tuple[str, ...]) -> Loop:
    return Loop(counts, [], [], trips=dict(zip(variables(len(counts)), counts)))


def _arithmetic(node: ast.expr, is_plain: Callable[[ast.expr], bool]) -> ast.expr:
    """Operands that need no call: what sums and products are made of is new in any case."""
    match node:
        case ast.BinOp(left=left, right=right):
            node.left, node.right = _arithmetic(left, is_plain), _arithmetic(right, is_plain)
        case ast.UnaryOp(operand=operand):
            node.operand = _arithmetic(operand, is_plain)
        case ast.Call(args=[first, *_]) if is_plain(node):
            return first
    return node
