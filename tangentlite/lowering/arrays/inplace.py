"""Calls that write into arrays, said by stores: ``fill``, ``copyto``, ``sort``, ``put`` …

In: a call of the user.
Out: statements, still to be lowered; None if the call writes into nothing that is known.
Next: desugar, anf.
"""

from __future__ import annotations

import random
from collections.abc import Callable
from typing import Any

import gast
import numpy as np

from tangentlite import syntax
from tangentlite.frontend.check import shuffles
from tangentlite.lowering.arrays.outputs import masked
from tangentlite.lowering.arrays.scattered import scattered
from tangentlite.lowering.context import Context, read, remade

CYCLED = "rt.cycled(v, a[i])"
ONE_BY_ONE = "np.ravel(v)[rt.turns(v, a, i)]"
WHOLE = "np.ravel(v)[rt.turns(v, a, i, whole=True)]"
PLACED = "np.ravel(v)[rt.turns(v, a, i, True)]"
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
        if lower is not None and not context.is_method(call.func):
            return lower(call, context)
    meaning = context.meaning(call.func)
    for function, lower in FUNCTIONS:
        if meaning is function:
            return lower(call, context)
    drawn = meaning is random.shuffle or shuffles(meaning)
    return shuffle(call, context) if drawn else scattered(call, context)


def move_to_end(call: gast.Call, context: Context) -> list[gast.stmt] | None:
    """``d.move_to_end(k)`` takes out what comes last then.

    >>> from tangentlite.lowering.example import lowered
    >>> print(lowered("x.move_to_end('a')\\nreturn x", "x"))
    t1 = x.pop('a')
    x['a'] = t1
    return x
    """
    if len(call.args) != 1 or call.keywords or isinstance(call.args[0], gast.Starred):
        return None
    before, key = context.named(call.args[0])
    more, table = context.named(call.func.value)
    text = "v = d.pop(k)\nd[k] = v"
    holes = {"d": table, "k": key, "v": context.temporary()}
    return before + more + context.quote(text, call, **holes)


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
    if any(isinstance(k.value, gast.Lambda) for k in call.keywords):
        make = read(context.builtin("sorted", call), call)
        ordered = remade(call, func=make, args=[owner, *call.args])
        return before + context.quote("a[:] = e", call, a=owner, e=ordered)
    made = context.quote("rt.in_order(a)", call, rt=context.rt(), a=owner)[0].value
    made = remade(made, args=[owner, *call.args], keywords=call.keywords)
    return before + context.quote("a[:] = e", call, a=owner, e=made)


def extend(call: gast.Call, context: Context) -> list[gast.stmt] | None:
    """``xs.extend(…)`` of a generator that reads xs takes in one element after the other.

    >>> from tangentlite.lowering.example import lowered
    >>> print(lowered("x.extend(len(x) for _ in range(2))\\nreturn x", "x"))
    for _ in range(2):
        item = len(x)
        x.append(item)
    return x
    """
    match call:
        case gast.Call(
            func=gast.Attribute(value=gast.Name(id=name)), args=[gast.GeneratorExp() as made]
        ) if name in syntax.loads([made.elt, *made.generators[0].ifs, *made.generators[1:]]):
            text = "for item in made:\n    xs.append(item)"
            holes = {"item": context.local("item"), "made": made, "xs": call.func.value}
            return context.quote(text, call, **holes)
    return None


def copyto(call: gast.Call, context: Context) -> list[gast.stmt] | None:
    """``np.copyto(a, v, where=m)``."""
    found = _arguments(call, ("dst", "src", "casting", "where"))
    if found is None or not _is_one_of(found.get("casting"), "same_kind", "unsafe"):
        return None
    before, array = context.named(found["dst"])
    return before + masked(array, found["src"], found.get("where"), call, context)


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
    found = _arguments(call, ("a", "mask", "values"), 3)
    if found is None:
        return None
    return _marked(found["a"], found["mask"], found["values"], "rt.cycled(v, a)[i]", call, context)


def place(call: gast.Call, context: Context) -> list[gast.stmt] | None:
    """``np.place(a, m, v)``: the elements of v one after the other, and again from the first."""
    found = _arguments(call, ("arr", "mask", "vals"), 3)
    if found is None:
        return None
    return _marked(found["arr"], found["mask"], found["vals"], PLACED, call, context)


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
    return before + repeated(array, made, value, text, call, context)


