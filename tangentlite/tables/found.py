"""Found: which names hold lists of numbers that are made here, of which only numbers are taken and stored.

In: a function as it was read, ``Purity``.
Out: ``ranks``: how many indices each of them has.
Next: written.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

import gast

from tangentlite import syntax
from tangentlite.ir import Function
from tangentlite.optimize.facts.purity import Purity
from tangentlite.tables.made import Link, Made, bindings

WALKS = (enumerate, zip, reversed)


def ranks(function: Function, purity: Purity, given: Mapping[str, int] = {}) -> dict[str, int]:
    """The lists of numbers, and how many indices their numbers have; those that are ``given`` are only read.

    >>> from tangentlite.optimize.samples import function
    >>> def show(text):
    ...     made = function(text)
    ...     print(ranks(made, Purity(made.namespace, made.local, lambda callee: False)))
    >>> show("u = [0.0] * n\\nA = [[x for j in range(n)] for i in range(n)]\\nu[0] = A[0][1]\\nv = u[:]\\nreturn v[-1]")
    {'u': 1, 'A': 2, 'v': 1}
    >>> show("u = [0.0] * n\\nv = [1.0, 2.0]\\nw = v\\nw.append(3.0)\\nreturn u")
    {}
    """
    names = dict[str, list[Made | Link]]()
    for statement in syntax.statements(function.body):
        for name, part in bindings(statement, purity) or ():
            names.setdefault(name, []).append(part)
    for param in function.params:
        if param.name in names:
            given = {name: rank for name, rank in given.items() if name != param.name}
            del names[param.name]
    found = _ranks(names, given)
    while used := set(_Uses(found, purity, frozenset(given)).otherwise(function.body)):
        names = {name: parts for name, parts in names.items() if name not in used}
        given = {name: rank for name, rank in given.items() if name not in used}
        found = _ranks(names, given)
    return found


def _ranks(names: Mapping[str, list[Made | Link]], given: Mapping[str, int]) -> dict[str, int]:
    """The number of indices where all that a name is bound to has as many."""
    found = {name: {rank} for name, rank in given.items()}
    before: Any = None
    while before != found:
        before = {name: set(sides) for name, sides in found.items()}
        for name, parts in names.items():
            own = found.setdefault(name, set())
            for part in parts:
                if isinstance(part, Made):
                    own.add(part.rank)
                else:
                    known = part.name in names or part.name in given
                    own |= found.get(part.name, set()) if known else {0}
                    own |= set() if part.copied or part.name not in given else {0}
                    own |= {0} if part.copied and 2 in own else set()  # rows are not copied
    return {name: own.pop() for name, own in found.items() if len(own) == 1 and own <= {1, 2}}


class _Uses:
    """Looks through statements for names of lists that are used in another way than number by number."""

    def __init__(self, ranks: dict[str, int], purity: Purity, read: frozenset[str]) -> None:
        self._ranks, self._purity, self._read = ranks, purity, read

    def otherwise(self, body: Sequence[Any]) -> Iterator[str]:
        """The names that are used in another way."""
        for node in body:
            yield from self._node(node)

    def _node(self, node: Any) -> Iterator[str]:
        match node:
            case gast.Assign() if self._is_bound(node):
                parts = bindings(node, self._purity) or []
                yield from self.otherwise(
                    [tree for _, part in parts if isinstance(part, Made) for tree in part.trees]
                )
            case gast.Subscript(ctx=gast.Store() | gast.Del()) if _base(node) in self._read:
                yield _base(node)
            case gast.Subscript(
                value=gast.Subscript(value=gast.Name(id=name), slice=i), slice=j
            ) if self._ranks.get(name) == 2 and _is_one(i) and _is_one(j):
                yield from self.otherwise([i, j])
            case gast.Subscript(value=gast.Name(id=name), slice=i) if self._ranks.get(
                name
            ) == 1 and _is_one(i):
                yield from self._node(i)
            case gast.Call(func=func, args=[gast.Name(id=name)], keywords=[]) if self._asks(
                func, name
            ):
                return
            case gast.Call(
                func=func, args=[gast.Subscript(value=gast.Name(id=name), slice=i)], keywords=[]
            ) if self._ranks.get(name) == 2 and self._purity.means(func, (len,)) and _is_one(i):
                yield from self._node(i)
            case gast.For():
                yield from self._walked(node.iter)
                yield from self.otherwise([node.target, *node.body, *node.orelse])
            case gast.comprehension():
                yield from self._walked(node.iter)
                yield from self.otherwise([node.target, *node.ifs])
            case gast.Name(id=name):
                if name in self._ranks:
                    yield name
            case _:
                yield from self.otherwise(list(syntax.children(node)))

    def _is_bound(self, node: gast.Assign) -> bool:
        found = bindings(node, self._purity) or []
        both = [n for n, _ in found] + [part.name for _, part in found if isinstance(part, Link)]
        return bool(found) and all(name in self._ranks for name in both)

    def _asks(self, func: gast.expr, name: str) -> bool:
        """Whether a list is asked for its length, or for the sum or the largest of its numbers."""
        callees = {1: (len, sum, max, min), 2: (len,)}.get(self._ranks.get(name, 0), ())
        return self._purity.means(func, callees)

    def _walked(self, tree: Any) -> Iterator[str]:
        """What a loop runs through; it may run through lists of numbers."""
        parts = [tree]
        if isinstance(tree, gast.Call) and self._purity.means(tree.func, WALKS):
            parts = [*tree.args, *tree.keywords]
        for part in parts:
            if not isinstance(part, gast.Name) or self._ranks.get(part.id) == 2:
                yield from self._node(part)


def _is_one(index: gast.expr) -> bool:
    """Whether an index takes one place."""
    return not isinstance(index, gast.Slice | gast.Tuple)


def _base(tree: Any) -> str:
    while isinstance(tree, gast.Subscript):
        tree = tree.value
    return tree.id if isinstance(tree, gast.Name) else ""
