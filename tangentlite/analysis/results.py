"""Kinds of results: what operators, rules, subscripts and containers give.

In: kinds of operands.
Out: the kind of the result.
Next: classify.
"""

from __future__ import annotations

import operator
from collections.abc import Callable, Hashable, Mapping
from typing import Any

import gast
import numpy as np

from tangentlite import runtime, syntax
from tangentlite.analysis.kinds import (
    SCALAR,
    ZERO_KIND,
    Dict,
    Inert,
    Kind,
    List,
    Nothing,
    Num,
    Tuple,
    Unknown,
    element,
    forget,
    join,
)
from tangentlite.analysis.operations import Joined, Opaque, Operation
from tangentlite.errors import UnsupportedSyntaxError
from tangentlite.rules import Rule

CHANGES_REALNESS = {
    np.absolute,
    np.abs,
    np.real,
    np.imag,
    np.angle,
    operator.abs,
    abs,
    np.ndarray.real,
    np.ndarray.imag,
}
FULL_REDUCTIONS = {
    np.sum,
    np.mean,
    np.prod,
    np.max,
    np.min,
    np.amax,
    np.amin,
    np.var,
    np.std,
    np.ptp,
    np.trace,
    np.vdot,
}
FULL_METHODS = {getattr(np.ndarray, n) for n in ("sum", "mean", "prod", "max", "min", "var", "std")}
# Functions of the runtime, and the parameter whose shape their result has.
SHAPED = {
    runtime.like: "x",
    runtime.unbroadcast: "like",
    runtime.broadcast: "like",
    runtime.spread: "like",
    runtime.unreduce: "x",
    runtime.seed: "y",
    runtime.tangent: "x",
    runtime.matmul_left: "x",
    runtime.matmul_right: "y",
}
LIKE_FIRST = {
    np.zeros_like,
    np.ones_like,
    np.empty_like,
    np.sign,
    np.floor,
    np.ceil,
    np.rint,
    np.round,
}


def named(kind: Kind, symbol: Hashable) -> Kind:
    """The kind with a symbol in place of an unknown shape."""
    if isinstance(kind, Num) and kind.shape is None:
        return Num(frozenset({symbol}), kind.exact, kind.ndim)
    return kind


def _shaped(kind: Kind, point: int) -> Kind:
    """A value of the same shape as another one."""
    if isinstance(kind, Num):
        return Num(frozenset({point}) if kind.shape is None else kind.shape, "", kind.ndim)
    return kind


def _added(kinds: list[Kind], point: int) -> Kind:
    """The sum of two adjoints of one value, which may be a container."""
    for kind in kinds:
        match kind:
            case Tuple(items=items):
                return Tuple(tuple(map(_part, items)), "list")
            case List(item=item):
                return List(None if item is None else _part(item))
            case Dict(keys=keys, items=items):
                return Dict(keys, tuple(map(_part, items)))
    return elementwise(runtime.add, kinds, point)


def _shadow(kind: Kind) -> Kind:
    """What gathers the adjoints of a value."""
    match kind:
        case Num():
            return Num(kind.shape, "", kind.ndim)
        case Tuple(items=items):
            return Tuple(tuple(map(_part, items)), "list")
        case List(item=item):
            return List(None if item is None else _part(item))
        case Dict(keys=keys, items=items):
            return Dict(keys, tuple(map(_part, items)))
    return ZERO_KIND


def _part(kind: Kind) -> Kind:
    """What gathers the adjoints of an element: ZERO at first, later of any shape."""
    return Num() if isinstance(kind, Num) else _shadow(kind)


def literal(value: Any) -> Kind:
    """The kind of a literal."""
    match value:
        case bool() | int() | float() | complex():
            return Num(SCALAR, type(value).__name__, 0, True, value)
        case None:
            return Nothing()
    return Inert(type(value).__name__)


