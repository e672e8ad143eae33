"""Kinds of results: what operators, rules, subscripts and containers give.

In: kinds of operands.
Out: the kind of the result.
Next: classify.
"""

from __future__ import annotations

import operator
from collections.abc import Hashable, Mapping
from typing import Any

import gast
import numpy as np

from tangentlite import runtime
from tangentlite.analysis import likeness
from tangentlite.analysis.calling import texts, variants
from tangentlite.analysis.joining import element
from tangentlite.analysis.kinds import (
    COMPLEX,
    CONTAINERS,
    SCALAR,
    ZERO_KIND,
    Inert,
    Kind,
    List,
    Nothing,
    Num,
    Object,
    Tuple,
    forget,
    is_complex,
    is_persistent,
)
from tangentlite.analysis.lists import nests
from tangentlite.analysis.shapes import ranks
from tangentlite.analysis.shapes.broadcasting import broadcast
from tangentlite.analysis.shapes.subscripts import subscript
from tangentlite.lowering.arrays.roots import VALUED
from tangentlite.persistent import PersistentArray
from tangentlite.rules import UNKNOWN, Rule
from tangentlite.values import replace

SQUARES = {np.eye, np.identity, np.tri}
MAKERS = {np.zeros, np.ones, np.empty, *SQUARES}
TYPED: set[Any] = {*MAKERS - SQUARES, np.zeros_like, np.ones_like, np.empty_like}
CHANGES_REALNESS = {np.absolute, np.abs, np.real, np.imag, np.angle, operator.abs, abs}
CHANGES_REALNESS |= {np.ndarray.real, np.ndarray.imag}
FULL_REDUCTIONS = {
    getattr(np, n) for n in "sum mean prod max min amax amin var std ptp vdot".split()
}
FULL_METHODS = {getattr(np.ndarray, n) for n in ("sum", "mean", "prod", "max", "min", "var", "std")}
# What is real whatever the arguments are, and what is complex.
REAL = CHANGES_REALNESS | {np.linalg.norm, runtime.real_only, np.linalg.svdvals}
REAL |= {np.fft.irfft, np.fft.irfft2, np.fft.irfftn, np.fft.hfft, np.linalg.eigvalsh, runtime.pins}
COMPLEX_RESULTS = {complex, np.fft.fft, np.fft.ifft, np.fft.fft2, np.fft.ifft2, np.fft.rfft}
COMPLEX_RESULTS |= {np.fft.fftn, np.fft.ifftn, np.fft.rfft2, np.fft.rfftn, np.fft.ihfft}
COMPLEX_RESULTS |= {np.linalg.eig, np.linalg.eigvals, runtime.composed}
# Functions of the runtime, and the parameter whose shape their result has.
SHAPED = {
    **dict.fromkeys((runtime.like, runtime.complete, runtime.replaced, runtime.tangent), "x"),
    **dict.fromkeys((runtime.summed, runtime.unreduce, runtime.buffer, runtime.matmul_left), "x"),
    **dict.fromkeys((runtime.unbroadcast, runtime.broadcast, runtime.spread), "like"),
    **dict.fromkeys((runtime.seed, runtime.owned, runtime.followed, runtime.matmul_right), "y"),
    runtime.weighted: "like",
    runtime.reached: "g",
    runtime.cycled: "part",
}
PROVED_REAL = ("int", "bool", "float")
KEEPING_INTEGERS: set[Any] = {operator.add, operator.sub, operator.mul, operator.floordiv}
KEEPING_INTEGERS |= {operator.mod, operator.neg, operator.pos, operator.abs, abs}
KEEPING_INTEGERS |= {np.absolute, np.maximum, np.minimum}
COMPLEX_NAMES = frozenset(  # of SciPy, for real numbers too
    "lambertw wofz hankel1 hankel1e hankel2 hankel2e h1vp h2vp sph_harm_y wofz_slope".split()
)
# Functions of the runtime whose result is a list where this parameter is a list, a tuple or a dict.
NESTED: dict[Any, str] = {
    **{f: SHAPED[f] for f in (runtime.unbroadcast, runtime.broadcast, runtime.buffer)},
    runtime.view: "y",
    runtime.followed: "y",
    **dict.fromkeys((runtime.unstack, runtime.split_like, runtime.unjoin), "xs"),
    **dict.fromkeys((runtime.unchosen, runtime.remesh, runtime.unblock), "xs"),
    **dict.fromkeys((runtime.separated, runtime.unobserved, runtime.unchain), "xs"),
    **dict.fromkeys((runtime.each, runtime.filled, runtime.aligned, runtime.unrepeated), "xs"),
}
NESTS = {runtime.like, runtime.seed, runtime.tangent, runtime.owned, runtime.followed}
PERSISTENT: tuple[Any, ...] = (PersistentArray, PersistentArray.version, PersistentArray.insert)
PERSISTENT += (PersistentArray.delete, np.ndarray.copy, runtime.own)
SPLITTING = {np.split, np.array_split, np.hsplit, np.vsplit, np.dsplit, np.meshgrid}
SPLITTING |= {np.broadcast_arrays, getattr(np, "unstack", np.split)}
# For a number these make an array without axes.
ARRAYS_FOR_NUMBERS = {np.zeros_like, np.ones_like, np.empty_like}
COUNTS = {len, isinstance, callable, id, hash, ord, np.ndim, np.size, np.isscalar}
COUNTS |= {np.ndarray.ndim, np.ndarray.size, runtime.place, runtime.width}
WALKED: dict[Any, Kind] = {
    **dict.fromkeys((np.ndarray.dtype, print, slice, type, zip, enumerate), Inert()),
    **dict.fromkeys((np.finfo, np.iinfo), Inert("limits")),
    range: Inert("range"),
    runtime.einsum_spec: Inert("str"),
    runtime.ranks: List(Num(SCALAR, "int", 0, True)),
}
LIKE_FIRST: set[Any] = {np.zeros_like, np.ones_like, np.empty_like}
LIKE_FIRST |= {np.sign, np.floor, np.ceil, np.rint, np.round}


