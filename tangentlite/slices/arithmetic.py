"""Arithmetic: expressions that say of arrays, place by place, what they say of numbers.

In: an expression in a loop, ``Sizes``.
Out: the places that it reads; ``NotSliced`` if arrays do anything else.
Next: reader.
"""

from __future__ import annotations

import math
from collections.abc import Iterator
from typing import Any

import gast
import numpy as np

from tangentlite import syntax
from tangentlite.optimize.numbers.calls import MATH as NUMPY
from tangentlite.optimize.numbers.forms import FLOAT, INT, NUMBERS, axes_of, is_array
from tangentlite.optimize.numbers.sorts import Sorts
from tangentlite.slices.affine import Affine
from tangentlite.slices.nests import Known, NotSliced, Ref
from tangentlite.slices.sizes import Sizes

MATH: dict[object, np.ufunc] = {getattr(math, name): f for f, name in NUMPY.items()}


ORDERS = (gast.Lt, gast.LtE, gast.Gt, gast.GtE, gast.Eq, gast.NotEq)
EXTREMA = {
    max: (np.maximum, np.fmax),
    min: (np.minimum, np.fmin),
}  # the second if a constant comes first
TAME = (
    np.sin,
    np.cos,
    np.tanh,
    np.arctan,
    np.maximum,
    np.minimum,
    np.fabs,
    np.absolute,
    abs,
    max,
    min,
)


def is_constant(tree: gast.expr) -> bool:
    """Whether an expression is a number, or minus a number."""
    return isinstance(tree.operand if isinstance(tree, gast.UnaryOp) else tree, gast.Constant)


def is_tame(tree: gast.expr, sorts: Sorts) -> bool:
    """Whether an expression may be computed where nobody asks for it: it gives finite numbers for finite ones."""
    for node in syntax.nodes([tree]):
        match node:
            case gast.Call(func=func) if not sorts.means(func, TAME):
                return False
            case gast.BinOp(op=gast.Div(), right=right):
                if not isinstance(right, gast.Constant) or not right.value:
                    return False
            case gast.BinOp(op=gast.Pow(), right=right):
                if not isinstance(right, gast.Constant) or right.value not in (2, 3, 4):
                    return False
    return True


