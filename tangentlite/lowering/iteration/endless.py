"""Loops over what goes on for ever: ``itertools.count()``, ``cycle(xs)``, ``repeat(x)``.

In: an iterable, or a loop over one.
Out: a walk that counts no trips; a ``while`` for the loop, still to be lowered.
Next: loops.
"""

from __future__ import annotations

import itertools
from typing import Any

import gast

from tangentlite import syntax
from tangentlite.lowering.context import Context
from tangentlite.lowering.iteration import lazy
from tangentlite.lowering.iteration.walks import Walk, held, sequence


def loop(
    statement: gast.For, found: Walk, index: str | None, target: Any, context: Context
) -> list[gast.stmt]:
    """A loop over ``itertools.count()`` and the like goes on until it is left.

    >>> from tangentlite.lowering.example import lowered
    >>> text = "for k in count(1):\\n    if g(k):\\n        break"
    >>> print(lowered(text, "x", count=itertools.count))
    stop = False
    i = 0
    while True:
        k = 1 + i
        t1 = i + 1
        i = t1
        t2 = g(k)
        if t2:
            stop = True
        if stop:
            break
    return None
    """
    step = context.local("i")
    bound = context.quote("k = i", statement, k=index, i=step) if index else []
    body, end = syntax.parted(statement.body)
    text = "i = 0\nwhile True:\n    bound\n    i = i + 1\n    body\n    end"
    holes: dict[str, Any] = {"bound": [*bound, *found.bind(target, step)], "body": body, "end": end}
    return found.before + context.quote(text, statement, i=step, **holes)


def walk(data: gast.expr, context: Context) -> Walk | None:
    """The walk over an iterable without end; None for any other."""
    match data:
        case gast.Call(func=func, args=args, keywords=[]):
            meaning = context.meaning(func)
        case _:
            return None
    if meaning is itertools.count and len(args) < 3:
        before: list[gast.stmt] = []
        given: list[gast.expr] = []
        for arg in args:
            more, name = ([], arg) if isinstance(arg, gast.Constant) else held([], arg, context)
            before, given = before + more, [*given, name]
        text = ("v = i", "v = a + i", "v = a + b * i")[len(given)]
        holes = dict(zip("ab", given))
        return Walk(before, [], lambda v, i: context.quote(text, v, v=v, i=i, **holes))
    if meaning is itertools.cycle and len(args) == 1:
        items = sequence(lazy.listed(args[0], context), context)
        count, place = items.counts[0], context.temporary()

        def again(target: Any, index: str) -> list[gast.stmt]:
            text = "k = i % n"
            return context.quote(text, target, k=place, i=index, n=count) + items.bind(
                target, place
            )

        return Walk(items.before, [], again)
    if meaning is itertools.repeat and len(args) == 1:
        before, value = held([], args[0], context)
        return Walk(before, [], lambda v, i: context.quote("v = e", v, v=v, e=value))
    return None
