"""Bounds: between which numbers a value lies, if it is one and not NaN; and which NaN would be seen in the result.

In: a function's facts.
Out: ``Bounds``.
Next: differentiate.

Rules guard local derivatives that may be infinite. Softmax needs none of that: ``exp(x - max(x))`` is at most 1, and
its sum at least that. This holds unless there is a NaN, so it is used where that would make the result NaN, too.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator, Mapping
from typing import TYPE_CHECKING

import gast
import numpy as np

from tangentlite import syntax
from tangentlite.analysis.kinds import Num, is_complex
from tangentlite.analysis.operations import Copy, Operation, Primitive
from tangentlite.analysis.shapes.broadcasting import single
from tangentlite.analysis.smoothness.following import places
from tangentlite.analysis.versions import Version
from tangentlite.values import immutable

if TYPE_CHECKING:
    from tangentlite.analysis import Facts

INFINITY = math.inf
SMALL, LARGE = 1e-7, 1e4  # what lies between is neither zero nor infinite in any precision
# Rules that make NaN of NaN, wherever in an operand it stands.
SHOWING = frozenset(
    """add subtract multiply divide negative exp expm1 log log1p sqrt square tanh sin cos arctan sinh cosh
    arcsinh absolute sum mean reshape transpose expand_dims squeeze ravel rooted""".split()
)


@immutable
class Range:
    """``peak``: along this axis one of the elements is ``high``."""

    low: float = -INFINITY
    high: float = INFINITY
    peak: tuple[object, ...] = ()


ANYTHING = Range()


class Bounds:
    """What is known of the versions of a function's names."""

    def __init__(self, facts: Facts) -> None:
        self._facts = facts
        self._known: dict[int, Range] = {}
        self.seen = frozenset() if facts.generated else frozenset(self._visible())

    def finite(self, tree: gast.expr, table: Mapping[str, Version]) -> bool:
        """Whether an expression over placeholders is finite."""
        found = self._expression(tree, table)
        return found.low >= -LARGE and found.high <= LARGE

    def nonzero(self, tree: gast.expr, table: Mapping[str, Version]) -> bool:
        """Whether an expression over placeholders stays away from zero."""
        found = self._expression(tree, table)
        return found.low >= SMALL or found.high <= -SMALL

    def _expression(self, tree: gast.expr, table: Mapping[str, Version]) -> Range:
        match tree:
            case gast.Constant(value=value):
                return _literal(value)
            case gast.Name(id=name) if name in table:
                return self.of(table[name])
            case gast.UnaryOp(op=gast.USub(), operand=operand):
                return _negative(self._expression(operand, table))
            case gast.BinOp(left=left, op=op, right=right) if type(op) in ARITHMETIC:
                one, other = self._expression(left, table), self._expression(right, table)
                same = syntax.unparse(left) == syntax.unparse(right)
                return ARITHMETIC[type(op)](one, other, same)
        return ANYTHING

    # Versions -------------------------------------------------------------------------------

    def of(self, version: Version) -> Range:
        """Between which numbers a version lies."""
        if version.number not in self._known:
            self._known[version.number] = ANYTHING
            self._known[version.number] = _rounded(self._of(version))
        return self._known[version.number]

    def _of(self, version: Version) -> Range:
        statement = version.statement
        if not isinstance(statement, gast.Assign) or self._facts.aliases.is_written(version.name):
            return ANYTHING
        reads = self._facts.versions.reads[statement]
        if any(self._facts.aliases.is_written(name) for name in reads):
            return ANYTHING
        operation = self._facts.operation(statement)
        if isinstance(operation, Copy):
            return self.of(reads[operation.source])
        if not isinstance(operation, Primitive) or is_complex(*operation.kinds.values()):
            return ANYTHING
        return self._made(operation, reads)

    def _made(self, operation: Primitive, reads: Mapping[str, Version]) -> Range:
        name, bound = operation.rule.name, operation.bound
        x = self._argument(bound.get("x"), reads)
        if name in PAIRS and bound.keys() == {"x", "y"}:
            if name == "subtract" and (axis := self._shift(operation, reads)):
                return Range(-INFINITY, 0.0, axis)
            y = self._argument(bound["y"], reads)
            same = isinstance(bound["x"], gast.Name) and syntax.unparse(
                bound["x"]
            ) == syntax.unparse(bound["y"])
            return PAIRS[name](x, y, same)
        if name == "rooted":
            return self._argument(bound["v"], reads)
        if name in FUNCTIONS and bound.keys() == {"x"}:
            return FUNCTIONS[name](x)
        if name in ("sum", "mean") and bound.keys() <= {"x", "axis", "keepdims"}:
            return _reduced(name, x, _axis(operation))
        return ANYTHING

    def _argument(self, node: gast.expr | None, reads: Mapping[str, Version]) -> Range:
        match node:
            case gast.Name(id=name) if name in reads:
                return self.of(reads[name])
            case gast.Constant(value=value):
                return _literal(value)
        return ANYTHING

    def _shift(self, operation: Primitive, reads: Mapping[str, Version]) -> tuple[object, ...]:
        """The axis of ``m = np.max(x, axis, keepdims=True)`` in ``x - m``."""
        match operation.bound["x"], operation.bound["y"]:
            case gast.Name(id=x), gast.Name(id=m) if x in reads and m in reads:
                top, new = self._reduced(reads[m])
            case _:
                return ()
        made = self._facts.operation(top.statement) if top.statement is not None else None
        if not isinstance(made, Primitive) or made.rule.name != "extremum":
            return ()
        bound, axis = made.bound, _axis(made)
        if not bound.keys() <= {"x", "axis", "keepdims"} or not isinstance(bound["x"], gast.Name):
            return ()
        before = self._facts.versions.reads[top.statement].get(bound["x"].id)
        same = before is not None and before.number == reads[x].number
        if not same or self._facts.aliases.is_written(x) or not self._is_largest(top.statement):
            return ()
        return axis if _fits(axis, bound.get("keepdims"), new) else ()

    def _reduced(self, version: Version) -> tuple[Version, list[gast.expr] | None]:
        """What ``m[:, None]`` is made of, and the index; copies are looked through."""
        statement = version.statement
        operation = self._facts.operation(statement) if statement is not None else None
        reads = self._facts.versions.reads.get(statement, {})
        match operation:
            case Copy(source=source):
                return self._reduced(reads[source])
            case Primitive(rule=rule, bound={"x": gast.Name(id=name), "i": index}) if (
                rule.name == "getitem" and name in reads
            ):
                top, inner = self._reduced(reads[name])
                parts = index.elts if isinstance(index, gast.Tuple) else [index]
                return (top, list(parts)) if inner is None else (version, None)
        return version, None

    def _is_largest(self, statement: gast.stmt | None) -> bool:
        """Whether a statement makes a maximum, no minimum."""
        call = getattr(statement, "value", None)
        path = syntax.dotted(call.func) if isinstance(call, gast.Call) else None
        if path is None:
            return False
        owner, _, name = path.rpartition(".")
        function = self._facts.normal.function
        if owner in function.local:
            return name == "max"
        try:
            return function.namespace.resolve(path) in (np.max, np.amax)
        except (KeyError, AttributeError):
            return False

    def _source(self, version: Version) -> Version:
        """What a copy is a copy of."""
        operation = self._facts.operation(version.statement) if version.statement else None
        if isinstance(operation, Copy) and version.statement is not None:
            return self._source(self._facts.versions.reads[version.statement][operation.source])
        return version

    # NaN ------------------------------------------------------------------------------------

    def _visible(self) -> Iterator[gast.stmt]:
        """The statements outside of branches and loops whose result cannot be NaN unless that of the function is."""
        facts, versions = self._facts, self._facts.versions
        end = versions.at_end.get(facts.result or "")
        kind = facts.kinds.result
        waiting = [end] if end is not None and isinstance(kind, Num) and kind.scalar else []
        done = set[int]()
        while waiting:
            version = waiting.pop()
            statement = version.statement
            if statement is None or version.number in done or version.scope is not versions.root:
                continue
            done.add(version.number)
            if not isinstance(statement, gast.Assign) or facts.aliases.is_written(version.name):
                continue
            yield statement
            operation = facts.operation(statement)
            if shows(operation):
                waiting += versions.reads[statement].values()


