"""Lines: statements about rows of arrays in loops become loops over their numbers.

In: the statements of a function, ``Sizes``.
Out: the statements; what sides of arrays must be equally long for that.
Next: prepared.
"""

from __future__ import annotations

from collections.abc import Sequence
from itertools import count
from typing import Any

import gast
import numpy as np

from tangentlite import syntax
from tangentlite.optimize.numbers.forms import FLOAT, INT, NUMBERS, axes_of
from tangentlite.slices.effects import Effects
from tangentlite.slices.leaving import SCOPES
from tangentlite.slices.rows.vectors import NoRow, Vectors
from tangentlite.slices.sizes import Sizes

DOTS = (np.dot, np.vdot, np.inner)


class Rows:
    """Writes loops over the last axis; ``same``: sides that must be equal, ``parts``: so many statements were
    written, ``sums``: so many sums over rows.

    >>> from tangentlite.optimize.samples import text_of
    >>> from tangentlite.slices.samples import sizes
    >>> found = Rows(sizes('''
    ... for i in range(k):
    ...     for j in range(i):
    ...         d = x[i] - x[j]
    ...         r = np.sqrt(d @ d)
    ...         A[i] += d / r
    ... '''))
    >>> print(text_of(found.whole()))
    for i in range(k):
        for j in range(i):
            sum_1 = 0.0
            for c_1 in range(x.shape[1]):
                sum_1 += (x[i, c_1] - x[j, c_1]) ** 2
            r = np.sqrt(sum_1)
            for c_1 in range(A.shape[1]):
                A[i, c_1] += (x[i, c_1] - x[j, c_1]) / r
    >>> found.same
    ['A.shape[1] - x.shape[1]', 'x.shape[1] - A.shape[1]']
    """

    def __init__(self, sizes: Sizes) -> None:
        self._sizes, self._sorts, self._vectors = sizes, sizes.sorts, Vectors(sizes)
        self._taken = {*sizes.function.local, *sizes.function.read}
        self.same, self.parts, self.sums = self._vectors.same, 0, 0
        self._effects = Effects(sizes.function, None)
        self._counter = self._fresh("c")

    def whole(self) -> list[gast.stmt]:
        """The statements of the function, or as they were if a row is used otherwise."""
        if not SCOPES.isdisjoint(self._sizes.function.contents.kinds):
            return self._sizes.function.body
        try:
            return self._block(self._sizes.function.body, inside=False)
        except NoRow:
            self.parts = self.sums = 0
            return self._sizes.function.body

    def _fresh(self, name: str) -> str:
        found = next(n for k in count(1) if (n := f"{name}_{k}") not in self._taken)
        self._taken.add(found)
        return found

    def _block(self, body: Sequence[Any], inside: bool) -> list[gast.stmt]:
        made = list[gast.stmt]()
        for k, statement in enumerate(body):
            if isinstance(statement, gast.For | gast.If | gast.While):
                made += self._around(statement, inside)
            else:
                made += self._statement(statement, body[k + 1 :]) if inside else [statement]
        return made

    def _around(self, statement: Any, inside: bool) -> list[gast.stmt]:
        """A loop or a branch, with the statements in it."""
        made, before = syntax.copy(statement), list[gast.stmt]()
        if isinstance(statement, gast.If):
            made.test = self._numbers(statement.test, before)
            self._check_order(statement.test, before)
        else:
            self._vectors.plain(
                statement.iter if isinstance(statement, gast.For) else statement.test
            )
        made.body = self._block(statement.body, inside or isinstance(statement, gast.For))
        made.orelse = self._block(statement.orelse, inside)
        return [*(syntax.at(s, statement) for s in before), made]

    def _statement(self, statement: Any, rest: Sequence[Any]) -> list[gast.stmt]:
        if not isinstance(statement, gast.Assign | gast.AugAssign):
            self._vectors.plain(statement)
            return [statement]
        for target in getattr(statement, "targets", None) or [statement.target]:
            self._vectors.plain(target)
            if not self._vectors.rows.keys().isdisjoint(syntax.stores(target)):
                raise NoRow
        before, made = list[gast.stmt](), syntax.copy(statement)
        made.value = self._numbers(statement.value, before)
        self._check_order(statement.value, before)
        target = made.targets[0] if isinstance(made, gast.Assign) else made.target
        if isinstance(made, gast.Assign) and self._names_row(made):
            self._keep(target.id, made.value, rest)
            last = []
        elif self._is_stored(made, target):
            last = [self._stored(made, target)]
        else:
            self._vectors.plain(made.value)
            last = [made]
        return [syntax.at(s, statement) for s in (*before, *last)]

    def _names_row(self, made: gast.Assign) -> bool:
        """Whether a row is given a name."""
        alone = len(made.targets) == 1 and isinstance(made.targets[0], gast.Name)
        return alone and self._vectors.is_row(made.value)

    def _is_stored(self, made: Any, target: Any) -> bool:
        """Whether a row, or a number, is stored into a row, or added to one, or a row to a vector."""
        value, known = made.value, self._sorts.known
        if isinstance(target, gast.Name):
            adds = isinstance(made, gast.AugAssign) and known.get(target.id) == 1
            return adds and self._vectors.is_row(value)
        if self._vectors.of(target) is None:
            return False
        if not self._vectors.is_row(value) and self._sorts.of(value) not in NUMBERS:
            raise NoRow
        return True

    def _keep(self, name: str, value: gast.expr, rest: Sequence[Any]) -> None:
        """Remember a row that is said where it is read, if nothing in it changes before."""
        read, local = syntax.loads(value), self._sizes.function.local
        written = syntax.stores(list(rest)) | set(
            map(_base, filter(_is_written, syntax.nodes(list(rest))))
        )
        kept = read | set[str]().union(
            *(syntax.loads(self._vectors.rows[n]) for n in read & self._vectors.rows.keys())
        )
        alone = self._sizes.count(name) == 1 and _count(self._sizes.function.body, name) == _count(
            rest, name
        )
        if not alone or not (kept & local).isdisjoint(written) or not self._last(kept, rest):
            raise NoRow
        self._vectors.rows[name] = value
        self._vectors.part(value, syntax.name(self._counter))  # whether it can be said
        self._vectors.along(self._vectors.sides(value))
        self.parts += 1

    def _last(self, names: set[str], rest: Sequence[Any]) -> bool:
        """Whether nothing in some statements writes into arrays under other names."""
        nodes = list(syntax.nodes(list(rest)))
        written = set(map(_base, filter(_is_written, nodes)))
        added = {_base(n.target) for n in nodes if isinstance(n, gast.AugAssign)}
        written |= {name for name in added if self._sorts.known.get(name) not in NUMBERS}
        arrays = {n for n in names if axes_of(self._sorts.known.get(n)) is not None}
        arrays -= self._vectors.rows.keys()
        apart = not written or all(map(self._sizes.apart, arrays | written))
        return apart and self._effects.all_plain(rest)

    def _stored(self, statement: Any, target: Any) -> gast.stmt:
        """What is stored into a row, or added to it, number by number."""
        made, c, value = syntax.copy(statement), syntax.name(self._counter), statement.value
        over = self._vectors.along([*self._vectors.sides(target), *self._vectors.sides(value)])
        made.value = (
            self._vectors.part(value, c)
            if self._vectors.is_row(value)
            else self._vectors.plain(value)
        )
        place = syntax.store(self._vectors.part(target, c))
        if isinstance(made, gast.Assign):
            made.targets = [place]
        else:
            made.target = place
        own = [n for n in syntax.nodes([made.value]) if _base(n) == _base(target)]
        if any(not _ends_with(n, self._counter) for n in own if isinstance(n, gast.Subscript)):
            raise NoRow  # it reads other places of the row
        self.parts += 1
        return gast.For(syntax.store(c), over, [made], [], None)

    # Numbers ------------------------------------------------------------------------------------

    def _numbers(self, tree: Any, before: list[gast.stmt]) -> Any:
        """An expression without sums over rows, and without places of rows that have names."""
        found = self._summed(tree)
        if found is not None:
            parts, root = found
            return self._sum([self._numbers(part, before) for part in parts], root, before)
        match tree:
            case gast.Subscript(value=gast.Name(id=name), slice=index) if (
                name in self._vectors.rows
            ):
                if self._sorts.of(index) != INT:
                    raise NoRow
                return self._vectors.part(self._vectors.rows[name], index)
            case gast.expr():
                made = syntax.copy(tree)
                for field in made._fields:
                    own = getattr(made, field)
                    if isinstance(own, gast.expr):
                        setattr(made, field, self._numbers(own, before))
                    elif isinstance(own, list):
                        setattr(
                            made,
                            field,
                            [
                                self._numbers(p, before) if isinstance(p, gast.expr) else p
                                for p in own
                            ],
                        )
                return made
        return tree

    def _summed(self, tree: Any) -> tuple[list[gast.expr], bool] | None:
        """The rows whose products are summed, and whether the root is taken."""
        match tree:
            case gast.BinOp(left=left, op=gast.MatMult(), right=right):
                parts, root = [left, right], False
            case gast.Call(func=gast.Attribute(value=row, attr="sum"), args=[], keywords=[]):
                parts, root = [row], False
            case gast.Call(
                func=gast.Attribute(value=row, attr="dot"), args=[other], keywords=[]
            ) if self._vectors.is_row(row):
                parts, root = [row, other], False
            case gast.Call(func=func, args=[row], keywords=[]) if self._sorts.means(
                func, (np.linalg.norm, np.sum)
            ):
                root = self._sorts.means(func, (np.linalg.norm,))
                parts = [row, row] if root else [row]
            case gast.Call(func=func, args=[_, _] as parts, keywords=[]) if self._sorts.means(
                func, DOTS
            ):
                root = False
            case _:
                return None
        vectors = all(self._vectors.is_row(part) or self._sorts.of(part) == 1 for part in parts)
        return (parts, root) if vectors and any(map(self._vectors.is_row, parts)) else None

    def _check_order(self, tree: gast.expr, before: list[gast.stmt]) -> None:
        """Refuse what does more than to give a value, if sums are made before it."""
        if before and not self._effects.all_plain([tree]):
            raise NoRow

    def _sum(self, parts: list[gast.expr], root: bool, before: list[gast.stmt]) -> gast.expr:
        """The name of a sum, which is computed before."""
        name, c = self._fresh("sum"), syntax.name(self._counter)
        numbers = [self._vectors.part(part, c) for part in parts]
        value = numbers[0]
        if len(numbers) == 2:
            twice = syntax.same(*numbers)
            other, op = (syntax.constant(2), gast.Pow()) if twice else (numbers[1], gast.Mult())
            value = gast.BinOp(value, op, other)
        over = self._vectors.along([side for part in parts for side in self._vectors.sides(part)])
        before += [
            syntax.assign(name, syntax.constant(0.0)),
            gast.For(
                syntax.store(c),
                over,
                [gast.AugAssign(syntax.store(syntax.name(name)), gast.Add(), value)],
                [],
                None,
            ),
        ]
        self._sorts.known[name] = FLOAT
        self.sums += 1
        return syntax.expression("np.sqrt(s)", s=name) if root else syntax.name(name)


def _is_written(node: Any) -> bool:
    return isinstance(node, gast.Subscript) and not isinstance(node.ctx, gast.Load)


def _base(node: Any) -> str:
    while isinstance(node, gast.Subscript | gast.Attribute):
        node = node.value
    return node.id if isinstance(node, gast.Name) else ""


def _ends_with(node: gast.Subscript, counter: str) -> bool:
    """Whether the last index of a place is a counter."""
    last = node.slice.elts[-1] if isinstance(node.slice, gast.Tuple) else node.slice
    return isinstance(last, gast.Name) and last.id == counter


def _count(body: Sequence[Any], name: str) -> int:
    """How often a name is read."""
    nodes = (n for n in syntax.nodes(list(body)) if isinstance(n, gast.Name))
    return sum(n.id == name and isinstance(n.ctx, gast.Load) for n in nodes)
