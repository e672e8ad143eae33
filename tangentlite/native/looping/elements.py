"""The shape of an expression on arrays, and the text of one of its elements.

In: expressions of a kernel, what is known of their names.
Out: lengths; the text of an element, and what must be done before its loop.
Next: loops.
"""

from __future__ import annotations

import ast
from collections.abc import Callable
from typing import Any

import numpy as np

from tangentlite import runtime
from tangentlite.native.facts.known import (
    ARITHMETIC,
    CASTS,
    CHOSEN,
    FUNCTIONS,
    ROLLED,
    TURN,
    is_elementwise,
    is_one_of,
)
from tangentlite.native.facts.lengths import Lengths, axes_of
from tangentlite.native.facts.names import loads
from tangentlite.native.facts.ranks import Names
from tangentlite.native.library.exponentials import spoken
from tangentlite.native.looping.access import access
from tangentlite.native.looping.choices import Choice, choice
from tangentlite.native.looping.nests import BEFORE, EVERYTHING, Loop, note
from tangentlite.native.looping.sides import sided

WIDENED = (runtime.spread, runtime.broadcast)
SIGNS = {ast.Add: "+", ast.Sub: "-", ast.Mult: "*", ast.Pow: "**"}
COMPARED = {ast.Lt: "<", ast.LtE: "<=", ast.Gt: ">", ast.GtE: ">=", ast.Eq: "==", ast.NotEq: "!="}
Shape = tuple[str, ...]