def primitive(
    rule: Rule, primal: Any, bound: Mapping[str, gast.expr], kinds: Mapping[str, Kind], point: int
) -> Kind:
    """The kind of a rule's result."""
    if len(rule.results) > 1:
        return Tuple(tuple(Num() for _ in rule.results))
    if primal is runtime.add:
        return _added(list(kinds.values()), point)
    shaped = SHAPED.get(primal)
    if shaped is not None and shaped in kinds:
        nests = primal in (runtime.like, runtime.seed, runtime.tangent)
        return (
            _shaped(kinds[shaped], point)
            if nests or isinstance(kinds[shaped], Num)
            else Num(frozenset({point}))
        )
    if rule.algebra == "elementwise":
        return elementwise(primal, list(kinds.values()), point)
    if primal in FULL_REDUCTIONS or primal in FULL_METHODS:
        if not {"axis", "keepdims"} & set(bound):
            return Num(SCALAR, "", 0)
    return Num(frozenset({point}))


def elementwise(primal: Any, kinds: list[Kind], point: int) -> Kind:
    """Shapes broadcast, and numbers stay numbers."""
    numbers = [k for k in kinds if isinstance(k, Num)]
    if (
        len(numbers) < len(kinds)
        or primal in CHANGES_REALNESS
        or any(k.exact == "complex" for k in numbers)
    ):
        scalar = numbers == kinds and all(k.scalar for k in numbers)
        return Num(SCALAR if scalar else frozenset({point}))
    shape: frozenset[Hashable] = frozenset()
    for kind in numbers:
        shape |= frozenset({point}) if kind.shape is None else kind.shape
    return Num(shape, _exact(primal, numbers), _rank(numbers), _python(primal, numbers))


def _exact(primal: Any, numbers: list[Num]) -> str:
    names = {k.exact for k in numbers}
    if names <= {"int", "bool"}:
        keeps = (
            operator.add,
            operator.sub,
            operator.mul,
            operator.floordiv,
            operator.mod,
            operator.neg,
            operator.pos,
        )
        small = primal in (*keeps, operator.abs, abs, np.absolute, np.maximum, np.minimum)
        return "int" if small else ""
    if primal in (operator.pow, pow, np.power, np.float_power):
        exponent = numbers[-1].literal
        whole = isinstance(exponent, (int, float)) and float(exponent).is_integer()
        return numbers[0].exact if whole and numbers[0].exact == "float" else ""
    return "float" if names <= {"int", "bool", "float"} and "float" in names else ""


def _rank(numbers: list[Num]) -> int | None:
    ranks = [k.ndim for k in numbers]
    return None if None in ranks else max((r for r in ranks if r is not None), default=None)


def _python(primal: Any, numbers: list[Num]) -> bool:
    return getattr(primal, "__module__", "") in ("_operator", "math") and all(
        k.python for k in numbers
    )


def inactive(primal: Any, kinds: list[Kind], point: int) -> Kind:
    """The kind of a result without derivative."""
    first = kinds[0] if kinds else Inert()
    if primal is runtime.zeros:
        return _shadow(first)
    if primal in LIKE_FIRST and isinstance(first, Num):
        return Num(first.shape)
    if primal in (len, isinstance, callable, id, hash, ord, np.ndim, np.size, np.isscalar):
        return Num(SCALAR, "int", 0, True)
    if primal in (int, bool, np.argmax, np.argmin, np.argsort):
        return Num(SCALAR if primal in (int, bool) else frozenset({point}), "int")
    if primal in (np.ndarray.shape, np.shape):
        return Inert("shape")
    if primal in (np.ndarray.ndim, np.ndarray.size):
        return Num(SCALAR, "int", 0, True)
    if primal in (str, repr, format, np.ndarray.dtype, print, range, slice, type, zip, enumerate):
        return Inert()
    if getattr(primal, "__module__", "") == "_operator" or isinstance(primal, np.ufunc):
        numbers = [k for k in kinds if isinstance(k, Num)]
        if len(numbers) == len(kinds) and all(k.scalar for k in numbers):
            inert = all(k.inert for k in numbers)
            return Num(SCALAR, "int" if inert else "")
    return Num(frozenset({point}))


