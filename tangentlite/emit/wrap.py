"""Long lines: break after commas and before operators, inside brackets, with a hanging indent.

In: one logical line of text.
Out: the same statement on lines of at most 88 columns, as far as its words allow.
Next: printer.
"""

from __future__ import annotations

import ast
import textwrap
from collections.abc import Iterator, Sequence
from functools import partial
from typing import NamedTuple

from tangentlite.emit.pieces import Token, bracket, headed, joined, pieces, tokens
from tangentlite.parsing import parsed

WIDTH = 88
FRAMES = {
    "elif": "if 0: pass\n",
    "except": "try: pass\n",
    "except*": "try: pass\n",
    "case": "match 0:\n ",
}


def wrap(line: str) -> str:
    """Break ``line`` if it is too long; the statement it spells stays the same.

    >>> line = "bx = bx + rt.unbroadcast(weights * np.sin(angles), x) - momentum * velocity"
    >>> print(wrap(line + "[1:-1, :, None]"))
    bx = (
        bx
        + rt.unbroadcast(weights * np.sin(angles), x)
        - momentum * velocity[1:-1, :, None]
    )
    """
    if len(line) <= WIDTH or "\n" in line:
        return line
    indent = len(line) - len(line.lstrip())
    if line[indent] == "#":
        return _comment(line, indent)
    broken = "\n".join(_statement(tokens(line.strip()), indent))
    return broken if _same(line.strip(), textwrap.dedent(broken)) else line


def _comment(line: str, indent: int) -> str:
    first, later = " " * indent, " " * indent + "#     "
    fill = partial(textwrap.fill, width=WIDTH, break_long_words=False, break_on_hyphens=False)
    return fill(line.strip(), initial_indent=first, subsequent_indent=later)


def _same(line: str, broken: str) -> bool:
    """Whether both texts are the same statement: breaking lines never changes a meaning."""
    return _dump(line) == _dump(broken)


def _dump(statement: str) -> str:
    """The tree of a statement or of the header of a compound one."""
    frame = FRAMES.get(statement.split(None, 1)[0], "")
    frame += "{} pass" if statement.endswith(":") else "{}"
    try:
        return ast.dump(parsed(frame.format(statement)))
    except SyntaxError:
        return statement


class Layout(NamedTuple):
    """Text around an expression: ``head`` before it on its line, ``tail`` after it."""

    head: str
    body: Sequence[Token]
    tail: str


def _statement(line: Sequence[Token], indent: int) -> Iterator[str]:
    tail = ""
    if line[-1].text == ":":
        line, tail = line[:-1], ":"
    yield from _fit(Layout(*headed(line), tail), indent)


def _fit(part: Layout, indent: int) -> Iterator[str]:
    """One line if it is short enough, else brackets opened up."""
    line = " " * indent + part.head + joined(part.body) + part.tail
    if len(line) <= WIDTH or not part.body:
        yield line
    else:
        yield from _open(part, indent)


def _open(part: Layout, indent: int) -> Iterator[str]:
    """Break inside the last bracket of a call or display, or inside new parentheses."""
    split = bracket(part.body)
    if len(pieces(part.body)) > 1:
        before, inside, after = part.head + "(", part.body, ")" + part.tail
    elif split:
        first, last = split
        before = part.head + joined(part.body[: first + 1])
        inside, after = part.body[first + 1 : last], joined(part.body[last:]) + part.tail
    else:
        yield " " * indent + part.head + joined(part.body) + part.tail
        return
    yield " " * indent + before
    yield from _inside(inside, indent + 4)
    yield " " * indent + after


def _inside(body: Sequence[Token], indent: int) -> Iterator[str]:
    """What stands between brackets: on one line, or one piece a line."""
    if indent + len(joined(body)) <= WIDTH:
        yield " " * indent + joined(body)
        return
    parts = pieces(body)
    if len(parts) == 1:
        yield from _piece(body, "", indent)
        return
    commas = any(part[-1].text == "," for part in parts[:-1])
    for part in parts:
        if part[-1].text == ",":
            part = part[:-1]
        yield from _piece(part, "," if commas else "", indent)


def _piece(body: Sequence[Token], tail: str, indent: int) -> Iterator[str]:
    yield from _fit(Layout(*headed(body), tail), indent)