class Arithmetic:
    """Looks at expressions; ``rough``: functions of ``math`` may be those of NumPy, which differ in the last digit.

    ``risky``: somewhere a number of Python would raise an error where one of NumPy warns.
    """

    def __init__(self, sizes: Sizes, rough: bool) -> None:
        self._sizes, self._sorts = sizes, sizes.sorts
        self._rough = rough
        self.start()

    def start(self) -> None:
        """Another nest."""
        self.risky, self._bound, self._numpy = False, set[str](), set[str]()

    def place(self, tree: Any, known: Known) -> Ref:
        """The place of an array."""
        indices: list[Any] = []
        while isinstance(tree, gast.Subscript):
            own = tree.slice.elts if isinstance(tree.slice, gast.Tuple) else [tree.slice]
            indices, tree = [*own, *indices], tree.value
        if not isinstance(tree, gast.Name):
            raise NotSliced
        found = [self._sizes.of(index, known) for index in indices]
        rank = axes_of(self._sorts.known.get(tree.id))
        if None in found or rank != len(found) or not self._sizes.shapes(tree.id):
            raise NotSliced
        return Ref(tree.id, tuple(self._from_start(tree.id, found)))

    def _from_start(self, name: str, index: list[Any]) -> Iterator[Affine]:
        """Places that are counted from the end are counted from the start."""
        shapes = self._sizes.shapes(name)
        for k, place in enumerate(index):
            if (place.constant or 0) < 0:
                if len({shape[k] for shape in shapes}) != 1:
                    raise NotSliced
                place = shapes[0][k] + place
            yield place

    def places(self, tree: Any, known: Known) -> Iterator[tuple[int, Ref]]:
        """The places that an expression reads, in which there is nothing but arithmetic."""
        match tree:
            case gast.Constant(value=int() | float()):
                return
            case gast.Name(id=name):
                if name not in known and self._sorts.known.get(name) not in NUMBERS:
                    raise NotSliced
            case gast.Subscript():
                ref = self.place(tree, known)
                if not is_array(self._sorts.known.get(ref.array)):
                    raise NotSliced  # integers of so many bits
                yield id(tree), ref
            case gast.UnaryOp(op=gast.USub() | gast.UAdd(), operand=operand):
                yield from self.places(operand, known)
            case gast.BinOp(left=left, right=right):
                yield from self.places(left, known)
                yield from self.places(right, known)
                self._check(tree, known)
            case gast.Call(func=func, args=args, keywords=[]) if args and self._is_plain(func):
                self._check_extremum(func, args)
                for arg in args:
                    yield from self.places(arg, known)
            case gast.IfExp(test=test, body=body, orelse=orelse):
                for part in (*self._conditions(test), body, orelse):
                    yield from self.places(part, known)
                if not (is_tame(body, self._sorts) and is_tame(orelse, self._sorts)):
                    self._risk()
            case gast.Attribute() if self._sorts.of(tree) == FLOAT:
                return
            case _:
                raise NotSliced

    def _conditions(self, test: Any) -> Iterator[gast.expr]:
        """The numbers that a condition compares."""
        match test:
            case gast.Compare(left=left, ops=ops, comparators=others):
                if not all(isinstance(op, ORDERS) for op in ops):
                    raise NotSliced
                yield from (left, *others)
            case gast.BoolOp(values=values):
                for value in values:
                    yield from self._conditions(value)
            case gast.UnaryOp(op=gast.Not(), operand=operand):
                yield from self._conditions(operand)
            case _:
                raise NotSliced

    def _check_extremum(self, func: gast.expr, args: list[Any]) -> None:
        """Refuse ``max`` of what may both be no numbers: then the first is taken."""
        if self._sorts.meaning(func) in EXTREMA:
            constants = list(map(is_constant, args))
            if constants not in ([True, False], [False, True]):
                raise NotSliced

    def bind(self, name: str, value: gast.expr, again: bool) -> None:
        """Remember whether a name holds a number of NumPy."""
        self._bound.add(name)
        if not self._is_numpy(value):
            self._numpy.discard(name)
        elif not again:
            self._numpy.add(name)

    def check_added(self, target: Any, op: Any, value: gast.expr, known: Known) -> None:
        """Refuse what ``target op= value`` does otherwise with numbers of Python."""
        place = isinstance(target, gast.Subscript)
        if not (place and isinstance(op, gast.Mod | gast.FloorDiv)):
            left = target if place else syntax.name(target.id)
            self._check(gast.BinOp(left, op, value), known)

    def _is_numpy(self, tree: gast.expr) -> bool:
        """Whether a real number is made of those of arrays, or given by a function of NumPy."""
        match tree:
            case gast.Subscript():
                return True
            case gast.Name(id=name):
                return name in self._numpy
            case gast.UnaryOp(operand=operand):
                return self._is_numpy(operand)
            case gast.BinOp(left=left, right=right):
                return self._is_numpy(left) or self._is_numpy(right)
            case gast.IfExp(body=body, orelse=orelse):
                return self._is_numpy(body) and self._is_numpy(orelse)
            case gast.Call(func=func, args=args):
                meant = self._sorts.meaning(func)
                return isinstance(meant, np.ufunc) or (meant is abs and self._is_numpy(args[0]))
        return False

    def _check(self, tree: gast.BinOp, known: Known) -> None:
        """Refuse what numbers of Python do otherwise than those of arrays: large integers, errors, complex roots."""
        op, left, right = tree.op, tree.left, tree.right
        if not isinstance(op, gast.Add | gast.Sub | gast.Mult | gast.Div | gast.Pow):
            raise NotSliced
        sort = self._sorts.of(tree)
        if sort == INT and self._bits(tree, known) > 62:
            raise NotSliced
        square = isinstance(right, gast.Constant) and type(right.value) is int and right.value > 0
        if isinstance(op, gast.Pow) and self._sorts.of(left) == INT:
            if not square or self._bits(left, known) * right.value > 62:
                raise NotSliced
        constant = isinstance(right, gast.Constant) and bool(right.value)
        fails = isinstance(op, gast.Div) and not constant
        fails = fails or (isinstance(op, gast.Pow) and not square)
        varies = not self._bound.union(known).isdisjoint(syntax.loads(tree))
        if fails and varies and not self._is_numpy(tree):
            self._risk()

    def _risk(self) -> None:
        if not self._rough:
            raise NotSliced
        self.risky = True

    def _bits(self, tree: gast.expr, known: Known) -> int:
        """So many bits an integer has at most, if arguments have 31."""
        match tree:
            case gast.Constant(value=int() as value):
                return value.bit_length()
            case gast.BinOp(left=left, op=op, right=right):
                a, b = self._bits(left, known), self._bits(right, known)
                return a + b if isinstance(op, gast.Mult) else max(a, b) + 1
            case gast.UnaryOp(operand=operand):
                return self._bits(operand, known)
        return 31 if self._sizes.of(tree, known) is not None else 62

    def _is_plain(self, func: gast.expr) -> bool:
        meant = self._sorts.meaning(func)
        if meant in MATH:
            self._risk()
        if meant is abs or meant in MATH or meant in EXTREMA:
            return True
        return isinstance(meant, np.ufunc) and self._sorts.is_elementwise(func)
