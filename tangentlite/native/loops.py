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

import numpy as np

from tangentlite import runtime
from tangentlite.native.access import Access, access
from tangentlite.native.ranks import ARITHMETIC, Names
from tangentlite.values import field, mutable

MISMATCH = "shapes differ, or an axis of length one is broadcast, which compile= does not do here"
FUNCTIONS = (runtime.times, runtime.cancel, runtime.quotient)
BEFORE = "before"


@mutable
class Loop:
    """``counts``: how many trips each axis has; ``before``: what is done first.

    ``reads`` and ``writes``: the indices under which elements are read and written, by name.
    """

    counts: tuple[str, ...]
    before: list[str]
    body: list[str]
    checks: dict[str, None] = field(default_factory=dict)
    reads: dict[str, set[str]] = field(default_factory=dict)
    writes: dict[str, set[str]] = field(default_factory=dict)

    def statements(self, variables: tuple[str, ...]) -> list[ast.stmt]:
        """The text of the loop as statements."""
        lines = [*self.before]
        lines += [f"if {check}:\n    raise ValueError({MISMATCH!r})" for check in self.checks]
        nest = "\n".join(self.body)
        for variable, count in reversed(list(zip(variables, self.counts))):
            inner = "\n".join("    " + line for line in nest.splitlines())
            nest = f"for {variable} in range({count}):\n{inner}"
        return ast.parse("\n".join([*lines, nest])).body


class Looper:
    """Turns the blocks of one kernel into loops."""

    def __init__(self, names: Names, meaning: Callable[[ast.expr], Any]) -> None:
        self._names, self._meaning, self._count = names, meaning, 0
        self._known = set(names.ranks)

    def block(self, body: list[ast.stmt]) -> list[ast.stmt]:
        """The statements, with loops for what has axes."""
        done: list[ast.stmt | Loop] = []
        for statement in body:
            loop = self._loop(statement)
            if loop is None:
                for part in ("body", "orelse"):
                    if getattr(statement, part, None):
                        setattr(statement, part, self.block(getattr(statement, part)))
                done.append(statement)
            elif done and isinstance(done[-1], Loop) and self._fits(done[-1], loop):
                done[-1] = _joined(done[-1], loop)
            else:
                done.append(loop)
        return [s for item in done for s in self._written(item)]

    def _written(self, item: ast.stmt | Loop) -> list[ast.stmt]:
        return (
            item.statements(self._variables(len(item.counts))) if isinstance(item, Loop) else [item]
        )

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
        _note(loop.writes, place.name, index)
        if sign != "=":
            _note(loop.reads, place.name, index)
        return loop

    def _through(self, loop: Loop, place: Access, index: str, sign: str, text: str) -> Loop | None:
        """The value is made as a whole before any of it is stored."""
        whole, variables = self.fresh("w"), self._variables(place.rank)
        at = f"{whole}[{', '.join(variables)}]"
        loop.before.append(f"{whole} = np.empty(({', '.join(loop.counts)},))")
        loop.body = [f"{at} = {text}"]
        first = loop.statements(variables)
        second = Loop(loop.counts, [ast.unparse(s) for s in first], [f"{index} {sign} {at}"])
        _note(second.writes, place.name, index)
        second.reads = loop.reads
        _note(second.reads, place.name, "everything")
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
        _note(loop.writes, name, index)
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
                _note(loop.reads, read.id, BEFORE)
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
        if not (isinstance(meant, np.ufunc) or any(meant is f for f in FUNCTIONS)):
            return None
        texts = [self._element(arg, loop, rank) for arg in call.args]
        given = [t for t in texts if t is not None]
        return f"{ast.unparse(call.func)}({', '.join(given)})" if len(given) == len(texts) else None

    def _read(self, node: ast.expr, loop: Loop, rank: int) -> str | None:
        place = access(node, self._names, self)
        if place is None or (place.rank < rank and not loop.counts):
            return None
        variables = self._variables(rank)[rank - place.rank :]
        loop.before += place.before
        if not loop.counts:
            loop.counts = place.counts
        for mine, whole in zip(place.counts, loop.counts[rank - place.rank :]):
            if mine != whole:
                loop.checks[f"{mine} != {whole}"] = None
        index = place.index(variables)
        _note(loop.reads, place.name, index)
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


def _joined(one: Loop, other: Loop) -> Loop:
    loop = Loop(one.counts, [*one.before, *other.before], [*one.body, *other.body])
    loop.checks = {**one.checks, **other.checks}
    for mine, first, second in (
        (loop.reads, one.reads, other.reads),
        (loop.writes, one.writes, other.writes),
    ):
        for name, indices in (*first.items(), *second.items()):
            mine[name] = mine.get(name, set()) | indices
    return loop


def _note(table: dict[str, set[str]], name: str, index: str) -> None:
    table.setdefault(name, set()).add(index)


SIGNS = {ast.Add: "+", ast.Sub: "-", ast.Mult: "*", ast.Pow: "**"}
