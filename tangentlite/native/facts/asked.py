"""What is known of an expression: its axes, the type of its elements, whether its memory is its own.

In: what is known of names.
Out: ``Asked``.
Next: ranks.
"""

from __future__ import annotations

import ast
from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Any

import numpy as np

from tangentlite import runtime
from tangentlite.native.facts.families import Families
from tangentlite.native.facts.floats import is_floating
from tangentlite.native.facts.given import largest, of_call
from tangentlite.native.facts.kin import OF_FIRST
from tangentlite.native.facts.known import (
    COPIED,
    ELEMENTWISE,
    FRESH,
    JOINED,
    OWN,
    PARTED,
    PRODUCTS,
    Known,
    Results,
    is_elementwise,
    is_helper,
    is_one_of,
)
from tangentlite.native.facts.names import loads
from tangentlite.native.facts.ones import indexed, ones_of
from tangentlite.native.facts.wholes import is_whole

Meaning = Callable[[ast.expr], Any]


class Asked(Families):
    """``ranks``: axes of a name, -1 where they are not known or differ; ``floats``: names of floating arrays.

    ``given``: what is known of the parameters. ``results`` tells what a helper gives.
    """

    def __init__(self, given: Mapping[str, Known], meaning: Meaning, results: Results) -> None:
        super().__init__()
        self.ranks: dict[str, int] = {}
        self.floats: set[str] = set()
        self.wholes: set[str] = set()
        self.ones: dict[str, tuple[int, ...]] = {}
        self._tuples = {name: k for name, k in given.items() if k.parts is not None}
        self._items: dict[str, Known] = {}
        self._meaning, self._results = meaning, results
        self._once: set[str] = set()
        self._local: set[str] = set()
        self._made: dict[str, ast.expr] = {}

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
                return largest([left, right], self.rank)
            case ast.Compare(left=left, comparators=[right]):
                return largest([left, right], self.rank)
            case ast.Subscript(value=ast.Attribute(attr="shape"), slice=index):
                return 0 if self.rank(index) == 0 else None
            case ast.Subscript(value=ast.Tuple(elts=[_, *_] as parts), slice=index):
                return self._of_parts(index, [self.rank(part) for part in parts])
            case ast.Subscript(value=ast.Name(id=name), slice=index) if name in self._tuples:
                known = self._tuples[name].parts or ()
                return self._of_parts(index, [part.rank for part in known])
            case ast.Subscript(value=value, slice=index):
                return indexed(self.rank(value), index, self.rank)
            case ast.Call():
                given = of_call(node, self.rank, self._meaning, self.whole)
                return self._joined(node) if given is None else given
            case ast.Attribute(attr="size" | "ndim"):
                return 0
            case ast.Attribute(value=array, attr="T"):
                return self.rank(array)
        return None

    def _of_parts(self, index: ast.expr, ranks: list[int | None]) -> int | None:
        """The axes of one of several that have as many."""
        if isinstance(index, ast.Constant):
            at = index.value
            return ranks[at] if type(at) is int and -len(ranks) <= at < len(ranks) else None
        return ranks[0] if self.rank(index) == 0 and len({*ranks}) == 1 else None

    def _joined(self, node: ast.Call) -> int | None:
        """The axes of arrays put side by side."""
        meant = self._meaning(node.func)
        if not node.args or not is_one_of(meant, JOINED):
            return None
        more = [*node.args[1:], *(k.value for k in node.keywords)]
        ranks = [part.rank or 0 for part in self.known(node.args[0]).parts or ()]
        flat = any(isinstance(m, ast.Constant) and m.value is None for m in more)
        mixed = is_one_of(meant, (np.vstack, np.column_stack)) and set(ranks) == {1, 2}
        alike = len(set(ranks)) == 1 and all(ranks)
        return JOINED[meant](max(ranks)) if (alike or mixed) and not flat else None

    def whole(self, node: ast.expr) -> bool:
        """Whether an expression has whole numbers for elements for sure."""
        return is_whole(node, self.wholes, self._meaning)

    def floating(self, node: ast.expr) -> bool:
        """Whether an expression has floating elements for sure."""
        return is_floating(node, self.floats, self._meaning)

    def known(self, value: ast.expr) -> Known:
        """What is known of an expression."""
        match value:
            case ast.Tuple(elts=elements):
                return Known(
                    parts=tuple(map(self.known, elements)), groups=tuple(self._groups(elements))
                )
            case ast.Name(id=name) if name in self._tuples:
                return self._tuples[name]
            case ast.Subscript(value=ast.Name(id=name), slice=index) if name in self._tuples:
                parts = self._tuples[name].parts or ()
                at = index.value if isinstance(index, ast.Constant) else None
                return parts[at] if type(at) is int and -1 < at < len(parts) else Known()
            case ast.Name(id=name) if name in self._items:
                return Known(items=self._items[name])
            case ast.Call(func=ast.Attribute(value=ast.Name(id=name), attr="pop"), args=[]):
                return self._items.get(name, Known())
            case ast.Call(func=func, args=args, keywords=[]):
                meant = self._meaning(func)
                if is_one_of(meant, (runtime.private, runtime.stack)):
                    return self.known(args[0])
                if is_one_of(meant, PARTED) and len(args) > 1:
                    floating, given = self.floating(args[0]), self.known(args[1]).parts
                    return Known(parts=given and tuple(Known(p.rank, floating) for p in given))
                if is_helper(meant):
                    return self._results(meant, tuple(map(self.known, args)), self.apart(args))
            case ast.Attribute(value=array, attr="shape") if rank := self.rank(array):
                return Known(parts=(Known(0, whole=True),) * rank)
        found = self.rank(value), self.floating(value)
        return Known(*found, ones=self._ones(value), whole=self.whole(value))

    def _ones(self, value: ast.expr) -> tuple[int, ...]:
        return ones_of(value, self, self._meaning)

    def _groups(self, elements: list[ast.expr]) -> Iterator[int]:
        """Numbers of the families that elements belong to; none if one is more than a name."""
        if not all(isinstance(e, (ast.Name, ast.Constant, ast.Tuple)) for e in elements):
            return
        met: dict[str, int] = {}
        for place, element in enumerate(elements):
            name = element.id if isinstance(element, ast.Name) else ""
            alone = not name or self.ranks.get(name) == 0
            yield place if alone else met.setdefault(self.family(name), place)

    def apart(self, args: Sequence[ast.expr]) -> bool:
        """Whether arguments share no memory."""
        named = [n for arg in args for n in dict.fromkeys(loads(arg)) if n in self._local]
        families = [self.family(n) for n in named if self.ranks.get(n) != 0]
        return len(set(families)) == len(families)

    def is_fresh(self, value: ast.expr) -> bool:
        """Whether a value has memory of its own."""
        match value:
            case ast.Constant() | ast.BinOp() | ast.UnaryOp() | ast.Compare():
                return True
            case ast.Call(func=ast.Attribute(attr="copy" | "astype"), keywords=[]):
                return True
            case ast.Call(func=ast.Name(id=name)) if name in OWN:
                return True
            case ast.Call(func=func):
                meant = self._meaning(func)
                if is_one_of(meant, OF_FIRST) and value.args:
                    return self.is_fresh(value.args[0])
                fresh = isinstance(meant, np.ufunc) or is_one_of(meant, FRESH | ELEMENTWISE)
                return fresh or is_one_of(meant, COPIED)
        return self.rank(value) == 0

    def is_of_numbers(self, value: ast.expr) -> bool:
        """Whether a value is a function, without any effect, of numbers that have names."""
        match value:
            case ast.Call(func=func, args=args, keywords=[]):
                meant = self._meaning(func)
                pure = is_elementwise(meant, value) or is_one_of(meant, ELEMENTWISE)
                named = all(isinstance(a, (ast.Name, ast.Constant)) for a in args)
                return pure and named and all(self.rank(a) == 0 for a in args)
        return False

    def shape_of(self, node: ast.expr) -> ast.expr | None:
        """The shape, of an array that keeps its name, that a name stands for."""
        match self._made.get(node.id) if isinstance(node, ast.Name) else None:
            case ast.Attribute(value=ast.Name(id=array), attr="shape") as shape if (
                array in self._once and self.ranks.get(array, -1) > 0
            ):
                return shape
        return None

    def literal(self, node: ast.expr) -> Any:
        """What an expression, or what a name was bound to once, is written down as; None for others."""
        found = self._made.get(node.id) if isinstance(node, ast.Name) else node
        try:
            return None if found is None else ast.literal_eval(found)
        except ValueError:
            return None

    def _is_root(self, name: str, value: ast.expr) -> bool:
        return self.ranks.get(name, -1) > 0 and self.is_fresh(value)
