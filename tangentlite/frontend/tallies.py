"""``c.update(…)`` and ``c.subtract(…)`` of a `Counter` as loops that count.

In: a function.
Out: the function, in which counters are only written by keys.
Next: counters.
"""

from __future__ import annotations

import collections
from typing import Any

import gast

from tangentlite import syntax
from tangentlite.frontend.defaulting import meaning
from tangentlite.ir import Function
from tangentlite.naming import Names

ITEMS = (gast.List, gast.Tuple, gast.Set, gast.ListComp, gast.GeneratorExp, gast.SetComp)
TEXTS = ("split", "splitlines", "lower", "upper", "strip")


def counted(function: Function) -> Function:
    """``c.update("ab", k=2)`` counts one letter after the other.

    >>> from tangentlite.lowering.example import function
    >>> text = "c = Counter()\\nc.update('ab', k=2)\\nreturn c['a'] * x"
    >>> print("\\n".join(map(syntax.unparse, counted(function(text, "x", Counter=collections.Counter)).body)))
    c = Counter()
    for item in 'ab':
        c[item] += 1
    c['k'] += 2
    return c['a'] * x
    """
    space = function.namespace
    names = {
        s.targets[0].id
        for s in syntax.statements(function.body)
        if isinstance(s, gast.Assign)
        and isinstance(s.targets[0], gast.Name)
        and isinstance(s.value, gast.Call)
        and meaning(s.value.func, space) is collections.Counter
    }
    if not names or function.contents.attributes.isdisjoint(("update", "subtract")):
        return function
    fresh = Names({*function.contents.names, *function.local})

    def step(statement: Any) -> list[Any]:
        match statement:
            case gast.Expr(
                value=gast.Call(func=gast.Attribute(value=gast.Name(id=name), attr=attr)) as call
            ) if name in names and attr in ("update", "subtract"):
                made = _counting(name, "+" if attr == "update" else "-", call, fresh)
                return [statement] if made is None else made
        return [statement]

    return function.with_body(syntax.rewrite(function.body, step))


def _counting(name: str, sign: str, call: Any, fresh: Names) -> list[Any] | None:
    if len(call.args) > 1 or any(k.arg is None for k in call.keywords):
        return None
    made: list[Any] = []
    for given in call.args:
        item, count = fresh.fresh("item"), fresh.fresh("count")
        holes = {"c": name, "k": item, "v": count, "xs": given}
        if isinstance(given, gast.Dict | gast.DictComp):
            text = f"d = xs\nfor k, v in d.items():\n    c[k] {sign}= v"
            made += syntax.quote(text, **holes, d=fresh.fresh("counts"))
        elif isinstance(given, ITEMS) or _is_text(given):
            made += syntax.quote(f"for k in xs:\n    c[k] {sign}= 1", **holes)
        else:
            return None
    for keyword in call.keywords:
        key = syntax.constant(keyword.arg)
        made += syntax.quote(f"c[k] {sign}= e", c=name, k=key, e=keyword.value)
    for node in (n for s in made for n in syntax.walk(s)):
        syntax.at(node, call)
    return made


def _is_text(node: Any) -> bool:
    """Whether an expression is a text, or the words of one."""
    match node:
        case gast.Constant(value=str()):
            return True
        case gast.Call(func=gast.Attribute(attr=attr)):
            return attr in TEXTS
    return False
