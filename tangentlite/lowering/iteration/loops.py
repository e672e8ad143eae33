"""Loops over data become loops over indices.

In: a ``for`` of the user over anything but ``range``.
Out: statements that make sequences, count, and loop over ``range``; still to be lowered.
Next: desugar.
"""

from __future__ import annotations

from typing import Any

import gast
import numpy as np

from tangentlite import syntax
from tangentlite.lowering import effects
from tangentlite.lowering.arrays import flat
from tangentlite.lowering.context import Context, read, remade
from tangentlite.lowering.flow import early
from tangentlite.lowering.functions import stars
from tangentlite.lowering.iteration import comprehensions, endless, few, given_back, lazy
from tangentlite.lowering.iteration.downward import downward
from tangentlite.lowering.iteration.walks import Bind, Walk, fixed, held, sequence
from tangentlite.lowering.lists.steady import steadied


def over_data(statement: gast.For, context: Context) -> list[gast.stmt] | None:
    """A loop over data becomes a loop over indices; a loop over ``range`` stays.

    >>> from tangentlite.lowering.example import lowered
    >>> print(lowered("for v in x:\\n    g(v)", "x"))
    t1 = rt.sequence(x)
    t2 = len(t1)
    for i in range(t2):
        v = t1[i]
        g(v)
    return None
    """
    data = early.checked(statement, context)
    trips = few.written_out(statement, context)
    if trips is not None:
        return trips
    if lazy.is_adapter(data, context):
        return comprehensions.unrolled(statement, context)
    return _over_indices(statement, data, context)


def _over_indices(statement: gast.For, data: gast.expr, context: Context) -> list[gast.stmt] | None:
    target, backward = statement.target, _reversible(data, context)
    inner = data if backward is None else backward
    if isinstance(target, gast.Name) and _is_range(inner, context):
        plain = inner is data or len(inner.args) < 3 or not syntax.parted(statement.body)[1]
        return None if plain else downward(statement, inner, context)
    index = None
    if _enumerates(data, target, context):
        index, target, inner = target.elts[0].id, target.elts[1], data.args[0]
    walk = _over(fixed(inner), context)
    if not walk.counts:
        return endless.loop(statement, walk, index, target, context)
    index = index or context.local("i")
    body, end = syntax.parted(statement.body)
    kept = steadied(statement, walk.before, walk.counts, context)
    body = [*walk.bind(target, index), *body, *kept, *end]
    before, count = walk.before, walk.counts[0]
    if len(walk.counts) > 1:
        count = context.temporary()
        counts = [read(c, data) for c in walk.counts]
        call = syntax.at(gast.Call(read(context.builtin("min", data), data), counts, []), data)
        before = before + context.quote("t = e", data, t=count, e=call)
    context.builtin("range", data)
    steps = "reversed(range(n))" if backward is not None else "range(n)"
    text = f"for i in {steps}:\n    body"
    return before + context.quote(text, statement, i=index, n=count, body=body)


def into_place(statement: gast.For, context: Context) -> list[gast.stmt] | None:
    """A loop that binds an attribute or an element.

    >>> from tangentlite.lowering.example import lowered
    >>> print(lowered("for x[0] in range(3):\\n    g(x)", "x"))
    for t1 in range(3):
        x[0] = t1
        g(x)
    return None
    """
    if not isinstance(statement.target, gast.Attribute | gast.Subscript):
        return None
    text = "for t in e:\n    x = t\n    body"
    holes = {"t": context.temporary(), "x": statement.target, "body": statement.body}
    return context.quote(text, statement, e=statement.iter, **holes)


def _is_range(node: gast.expr, context: Context) -> bool:
    match node:
        case gast.Call(func=gast.Name(id="range"), args=args, keywords=[]):
            starred = any(isinstance(a, gast.Starred) for a in args)
            return not starred and context.is_builtin("range")
    return False


def _argument(node: gast.expr, name: str, context: Context) -> gast.expr | None:
    """``e`` if ``node`` is ``name(e)`` and ``name`` is the builtin."""
    match node:
        case gast.Call(func=gast.Name(id=called), args=[argument], keywords=[]):
            if called == name and context.is_builtin(name):
                return None if isinstance(argument, gast.Starred) else argument
    return None


def _reversible(data: gast.expr, context: Context) -> gast.expr | None:
    """``e`` if ``data`` is ``reversed(e)``; zip and enumerate have no end to begin from."""
    inner = _argument(data, "reversed", context)
    match inner:
        case gast.Call(func=gast.Name(id="zip" | "enumerate")):
            return None
    return inner


