"""Vectors that are given another axis: ``m.reshape(-1, 1)`` is ``m[:, None]``, and a reduction may keep its axis.

In: kinds.
Out: the statements that do so, with what they may bind instead.
Next: lowering.arrays.columns.

Of an axis that is kept more is known: a maximum that is broadcast again cancels, and an adjoint is summed down at once.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import gast

from tangentlite import syntax
from tangentlite.analysis.cfg import Graph
from tangentlite.analysis.inference import Inference
from tangentlite.analysis.kinds import Kind, Nothing, Num, Tuple
from tangentlite.analysis.operations import Operation, Primitive
from tangentlite.analysis.shapes.broadcasting import whole
from tangentlite.analysis.shapes.ranks import REDUCTIONS
from tangentlite.ir import Function

RESHAPES = frozenset(("reshape", "reshape_method"))
AXES: dict[tuple[int | None, ...], int] = {(-1, 1): 1, (1, -1): 0}
INDICES = {1: "x[:, None]", 0: "x[None, :]"}  # by the axis that is new
KEPT = gast.keyword(arg="keepdims", value=syntax.constant(True))
Found = dict[gast.stmt, gast.expr]


def seen(function: Function, graph: Graph, inferred: Inference) -> Found:
    """What may be bound instead by statements that make columns and rows, and by reductions that make these vectors.

    >>> import numpy as np, tangentlite as tl
    >>> def loss(x):
    ...     e = np.exp(x - x.max(axis=1).reshape(-1, 1))
    ...     return np.sum(np.log(e / e.sum(axis=1)[:, None]))
    >>> df = tl.grad(loss)
    >>> _ = df(np.ones((2, 3)))
    >>> print(*df.source.splitlines()[3:5], sep="\\n")
        e = np.exp(x - x.max(axis=1, keepdims=True))
        t4 = e.sum(axis=1, keepdims=True)
    """
    contents = function.contents
    if function.generated or not (
        gast.Subscript in contents.kinds or "reshape" in contents.attributes
    ):
        return {}  # the names of a derivative may hold ZERO
    operations = inferred.operations.items()
    new = [(s, made) for s, o in operations if (made := _new(s, o, graph, inferred)) is not None]
    if not new:
        return {}
    found: Found = {}
    loaded, stored = syntax.times_loaded(function.body), syntax.times_stored(function.body)
    reductions = [r for s, o in operations if s in graph.first and (r := _reduced(s, o))]
    makers = {statement.targets[0].id: (statement, along) for statement, along in reductions}
    for statement, (vector, axis, said) in new:
        maker, along = makers.get(vector, (None, 0))
        once = loaded[vector] == stored[vector] == 1
        if maker is not None and once and along in (axis, axis - 2):
            value = maker.value
            kept = gast.Call(value.func, value.args, [*value.keywords, KEPT])
            found[maker] = syntax.at(kept, value)
            found[statement] = syntax.name(vector)
        elif not said:
            found[statement] = syntax.expression(INDICES[axis], x=syntax.name(vector))
    return found


def _reduced(statement: Any, operation: Operation | None) -> tuple[Any, int] | None:
    """A statement that reduces an array along an axis that is written down, and asks for nothing else; the axis."""
    if not isinstance(operation, Primitive) or operation.rule.name not in REDUCTIONS:
        return None
    match statement:
        case gast.Assign(targets=[gast.Name()], value=gast.Call()) if len(operation.bound) == 2:
            along = whole(operation.bound.get("axis"))
            return None if along is None else (statement, along)
    return None


def _new(
    statement: Any, operation: Operation | None, graph: Graph, inferred: Inference
) -> tuple[str, int, bool] | None:
    """The vector that is given an axis, which axis, and whether an index says so."""
    if not isinstance(operation, Primitive) or statement not in graph.first:
        return None
    match statement:
        case gast.Assign(targets=[gast.Name()], value=gast.Call(keywords=[]) as call):
            if operation.rule.name not in RESHAPES:
                return None
            kinds = inferred.before[graph.first[statement]]
            made = _reshaped(call, kinds)
        case gast.Assign(
            targets=[gast.Name()],
            value=gast.Subscript(value=gast.Name(id=vector), slice=gast.Tuple(elts=[a, b])),
        ):
            kinds = inferred.before[graph.first[statement]]
            upright, flat = _is_none(b, kinds) and _is_all(a), _is_none(a, kinds) and _is_all(b)
            made = (vector, int(upright), True) if upright or flat else None
        case _:
            return None
    return made if made is not None and _is_vector(kinds.get(made[0])) else None


def _reshaped(call: gast.Call, kinds: Mapping[str, Kind]) -> tuple[str, int, bool] | None:
    """The array of ``x.reshape(-1, 1)`` or ``np.reshape(x, shape)``, and the axis that is new."""
    match call:
        case gast.Call(func=gast.Attribute(value=gast.Name(id=owner)), args=args):
            array, shape = (owner, args) if owner in kinds else _split(args)
            axis = AXES.get(_said(shape, kinds))
            return None if axis is None else (array, axis, False)
    return None


def _is_all(part: gast.expr) -> bool:
    if isinstance(part, gast.Slice):
        return part.lower is part.upper is part.step is None
    return isinstance(part, gast.Constant) and part.value is ...


def _is_none(part: gast.expr, kinds: Mapping[str, Kind]) -> bool:
    if isinstance(part, gast.Name):
        return isinstance(kinds.get(part.id), Nothing)
    return isinstance(part, gast.Constant) and part.value is None


def _split(args: list[Any]) -> tuple[str, list[Any]]:
    """The array and the shape of ``np.reshape(x, shape)``."""
    first = args[0].id if args and isinstance(args[0], gast.Name) else ""
    return first, args[1:]


def _said(shape: list[Any], kinds: Mapping[str, Kind]) -> tuple[int | None, ...]:
    """The shape that is written down, as numbers or as a tuple of them."""
    match shape:
        case [gast.Name(id=name)]:
            kind = kinds.get(name)
            items = kind.items if isinstance(kind, Tuple) else ()
            return tuple(_integer(item) for item in items)
    return tuple(whole(part) for part in shape)


def _integer(kind: Kind) -> int | None:
    literal = kind.literal if isinstance(kind, Num) else None
    return literal if type(literal) is int else None


def _is_vector(kind: Kind | None) -> bool:
    return isinstance(kind, Num) and kind.ndim == 1 and not (kind.persistent or kind.optional)
