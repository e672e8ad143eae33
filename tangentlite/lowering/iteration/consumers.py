"""Builtins that take a whole iterable, as loops: ``sorted``, ``min`` and ``max`` with a key, ``reduce``, ``next``.

In: a call of the user.
Out: statements, still to be lowered, that bind its value to a name.
Next: comprehensions, values.
"""

from __future__ import annotations

import functools
import itertools
import math
from collections.abc import Callable
from typing import Any

import gast
import numpy as np

from tangentlite import standins, syntax
from tangentlite.frontend.consumers import consumes
from tangentlite.lowering import effects, spellings
from tangentlite.lowering.context import Context, read, remade
from tangentlite.lowering.functions import lengths, stars
from tangentlite.lowering.iteration import comprehensions, iterators, lazy

Into = Callable[[str, gast.Call, Context], list[gast.stmt]]


def simplified(node: gast.Call, context: Context) -> gast.expr:
    """A call that takes lists where it was given what Python makes lazily.

    >>> from tangentlite.lowering.example import lowered
    >>> print(lowered("return tuple(v for v in x)", "x"))
    t1 = []
    t2 = rt.sequence(x)
    t3 = len(t2)
    for i in range(t3):
        v = t2[i]
        t1.append(v)
    y = tuple(t1)
    return y
    """
    node = stars.unstarred(node, context)
    chosen = lengths.by_length(node, context)
    if chosen is not node:
        return chosen
    meaning = context.meaning(node.func)
    if not consumes(node.func, meaning) or lazy.generator(node, context) is not None:
        return node
    if meaning in (sum, any, all, next) and node.args:
        first = lazy.generator(node.args[0], context)
        return node if first in (None, node.args[0]) else remade(node, args=[first, *node.args[1:]])
    args = [_listed(a, context) for a in node.args]
    if meaning is itertools.takewhile and len(args) == 2:
        effects.whole(node.args[1], node, context)
    if meaning is itertools.zip_longest:
        for part in node.args:
            effects.at_once(part, context)
    if all(a is b for a, b in zip(args, node.args)):
        return node
    if meaning is list and len(args) == 1 and not node.keywords:
        return args[0]
    return remade(node, args=args)


def _listed(node: gast.expr, context: Context) -> gast.expr:
    if isinstance(node, gast.Starred):
        inner = lazy.listed(node.value, context)
        return node if inner is node.value else remade(node, value=inner)
    return lazy.listed(node, context)


def into(node: Any, context: Context) -> Into | None:
    """How the value of a call is bound to a name by statements; None if the call may stay."""
    if not isinstance(node, gast.Call):
        return None
    if context.meaning(node.func) is math.hypot and len(node.args) != 2 and not node.keywords:
        return _length
    if any(isinstance(a, gast.Starred) for a in node.args):
        return None
    if iterators.is_followed(node, context):
        return iterators.following
    if iterators.is_rest(node):
        return iterators.rest
    if comprehensions.is_search(node, context):
        return comprehensions.search
    if spellings.is_piecewise(node, context):
        return spellings.piecewise
    meaning, keywords = context.meaning(node.func), {k.arg for k in node.keywords}
    if meaning is sorted and len(node.args) == 1 and keywords <= {"key", "reverse"}:
        return _sorted
    if meaning in (min, max) and node.args and keywords <= {"key", "default"}:
        return _extreme if keywords or _of_pairs(node.args, context) else None
    if meaning is functools.reduce and len(node.args) in (2, 3) and not keywords:
        return _reduced
    if meaning is next and len(node.args) in (1, 2) and isinstance(node.args[0], gast.GeneratorExp):
        return _first
    if meaning is math.prod and len(node.args) == 1 and keywords <= {"start"}:
        return _product
    if meaning is math.dist and len(node.args) == 2 and not keywords:
        return _distance
    if meaning is np.fromiter and len(node.args) in (1, 2) and keywords <= {"dtype", "count"}:
        return _array
    return None


def _of_pairs(args: list[gast.expr], context: Context) -> bool:
    """Whether tuples are compared: the greatest is taken as it is, two that are equal share nothing."""
    if len(args) > 1:
        return any(isinstance(a, gast.Tuple | gast.List) for a in args)
    match lazy.listed(args[0], context):
        case gast.ListComp(elt=gast.Tuple() | gast.List()):
            return True
        case gast.ListComp(elt=gast.Name(id=name), generators=[step]):
            kept = isinstance(step.target, gast.Name) and step.target.id == name
            return kept and _gives_pairs(step.iter, context)
        case gast.Tuple(elts=elements) | gast.List(elts=elements):
            return any(isinstance(e, gast.Tuple | gast.List) for e in elements)
    return False


