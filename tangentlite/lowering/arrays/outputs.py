"""``f(x, out=a)``, said by a store.

In: a call of NumPy.
Out: the store, still to be lowered, and the name that holds the result.
Next: inplace, anf.
"""

from __future__ import annotations

import inspect
from collections.abc import Hashable
from functools import lru_cache
from typing import Any

import gast
import numpy as np

from tangentlite import syntax
from tangentlite.frontend import writing
from tangentlite.lowering.context import Context, remade


def given_out(node: gast.Call, context: Context) -> tuple[list[gast.stmt], gast.expr] | None:
    """``f(x, out=a)`` as ``a[...] = f(x)``; its value is ``a``.

    >>> from tangentlite.lowering.example import lowered
    >>> print(lowered("return np.sin(x, out=x)", "x"))
    t1 = np.sin(x)
    x[...] = t1
    y = x
    return y
    """
    call, out = _split(node, context)
    if out is None:
        return filled(node, context) if context.meaning(node.func) is np.nan_to_num else None
    if isinstance(out, gast.Constant) and out.value is None:
        return [], call
    if isinstance(out, gast.Tuple):
        return several(call, out, context)
    mask = next((k.value for k in call.keywords if k.arg == "where"), None)
    joins = context.meaning(call.func) in (np.concatenate, np.stack)
    if mask is None and _is_slice(out) and not joins:
        return context.quote("a = e", node, a=out, e=call), out
    before, array = context.named(out)
    if joins and call.args:
        more, parts = context.named(call.args[0])
        call = remade(call, args=[parts, *call.args[1:]])
        text = "rt.disjoint(a, xs)"
        before += more + context.quote(text, node, rt=context.rt(), xs=parts, a=array)
    if mask is None or not isinstance(context.meaning(call.func), np.ufunc):
        return before + context.quote("a[...] = e", node, a=array, e=call), array
    more, mask = context.named(mask)
    call = remade(call, keywords=[k for k in call.keywords if k.arg != "where"])
    where = context.numpy("where", node)
    harmless = [
        syntax.at(gast.Call(where, [mask, a, syntax.at(syntax.constant(0.5), a)], []), a)
        for a in call.args
    ]
    value = remade(call, args=harmless)
    return before + more + masked(array, value, mask, node, context), array


def several(
    call: gast.Call, out: gast.Tuple, context: Context
) -> tuple[list[gast.stmt], gast.expr]:
    """``np.modf(x, out=(a, b))``: a store for each result; the value is what was written.

    >>> from tangentlite.lowering.example import lowered
    >>> print(lowered("np.modf(x, out=(y, None))\\nreturn y", "x", "y"))
    t1 = np.modf(x)
    t2 = t1[0]
    y[...] = t2
    t3 = t1[1]
    t4 = (y, t3)
    return y
    """
    made = context.temporary()
    held = [context.named(array) for array in out.elts]
    before = [s for more, _ in held for s in more] + context.quote("t = e", call, t=made, e=call)
    arrays: list[gast.expr] = []
    for place, (_, array) in enumerate(held):
        holes: dict[str, Any] = {"t": made, "k": syntax.constant(place)}
        taken = context.quote("t[k]", call, **holes)[0].value
        nothing = isinstance(array, gast.Constant)
        before += [] if nothing else context.quote("a[...] = e", call, a=array, e=taken)
        arrays.append(taken if nothing else array)
    return before, syntax.at(gast.Tuple(arrays, gast.Load()), call)


def filled(call: gast.Call, context: Context) -> tuple[list[gast.stmt], gast.expr] | None:
    """``np.nan_to_num(a, copy=False)``; its value is ``a``.

    >>> from tangentlite.lowering.example import lowered
    >>> print(lowered("return np.nan_to_num(x, copy=False, nan=2)", "x"))
    t1 = np.nan_to_num(x, nan=2)
    x[...] = t1
    y = x
    return y
    """
    copies = [k.value for k in call.keywords if k.arg == "copy"] or call.args[1:2]
    match call.args, copies:
        case [array, *_], [gast.Constant(value=False)] if not isinstance(array, gast.Starred):
            before, array = context.named(array)
            fills = [
                gast.keyword(*pair) for pair in zip(("nan", "posinf", "neginf"), call.args[2:])
            ]
            others = [k for k in call.keywords if k.arg != "copy"]
            made = remade(call, args=[array], keywords=[*fills, *others])
            return before + context.quote("a[...] = e", call, a=array, e=made), array
    return None


def has_out(node: gast.Call, context: Context) -> bool:
    """Whether a call of NumPy writes into ``out``."""
    meaning = context.meaning(node.func)
    if isinstance(getattr(meaning, "__self__", None), np.ufunc) and len(node.args) > 3:
        return True  # np.add.accumulate(a, axis, dtype, out)
    if isinstance(meaning, np.ufunc) and len(node.args) > meaning.nin:
        return True  # np.modf(x, a, b)
    return _split(node, context)[1] is not None


def _is_slice(out: gast.expr) -> bool:
    """Whether ``out=`` is part of an array that has a name, by numbers and slices: it is stored there at once."""
    if not isinstance(out, gast.Subscript) or not isinstance(out.value, gast.Name):
        return False
    parts = out.slice.elts if isinstance(out.slice, gast.Tuple) else [out.slice]
    sliced = any(isinstance(part, gast.Slice) for part in parts)
    return sliced and all(isinstance(part, gast.Slice) or _is_number(part) for part in parts)


