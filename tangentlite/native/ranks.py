"""How many axes the names of a kernel have, which hold floats, and which may share memory.

In: statements, what is known of the parameters.
Out: ``Names``.
Next: loops.
"""

from __future__ import annotations

import ast
from collections.abc import Callable, Iterator, Mapping, Sequence
from types import FunctionType
from typing import Any

import numpy as np

from tangentlite import runtime
from tangentlite.values import immutable

Meaning = Callable[[ast.expr], Any]
LIKE_LAST = {
    runtime.outline: 0,
    runtime.drained: 0,
    runtime.zeros: 0,
    runtime.storage: 0,
    runtime.buffer: 1,
    runtime.unbroadcast: 1,
}
LIKE_LAST |= {runtime.spread: 1, runtime.broadcast: 1, runtime.weighted: 2, runtime.summed: 2}
ELEMENTWISE = {runtime.times, runtime.cancel, runtime.quotient, np.where}
ARITHMETIC = (ast.Add, ast.Sub, ast.Mult, ast.Div, ast.Pow)
SHAPED = {np.zeros, np.ones, np.empty}
FRESH = {np.zeros, np.ones, np.empty, np.full, np.copy, np.zeros_like, np.ones_like, np.empty_like}


@immutable
class Known:
    """What is known of a value: its axes, and whether its elements are floats; of a tuple, that of its ``parts``."""

    rank: int | None = None
    floating: bool = False
    parts: tuple[Known, ...] | None = None


Results = Callable[[Any, tuple[Known, ...], bool], Known]


