"""Statements on whole arrays and slices as loops over their elements: what machine code is fast at.

In: statements of a kernel, what is known of their names.
Out: statements; those that are not understood stay as they are.
Next: kernel.

One statement becomes one nest of loops, the last axis innermost. Lengths that are not the same by their text are
compared before the loop: Numba looks at no bounds. Neighbors over the same lengths share a loop where each element is
met in the order that the statements say.
"""

from __future__ import annotations

import ast
from collections import Counter
from collections.abc import Callable
from typing import Any

from tangentlite import runtime
from tangentlite.native.facts.known import ADD_AT, ADDED, AT, ROLLED, TURN
from tangentlite.native.facts.lengths import Lengths
from tangentlite.native.facts.measures import measured
from tangentlite.native.facts.names import loads, rebuild
from tangentlite.native.facts.ranks import Names
from tangentlite.native.library.exponentials import OWN
from tangentlite.native.looping.access import SPAN, Access, access
from tangentlite.native.looping.choices import choice
from tangentlite.native.looping.elements import SIGNS, Elements
from tangentlite.native.looping.gathers import gathered
from tangentlite.native.looping.hoisting import Hoister
from tangentlite.native.looping.moving import Mover
from tangentlite.native.looping.nests import (
    BEFORE,
    EVERYTHING,
    MISMATCH as MISMATCH,
    Loop,
    follows,
    joined,
    note,
)
from tangentlite.native.looping.rows import (
    are_apart,
    narrowed,
    place_before,
    rows_of,
    shared,
    together,
    views_last,
    whole,
    with_readers,
)
from tangentlite.native.looping.scalars import in_registers
from tangentlite.native.looping.scattering import scattered
from tangentlite.native.looping.zeroing import zeroed
from tangentlite.native.memory.idle import Idle
from tangentlite.values import replace

VARIABLES = {
    "_j",
    "_sum",
    SPAN,
    ADDED,
    AT,
    ROLLED,
    TURN,
    *OWN,
    *(f"{letter}{k}" for letter in ("_", "_c", "_n") for k in range(10)),
}


