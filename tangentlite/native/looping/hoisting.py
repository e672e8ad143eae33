"""What a statement computes on arrays besides, as statements before it: sums, and arrays that a call takes.

In: a statement of a kernel.
Out: statements and loops.
Next: loops.
"""

from __future__ import annotations

import ast
from collections.abc import Callable
from typing import Any

import numpy as np

from tangentlite import runtime
from tangentlite.native.facts.known import ADDED, LIKE_LAST, OVER, is_helper, is_one_of
from tangentlite.native.facts.lengths import Lengths, axes_of
from tangentlite.native.facts.ranks import Names
from tangentlite.native.looping.elements import WIDENED, Elements, Shape
from tangentlite.native.looping.nests import EMPTY, Loop, note

LEFT = (ast.Lambda, ast.IfExp, ast.BoolOp, ast.ListComp, ast.GeneratorExp, ast.NamedExpr)
METHOD_NAMES = (OVER[np.sum], OVER[np.mean], OVER[np.max], OVER[np.min])
EXTREMES = {OVER[np.max]: (">", "-np.inf"), OVER[np.min]: ("<", "np.inf")}
EMPTY_TEST = "if {} == 0:\n    raise ValueError({!r})"
MOVED = (runtime.kept, runtime.unreduce, np.roll, *WIDENED)
MADE = (ast.BinOp, ast.UnaryOp, ast.Call, ast.Compare)


