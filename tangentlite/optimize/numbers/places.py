"""Places: where a statement asks arrays for single numbers, and where for more.

In: a statement, what it writes and binds, ``Sorts``.
Out: ``Uses``.
Next: lists.
"""

from __future__ import annotations

import ast
from collections.abc import Iterator
from typing import Any

import gast

from tangentlite import syntax
from tangentlite.optimize.numbers.forms import BOOL, FLOAT, INT, is_array
from tangentlite.optimize.numbers.sorts import Sorts

MEASURED = ("shape", "size", "ndim", "dtype")
IN_PLACE = (gast.Add, gast.Sub, gast.Mult, gast.Div)
NUMBER = (FLOAT, INT, BOOL)


class Uses:
    """``places``: the numbers of each array that are read or written; ``whole``: arrays of which more is asked.

    >>> from tangentlite.optimize.facts.scope import Scope
    >>> from tangentlite.optimize.samples import USER, function, sample_is_pure
    >>> f = function("for i in range(len(x)):\\n    y[i] = x[i] + np.sum(z)\\n    x[i - 1] += 2")
    >>> scope = Scope(f, USER, sample_is_pure)
    >>> sorts = Sorts(f.body, dict.fromkeys("xyz", 1), scope.purity)
    >>> uses = Uses(f.body[0], sorts, {"x", "y"}, {"i"})
    >>> sorted(uses.places), sorted(uses.whole), len(uses.order)
    (['x', 'y'], ['z'], 3)
    """

    def __init__(
        self, statement: gast.stmt, sorts: Sorts, written: set[str], bound: set[str]
    ) -> None:
        self._sorts = sorts
        self.written, self.bound = written, bound
        kinds = {type(s) for s in syntax.statements([statement])}
        self.ends, self.leaves = gast.Return in kinds, bool(kinds & {gast.Break, gast.Continue})
        self.names = syntax.loads(statement) | syntax.stores(statement)
        self.order: list[tuple[str, gast.Subscript]] = []
        self.whole: set[str] = set()
        self._stores: list[tuple[str, gast.expr]] = []
        for inner in syntax.statements([statement]):
            self._store(inner)
        self._look(statement)
        self.places = {name for name, _ in self.order}

    def indices(self, array: str) -> list[gast.expr]:
        """The places of an array."""
        return [place.slice for name, place in self.order if name == array]

    def stored(self, arrays: set[str]) -> Iterator[gast.expr]:
        """What is stored in some arrays and is no float yet."""
        for name, value in self._stores:
            if name in arrays and self._sorts.of(value) != FLOAT:
                yield value

    def _store(self, statement: gast.stmt) -> None:
        """A list holds what is stored in it: single numbers, by operations that make numbers of numbers."""
        match statement:
            case gast.Assign(targets=[gast.Subscript(value=gast.Name(id=name))], value=value):
                self._stores.append((name, value))
                fits = self._sorts.of(value) in NUMBER
            case gast.AugAssign(
                target=gast.Subscript(value=gast.Name(id=name)), op=op, value=value
            ):
                fits = self._sorts.of(value) in NUMBER and isinstance(op, IN_PLACE)
            case _:
                return
        if not fits:
            self.whole.add(name)

    def _look(self, statement: ast.AST) -> None:
        stack: list[Any] = [statement]
        while stack:
            node = stack.pop()
            match node:
                case gast.Subscript(value=gast.Name(id=name), slice=index) if self._is_number(node):
                    self.order.append((name, node))
                    stack.append(index)
                    continue
                case gast.Attribute(value=gast.Name(), attr=attr) if attr in MEASURED:
                    continue
                case gast.Call(func=gast.Name(id="len"), args=[gast.Name()]):
                    continue
                case gast.Name(id=name) if is_array(self._sorts.known.get(name)):
                    self.whole.add(name)
            stack += syntax.children(node)[::-1]

    def _is_number(self, node: gast.Subscript) -> bool:
        loaded = gast.Subscript(node.value, node.slice, gast.Load())
        return self._sorts.of(loaded) == FLOAT and is_array(self._sorts.of(node.value))
