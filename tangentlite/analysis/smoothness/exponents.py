"""Logarithms in which an exponential may overflow: ``np.log(1.0 + np.exp(x))``, ``np.log(np.cosh(x))``.

Where ``np.exp(x)`` is infinite the chain rule multiplies a slope of the logarithm that is zero with one of the
exponential that is infinite; where it is zero, the other way round. So the logarithm is differentiated as what it is:
x where the exponential is all of the sum, and its share of the sum elsewhere.

In: a normal form, its kinds, aliases and activity.
Out: ``Root`` for lowering.roots, by statement.
Next: lowering.arrays.roots.
"""

from __future__ import annotations

import math

import gast
import numpy as np

from tangentlite import syntax
from tangentlite.analysis.activity import Activity
from tangentlite.analysis.cfg import Graph
from tangentlite.analysis.inference import Inference
from tangentlite.analysis.kinds import Num
from tangentlite.analysis.numbering import study
from tangentlite.analysis.operations import Primitive
from tangentlite.analysis.smoothness.flat import Summarize
from tangentlite.analysis.smoothness.squares import (
    ADDITIONS,
    PRODUCTS,
    QUOTIENTS,
    SUBTRACTIONS,
    Call,
    Makers,
)
from tangentlite.analysis.storage.aliases import Aliases
from tangentlite.lowering import Normal
from tangentlite.lowering.arrays.roots import Root

LOGARITHMS = {np.log, np.log1p}
SUMS = {np.sum, np.ndarray.sum}
PLAIN = {np.exp, np.cosh}  # with ``where`` they are something else


def seen(
    normal: Normal,
    graph: Graph,
    inferred: Inference,
    shared: Aliases,
    active: Activity,
    summary: Summarize,
) -> dict[gast.stmt, Root]:
    """The active logarithms of what is made of exponentials."""
    called = {o.rule.callee for o in inferred.operations.values() if o.__class__ is Primitive}
    if called.isdisjoint(LOGARITHMS) or called.isdisjoint({np.exp, np.cosh}):
        return {}
    body = normal.function.body
    makers = Makers.of(inferred, shared, study([p.name for p in normal.function.params], body))
    search = _Search(normal, graph, makers, active)
    found = ((s, search.root(s)) for s in inferred.operations)
    return {s: root for s, root in found if root is not None}


