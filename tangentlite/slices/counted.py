"""Counted: loops over the numbers of vectors, and the rows of planes, become loops over ranges.

In: the statements of a function, ``Sorts``.
Out: the statements, in which ``for i, v in enumerate(x)``, ``for v in x`` and ``for a, b in zip(x, y)`` count.
Next: nests.
"""

from __future__ import annotations

from collections.abc import Callable, Container, Iterator
from typing import Any, NamedTuple

import gast

from tangentlite import syntax
from tangentlite.optimize.numbers.forms import axes_of
from tangentlite.optimize.numbers.sorts import Sorts


class Walked(NamedTuple):
    """A name that a loop binds to the numbers of an array, from a place on, and how many are left out in all."""

    name: str
    array: str
    low: int = 0
    cut: int = 0


Fits = Callable[[list[tuple[str, int]]], bool]
COUNTERS = ("i", "j", "k", "l", "n", "p", "q")


def counted(
    body: list[gast.stmt],
    sorts: Sorts,
    taken: Container[str],
    fits: Fits = bool,
) -> list[gast.stmt]:
    """Statements whose loops count, inner loops too; each has the loop it was as ``before``.

    ``fits``: whether no other array, less what is cut off, is shorter than the first one, or that will be asked for.

    >>> from tangentlite.optimize.samples import text_of
    >>> from tangentlite.slices.samples import sizes
    >>> found = sizes("for k, (a, b) in enumerate(zip(w, u)):\\n    c += a * b")
    >>> print(text_of(counted(found.function.body, found.sorts, "cabkwu")))
    for k in range(len(w)):
        a = w[k]
        b = u[k]
        c += a * b
    >>> found = sizes("for a, b in zip(w[1:], w[:-1]):\\n    c += a * b")
    >>> print(text_of(counted(found.function.body, found.sorts, "cabwu")))
    for i in range(len(w) - 1):
        a = w[i + 1]
        b = w[i]
        c += a * b
    """

    def step(statement: Any) -> list[gast.stmt]:
        if not isinstance(statement, gast.For) or statement.orelse:
            return [statement]
        made = _counts(statement, sorts, taken, fits)
        return [made] if made is not None else [statement]

    return syntax.rewrite(body, step)


def _counts(loop: gast.For, sorts: Sorts, taken: Container[str], fits: Fits) -> gast.For | None:
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
    if not pairs or counter is None or not all(_is_steady(loop, p.array) for p in pairs):
        return None
    if not fits([(p.array, p.cut) for p in pairs]):
        return None
    bind = [syntax.quote(f"{p.name} = {p.array}[{_plus(counter, p.low)}]")[0] for p in pairs]
    first = pairs[0]
    made = gast.For(
        syntax.store(syntax.name(counter)),
        syntax.expression(f"range({_plus(f'len({first.array})', -first.cut)})"),
        [*(syntax.at(s, loop) for s in bind), *loop.body],
        [],
        None,
    )
    made.before = loop
    return syntax.at(made, loop)


def _plus(text: str, number: int) -> str:
    return f"{text} {'-' if number < 0 else '+'} {abs(number)}" if number else text


def _pairs(target: Any, iterable: Any, sorts: Sorts) -> Iterator[Walked]:
    """The names that a loop binds, and the arrays whose numbers or rows they are."""
    match target, iterable:
        case gast.Name(id=name), gast.Name(id=x) if axes_of(sorts.known.get(x)) in (1, 2):
            yield Walked(name, x)
        case gast.Name(id=name), gast.Subscript(value=gast.Name(id=x), slice=gast.Slice() as part):
            low, high = _ends(part)
            if axes_of(sorts.known.get(x)) in (1, 2) and low is not None and high is not None:
                yield Walked(name, x, low, low + high)
        case gast.Tuple(elts=names), gast.Call(func=func, args=args, keywords=[]) if sorts.means(
            func, (zip,)
        ) and len(names) == len(args):
            found = [list(_pairs(part, own, sorts)) for part, own in zip(names, args)]
            if all(len(pair) == 1 for pair in found):
                yield from (pair[0] for pair in found)


def _ends(part: gast.Slice) -> tuple[int | None, int | None]:
    """How many places are left out at the beginning, and at the end; None where that is not written down."""
    match part:
        case gast.Slice(lower=lower, upper=None, step=None):
            return _number(lower), 0
        case gast.Slice(lower=lower, upper=gast.UnaryOp(op=gast.USub(), operand=upper), step=None):
            return _number(lower), _number(upper) or None
    return None, None


def _number(tree: Any) -> int | None:
    match tree:
        case None:
            return 0
        case gast.Constant(value=int() as value) if type(value) is int:
            return value
    return None


def _is_steady(loop: gast.For, x: str) -> bool:
    """Whether an array stays what it is while a loop runs through it."""
    nodes = list(syntax.nodes(loop.body))
    written = {syntax.dotted(n.value) for n in nodes if _is_written(n)}
    return x not in written and x not in syntax.stores(loop)


def _is_written(node: Any) -> bool:
    return isinstance(node, gast.Subscript) and not isinstance(node.ctx, gast.Load)