def _gives_pairs(node: gast.expr, context: Context) -> bool:
    if not isinstance(node, gast.Call):
        return False
    if isinstance(node.func, gast.Attribute) and node.func.attr == "items":
        return True
    return context.meaning(node.func) in (zip, enumerate)


def _sorted(name: str, node: gast.Call, context: Context) -> list[gast.stmt]:
    """``sorted`` takes the elements in the order of their keys, which have no derivative.

    >>> from tangentlite.lowering.example import lowered
    >>> print(lowered("return sorted(x, key=abs)", "x"))
    t1 = rt.sequence(x)
    t2 = []
    t4 = rt.sequence(t1)
    t5 = len(t4)
    for i in range(t5):
        item = t4[i]
        t6 = abs(item)
        t2.append(t6)
    t3 = rt.ranks(t2, False)
    y = []
    t7 = rt.sequence(t3)
    t8 = len(t7)
    for i_1 in range(t8):
        item_1 = t7[i_1]
        t9 = t1[item_1]
        y.append(t9)
    return y
    """
    given = {k.arg: k.value for k in node.keywords}
    if (compare := _comparing(given.get("key"), context)) is not None:
        made = _compared(compare, node.args[0], given.get("reverse"), node, context)
        return context.quote("y = e", node, y=name, e=made)
    statements, items, keys = _keyed(node.args[0], given.get("key"), node, context)
    order = context.temporary()
    reverse = given.get("reverse") or syntax.at(syntax.constant(False), node)
    text = "t = rt.ranks(keys, reverse)"
    holes = {"rt": context.rt(), "keys": keys, "reverse": reverse}
    statements += context.quote(text, node, t=order, **holes)
    text = "y = [xs[k] for k in t]"
    place = context.local("item")
    return statements + context.quote(text, node, y=name, xs=items, k=place, t=order)


def _comparing(key: Any, context: Context) -> gast.expr | None:
    """What ``functools.cmp_to_key(c)`` is given."""
    match key:
        case gast.Call(func=func, args=[compare], keywords=[]):
            return compare if context.meaning(func) is functools.cmp_to_key else None
    return None


def _compared(
    compare: gast.expr, items: gast.expr, reverse: Any, node: gast.Call, context: Context
) -> gast.expr:
    """The call that puts elements in the order that a function of two says."""
    function = read(context.module("compared", standins.ordering.compared), node)
    last = reverse or syntax.at(syntax.constant(False), node)
    return syntax.at(gast.Call(function, [lazy.listed(items, context), compare, last], []), node)


def _keyed(
    given: gast.expr, key: gast.expr | None, node: gast.Call, context: Context
) -> tuple[list[gast.stmt], str, str]:
    """The elements and what they are compared by: statements, and a name for each."""
    items = context.temporary()
    holes = {"rt": context.rt(), "xs": lazy.listed(given, context)}
    statements = context.quote("t = rt.sequence(xs)", node, t=items, **holes)
    if key is None or (isinstance(key, gast.Constant) and key.value is None):
        return statements, items, items
    keys = context.temporary()
    if not lazy.is_steady(key, context):
        before, key = context.named(key)
        statements += before
    mapped = lazy.mapped(key, [read(items, node)], node, context)
    return (
        statements + context.quote("t = e", node, t=keys, e=lazy.listed(mapped, context)),
        items,
        keys,
    )


def _extreme(name: str, node: gast.Call, context: Context) -> list[gast.stmt]:
    """``max`` and ``min`` with a key take the first element that attains it.

    >>> from tangentlite.lowering.example import lowered
    >>> print(lowered("return max(x, default=0.0)", "x"))
    t1 = rt.sequence(x)
    if len(t1) == 0:
        y = 0.0
    else:
        y = max(t1)
    return y
    """
    given = {k.arg: k.value for k in node.keywords}
    items = node.args[0]
    if len(node.args) > 1:
        items = syntax.at(gast.Tuple(list(node.args), gast.Load()), node)
    if (compare := _comparing(given.get("key"), context)) is not None and "default" not in given:
        last = syntax.at(syntax.constant(context.meaning(node.func) is max), node)
        made = _compared(compare, items, last, node, context)
        return context.quote("y = e[0]", node, y=name, e=made)
    before, default = context.named(given["default"]) if "default" in given else ([], None)
    statements, values, keys = _keyed(items, given.get("key"), node, context)
    pairs = _of_pairs(node.args, context)
    text = "y = f(xs)" if keys == values and not pairs else "y = xs[rt.place(f, keys)]"
    holes = {"f": node.func, "keys": keys, "xs": values, "rt": context.rt()}
    best = context.quote(text, node, y=name, **holes)
    if default is None:
        return statements + best
    text = "if count(xs) == 0:\n    y = default\nelse:\n    best"
    count = context.builtin("len", node)
    holes = {"default": default, "best": best, "count": count, "xs": values}
    return before + statements + context.quote(text, node, y=name, **holes)


