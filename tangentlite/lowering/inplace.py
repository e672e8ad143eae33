"""Calls that write into arrays, said by stores: ``out=``, ``fill``, ``copyto``, ``sort`` …

In: a call of the user.
Out: statements, still to be lowered; None if the call writes into nothing that is known.
Next: desugar, anf.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import gast
import numpy as np

from tangentlite import syntax
from tangentlite.lowering.context import Context, read, remade

CYCLED = "rt.cycled(v, a[i])"
Lower = Callable[[gast.Call, Context], list[gast.stmt] | None]


def effect(call: gast.Call, context: Context) -> list[gast.stmt] | None:
    """A call that stands alone, as a store.

    >>> from tangentlite.lowering.example import lowered
    >>> print(lowered("x.fill(2)\\nreturn x", "x"))
    x[...] = 2
    return x
    """
    if isinstance(call.func, gast.Attribute) and not context.is_module(call.func.value):
        lower = METHODS.get(call.func.attr)
        if lower is not None and not isinstance(context.meaning(call.func), type):
            return lower(call, context)
    meaning = context.meaning(call.func)
    for function, lower in FUNCTIONS:
        if meaning is function:
            return lower(call, context)
    return None


def fill(call: gast.Call, context: Context) -> list[gast.stmt] | None:
    """``a.fill(v)``."""
    if len(call.args) != 1 or call.keywords or isinstance(call.args[0], gast.Starred):
        return None
    return context.quote("a[...] = v", call, a=call.func.value, v=call.args[0])


def sort(call: gast.Call, context: Context) -> list[gast.stmt] | None:
    """``a.sort()`` of an array or a list.

    >>> from tangentlite.lowering.example import lowered
    >>> print(lowered("x.sort(axis=0)\\nreturn x", "x"))
    t1 = rt.in_order(x, axis=0)
    x[:] = t1
    return x
    """
    before, owner = context.named(call.func.value)
    made = context.quote("rt.in_order(a)", call, rt=context.rt(), a=owner)[0].value
    made = remade(made, args=[owner, *call.args], keywords=call.keywords)
    return before + context.quote("a[:] = e", call, a=owner, e=made)


def copyto(call: gast.Call, context: Context) -> list[gast.stmt] | None:
    """``np.copyto(a, v, where=m)``."""
    found = _arguments(call, ("dst", "src", "casting", "where"))
    if found is None or "casting" in found:
        return None
    before, array = context.named(found["dst"])
    return before + _masked(array, found["src"], found.get("where"), call, context)


def putmask(call: gast.Call, context: Context) -> list[gast.stmt] | None:
    """``np.putmask(a, m, v)``: where v is smaller than a it begins again.

    >>> from tangentlite.lowering.example import lowered
    >>> print(lowered("np.putmask(x, x < 0, y)\\nreturn x", "x", "y"))
    t2 = x < 0
    t1 = rt.mask_of(t2, x)
    t3 = rt.cycled(y, x)
    t4 = t3[t1]
    x[t1] = t4
    return x
    """
    found = _arguments(call, ("a", "mask", "values"))
    if found is None:
        return None
    return _marked(found["a"], found["mask"], found["values"], "rt.cycled(v, a)[i]", call, context)


def place(call: gast.Call, context: Context) -> list[gast.stmt] | None:
    """``np.place(a, m, v)``: the elements of v one after the other, and again from the first."""
    found = _arguments(call, ("arr", "mask", "vals"))
    if found is None:
        return None
    return _marked(found["arr"], found["mask"], found["vals"], CYCLED, call, context)


def _marked(
    array: gast.expr,
    mask: gast.expr,
    value: gast.expr,
    text: str,
    call: gast.Call,
    context: Context,
) -> list[gast.stmt]:
    before, array = context.named(array)
    made = context.quote("rt.mask_of(m, a)", call, rt=context.rt(), m=mask, a=array)[0].value
    return before + _cycled(array, made, value, text, call, context)


def _cycled(
    array: gast.expr,
    index: gast.expr,
    value: gast.expr,
    text: str,
    call: gast.Call,
    context: Context,
) -> list[gast.stmt]:
    """A store of values that repeat as often as they must; a literal is spread by the store itself."""
    if syntax.is_atom(value) and not isinstance(value, gast.Name):
        return context.quote("a[i] = v", call, a=array, i=index, v=value)
    before, index = context.named(index)
    repeated = context.quote(text, call, rt=context.rt(), v=value, a=array, i=index)[0].value
    return before + context.quote("a[i] = v", call, a=array, i=index, v=repeated)


def put_along_axis(call: gast.Call, context: Context) -> list[gast.stmt] | None:
    """``np.put_along_axis(a, i, v, axis)``."""
    found = _arguments(call, ("arr", "indices", "values", "axis"))
    if found is None or len(found) != 4:
        return None
    before, array = context.named(found["arr"])
    text = "a[rt.along(a, i, axis)] = v"
    holes = {"i": found["indices"], "v": found["values"], "axis": found["axis"]}
    return before + context.quote(text, call, a=array, rt=context.rt(), **holes)


def fill_diagonal(call: gast.Call, context: Context) -> list[gast.stmt] | None:
    """``np.fill_diagonal(a, v)``.

    >>> from tangentlite.lowering.example import lowered
    >>> print(lowered("np.fill_diagonal(x, 2)\\nreturn x", "x"))
    t1 = rt.main_diagonal(x)
    x[t1] = 2
    return x
    """
    found = _arguments(call, ("a", "val", "wrap"))
    if found is None or "wrap" in found:
        return None
    before, array = context.named(found["a"])
    index = context.quote("rt.main_diagonal(a)", call, a=array, rt=context.rt())[0].value
    return before + _cycled(array, index, found["val"], CYCLED, call, context)


def put(call: gast.Call, context: Context) -> list[gast.stmt] | None:
    """``np.put(a, i, v)``: places in the flattened array."""
    found = _arguments(call, ("a", "ind", "v"))
    if found is None:
        return None
    before, array = context.named(found["a"])
    text = "rt.flat_index(a, i)"
    index = context.quote(text, call, a=array, rt=context.rt(), i=found["ind"])[0].value
    return before + _cycled(array, index, found["v"], CYCLED, call, context)


def deleted(targets: list[gast.expr], context: Context) -> list[gast.stmt]:
    """``del``: an element leaves its list or dict, a name vanishes.

    >>> from tangentlite.lowering.example import lowered
    >>> print(lowered("del x[0], x[1:3]\\nreturn x", "x"))
    x.__delitem__(0)
    t1 = slice(1, 3, None)
    x.__delitem__(t1)
    return x
    """
    statements: list[gast.stmt] = []
    for target in targets:
        if isinstance(target, (gast.Tuple, gast.List)):
            statements += deleted(target.elts, context)
        elif isinstance(target, gast.Subscript):
            index = _as_value(target.slice, context)
            text = "xs.__delitem__(i)"
            statements += context.quote(text, target, xs=target.value, i=index)
    return statements


def flat(array: gast.expr, target: gast.Subscript, context: Context) -> gast.Subscript:
    """The target ``a.flat[i]``.

    >>> from tangentlite.lowering.example import lowered
    >>> print(lowered("x.flat[::2] = 1\\nreturn x", "x"))
    t1 = slice(None, None, 2)
    t2 = rt.flat_index(x, t1)
    x[t2] = 1
    return x
    """
    before, array = context.named(array)
    context.run(before)
    text = "a[rt.flat_index(a, i)]"
    index = _as_value(target.slice, context)
    statement = context.quote(text, target, a=array, rt=context.rt(), i=index)[0]
    return remade(statement.value, ctx=gast.Store())


def flattened(node: gast.Attribute, context: Context) -> gast.expr:
    """``a.flat`` where it is read."""
    ravel = _numpy("ravel", node, context)
    return syntax.at(gast.Call(ravel, [node.value], []), node)


def _as_value(index: gast.expr, context: Context) -> gast.expr:
    if not isinstance(index, gast.Slice):
        return index
    parts = (index.lower, index.upper, index.step)
    bounds = [b or syntax.at(syntax.constant(None), index) for b in parts]
    make = read(context.builtin("slice", index), index)
    return syntax.at(gast.Call(make, bounds, []), index)


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
        return None
    if isinstance(out, gast.Constant) and out.value is None:
        return [], call
    mask = next((k.value for k in call.keywords if k.arg == "where"), None)
    before, array = context.named(out)
    if mask is None or not isinstance(context.meaning(call.func), np.ufunc):
        return before + context.quote("a[...] = e", node, a=array, e=call), array
    more, mask = context.named(mask)
    call = remade(call, keywords=[k for k in call.keywords if k.arg != "where"])
    where = _numpy("where", node, context)
    harmless = [
        syntax.at(gast.Call(where, [mask, a, syntax.at(syntax.constant(0.5), a)], []), a)
        for a in call.args
    ]
    value = remade(call, args=harmless)
    return before + more + _masked(array, value, mask, node, context), array


def _split(node: gast.Call, context: Context) -> tuple[gast.Call, gast.expr | None]:
    """A call of NumPy without its ``out``, and that."""
    meaning = context.meaning(node.func)
    if meaning is not None and not _of_numpy(meaning):
        return node, None
    if meaning is None and not isinstance(node.func, gast.Attribute):
        return node, None
    out = next((k.value for k in node.keywords if k.arg == "out"), None)
    if out is not None:
        node = remade(node, keywords=[k for k in node.keywords if k.arg != "out"])
    elif len(node.args) == _with_out(meaning):
        out, node = node.args[-1], remade(node, args=node.args[:-1])
    if isinstance(out, gast.Tuple) and len(out.elts) == 1:
        out = out.elts[0]
    return node, out


def _with_out(meaning: Any) -> int:
    """How many arguments a function of NumPy has if the last one is ``out``."""
    if isinstance(meaning, np.ufunc) and meaning.nin + 1 == meaning.nargs:
        return meaning.nargs
    return 3 if meaning is np.dot else -1


def _of_numpy(meaning: Any) -> bool:
    module = getattr(meaning, "__module__", None) or type(meaning).__module__
    return str(module).partition(".")[0] == "numpy"


def _masked(
    array: gast.expr, value: gast.expr, mask: gast.expr | None, call: gast.Call, context: Context
) -> list[gast.stmt]:
    if mask is None:
        return context.quote("a[...] = v", call, a=array, v=value)
    where = _numpy("where", call, context)
    return context.quote("a[...] = where(m, v, a)", call, a=array, where=where, m=mask, v=value)


def _arguments(call: gast.Call, names: tuple[str, ...]) -> dict[str, gast.expr] | None:
    """Arguments by parameter; None if the call is spelled otherwise."""
    if len(call.args) > len(names) or any(isinstance(a, gast.Starred) for a in call.args):
        return None
    found = dict(zip(names, call.args))
    for keyword in call.keywords:
        if keyword.arg not in names:
            return None
        found[keyword.arg] = keyword.value
    return found if all(n in found for n in names[:2]) else None


def _numpy(name: str, place: gast.expr, context: Context) -> gast.expr:
    """``np.name``, by whatever name the text may call NumPy."""
    np_ = read(context.module("np", np), place)
    return syntax.at(gast.Attribute(np_, name, gast.Load()), place)


METHODS: dict[str, Lower] = {"fill": fill, "sort": sort}
FUNCTIONS: tuple[tuple[Any, Lower], ...] = (
    (np.copyto, copyto),
    (np.putmask, putmask),
    (np.place, place),
    (np.put, put),
    (np.put_along_axis, put_along_axis),
    (np.fill_diagonal, fill_diagonal),
)

__all__ = ["effect", "given_out"]
