"""Reader: what loops over ranges do, if they compute numbers, place by place.

In: a ``for`` statement, ``Sizes``.
Out: a ``Loop``; ``NotSliced`` where anything else happens there.
Next: parallel.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

import gast

from tangentlite import syntax
from tangentlite.optimize.numbers.forms import FLOAT, INT, is_array
from tangentlite.slices.affine import Affine, Range
from tangentlite.slices.arithmetic import Arithmetic
from tangentlite.slices.chosen import chosen
from tangentlite.slices.nests import Known, Loop, NotSliced, Ref, Step, Whole
from tangentlite.slices.sizes import Sizes


class Reader:
    """Reads loops; ``rough``: functions of ``math`` may be those of NumPy, which differ in the last digit."""

    def __init__(self, sizes: Sizes, rough: bool = False) -> None:
        self._sizes, self._sorts, self._count = sizes, sizes.sorts, 0
        self.arithmetic = Arithmetic(sizes, rough)

    def range_of(self, node: gast.For, known: Known) -> tuple[Range, bool] | None:
        """What a counter runs through, and whether it falls."""
        match node:
            case gast.For(
                target=gast.Name(id=counter),
                iter=gast.Call(func=func, args=[_, *_] as args, keywords=[]),
                orelse=[],
            ) if self._sorts.means(func, (range,)) and len(args) <= 3:
                ends = [self._sizes.of(arg, known) for arg in args]
                return _range(counter, ends) if None not in ends else None
        return None

    def loop(self, node: gast.For, known: Known, around: tuple[Loop, ...] = ()) -> Loop:
        """A loop and all that is in it."""
        found = self.range_of(node, known)
        if found is None:
            raise NotSliced
        made = Loop(*found, node)
        self._block(node.body, {**known, made.counter: Affine.of(made.counter)}, made, around)
        return made

    def _block(
        self, body: Sequence[Any], known: dict[str, Affine], made: Loop, around: tuple[Loop, ...]
    ) -> None:
        around = (*around, made)
        for statement in body:
            self._statement(statement, statement, known, made, around)

    def _statement(
        self,
        statement: Any,
        node: Any,
        known: dict[str, Affine],
        made: Loop,
        around: tuple[Loop, ...],
    ) -> None:
        """One statement, or part of the one that ``node`` is."""
        match statement:
            case gast.For():
                made.body.append(self.loop(statement, known, around))
            case gast.Assign(targets=[gast.Name(id=name)], value=value) if (
                self._sorts.known.get(name) == INT
            ):
                known[name] = self._whole(name, value, known)
                made.body.append(Whole(statement, frozenset(around)))
            case gast.Assign(targets=[target], value=value):
                made.body += self._assigned(target, value, node, known, around)
            case gast.AugAssign(target=target, op=op, value=value):
                made.body.append(self._step(target, op, value, node, known, around))
            case gast.If():
                for part in chosen(statement):
                    self._statement(part, node, known, made, around)
            case gast.Pass() | gast.Expr(value=gast.Constant()):
                pass
            case _:
                raise NotSliced

    def _whole(self, name: str, value: gast.expr, known: Known) -> Affine:
        found = self._sizes.of(value, known)
        if found is None or self._sizes.count(name) != 1:
            raise NotSliced
        return found

    def _assigned(
        self, target: Any, value: Any, node: Any, known: Known, around: tuple[Loop, ...]
    ) -> Iterator[Step]:
        match target, value:
            case gast.Tuple(elts=left), gast.Tuple(elts=right) if len(left) == len(right):
                names = {e.id for e in left if isinstance(e, gast.Name)}
                if len(names) != len(left) or not names.isdisjoint(syntax.loads(value)):
                    raise NotSliced
                for part, own in zip(left, right):
                    yield from self._assigned(part, own, node, known, around)
            case _, gast.BinOp(left=left, op=gast.Add() | gast.Sub() as op) if _is(left, target):
                yield self._step(target, op, value.right, node, known, around)
            case _, gast.BinOp(op=gast.Add() as op, right=right) if _is(right, target):
                yield self._step(target, op, value.left, node, known, around)
            case _:
                yield self._step(target, None, value, node, known, around)

    def _step(
        self,
        target: Any,
        op: gast.operator | None,
        value: gast.expr,
        node: Any,
        known: Known,
        around: tuple[Loop, ...],
    ) -> Step:
        self._count += 1
        found = self._target(target, known)
        refs = dict(self.arithmetic.places(value, known))
        if op is not None:
            self.arithmetic.check_added(target, op, value, known)
        if isinstance(found, str):
            self.arithmetic.bind(found, value, op is not None)
        return Step(found, op, value, refs, dict(known), node, around, self._count)

    def _target(self, target: Any, known: Known) -> Ref | str:
        if isinstance(target, gast.Name):
            if self._sorts.known.get(target.id) != FLOAT:
                raise NotSliced
            return str(target.id)
        found = self.arithmetic.place(target, known)
        if not is_array(self._sorts.known.get(found.array)):
            raise NotSliced
        return found


def _is(tree: gast.expr, target: gast.expr) -> bool:
    """Whether an expression is what an assignment binds."""
    place = isinstance(tree, gast.Name | gast.Subscript)
    return place and syntax.same(syntax.store(tree), target)


def _range(counter: str, ends: list[Any]) -> tuple[Range, bool] | None:
    """What ``range`` gives for its arguments."""
    low, high = (Affine((), 0), ends[0]) if len(ends) == 1 else (ends[0], ends[1])
    step = ends[2].constant if len(ends) == 3 else 1
    if step is None or step < -1 or not step:
        return None
    if step == -1:
        return Range(counter, high + 1, low), True
    return Range(counter, low, high - 1, step), False