class Hoister:
    """``prepared`` gives a statement whose arrays are names or what one loop makes."""

    def __init__(
        self,
        names: Names,
        elements: Elements,
        lengths: Lengths,
        meaning: Callable[[ast.expr], Any],
        fresh: Callable[[str], str],
    ) -> None:
        self._names, self._elements, self._lengths = names, elements, lengths
        self._meaning, self._fresh = meaning, fresh
        self._before: list[ast.stmt | Loop] = []
        self.reads: set[str] = set()
        self._wish: str | None = None

    def prepared(self, statement: ast.stmt) -> list[ast.stmt | Loop]:
        """What comes before a statement, and the statement."""
        self._before = []
        self._wish = self._lengths.once(statement)
        match statement:
            case ast.AugAssign(target=target, value=value):
                value = self._changed(value, True)
                apart = self._may_stand_apart(value) and not self._elements.shape(value)
                apart = apart and bool(self._names.rank(target))
                statement.value = self._apart(value, "m") if apart else value
            case ast.Assign(value=value):
                statement.value = self._changed(value, True)
            case ast.Expr(value=value) | ast.Return(value=ast.expr() as value):
                statement.value = self._changed(value, False)
            case ast.If(test=test):
                statement.test = self._changed(test, False)
        match statement:
            case ast.Assign(targets=[ast.Name(id=name)], value=ast.Name(id=same)) if name == same:
                return self._before
        return [*self._before, statement]

    def _changed(self, node: ast.expr, top: bool, inside: bool = False) -> ast.expr:
        """``top``: a loop may make the value itself; ``inside``: one that makes more of it may."""
        if isinstance(node, LEFT) or self._is_written(node):
            return node
        total = self._total(node, top)
        if total is not None:
            return total
        loops = self._elements.shape(node)
        if loops and isinstance(node, MADE):
            if not (self._names.floating(node) or isinstance(node, ast.Compare)):
                return node
            self._parts(node, True)
            return node if top else self._apart(node, "e")
        sayable = self._names.rank(node) == 0 or top
        self._parts(node, sayable and not isinstance(node, ast.Call))
        if top or not isinstance(node, MADE):
            return node
        if self._elements.shape(node) and self._names.floating(node):
            return node if inside and self._is_moved(node) else self._apart(node, "e")
        return self._apart(node, "m") if self._may_stand_apart(node) else node

    def _is_written(self, node: ast.expr) -> bool:
        """Whether a call writes into its arguments, which must be these very arrays."""
        return isinstance(node, ast.Call) and any(k.arg == "out" for k in node.keywords)

    def _parts(self, node: ast.expr, inside: bool) -> None:
        match node:
            case ast.BinOp(left=left, right=right):
                node.left, node.right = self._part(left, inside), self._part(right, inside)
            case ast.UnaryOp(operand=operand):
                node.operand = self._part(operand, inside)
            case ast.Compare(left=left, comparators=[right]):
                node.left = self._part(left, inside)
                node.comparators = [self._part(right, inside)]
            case ast.Call(func=func, args=args):
                if isinstance(func, ast.Attribute) and self._names.rank(func.value):
                    func.value = self._part(func.value, inside)
                like = self._like(func, args)
                node.args = [a if k == like else self._part(a, inside) for k, a in enumerate(args)]
            case ast.Tuple(elts=elts) if isinstance(node.ctx, ast.Load):
                node.elts = [self._part(e, False) for e in elts]

    def _like(self, func: ast.expr, args: list[ast.expr]) -> int | None:
        """Which argument is there for its shape, which is known without it."""
        meant = self._meaning(func)
        if not is_one_of(meant, (runtime.unbroadcast, runtime.weighted, *WIDENED)):
            return None
        place = LIKE_LAST[meant]
        return place if len(args) > place and self._elements.outline(args[place]) else None

    def _part(self, node: ast.expr, inside: bool) -> ast.expr:
        """``inside`` an expression whose elements can be said, a part of it that can be said stays."""
        stays = inside and bool(self._elements.shape(node))
        return self._changed(node, stays, inside)

    def _is_moved(self, node: ast.expr) -> bool:
        """Whether every element is one of what is given: nothing is computed again where it is said again."""
        return isinstance(node, ast.Call) and is_one_of(self._meaning(node.func), MOVED)

    def _may_stand_apart(self, node: ast.expr) -> bool:
        if not self._names.rank(node) or not self._names.floating(node):
            return False
        match node:
            case ast.BinOp(op=ast.MatMult()):
                return True
            case ast.Call(func=func, keywords=[]):
                meant = self._meaning(func)
                return meant is not None and not is_helper(meant) and self._names.is_fresh(node)
        return False

    def _apart(self, node: ast.expr, letter: str) -> ast.expr:
        name = self._fresh(letter)
        self._names.add(name, node)
        self._lengths.add(name)
        self.reads.add(name)
        self._before.append(ast.Assign([ast.Name(name, ast.Store())], node, lineno=0))
        return ast.Name(name, ast.Load())

    def _total(self, node: ast.expr, top: bool) -> ast.expr | None:
        """The name of what is summed, along all axes or some, in a loop of its own."""
        value, like = self._summed(node)
        if value is None or not self._names.floating(value):
            return None
        self._parts(value, True)
        shape, place = self._elements.shape(value), None
        if shape:
            place = self._left(node, shape, like)
        if not shape or place is None:
            return None
        over = isinstance(node, ast.Call) and ast.unparse(node.func)
        named = top and place and self._wish and over != OVER[np.mean]
        name = self._wish if named and self._wish else self._fresh("r")
        if not named:
            self.reads.add(name)
        self._names.add_array(name, len(place))
        self._names.ones[name] = tuple(k for k, at in enumerate(place) if at == "0")
        loop = self._adding(name, value, shape, place, EXTREMES.get(over or ""))
        for mine, other in self._kept(shape, like):
            loop.checks[mine, other] = None
        self._before.append(loop)
        result: ast.expr = ast.Name(name, ast.Load())
        if over == OVER[np.mean]:
            gone = [n for k, n in enumerate(shape) if f"_{k}" not in place]
            count = f"({' * '.join(gone) or 1})"
            text = f"{name} / {count}" if place else f"np.divide({name}, {count})"
            result = ast.parse(text, mode="eval").body
        return result

    def _kept(self, shape: Shape, like: ast.expr | None) -> list[tuple[str, str]]:
        """Lengths that must be the same, since no sum goes along their axes."""
        kept = self._elements.outline(like) if like is not None else None
        both = zip(kept or (), shape[len(shape) - len(kept or ()) :])
        return [(one, other) for one, other in both if "1" != one != other]

    def _adding(
        self,
        name: str,
        value: ast.expr,
        shape: Shape,
        place: Shape,
        extreme: tuple[str, str] | None,
    ) -> Loop:
        """``extreme``: how what is taken compares to the rest, and the number that it begins with; NaN is taken."""
        variables = tuple(f"_{k}" for k in range(len(shape)))
        loop = Loop(shape, [], [], trips=dict(zip(variables, shape)), sources=[ast.Expr(value)])
        text, target = self._elements.say(value, loop, variables), name
        begin = extreme[1] if extreme else "0.0"
        if place:
            counts = tuple("1" if at == "0" else shape[int(at[1:])] for at in place)
            self._lengths.add(name, counts)
            whole = f"({', '.join(counts)},)"
            target = f"{name}[{', '.join(place)}]"
            begin = f"np.full({whole}, {begin})" if extreme else f"np.zeros({whole})"
        if extreme:
            gone = [n for k, n in enumerate(shape) if f"_{k}" not in place]
            self._before.append(ast.parse(EMPTY_TEST.format(" * ".join(gone) or 1, EMPTY)).body[0])
        loop.before.append(f"{name} = {begin}")
        loop.body = [f"{target} = {ADDED}({target}, {text})"]
        if extreme:
            one, sign = self._fresh("x"), extreme[0]
            better = f"{one} if {one} {sign} {target} or {one} != {one} else {target}"
            loop.body = [f"{one} = {text}", f"{target} = {better}"]
        note(loop.writes, name, target)
        return loop

    def _left(self, node: ast.expr, shape: Shape, like: ast.expr | None) -> Shape | None:
        """The place in what is left for an element; the empty one for a number."""
        places = tuple(f"_{k}" for k in range(len(shape)))
        if like is not None:
            kept = self._elements.outline(like)
            if kept is None or len(kept) > len(shape):
                return None
            last = list(
                zip(places[len(shape) - len(kept) :], kept, shape[len(shape) - len(kept) :])
            )
            sure = len(shape) > 2 and any(one == "1" != other for _, one, other in last)
            if any("1" != one != other and (other == "1" or not sure) for _, one, other in last):
                return None
            if not all(a == "1" and b != "1" for _, a, b in last) and len(kept) == len(shape):
                if not any(a == "1" != b for _, a, b in last):
                    return None
            return tuple("0" if one == "1" else at for at, one, _ in last)
        if isinstance(node, ast.Call) and ast.unparse(node.func) in METHOD_NAMES:
            axes = axes_of(node.args[1], len(shape))
            keeps = bool(ast.literal_eval(node.args[2]))
            found = [("0" if k in axes else at) for k, at in enumerate(places)]
            return tuple(at for k, at in enumerate(found) if keeps or k not in axes)
        return ()

    def _summed(self, node: ast.expr) -> tuple[ast.expr | None, ast.expr | None]:
        """The array that is summed, and the one that the sum is like."""
        match node:
            case ast.BinOp(left=left, op=ast.MatMult(), right=right):
                return self._dotted(left, right), None
            case ast.Call(func=ast.Attribute(value=array, attr="sum"), args=[], keywords=[]) if (
                self._names.rank(array)
            ):
                return array, None
            case ast.Call(func=ast.Name(id=name), args=[one, _, _]) if name in METHOD_NAMES:
                return one, None
            case ast.Call(func=func, args=[one, *rest], keywords=[]) if self._names.rank(one):
                meant = self._meaning(func)
                if meant is np.sum and not rest:
                    return one, None
                if meant is runtime.unbroadcast and len(rest) == 1:
                    return one, rest[0]
                if is_one_of(meant, (np.dot, np.inner)) and len(rest) == 1:
                    return self._dotted(one, rest[0]), None
        return None, None

    def _dotted(self, left: ast.expr, right: ast.expr) -> ast.expr | None:
        if self._names.rank(left) == self._names.rank(right) == 1:
            return ast.BinOp(left, ast.Mult(), right)
        return None
