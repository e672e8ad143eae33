"""What depends on how many axes arrays have, said where that is known.

In: the tree of a kernel, what is known of its names.
Out: the same tree, changed in place.
Next: loops.

>>> print(ast.unparse(outer(ast.parse("t + u", mode="eval").body, 1, 2)))
(t + u)[:, None, None]
"""

from __future__ import annotations

import ast
from collections.abc import Callable
from typing import Any

import numpy as np

from tangentlite import runtime
from tangentlite.native.facts.axes import as_call, as_slice, is_written_down
from tangentlite.native.facts.contracted import contracted, squeezed
from tangentlite.native.facts.grids import meshed, numbered
from tangentlite.native.facts.known import CHOSEN, OVER, PRODUCTS, PUT, is_one_of
from tangentlite.native.facts.lengths import axes_of
from tangentlite.native.facts.ranks import Names
from tangentlite.native.words import as_copy

Meaning = Callable[[ast.expr], Any]
BACK: dict[Any, tuple[str, str]] = {
    (1, 1): ("b * y", "b * x"),
    (1, 2): ("y @ b", "np.outer(x, b)"),
    (2, 1): ("np.outer(b, y)", "x.T @ b"),
    (2, 2): ("b @ y.T", "x.T @ b"),
}
REDUCED = ("sum", "mean", "max", "min", "prod")


def told(tree: ast.FunctionDef, names: Names, meaning: Meaning) -> bool:
    """Whether something changed.

    ``np.ndim(x)`` is a number, ``rt.won(b, k)`` an element or a row of b, and a column is
    ``np.reshape(a, np.shape(a) + (1,) * np.ndim(b))``. Masks of several axes, which Numba takes for one
    index, go to functions of our own.
    """
    teller = _Teller(names, meaning)
    tree.body = [teller.visit(statement) for statement in tree.body]
    ast.fix_missing_locations(tree)
    return teller.changed


