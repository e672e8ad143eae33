"""Iterables that Python makes lazily: ``map``, ``filter``, ``zip``, ``d.items()``, … as generators.

In: an expression of the user.
Out: the generator expression, or the list comprehension, with the same elements; None for any other expression.
Next: comprehensions, loops.
"""

from __future__ import annotations

import functools
import itertools
import operator
from collections.abc import Callable
from typing import Any

import gast

from tangentlite import runtime, syntax
from tangentlite.frontend.consumers import VIEWS, is_one
from tangentlite.lowering import effects
from tangentlite.lowering.context import Context, read, remade

STEADY: tuple[Any, ...] = (functools.partial, operator.itemgetter, operator.attrgetter)
STEADY += (runtime.closure, runtime.passing)


def generator(node: gast.expr, context: Context) -> gast.GeneratorExp | None:
    """The generator that gives what a lazy iterable gives.

    >>> from tangentlite.lowering.example import lowered
    >>> print(lowered("return list(map(lambda v: v * v, x))", "x"))
    y = []
    t1 = rt.sequence(x)
    t2 = len(t1)
    for i in range(t2):
        item = t1[i]
        t3 = lambda_1(item)
        y.append(t3)
    return y
    """
    if isinstance(node, gast.GeneratorExp):
        return node
    if not isinstance(node, gast.Call):
        return None
    if any(isinstance(a, gast.Starred) for a in node.args):
        if context.meaning(node.func) is itertools.chain and len(node.args) == 1:
            return _flattened(remade(node, args=[node.args[0].value]), context)
        return _across(node, context) if context.meaning(node.func) is zip else None
    if isinstance(node.func, gast.Attribute) and _is_view(node, context):
        return _walked(node, context)
    make = MAKERS.get(_key(context.meaning(node.func)))
    return make(node, context) if make is not None and node.args else None


def may_be(node: gast.Call, context: Context) -> bool:
    """Whether a call may make its elements lazily."""
    if any(isinstance(a, gast.Starred) for a in node.args):
        return True
    if isinstance(node.func, gast.Attribute) and _is_view(node, context):
        return True
    return _key(context.meaning(node.func)) in MAKERS


def listed(node: gast.expr, context: Context) -> gast.expr:
    """A list comprehension in place of a lazy iterable; any other expression as it is."""
    found = generator(node, context)
    return node if found is None else syntax.at(gast.ListComp(found.elt, found.generators), node)


def read_at_once(node: gast.Call, context: Context) -> gast.Call:
    """``f(*map(g, x))`` has read all of it before the call."""
    inner = [a.value if isinstance(a, gast.Starred) else a for a in node.args]
    found = [i if i is a else listed(i, context) for i, a in zip(inner, node.args)]
    if all(new is old for new, old in zip(found, inner)):
        return node
    pairs = zip(found, inner, node.args)
    return remade(node, args=[a if v is i else remade(a, value=v) for v, i, a in pairs])


def is_adapter(node: gast.expr, context: Context) -> bool:
    """Whether a loop over ``node`` is no loop over indices of sequences."""
    if isinstance(node, gast.GeneratorExp):
        return True
    if isinstance(node, gast.Call) and any(isinstance(a, gast.Starred) for a in node.args):
        return generator(node, context) is not None
    return isinstance(node, gast.Call) and is_one(context.meaning(node.func), ADAPTERS)


def applied(function: gast.expr, names: list[gast.expr], context: Context) -> gast.expr:
    """``function(*names)``; a lambda's body, a partial's call."""
    match function:
        case gast.Lambda(args=args, body=body) if len(args.args) == len(names):
            holes = {p.id: n for p, n in zip(args.args, names, strict=True)}
            return syntax.substitute(body, holes)
        case gast.Call(func=func, args=[inner, *args], keywords=keywords):
            meaning = context.meaning(func)
            if meaning in (functools.partial, runtime.closure):
                call = applied(inner, [*args, *names], context)
                return remade(call, keywords=keywords) if keywords else call
            if meaning is operator.itemgetter and not args:
                return syntax.at(gast.Subscript(names[0], inner, gast.Load()), function)
            if meaning is operator.attrgetter and not args and _is_attribute(inner):
                return syntax.at(gast.Attribute(names[0], inner.value, gast.Load()), function)
        case gast.Attribute(value=owner, attr="__getitem__"):
            return syntax.at(gast.Subscript(owner, names[0], gast.Load()), function)
    return syntax.at(gast.Call(function, names, []), function)


def _is_attribute(node: Any) -> bool:
    """Whether the name of one attribute is written out."""
    return isinstance(node, gast.Constant) and str(node.value).isidentifier()