def _enumerates(data: gast.expr, target: gast.expr, context: Context) -> bool:
    """Whether the user's own index can serve: ``for i, v in enumerate(xs)``."""
    if _argument(data, "enumerate", context) is None:
        return False
    match target:
        case gast.Tuple(elts=[gast.Name(id=name), other]):
            return name not in syntax.stores(other)
    return False


def _over(data: gast.expr, context: Context) -> Walk:
    """The walk over one iterable."""
    if isinstance(data, gast.Call):
        data = given_back.walked(stars.unstarred(data, context), context)
    if lazy.is_adapter(data, context):
        found = lazy.generator(data, context)
        if found is not None and len(found.generators) == 1 and not found.generators[0].ifs:
            return _made(found, context)
        data = lazy.listed(effects.at_once(data, context), context)
    match data:
        case gast.Call(func=gast.Name(id=name), args=[*args], keywords=[*keywords]):
            starred = any(isinstance(a, gast.Starred) for a in args)
            if not starred and context.is_builtin(name):
                if name == "zip" and args and _strict(keywords) is not None:
                    return _zipped(args, context, _strict(keywords))
                if name == "enumerate" and len(args) + len(keywords) in (1, 2) and args:
                    return _numbered(data, context)
                if name == "reversed" and _reversible(data, context) is not None:
                    return _backward(args[0], context)
        case gast.Call(func=gast.Attribute(value=owner, attr=attr), args=[], keywords=[]):
            if attr in ("items", "values", "keys") and not context.is_module(owner):
                return _dictionary(owner, attr, context)
        case gast.Call(args=[array], keywords=[]) if context.meaning(data.func) is np.ndenumerate:
            return _elements(array, context, numbered=True)
        case gast.Call(args=[*args], keywords=[]) if context.meaning(data.func) is np.broadcast:
            return _side_by_side(data, args, context)
    if flat.is_flat(data, context):
        return _elements(data.value, context)
    return endless.walk(data, context) or sequence(data, context)


def _side_by_side(data: gast.Call, args: list[gast.expr], context: Context) -> Walk:
    """``np.broadcast(a, b)``: the elements as they are when their turn comes."""
    whole = context.temporary()
    made = remade(data, func=context.numpy("broadcast_arrays", data))
    before = context.quote("t = e", data, t=whole, e=made)
    parts = [f"{whole}[{k}].flat" for k in range(len(args))]
    walk = _zipped([syntax.at(syntax.expression(p), data) for p in parts], context, False)
    return Walk([*before, *walk.before], walk.counts, walk.bind)


def _made(generator: gast.GeneratorExp, context: Context) -> Walk:
    """An element is made when its turn comes.

    >>> from tangentlite.lowering.example import lowered
    >>> print(lowered("for k, v in enumerate(g(w) for w in x):\\n    g(v)", "x"))
    t1 = rt.sequence(x)
    t2 = len(t1)
    for k in range(t2):
        w = t1[k]
        v = g(w)
        g(v)
    return None
    """
    inner = comprehensions.renamed(generator, context)
    walk = _over(inner.generators[0].iter, context)

    def bind(target: Any, index: str) -> list[gast.stmt]:
        made = context.quote("v = e", target, v=target, e=inner.elt)
        return walk.bind(inner.generators[0].target, index) + made

    return Walk(walk.before, walk.counts, bind)


def _elements(data: gast.expr, context: Context, numbered: bool = False) -> Walk:
    """The elements as they are when their turn comes, for ``np.ndenumerate`` each with its index.

    >>> from tangentlite.lowering.example import lowered
    >>> print(lowered("for v in x.flat:\\n    g(v)", "x"))
    t1 = x
    t2 = t1.size
    for i in range(t2):
        t3 = rt.flat_index(t1, i)
        v = t1[t3]
        g(v)
    return None
    """
    before, array = held([], data, context)
    count = context.temporary()
    before = before + context.quote("n = a.size", data, n=count, a=array)

    def place(target: Any, index: str) -> list[gast.stmt]:
        text = "v = rt.flat_index(a, i)"
        return context.quote(text, target, v=target, a=array, i=index, rt=context.rt())

    def element(target: Any, index: str) -> list[gast.stmt]:
        return context.quote("v = a.flat[i]", target, v=target, a=array, i=index)

    def both(target: Any, index: str) -> list[gast.stmt]:
        return _bind_parts(target, [place, element], index, context)

    return Walk(before, [count], both if numbered else element)


def _backward(data: gast.expr, context: Context) -> Walk:
    """``reversed(xs)`` inside ``zip`` or ``enumerate``: ``rt.sequence(xs)[::-1]``."""
    text = "rt.sequence(xs)[::-1]"
    statement = context.quote(text, data, rt=context.rt(), xs=data)[0]
    return sequence(statement.value, context)


