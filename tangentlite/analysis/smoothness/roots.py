"""Roots whose squares are smooth where the root is not: ``norm(x) ** 2``, ``hypot(a, b) ** 2``, ``std(x) ** 2``.

At zero the chain rule multiplies a slope that is zero with a direction that is none: the first derivative is right,
the second one is lost. So the square is differentiated as the sum of squares that it is. The root of a sum of
squares is flat where it is zero, as every norm is.

In: a normal form, its kinds, activity and versions.
Out: ``Root`` for lowering.roots, by statement.
Next: lowering.arrays.roots.
"""

from __future__ import annotations

import math
import operator
from collections.abc import Mapping
from typing import Any

import gast
import numpy as np

from tangentlite import runtime, syntax
from tangentlite.analysis.activity import Activity
from tangentlite.analysis.cfg import Graph
from tangentlite.analysis.environment import Environment
from tangentlite.analysis.inference import Inference
from tangentlite.analysis.kinds import CONTAINERS, Kind, Num, is_complex
from tangentlite.analysis.numbering import study
from tangentlite.analysis.operations import Primitive, UserCall
from tangentlite.analysis.smoothness.flat import Flatness, Summarize
from tangentlite.analysis.smoothness.squares import (
    NEGATIONS,
    POWERS,
    PRODUCTS,
    QUOTIENTS,
    Call,
    Makers,
    call_of,
)
from tangentlite.analysis.storage.aliases import Aliases
from tangentlite.lowering import Normal
from tangentlite.lowering.arrays.roots import Root, Scaled
from tangentlite.values import immutable

NORMS = {np.linalg.norm, np.linalg.vector_norm, np.linalg.matrix_norm}
SPREADS = {np.std, np.nanstd, np.ndarray.std}
SIZES = {abs, operator.abs, np.absolute, np.fabs, math.fabs}
HYPOTS = {np.hypot, math.hypot}
SQUARE_ROOTS = {np.sqrt, math.sqrt}
ROOTS = NORMS | SPREADS | SIZES | HYPOTS | SQUARE_ROOTS | {runtime.length, np.cbrt}
ROOTS |= {getattr(math, "cbrt", np.cbrt)}
STARTS = ROOTS | POWERS
# Functions that are even and smooth: of the radicand `s`, and from which of `rt.spherical` they start.
EVEN = {
    **dict.fromkeys((np.cos, math.cos), ("p = +s", -1)),
    **dict.fromkeys((np.cosh, math.cosh), ("p = -s", -1)),
    np.sinc: ("p = 9.869604401089358 * s", 0),
}


def seen(
    normal: Normal,
    graph: Graph,
    inferred: Inference,
    shared: Aliases,
    active: Activity,
    summary: Summarize,
) -> dict[gast.stmt, Root]:
    """The roots of which a square is active, and the active ones of sums of squares."""
    calls = {}
    for statement, operation in inferred.operations.items():
        known = isinstance(operation, Primitive) and operation.rule.callee in STARTS
        call = call_of(operation) if known or isinstance(operation, UserCall) else None
        if call is not None and (call.callee in ROOTS or call.exponent == 0.5):
            calls[statement] = call
    if not calls:
        return {}
    versions = study([p.name for p in normal.function.params], normal.function.body)
    makers = Makers.of(inferred, shared, versions)
    flatness = Flatness(normal.function, graph, makers, summary, active)
    return _Search(graph, inferred, active, makers, flatness).found(calls)


