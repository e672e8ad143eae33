"""Arrays that trade places are the rows of one: what is traded are numbers.

In: the tree of a kernel whose statements are loops, what is known of its names, the lengths of arrays.
Out: the same tree, changed in place.
Next: results.

Machine code does several elements at once where it sees that what is written is not what is read. Of two arrays that a
loop trades it sees only that each may be either; of two rows it asks whether they are one before a loop begins. And
numbers are put on lists and taken off them without a count of who holds them.
"""

from __future__ import annotations

import ast
import re
from collections import Counter
from collections.abc import Callable, Iterator, Mapping
from typing import Any

import numpy as np

from tangentlite import runtime
from tangentlite.native.facts.names import blocks, loads, statements, stores
from tangentlite.native.memory.filled import firsts, unnamed
from tangentlite.native.memory.held import LATER, traded
from tangentlite.native.memory.rowed import ROWS, Rowed, rows_of
from tangentlite.native.memory.shelves import put_and_taken, shelves, used

Body = list[ast.stmt]
Shape = tuple[str, ...]
Meaning = Callable[[ast.expr], Any]
LOOPS = ast.For, ast.While
MADE: tuple[Any, ...] = np.zeros, np.empty, np.zeros_like, np.empty_like, runtime.shadow
EMPTY = (1, 3)
NAME = re.compile(r"(?<![.\w])[^\W\d]\w*")
WORDS = {"max", "min"}


def in_rows(
    tree: ast.FunctionDef,
    names: Any,
    claims: Mapping[str, Shape],
    meaning: Meaning,
    copies: frozenset[str],
    asked: frozenset[str] | None,
) -> None:
    """``copies``: what the caller made for the kernel alone; ``asked``: results of which it reads nothing but shapes.

    Helpers have no callers that ask so: what they are given stays where it is.

    >>> text = "def f(p, n):\\n q = np.zeros((p.shape[0],))\\n for _ in range(n):\\n  q[0] = p[1]"
    >>> tree = ast.parse(text + "\\n  t = p\\n  p = q\\n  q = t\\n return (p,)").body[0]
    >>> names = type("Names", (), {"ranks": dict.fromkeys("pqt", 1), "floats": set("pqt")})()
    >>> in_rows(tree, names, dict.fromkeys("pqt", ("p.shape[0]",)), lambda node: np.zeros, frozenset("p"), frozenset())
    >>> print(ast.unparse(tree))
    def f(p, n):
        _rows_p = np.empty((2, p.shape[0]))
        p_at = 0
        for _0 in range(p.shape[0]):
            _rows_p[0, _0] = p[_0]
        q_at = 1
        for _0 in range(p.shape[0]):
            _rows_p[1, _0] = 0.0
        for _ in range(n):
            _rows_p[q_at, 0] = _rows_p[p_at, 1]
            t_at = p_at
            p_at = q_at
            q_at = t_at
        p = np.empty((p.shape[0],))
        for _0 in range(p.shape[0]):
            p[_0] = _rows_p[p_at, _0]
        return (p,)
    """
    if any(isinstance(n, LATER) for s in tree.body for n in ast.walk(s)):
        return
    inner = (b for s in statements(tree.body) if isinstance(s, LOOPS) for b in _within(s))
    for group in traded(inner):
        found = _Kin(tree, group, names, claims, meaning, copies, asked)
        if found.fits():
            rowed = Rowed(found.origins, found.members, found.shape, found.shelves)
            tree.body = rowed.body(tree, found.outside)
    unnamed(tree)
    ast.fix_missing_locations(tree)


def _within(statement: ast.stmt) -> Iterator[Body]:
    for block in blocks(statement):
        yield block
        for inner in block:
            yield from _within(inner)