def shows(operation: Operation | None) -> bool:
    """Whether any NaN in an operand is one in the result."""
    if isinstance(operation, Primitive):
        plain = operation.bound.keys() <= {"x", "y", "v", "s", "axis", "keepdims", "shape", "axes"}
        exponent = operation.bound.get("y") if operation.rule.name == "power" else None
        power = isinstance(exponent, gast.Constant) and bool(exponent.value)
        return power or (operation.rule.name in SHOWING and plain)
    return isinstance(operation, Copy)


def _literal(value: object) -> Range:
    plain = isinstance(value, int | float) and abs(value) <= LARGE
    return _rounded(Range(float(value), float(value))) if plain else ANYTHING  # type: ignore[arg-type]


def _rounded(x: Range) -> Range:
    """What is small may be rounded to zero."""
    low, high = (0.0 if -SMALL < v < SMALL else v for v in (x.low, x.high))
    return Range(low, high, x.peak)


def _axis(operation: Primitive) -> tuple[object, ...]:
    """The axis of a reduction, from either end: ``(None,)`` is all."""
    axis = operation.bound.get("axis")
    if axis is None or (isinstance(axis, gast.Constant) and axis.value is None):
        return (None,)
    return tuple(places(operation))


def _fits(
    axis: tuple[object, ...], keepdims: gast.expr | None, new: list[gast.expr] | None
) -> bool:
    """Whether a maximum along an axis, with a new axis if there is an index, stands beside what it is one of."""
    if axis == (None,):
        return new is None
    if new is None:
        return syntax.is_true(keepdims) or 0 in axis
    parts = [single(new, place) for place in axis if isinstance(place, int)]
    return keepdims is None and any(isinstance(p, gast.Constant) and p.value is None for p in parts)