class Elements:
    """``fresh`` gives names that the kernel does not have."""

    def __init__(
        self,
        names: Names,
        lengths: Lengths,
        meaning: Callable[[ast.expr], Any],
        fresh: Callable[[str], str],
    ) -> None:
        self._names, self._lengths, self._meaning = names, lengths, meaning
        self._fresh = fresh

    # Shapes ---------------------------------------------------------------------------------

    def shape(self, node: ast.expr) -> Shape | None:
        """The lengths of an expression whose elements can be said; None for others."""
        rank = self._names.rank(node)
        if rank == 0:
            return ()
        match node:
            case _ if rank is None:
                return None
            case ast.Name() | ast.Subscript():
                place = access(node, self._names, self._lengths)
                return None if place is None else place.counts
            case ast.UnaryOp(op=ast.USub(), operand=operand):
                return self.shape(operand)
            case ast.BinOp(left=left, op=op, right=right) if isinstance(op, ARITHMETIC):
                return self._joint([left, right])
            case ast.Compare(left=left, ops=[op], comparators=[right]) if type(op) in COMPARED:
                return self._joint([left, right])
            case ast.Attribute(value=array, attr="T"):
                found = self.shape(array)
                return found and found[::-1]
            case ast.Call(func=ast.Attribute(value=array, attr="copy"), args=[]):
                return self.shape(array)
            case ast.Call(func=ast.Attribute(value=array, attr="astype"), args=[kind]):
                return self.shape(array) if is_one_of(self._meaning(kind), CASTS) else None
            case ast.Call(func=ast.Name(id=name), args=[array, index]) if name == CHOSEN:
                return self.chosen(choice(array, index, self._names, self._lengths))
            case ast.Call(func=func, args=args, keywords=[]):
                return self._called(self._meaning(func), node, args)
        return None

    def chosen(self, found: Choice | None) -> Shape | None:
        """The lengths of what arrays of indices choose."""
        joint = None if found is None else self._joint(found.indices)
        return None if found is None or joint is None else found.shape(joint)

    def outline(self, node: ast.expr) -> Shape | None:
        """The lengths of an expression, said or not."""
        match node:
            case ast.Call(func=func, args=[array], keywords=[]) if (
                self._meaning(func) is np.ascontiguousarray
            ):
                return self.outline(array)
            case ast.BinOp(left=left, op=ast.MatMult(), right=right):
                one, two = self.outline(left), self.outline(right)
                if not one or not two or max(len(one), len(two)) > 2:
                    return None
                return one[:-1] + (two[1:] if len(two) == 2 else ())
            case ast.Call(func=func, args=[_, ast.Attribute(value=like, attr="shape")]) if (
                self._meaning(func) is np.reshape
            ):
                return self.outline(like)
            case ast.Call(func=func, args=[_, right]) if self._meaning(func) is np.linalg.solve:
                return self.outline(right) if self._names.rank(node) else None
        return self.shape(node)

    def _called(self, meant: Any, call: ast.Call, args: list[ast.expr]) -> Shape | None:
        if is_elementwise(meant, call) or is_one_of(meant, (*FUNCTIONS, np.where)):
            return self._joint(args) if len(args) > 1 or meant is not np.where else None
        if meant is runtime.unbroadcast:
            return self._unbroadcast(args)
        if meant is runtime.weighted:
            whole = self.outline(args[2])
            inner = self._joint(args[:2])
            if not whole or inner is None or len(inner) > len(whole):
                return None
            along = zip(whole[len(whole) - len(inner) :], inner)
            return whole if all(a != "1" or b == "1" for a, b in along) else None
        if is_one_of(meant, WIDENED):
            whole, inner = self.outline(args[1]), self.shape(args[0])
            return whole if inner is not None and len(inner) <= len(whole or ()) else None
        if meant is runtime.unreduce:
            return self._unreduced(args)
        if meant is runtime.kept:
            return self._kept(args)
        if meant is np.outer and [self._names.rank(a) for a in args] == [1, 1]:
            shapes = [self.shape(a) for a in args]
            return tuple(s[0] for s in shapes if s) if all(shapes) else None
        if meant is np.roll:
            return self._turned(args)
        flipped = meant is np.flip and len(args) == 1 and self._names.rank(args[0]) == 1
        same = flipped or (meant is runtime.real_only and self._names.floating(args[0]))
        return self.shape(args[0]) if same else None

    def _turned(self, args: list[ast.expr]) -> Shape | None:
        """The lengths of what is rolled by a number along one axis; what is computed is not said several times."""
        array, shift = args[0], args[1] if len(args) > 1 else None
        rolled = isinstance(array, ast.Call) and self._meaning(array.func) is np.roll
        if shift is None or self._names.rank(shift) != 0:
            return None
        if not rolled and not isinstance(array, (ast.Name, ast.Subscript)):
            return None
        shape = self.shape(array)
        return shape if shape and self._along(args, len(shape)) is not None else None

    def _along(self, args: list[ast.expr], rank: int) -> int | None:
        """The axis along which an array is rolled."""
        try:
            axes = axes_of(args[2], rank) if len(args) > 2 else set(range(rank))
        except (ValueError, TypeError):
            return None
        return axes.pop() if len(axes) == 1 else None

    def _joint(self, nodes: list[ast.expr]) -> Shape | None:
        """What arrays broadcast to; lengths that are not the same by their text are compared before the loop."""
        found: Shape = ()
        for node in nodes:
            shape = self.shape(node)
            if shape is None:
                return None
            long, short = (found, shape) if len(found) >= len(shape) else (shape, found)
            lead = len(long) - len(short)
            both = zip(long[lead:], short)
            found = long[:lead] + tuple(b if a == "1" else a for a, b in both)
        return found

    def _unbroadcast(self, args: list[ast.expr]) -> Shape | None:
        """Where nothing is summed: the lengths of both are the same."""
        one, like = self.shape(args[0]), self.outline(args[1])
        if one is None or not like or (one and len(one) != len(like)):
            return None
        alike = all(a == b or "1" not in (a, b) for a, b in zip(one, like))
        return like if alike else None

    def _unreduced(self, args: list[ast.expr]) -> Shape | None:
        whole, reduced = self.shape(args[1]), self.shape(args[0])
        if not whole or reduced is None:
            return None
        if not reduced:
            return whole
        try:
            axes, keeps = self._axes(args, len(whole))
        except ValueError:
            return None
        left = [k for k in range(len(whole)) if keeps or k not in axes]
        return whole if len(reduced) == len(left) else None

    def _kept(self, args: list[ast.expr]) -> Shape | None:
        """The axes that were reduced are back, with the length one."""
        whole, reduced = self.outline(args[1]), self.shape(args[0])
        if not whole or reduced is None:
            return None
        try:
            axes, keeps = self._axes(args, len(whole))
        except ValueError:
            return None
        if keeps or len(reduced) + len(axes) != len(whole):
            return reduced if keeps else None
        lengths = iter(reduced)
        return tuple("1" if k in axes else next(lengths) for k in range(len(whole)))

    def _axes(self, args: list[ast.expr], rank: int) -> tuple[set[int], bool]:
        axes = axes_of(args[2], rank) if len(args) > 2 else set(range(rank))
        return axes, bool(ast.literal_eval(args[3])) if len(args) > 3 else False

    # Elements -------------------------------------------------------------------------------

    def say(self, node: ast.expr, loop: Loop, at: Shape) -> str:
        """The text of the element at a place; the shape of the expression is known."""
        if self._names.rank(node) == 0:
            return self._scalar(node, loop)
        match node:
            case ast.Name() | ast.Subscript():
                return self._read(node, loop, at)
            case ast.UnaryOp(operand=operand):
                return f"(-{self.say(operand, loop, at)})"
            case ast.BinOp(left=left, op=op, right=right):
                one, two = self.say(left, loop, at), self.say(right, loop, at)
                if isinstance(op, ast.Div):
                    return f"np.divide({one}, {two})"
                return f"({one} {SIGNS[type(op)]} {two})"
            case ast.Compare(left=left, ops=[op], comparators=[right]):
                one, two = self.say(left, loop, at), self.say(right, loop, at)
                return f"({one} {COMPARED[type(op)]} {two})"
            case ast.Attribute(value=array):
                return self.say(array, loop, at[::-1])
            case ast.Call(func=ast.Attribute(value=array, attr="copy"), args=[]):
                return self.say(array, loop, at)
            case ast.Call(func=ast.Attribute(value=array, attr="astype"), args=[kind]):
                return f"{ast.unparse(kind)}({self.say(array, loop, at)})"
            case ast.Call(func=ast.Name(id=name), args=[array, index]) if name == CHOSEN:
                found = choice(array, index, self._names, self._lengths)
                assert found is not None
                note(loop.reads, found.array, EVERYTHING)
                return self.place(found, loop, at)
        assert isinstance(node, ast.Call)
        return self._applied(node, self._meaning(node.func), loop, at)

    def place(self, found: Choice, loop: Loop, at: Shape) -> str:
        """The element of what arrays of indices choose."""
        rank = len(self._joint(found.indices) or ())
        outer = [*at[: found.lead], *at[found.lead + rank :]]
        whole = [c for part, c in zip(found.parts, found.counts) if part is None]
        moved = iter([self._met(mine, place, loop) for mine, place in zip(whole, outer)])
        inner = at[found.lead : found.lead + rank]
        places = (*(next(moved) for _ in range(found.lead)), *inner, *moved)
        return found.place(places, rank, lambda part, among: self.say(part, loop, among))

    def _met(self, mine: str, place: str, loop: Loop) -> str:
        """Where a loop stands along an axis of this length."""
        whole = loop.trips.get(place)
        if mine == "1" != whole:
            return "0"
        if whole is not None:
            self._check(mine, whole, loop)
        return place

    def _applied(self, call: ast.Call, meant: Any, loop: Loop, at: Shape) -> str:
        args = call.args
        if is_one_of(meant, (*WIDENED, runtime.real_only)):
            return self.say(args[0], loop, self._aligned(args[0], at))
        if meant is runtime.unbroadcast:
            self._same(args[0], args[1], loop)
            return self.say(args[0], loop, at)
        if meant is runtime.weighted:
            product = ast.BinOp(args[0], ast.Mult(), args[1])
            return self.say(product, loop, at)
        if meant is runtime.unreduce:
            return self._unreducing(args, loop, at)
        if meant is runtime.kept:
            axes, keeps = self._axes(args, len(at))
            return self.say(
                args[0], loop, tuple(i for k, i in enumerate(at) if keeps or k not in axes)
            )
        if meant is np.outer:
            one, two = (self.say(a, loop, (v,)) for a, v in zip(args, at))
            return f"({one} * {two})"
        if meant is np.roll:
            return self._rolling(args, loop, at)
        if meant is np.flip:
            (count,) = self.shape(args[0]) or ("",)
            place = f"{count} - 1 - {at[0]}"
            loop.trips[place] = count
            self._check(count, loop.trips.get(at[0], count), loop)
            return self.say(args[0], loop, (place,))
        texts = [self.say(arg, loop, at) for arg in args]
        if meant is np.where:
            return sided(*texts)
        name = spoken(meant) or ast.unparse(call.func)
        return f"{name}({', '.join(texts)})"

    def _rolling(self, args: list[ast.expr], loop: Loop, at: Shape) -> str:
        shape = self.shape(args[0]) or ()
        axis = self._along(args, len(shape)) or 0
        here, count = at[axis], shape[axis]
        shift = self._fresh("s")
        for read in loads(args[1]):
            note(loop.reads, read, BEFORE)
        loop.before.append(f"{shift} = {TURN}({ast.unparse(args[1])}, {count})")
        place = f"{ROLLED}({here}, {shift}, {count})"
        loop.trips[place] = count
        self._check(count, loop.trips.get(here, count), loop)
        return self.say(args[0], loop, (*at[:axis], place, *at[axis + 1 :]))

    def _unreducing(self, args: list[ast.expr], loop: Loop, at: Shape) -> str:
        reduced, whole = self.shape(args[0]), self.shape(args[1]) or ()
        if not reduced:
            return self.say(args[0], loop, ())
        axes, keeps = self._axes(args, len(whole))
        left = [k for k in range(len(whole)) if keeps or k not in axes]
        for mine, k in zip(reduced, left):
            self._check(mine, "1" if k in axes else whole[k], loop)
        return self.say(args[0], loop, tuple("0" if k in axes else at[k] for k in left))

    def _same(self, one: ast.expr, other: ast.expr, loop: Loop) -> None:
        for a, b in zip(self.shape(one) or (), self.outline(other) or ()):
            self._check(a, b, loop)

    def _check(self, mine: str, whole: str, loop: Loop) -> None:
        if mine != whole:
            loop.checks[mine, whole] = None

    def _aligned(self, node: ast.expr, at: Shape) -> Shape:
        """The places along the last axes."""
        return at[len(at) - len(self.shape(node) or ()) :]

    def _scalar(self, node: ast.expr, loop: Loop) -> str:
        """A number is worked out once, before the loop: no loop that sums it up may be the same."""
        for read in loads(node):
            note(loop.reads, read, BEFORE)
        if isinstance(node, (ast.Constant, ast.Name)):
            return ast.unparse(node)
        name = self._fresh("s")
        loop.before.append(f"{name} = {ast.unparse(node)}")
        return name

    def _read(self, node: ast.expr, loop: Loop, at: Shape) -> str:
        place = access(node, self._names, self._lengths)
        assert place is not None
        places = list(at[len(at) - place.rank :])
        places = [self._met(mine, place, loop) for mine, place in zip(place.counts, places)]
        index = place.index(tuple(places))
        note(loop.reads, place.name, index)
        return index