@immutable(eq=False)
class _Search:
    graph: Graph
    inferred: Inference
    active: Activity
    makers: Makers
    flatness: Flatness

    def found(self, calls: Mapping[gast.stmt, Call]) -> dict[gast.stmt, Root]:
        """The roots that matter."""
        pairs = ((s, self._root(s, call)) for s, call in calls.items() if self._is_active(s))
        result = {s: root for s, root in pairs if root is not None}
        alike: dict[Any, gast.stmt] = {}
        first = {s: alike.setdefault(self.makers.identity(s), s) for s in result}
        scaled: dict[gast.stmt, gast.stmt] = {}
        for statement, operation in self.inferred.operations.items():
            call = call_of(operation)
            if call is None:
                continue
            if self._is_active(statement) and (power := self._power(statement, call)) is not None:
                result[statement] = power
                continue
            origins = [self.makers.origin(statement, name) for name in call.factors]
            if len(origins) == 2 and self._is_active(statement):
                _sort_in(statement, [first.get(o, o) for o in origins], result, scaled)
            elif call.exponent is not None and call.names and self._is_active(statement):
                _raise(statement, call, result.get(self.makers.origin(statement, call.names[0])))
            elif call.callee in EVEN and call.names and self._is_active(statement):
                origin = self.makers.origin(statement, call.names[0])
                root = result.get(first.get(origin, origin))
                if root is not None and root.order == 2:
                    root.evens[statement] = EVEN[call.callee]
            self._scale(statement, call, result, scaled)
        return {s: root for s, root in result.items() if root.matters}

    def _power(self, statement: gast.stmt, call: Call) -> Root | None:
        """``x ** 2 * np.sqrt(x)``, which is ``x ** 2.5``: a product of powers of one value, of which one is a root."""
        found = [self.makers.made_by(statement, name) for name in call.factors]
        made = [pair for pair in found if pair is not None]
        if len(made) != 2 or len(found) != 2:
            return None
        exponents = [0.5 if c.callee in SQUARE_ROOTS else c.exponent for _, c in made]
        bases = [self.makers.read(origin, c.bound.get("x")) for origin, c in made]
        known = all(type(k) in (int, float) and k > 0 for k in exponents)
        if not known or bases[0] is None or bases[0] != bases[1] or sum(exponents) % 1 == 0:
            return None
        origin, first = made[0]
        holes = {"x": first.bound["x"], "k": syntax.constant(float(sum(exponents)))}
        return Root("q = x ** k", holes, place=origin)

    def _scale(
        self,
        statement: gast.stmt,
        call: Call,
        roots: Mapping[gast.stmt, Root],
        scaled: dict[gast.stmt, gast.stmt],
    ) -> None:
        """Note ``t = c * r`` and the like."""
        texts = {"x": "q = y * s", "y": "q = x * s"} if call.callee in PRODUCTS else {}
        texts = {"x": "q = s / y"} if call.callee in QUOTIENTS else texts
        texts = {"x": "q = -s"} if call.callee in NEGATIONS else texts
        for factor, text in texts.items():
            value = call.bound[factor]
            origin = (
                self.makers.origin(statement, value.id) if isinstance(value, gast.Name) else None
            )
            if origin in roots and statement not in scaled and roots[origin].order == 2:
                scaled[statement] = origin
                roots[origin].scaled[statement] = Scaled(text, call.bound)

    def _is_active(self, statement: gast.stmt) -> bool:
        match statement:
            case gast.Assign(targets=[gast.Name(id=name)]):
                return name in self.active.after(self.graph.last[statement])
        return False

    def _root(self, statement: gast.stmt, call: Call) -> Root | None:
        before = self.inferred.before[self.graph.first[statement]]
        if call.callee in NORMS:
            return _norm(call, _kind(call.bound["x"], before), statement.targets[0].id)
        kinds = [_kind(value, before) for value in call.bound.values()]
        if call.callee in HYPOTS and all(isinstance(k, Num) for k in kinds):
            return _hypot(list(call.bound.values()))
        if call.callee is runtime.length and isinstance(kinds[0], Num):
            return Root("m = v * v\nq = np.sum(m)", call.bound)
        x = call.bound.get("x")
        if call.callee in SPREADS and (isinstance(x, gast.Name)) and not is_complex(*kinds):
            function = "np.nanvar" if call.callee is np.nanstd else "np.var"
            return _reduced("", f"{function}(x", call.bound)
        if x is None or not isinstance(_kind(x, before), Num):
            return None
        if call.callee is np.cbrt or call.callee is getattr(math, "cbrt", None):
            return Root("q = +x", {"x": x}, 3)
        if call.callee in SIZES:
            return Root(_square("q", is_complex(_kind(x, before))), {"x": x})
        return self._square_root(statement, x, is_complex(_kind(x, before)))

    def _square_root(self, statement: gast.stmt, x: gast.expr, of_complex: bool) -> Root | None:
        if not isinstance(x, gast.Name):
            return None
        if not of_complex and (whole := self._whole(statement, x)) is not None:
            return whole
        rooted = "" if of_complex else self._rooted(statement, x)
        if of_complex or rooted:
            return Root("q = +x", {"x": x}, rooted=rooted)
        return Root("q = rt.radicand(x, r)", {"x": x, "r": syntax.name(statement.targets[0].id)})

    def _whole(self, statement: gast.stmt, x: gast.Name) -> Root | None:
        """``np.sqrt(t ** 4)``, or the root of the square of what is never negative: no root at all."""
        made = self.makers.made_by(statement, x.id)
        if made is None:
            return None
        origin, call = made
        exponent = call.exponent
        if type(exponent) is int and exponent > 0 and exponent % 4 == 0:
            text = "q = x ** k"
            holes = {"x": call.bound["x"], "k": syntax.constant(exponent // 2)}
        elif self.makers.same(origin, call.factors):
            factor = syntax.name(call.factors[0])
            if not self.flatness.told(origin, factor, "sum"):
                return None
            text, holes = "q = +x", {"x": factor}
        else:
            return None
        return Root(text, holes, place=origin)

    def _rooted(self, statement: gast.stmt, x: gast.Name) -> str:
        """What says that x is a sum of squares, of which the statement takes the root."""
        return self.flatness.told(statement, x, "flat")


def _sort_in(
    statement: gast.stmt,
    origins: list[gast.stmt | None],
    roots: Mapping[gast.stmt, Root],
    scaled: Mapping[gast.stmt, gast.stmt],
) -> None:
    """Give a product of what comes from one root to it."""
    one, other = origins
    if any(o in roots and roots[o].order != 2 for o in origins):
        return
    if one is other and one in roots:
        roots[one].squares.append(statement)
    elif one is other and one in scaled:
        roots[scaled[one]].scaled[one].squares.append(statement)
    for part, whole in ((one, other), (other, one)):
        if part in scaled and scaled[part] is whole:
            roots[whole].scaled[part].products.append(statement)


def _raise(statement: gast.stmt, call: Call, root: Root | None) -> None:
    """Note ``r ** 4``, the square of the radicand, and ``np.cbrt(x) ** 3``, which is x."""
    if root is None or not isinstance(call.exponent, (int, float)) or call.exponent < root.order:
        return
    if call.exponent == root.order:
        root.squares.append(statement)
    elif call.exponent % root.order == 0:
        root.powers[statement] = int(call.exponent / root.order)
    elif root.radicand.startswith("q = rt.radicand"):
        root.powers[statement] = call.exponent / root.order


def _kind(node: gast.expr, before: Environment) -> Kind | None:
    return before.get(node.id) if isinstance(node, gast.Name) else Num()


def _square(name: str, of_complex: bool, x: str = "x") -> str:
    """Lines that bind the square of the absolute value."""
    if of_complex:
        return f"c = np.conj({x})\nz = {x} * c\n{name} = np.real(z)"
    return f"{name} = {x} * {x}"


def _hypot(values: list[gast.expr]) -> Root | None:
    if len(values) < 2:
        return None
    holes = {f"x{k}": value for k, value in enumerate(values)}
    lines = [f"m{k} = x{k} * x{k}" for k in range(len(values))]
    sums = ["m0", *(f"s{k}" for k in range(1, len(values) - 1)), "q"]
    lines += [f"{sums[k]} = {sums[k - 1]} + m{k}" for k in range(1, len(values))]
    return Root("\n".join(lines), holes)


def _norm(call: Call, kind: Kind | None, name: str) -> Root | None:
    """The Euclidean length, of all or along axes."""
    bound = dict(call.bound)
    order = bound.pop("ord", None)
    value = order.value if isinstance(order, gast.Constant) else order
    axis = bound.get("axis")
    vectors = isinstance(axis, gast.Constant) and type(axis.value) is int
    vectors = vectors or call.callee is np.linalg.vector_norm
    if value == 2 and not vectors:
        plain = bound.keys() == {"x"} and isinstance(kind, Num) and not is_complex(kind)
        holes = {**bound, "r": syntax.name(name)}
        return Root("q = rt.squared_norm(r, x)", holes) if plain else None
    if not (isinstance(kind, (Num, *CONTAINERS)) and (value in (None, "fro") or value == 2)):
        return None
    head = "" if isinstance(kind, Num) else "a = np.asarray(x)\n"
    head += _square("m", is_complex(kind), "a" if head else "x")
    if call.callee is np.linalg.matrix_norm:
        head, bound["axis"] = f"axis = (-2, -1)\n{head}", syntax.name("axis")
    return _reduced(f"{head}\n", "np.sum(m", bound)


def _reduced(head: str, call: str, bound: Mapping[str, gast.expr]) -> Root:
    options = "".join(f", {name}={name}" for name in bound if name != "x")
    return Root(f"{head}q = {call}{options})", bound)