def named(kind: Kind, symbol: Hashable) -> Kind:
    """The kind with a symbol in place of an unknown shape."""
    if isinstance(kind, Num) and kind.shape is None:
        return replace(kind, shape=frozenset({symbol}))
    return kind


def literal(value: Any) -> Kind:
    """The kind of a literal."""
    match value:
        case bool() | int() | float() | complex():
            shape = COMPLEX if isinstance(value, complex) else SCALAR
            return Num(shape, type(value).__name__, 0, True, value)
        case None:
            return Nothing()
        case tuple():
            return Tuple(tuple(map(literal, value)))
    return Inert(type(value).__name__, literal=value if isinstance(value, str) else UNKNOWN)


def primitive(
    rule: Rule, primal: Any, bound: Mapping[str, gast.expr], kinds: Mapping[str, Kind], point: int
) -> Kind:
    """The kind of a rule's result."""
    if getattr(primal, "__module__", "") == "cmath":
        return variants.of_cmath(primal)
    if likeness.gives_whole(primal, list(kinds.values())):
        return _count(None)
    kind = _primitive(rule, primal, bound, kinds, point)
    if primal in likeness.ALWAYS_ARRAYS and isinstance(kind, Num):
        kind = likeness.array(kind, point)
    return kind if primal in SHAPED or primal in REAL else _perhaps_complex(kind, primal, kinds)


def _perhaps_complex(kind: Kind, primal: Any, kinds: Mapping[str, Kind]) -> Kind:
    """What a rule makes of complex numbers is complex."""
    if not (primal in COMPLEX_RESULTS or is_complex(*kinds.values())):
        return kind
    match kind:
        case Num() if not kind.inert and kind.exact != "zero":
            return replace(kind, shape=COMPLEX if kind.scalar else kind.shape, exact="complex")
        case Tuple(items=items):
            parts = tuple(_perhaps_complex(k, primal, kinds) for k in items)
            return replace(kind, items=variants.real_again(primal, parts, items))
        case List(item=Num() as item):
            return List(_perhaps_complex(item, primal, kinds))
    return kind