def is_steady(function: gast.expr, context: Context) -> bool:
    """Whether a function may be named anew for every element: nothing is called to find it."""
    match function:
        case gast.Call(func=func, args=[inner, *args], keywords=keywords):
            given = [*args, *(k.value for k in keywords)]
            known = context.meaning(func) in STEADY
            return known and all(map(syntax.is_atom, given)) and is_steady(inner, context)
    return isinstance(function, gast.Lambda | gast.Constant) or syntax.dotted(function) is not None


def _key(meaning: Any) -> Any:
    return next((one for one in MAKERS if is_one(meaning, (one,))), None)


def _is_view(node: gast.Call, context: Context) -> bool:
    bare = not node.args and not node.keywords and context.meaning(node.func) is None
    return bare and node.func.attr in VIEWS and not context.is_method(node.func)


def _walked(node: gast.Call, context: Context) -> gast.GeneratorExp:
    """``(item for item in zip(xs, ys))``: loops know how to walk over these."""
    return _made(context.local("item"), node, [], node)


def _made(
    name: Any, items: gast.expr, tests: list[gast.expr], node: gast.expr, elt: Any = None
) -> Any:
    """``(name for name in items if test)``, with another element if one is given."""
    name = read(name, node) if isinstance(name, str) else name
    target = syntax.at(syntax.store(name), node)
    inner = gast.comprehension(target, items, tests, 0)
    return syntax.at(gast.GeneratorExp(elt or name, [inner]), node)


def _mapped(node: gast.Call, context: Context) -> gast.GeneratorExp | None:
    """``map(f, xs, ys)``."""
    function, *items = node.args
    plain = items and not node.keywords and is_steady(function, context)
    return None if not plain else mapped(function, items, node, context)


def mapped(
    function: gast.expr, items: list[gast.expr], node: gast.Call, context: Context
) -> gast.GeneratorExp:
    """``(function(v, w) for v, w in zip(*items))``."""
    names: list[Any] = _parameters(function, len(items), node, context)
    if len(items) == 1:
        return _made(names[0], items[0], [], node, applied(function, names, context))
    zipped = syntax.at(gast.Call(read(context.builtin("zip", node), node), items, []), node)
    target = syntax.at(gast.Tuple(names, gast.Load()), node)
    return _made(target, zipped, [], node, applied(function, names, context))


def _parameters(function: gast.expr, count: int, node: gast.expr, context: Context) -> list[Any]:
    """The variables of the loop: the lambda's own, or new ones."""
    if isinstance(function, gast.Lambda) and len(function.args.args) == count:
        return [read(p.id, node) for p in function.args.args]
    return [read(context.local("item"), node) for _ in range(count)]


def _filtered(node: gast.Call, context: Context) -> gast.GeneratorExp | None:
    if len(node.args) != 2 or node.keywords or not is_steady(node.args[0], context):
        return None
    function, items = node.args
    (name,) = _parameters(function, 1, node, context)
    nothing = isinstance(function, gast.Constant) and function.value is None
    test = name if nothing else applied(function, [name], context)
    if context.meaning(node.func) is itertools.filterfalse:
        test = syntax.at(gast.UnaryOp(gast.Not(), test), test)
    return _made(name, items, [test], node)


def _starred(node: gast.Call, context: Context) -> gast.GeneratorExp | None:
    """``starmap(f, rows)``: ``(f(*row) for row in rows)``."""
    match node:
        case gast.Call(args=[gast.Lambda(args=args) as function, rows], keywords=[]):
            names = _parameters(function, len(args.args), node, context)
            target = syntax.at(gast.Tuple(names, gast.Load()), node)
            return _made(target, rows, [], node, applied(function, names, context))
        case gast.Call(args=[function, rows], keywords=[]) if is_steady(function, context):
            row = read(context.local("row"), node)
            star = syntax.at(gast.Starred(row, gast.Load()), node)
            return _made(row, rows, [], node, syntax.at(gast.Call(function, [star], []), node))
    return None


def _flattened(node: gast.Call, context: Context) -> gast.GeneratorExp | None:
    """``chain.from_iterable(rows)``: ``(v for row in rows for v in row)``."""
    if len(node.args) != 1 or node.keywords:
        return None
    row, name = (read(context.local(wish), node) for wish in ("row", "item"))
    loops = [
        gast.comprehension(syntax.at(syntax.store(target), node), items, [], 0)
        for target, items in ((row, node.args[0]), (name, row))
    ]
    return syntax.at(gast.GeneratorExp(name, loops), node)


def _compressed(node: gast.Call, context: Context) -> gast.GeneratorExp | None:
    """``compress(xs, tests)``: ``(v for v, test in zip(xs, tests) if test)``."""
    if len(node.args) != 2 or node.keywords:
        return None
    names = [read(context.local(wish), node) for wish in ("item", "test")]
    zipped = gast.Call(read(context.builtin("zip", node), node), node.args, [])
    target = syntax.at(gast.Tuple(names, gast.Load()), node)
    return _made(target, syntax.at(zipped, node), [names[1]], node, names[0])


