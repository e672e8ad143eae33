"""Absolute values, and limits at zero, of which one side is meant, and those in what rounds a corner off.

``z = np.exp(-np.abs(x)); np.where(x >= 0, 1 / (1 + z), z / (1 + z))`` reads ``abs(x)`` from the right where x is zero:
there its slope is one.

In: a normal form, its kinds, aliases and activity.
Out: ``Root`` for lowering.roots, by statement.
Next: lowering.arrays.roots.
"""

from __future__ import annotations

from collections.abc import Iterator, Set
from typing import Any

import gast
import numpy as np

from tangentlite import syntax
from tangentlite.analysis.activity import Activity
from tangentlite.analysis.cfg import Graph
from tangentlite.analysis.inference import Inference
from tangentlite.analysis.kinds import is_complex
from tangentlite.analysis.numbering import study
from tangentlite.analysis.operations import Copy, NoFlow, Operation, Primitive
from tangentlite.analysis.smoothness.flat import Summarize
from tangentlite.analysis.smoothness.radicands import CHOICES, SIZES
from tangentlite.analysis.smoothness.squares import PRODUCTS, QUOTIENTS, Call, Makers, call_of
from tangentlite.analysis.smoothness.surplus import surpluses
from tangentlite.analysis.storage.aliases import Aliases
from tangentlite.analysis.storage.memory import written
from tangentlite.lowering import Normal
from tangentlite.lowering.arrays.roots import Root

# The side that a comparison with zero chooses where it holds, and whether it holds at zero.
TESTS = {gast.GtE: (1, True), gast.Gt: (1, False), gast.LtE: (-1, True), gast.Lt: (-1, False)}
# What is a limit of x that is zero, and the side on which it has the slope one.
LIMITS = {np.minimum: -1, np.fmin: -1, np.maximum: 1, np.fmax: 1}
CORNERS = CHOICES | {np.max, np.min, np.median, np.ndarray.max, np.ndarray.min}
TURNED = {gast.GtE: gast.LtE, gast.Gt: gast.Lt, gast.LtE: gast.GtE, gast.Lt: gast.Gt}


def seen(
    normal: Normal,
    graph: Graph,
    inferred: Inference,
    shared: Aliases,
    active: Activity,
    summary: Summarize,
) -> dict[gast.stmt, Root]:
    """The active absolute values that are read from one side, or in a logarithm that rounds their corner off."""
    found = {
        s: call
        for s, o in inferred.operations.items()
        if isinstance(o, Primitive)
        and (o.rule.callee in SIZES or o.rule.callee in LIMITS)
        and (call := call_of(o)) is not None
    }
    cornered = {s: x for s, call in found.items() if (x := _cornered(call)) is not None}
    cornered = {
        s: x
        for s, x in cornered.items()
        if syntax.stores(s) & active.after(graph.last[s])
        and not is_complex(inferred.before[graph.first[s]].get(x.id))
    }
    if not cornered:
        return {}
    versions = study([p.name for p in normal.function.params], normal.function.body)
    makers = Makers.of(inferred, shared, versions)
    sizes = {s: found[s] for s in cornered if found[s].callee in SIZES}
    kept = {s: (found[s], x) for s, x in cornered.items()}
    return surpluses(makers, sizes) | dict(_one_sided(normal, makers, kept))


def _cornered(call: Call) -> gast.Name | None:
    """The x of ``np.abs(x)``, and of ``np.minimum(x, 0)``: it has a corner where that is zero."""
    given = [call.bound.get("x"), call.bound.get("y")]
    if call.callee in LIMITS:
        zeros = [a for a in given if isinstance(a, gast.Constant) and a.value == 0]
        given = [a for a in given if a not in zeros] if len(zeros) == 1 else []
    return given[0] if given and isinstance(given[0], gast.Name) else None


def _one_sided(
    normal: Normal, makers: Makers, sizes: dict[gast.stmt, tuple[Call, gast.Name]]
) -> Iterator[tuple[gast.stmt, Root]]:
    blocks = [normal.function.body]
    for block in blocks:
        for at, statement in enumerate(block):
            blocks += syntax.blocks(statement)
            if statement in sizes:
                call, x = sizes[statement]
                side = _Walk(makers, statement, x, block[at + 1 :]).side(normal)
                if side is not None:
                    yield statement, _from_the_side(side, call, x)


def _from_the_side(side: int, call: Call, x: gast.Name) -> Root:
    if call.callee in SIZES:
        return Root("", {"x": x}, rooted="rising" if side > 0 else "falling")
    sign = LIMITS[call.callee]
    test = ("<" if sign < 0 else ">") + ("=" if side == sign else "")
    return Root("", {"x": x}, lines=f"c = x {test} 0\nq = x * c\ny = rt.smooth(v, q)")