def _nested(primal: Any, nest: Kind | None) -> Kind | None:
    """The kind of what has the parts of a nest; None if there is no nest."""
    if primal is runtime.followed:
        return nests.tangents(nest) if isinstance(nest, Object) else None
    if isinstance(nest, CONTAINERS):
        return nests.zeros(nest)
    if primal is runtime.aligned:
        return List(Num())
    return ZERO_KIND if isinstance(nest, Nothing) else None


def _primitive(
    rule: Rule, primal: Any, bound: Mapping[str, gast.expr], kinds: Mapping[str, Kind], point: int
) -> Kind:
    """The kind of a rule's result, if no number is complex."""
    if primal in (list, tuple, runtime.repeated, runtime.stack):
        return List(_of_each(primal, next(iter(kinds.values()))))
    meant = variants.selected(rule, bound, kinds) if rule.literal else rule
    if len(meant.results) > 1:
        return variants.several(primal, len(meant.results))
    if primal in PERSISTENT:
        first = next(iter(kinds.values()))
        if primal is PersistentArray or is_persistent(first):
            return likeness.version(primal, first, point)
    made = nests.made(primal, kinds)
    if made is not None:
        return named(made, point)
    if (nested := _nested(primal, kinds.get(NESTED.get(primal, "")))) is not None:
        return nested
    if primal is np.gradient and "axis" not in bound:
        whole = kinds.get("f")
        if isinstance(whole, Num) and (whole.ndim or 0) > 1:
            return List(Num(None, "", whole.ndim))
    if primal in SPLITTING:
        whole = kinds.get("x")
        return List(Num(None, "", whole.ndim if isinstance(whole, Num) else None))
    if primal in VALUED and isinstance(kinds["s"], Num) and isinstance(kinds["v"], Num):
        shape = frozenset({point}) if kinds["s"].shape is None else kinds["s"].shape
        return replace(kinds["v"], shape=shape, ndim=kinds["s"].ndim)
    shaped = SHAPED.get(primal)
    if shaped is not None and shaped in kinds:
        known = isinstance(kinds[shaped], Num) or primal in NESTS
        return likeness.shaped(kinds[shaped], point) if known else Num(frozenset({point}))
    if rule.algebra == "elementwise" or primal is runtime.add:
        return elementwise(primal, list(kinds.values()), point)
    if primal in FULL_REDUCTIONS or primal in FULL_METHODS:
        if not {"axis", "keepdims"} & set(bound):
            return Num(SCALAR, "", 0)
    return _ranked(rule, bound, kinds, point)


def _of_each(primal: Any, kind: Kind) -> Kind | None:
    """The kind of the elements of a list that is made of a value: those of whole numbers are whole."""
    if isinstance(kind, CONTAINERS):
        return element(kind)
    if isinstance(kind, Num) and kind.inert and primal in (list, tuple):
        return Num(exact=kind.exact)
    return Num()


def _ranked(
    rule: Rule, bound: Mapping[str, gast.expr], kinds: Mapping[str, Kind], point: int
) -> Kind:
    """A result of which at most the rank is known, or that it has the shape of the first argument."""
    rank = ranks.of(rule, bound, kinds)
    if rank == 0 and not ranks.zero_dimensional(rule, kinds):
        return Num(SCALAR, "", 0)
    first = kinds.get(rule.params[0].name) if rule.params else None
    if rule.name in ranks.SHAPE_KEEPING and isinstance(first, Num) and first.shape is not None:
        exact = first.exact if rule.name != "astype" else ""
        return Num(first.shape, exact, rank)
    exact = "int" if ranks.integers(rule, bound, kinds) else ""
    if ranks.floats(rule, bound, kinds):
        exact = "float"
    return Num(ranks.shape(rule, bound, kinds) or frozenset({point}), exact, rank)