# Arithmetic of ranges -----------------------------------------------------------------------


def _reduced(name: str, x: Range, axis: tuple[object, ...]) -> Range:
    if name == "mean":
        return Range(x.low, x.high)
    if x.low < 0.0:
        return ANYTHING
    return Range(x.high if not set(x.peak).isdisjoint(axis) else 0.0)


def _added(x: Range, y: Range, same: bool = False) -> Range:
    return Range(x.low + y.low, x.high + y.high)


def _subtracted(x: Range, y: Range, same: bool = False) -> Range:
    return _added(x, _negative(y))


def _multiplied(x: Range, y: Range, same: bool = False) -> Range:
    ends = [_product(a, b) for a in (x.low, x.high) for b in (y.low, y.high)]
    return Range(max(0.0, min(ends)) if same else min(ends), max(ends))


def _product(a: float, b: float) -> float:
    return a * b if a and b else 0.0


def _divided(x: Range, y: Range, same: bool = False) -> Range:
    if y.low < SMALL:
        return ANYTHING
    ends = [a / b for a in (x.low, x.high) for b in (y.low, y.high) if abs(a) < b or b < INFINITY]
    return Range(min(0.0, *ends), max(0.0, *ends))


def _negative(x: Range) -> Range:
    return Range(-x.high, -x.low)


def _exp(x: Range) -> Range:
    low, high = (math.exp(v) if v < 700.0 else INFINITY for v in (x.low, x.high))
    return Range(low, high, x.peak)


def _within_one(x: Range) -> Range:
    return Range(-1.0, 1.0)


def _absolute(x: Range) -> Range:
    return Range(max(0.0, x.low, -x.high), max(-x.low, x.high))


def _square(x: Range) -> Range:
    return _multiplied(_absolute(x), _absolute(x))


def _sqrt(x: Range) -> Range:
    return Range(math.sqrt(max(0.0, x.low)), math.sqrt(x.high) if x.high > 0.0 else 0.0)


Pair = Callable[[Range, Range, bool], Range]
PAIRS: dict[str, Pair] = {
    "add": _added,
    "subtract": _subtracted,
    "multiply": _multiplied,
    "divide": _divided,
}
ARITHMETIC: dict[type, Pair] = {
    gast.Add: _added,
    gast.Sub: _subtracted,
    gast.Mult: _multiplied,
}
FUNCTIONS: dict[str, Callable[[Range], Range]] = {
    "exp": _exp,
    "tanh": _within_one,
    "sin": _within_one,
    "cos": _within_one,
    "negative": _negative,
    "absolute": _absolute,
    "square": _square,
    "sqrt": _sqrt,
}
