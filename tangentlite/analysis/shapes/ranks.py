"""How many dimensions the results of rules have.

In: a rule, its arguments and their kinds.
Out: a number of dimensions; None if it is not known.
Next: results.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping

import gast

from tangentlite import syntax
from tangentlite.analysis.kinds import Inert, Kind, Num, Shape, Tuple
from tangentlite.analysis.shapes import extents
from tangentlite.analysis.shapes.broadcasting import over, whole
from tangentlite.rules import Rule

SAME = frozenset(
    """T transpose transpose_method swapaxes moveaxis flip fliplr flipud rot90 roll copy astype
    matrix_transpose conj real imag array own unbroadcast like buffer summed spread
    diff inv""".split()
)

BY_ELEMENT = (gast.Lt, gast.LtE, gast.Gt, gast.GtE, gast.Eq, gast.NotEq)
ARRAYS = ("array", "ascontiguousarray")
SHAPE_KEEPING = frozenset("copy astype flip fliplr flipud roll conj own".split())
# What has the precision of the arrays of which it is made.
OF_PRECISION = (SAME - {"like", "buffer", "astype", "real", "imag"}) | frozenset(
    """matmul dot inner outer vdot tensordot einsum kron sum mean prod extremum var std cumsum cumprod trace
    ascontiguousarray ravel reshape reshape_method squeeze expand_dims broadcast_to repeat tile diagonal tril triu
    concatenate stack hstack vstack column_stack""".split()
)


def of(rule: Rule, bound: Mapping[str, gast.expr], kinds: Mapping[str, Kind]) -> int | None:
    """The rank of what a rule of the library gives."""
    if "templates" not in rule.file or not rule.params:
        return None
    first = kinds.get(rule.params[0].name)
    rank = first.ndim if isinstance(first, Num) else None
    name = rule.name
    if name in ARRAYS and isinstance(first, Tuple):
        return None if "ndmin" in bound else _nested(first)
    if name in SAME or (name == "sort" and "axis" not in bound):
        return rank
    if name in JOINED and isinstance(first, Tuple):
        return _joined(name, first, bound, kinds)
    if name in FIXED:
        return FIXED[name]
    if name == "linspace":
        ends = [kinds.get(p.name) for p in rule.params[:2]]
        return 1 if all(isinstance(k, Num) and k.scalar for k in ends) else None
    if name == "solve":
        right = kinds.get(rule.params[1].name)
        return right.ndim if isinstance(right, Num) and rank == 2 else None
    if name in ("reshape", "reshape_method", "broadcast_to", "full"):
        made = _reshaped(bound, kinds)
        number = isinstance(first, Num) and first.scalar and name.startswith("reshape")
        return None if number and made == 0 else made  # np.float64(1.0).reshape(()) is no array
    if name in TAKING:
        return _taken(name, rank, bound, kinds)
    if name in ("matmul", "dot"):
        return _product([kinds.get(p.name) for p in rule.params[:2]])
    if rank is None:
        return None
    if name == "ascontiguousarray":
        return max(rank, 1)
    if name == "expand_dims" and _integer(kinds.get("axis")):
        return rank + 1
    if name in ("diagonal", "trace"):
        return max(rank - (1 if name == "diagonal" else 2), 0)
    if name in REDUCTIONS and _integer(kinds.get("axis")) and "keepdims" not in bound:
        return max(rank - 1, 0)  # a number has an axis to be summed along
    return None


def compared(node: gast.expr, kind_of: Callable[[gast.expr], Kind], point: int) -> Num:
    """The kind of a truth, or of an array of truths: a comparison is made by element."""
    rank: int | None = None
    match node:
        case gast.Compare(left=left, ops=[op], comparators=[right]) if isinstance(op, BY_ELEMENT):
            kinds = [kind_of(left), kind_of(right)]
            found = [k.ndim for k in kinds if isinstance(k, Num) and k.ndim is not None]
            rank = max(found) or None if len(found) == 2 else None
    return Num(frozenset({point}), "bool", rank)


def integers(rule: Rule, bound: Mapping[str, gast.expr], kinds: Mapping[str, Kind]) -> bool:
    """Whether a function of the library makes an array of integers of its arguments."""
    if "templates" not in rule.file or "dtype" in bound:
        return False
    match rule.name, kinds.get("x" if rule.name in ARRAYS else "fill_value"):
        case "arange", _:
            return all(map(_integer, kinds.values()))
        case "full", kind:
            return _integer(kind)
        case "array" | "ascontiguousarray", Tuple() as display:
            return _whole_numbers(display)
    return False


def floats(rule: Rule, bound: Mapping[str, gast.expr], kinds: Mapping[str, Kind]) -> bool:
    """Whether a function of the library makes floats of its arguments, of which some are floats."""
    if rule.name not in OF_PRECISION or "templates" not in rule.file or "dtype" in bound:
        return False
    parts = [k for p, k in kinds.items() if p.partition("[")[0] in ("x", "y", "a", "xs")]
    names = {n for k in parts for n in _elements(k)}
    return "float" in names and names <= {"float", "int", "bool"}


def _elements(kind: Kind) -> set[str]:
    """What is known of the elements of an array or of those in a display."""
    if isinstance(kind, Tuple):
        return {n for k in kind.items for n in _elements(k)}
    return {kind.exact} if isinstance(kind, Num) else {""}


def _whole_numbers(kind: Kind | None) -> bool:
    """Whether there are integers only in displays inside of displays."""
    if isinstance(kind, Tuple):
        return bool(kind.items) and all(map(_whole_numbers, kind.items))
    return _integer(kind)


def zero_dimensional(rule: Rule, kinds: Mapping[str, Kind]) -> bool:
    """Whether a result of rank 0 is an array without axes."""
    if rule.name in ("array", "reshape", "reshape_method"):
        return True
    first = kinds.get(rule.params[0].name)
    same = (
        rule.name in SAME and rule.name != "flip"
    )  # all of an array without axes, turned, is a number
    return same and isinstance(first, Num) and not first.scalar


FIXED = {"ravel": 1, "arange": 1, "outer": 2}
JOINED = frozenset("concatenate stack hstack vstack".split())


def _joined(
    name: str, parts: Tuple, bound: Mapping[str, gast.expr], kinds: Mapping[str, Kind]
) -> int | None:
    """The rank of arrays put together, of which all have as many axes as one of them."""
    ranks = {k.ndim for k in parts.items if isinstance(k, Num) and k.array and k.ndim}
    if len(ranks) != 1 or ("axis" in bound and not _integer(kinds.get("axis"))):
        return None
    (rank,) = ranks
    return rank + 1 if name == "stack" else max(rank, 2) if name == "vstack" else rank


TAKING = frozenset("take take_inside interp gradient".split())
REDUCTIONS = frozenset("sum mean prod extremum max min amax amin var std".split())


def shape(rule: Rule, bound: Mapping[str, gast.expr], kinds: Mapping[str, Kind]) -> Shape | None:
    """The shape of a reduction along one axis that is written down, and of what has axes with names."""
    made = extents.of(rule, bound, kinds)
    if made is not None or not rule.params:
        return made
    first = kinds.get(rule.params[0].name)
    axis, kept = whole(bound.get("axis")), bound.get("keepdims")
    written = kept is None or isinstance(kept, gast.Constant)
    if rule.name not in REDUCTIONS or axis is None or not written or not isinstance(first, Num):
        return None
    return over(first.shape, axis, kept is not None and bool(kept.value)) if first.shape else None


def _nested(kind: Kind) -> int | None:
    """The rank of the array that is made of a display."""
    if isinstance(kind, Num) and kind.scalar:
        return 0
    inner = {_nested(k) for k in kind.items} if isinstance(kind, Tuple) else {None}
    (rank, *others) = inner or {None}
    return None if others or rank is None else rank + 1


def _reshaped(bound: Mapping[str, gast.expr], kinds: Mapping[str, Kind]) -> int | None:
    given = [k for p, k in kinds.items() if p.partition("[")[0] == "shape"]
    match given:
        case [Tuple(items=items)]:
            return len(items)
        case [Inert(type="shape", length=length)]:
            return length
        case [_, *_] if all(map(_integer, given)) and len(given) == _count(bound):
            return len(given)
    return None


def _count(bound: Mapping[str, gast.expr]) -> int:
    return sum(1 for p in bound if p.partition("[")[0] == "shape")


def _product(kinds: list[Kind | None]) -> int | None:
    ranks = [k.ndim if isinstance(k, Num) else None for k in kinds]
    match ranks:
        case [1, 1]:
            return 0
        case [2, 1] | [1, 2]:
            return 1
        case [2, 2]:
            return 2
    return None


def _taken(
    name: str, rank: int | None, bound: Mapping[str, gast.expr], kinds: Mapping[str, Kind]
) -> int | None:
    """The rank of what is taken: indices have the place of the axis, or of all; of what has the rank of points."""
    if name in ("interp", "gradient"):
        return rank if rank == 1 or (rank and name == "interp") else None
    found = kinds.get("indices")
    many = _nested(found) if isinstance(found, Tuple) else getattr(found, "ndim", None)
    if "axis" not in bound:
        return many
    return many + rank - 1 if many is not None and rank and _integer(kinds.get("axis")) else None


def _integer(kind: Kind | None) -> bool:
    return isinstance(kind, Num) and kind.exact == "int" and kind.scalar


def certain_view(rule: Rule, bound: Mapping[str, gast.expr], kinds: Mapping[str, Kind]) -> bool:
    """Whether a rule of the library always gives a view of its first argument."""
    if rule.name in ("T", "transpose", "transpose_method", "swapaxes", "moveaxis", "diagonal"):
        return True
    if rule.name in ("expand_dims", "flip", "fliplr", "flipud"):
        return True
    return rule.name == "getitem" and _basic(bound["i"], kinds.get("i"))


def _basic(index: gast.expr, kind: Kind | None) -> bool:
    match index:
        case gast.Tuple(elts=parts):
            return all(
                isinstance(p, gast.Slice) or (isinstance(p, gast.Constant) and p.value is not True)
                for p in parts
            )
        case gast.Slice():
            return True
        case gast.Constant(value=value):
            return not isinstance(value, bool)
    match kind:
        case Num():
            return _integer(kind)
        case Inert(type="slice"):
            return True
    return syntax.is_atom(index) and False