class _Search:
    """``lines`` bind the logarithm of what one statement takes it of, made of ``holes``."""

    def __init__(self, normal: Normal, graph: Graph, makers: Makers, active: Activity) -> None:
        self.graph, self.makers, self.active = graph, makers, active
        self.stored = syntax.times_stored(normal.function.body)
        self.given = {p.name for p in normal.function.params}
        self.blocks = {s: block for block in _blocks(normal.function.body) for s in block}
        self.lines: list[str] = []
        self.holes: dict[str, gast.expr] = {}

    def root(self, statement: gast.stmt) -> Root | None:
        """The logarithm of a statement, differentiated as what it is."""
        operation = self.makers.inferred.operations[statement]
        if type(operation) is not Primitive or operation.rule.callee not in LOGARITHMS:
            return None
        x = operation.bound["x"]
        active = bool(syntax.stores(statement) & self._after(statement))
        if not (active and isinstance(x, gast.Name) and len(operation.bound) == 1):
            return None
        self.lines, self.holes, self.at = [], {}, statement
        if operation.rule.callee is np.log1p:
            said = self._log1p(statement, x) or ""
        else:
            said = self._logarithm(statement, x, "v") or ""
        if not said:
            return None
        said = said if said.startswith("rt.log") else f"rt.smooth(v, {said})"
        return Root("", self.holes, lines="\n".join([*self.lines, f"y = {said}"]))

    def _log1p(self, statement: gast.stmt, e: gast.Name) -> str | None:
        exponent = self._exponent(statement, e)
        if exponent is not None and self._settled(e):
            return f"rt.log1p_of_exp(v, {self._hole(exponent)}, {self._hole(e)})"
        exact = self._exact(statement, e)
        return None if exact is None else self._bind(f"np.logaddexp(0.0, {exact})")

    def _logarithm(self, statement: gast.stmt, node: gast.expr, value: str = "") -> str | None:
        """The logarithm of what a name holds, up to a constant; None if it is not made of exponentials."""
        made = self._made(statement, node)
        if made is None:
            return None
        origin, call = made
        if call.callee in ADDITIONS | SUBTRACTIONS:
            return self._sum(origin, call, node, value) or self._exact(statement, node)
        if call.callee in SUMS:
            return self._total(origin, call, node, value)
        if call.callee in PRODUCTS | QUOTIENTS:
            parts = [self._factor(origin, part) for part in call.bound.values()]
            return self._joined(call, parts)
        return self._exact(statement, node)

    def _factor(self, statement: gast.stmt, node: gast.expr) -> str | None:
        """The logarithm of a factor; empty of a positive number."""
        return "" if _is_positive(node) else self._logarithm(statement, node)

    def _joined(self, call: Call, parts: list[str | None]) -> str | None:
        """The logarithm of a product or a quotient."""
        one, other = parts
        if one is None or not other:
            return None if other is None else one
        sign = "+" if call.callee in PRODUCTS else "-"
        return self._bind(f"{one} {sign} {other}" if one else f"{sign}{other}")

    def _exact(self, statement: gast.stmt, node: gast.expr) -> str | None:
        """The logarithm of what a name holds, as a number that does not overflow: sums compare such numbers."""
        if _is_positive(node):
            return repr(math.log(node.value))
        made = self._made(statement, node)
        if made is None:
            return None
        origin, call = made
        if call.callee is np.exp:
            x = self._kept(call.bound["x"])
            return None if x is None else self._hole(x)
        if call.callee is np.cosh:
            return self._cosh(call.bound["x"])
        if call.callee in PRODUCTS | QUOTIENTS | ADDITIONS:
            parts = [self._exact(origin, part) for part in call.bound.values()]
            if call.callee not in ADDITIONS or None in parts:
                return self._joined(call, parts)
            return self._bind(f"np.logaddexp({', '.join(map(str, parts))})")
        return None

    def _sum(self, origin: gast.stmt, call: Call, node: gast.expr, value: str) -> str | None:
        """``e + c``, ``c + e``, ``e - c``: of one exponential and what cannot overflow."""
        parts = list(call.bound.values())
        if call.callee in ADDITIONS and self._exponent(origin, parts[0]) is None:
            parts = parts[::-1]
        e, c = parts
        x = self._exponent(origin, e)
        known = x is not None and self._exponent(origin, c) is None and self._is_steady(origin, c)
        if not (known and self._settled(e) and self._settled(node)):
            return None
        v = value or self._bind(f"np.log({self._hole(node)})")
        said = f"rt.log_of_exp({v}, {', '.join(map(self._hole, (x, c, e, node)))})"
        return said if value else self._bind(said)

    def _total(self, origin: gast.stmt, call: Call, node: gast.expr, value: str) -> str | None:
        """``np.sum(e, axis)``, but not of ``np.exp(x - m)``: that does not overflow."""
        e = call.bound["x"]
        x = self._exponent(origin, e, shifted=False)
        plain = call.bound.keys() <= {"x", "axis", "keepdims"}
        if x is None or not (plain and self._settled(e) and self._settled(node)):
            return None
        v = value or self._bind(f"np.log({self._hole(node)})")
        options = [f"{k}={self._hole(o)}" for k, o in call.bound.items() if k != "x"]
        given = [v, *map(self._hole, (x, e, node)), *options]
        said = f"rt.log_of_total({', '.join(given)})"
        return said if value else self._bind(said)

    def _cosh(self, x: gast.expr) -> str | None:
        if self._kept(x) is None:
            return None
        minus = self._bind(f"-{self._hole(x)}")
        twice = self._bind(f"np.logaddexp({self._hole(x)}, {minus})")
        return self._bind(f"{twice} - {math.log(2.0)!r}")

    def _exponent(
        self, statement: gast.stmt, node: gast.expr, shifted: bool = True
    ) -> gast.expr | None:
        """The name x, if a value is a positive multiple of ``np.exp(x)``; ``shifted``: or of ``np.exp(a - m)``."""
        made = self._made(statement, node)
        if made is None:
            return None
        origin, call = made
        if call.callee is np.exp:
            x = call.bound["x"]
            inner = None if shifted else self._made(origin, x)
            return None if inner and inner[1].callee in SUBTRACTIONS else self._kept(x)
        if call.callee in PRODUCTS | QUOTIENTS:
            one, other = call.bound.values()
            if _is_positive(other):
                return self._exponent(origin, one, shifted)
            if _is_positive(one) and call.callee in PRODUCTS:
                return self._exponent(origin, other, shifted)
        return None

    def _made(self, statement: gast.stmt, node: gast.expr) -> tuple[gast.stmt, Call] | None:
        """The call that has made a value, in the block of the logarithm."""
        made = self.makers.made_by(statement, node.id) if isinstance(node, gast.Name) else None
        if made is None or (made[1].callee in PLAIN and len(made[1].bound) > 1):
            return None
        return made if self.blocks[made[0]] is self.blocks[self.at] else None

    def _kept(self, node: gast.expr) -> gast.expr | None:
        """An array or number that still is what it was where the exponential was taken."""
        return node if isinstance(node, gast.Name) and self._settled(node) else None

    def _settled(self, node: gast.expr) -> bool:
        """Whether a name never holds anything else, and nothing is written into what it holds."""
        if not isinstance(node, gast.Name):
            return isinstance(node, gast.Constant)
        kind = self.makers.inferred.before[self.graph.first[self.at]].get(node.id)
        times = self.stored[node.id] + (node.id in self.given)
        return isinstance(kind, Num) and times <= 1 and not self.makers.shared.is_written(node.id)

    def _is_steady(self, statement: gast.stmt, c: gast.expr) -> bool:
        """Whether a summand is a number that is written, or is given, or has no derivative."""
        if not isinstance(c, gast.Name):
            return _is_number(c)
        version = self.makers.versions.reads[statement].get(c.id)
        made = None if version is None else version.statement
        return self._settled(c) and (made is None or c.id not in self._after(made))

    def _after(self, statement: gast.stmt) -> set[str] | frozenset[str]:
        return self.active.after(self.graph.last[statement])

    def _hole(self, node: gast.expr) -> str:
        name = f"h{len(self.holes)}"
        self.holes[name] = node
        return name

    def _bind(self, text: str) -> str:
        name = f"q{len(self.lines)}"
        self.lines.append(f"{name} = {text}")
        return name


def _blocks(body: list[gast.stmt]) -> list[list[gast.stmt]]:
    found = [body]
    for block in found:
        for statement in block:
            found += syntax.blocks(statement)
    return found


def _is_number(node: gast.expr) -> bool:
    inner = node.operand if isinstance(node, gast.UnaryOp) else node
    return isinstance(inner, gast.Constant) and type(inner.value) in (int, float)


def _is_positive(node: gast.expr) -> bool:
    return isinstance(node, gast.Constant) and type(node.value) in (int, float) and node.value > 0
