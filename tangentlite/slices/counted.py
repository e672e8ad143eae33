"""Counted: loops over the numbers of vectors, and the rows of planes, become loops over ranges.

In: the statements of a function, ``Sorts``.
Out: the statements, in which ``for i, v in enumerate(x)``, ``for v in x`` and ``for a, b in zip(x, y)`` count.
Next: nests.
"""

from __future__ import annotations

from collections.abc import Callable, Container, Iterator
from typing import Any

import gast

from tangentlite import syntax
from tangentlite.optimize.numbers.forms import axes_of
from tangentlite.optimize.numbers.sorts import Sorts

COUNTERS = ("i", "j", "k", "l", "n", "p", "q")


def counted(
    body: list[gast.stmt],
    sorts: Sorts,
    taken: Container[str],
    fits: Callable[[list[str]], bool] = bool,
) -> list[gast.stmt]:
    """Statements whose loops count, inner loops too; each has the loop it was as ``before``.

    ``fits``: whether no other array is shorter than the first one, or that will be asked for.

    >>> from tangentlite.optimize.samples import text_of
    >>> from tangentlite.slices.samples import sizes
    >>> found = sizes("for k, (a, b) in enumerate(zip(w, u)):\\n    c += a * b")
    >>> print(text_of(counted(found.function.body, found.sorts, "cabkwu")))
    for k in range(len(w)):
        a = w[k]
        b = u[k]
        c += a * b
    """

    def step(statement: Any) -> list[gast.stmt]:
        if not isinstance(statement, gast.For) or statement.orelse:
            return [statement]
        made = _counts(statement, sorts, taken, fits)
        return [made] if made is not None else [statement]

    return syntax.rewrite(body, step)


def _counts(
    loop: gast.For, sorts: Sorts, taken: Container[str], fits: Callable[[list[str]], bool]
) -> gast.For | None:
    target, iterable, counter = loop.target, loop.iter, None
    match target, iterable:
        case (
            gast.Tuple(elts=[gast.Name(id=name), inner]),
            gast.Call(func=func, args=[numbered], keywords=[]),
        ) if sorts.means(func, (enumerate,)):
            counter, target, iterable = name, inner, numbered
    pairs = list(_pairs(target, iterable, sorts))
    free = (name for name in COUNTERS if name not in taken)
    counter = counter or next(free, None)
    if not pairs or counter is None or not all(_is_steady(loop, x) for _, x in pairs):
        return None
    if not fits([x for _, x in pairs]):
        return None
    bind = [syntax.quote(f"{name} = {x}[{counter}]")[0] for name, x in pairs]
    made = gast.For(
        syntax.store(syntax.name(counter)),
        syntax.expression(f"range(len({pairs[0][1]}))"),
        [*(syntax.at(s, loop) for s in bind), *loop.body],
        [],
        None,
    )
    made.before = loop
    return syntax.at(made, loop)


def _pairs(target: Any, iterable: Any, sorts: Sorts) -> Iterator[tuple[str, str]]:
    """The names that a loop binds, and the arrays whose numbers or rows they are."""
    match target, iterable:
        case gast.Name(id=name), gast.Name(id=x) if axes_of(sorts.known.get(x)) in (1, 2):
            yield name, x
        case gast.Tuple(elts=names), gast.Call(func=func, args=args, keywords=[]) if sorts.means(
            func, (zip,)
        ) and len(names) == len(args):
            found = [list(_pairs(part, own, sorts)) for part, own in zip(names, args)]
            if all(len(pair) == 1 for pair in found):
                yield from (pair[0] for pair in found)


def _is_steady(loop: gast.For, x: str) -> bool:
    """Whether an array stays what it is while a loop runs through it."""
    nodes = list(syntax.nodes(loop.body))
    written = {syntax.dotted(n.value) for n in nodes if _is_written(n)}
    return x not in written and x not in syntax.stores(loop)


def _is_written(node: Any) -> bool:
    return isinstance(node, gast.Subscript) and not isinstance(node.ctx, gast.Load)