class _Teller(ast.NodeTransformer):
    def __init__(self, names: Names, meaning: Meaning) -> None:
        self._names, self._meaning, self.changed = names, meaning, False

    def visit_Call(self, node: ast.Call) -> ast.expr:
        self.generic_visit(node)
        self._as_function(node)
        if self._meaning(node.func) is np.meshgrid:
            found = meshed(node, self._names.rank)
        else:
            found = contracted(node, self._names, self._meaning)
            found = self._said(node) if found is None and not node.keywords else found
        self.changed |= found is not None
        return node if found is None else found

    def _as_function(self, node: ast.Call) -> None:
        """``a.reshape(n, 1)`` is ``np.reshape(a, (n, 1))``, and ``np.array(a, dtype=t)`` is ``a.astype(t)``."""
        match node:
            case ast.Call(func=ast.Attribute(value=array, attr="reshape"), args=sizes) if (
                self._names.rank(array) and sizes and not node.keywords
            ):
                one = len(sizes) == 1 and not isinstance(sizes[0], (ast.Constant, ast.UnaryOp))
                shape = sizes[0] if one else ast.Tuple(sizes, ast.Load())
                node.func = ast.parse("np.reshape", mode="eval").body
                node.args, self.changed = [array, shape], True
            case ast.Call(func=func, args=[array, *_]) if self._meaning(
                func
            ) is np.array and self._names.rank(array):
                self.changed |= as_copy(node, self._meaning)

    def _said(self, node: ast.Call) -> ast.expr | None:
        meant = self._meaning(node.func)
        match node.args:
            case [ast.Attribute(value=array, attr="shape") as shape, ast.Constant(value=count)] if (
                meant is runtime.unpack and self._names.rank(array) == count
            ):
                return shape
            case [array] if is_one_of(meant, (np.ndim, np.shape, np.size)):
                return self._measure(meant, array)
            case [array, ast.UnaryOp(), ast.Constant(value=None)] if meant is np.argsort:
                return self._sorted(node, array)
            case [array, index] if meant is runtime.won:
                return self._won(array, index)
            case [array, shape] if meant is np.reshape:
                return self._reshaped(node, array, shape)
            case [array] if meant is np.squeeze:
                return squeezed(array, self._names)
            case [b, x, y] if meant in (runtime.matmul_left, runtime.matmul_right):
                return self._back(meant is runtime.matmul_left, b, x, y)
            case [x, y] if meant is np.inner and self._names.rank(x) == self._names.rank(y) == 1:
                return ast.BinOp(x, ast.MatMult(), y)
            case [b, x, y] if meant in (runtime.inner_left, runtime.inner_right):
                alike = self._names.rank(x) == self._names.rank(y) == 1
                return self._back(meant is runtime.inner_left, b, x, y) if alike else None
            case [b, x, axis, *_] if meant is runtime.unreduce:
                return self._summed_down(node, b, x, axis)
            case [array] if meant is np.mean and self._names.rank(array):
                return self._whole_mean(array)
            case [] if isinstance(node.func, ast.Attribute):
                return self._asked(node.func)
        return None

    def _whole_mean(self, array: ast.expr) -> ast.expr | None:
        """The mean of all elements, as one along all axes."""
        everything: list[ast.expr] = [array, ast.Constant(None), ast.Constant(False)]
        name = ast.Name(OVER[np.mean], ast.Load())
        return ast.Call(name, everything, []) if self._names.floating(array) else None

    def _asked(self, func: ast.Attribute) -> ast.expr | None:
        """``x.mean()`` is ``np.mean(x)``; a number has no copy."""
        rank = self._names.rank(func.value)
        if func.attr == "squeeze":
            return squeezed(func.value, self._names)
        if func.attr == "copy":
            return func.value if rank == 0 else None
        if func.attr not in REDUCED or not rank:
            return None
        asked = ast.parse(f"np.{func.attr}", mode="eval").body
        return ast.Call(asked, [func.value], [])

    def visit_BinOp(self, node: ast.BinOp) -> ast.expr:
        """``a * np.expand_dims(s, (-2, -1))`` of a number is ``a * s``, where ``a`` has two axes."""
        self.generic_visit(node)
        for one, other in (("left", "right"), ("right", "left")):
            match getattr(node, other):
                case ast.Call(func=func, args=[number, ast.Tuple(elts=places)], keywords=[]) if (
                    self._meaning(func) is np.expand_dims
                    and self._names.rank(number) == 0
                    and self._names.rank(getattr(node, one)) == len(places)
                ):
                    setattr(node, other, number)
                    self.changed = True
        return node

    def _measure(self, meant: Any, array: ast.expr) -> ast.expr | None:
        rank = self._names.rank(array)
        if meant is np.ndim:
            return None if rank is None else ast.Constant(rank)
        attribute = "shape" if meant is np.shape else "size"
        return ast.Attribute(array, attribute, ast.Load()) if rank else None

    def _back(self, left: bool, b: ast.expr, x: ast.expr, y: ast.expr) -> ast.expr | None:
        """The adjoint of a factor of ``x @ y``, as a product."""
        rank, ranks = self._names.rank(b), (self._names.rank(x), self._names.rank(y))
        if rank is None or rank != PRODUCTS.get(ranks) or max(k or 0 for k in ranks) > 2:
            return None
        text = BACK[ranks][0 if left else 1]
        found: ast.expr = ast.parse(text, mode="eval").body
        return _Put({"b": b, "x": x, "y": y}).visit(found)  # type: ignore[no-any-return]

    def _summed_down(
        self, node: ast.Call, b: ast.expr, x: ast.expr, axis: ast.expr
    ) -> ast.expr | None:
        """What may be larger than the sum, since that was broadcast, is summed first."""
        rank, whole = self._names.rank(b), self._names.rank(x)
        keeps: Any = node.args[3] if len(node.args) > 3 else ast.Constant(False)
        if not rank or not whole or is_summed(b) or not is_written_down(axis):
            return None
        if not isinstance(keeps, ast.Constant):
            return None
        keeps = keeps.value
        axes = axes_of(axis, whole)
        over: ast.expr = axis
        if keeps and (rank != whole or axes <= set(self._names.known(b).ones)):
            return None
        if not keeps:
            more = rank - (whole - len(axes))
            if more <= 0:
                return None
            over = ast.Tuple([ast.Constant(k) for k in range(more)], ast.Load())
        total = ast.Call(ast.Name(OVER[np.sum], ast.Load()), [b, over, ast.Constant(keeps)], [])
        return ast.Call(node.func, [total, *node.args[1:]], [])

    def _sorted(self, node: ast.Call, array: ast.expr) -> ast.expr | None:
        """Equal elements keep their order: ``np.sort`` is the same whatever they do, its derivative is not."""
        kind = [ast.keyword("kind", ast.Constant("mergesort"))]
        return ast.Call(node.func, [array], kind) if self._names.rank(array) == 1 else None

    def _won(self, array: ast.expr, index: ast.expr) -> ast.expr | None:
        """Of one element, a row, or a slice."""
        parts = [as_slice(p) for p in (index.elts if isinstance(index, ast.Tuple) else [index])]
        if any(not isinstance(p, ast.Slice) and self._names.rank(p) != 0 for p in parts):
            return None
        place = ast.Tuple(parts, ast.Load()) if len(parts) > 1 else parts[0]
        part = ast.Subscript(array, place, ast.Load())
        if self._names.rank(part) == 0:
            return part
        return ast.Call(ast.Attribute(part, "copy", ast.Load()), [], [])

    def _reshaped(self, node: ast.Call, array: ast.expr, shape: ast.expr) -> ast.expr | None:
        match shape:
            case ast.BinOp(
                left=ast.Attribute(value=whole, attr="shape"),
                op=ast.Add(),
                right=ast.BinOp(
                    left=ast.Tuple(elts=[ast.Constant(value=1)]),
                    op=ast.Mult(),
                    right=ast.Constant(value=int(count)),
                ),
            ) if ast.dump(whole) == ast.dump(array):
                rank = self._names.rank(array)
                return outer(array, rank, count) if rank else None
        if _is_turned(array, self._meaning) and self._names.is_fresh(array.args[0]):  # type: ignore[attr-defined]
            solid: ast.expr = ast.parse("np.ascontiguousarray()", mode="eval").body
            assert isinstance(solid, ast.Call)
            solid.args = [array]
            return ast.Call(node.func, [solid, shape], [])
        return None

    def visit_Subscript(self, node: ast.Subscript) -> ast.expr:
        """``x[i]`` of arrays of indices; ``t[0]`` is ``x.shape[0]`` if that is what ``t`` is."""
        self.generic_visit(node)
        if self._meaning(node.value) is np.mgrid and (found := numbered(node.slice)):
            self.changed = True
            return found
        shape = self._names.shape_of(node.value)
        if shape is not None and isinstance(node.slice, ast.Constant):
            self.changed = True
            return ast.Subscript(shape, node.slice, node.ctx)
        index = self._arrays(node.slice) if isinstance(node.ctx, ast.Load) else None
        if index is None:
            return node
        self.changed = True
        return ast.Call(ast.Name(CHOSEN, ast.Load()), [node.value, index], [])

    def visit_Assign(self, node: ast.Assign) -> ast.stmt:
        """``x[i] = v``."""
        self.generic_visit(node)
        match node.targets:
            case [ast.Subscript(value=array, slice=place)]:
                index = self._arrays(place)
                return node if index is None else self._put(array, index, node.value)
        return node

    def visit_Expr(self, node: ast.Expr) -> ast.stmt:
        """``rt.add_at(b, ..., e)`` is a sum into all of an array, ``rt.add_at(b, 3, e)`` one into a row.

        ``np.copyto(a, e)`` is ``a[:] = e``.
        """
        self.generic_visit(node)
        match node.value:
            case ast.Call(func=func, args=[ast.Name() as a, e], keywords=[]) if self._meaning(
                func
            ) is np.copyto and self._names.rank(a):
                if self._names.floating(a) and self._names.floating(e):
                    self.changed = True
                    whole = ast.Subscript(a, ast.Slice(), ast.Store())
                    return ast.copy_location(ast.Assign([whole], e), node)
            case ast.Call(func=func, args=[ast.Name() as b, ast.Constant(value=i), e]) if (
                i is ... and self._meaning(func) is runtime.add_at and self._names.floating(b)
            ):
                return self._added(node, func, b, e)
            case ast.Call(
                func=func, args=[ast.Name(id=b), ast.Name() | ast.Constant() as i, e]
            ) if self._meaning(func) is runtime.add_at and self._names.whole(i):
                rank = self._names.rank(e)
                if self._names.rank(i) == 0 and rank is not None and b in self._names.floats:
                    if rank < self._names.ranks.get(b, -1):
                        self.changed = True
                        place = ast.Subscript(ast.Name(b, ast.Load()), i, ast.Store())
                        return ast.AugAssign(place, ast.Add(), e)
        return node

    def _added(self, node: ast.Expr, func: ast.expr, b: ast.Name, e: ast.expr) -> ast.stmt:
        rank, whole = self._names.rank(e), self._names.rank(b)
        if rank is None or not whole or rank > whole:
            return node
        self.changed = True
        if rank:
            like = ast.Attribute(func.value, "unbroadcast", ast.Load())  # type: ignore[attr-defined]
            e = ast.Call(like, [e, b], [])
        return ast.AugAssign(ast.Name(b.id, ast.Store()), ast.Add(), e)

    def visit_AugAssign(self, node: ast.AugAssign) -> ast.stmt:
        """``x[i] += v``."""
        self.generic_visit(node)
        match node.target:
            case ast.Subscript(value=array, slice=place) if self._names.floating(array):
                index = self._arrays(place)
                if index is None:
                    return node
                old = ast.Call(ast.Name(CHOSEN, ast.Load()), [array, index], [])
                return self._put(array, index, ast.BinOp(old, node.op, node.value))
        return node

    def _put(self, array: ast.expr, index: ast.expr, value: ast.expr) -> ast.stmt:
        self.changed = True
        return ast.Expr(ast.Call(ast.Name(PUT, ast.Load()), [array, index, value], []))

    def _arrays(self, index: ast.expr) -> ast.expr | None:
        """An index, if an array is in it, and nothing but arrays, numbers and slices."""
        parts = index.elts if isinstance(index, ast.Tuple) else [index]
        ranks = [0 if isinstance(p, ast.Slice) else self._names.rank(p) for p in parts]
        if None in ranks or not any(ranks):
            return None
        if not isinstance(index, ast.Tuple):
            return index
        return ast.Tuple([as_call(p) for p in parts], ast.Load())


class _Put(ast.NodeTransformer):
    def __init__(self, values: dict[str, ast.expr]) -> None:
        self._values = values

    def visit_Name(self, node: ast.Name) -> ast.expr:
        return self._values.get(node.id, node)


def is_summed(node: ast.expr) -> bool:
    """Whether an expression is a sum along axes."""
    return isinstance(node, ast.Call) and ast.unparse(node.func) == OVER[np.sum]


def _is_turned(node: ast.expr, meaning: Meaning) -> bool:
    """Whether an array may lie in memory in another order."""
    return isinstance(node, ast.Call) and is_one_of(meaning(node.func), (np.flip, np.transpose))


def outer(array: ast.expr, rank: int, count: int) -> ast.expr:
    """An array with so many new axes behind."""
    old: list[ast.expr] = [ast.Slice() for _ in range(rank)]
    new: list[ast.expr] = [ast.Constant(None) for _ in range(count)]
    index = ast.Tuple([*old, *new], ast.Load())
    return ast.Subscript(array, index, ast.Load()) if count else array