def _is_number(node: gast.expr) -> bool:
    match node:
        case gast.UnaryOp(op=gast.USub(), operand=inner):
            return _is_number(inner)
        case gast.Constant(value=value):
            return type(value) is int or value is ...
    return False


def _split(node: gast.Call, context: Context) -> tuple[gast.Call, gast.expr | None]:
    """A call of NumPy without its ``out``, and that."""
    meaning = context.meaning(node.func)
    if meaning is not None and not of_numpy(meaning):
        return node, None
    if meaning is None and (not _of_method(node.func) or context.is_method(node.func)):
        return node, None
    out = next((k.value for k in node.keywords if k.arg == "out"), None)
    if out is not None:
        node = remade(node, keywords=[k for k in node.keywords if k.arg != "out"])
    elif (names := _positions(meaning) or _of_method(node.func)) and len(node.args) == len(names):
        out, args = node.args[-1], node.args[:-1]
        if names[-2] == "dtype" and isinstance(args[-1], gast.Constant) and args[-1].value is None:
            args = args[:-1]
        node = remade(node, args=args)
    elif isinstance(meaning, np.ufunc) and len(node.args) == meaning.nargs > meaning.nin + 1:
        out = syntax.at(gast.Tuple(node.args[meaning.nin :], gast.Load()), node)
        node = remade(node, args=node.args[: meaning.nin])
    if isinstance(out, gast.Tuple) and len(out.elts) == 1:
        out = out.elts[0]
    return node, out


def _of_method(func: gast.expr) -> list[str]:
    return of_method(func.attr) if isinstance(func, gast.Attribute) else []


def of_method(name: str) -> list[str]:
    """The parameters of a method of arrays up to ``out``, if it has that.

    >>> of_method("dot")[1:], of_method("sort"), of_method("advance")
    (['out'], [], [])
    """
    return _positions(getattr(np.ndarray, name, None))[1:]


def _positions(meaning: Any) -> list[str]:
    """The parameters of a function of NumPy up to ``out``, if that may be given by position."""
    return _positional(meaning) if isinstance(meaning, Hashable) else []


@lru_cache(maxsize=512)
def _positional(meaning: Any) -> list[str]:
    if isinstance(meaning, np.ufunc):
        single = meaning.nin + 1 == meaning.nargs
        return [*"x" * meaning.nin, "out"] if single else []
    try:
        parameters = inspect.signature(meaning).parameters.values()
    except (TypeError, ValueError):
        return UNTOLD.get(getattr(meaning, "__name__", ""), "").split()
    names = [p.name for p in parameters if p.kind in POSITIONAL]
    return names[: names.index("out") + 1] if "out" in names[1:] else []


def reduced(node: gast.Call, context: Context) -> gast.Call:
    """``np.add.reduce(a)`` is ``np.sum(a, axis=0)``.

    >>> from tangentlite.lowering.example import lowered
    >>> print(lowered("return np.multiply.accumulate(x)", "x"))
    y = np.cumprod(x, axis=0)
    return y
    """
    if not isinstance(node.func, gast.Attribute) or node.func.attr not in ("reduce", "accumulate"):
        return node
    meaning = context.meaning(node.func)
    name = next((n for f, n in REDUCTIONS if f == meaning), None)
    if name is None or any(isinstance(a, gast.Starred) for a in node.args):
        return node
    keywords, args = node.keywords, node.args
    if name in ("max", "min") and len(args) > 2:  # these take no dtype
        if not (isinstance(args[2], gast.Constant) and args[2].value is None):
            return node
        args = [*args[:2], *args[3:]]
    if len(args) == 1 and all(k.arg != "axis" for k in keywords):
        zero = syntax.at(syntax.constant(0), node)
        keywords = [syntax.at(gast.keyword("axis", zero), node), *keywords]
    return remade(node, func=context.numpy(name, node.func), args=args, keywords=keywords)


UNTOLD = {  # what older versions of NumPy do not say of their methods
    **dict.fromkeys(("all", "any", "argmax", "argmin", "max", "min"), "a axis out"),
    **dict.fromkeys(("cumprod", "cumsum", "mean", "prod", "std", "sum", "var"), "a axis dtype out"),
    "choose": "a choices out",
    "clip": "a min max out",
    "compress": "a condition axis out",
    "dot": "a b out",
    "round": "a decimals out",
    "take": "a indices axis out",
    "trace": "a offset axis1 axis2 dtype out",
}
POSITIONAL = (inspect.Parameter.POSITIONAL_ONLY, inspect.Parameter.POSITIONAL_OR_KEYWORD)
REDUCTIONS = (
    (np.add.reduce, "sum"),
    (np.multiply.reduce, "prod"),
    (np.maximum.reduce, "max"),
    (np.minimum.reduce, "min"),
    (np.add.accumulate, "cumsum"),
    (np.multiply.accumulate, "cumprod"),
)


def masked(
    array: gast.expr, value: gast.expr, mask: gast.expr | None, call: gast.Call, context: Context
) -> list[gast.stmt]:
    """A store of what a mask lets through."""
    if mask is None:
        return context.quote("a[...] = v", call, a=array, v=value)
    where = context.numpy("where", call)
    return context.quote("a[...] = where(m, v, a)", call, a=array, where=where, m=mask, v=value)


def of_numpy(meaning: Any) -> bool:
    """Whether a function is one of NumPy."""
    return writing.root(meaning) == "numpy"
