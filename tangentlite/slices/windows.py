"""Windows: sums over parts of arrays, element by element of what is around, become loops over their places.

In: the statements of a function, ``Sizes``.
Out: the statements; the counters of loops in which a window was taken, and what must hold for that.
Next: prepared.

A window that reaches over an end is shorter, or begins at the other one, which its loops do not: they only stand for
it where all of them become slices, for which nothing may reach over an end.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from itertools import count
from typing import Any

import gast
import numpy as np

from tangentlite import syntax
from tangentlite.optimize.numbers.forms import FLOAT, INT, NUMBERS, axes_of, is_array
from tangentlite.slices.affine import Affine, is_natural
from tangentlite.slices.effects import Effects, guarded
from tangentlite.slices.sizes import Sizes

Known = Mapping[str, Affine]
Sides = list[Affine]
PRODUCTS = (np.dot, np.vdot, np.inner)


class NoWindow(Exception):
    """What is no sum over parts of arrays."""


class Windows:
    """Writes loops over windows; ``same``: sides that must be equal, ``around``: the counters of what is around.

    >>> from tangentlite.optimize.samples import text_of
    >>> from tangentlite.slices.samples import sizes
    >>> found = Windows(sizes('''
    ... for i in range(1, x.shape[0] - 1):
    ...     for j in range(k):
    ...         A[i, j] = np.sum(x[i - 1:i + 2, j:j + 3] * A) / 9.0
    ... '''))
    >>> print(text_of(found.whole()))
    for i in range(1, x.shape[0] - 1):
        for j in range(k):
            sum_1 = 0.0
            for o_1 in range(3):
                for o_2 in range(3):
                    sum_1 += x[i - 1 + o_1, j + o_2] * A[o_1, o_2]
            A[i, j] = sum_1 / 9.0
    >>> found.same, found.around
    (['A.shape[0] - 3', '3 - A.shape[0]', 'A.shape[1] - 3', '3 - A.shape[1]'], {'j'})
    """

    def __init__(self, sizes: Sizes) -> None:
        self._sizes, self._sorts = sizes, sizes.sorts
        self._taken = {*sizes.function.local, *sizes.function.read}
        self._effects = Effects(sizes.function, None)
        self.same, self.around = list[str](), set[str]()
        self._counters = list[str]()

    def whole(self) -> list[gast.stmt]:
        """The statements of the function."""
        return self._block(self._sizes.function.body, {})

    def _block(self, body: Sequence[Any], known: dict[str, Affine]) -> list[gast.stmt]:
        made = list[gast.stmt]()
        for statement in body:
            match statement:
                case gast.For(target=gast.Name(id=counter)):
                    self._counters.append(counter)
                    made.append(self._with(statement, {**known, counter: Affine.of(counter)}))
                    self._counters.pop()
                case gast.For() | gast.If() | gast.While():
                    made.append(self._with(statement, known))
                case gast.Assign(targets=[_]) | gast.AugAssign() if known:
                    made += self._statement(statement, known)
                    self._learn(statement, known)
                case _:
                    made.append(statement)
        return made

    def _with(self, statement: Any, known: dict[str, Affine]) -> gast.stmt:
        made = syntax.copy(statement)
        made.body = self._block(statement.body, dict(known))
        made.orelse = self._block(statement.orelse, dict(known))
        return made

    def _learn(self, statement: Any, known: dict[str, Affine]) -> None:
        """An integer with a name, which is bound once."""
        match statement:
            case gast.Assign(targets=[gast.Name(id=name)], value=value) if (
                self._sorts.known.get(name) == INT and self._sizes.count(name) == 1
            ):
                found = self._sizes.of(value, known)
                known.update({name: found} if found is not None else {})

    def _statement(self, statement: Any, known: Known) -> list[gast.stmt]:
        """A statement after the sums that it needs, if it does nothing else that could be seen."""
        asked = {id(call) for call in guarded(statement)}
        if asked or not self._effects.all_plain([statement]):
            return [statement]
        before, made = list[gast.stmt](), syntax.copy(statement)
        made.value = self._summed(made.value, known, before)
        if not before:
            return [statement]
        self.around.add(self._counters[-1])
        return [syntax.at(s, statement) for s in (*before, made)]

    def _summed(self, tree: Any, known: Known, before: list[gast.stmt]) -> Any:
        """An expression with names for the sums over windows in it."""
        found = self._window(tree)
        if found is not None:
            try:
                return self._named(*found, known, before)
            except NoWindow:
                return tree
        for field in getattr(tree, "_fields", ()):
            own = getattr(tree, field)
            if isinstance(own, gast.expr):
                setattr(tree, field, self._summed(own, known, before))
            elif isinstance(own, list):
                parts = (
                    self._summed(p, known, before) if isinstance(p, gast.expr) else p for p in own
                )
                setattr(tree, field, list(parts))
        return tree

    def _window(self, tree: Any) -> tuple[gast.expr, bool] | None:
        """What is summed, and whether it is divided by how much that is."""
        match tree:
            case gast.Call(func=gast.Attribute(value=part, attr="sum" | "mean" as name), args=[]):
                if not tree.keywords and _has_slices(part):
                    return part, name == "mean"
            case gast.BinOp(left=left, op=gast.MatMult(), right=right):
                return self._product(left, right)
        match tree:
            case gast.Call(func=func, args=[part], keywords=[]) if _has_slices(part):
                if self._sorts.means(func, (np.sum, np.mean)):
                    return part, self._sorts.means(func, (np.mean,))
            case gast.Call(func=func, args=[left, right], keywords=[]):
                return self._product(left, right) if self._sorts.means(func, PRODUCTS) else None
        return None

    def _product(self, left: gast.expr, right: gast.expr) -> tuple[gast.expr, bool] | None:
        vectors = self._rank(left) == self._rank(right) == 1
        product = gast.BinOp(left, gast.Mult(), right)
        return (product, False) if vectors and _has_slices(product) else None

    def _named(
        self, tree: gast.expr, mean: bool, known: Known, before: list[gast.stmt]
    ) -> gast.expr:
        """The name of a sum, which is computed before."""
        rank = self._rank(tree)
        if not rank:
            raise NoWindow
        sides = self._sides(tree, rank, known)
        self._check(sides, mean)
        counters = [self._fresh("o") for _ in range(rank)]
        name = self._fresh("sum")
        value = self._place(tree, [syntax.name(c) for c in counters])
        added: gast.stmt = gast.AugAssign(syntax.store(syntax.name(name)), gast.Add(), value)
        for counter, side in reversed(list(zip(counters, sides[0]))):
            over = syntax.expression("range(n)", n=side.tree())
            added = gast.For(syntax.store(syntax.name(counter)), over, [added], [], None)
        before += [syntax.assign(name, syntax.constant(0.0)), added]
        self._sorts.known[name] = FLOAT
        if not mean:
            return syntax.name(name)
        size = gast.Tuple([side.tree() for side in sides[0]], gast.Load()).elts
        whole = size[0]
        for other in size[1:]:
            whole = gast.BinOp(whole, gast.Mult(), other)
        return gast.BinOp(syntax.name(name), gast.Div(), whole)

    def _check(self, sides: Sequence[Sides], mean: bool) -> None:
        """What must not be negative, so that all operands are equally long, and slices end behind their start."""
        first = sides[0]
        ends = [side - 1 if mean else side for side in first]
        if any((end.constant or 0) < 0 for end in ends):
            raise NoWindow
        needed = [str(end) for end in ends if not is_natural(end)]
        for other in sides[1:]:
            for a, b in zip(other, first):
                if (a - b).constant is None:
                    needed += [str(a - b), str(b - a)]
                elif a != b:
                    raise NoWindow
        self.same += [text for text in needed if text not in self.same]

    def _fresh(self, name: str) -> str:
        found = next(n for k in count(1) if (n := f"{name}_{k}") not in self._taken)
        self._taken.add(found)
        return found

    # Expressions --------------------------------------------------------------------------------

    def _rank(self, tree: Any) -> int:
        """How many axes an expression has; 0 of a number, or what is not known."""
        match tree:
            case gast.Subscript(value=gast.Name(id=name), slice=index):
                rank, entries = axes_of(self._sorts.known.get(name)) or 0, _entries(index)
                slices = [isinstance(e, gast.Slice) for e in entries]
                whole = all(s or self._sorts.of(e) == INT for s, e in zip(slices, entries))
                return rank - slices.count(False) if whole and len(entries) <= rank else 0
            case gast.Name(id=name):
                form = self._sorts.known.get(name)
                return (axes_of(form) or 0) if is_array(form) else 0
            case gast.BinOp(left=left, right=right) if not isinstance(tree.op, gast.MatMult):
                return max(self._rank(left), self._rank(right))
            case gast.UnaryOp(operand=operand):
                return self._rank(operand)
            case gast.Call(func=func, args=args, keywords=[]) if self._sorts.is_elementwise(func):
                return max(map(self._rank, args), default=0)
        return 0

    def _sides(self, tree: Any, rank: int, known: Known) -> list[Sides]:
        """How long the operands are that are no numbers."""
        if not self._rank(tree):
            if self._sorts.of(tree) not in NUMBERS or _has_slices(tree):
                raise NoWindow
            return []
        match tree:
            case gast.Subscript() | gast.Name():
                if self._rank(tree) != rank:
                    raise NoWindow
                return [self._own_sides(tree, known)]
        parts = tree.args if isinstance(tree, gast.Call) else syntax.children(tree)
        operands = (p for p in parts if isinstance(p, gast.expr))
        return [sides for part in operands for sides in self._sides(part, rank, known)]

    def _own_sides(self, tree: Any, known: Known) -> Sides:
        name = tree.id if isinstance(tree, gast.Name) else tree.value.id
        shapes = set(self._sizes.shapes(name))
        if len(shapes) != 1:
            raise NoWindow
        entries = [] if isinstance(tree, gast.Name) else _entries(tree.slice)
        found = Sides()
        for k, side in enumerate(shapes.pop()):
            entry = entries[k] if k < len(entries) else gast.Slice(None, None, None)
            if isinstance(entry, gast.Slice):
                found.append(self._length(entry, side, known))
        return found

    def _length(self, entry: gast.Slice, side: Affine, known: Known) -> Affine:
        """How long a slice is, whatever the counters are."""
        low = Affine((), 0) if entry.lower is None else self._sizes.of(entry.lower, known)
        high = side if entry.upper is None else self._sizes.of(entry.upper, known)
        if low is None or high is None or entry.step is not None:
            raise NoWindow
        if (high.constant or 0) < 0:
            high += side
        if not (high - low).names.isdisjoint(known):
            raise NoWindow
        return high - low

    def _place(self, tree: Any, offsets: Sequence[gast.expr]) -> gast.expr:
        """The number of a window at a place."""
        if not self._rank(tree):
            return tree
        match tree:
            case gast.Name():
                return _at(tree, list(offsets))
            case gast.Subscript(value=value, slice=index):
                left, made = list(offsets), list[gast.expr]()
                for entry in _entries(index):
                    made.append(_moved(entry, left.pop(0)) if _is_slice(entry) else entry)
                return _at(value, [*made, *left])
            case gast.BinOp(left=left, op=op, right=right):
                return gast.BinOp(self._place(left, offsets), op, self._place(right, offsets))
            case gast.UnaryOp(op=op, operand=operand):
                return gast.UnaryOp(op, self._place(operand, offsets))
        return gast.Call(tree.func, [self._place(arg, offsets) for arg in tree.args], [])


def _entries(index: gast.expr) -> list[gast.expr]:
    return index.elts if isinstance(index, gast.Tuple) else [index]


def _is_slice(entry: gast.expr) -> bool:
    return isinstance(entry, gast.Slice)


def _moved(entry: Any, offset: gast.expr) -> gast.expr:
    """The place that is so far from the start of a slice."""
    low = entry.lower
    if low is None or (isinstance(low, gast.Constant) and low.value == 0):
        return offset
    return gast.BinOp(low, gast.Add(), offset)


def _at(array: gast.expr, index: list[gast.expr]) -> gast.expr:
    place = index[0] if len(index) == 1 else gast.Tuple(index, gast.Load())
    return gast.Subscript(array, place, gast.Load())


def _has_slices(tree: gast.expr) -> bool:
    """Whether some part of an array is taken from one place to another."""
    slices = (n for n in syntax.walk(tree) if isinstance(n, gast.Slice))
    return any(s.lower is not None or s.upper is not None for s in slices)