class Looper:
    """Turns the blocks of one kernel into loops."""

    def __init__(
        self, tree: ast.FunctionDef, names: Names, meaning: Callable[[ast.expr], Any]
    ) -> None:
        self._names, self._meaning, self._count = names, meaning, 0
        self._known = set(names.ranks)
        self._loads = Counter(n for s in tree.body for n in loads(s))
        self._mover = Mover(tree, names, meaning)
        self._lengths = Lengths(tree, names, meaning, self.fresh)
        self._lengths.claims = measured(tree, names, meaning)
        self._elements = Elements(names, self._lengths, meaning, self.fresh)
        self._hoister = Hoister(names, self._elements, self._lengths, meaning, self.fresh)

    def whole(self, body: list[ast.stmt]) -> list[ast.stmt]:
        """The body of the kernel; views that nothing reads any more are left out."""
        if not self._known.isdisjoint(VARIABLES):
            return body
        done = self.block(body)
        return Idle(self._lengths.inlined, self._names.ranks).without(done)

    def block(self, body: list[ast.stmt]) -> list[ast.stmt]:
        """The statements, with loops for what has axes."""
        scope, done = self._lengths.scope(), []
        body = self._mover.sunk(self._mover.moved(body))
        for statement in (part for s in body for part in self._hoister.prepared(s)):
            done += self._taken(statement)
        self._lengths.back(scope)
        return [s for group in self._joined(self._groups(done)) for s in self._written(group)]

    def _taken(self, statement: Any) -> list[ast.stmt | Loop]:
        loop = statement if isinstance(statement, Loop) else self._loop(statement)
        before: list[ast.stmt] = ast.parse("\n".join(self._lengths.waiting())).body
        if loop is not None:
            for pair in loop.checks:
                self._lengths.equal(*pair)
        if not isinstance(statement, Loop):
            zeroed(statement, self._names, self._lengths, self._meaning)
            self._lengths.learn(statement, loop.counts if loop else self._outline(statement))
            before += ast.parse("\n".join(self._lengths.waiting())).body
        if loop is not None:
            loop.sources = loop.sources or [statement]
            return [*before, loop]
        rebuild(statement, lambda inner: self._inside(statement, inner))
        return [*before, statement]

    def _inside(self, statement: ast.stmt, body: list[ast.stmt]) -> list[ast.stmt]:
        scope = self._lengths.scope()
        self._lengths.begin(statement)
        made = self.block(body)
        self._lengths.back(scope)
        return made

    def _outline(self, statement: ast.stmt) -> tuple[str, ...]:
        match statement:
            case ast.Assign(value=ast.BinOp(op=ast.MatMult()) | ast.Call() as value):
                return self._elements.outline(value) or ()
        return ()

    def _joined(self, groups: list[list[Any]]) -> list[list[Any]]:
        """Neighbors that do not add to one array share a loop where they may."""
        result: list[list[Any]] = []
        groups = views_last(groups, self._lengths.inlined, self._names)
        for group in with_readers(groups, self._fits):
            last = result[-1] if result else []
            if not isinstance(group[0], Loop):
                result.insert(place_before(group, result, self._names), group)
            elif len(group) == len(last) == 1 and self._follows(last[0], group[0]):
                last[0] = joined(last[0], group[0])
            else:
                result.append(group)
        return self._in_rows(result)

    def _follows(self, one: Any, other: Loop) -> bool:
        return isinstance(one, Loop) and self._fits(one, other)

    def _in_rows(self, groups: list[list[Any]]) -> list[list[Any]]:
        """Neighbors of which only the outer loops are alike share those."""
        everywhere = self._loads + Counter(self._hoister.reads)
        result: list[list[Any]] = []
        for group in groups:
            last = result[-1] if result else []
            if len(group) == 1 and isinstance(group[0], Loop):
                group = [in_registers(group[0], everywhere, self.fresh)]
            if last and isinstance(last[0], Loop) and isinstance(group[0], Loop):
                shares = self._share(last, group)
                if shares is not None:
                    last[:] = [shares]
                    continue
            result.append(group)
        return result

    def _share(self, last: list[Loop], group: list[Loop]) -> Loop | None:
        """One nest for two groups, if they may share the outer loops."""
        one, other = whole(last), whole(group)
        if not other.begins_with(one):
            return None
        depth = shared(one, other, self._meets, max(len(last), len(group)) > 1)
        if not depth:
            return None
        first, second = (g[0] if len(g) == 1 else rows_of(g, self.fresh) for g in (last, group))
        return together(first, second, depth, self.fresh)

    def _groups(self, done: list[ast.stmt | Loop]) -> list[list[Any]]:
        """Neighbors that add to one array are gathered."""
        groups: list[list[Any]] = []
        for item in done:
            if groups and self._gathers([*groups[-1], item]):
                groups[-1].append(item)
            else:
                groups.append([item])
        return groups

    def _gathers(self, items: list[Any]) -> bool:
        """Whether loops over the same lengths do nothing but add to one array."""
        if not all(isinstance(i, Loop) and i.added is not None for i in items):
            return False
        first = items[0]
        return not any(i.before or i.checks for i in items[1:]) and all(
            i.counts == first.counts and i.added[:2] == first.added[:2] for i in items
        )

    def _written(self, group: list[Any]) -> list[ast.stmt]:
        if not isinstance(group[0], Loop):
            return group
        variables = self._variables(len(group[0].counts))
        if len(group) > 1:
            return gathered(group, variables)
        everywhere = self._loads + Counter(self._hoister.reads)
        loop = narrowed(group[0], everywhere, self._lengths.sized, self.fresh)
        return loop.statements(variables)

    def _variables(self, rank: int) -> tuple[str, ...]:
        return tuple(f"_{k}" for k in range(rank))

    def fresh(self, wish: str) -> str:
        """A name that the kernel does not have."""
        self._count += 1
        name = f"_{wish}{self._count}"
        return name if name not in self._known else self.fresh(wish)

    # One statement --------------------------------------------------------------------------

    def _loop(self, statement: ast.stmt) -> Loop | None:
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

    def _begun(self, counts: tuple[str, ...]) -> Loop:
        return Loop(counts, [], [], trips=dict(zip(self._variables(len(counts)), counts)))

    def _stored(self, target: ast.expr, sign: str, value: ast.expr) -> Loop | None:
        place = access(target, self._names, self._lengths)
        if place is None or not place.rank or place.name not in self._names.floats:
            return None
        shape = self._elements.shape(value)
        if shape is None or len(shape) > place.rank:
            return None
        if any(a == "1" != b for a, b in zip(place.counts[place.rank - len(shape) :], shape)):
            return None
        loop, variables = self._begun(place.counts), self._variables(place.rank)
        text = self._elements.say(value, loop, variables[place.rank - len(shape) :])
        index = place.index(variables)
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
        last, (*lead, _) = place.axes[-1], self._variables(place.rank)
        if last.count is None or last.step != 1 or not last.start.isdigit():
            return None
        whole = replace(place, axes=(*place.axes[:-1], replace(last, start="0")))
        return place.name, whole.index((*lead, "_j")), int(last.start)

    def _through(self, loop: Loop, place: Access, index: str, sign: str, text: str) -> Loop | None:
        """The value is made as a whole before any of it is stored."""
        whole, variables = self.fresh("w"), self._variables(place.rank)
        at = f"{whole}[{', '.join(variables)}]"
        loop.before.append(f"{whole} = np.empty(({', '.join(loop.counts)},))")
        loop.body = [f"{at} = {text}"]
        first = loop.statements(variables)
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
        loop, variables = self._begun(shape), self._variables(rank)
        text = self._elements.say(value, loop, variables)
        if name in loop.reads:
            return None
        index = f"{name}[{', '.join(variables)}]"
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

    # Neighbors ------------------------------------------------------------------------------

    def _fits(self, one: Loop, other: Loop) -> bool:
        """Whether two loops may be one: the same trips, and elements are met in the same order."""
        if one.counts != other.counts or not other.begins_with(one):
            return False
        pairs = [(one.writes, other.reads), (one.writes, other.writes), (one.reads, other.writes)]
        anywhere = {n for n in one.sums & other.sums if EVERYTHING in one.writes[n]}
        sums = frozenset(n for n in anywhere if EVERYTHING in other.writes[n])
        fits = all(self._meets(a, b, len(one.counts), sums) for a, b in pairs)
        return fits and not are_apart(one, other)

    def _meets(
        self,
        first: dict[str, set[str]],
        second: dict[str, set[str]],
        rank: int,
        sums: frozenset[str] = frozenset(),
    ) -> bool:
        """``sums``: arrays that both loops only add to, in whatever order."""
        for a, indices in first.items():
            for b, others in second.items():
                if not self._names.meet(a, b) or (a == b and a in sums):
                    continue
                if a != b or not all(follows(i, j, rank) for i in indices for j in others):
                    return False
        return True
