"""Arrays that nothing else lies in, where machine code had to ask too often whether two are one.

In: the tree of a kernel whose statements are loops, what is known of its names.
Out: the same tree, changed in place.
Next: workshop.

Before a loop that takes several elements at once, machine code asks of each place that is written whether it is one of
those that are read. LLVM asks no more than eight times, and takes single elements else.
"""

from __future__ import annotations

import ast
from collections.abc import Callable, Iterator, Mapping
from itertools import combinations
from typing import Any

import numpy as np

from tangentlite import runtime
from tangentlite.native.facts.known import UNSHARED, is_one_of
from tangentlite.native.facts.names import statements

NEW = (np.empty, np.zeros, np.empty_like, np.zeros_like, runtime.shadow)
ASKED = 8  # the runtime-memory-check-threshold of LLVM
Place = tuple[str, tuple[str, ...]]
Meaning = Callable[[ast.expr], Any]


def told_apart(
    tree: ast.FunctionDef, given: set[str], ranks: Mapping[str, int], meaning: Meaning
) -> None:
    """New arrays of crowded loops are said to be so where they are made, arguments that are written into at first.

    ``given``: arguments that share no memory, and that nobody else meets while this runs. A helper has none: its
    statements may become part of a function that knows them by another name.

    >>> text = "def f(x, y, z, n):\\n    b = np.empty(n)\\n    c = np.empty(n)\\n    for i in range(n):\\n"
    >>> text += "        b[i] = x[i + 1] - x[i]\\n        c[i] = y[i] * z[i]\\n        x[i] = y[i] = b[i]"
    >>> tree = ast.parse(text + "\\n    c[0] = 1.0").body[0]
    >>> told_apart(tree, set("xyz"), dict.fromkeys("xyz", 1), lambda node: np.empty)
    >>> print(ast.unparse(tree.body[:4]))
    x = _unshared(x)
    y = _unshared(y)
    b = _unshared(np.empty(n))
    c = _unshared(np.empty(n))
    """
    found = {name for loop in _innermost(tree) for name in _crowd(loop)}
    if not found:
        return
    for statement in statements(tree.body):
        match statement:
            case ast.Assign(targets=[ast.Name(id=name)], value=ast.Call(func=func) as made) if (
                name in found and is_one_of(meaning(func), NEW)
            ):
                statement.value = ast.Call(ast.Name(UNSHARED, ast.Load()), [made], [])
    written = {place[0] for place, stored in _places(tree.body) if stored}
    apart = {name for name in written & found & given if ranks.get(name, -1) > 0}
    lines = [f"{a.arg} = {UNSHARED}({a.arg})" for a in tree.args.args if a.arg in apart]
    tree.body[:0] = ast.parse("\n".join(lines)).body
    ast.fix_missing_locations(tree)


def _innermost(tree: ast.FunctionDef) -> Iterator[ast.For]:
    """Loops in which nothing happens but that elements are stored."""
    for statement in statements(tree.body):
        if isinstance(statement, ast.For):
            if all(isinstance(s, (ast.Assign, ast.AugAssign)) for s in statement.body):
                yield statement


def _crowd(loop: ast.For) -> set[str]:
    """The arrays of a loop before which there is too much to ask."""
    found: dict[Place, bool] = {}
    for place, stored in _places(loop.body):
        found[place] = found.get(place, False) or stored
    pairs = [(a, b) for a, b in combinations(found, 2) if found[a] or found[b]]
    return {name for name, _ in found} if len(pairs) > ASKED else set()


def _places(body: list[ast.stmt]) -> Iterator[tuple[Place, bool]]:
    """What is met of arrays, those elements as one that lie side by side; whether it is written."""
    for node in (n for s in body for n in ast.walk(s)):
        match node:
            case ast.Subscript(value=ast.Name(id=name), slice=index, ctx=context):
                parts = index.elts if isinstance(index, ast.Tuple) else [index]
                *lead, last = map(ast.unparse, parts) if parts else [""]  # s[()], of no dimension
                yield (name, (*lead, last.partition(" + ")[0])), isinstance(context, ast.Store)