def repeated(
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
    more, value = context.named(value)
    before, index = context.named(index)
    names = {"rt": context.rt(), "np": context.module("np", np)}
    repeated = context.quote(text, call, v=value, a=array, i=index, **names)[0].value
    return more + before + context.quote("a[i] = v", call, a=array, i=index, v=repeated)


def put_along_axis(call: gast.Call, context: Context) -> list[gast.stmt] | None:
    """``np.put_along_axis(a, i, v, axis)``."""
    found = _arguments(call, ("arr", "indices", "values", "axis"), 3)
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
    if found is None or not _is_one_of(found.get("wrap"), True, False):
        return None
    before, array = context.named(found["a"])
    text = "rt.main_diagonal(a, wrap)" if "wrap" in found else "rt.main_diagonal(a)"
    holes = {"a": array, "rt": context.rt(), "wrap": found.get("wrap", array)}
    index = context.quote(text, call, **holes)[0].value
    return before + repeated(array, index, found["val"], ONE_BY_ONE, call, context)


def put_method(call: gast.Call, context: Context) -> list[gast.stmt] | None:
    """``a.put(i, v)``."""
    return put(remade(call, args=[call.func.value, *call.args]), context)


def set_item(call: gast.Call, context: Context) -> list[gast.stmt] | None:
    """``a.__setitem__(i, v)``."""
    if len(call.args) != 2 or any(isinstance(a, gast.Starred) for a in call.args):
        return None
    return context.quote("a[i] = v", call, a=call.func.value, i=call.args[0], v=call.args[1])


def partition(call: gast.Call, context: Context) -> list[gast.stmt] | None:
    """``a.partition(k)``."""
    before, array = context.named(call.func.value)
    made = remade(call, func=context.numpy("partition", call), args=[array, *call.args])
    return before + context.quote("a[...] = e", call, a=array, e=made)


def shuffle(call: gast.Call, context: Context) -> list[gast.stmt] | None:
    """``rng.shuffle(a)``: the order is drawn, and kept.

    >>> from tangentlite.lowering.example import lowered
    >>> print(lowered("np.random.shuffle(x)\\nreturn x", "x"))
    t2 = np.random.shuffle
    t1 = rt.shuffled(t2, x, 0)
    t3 = np.take(x, t1, 0)
    x[...] = t3
    return x
    """
    found = _arguments(call, ("x", "axis"), 1)
    if found is None:
        return None
    axis = found.get("axis", syntax.at(syntax.constant(0), call))
    before, array = context.named(found["x"])
    if context.meaning(call.func) is random.shuffle and len(found) == 1:
        text = "order = rt.shuffled(shuffle, a, 0)\na[:] = [a[k] for k in order]"
        names = {"order": context.local("order"), "k": context.local("place")}
        return before + context.quote(
            text, call, a=array, shuffle=call.func, rt=context.rt(), **names
        )
    holes = {"a": array, "order": context.temporary(), "axis": axis, "rt": context.rt()}
    text = "order = rt.shuffled(shuffle, a, axis)\na[...] = take(a, order, axis)"
    take = context.numpy("take", call)
    return before + context.quote(text, call, shuffle=call.func, take=take, **holes)


def put(call: gast.Call, context: Context) -> list[gast.stmt] | None:
    """``np.put(a, i, v)``: places in the flattened array."""
    found = _arguments(call, ("a", "ind", "v"), 3)
    if found is None:
        return None
    before, array = context.named(found["a"])
    text = "rt.put_index(a, i)"
    index = context.quote(text, call, a=array, rt=context.rt(), i=found["ind"])[0].value
    return before + repeated(array, index, found["v"], CYCLED, call, context)


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
            index = as_value(target.slice, context)
            text = "xs.__delitem__(i)"
            statements += context.quote(text, target, xs=target.value, i=index)
    return statements


def as_value(index: gast.expr, context: Context) -> gast.expr:
    if not isinstance(index, gast.Slice):
        return index
    parts = (index.lower, index.upper, index.step)
    bounds = [b or syntax.at(syntax.constant(None), index) for b in parts]
    make = read(context.builtin("slice", index), index)
    return syntax.at(gast.Call(make, bounds, []), index)


def _arguments(
    call: gast.Call, names: tuple[str, ...], needed: int = 2
) -> dict[str, gast.expr] | None:
    """Arguments by parameter; None if the call is spelled otherwise."""
    if len(call.args) > len(names) or any(isinstance(a, gast.Starred) for a in call.args):
        return None
    found = dict(zip(names, call.args))
    for keyword in call.keywords:
        if keyword.arg not in names:
            return None
        found[keyword.arg] = keyword.value
    return found if all(n in found for n in names[:needed]) else None


def _is_one_of(option: gast.expr | None, *values: Any) -> bool:
    """Whether an option is left out, or a constant that is among the values."""
    return option is None or (isinstance(option, gast.Constant) and option.value in values)


METHODS: dict[str, Lower] = {
    "fill": fill,
    "sort": sort,
    "extend": extend,
    "put": put_method,
    "partition": partition,
    "__setitem__": set_item,
    "shuffle": shuffle,
    "move_to_end": move_to_end,
}
FUNCTIONS: tuple[tuple[Any, Lower], ...] = (
    (np.copyto, copyto),
    (np.putmask, putmask),
    (np.place, place),
    (np.put, put),
    (np.put_along_axis, put_along_axis),
    (np.fill_diagonal, fill_diagonal),
)

__all__ = ["effect"]