def _reduced(name: str, node: gast.Call, context: Context) -> list[gast.stmt]:
    """``reduce`` is the loop that it stands for.

    >>> from tangentlite.lowering.example import lowered
    >>> print(lowered("return reduce(max, x, 2.0)", "x", reduce=functools.reduce))
    t1 = x
    y = 2.0
    t2 = rt.sequence(t1)
    t3 = len(t2)
    for i in range(t3):
        item = t2[i]
        t4 = max(y, item)
        y = t4
    return y
    """
    function, given, *start = node.args
    items = context.temporary()
    before, function = (
        ([], function) if lazy.is_steady(function, context) else context.named(function)
    )
    item = read(context.local("item"), node)
    holes: Any = {"t": name, "v": item, "values": items, "xs": lazy.listed(given, context)}
    step = lazy.applied(function, [read(name, node), item], context)
    if start:
        text = "values = xs\nt = start\nfor v in values:\n    t = e"
        holes["start"] = start[0]
    else:
        text = "values = rt.some(xs)\nt = values[0]\nfor v in values[1:]:\n    t = e"
        holes["rt"] = context.rt()
    return before + context.quote(text, node, e=step, **holes)


def _product(name: str, node: gast.Call, context: Context) -> list[gast.stmt]:
    """``math.prod`` is the loop that multiplies."""
    start = next((k.value for k in node.keywords), syntax.at(syntax.constant(1), node))
    value = context.local("item")
    text = "t = start\nfor v in xs:\n    t = t * v"
    return context.quote(text, node, t=name, start=start, v=value, xs=node.args[0])


def _length(name: str, node: gast.Call, context: Context) -> list[gast.stmt]:
    """``math.hypot`` of more or fewer than two is the length of an array."""
    items = syntax.at(gast.List(list(node.args), gast.Load()), node)
    holes = {"rt": context.rt(), "np": context.module("np", np), "xs": items}
    return context.quote("y = rt.length(np.array(xs))", node, y=name, **holes)


def _distance(name: str, node: gast.Call, context: Context) -> list[gast.stmt]:
    """``math.dist`` is the length of the difference."""
    holes = {
        "rt": context.rt(),
        "np": context.module("np", np),
        "zip": context.builtin("zip", node),
    }
    first, second = (read(context.local(n), node) for n in ("item", "other"))
    holes |= {"v": first, "w": second, "p": node.args[0], "q": node.args[1]}
    text = "y = rt.length(np.array([v - w for v, w in zip(p, q, strict=True)]))"
    return context.quote(text, node, y=name, **holes)


def _array(name: str, node: gast.Call, context: Context) -> list[gast.stmt]:
    """``np.fromiter`` makes an array of a list.

    >>> from tangentlite.lowering.example import lowered
    >>> print(lowered("return np.fromiter(x, float, count=3)", "x"))
    t1 = list(x)
    t2 = rt.unpack(t1, 3)
    y = np.array(t2, float)
    return y
    """
    given = dict(zip(("xs", "dtype"), node.args)) | {k.arg: k.value for k in node.keywords}
    items = context.builtin("list", node)
    values = context.quote("make(xs)", node, make=items, xs=given["xs"])[0].value
    count = given.get("count")
    if count is not None:
        holes = {"rt": context.rt(), "xs": values, "n": count}
        values = context.quote("rt.unpack(xs, n)", node, **holes)[0].value
    make = remade(node.func, attr="array") if isinstance(node.func, gast.Attribute) else None
    if make is None:
        make = context.quote("np.array", node, np=context.module("np", np))[0].value
    made = syntax.at(gast.Call(make, [values, given["dtype"]], []), node)
    return context.quote("y = e", node, y=name, e=made)


def _first(name: str, node: gast.Call, context: Context) -> list[gast.stmt]:
    """``next`` of a generator evaluates nothing after the first element.

    >>> from tangentlite.lowering.example import lowered
    >>> print(lowered("return next((v * v for v in x if v > 1), 0.0)", "x"))
    y = 0.0
    found = False
    t1 = rt.sequence(x)
    t2 = len(t1)
    for i in range(t2):
        v = t1[i]
        if not found:
            if v > 1:
                y = v * v
                found = True
    return y
    """
    inner = comprehensions.renamed(node.args[0], context)
    found = context.local("found")
    default = node.args[1] if len(node.args) > 1 else syntax.at(syntax.constant(None), node)
    first = context.quote("y = e\nt = False", node, y=name, e=default, t=found)
    body = context.quote("y = e\nt = True", inner.elt, y=name, e=inner.elt, t=found)
    body = comprehensions.until(found, True, inner, body, context)
    if len(node.args) == 1:
        body += context.quote("if not t:\n    raise StopIteration", node, t=found)
    return first + body
