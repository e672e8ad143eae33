"""Outer products that a loop adds to one array: their rows are stacked, and multiplied many at a time.

In: the tree of a kernel, what is known of its names.
Out: the same tree, changed in place.
Next: ahead.

Numba multiplies matrices by way of SciPy, so this is for kernels that do so anyway.
"""

from __future__ import annotations

import ast
from collections import Counter
from collections.abc import Callable
from typing import Any

import numpy as np

from tangentlite.native.facts.known import POURED
from tangentlite.native.facts.names import blocks, statements

Meaning = Callable[[ast.expr], Any]
ROWS = 64
WORDS = ("height", "width", "xs", "ys", "at")
BEGIN = """
{height} = {a}.shape[0]
{width} = {a}.shape[1]
{xs} = np.empty(({rows}, {height}))
{ys} = np.empty(({rows}, {width}))
{at} = 0
"""
PUSHED = "{xs}[{at}] = 0\n{ys}[{at}] = 0\n{at} += 1\nif {at} == {rows}:\n    {end}\n    {at} = 0"
END = f"{POURED}({{a}}, {{xs}}, {{ys}}, {{at}})"


def stacked(tree: ast.FunctionDef, names: Any, meaning: Meaning) -> bool:
    """Whether there was something to stack.

    >>> lines = ["def f(w, b, x, y, n):", " z = w @ y", " for i in range(n):", "  b += np.outer(x, z)"]
    >>> tree = ast.parse("\\n".join(lines)).body[0]
    >>> ranks = {"w": 2, "b": 2, "x": 1, "y": 1, "z": 1, "n": 0, "i": 0}
    >>> rank = lambda self, node: ranks[node.id] if isinstance(node, ast.Name) else 1
    >>> same = {"rank": rank, "ranks": ranks, "floats": set("wbxyz"), "meet": lambda self, a, b: a == b}
    >>> known = lambda node: {"np.outer": np.outer}.get(ast.unparse(node))
    >>> stacked(tree, type("Names", (), same)(), known)
    True
    >>> print(ast.unparse(tree.body[5:]))
    _at5 = 0
    for i in range(n):
        _xs3[_at5] = x
        _ys4[_at5] = z
        _at5 += 1
        if _at5 == 64:
            _poured(b, _xs3, _ys4, _at5)
            _at5 = 0
    _poured(b, _xs3, _ys4, _at5)
    """
    sums = any(_is_sum(s) for s in statements(tree.body))
    return sums and _multiplies(tree, names) and _Stacker(tree, names, meaning).block(tree.body)


class _Stacker:
    def __init__(self, tree: ast.FunctionDef, names: Any, meaning: Meaning) -> None:
        self._names, self._meaning, self._count = names, meaning, 0
        self._taken = {n.id for n in ast.walk(tree) if isinstance(n, ast.Name)}

    def block(self, body: list[ast.stmt]) -> bool:
        """Loops as far outside as they may be."""
        found = False
        for statement in list(body):
            if isinstance(statement, (ast.For, ast.While)):
                for name, sums in self._sums(statement).items():
                    if self._is_only_added(name, len(sums), statement):
                        self._stack(name, sums, statement, body)
                        found = True
            for inner in blocks(statement):
                found |= self.block(inner)
        return found

    def _sums(self, loop: ast.stmt) -> dict[str, list[ast.AugAssign]]:
        found: dict[str, list[ast.AugAssign]] = {}
        for statement in statements([loop]):
            match statement:
                case ast.AugAssign(target=ast.Name(id=name), value=ast.Call() as call) if (
                    _is_sum(statement) and self._is_outer(call) and self._is_matrix(name)
                ):
                    found.setdefault(name, []).append(statement)
        return found

    def _is_outer(self, call: ast.Call) -> bool:
        rows = all(self._names.rank(a) == 1 for a in call.args)
        return rows and self._meaning(call.func) is np.outer and not call.keywords

    def _is_matrix(self, name: str) -> bool:
        return self._names.ranks.get(name) == 2 and name in self._names.floats

    def _is_only_added(self, name: str, count: int, loop: ast.stmt) -> bool:
        """Whether nothing in a loop looks at an array, or leaves before what is stacked is added."""
        nodes = list(ast.walk(loop))
        if any(isinstance(n, (ast.Return, ast.Try)) for n in nodes):
            return False
        met = Counter(n.id for n in nodes if isinstance(n, ast.Name))
        arrays = (n for n in met if n != name and self._names.ranks.get(n) != 0)
        return met[name] == count and not any(self._names.meet(name, n) for n in arrays)

    def _stack(
        self, name: str, sums: list[ast.AugAssign], loop: ast.stmt, body: list[ast.stmt]
    ) -> None:
        words = {word: self._fresh(word) for word in WORDS} | {"a": name, "rows": str(ROWS)}
        words["end"] = END.format(**words)
        place = body.index(loop)
        body[place + 1 : place + 1] = ast.parse(words["end"]).body
        body[place:place] = ast.parse(BEGIN.format(**words)).body
        _Push(sums, words).visit(loop)

    def _fresh(self, wish: str) -> str:
        self._count += 1
        name = f"_{wish}{self._count}"
        return name if name not in self._taken else self._fresh(wish)


def _is_sum(statement: ast.stmt) -> bool:
    """``bw += f(x, y)``."""
    match statement:
        case ast.AugAssign(
            target=ast.Name(), op=ast.Add() | ast.Sub(), value=ast.Call(args=[_, _])
        ):
            return True
    return False


def _multiplies(tree: ast.FunctionDef, names: Any) -> bool:
    """Whether a kernel multiplies matrices."""
    found = (n for n in ast.walk(tree) if isinstance(n, ast.BinOp))
    return any(isinstance(n.op, ast.MatMult) and names.rank(n) != 0 for n in found)


class _Push(ast.NodeTransformer):
    def __init__(self, sums: list[ast.AugAssign], words: dict[str, str]) -> None:
        self._sums, self._words = sums, words

    def visit_AugAssign(self, node: ast.AugAssign) -> Any:
        """``bw += np.outer(x, y)``."""
        if node not in self._sums or not isinstance(node.value, ast.Call):
            return node
        one, other = node.value.args
        lines: list[Any] = ast.parse(PUSHED.format(**self._words)).body
        lines[0].value = ast.UnaryOp(ast.USub(), one) if isinstance(node.op, ast.Sub) else one
        lines[1].value = other
        return lines
