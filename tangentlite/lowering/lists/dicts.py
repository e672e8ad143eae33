"""Dicts that are no plain display: computed keys, ``**``, comprehensions, ``dict(…)``, ``d.get``, ``fromkeys``.

In: an expression of the user.
Out: statements, still to be lowered, that bind its value to a name.
Next: comprehensions, values.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import gast

from tangentlite import syntax
from tangentlite.frontend.consumers import is_one
from tangentlite.lowering.context import Context, read, remade
from tangentlite.lowering.iteration import comprehensions, lazy

Into = Callable[[str, Any, Context], list[gast.stmt]]


def is_computed(node: gast.expr) -> bool:
    """Whether ``node`` is a dict display with other keys than literals, or a comprehension."""
    if isinstance(node, gast.Dict):
        return not all(isinstance(k, gast.Constant) for k in node.keys)
    return isinstance(node, gast.DictComp)


def into(node: gast.Call, context: Context) -> Into | None:
    """How the value of a call is bound to a name by statements; None if the call may stay."""
    if any(isinstance(a, gast.Starred) for a in node.args):
        return None
    if isinstance(node.func, gast.Attribute) and node.func.attr in TAKING:
        counts, found = TAKING[node.func.attr]
        return found if _is_of_dict(node, counts, context) else None
    meaning = context.meaning(node.func)
    if meaning is dict:
        return _called if _is_made(node, context) else None
    if is_one(meaning, (dict.fromkeys,)) and len(node.args) in (1, 2) and not node.keywords:
        return _same
    return None


def _is_of_dict(node: gast.Call, counts: tuple[int, ...], context: Context) -> bool:
    """Whether a method is called that only dicts have, as far as is known."""
    owner = getattr(context.meaning(node.func), "__self__", None)
    method = type(owner) is dict or context.meaning(node.func) is None
    method = method and not context.is_method(node.func)
    return method and len(node.args) in counts and not node.keywords


def _got(name: str, node: gast.Call, context: Context) -> list[gast.stmt]:
    """``d.get(key, default)`` asks, and reads.

    >>> from tangentlite.lowering.example import lowered
    >>> print(lowered("return x.get('a', 2.0)", "x"))
    if 'a' in x:
        y = x['a']
    else:
        y = 2.0
    return y
    """
    before, table = context.named(node.func.value)
    found = [table]
    for argument in node.args:
        more, value = context.named(argument)
        before += more
        found.append(value)
    table, key, *default = found
    nothing = syntax.at(syntax.constant(None), node)
    text = "if k in d:\n    y = d[k]\nelse:\n    y = e"
    holes = {"k": key, "d": table, "e": default[0] if default else nothing}
    return before + context.quote(text, node, y=name, **holes)


def _popped(name: str, node: gast.Call, context: Context) -> list[gast.stmt]:
    """``d.popitem()`` takes the last key out.

    >>> from tangentlite.lowering.example import lowered
    >>> print(lowered("return d.popitem()[1] * x", "x, d"))
    key = rt.last_key(d)
    value = d.pop(key)
    t1 = (key, value)
    t2 = t1[1]
    y = t2 * x
    return y
    """
    before, table = context.named(node.func.value)
    key, value = context.local("key"), context.local("value")
    text = "k = rt.last_key(d)\nv = d.pop(k)\ny = k, v"
    holes = {"k": key, "v": value, "d": table, "rt": context.rt()}
    return before + context.quote(text, node, y=name, **holes)


TAKING: dict[str, tuple[tuple[int, ...], Into]] = {
    "get": ((1, 2), _got),
    "popitem": ((0,), _popped),
}


def _is_made(node: gast.Call, context: Context) -> bool:
    if not node.args or any(k.arg is None for k in node.keywords):
        return bool(node.keywords) or not node.args
    return bool(node.keywords) or _pairs(node.args[0], context) is not None


def _pairs(node: gast.expr, context: Context) -> gast.expr | None:
    """The iterable if ``node`` is surely one of pairs, no mapping."""
    if isinstance(node, gast.List | gast.Tuple | gast.ListComp):
        return node
    return node if lazy.generator(node, context) is not None else None


def _shown(pairs: Any) -> bool:
    """Whether all pairs are written down."""
    if not isinstance(pairs, gast.List | gast.Tuple):
        return False
    return all(isinstance(p, gast.Tuple | gast.List) and len(p.elts) == 2 for p in pairs.elts)


def _called(name: str, node: gast.Call, context: Context) -> list[gast.stmt]:
    """``dict(…)``: what it copies, then the keywords one after the other.

    >>> from tangentlite.lowering.example import lowered
    >>> print(lowered("return dict(x, a=2.0)", "x"))
    y = dict(x)
    y['a'] = 2.0
    return y
    """
    statements: list[gast.stmt] = []
    keys: list[Any] = [k.arg and syntax.at(syntax.constant(k.arg), k.value) for k in node.keywords]
    if not node.args:
        shown = gast.Dict(keys, [k.value for k in node.keywords])
        return context.quote("y = e", node, y=name, e=syntax.at(shown, node))
    pairs: Any = _pairs(node.args[0], context)
    if _shown(pairs):
        keys = [*(p.elts[0] for p in pairs.elts), *keys]
        values = [*(p.elts[1] for p in pairs.elts), *(k.value for k in node.keywords)]
        return context.quote("y = e", node, y=name, e=syntax.at(gast.Dict(keys, values), node))
    if pairs is None:
        plain = remade(node, keywords=[])
        statements = context.quote("y = e", node, y=name, e=plain)
    else:
        key, value = context.local("key"), context.local("value")
        text = "y = {}\nfor k, v in pairs:\n    y[k] = v"
        statements = context.quote(text, node, y=name, k=key, v=value, pairs=pairs)
    values = [k.value for k in node.keywords]
    return statements + _stored(name, keys, values, context)


def _same(name: str, node: gast.Call, context: Context) -> list[gast.stmt]:
    """``dict.fromkeys(keys, value)``.

    >>> from tangentlite.lowering.example import lowered
    >>> print(lowered("return dict.fromkeys('ab', x)", "x"))
    y = {}
    t1 = rt.sequence('ab')
    t2 = len(t1)
    for i in range(t2):
        key = t1[i]
        y[key] = x
    return y
    """
    keys = lazy.listed(node.args[0], context)
    before, keys = context.named(keys)
    nothing = syntax.at(syntax.constant(None), node)
    more, value = context.named(node.args[1] if len(node.args) > 1 else nothing)
    text = "y = {}\nfor k in keys:\n    y[k] = v"
    holes = {"k": context.local("key"), "keys": keys, "v": value}
    return before + more + context.quote(text, node, y=name, **holes)


def display(name: str, node: Any, context: Context) -> list[gast.stmt]:
    """A dict is filled key by key.

    >>> from tangentlite.lowering.example import lowered
    >>> print(lowered("return {**x, 'a': 2.0}", "x"))
    y = dict(x)
    y['a'] = 2.0
    return y
    >>> print(lowered("return {k: x ** k for k in range(3)}", "x"))
    y = {}
    for k in range(3):
        t1 = x ** k
        y[k] = t1
    return y
    """
    if isinstance(node, gast.Dict):
        return _stored(name, node.keys, node.values, context, node)
    node = comprehensions.renamed(node, context)
    key = node.key
    if any(isinstance(n, gast.Call | gast.NamedExpr) for n in syntax.walk(node.value)):
        key = key if syntax.is_atom(key) else context.temporary()  # the key comes first
    body = [] if key is node.key else context.quote("k = e", node.key, k=key, e=node.key)
    body += context.quote("y[k] = v", node.value, y=name, k=key, v=node.value)
    for generator in reversed(node.generators):
        body = comprehensions.loop(
            generator, comprehensions.filtered(generator, body, context), context
        )
    return context.quote("y = {}", node, y=name) + body


def _stored(
    name: str,
    keys: list[Any],
    values: list[gast.expr],
    context: Context,
    fresh: gast.Dict | None = None,
) -> list[gast.stmt]:
    """One store per key, one ``update`` per ``**``; ``fresh``: the display that begins with nothing."""
    statements: list[gast.stmt] = []
    if fresh is not None and keys[0] is not None:
        statements = context.quote("y = {}", fresh, y=name)
    for k, (key, value) in enumerate(zip(keys, values, strict=True)):
        if key is not None:
            before, key = context.named(key)
            statements += before + context.quote("y[k] = v", value, y=name, k=key, v=value)
        elif k == 0 and fresh is not None:
            make = read(context.builtin("dict", fresh), fresh)
            statements += context.quote("y = make(v)", value, y=name, make=make, v=value)
        else:
            statements += context.quote("y.update(v)", value, y=name, v=value)
    return statements