class _Kin:
    """The names that may have one of the arrays which a group of names trades."""

    def __init__(
        self,
        tree: ast.FunctionDef,
        group: frozenset[str],
        names: Any,
        claims: Mapping[str, Shape],
        meaning: Meaning,
        copies: frozenset[str],
        asked: frozenset[str] | None,
    ) -> None:
        self._tree, self._names, self._claims, self._meaning = tree, names, claims, meaning
        self._params = {a.arg for a in tree.args.args}
        self._firsts = firsts(tree)
        self._ours = None if asked is None else copies
        self.outside = self._only_asked(asked or frozenset())
        self.shelves = {name: self._uses(name) for name in shelves(tree.body)}
        self.members = self._reached(group)
        self.origins: dict[str, tuple[ast.stmt, bool] | None] = {}
        self._claim = claims.get(min(group), ())
        self.shape = tuple(map(self._plain, self._claim))

    def fits(self) -> bool:
        """Whether each of them is bound to arrays of one shape alone, which are made once."""
        return (
            all(self._is_alike(name) for name in self.members)
            and self._are_made_once()
            and self._are_plain()
            and self._are_ours()
            and self._are_new()
        )

    def _is_alike(self, name: str) -> bool:
        rank = self._names.ranks.get(name, -1)
        alike = self._claim and self._claims.get(name) == self._claim
        return bool(alike) and rank == len(self.shape) and name in self._names.floats

    def _plain(self, length: str) -> str:
        """A length, as parameters tell it that nothing is bound to once names are those of numbers."""

        def own(name: re.Match[str]) -> str:
            param = self._firsts.get(name[0], self._params & {name[0]} and name[0])
            return str(param) if param in self.members else name[0]

        return NAME.sub(own, length)

    def _are_made_once(self) -> bool:
        self.origins = dict.fromkeys(sorted(self.members & self._params))
        bound = Counter(n for s in self._tree.body for n in stores([s]))
        known = Counter(name for name, _ in self._pairs())
        for statement in self._tree.body:
            match statement:
                case ast.Assign(targets=[ast.Name(id=name)], value=ast.Call() as call) if (
                    name in self.members and name not in self.origins
                ):
                    zeros = self._made(call)
                    if zeros is not None:
                        self.origins[name] = statement, zeros
                        known[name] += 1
        return all(bound[name] == known[name] for name in self.members)

    def _made(self, call: ast.Call) -> bool | None:
        """Whether a new array of doubles holds zeros; None for what makes none."""
        how = next((k for k, f in enumerate(MADE) if self._meaning(call.func) is f), None)
        if how is None or len(call.args) != 1 or call.keywords:
            return None
        (size,) = call.args
        if how > 1:
            like = getattr(size, "id", "")
            rows = isinstance(size, ast.Subscript) and ast.unparse(size.value).startswith(ROWS)
            if like not in self._names.floats and not rows:
                return None
        return how not in EMPTY

    def _are_new(self) -> bool:
        """Whether there are no such names yet, and lengths are told by what stays."""
        taken = {n.id for n in ast.walk(self._tree) if isinstance(n, ast.Name)} | self._params
        new = {rows_of(self.origins), *(f"{name}_at" for name in self.members)}
        told = {n for length in self.shape for n in NAME.findall(length)}
        still = self.members & self._params | set(self._firsts)
        return new.isdisjoint(taken) and told - WORDS <= still - (self.members - self._params)

    def _only_asked(self, results: frozenset[str]) -> set[str]:
        """Second names of parameters as they are given, of which nothing is read but lengths."""
        reads = Counter(n for s in self._tree.body for n in loads(s))
        asked = Counter(n for s in self._tree.body for n in _measured(s))
        last = self._tree.body[-1]
        asked.update(n for n in loads(last) if isinstance(last, ast.Return) and n in results)
        return {n for n, p in self._firsts.items() if n != p and reads[n] == asked[n]}

    def _uses(self, shelf: str) -> list[list[ast.expr]]:
        puts, takes = put_and_taken(self._tree.body, shelf)
        return [parts for _, parts in (*puts, *takes)]

    def _pairs(self) -> Iterator[tuple[str, str]]:
        """Names that are bound, each with what it is bound to."""
        for statement in statements(self._tree.body):
            match statement:
                case ast.Assign(targets=[ast.Name(id=name)], value=ast.Name(id=other)) if (
                    name not in self.outside
                ):
                    yield name, other
            for shelf, parts in used(statement):
                if shelf in self.shelves and isinstance(statement, ast.Assign):
                    yield from ((p.id, shelf) for p in parts if isinstance(p, ast.Name))

    def _reached(self, group: frozenset[str]) -> set[str]:
        ties = [set(pair) for pair in self._pairs() if pair[1] not in self.shelves]
        for uses in self.shelves.values():
            ties += [{getattr(part, "id", "") for part in place} for place in zip(*uses)]
        found, before = set(group), set[str]()
        while found != before:
            before = set(found)
            found = found.union(*(tie for tie in ties if not found.isdisjoint(tie)))
        return found

    def _are_ours(self) -> bool:
        """Whether nobody else sees what happens to these arrays."""
        own = self.members & self._params
        if self._ours is not None:
            return own <= self._ours
        gone = (s for s in statements(self._tree.body) if isinstance(s, ast.Return))
        return not own and all(self.members.isdisjoint(loads(s)) for s in gone)

    def _are_plain(self) -> bool:
        """Whether nothing but numbers and slices tells elements of these arrays, and only the end gives them back."""
        nodes = [n for s in self._tree.body for n in ast.walk(s)]
        returns = [n for n in nodes if isinstance(n, ast.Return)]
        if len(returns) > 1 or (returns and returns[0] is not self._tree.body[-1]):
            return False
        indices = (
            n.slice
            for n in nodes
            if isinstance(n, ast.Subscript) and getattr(n.value, "id", "") in self.members
        )
        return not any(self._names.ranks.get(n, 0) for i in indices for n in _outermost(i))


def _outermost(index: ast.AST) -> Iterator[str]:
    """The names of an index that are not within a subscript or a call."""
    match index:
        case ast.Name(id=name):
            yield name
        case ast.Subscript() | ast.Call():
            return
        case _:
            for node in ast.iter_child_nodes(index):
                yield from _outermost(node)


def _measured(tree: ast.AST) -> Iterator[str]:
    """The arrays of which lengths are asked."""
    for node in ast.walk(tree):
        match node:
            case ast.Attribute(value=ast.Name(id=name), attr="shape"):
                yield name
            case ast.Call(func=ast.Name(id="len"), args=[ast.Name(id=name)]):
                yield name