def elementwise(primal: Any, kinds: list[Kind], point: int) -> Kind:
    """Shapes broadcast, and numbers stay numbers."""
    numbers = [k for k in kinds if isinstance(k, Num)]
    if (known := likeness.counted(primal, kinds)) is not None:
        return literal(known)
    scalar = numbers == kinds and all(k.scalar for k in numbers)
    if getattr(primal, "__name__", "") in COMPLEX_NAMES:
        return Num(COMPLEX if scalar else frozenset({point}), "complex")
    turns = primal in CHANGES_REALNESS and not all(k.exact in PROVED_REAL for k in numbers)
    if len(numbers) < len(kinds) or turns or is_complex(*kinds):
        exact = "" if primal in CHANGES_REALNESS else likeness.exactness(*kinds)
        return Num((COMPLEX if exact else SCALAR) if scalar else frozenset({point}), exact)
    shapes = (frozenset({point}) if k.shape is None else k.shape for k in numbers)
    shape, rank = broadcast(shapes, point), _rank(numbers)
    if rank == 0 and not (primal in (np.real, np.imag) and numbers[0].array):
        shape = SCALAR  # other functions of arrays without axes give numbers
    solid = rank is None and any(k.ndim for k in numbers)  # of rank 0 it would be a number
    return Num(shape, _exact(primal, numbers), rank, _python(primal, numbers), solid=solid)


def _exact(primal: Any, numbers: list[Num]) -> str:
    names = {k.exact for k in numbers}
    if names <= {"int", "bool"}:
        return "int" if primal in KEEPING_INTEGERS else ""
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


def inactive(primal: Any, kinds: list[Kind], point: int, dtype: Any = None) -> Kind:
    """The kind of a result without derivative."""
    first = kinds[0] if kinds else Inert()
    if primal is runtime.mask_of:
        return Num(frozenset({point}), "bool", kinds[1].ndim if isinstance(kinds[1], Num) else None)
    if isinstance(first, Num) and first.scalar and primal in ARRAYS_FOR_NUMBERS:
        exact = first.exact if dtype is None else likeness.elements(dtype)
        return Num(frozenset({point}), exact, 0)
    if primal in (runtime.zeros, runtime.storage, runtime.still, runtime.room):
        return nests.zeros(first, primal is runtime.room)
    if primal is runtime.shadow:
        return named(nests.shadow(first), point)
    if primal in (runtime.outline, runtime.stop_gradient):
        return first
    if primal in LIKE_FIRST and isinstance(first, Num):
        same = primal in ARRAYS_FOR_NUMBERS
        exact = likeness.elements(dtype) if dtype is not None else first.exact if same else ""
        return Num(first.shape, exact, first.ndim)
    if primal in MAKERS:
        rank = 2 if primal in SQUARES else _ndim(first)
        return Num(frozenset({point}), likeness.elements(dtype), rank)
    if primal in COUNTS or likeness.gives_whole(primal, kinds):
        return _count(first if primal is len else None)
    if primal in (int, bool, np.argmax, np.argmin, np.argsort):
        return Num(SCALAR if primal in (int, bool) else frozenset({point}), "int")
    if primal in (np.ndarray.shape, np.shape):
        return Inert("shape", first.ndim if isinstance(first, Num) else None)
    if primal in WALKED:
        return WALKED[primal]
    if primal in texts.WRITERS:
        return texts.text(kinds, "str")
    if getattr(primal, "__module__", "") == "_operator" or isinstance(primal, np.ufunc):
        numbers = [k for k in kinds if isinstance(k, Num)]
        if len(numbers) == len(kinds) and all(k.scalar for k in numbers):
            inert = all(k.inert for k in numbers)
            return Num(
                COMPLEX if is_complex(*kinds) else SCALAR,
                "int" if inert else likeness.exactness(*kinds),
            )
    return Num(frozenset({point}), likeness.answered(primal, kinds))


def _count(sized: Kind | None) -> Num:
    """The kind of a length: known of a tuple."""
    count = Num(SCALAR, "int", 0, True)
    if isinstance(sized, Inert) and isinstance(sized.literal, tuple):  # the keys of a dict
        return replace(count, literal=len(sized.literal))
    return replace(count, literal=len(sized.items)) if isinstance(sized, Tuple) else count


def _ndim(shape: Kind) -> int | None:
    """The number of dimensions of an array made with a shape of this kind."""
    match shape:
        case Num(exact="int") if shape.scalar:
            return 1
        case Tuple(items=items):
            return len(items)
        case Inert(type="shape", length=length):
            return length
    return None


__all__ = [
    "elementwise",
    "forget",
    "inactive",
    "literal",
    "named",
    "primitive",
    "subscript",
]
