"""The user's lines behind generated statements.

In: statements, and where the statements that they came from stand.
Out: the same statements, credited; every pass hands the credit on, as it does places.
Next: ir.
"""

from __future__ import annotations

import ast
from collections.abc import Iterable
from typing import Any, TypeVar

from tangentlite.trees import blocks

Line = tuple[str, int]  # a file and a line of it
Lines = frozenset[Line]
Node = TypeVar("Node", bound=ast.AST)
NONE: Lines = frozenset()


def behind(node: ast.AST) -> Lines:
    """The lines that a statement is credited with; those of its header if it has blocks."""
    found: Lines = node.__dict__.get("behind", NONE)
    return found


def credit(body: Iterable[ast.AST], lines: Lines) -> None:
    """Credit statements, and those in their blocks, with lines, where none were given before.

    >>> first, second = ast.parse("x = 1; y = 2").body
    >>> credit([first], frozenset([("f.py", 3)]))
    >>> credit([first, second], frozenset([("f.py", 4)]))
    >>> [sorted(behind(statement)) for statement in (first, second)]
    [[('f.py', 3)], [('f.py', 4)]]
    """
    for statement in body:
        if "behind" not in statement.__dict__:
            statement.__dict__["behind"] = lines
            for block in blocks(statement):
                credit(block, lines)


def joined(new: Node, *olds: ast.AST) -> Node:
    """A statement that was made of several, with the lines of all."""
    lines = NONE.union(*map(behind, olds))
    if behind(new) == lines:
        return new
    kind: Any = new.__class__
    again = kind.__new__(kind)
    again.__dict__.update(new.__dict__, behind=lines)
    return again  # type: ignore[no-any-return]


def header(node: Any) -> tuple[int, int] | None:
    """The first and the last row of a statement, or of its header."""
    first = getattr(node, "lineno", None)
    if first is None:
        return None
    inside = [part.lineno for block in blocks(node) for part in block if hasattr(part, "lineno")]
    last = getattr(node, "end_lineno", None) or first
    return (first, max(first, min(inside) - 1)) if inside else (first, last)
