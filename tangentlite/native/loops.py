"""Statements on whole arrays and slices as loops over their elements: what machine code is fast at.

In: statements of a kernel, what is known of their names.
Out: statements; those that are not understood stay as they are.
Next: kernel.

One statement becomes one nest of loops, the last axis innermost. Lengths that are not the same by their text are
compared before the loop: Numba looks at no bounds. Neighbors over the same lengths share a loop where no element is
read under another index than it is written.
"""

from __future__ import annotations

import ast
from collections.abc import Callable
from typing import Any

from tangentlite import runtime
from tangentlite.native.access import SPAN, Access, access
from tangentlite.native.known import ARITHMETIC, is_elementwise
from tangentlite.native.lengths import Lengths
from tangentlite.native.nests import MISMATCH as MISMATCH, Loop, gathered, joined, note
from tangentlite.native.ranks import Names
from tangentlite.values import replace

FUNCTIONS = (runtime.times, runtime.cancel, runtime.quotient)
BEFORE = "before"
VARIABLES = {
    "_j",
    "_sum",
    SPAN,
    *(f"{letter}{k}" for letter in ("_", "_c", "_n") for k in range(10)),
}


class Looper:
    """Turns the blocks of one kernel into loops."""

    def __init__(
        self, tree: ast.FunctionDef, names: Names, meaning: Callable[[ast.expr], Any]
    ) -> None:
        self._names, self._meaning, self._count = names, meaning, 0
        self._known = set(names.ranks)
        self._lengths = Lengths(tree, names, meaning)

    def block(self, body: list[ast.stmt]) -> list[ast.stmt]:
        """The statements, with loops for what has axes."""
        if not self._known.isdisjoint(VARIABLES):
            return body
        done: list[ast.stmt | Loop] = []
        for statement in body:
            loop = self._loop(statement)
            self._lengths.learn(statement, loop.counts if loop is not None else ())
            if loop is None:
                for part in ("body", "orelse"):
                    if getattr(statement, part, None):
                        setattr(statement, part, self.block(getattr(statement, part)))
                done.append(statement)
            else:
                done.append(loop)
        return [s for group in self._joined(self._groups(done)) for s in self._written(group)]

    def _joined(self, groups: list[list[Any]]) -> list[list[Any]]:
        """Neighbors that do not add to one array share a loop where they may."""
        result: list[list[Any]] = []
        for group in groups:
            last = result[-1] if result else []
            alone = len(group) == len(last) == 1
            if alone and isinstance(group[0], Loop) and isinstance(last[0], Loop):
                if self._fits(last[0], group[0]):
                    last[0] = joined(last[0], group[0])
                    continue
            result.append(group)
        return result

    def length(self, name: str, axis: int) -> str:
        """How long an axis is, said by arguments if they tell."""
        return self._lengths.of(name, axis)

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
        if not all(isinstance(i, Loop) and i.added is not None for i in items):
            return False
        first = items[0]
        return not any(i.before or i.checks for i in items[1:]) and all(
            i.counts == first.counts
            and i.added[:2] == first.added[:2]
            and not self._reads(i, first.added[0])
            for i in items
        )

    def _reads(self, loop: Loop, name: str) -> bool:
        """Whether a loop that adds to an array reads it, or what may share its memory, besides."""
        family = self._names.family(name)
        return any(self._names.family(n) == family for n in loop.reads if n != name) or (
            loop.reads.get(name, set()) != loop.writes[name]
        )

    def _written(self, group: list[Any]) -> list[ast.stmt]:
        if not isinstance(group[0], Loop):
            return group
        variables = self._variables(len(group[0].counts))
        return gathered(group, variables) if len(group) > 1 else group[0].statements(variables)

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
        return None

    def _stored(self, target: ast.expr, sign: str, value: ast.expr) -> Loop | None:
        place = access(target, self._names, self)
        if place is None or not place.rank or place.name not in self._names.floats:
            return None
        loop = Loop(place.counts, list(place.before), [])
        text = self._element(value, loop, place.rank)
        if text is None:
            return None
        index = place.index(self._variables(place.rank))
        if self._overlaps(place.name, index, loop):
            return self._through(loop, place, index, sign, text)
        loop.body = [f"{index} {sign} {text}"]
        note(loop.writes, place.name, index)
        if sign != "=":
            note(loop.reads, place.name, index)
            loop.added = self._added(place)
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
        note(second.reads, place.name, "everything")
        return second

    def _overlaps(self, name: str, index: str, loop: Loop) -> bool:
        family = self._names.family(name)
        same = (n for n in loop.reads if self._names.family(n) == family)
        return any(n != name or loop.reads[n] - {BEFORE} - {index} for n in same)

    def _bound(self, name: str, value: ast.expr) -> Loop | None:
        rank = self._names.rank(value)
        if not rank or not self._names.floating(value):
            return None
        if self._meaning_of(value) is runtime.summed and isinstance(value, ast.Call):
            return self._summed(name, value)
        if isinstance(value, (ast.Name, ast.Subscript)) or rank != self._names.ranks.get(name):
            return None
        loop = Loop((), [], [])
        text = self._element(value, loop, rank)
        if text is None or not loop.counts or name in loop.reads:
            return None
        variables = self._variables(rank)
        index = f"{name}[{', '.join(variables)}]"
        loop.before.append(f"{name} = np.empty(({', '.join(loop.counts)},))")
        loop.body = [f"{index} = {text}"]
        note(loop.writes, name, index)
        return loop

    def _summed(self, name: str, call: ast.Call) -> Loop | None:
        """``ba = rt.summed(ba, e, a)`` adds in place."""
        match call.args:
            case [ast.Name(id=same), value, _] if same == name:
                return self._stored(ast.Name(name, ast.Load()), "+=", value)
        return None

    def _meaning_of(self, node: ast.expr) -> Any:
        return self._meaning(node.func) if isinstance(node, ast.Call) else None

    # Elements -------------------------------------------------------------------------------

    def _element(self, node: ast.expr, loop: Loop, rank: int) -> str | None:
        """The text of one element of an expression; None if it cannot be said."""
        found = self._names.rank(node)
        if found == 0:
            return self._scalar(node, loop)
        if found is None or found > rank:
            return None
        match node:
            case ast.Name() | ast.Subscript():
                return self._read(node, loop, rank)
            case ast.UnaryOp(op=ast.USub(), operand=operand):
                text = self._element(operand, loop, rank)
                return text and f"(-{text})"
            case ast.BinOp(left=left, op=op, right=right) if isinstance(op, ARITHMETIC):
                return self._operated(left, op, right, loop, rank)
            case ast.Call(func=ast.Attribute(value=array, attr="copy"), args=[]):
                return self._element(array, loop, rank)
            case ast.Call(keywords=[]):
                return self._applied(node, loop, rank)
        return None

    def _scalar(self, node: ast.expr, loop: Loop) -> str:
        """A number is worked out once."""
        if isinstance(node, (ast.Constant, ast.Name)):
            return ast.unparse(node)
        name = self.fresh("s")
        loop.before.append(f"{name} = {ast.unparse(node)}")
        for read in ast.walk(node):
            if isinstance(read, ast.Name) and self._names.ranks.get(read.id) != 0:
                note(loop.reads, read.id, BEFORE)
        return name

    def _operated(
        self, left: ast.expr, op: ast.operator, right: ast.expr, loop: Loop, rank: int
    ) -> str | None:
        one, two = self._element(left, loop, rank), self._element(right, loop, rank)
        if one is None or two is None:
            return None
        if isinstance(op, ast.Div):
            return f"np.divide({one}, {two})"
        return f"({one} {SIGNS[type(op)]} {two})"

    def _applied(self, call: ast.Call, loop: Loop, rank: int) -> str | None:
        meant = self._meaning(call.func)
        if meant is runtime.weighted:
            shape = self._element(call.args[2], loop, rank)
            product = ast.BinOp(call.args[0], ast.Mult(), call.args[1])
            return shape and self._element(product, loop, rank)
        if not (is_elementwise(meant, call) or any(meant is f for f in FUNCTIONS)):
            return None
        texts = [self._element(arg, loop, rank) for arg in call.args]
        given = [t for t in texts if t is not None]
        return f"{ast.unparse(call.func)}({', '.join(given)})" if len(given) == len(texts) else None

    def _read(self, node: ast.expr, loop: Loop, rank: int) -> str | None:
        place = access(node, self._names, self)
        if place is None or (place.rank < rank and not loop.counts):
            return None
        variables = list(self._variables(rank)[rank - place.rank :])
        loop.before += place.before
        if not loop.counts:
            loop.counts = place.counts
        for k, (mine, whole) in enumerate(zip(place.counts, loop.counts[rank - place.rank :])):
            if mine != whole and "1" in (mine, whole):
                if mine != "1":
                    return None  # what was read before is the one that is repeated
                variables[k] = "0"
            elif mine != whole:
                loop.checks[f"{mine} != {whole}"] = None
        index = place.index(tuple(variables))
        note(loop.reads, place.name, index)
        return index

    # Neighbors ------------------------------------------------------------------------------

    def _fits(self, one: Loop, other: Loop) -> bool:
        """Whether two loops may be one: the same trips, and no element that they share under two indices."""
        if one.counts != other.counts or any(
            "=" in line and "empty" not in line for line in other.before
        ):
            return False
        pairs = [(one.writes, other.reads), (one.writes, other.writes), (one.reads, other.writes)]
        return not any(self._meet(first, second) for first, second in pairs)

    def _meet(self, first: dict[str, set[str]], second: dict[str, set[str]]) -> bool:
        for a, indices in first.items():
            for b, others in second.items():
                if self._names.family(a) != self._names.family(b):
                    continue
                if a != b or indices != others or len(indices) > 1:
                    return True
        return False


SIGNS = {ast.Add: "+", ast.Sub: "-", ast.Mult: "*", ast.Pow: "**"}