class Names:
    """``ranks``: axes of a name, -1 where they are not known or differ; ``floats``: names of floating arrays.

    ``given``: what is known of the parameters; ``apart``: they share no memory. ``results`` tells what a helper gives.
    """

    def __init__(
        self,
        body: list[ast.stmt],
        given: Mapping[str, Known],
        apart: bool,
        meaning: Meaning,
        results: Results,
    ) -> None:
        self.ranks: dict[str, int] = {}
        self.floats: set[str] = set()
        self.result = Known()
        self._tuples = {name: k.parts for name, k in given.items() if k.parts is not None}
        self._meaning, self._results = meaning, results
        self._parent: dict[str, str] = {}
        self._last = False
        for name, known in given.items():
            self._bind(name, known)
        found = list(_statements(body))
        self._local = {*given, *(n for s in found for n in _stores([s]))}
        if not apart:
            self._tie(list(given))
        for self._last in (False, False, True):  # what a loop reads may be bound further down
            for statement in found:
                self._learn(statement)

    # Ranks ----------------------------------------------------------------------------------

    def rank(self, node: ast.expr) -> int | None:
        """The axes of an expression; None if they are not known."""
        match node:
            case ast.Name(id=name):
                found = self.ranks.get(name, -1)
                return None if found < 0 else found
            case ast.Constant(value=bool() | int() | float()):
                return 0
            case ast.UnaryOp(operand=operand):
                return self.rank(operand)
            case ast.BinOp(left=left, op=ast.MatMult(), right=right):
                return PRODUCTS.get((self.rank(left), self.rank(right)))
            case ast.BinOp(left=left, right=right):
                return self._largest([left, right])
            case ast.Compare(left=left, comparators=[right]):
                return self._largest([left, right])
            case ast.Subscript(value=ast.Attribute(attr="shape"), slice=index):
                return 0 if self.rank(index) == 0 else None
            case ast.Subscript(value=value, slice=index):
                return self._subscripted(self.rank(value), index)
            case ast.Call():
                return self._called(node)
            case ast.Attribute(attr="size" | "ndim"):
                return 0
        return None

    def _largest(self, nodes: list[ast.expr]) -> int | None:
        found = [self.rank(node) for node in nodes]
        return None if None in found else max(r for r in found if r is not None)

    def _subscripted(self, rank: int | None, index: ast.expr) -> int | None:
        parts = index.elts if isinstance(index, ast.Tuple) else [index]
        if rank is None:
            return None
        for part in parts:
            if isinstance(part, ast.Slice) or (
                isinstance(part, ast.Constant) and part.value is ...
            ):
                continue
            if isinstance(part, ast.Constant) and part.value is None:
                rank += 1
            elif self.rank(part) == 0:
                rank -= 1
            else:
                return None
        return rank

    def _called(self, node: ast.Call) -> int | None:
        match node:
            case ast.Call(func=ast.Attribute(value=array, attr="copy"), args=[]):
                return self.rank(array)
            case ast.Call(func=ast.Name(id="len" | "int" | "float" | "abs" | "max" | "min")):
                return (
                    0 if all(self.rank(a) == 0 for a in node.args) or len(node.args) == 1 else None
                )
        meant = self._meaning(node.func)
        if is_elementwise(meant, node) or _is_one_of(meant, ELEMENTWISE):
            return self._largest(node.args)
        for function, place in LIKE_LAST.items():
            if meant is function:
                return self.rank(node.args[place]) if len(node.args) > place else None
        if _is_one_of(meant, SHAPED) and node.args:
            return self._shaped(node.args[0])
        if meant in (np.sum, np.mean, np.max, np.min) and len(node.args) == 1 and not node.keywords:
            return 0
        return None

    def _shaped(self, shape: ast.expr) -> int | None:
        match shape:
            case ast.Attribute(value=array, attr="shape"):
                return self.rank(array)
            case ast.Tuple(elts=parts):
                return len(parts)
        return 1 if self.rank(shape) == 0 else None

    # Floats ---------------------------------------------------------------------------------

    def floating(self, node: ast.expr) -> bool:
        """Whether an expression has floating elements for sure."""
        match node:
            case ast.Name(id=name):
                return name in self.floats
            case ast.Constant(value=value):
                return isinstance(value, float)
            case ast.UnaryOp(operand=operand):
                return self.floating(operand)
            case ast.BinOp(left=left, op=op, right=right) if isinstance(op, ARITHMETIC):
                return self.floating(left) or self.floating(right) or isinstance(op, ast.Div)
            case ast.Subscript(value=value):
                return self.floating(value)
            case ast.Call(func=ast.Attribute(value=array, attr="copy"), args=[]):
                return self.floating(array)
            case ast.Call(func=func, args=args):
                meant = self._meaning(func)
                if _is_one_of(meant, SHAPED) or meant in (runtime.zeros, runtime.storage):
                    return len(args) == 1 and not node.keywords
                return any(map(self.floating, args))
        return False

    # Learning -------------------------------------------------------------------------------

    def _learn(self, statement: ast.stmt) -> None:
        match statement:
            case ast.Assign(targets=[target], value=value):
                self._assign(target, self.known(value))
                if not self._is_fresh(value):
                    self._tie(
                        [*_stores([target]), *_loads(value)] if any(_stores([target])) else []
                    )
            case ast.For(target=target, iter=ast.Call(func=ast.Name(id="range"))):
                self._assign(target, Known(0))
            case ast.For(target=target, iter=walked):
                self._assign(target, Known())
                self._tie([*_stores([target]), *_loads(walked)])
            case ast.Expr(value=ast.Call() as call):
                self._tie(list(_loads(call)))
            case ast.Return(value=ast.expr() as value):
                self.result = self.known(value)

    def known(self, value: ast.expr) -> Known:
        """What is known of an expression."""
        match value:
            case ast.Tuple(elts=elements):
                return Known(parts=tuple(map(self.known, elements)))
            case ast.Name(id=name) if name in self._tuples:
                return Known(parts=self._tuples[name])
            case ast.Call(func=func, args=args, keywords=[]):
                meant = self._meaning(func)
                if is_helper(meant):
                    return self._results(meant, tuple(map(self.known, args)), self.apart(args))
        return Known(self.rank(value), self.floating(value))

    def apart(self, args: Sequence[ast.expr]) -> bool:
        """Whether arguments share no memory."""
        named = [n for arg in args for n in dict.fromkeys(_loads(arg)) if n in self._local]
        families = [self.family(n) for n in named if self.ranks.get(n) != 0]
        return len(set(families)) == len(families)

    def _assign(self, target: ast.expr, known: Known) -> None:
        match target:
            case ast.Name(id=name):
                self._bind(name, known)
            case ast.Tuple(elts=elements) if len(known.parts or ()) == len(elements):
                for element, part in zip(elements, known.parts or ()):
                    self._assign(element, part)
            case ast.Tuple(elts=elements):
                for element in elements:
                    self._assign(element, Known())

    def _bind(self, name: str, known: Known) -> None:
        rank = known.rank
        if rank is None:
            rank = -1 if self._last else self.ranks.get(name)
        if rank is not None:
            self.ranks[name] = rank if self.ranks.get(name, rank) == rank else -1
        if known.floating:
            self.floats.add(name)
        elif self._last:
            self.floats.discard(name)

    def _is_fresh(self, value: ast.expr) -> bool:
        """Whether a value has memory of its own."""
        match value:
            case ast.Constant() | ast.BinOp() | ast.UnaryOp() | ast.Compare():
                return True
            case ast.Call(func=ast.Attribute(attr="copy")):
                return True
            case ast.Call(func=func):
                meant = self._meaning(func)
                fresh = isinstance(meant, np.ufunc) or _is_one_of(meant, FRESH | ELEMENTWISE)
                return fresh or meant in (runtime.zeros, runtime.storage, runtime.weighted, len)
        return self.rank(value) == 0

    # Memory ---------------------------------------------------------------------------------

    def family(self, name: str) -> str:
        """The representative of the names that may share memory with ``name``."""
        while (above := self._parent.get(name, name)) != name:
            name = above
        return name

    def _tie(self, names: list[str]) -> None:
        arrays = [n for n in names if n in self._local and self.ranks.get(n) != 0]
        for other in arrays[1:]:
            one, two = self.family(arrays[0]), self.family(other)
            if one != two:
                self._parent[two] = one


PRODUCTS: dict[Any, int] = {(1, 1): 0, (2, 1): 1, (1, 2): 1, (2, 2): 2}


def is_elementwise(function: Any, call: ast.Call) -> bool:
    """Whether a call is that of a ufunc which makes each element of one element of each argument."""
    plain = isinstance(function, np.ufunc) and function.signature is None
    return plain and len(call.args) == function.nin and function.nout == 1 and not call.keywords


def is_helper(function: Any) -> bool:
    """Whether a function is to be compiled too: Numba knows NumPy, and is told of the runtime."""
    if not isinstance(function, FunctionType):
        return False
    owner = str(function.__module__).split(".")
    return owner[0] != "numpy" and owner[:2] != ["tangentlite", "runtime"]


def _is_one_of(meant: Any, functions: Any) -> bool:
    return any(meant is f for f in functions)


def _statements(body: list[ast.stmt]) -> Iterator[ast.stmt]:
    for statement in body:
        yield statement
        for field in ("body", "orelse"):
            yield from _statements(getattr(statement, field, []))


def _loads(node: ast.AST) -> Iterator[str]:
    for n in ast.walk(node):
        if isinstance(n, ast.Name) and isinstance(n.ctx, ast.Load):
            yield n.id


def _stores(nodes: Sequence[ast.AST]) -> Iterator[str]:
    for node in nodes:
        for n in ast.walk(node):
            if isinstance(n, ast.Name) and isinstance(n.ctx, ast.Store):
                yield n.id
