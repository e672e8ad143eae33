"""Which lines of a generated text came from which lines of the user.

In: functions, as trees that are credited with lines, and the texts they were printed as.
Out: ``Text``: lines, each with the user's lines behind it.
Next: study.
"""

from __future__ import annotations

import ast
from collections.abc import Iterable, Iterator
from typing import Any

from tangentlite import ir, syntax
from tangentlite.lines import NONE, Lines, behind, credit
from tangentlite.parsing import parsed
from tangentlite.values import field, immutable


@immutable
class Text:
    """A text that is shown: ``first`` is the number of its first line in ``file``; ``behind`` has an entry per line."""

    title: str
    file: str
    first: int
    lines: tuple[str, ...]
    behind: tuple[Lines, ...] = field(default=())

    @property
    def source(self) -> str:
        """All lines."""
        return "\n".join(self.lines)


def generated(title: str, file: str, source: str, functions: Iterable[ir.Function]) -> Text:
    """A generated text with the user's lines behind each of its own.

    >>> from tangentlite.lines import credit
    >>> from tangentlite.syntax import parse
    >>> tree = parse("def df(x):\\n    return 2 * x")[0]
    >>> credit(tree.body, frozenset([("f.py", 7)]))
    >>> function = ir.Function(tree, "df", (), ir.Namespace({}), ir.Origin("f.py", 6, ()))
    >>> [sorted(b) for b in generated("df", "g", "def df(x):\\n    return 2 * x\\n", [function]).behind]
    [[('f.py', 6)], [('f.py', 7)]]
    """
    lines = source.rstrip("\n").split("\n")
    found = [NONE] * (len(lines) + 2)
    trees = {node.name: node for node in parsed(source).body if isinstance(node, ast.FunctionDef)}
    for function in functions:
        node = trees.get(function.name)
        if node is None:
            continue
        found[node.lineno] = function.head
        for statement, above, printed in _pairs(function.body, node.body):
            for row in range(printed.lineno, _last(printed) + 1):
                found[row] = found[row] | behind(statement)
            row = printed.lineno - 1
            while above is not None and _is_comment(lines[row - 1]):
                found[row] = behind(above)
                row -= 1
            found[printed.lineno] |= NONE if above is None else behind(above)
    return Text(title, file, 1, tuple(lines), tuple(found[1 : len(lines) + 1]))


def _is_comment(line: str) -> bool:
    return line.lstrip().startswith("#") and line.strip() not in ("# Forward", "# Backward")


def _last(node: Any) -> int:
    """The last line of a statement, or of its header."""
    inside = [part.lineno for block in _blocks(node) for part in block[:1]]
    return max(node.lineno, min(inside) - 1) if inside else int(node.end_lineno)


def _pairs(
    body: Iterable[ast.AST], printed: list[ast.stmt]
) -> Iterator[tuple[ast.AST, ast.AST | None, ast.stmt]]:
    """Each statement with the comment above it, and what it was printed as."""
    statements = list(_said(body))
    if len(statements) != len(printed):
        return
    for (statement, above), node in zip(statements, printed):
        yield statement, above, node
        for block, inner in zip(_blocks(statement), _blocks(node)):
            yield from _pairs(block, inner)


def _said(body: Iterable[ast.AST]) -> Iterator[tuple[ast.AST, ast.AST | None]]:
    """The statements, each with the comment above it."""
    above: ast.AST | None = None
    for statement in body:
        if isinstance(statement, syntax.Comment):
            above = statement if behind(statement) else None
            continue
        if isinstance(statement, syntax.Blank):
            continue
        inside = statement.lines if isinstance(statement, syntax.Inserted) else []
        credit(inside, behind(statement))
        for line in inside or [statement]:
            yield line, above
            above = None


def _blocks(node: Any) -> list[Any]:
    handlers = [h.body for h in getattr(node, "handlers", ())]
    parts = (getattr(node, name, None) for name in ("body", "orelse", "finalbody"))
    body, *rest = (part if isinstance(part, list) else [] for part in parts)
    found = [body, *handlers, *rest]
    return [block for block in found if block]