def subscript(
    kind: Num, index: gast.expr, point: int, kind_of: Callable[[gast.expr], Kind]
) -> Kind:
    """The kind of ``array[index]``."""
    exact = kind.exact
    if kind.ndim is not None and _integers(index, kind_of) == kind.ndim:
        return Num(SCALAR, exact, 0)
    return Num(frozenset({point}), exact)


def _integers(index: gast.expr, kind_of: Callable[[gast.expr], Kind]) -> int:
    parts = index.elts if isinstance(index, gast.Tuple) else [index]
    kinds = [kind_of(p) if syntax.is_atom(p) else Inert() for p in parts]
    integers = all(isinstance(k, Num) and k.exact == "int" and k.scalar for k in kinds)
    return len(parts) if integers else -1


def slot(kind: Kind, index: gast.expr, kind_of: Callable[[gast.expr], Kind]) -> Kind:
    """The kind of ``container[index]``."""
    at = kind_of(index) if syntax.is_atom(index) else Inert()
    match kind:
        case Tuple(items=items, type=type_):
            if isinstance(at, Num) and isinstance(at.literal, int):
                return (
                    items[at.literal]
                    if -len(items) <= at.literal < len(items)
                    else Unknown("it is out of range")
                )
            if isinstance(index, gast.Slice):
                return _sliced(items, index, kind_of, type_)
        case List() if isinstance(index, gast.Slice):
            return kind
        case Dict(keys=keys, items=items):
            if isinstance(index, gast.Constant) and index.value in keys:
                return items[keys.index(index.value)]
    return element(kind) or Num()


def _sliced(
    items: tuple[Kind, ...], index: gast.Slice, kind_of: Callable[[gast.expr], Kind], type_: str
) -> Kind:
    bounds: list[int | None] = []
    for bound in (index.lower, index.upper, index.step):
        if bound is None:
            bounds.append(None)
            continue
        kind = kind_of(bound)
        if not isinstance(kind, Num) or not isinstance(kind.literal, int):
            return (
                List(element(Tuple(items)))
                if type_ == "list"
                else Unknown("it is a slice with unknown bounds")
            )
        bounds.append(kind.literal)
    return Tuple(items[slice(*bounds)], type_)


def container_operator(
    primal: Any, operands: list[gast.expr], kinds: list[Kind]
) -> tuple[Operation, Kind]:
    """``+`` and ``*`` of lists and tuples; a derivative through ``*`` is not written."""
    names = tuple(o.id for o in operands if isinstance(o, gast.Name))
    shown = " and ".join(type(k).__name__.lower() for k in kinds)
    opaque = Opaque(
        names,
        f"an operator between {shown} is not differentiated yet",
        "Say what they are: call the derivative with lists or dicts, or take the numbers out of them first.",
        UnsupportedSyntaxError,
        True,
    )
    joined: Operation = Joined(*names) if len(names) == 2 else opaque
    match kinds:
        case [Tuple(items=a, type=s), Tuple(items=b, type=t)] if s == t and primal is operator.add:
            return joined, Tuple(a + b, s)
        case [(List() | Tuple()) as a, (List() | Tuple()) as b] if primal is operator.add:
            first, second = element(a), element(b)
            return joined, List(join(first, second, None) if first and second else first or second)
        case [(List() | Tuple()) as a, Num(exact="int")] if primal is operator.mul:
            return opaque, List(element(a))
        case [Num(exact="int"), (List() | Tuple()) as a] if primal is operator.mul:
            return opaque, List(element(a))
    unknown = next((k for k in kinds if isinstance(k, Unknown)), None)
    return opaque, unknown or Unknown(f"it came from an operator between {shown}")


__all__ = [
    "container_operator",
    "elementwise",
    "forget",
    "inactive",
    "literal",
    "named",
    "primitive",
    "slot",
    "subscript",
]
