"""Roots whose squares are smooth where the root is not: ``norm(x) ** 2``, ``hypot(a, b) ** 2``, ``std(x) ** 2``.

At zero the chain rule multiplies a slope that is zero with a direction that is none: the first derivative is right,
the second one is lost. So the square is differentiated as the sum of squares that it is. The root of a sum of
squares is flat where it is zero, as every norm is.

In: a normal form, its kinds, activity and versions.
Out: ``Root`` for lowering.roots, by statement.
Next: lowering.roots.
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
from tangentlite.analysis.aliases import Aliases
from tangentlite.analysis.cfg import Graph
from tangentlite.analysis.environment import Environment
from tangentlite.analysis.inference import Inference
from tangentlite.analysis.kinds import CONTAINERS, Kind, Num, is_complex
from tangentlite.analysis.operations import Copy, Operation, Primitive, UserCall
from tangentlite.analysis.versions import Version, Versions, study
from tangentlite.lowering import Normal
from tangentlite.lowering.roots import Root, Scaled
from tangentlite.values import immutable

POWERS = {operator.pow, pow, np.power, np.float_power, math.pow}
PRODUCTS = {operator.mul, np.multiply}
QUOTIENTS = {operator.truediv, np.divide}
ADDITIONS = {operator.add, np.add}
TOTALS = {np.sum, np.ndarray.sum, np.mean, np.ndarray.mean}
VARIANCES = {np.var, np.ndarray.var, np.nanvar}
NORMS = {np.linalg.norm, np.linalg.vector_norm, np.linalg.matrix_norm}
SPREADS = {np.std, np.nanstd, np.ndarray.std}
SIZES = {abs, operator.abs, np.absolute, np.fabs, math.fabs}
HYPOTS = {np.hypot, math.hypot}
NEGATIONS = {operator.neg, np.negative}
DOTS = {operator.matmul, np.matmul, np.dot, np.ndarray.dot, np.inner, np.vdot}
SQUARE_ROOTS = {np.sqrt, math.sqrt}
ROOTS = NORMS | SPREADS | SIZES | HYPOTS | SQUARE_ROOTS | {runtime.length, np.cbrt}
ROOTS |= {getattr(math, "cbrt", np.cbrt)}
STARTS = ROOTS | POWERS
STANDINS = {
    "complexes.norm": np.linalg.norm,
    "complexes.vector_norm": np.linalg.vector_norm,
    "complexes.matrix_norm": np.linalg.matrix_norm,
    "matrices.norm": np.linalg.norm,
}


def seen(
    normal: Normal, graph: Graph, inferred: Inference, shared: Aliases, active: Activity
) -> dict[gast.stmt, Root]:
    """The roots of which a square is active, and the active ones of sums of squares."""
    calls = {}
    for statement, operation in inferred.operations.items():
        known = isinstance(operation, Primitive) and operation.rule.callee in STARTS
        call = _call(operation) if known or isinstance(operation, UserCall) else None
        if call is not None and (call.callee in ROOTS or call.exponent == 0.5):
            calls[statement] = call
    if not calls:
        return {}
    versions = study([p.name for p in normal.function.params], normal.function.body)
    return _Search(graph, inferred, shared, active, versions).found(calls)


@immutable(eq=False)
class _Call:
    callee: Any
    bound: Mapping[str, gast.expr]

    @property
    def exponent(self) -> Any:
        """The exponent of a power, if it is written out."""
        exponent = self.bound.get("y") if self.callee in POWERS else None
        return exponent.value if isinstance(exponent, gast.Constant) else None

    @property
    def names(self) -> list[str]:
        """The arguments that are names."""
        return [v.id for v in self.bound.values() if isinstance(v, gast.Name)]

    @property
    def factors(self) -> list[str]:
        """The names of two values that are multiplied: one of them twice for a square."""
        if self.callee is np.square or self.exponent == 2:
            return self.names[:1] * 2
        return self.names if self.callee in PRODUCTS else []


def _call(operation: Operation) -> _Call | None:
    """What an operation computes: a call of the library, by its own rule or by a stand-in."""
    match operation:
        case Primitive(rule=rule, bound=bound) if rule.place.startswith("templates/"):
            return _Call(rule.callee, bound)
        case UserCall(function=function, bound=bound):
            module = str(getattr(function, "__module__", "")).removeprefix("tangentlite.standins.")
            callee = STANDINS.get(f"{module}.{getattr(function, '__name__', '')}")
            return callee and _Call(callee, {"x" if k == "a" else k: v for k, v in bound.items()})
    return None


@immutable(eq=False)
class _Search:
    graph: Graph
    inferred: Inference
    shared: Aliases
    active: Activity
    versions: Versions

    def found(self, calls: Mapping[gast.stmt, _Call]) -> dict[gast.stmt, Root]:
        """The roots that matter."""
        pairs = ((s, self._root(s, call)) for s, call in calls.items() if self._is_active(s))
        result = {s: root for s, root in pairs if root is not None}
        alike: dict[Any, gast.stmt] = {}
        first = {s: alike.setdefault(self._identity(s), s) for s in result}
        scaled: dict[gast.stmt, gast.stmt] = {}
        for statement, operation in self.inferred.operations.items():
            call = _call(operation)
            if call is None:
                continue
            origins = [self._origin(statement, name) for name in call.factors]
            if len(origins) == 2 and self._is_active(statement):
                _sort_in(statement, [first.get(o, o) for o in origins], result, scaled)
            elif call.exponent is not None and call.names and self._is_active(statement):
                _raise(statement, call, result.get(self._origin(statement, call.names[0])))
            self._scale(statement, call, result, scaled)
        return {s: root for s, root in result.items() if root.matters}

    def _identity(self, statement: gast.stmt, depth: int = 4) -> Any:
        """What tells whether two statements compute the same of the same values."""
        call = _call(self.inferred.operations[statement])
        if call is None:
            return statement
        read = self.versions.reads[statement]
        if any(self.shared.is_written(name) for name in read):
            return statement
        parts = []
        for parameter, value in call.bound.items():
            part: Any = syntax.unparse(value)
            version = read.get(value.id) if isinstance(value, gast.Name) else None
            if version is not None:
                origin = self._origin(statement, version.name) if depth else None
                known = origin is not None and origin in self.inferred.operations
                part = self._identity(origin, depth - 1) if known else version
            parts.append((parameter, part))
        return call.callee, tuple(parts)

    def _same(self, statement: gast.stmt, names: list[str]) -> bool:
        """Whether two factors are one value."""
        if len(names) == 2 and names[0] != names[1]:
            one, other = (self._origin(statement, name) for name in names)
            known = one in self.inferred.operations and other in self.inferred.operations
            return known and self._identity(one) == self._identity(other)
        return len(names) == 2

    def _scale(
        self,
        statement: gast.stmt,
        call: _Call,
        roots: Mapping[gast.stmt, Root],
        scaled: dict[gast.stmt, gast.stmt],
    ) -> None:
        """Note ``t = c * r`` and the like."""
        texts = {"x": "q = y * s", "y": "q = x * s"} if call.callee in PRODUCTS else {}
        texts = {"x": "q = s / y"} if call.callee in QUOTIENTS else texts
        texts = {"x": "q = -s"} if call.callee in NEGATIONS else texts
        for factor, text in texts.items():
            value = call.bound[factor]
            origin = self._origin(statement, value.id) if isinstance(value, gast.Name) else None
            if origin in roots and statement not in scaled and roots[origin].order == 2:
                scaled[statement] = origin
                roots[origin].scaled[statement] = Scaled(text, call.bound)

    def _is_active(self, statement: gast.stmt) -> bool:
        match statement:
            case gast.Assign(targets=[gast.Name(id=name)]):
                return name in self.active.after(self.graph.last[statement])
        return False

    def _origin(self, statement: gast.stmt, name: str) -> gast.stmt | None:
        """The statement that has bound what a name holds; None if that is not known or was written since."""
        version: Version | None = self.versions.reads[statement].get(name)
        if version is None or version.statement is None or self.shared.is_written(name):
            return None
        operation = self.inferred.operations.get(version.statement)
        if isinstance(operation, Copy):
            return self._origin(version.statement, operation.source)
        return version.statement

    def _made_by(self, statement: gast.stmt, name: str) -> tuple[gast.stmt, _Call] | None:
        """The call that has made what a name holds, of real numbers."""
        origin = self._origin(statement, name)
        operation = self.inferred.operations.get(origin) if origin is not None else None
        if not isinstance(operation, Primitive) or is_complex(*operation.kinds.values()):
            return None
        call = _call(operation)
        return None if call is None or origin is None else (origin, call)

    def _root(self, statement: gast.stmt, call: _Call) -> Root | None:
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
        rooted = "" if of_complex else self._rooted(statement, x)
        if of_complex or rooted:
            return Root("q = +x", {"x": x}, rooted=rooted)
        return Root("q = rt.radicand(x, r)", {"x": x, "r": syntax.name(statement.targets[0].id)})

    def _rooted(self, statement: gast.stmt, x: gast.Name) -> str:
        """What says that x is a sum of squares, of which the statement takes the root."""
        if self._sums_squares(statement, x):
            return "rooted"
        made = self._made_by(statement, x.id)
        if made is None or made[1].callee not in DOTS:
            return ""
        return "rooted_product" if self._same(made[0], made[1].names) else ""

    def _sums_squares(self, statement: gast.stmt, node: gast.expr) -> bool:
        """Whether a name holds a sum of squares of real numbers."""
        made = self._made_by(statement, node.id) if isinstance(node, gast.Name) else None
        if made is None:
            return False
        origin, call = made
        bound, factors, exponent = call.bound, call.factors, call.exponent
        if call.callee in VARIANCES or self._same(origin, factors):
            return True
        if call.callee in POWERS:
            return isinstance(exponent, (int, float)) and exponent > 0 and exponent % 2 == 0
        if call.callee in TOTALS:
            plain = bound.keys() <= {"x", "axis", "keepdims"}
            return plain and self._sums_squares(origin, bound["x"])
        if call.callee in ADDITIONS:
            return all(self._sums_squares(origin, value) for value in bound.values())
        if call.callee in PRODUCTS | QUOTIENTS:
            rest = [v for v in bound.values() if not _is_positive(v)]
            below = call.callee in QUOTIENTS and rest[-1:] == [bound["y"]]
            return len(rest) == 1 and not below and self._sums_squares(origin, rest[0])
        return False


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


def _raise(statement: gast.stmt, call: _Call, root: Root | None) -> None:
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


def _is_positive(node: gast.expr) -> bool:
    return isinstance(node, gast.Constant) and type(node.value) in (int, float) and node.value > 0


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


def _norm(call: _Call, kind: Kind | None, name: str) -> Root | None:
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