def _strict(keywords: list[gast.keyword]) -> bool | None:
    """Whether ``zip`` is asked for iterables of one length; None if that is not written down."""
    match keywords:
        case []:
            return False
        case [gast.keyword(arg="strict", value=gast.Constant(value=value))]:
            return bool(value)
    return None


def _zipped(args: list[gast.expr], context: Context, strict: bool | None) -> Walk:
    """Side by side, as far as the shortest.

    >>> from tangentlite.lowering.example import lowered
    >>> print(lowered("for v, w in zip(x, y):\\n    g(v, w)", "x", "y"))
    t1 = rt.sequence(x)
    t2 = len(t1)
    t3 = rt.sequence(y)
    t4 = len(t3)
    t5 = min(t2, t4)
    for i in range(t5):
        v = t1[i]
        w = t3[i]
        g(v, w)
    return None
    """
    walks = [_over(arg, context) for arg in args]

    def bind(target: Any, index: str) -> list[gast.stmt]:
        return _bind_parts(target, [walk.bind for walk in walks], index, context)

    before = [statement for walk in walks for statement in walk.before]
    counts = [count for walk in walks for count in walk.counts]
    if strict and len(counts) > 1:
        given = syntax.at(gast.Tuple([read(c, args[0]) for c in counts], gast.Load()), args[0])
        before += context.quote("rt.level(n)", args[0], rt=context.rt(), n=given)
    elif not strict:
        before += effects.asked(args, [walk.counts for walk in walks], context)
    return Walk(before, counts, bind)


def _numbered(data: gast.Call, context: Context) -> Walk:
    """The index, from ``start`` on, beside the walk.

    >>> from tangentlite.lowering.example import lowered
    >>> print(lowered("for i, v in enumerate(x, 1):\\n    g(i, v)", "x"))
    t1 = rt.sequence(x)
    t2 = len(t1)
    for i_1 in range(t2):
        i = 1 + i_1
        v = t1[i_1]
        g(i, v)
    return None
    """
    walk = _over(data.args[0], context)
    before: list[gast.stmt] = walk.before
    start: Any = None
    for start in [*data.args[1:], *(k.value for k in data.keywords)]:
        if not isinstance(start, gast.Constant):
            before, start = held(before, start, context)

    def number(target: Any, index: str) -> list[gast.stmt]:
        text = "v = i" if start is None else "v = s + i"
        return context.quote(text, target, v=target, i=index, s=start or index)

    def bind(target: Any, index: str) -> list[gast.stmt]:
        return _bind_parts(target, [number, walk.bind], index, context)

    return Walk(before, walk.counts, bind)


def _dictionary(owner: gast.expr, attr: str, context: Context) -> Walk:
    """The keys in order, and what the dict holds under each.

    >>> from tangentlite.lowering.example import lowered
    >>> print(lowered("for k, v in x.items():\\n    g(k, v)", "x"))
    t1 = x
    t2 = t1.keys()
    t3 = rt.sequence(t2)
    t4 = len(t3)
    for i in range(t4):
        t5 = t3[i]
        k = t5
        v = t1[t5]
        g(k, v)
    return None
    """
    before, table = held([], owner, context)
    keys = context.quote("d.keys()", owner, d=table)[0].value
    walk = sequence(keys, context)
    before = before + walk.before

    def bind(target: Any, index: str) -> list[gast.stmt]:
        key = read(context.temporary(), owner)
        found = walk.bind(key, index)
        value = context.quote("d[k]", owner, d=table, k=key)[0].value
        if attr == "values":
            return found + context.quote("v = e", target, v=target, e=value)
        if attr == "keys":
            return walk.bind(target, index)
        pair = syntax.at(gast.Tuple([key, value], gast.Load()), owner)
        return found + context.quote("v = e", target, v=target, e=pair)

    return Walk(before, walk.counts, bind)


def _bind_parts(target: Any, parts: list[Bind], index: str, context: Context) -> list[gast.stmt]:
    """Bind a tuple of targets part by part; any other target to a tuple of the parts."""
    elements = target.elts if isinstance(target, gast.Tuple) else []
    plain = not any(isinstance(e, gast.Starred) for e in elements)
    if plain and len(elements) == len(parts):
        pairs = zip(elements, parts, strict=True)
        return [statement for element, bind in pairs for statement in bind(element, index)]
    names = [read(context.temporary(), target) for _ in parts]
    bound = zip(names, parts, strict=True)
    statements = [statement for name, bind in bound for statement in bind(name, index)]
    value = syntax.at(gast.Tuple(names, gast.Load()), target)
    return statements + context.quote("v = e", target, v=target, e=value)
