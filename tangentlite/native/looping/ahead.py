"""Products of one matrix with the rows of another, a row at each trip of a loop: those of many rows are made at once.

In: the tree of a kernel, what is known of its names.
Out: the same tree, changed in place.
Next: loops.
"""

from __future__ import annotations

import ast
from collections import Counter
from collections.abc import Callable, Iterator
from typing import Any

from tangentlite.native.facts.names import loads, statements, stores
from tangentlite.native.looping.stacking import ROWS
from tangentlite.native.memory.records import touched

Meaning = Callable[[ast.expr], Any]
MADE = "if {i} % {rows} == 0:\n    {made} = {x}[{i}:min({i} + {rows}, {count})] @ {w}"
ROW = "{made}[{i} % {rows}]"
LEAVING = (ast.Break, ast.Continue, ast.Return, ast.Try)


def ahead(tree: ast.FunctionDef, names: Any, meaning: Meaning) -> bool:
    """Whether there was such a product.

    >>> lines = ["def f(w, u, h, x, n):", " for i in range(n):", "  h = g(w @ h + u @ x[i])", " return h"]
    >>> tree = ast.parse("\\n".join(lines)).body[0]
    >>> ranks = {"w": 2, "u": 2, "h": 1, "x": 2, "n": 0, "i": 0}
    >>> rank = lambda self, node: ranks[node.id] if isinstance(node, ast.Name) else 1
    >>> same = {"rank": rank, "ranks": ranks, "floats": set("wuhx"), "meet": lambda self, a, b: a == b}
    >>> ahead(tree, type("Names", (), same)(), lambda node: None)
    True
    >>> print(ast.unparse(tree.body[0]))
    for i in range(n):
        if i % 64 == 0:
            _ahead8 = x[i:min(i + 64, n)] @ u.T
        h = g(w @ h + _ahead8[i % 64])
    """
    found = False
    taken = {n.id for n in ast.walk(tree) if isinstance(n, ast.Name)}
    for loop in statements(tree.body):
        if isinstance(loop, ast.For) and any(_is_product(n) for s in loop.body for n in _parts(s)):
            found |= _Loop(loop, names, meaning, taken).run()
    return found


class _Loop(ast.NodeTransformer):
    """``rows``: which matrix the names are rows of; ``made``: statements that multiply many rows."""

    def __init__(self, loop: ast.For, names: Any, meaning: Meaning, taken: set[str]) -> None:
        self._loop, self._names, self._taken = loop, names, taken
        self._written = {n for s in loop.body for n in touched(s, meaning)}
        self._times = Counter(n for s in loop.body for n in stores([s]))
        self._rows: dict[str, str] = {}
        self._made: list[ast.stmt] = []

    def run(self) -> bool:
        """Change the loop, if it goes over a range from zero, to its end."""
        match self._loop:
            case ast.For(
                target=ast.Name(id=i), iter=ast.Call(func=ast.Name(id="range"), args=[count])
            ) if not self._times.keys() & {i, *loads(count)} and _is_short(count):
                self._i, self._count = i, ast.unparse(count)
            case _:
                return False
        if any(isinstance(n, LEAVING) for n in ast.walk(self._loop)):
            return False
        body: list[ast.stmt] = []
        for statement in self._loop.body:
            self._learn(statement)
            if isinstance(statement, (ast.Assign, ast.AugAssign, ast.Expr)):
                statement.value = self.visit(statement.value)
            body += [*self._made, statement]
            self._made = []
        found = len(body) > len(self._loop.body)
        self._loop.body = body
        return found

    def _learn(self, statement: ast.stmt) -> None:
        match statement:
            case ast.Assign(targets=[ast.Name(id=name)], value=value) if self._times[name] == 1:
                matrix = self._row(value)
                self._rows |= {name: matrix} if matrix else {}

    def visit_BinOp(self, node: ast.BinOp) -> ast.expr:
        """``u @ x[i]`` or ``x[i] @ u``."""
        self.generic_visit(node)
        if not _is_product(node):
            return node
        for one, other, turned in ((node.left, node.right, True), (node.right, node.left, False)):
            rows = self._row(other)
            if rows and self._is_still(one):
                return self._ahead(rows, _turned(one) if turned else ast.unparse(one))
        return node

    def _row(self, node: ast.expr) -> str | None:
        """The matrix that has an expression for its row of this trip."""
        match node:
            case ast.Name(id=name):
                return self._rows.get(name)
            case ast.Subscript(value=ast.Name() as matrix, slice=ast.Name(id=i)) if i == self._i:
                return matrix.id if self._is_still(matrix) else None
        return None

    def _is_still(self, node: ast.expr) -> bool:
        """Whether a matrix of floats is the same at every trip."""
        match node:
            case ast.Attribute(value=inner, attr="T"):
                return self._is_still(inner)
            case ast.Name(id=name) if name in self._names.floats:
                arrays = (n for n in self._written if self._names.ranks.get(n) != 0)
                moved = name in self._times or any(self._names.meet(name, n) for n in arrays)
                return self._names.ranks.get(name) == 2 and not moved
        return False

    def _ahead(self, rows: str, matrix: str) -> ast.expr:
        count = len(self._taken)
        while (made := f"_ahead{count}") in self._taken:
            count += 1
        self._taken.add(made)
        words = {"i": self._i, "rows": str(ROWS), "made": made, "x": rows, "w": matrix}
        self._made += ast.parse(MADE.format(**words, count=self._count)).body
        row: ast.expr = ast.parse(ROW.format(**words), mode="eval").body
        return row


def _turned(node: ast.expr) -> str:
    text = ast.unparse(node)
    return text.removesuffix(".T") if text.endswith(".T") else f"{text}.T"


def _parts(statement: ast.stmt) -> Iterator[ast.AST]:
    if isinstance(statement, (ast.Assign, ast.AugAssign, ast.Expr)):
        yield from ast.walk(statement.value)


def _is_product(node: ast.AST) -> bool:
    return isinstance(node, ast.BinOp) and isinstance(node.op, ast.MatMult)


def _is_short(count: ast.expr) -> bool:
    """Whether a number of trips can be said again."""
    match count:
        case ast.Name() | ast.Constant() | ast.Call(func=ast.Name(id="len"), args=[ast.Name()]):
            return True
        case ast.Subscript(value=ast.Attribute(value=ast.Name(), attr="shape"), slice=part):
            return isinstance(part, ast.Constant)
    return False