def _chained(node: gast.Call, context: Context) -> gast.GeneratorExp:
    parts = [syntax.at(gast.Starred(listed(a, context), gast.Load()), a) for a in node.args]
    return _made(context.local("item"), syntax.at(gast.List(parts, gast.Load()), node), [], node)


def _across(node: gast.Call, context: Context) -> gast.GeneratorExp | None:
    """``zip(*rows)``: the first of all, the second of all, as far as the shortest goes."""
    if len(node.args) != 1 or node.keywords:
        return None
    rows = found = node.args[0].value
    if not isinstance(rows, gast.Name):
        rows = read(context.local("rows"), node)
        target = syntax.at(syntax.store(rows), node)
        found = syntax.at(gast.NamedExpr(target, listed(node.args[0].value, context)), node)
    holes = {"rows": rows, "found": found, "rt": context.rt()}
    holes |= {"k": context.local("item"), "row": context.local("row")}
    holes |= {name: context.builtin(name, node) for name in ("tuple", "range")}
    text = "(tuple([row[k] for row in rows]) for k in range(rt.width(found)))"
    made = context.quote(text, node, **holes)[0].value
    return made if isinstance(made, gast.GeneratorExp) else None


def _product(node: gast.Call, context: Context) -> gast.GeneratorExp | None:
    """``((a, b) for a in xs for b in ys)``: each iterable is walked again and again, so it is made a list."""
    if node.keywords or not all(
        isinstance(a, gast.Name | gast.Constant) or _is_range(a, context) for a in node.args
    ):
        return None
    names = [read(context.local("item"), a) for a in node.args]
    loops = [
        gast.comprehension(syntax.at(syntax.store(n), n), a, [], 0)
        for n, a in zip(names, node.args, strict=True)
    ]
    return syntax.at(
        gast.GeneratorExp(syntax.at(gast.Tuple(names, gast.Load()), node), loops), node
    )


def _is_range(node: gast.expr, context: Context) -> bool:
    return isinstance(node, gast.Call) and context.meaning(node.func) is range


def _pairwise(node: gast.Call, context: Context) -> gast.GeneratorExp | None:
    match node.args:
        case [gast.Name() as items]:
            (statement,) = context.quote("zip(xs[:-1], xs[1:])", node, xs=items)
            context.builtin("zip", node)
            return _walked(statement.value, context)
    return None


def _sliced(node: gast.Call, context: Context) -> gast.GeneratorExp | None:
    items, *bounds = node.args
    if not bounds or node.keywords:
        return None
    items = effects.whole(items, node, context)
    nothing = syntax.at(syntax.constant(None), node)
    lower, upper, step = (
        [nothing, bounds[0], nothing] if len(bounds) == 1 else (bounds + [nothing])[:3]
    )
    index = syntax.at(gast.Slice(lower, upper, step), node)
    if isinstance(items, gast.Call) and is_one(context.meaning(items.func), ENDLESS):
        return _limited(items, bounds, node, context)
    taken = syntax.at(gast.Subscript(_sequence(items, context), index, gast.Load()), node)
    return _made(context.local("item"), taken, [], node)


def _sequence(items: gast.expr, context: Context) -> gast.expr:
    """What can be sliced: a name may hold any iterable."""
    plain = listed(items, context)
    return context.quote("rt.sequence(xs)", items, rt=context.rt(), xs=plain)[0].value


def _limited(
    items: gast.Call, bounds: list[gast.expr], node: gast.Call, context: Context
) -> gast.GeneratorExp | None:
    """``islice(cycle(xs), n)``: ``(v for k, v in zip(range(n), cycle(xs)))``."""
    if len(bounds) != 1:
        return None
    steps = gast.Call(read(context.builtin("range", node), node), bounds, [])
    args = [syntax.at(steps, node), items]
    zipped = gast.Call(read(context.builtin("zip", node), node), args, [])
    names = [read(context.local(wish), node) for wish in ("k", "item")]
    target = syntax.at(gast.Tuple(names, gast.Load()), node)
    return _made(target, syntax.at(zipped, node), [], node, names[1])


ENDLESS = (itertools.count, itertools.cycle)
Maker = Callable[[gast.Call, Context], gast.GeneratorExp | None]
MAKERS: dict[Any, Maker] = {
    map: _mapped,
    filter: _filtered,
    zip: _walked,
    enumerate: _walked,
    reversed: _walked,
    itertools.chain: _chained,
    itertools.product: _product,
    itertools.pairwise: _pairwise,
    itertools.islice: _sliced,
    itertools.filterfalse: _filtered,
    itertools.starmap: _starred,
    itertools.chain.from_iterable: _flattened,
    itertools.compress: _compressed,
}
ADAPTERS = tuple(one for one in MAKERS if one not in (zip, enumerate, reversed))
