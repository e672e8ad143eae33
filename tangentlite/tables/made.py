"""Made: expressions that make lists of numbers, or copies of such lists.

In: an expression, ``Purity``.
Out: ``made``: a ``Made``, ``another``: a ``Link``; None for anything else.
Next: found.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, NamedTuple

import gast

from tangentlite import syntax
from tangentlite.optimize.facts.purity import Purity

SHORT = 16  # so many numbers are written one by one
UNSEEN = frozenset(
    (gast.FunctionDef, gast.ClassDef, gast.Lambda, gast.Global, gast.Nonlocal, gast.NamedExpr)
) | frozenset(
    (gast.Match, gast.Delete, gast.Try, gast.With, gast.Yield, gast.YieldFrom, gast.Await)
)
LISTS = (gast.List, gast.ListComp, gast.Starred, gast.Tuple, gast.Dict)


class Counted(NamedTuple):
    """What runs through ``range(start, stop)``; a start of None is zero, and a counter of None is not read."""

    counter: str | None
    start: Any
    stop: Any


class Made(NamedTuple):
    """A list of numbers, or of lists: a value for each trip of the counters, or one for each of few places.

    ``once``: the value is computed once, for all trips.
    """

    counted: tuple[Counted, ...]
    value: Any
    places: tuple[tuple[tuple[int, ...], Any], ...] = ()
    once: bool = False

    @property
    def rank(self) -> int:
        """How many indices a number has."""
        return len(self.counted)

    @property
    def trees(self) -> list[Any]:
        """All expressions in it."""
        ends = [end for c in self.counted for end in (c.start, c.stop) if end is not None]
        return [
            *ends,
            *([self.value] if self.value is not None else []),
            *dict(self.places).values(),
        ]


class Link(NamedTuple):
    """Another name for a list, or a copy of it."""

    name: str
    copied: bool


def made(tree: Any, purity: Purity) -> Made | None:
    """What makes a list of numbers, as far as the text tells.

    >>> from tangentlite.optimize.samples import function
    >>> purity = Purity(function("").namespace, frozenset(), lambda callee: False)
    >>> def show(text):
    ...     found = made(syntax.expression(text), purity)
    ...     print(found and [found.rank, *map(syntax.unparse, found.trees)])
    >>> show("[0.0] * (n + 1)"), show("[[c * k for k in range(1, n)] for _ in range(3)]")
    [1, 'n + 1', '0.0']
    [2, '3', '1', 'n', 'c * k']
    (None, None)
    >>> show("[a, 0.0]"), show("[u] + v")
    [1, '2', 'a', '0.0']
    None
    (None, None)
    """
    match tree:
        case (
            gast.BinOp(left=gast.List(elts=[value]), op=gast.Mult(), right=count)
            | gast.BinOp(left=count, op=gast.Mult(), right=gast.List(elts=[value]))
        ) if _is_plain(count, purity) and not isinstance(value, LISTS):
            return Made((Counted(None, None, count),), value, once=True)
        case gast.ListComp(elt=elt, generators=[part]):
            counted = _counted(part, purity)
            return _nested(counted, elt, made(elt, purity)) if counted is not None else None
        case gast.List(elts=[_, *_]):
            return _written_out(tree)
    return None


def _nested(counted: Counted, elt: gast.expr, inner: Made | None) -> Made | None:
    """A list of numbers, or of lists that are equally long."""
    if inner is None:
        return None if isinstance(elt, LISTS) else Made((counted,), elt)
    if inner.places or (inner.once and not syntax.is_atom(inner.value)):
        return None  # what is computed once for each row
    ends = [end for c in inner.counted for end in (c.start, c.stop) if end is not None]
    steady = counted.counter not in syntax.loads(ends)
    return Made((counted, *inner.counted), inner.value) if steady else None


def _counted(part: Any, purity: Purity) -> Counted | None:
    """What ``for k in range(n)`` runs through."""
    match part:
        case gast.comprehension(
            target=gast.Name(id=name),
            iter=gast.Call(func=func, args=[*before, stop], keywords=[]),
            ifs=[],
            is_async=0,
        ) if len(before) < 2 and purity.means(func, (range,)):
            if all(_is_plain(end, purity) for end in (*before, stop)):
                return Counted(name, before[0] if before else None, stop)
    return None


def _is_plain(tree: gast.expr, purity: Purity) -> bool:
    """Whether an integer may be computed twice."""
    for node in syntax.nodes([tree]):
        if isinstance(node, gast.Call) and not purity.means(node.func, (len,)):
            return False
    return not isinstance(tree, gast.List | gast.ListComp)


def _written_out(tree: gast.List) -> Made | None:
    """A list, or a list of lists, whose numbers are in the text."""
    rows = [e.elts for e in tree.elts if isinstance(e, gast.List)]
    sides: tuple[int, ...] = (len(tree.elts),)
    places: dict[tuple[int, ...], Any] = {(i,): e for i, e in enumerate(tree.elts)}
    if len(rows) == len(tree.elts) and len(set(map(len, rows))) == 1:
        sides = (len(rows), len(rows[0]))
        places = {(i, j): e for i, row in enumerate(rows) for j, e in enumerate(row)}
    if not 0 < len(places) <= SHORT or any(isinstance(e, LISTS) for e in places.values()):
        return None
    counted = tuple(Counted(None, None, syntax.constant(side)) for side in sides)
    return Made(counted, None, tuple(places.items()))


def another(tree: Any, purity: Purity) -> Link | None:
    """Another name for something, or a copy of it.

    >>> from tangentlite.optimize.samples import function
    >>> purity = Purity(function("").namespace, frozenset(), lambda callee: False)
    >>> [another(syntax.expression(text), purity) for text in ("u[:]", "list(u)", "u", "u[1:]")]
    [Link(name='u', copied=True), Link(name='u', copied=True), Link(name='u', copied=False), None]
    """
    match tree:
        case gast.Name(id=name):
            return Link(name, False)
        case gast.Subscript(
            value=gast.Name(id=name), slice=gast.Slice(lower=None, upper=None, step=None)
        ):
            return Link(name, True)
        case gast.Call(
            func=gast.Attribute(value=gast.Name(id=name), attr="copy"), args=[], keywords=[]
        ):
            return Link(name, True)
        case gast.Call(func=func, args=[gast.Name(id=name)], keywords=[]) if purity.means(
            func, (list,)
        ):
            return Link(name, True)
    return None


def bindings(statement: Any, purity: Purity) -> list[tuple[str, Made | Link]] | None:
    """The names that an assignment binds to lists of numbers; None if it does anything else."""
    match statement:
        case gast.Assign(targets=[gast.Name(id=name)], value=value):
            pairs = [(name, value)]
        case gast.Assign(targets=[gast.Tuple(elts=left)], value=gast.Tuple(elts=right)) if len(
            left
        ) == len(right) and all(isinstance(e, gast.Name) for e in left):
            pairs = [(e.id, value) for e, value in zip(left, right)]
        case _:
            return None
    found = [(name, made(value, purity) or another(value, purity)) for name, value in pairs]
    kinds = {type(part) for _, part in found}
    if kinds not in ({Made}, {Link}):
        return None
    parts = list(_sure(found))
    read = syntax.loads(
        [tree for _, part in parts if isinstance(part, Made) for tree in part.trees]
    )
    apart = len(parts) == 1 or kinds == {Link} or read.isdisjoint(name for name, _ in parts)
    return parts if apart else None


def _sure(found: list[tuple[str, Any]]) -> Iterator[tuple[str, Made | Link]]:
    for name, part in found:
        assert part is not None
        yield name, part