class _Walk:
    """The way of ``a = np.abs(x)`` through the statements behind it; ``behind``: names that depend on a.

    ``sides``: from which x is seen where it is zero, by what chooses between values that depend on a. ``open``: some
    are read by others, too: then nothing but such choices may have a corner. ``signs``: names of what was chosen by the
    sign of x, which are factors of what is behind: ``np.where(x >= 0, 1.0, -1.0) * (1 - a)``.
    """

    def __init__(
        self, makers: Makers, statement: gast.stmt, x: gast.expr, after: list[gast.stmt]
    ) -> None:
        self.makers, self.after = makers, after
        self.value = makers.token(statement, x)
        self.behind = set(syntax.stores(statement))
        self.ever, self.sides, self.open = set(self.behind), set[int](), False
        self.signs: dict[str, int] = {}

    def side(self, normal: Normal) -> int | None:
        """The side from which all that is behind is seen where x is zero; None if there is none, or are two."""
        if self.value is None:
            return None
        for statement in self.after:
            self._walk(statement)
        if len(self.sides) != 1:
            return None
        inside = set(syntax.statements(self.after))
        others = (s for s in syntax.statements(normal.function.body) if s not in inside)
        unclear = self.open or any(self.ever & set(_loads(s)) for s in others)
        corners = CORNERS - LIMITS.keys() if normal.function.generated else CORNERS
        return None if unclear and self._has_any_of(corners) else next(iter(self.sides))

    def _has_any_of(self, corners: Set[Any]) -> bool:
        """Whether anything takes the middle of two slopes: it would not be seen from one side."""
        found = (o for o in self.makers.inferred.operations.values() if isinstance(o, Primitive))
        return any(o.rule.callee in corners for o in found)

    def _walk(self, statement: gast.stmt) -> None:
        operation = self.makers.inferred.operations.get(statement)
        stored, read = set(syntax.stores(statement)), set(_loads(statement))
        if blocks := syntax.blocks(statement):
            chosen = None
            if isinstance(statement, gast.If) and not isinstance(statement, syntax.Attempt):
                chosen = self._chosen(statement, statement.test)
            used = {n for block in blocks for s in syntax.statements(block) for n in _loads(s)}
            self._choose(chosen, used)
        elif isinstance(operation, Primitive) and operation.rule.callee is np.where:
            chosen = self._chosen(statement, operation.bound["c"])
            self._choose(chosen, read)
            if chosen is not None and not self.behind & read:
                side, at_zero = chosen
                self.signs |= dict.fromkeys(stored, side if at_zero else -side)
            self._bind(stored, read if chosen is None else set())
        elif _is_elementwise(operation):
            if isinstance(operation, Primitive) and operation.rule.callee in PRODUCTS | QUOTIENTS:
                if self.behind & read:
                    self.sides |= {self.signs[n] for n in read if n in self.signs}
            self._bind(stored, read)
        elif self.behind & (read | set(written(operation))) and type(operation) is not NoFlow:
            self.open = True
        else:
            self.open = self.open or (
                isinstance(statement, gast.Return) and bool(self.behind & read)
            )
            self.behind -= stored

    def _bind(self, stored: set[str], read: set[str]) -> None:
        """What is made of what is behind is behind, too."""
        if self.behind & read:
            self.behind |= stored
            self.ever |= stored
        else:
            self.behind -= stored

    def _choose(self, chosen: tuple[int, bool] | None, read: set[str]) -> None:
        """At zero the first part is chosen, seen from its side, or the second one, from the other."""
        if not self.behind & read:
            return
        if chosen is None:
            self.open = True
        else:
            side, at_zero = chosen
            self.sides.add(side if at_zero else -side)

    def _chosen(self, statement: gast.stmt, test: gast.expr) -> tuple[int, bool] | None:
        """The side that a test of x chooses, and whether it holds at zero."""
        if isinstance(test, gast.Name):
            origin = self.makers.origin(statement, test.id)
            if not isinstance(origin, gast.Assign):
                return None
            statement, test = origin, origin.value
        match test:
            case gast.Compare(left=left, ops=[op], comparators=[right]):
                kind = type(op)
                if isinstance(left, gast.Constant):
                    left, right, kind = right, left, TURNED.get(kind, kind)
                zero = isinstance(right, gast.Constant) and right.value == 0
                if zero and self.makers.token(statement, left) == self.value:
                    return TESTS.get(kind)
        return None


def _loads(statement: gast.stmt) -> Iterator[str]:
    """What a statement reads itself, not in its blocks."""
    inner = {id(s) for block in syntax.blocks(statement) for s in block}
    for part in syntax.children(statement):
        if id(part) not in inner:
            yield from syntax.loads(part)


def _is_elementwise(operation: Operation | None) -> bool:
    """Whether each element of what is bound depends on one element of what is read."""
    if isinstance(operation, Primitive):
        return operation.rule.algebra == "elementwise"
    return isinstance(operation, Copy)
