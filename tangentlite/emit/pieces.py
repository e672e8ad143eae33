"""The words of a line of Python and where it may be broken.

In: one logical line of text.
Out: its tokens; the pieces that its loosest operators or commas separate.
Next: wrap.
"""

from __future__ import annotations

import io
import itertools
import tokenize
from collections.abc import Iterator, Sequence
from typing import NamedTuple

OPEN, CLOSE = frozenset("([{"), frozenset(")]}")
BRACKETS = OPEN | CLOSE
ASSIGN = frozenset("= += -= *= /= //= %= @= &= |= ^= >>= <<= **=".split())
WORDS = frozenset("return if elif else while assert raise del yield await not".split())
LOOSEST_FIRST = (
    ("for",),
    ("if", "else"),
    ("or",),
    ("and",),
    ("in", "not in", "is", "is not", "<", "<=", ">", ">=", "==", "!="),
    ("|",),
    ("^",),
    ("&",),
    ("<<", ">>"),
    ("+", "-"),
    ("*", "/", "//", "%", "@"),
)
OPERATORS = frozenset(itertools.chain(*LOOSEST_FIRST)) | {"**", "*"}
SIGNS = OPERATORS | ASSIGN | {":", ",", "not", "~", "await", "return"}


class Token(NamedTuple):
    """A word, whether a space stands before it, and how many brackets are open around it."""

    text: str
    space: bool
    depth: int


def tokens(line: str) -> list[Token]:
    """The words of ``line``; an f-string is one word, a bracket stands outside itself."""
    result: list[Token] = []
    depth, end = 0, 0
    for text, start, stop in _words(line):
        depth -= text in CLOSE
        result.append(Token(text, start > end, depth))
        depth += text in OPEN
        end = stop
    return result


def _words(line: str) -> Iterator[tuple[str, int, int]]:
    """Words with their columns; before 3.12 f-strings are words, later they come in parts."""
    nested, begin = 0, 0
    for token in tokenize.generate_tokens(io.StringIO(line).readline):
        name = tokenize.tok_name[token.type]
        start, stop = token.start[1], token.end[1]
        if name == "FSTRING_START":
            begin, nested = (begin if nested else start), nested + 1
        elif name == "FSTRING_END":
            nested -= 1
            if not nested:
                yield line[begin:stop], begin, stop
        elif not nested and token.string.strip():
            yield token.string, start, stop


def joined(words: Sequence[Token]) -> str:
    """The text of tokens."""
    return "".join(" " * (w.space and i > 0) + w.text for i, w in enumerate(words))


def headed(words: Sequence[Token]) -> tuple[str, Sequence[Token]]:
    """A statement or piece as the text that leads to its expression, and the expression.

    >>> [(head, joined(rest)) for head, rest in map(headed, map(tokens, ("x = y + 1", "*xs")))]
    [('x = ', 'y + 1'), ('*', 'xs')]
    """
    split = _lead(words)
    space = " " if 0 < split < len(words) and words[split].space else ""
    return joined(words[:split]) + space, words[split:]


def _lead(words: Sequence[Token]) -> int:
    """How many tokens stand before the expression of a statement or piece."""
    flat = [w.text if w.depth == words[0].depth else "" for w in words]
    assigned = [i for i, text in enumerate(flat) if text in ASSIGN]
    if flat[0] == "lambda":
        return flat.index(":") + 1
    if flat[0] in ("assert", "for") and (mark := {"assert": ",", "for": "in"}[flat[0]]) in flat:
        return flat.index(mark) + 1
    if assigned:
        return assigned[-1] + 1
    if len(words) > 1 and (flat[0] in OPERATORS or flat[0] in WORDS):
        return 2 if " ".join(flat[:2]) in OPERATORS else 1
    return 0


def pieces(words: Sequence[Token]) -> list[Sequence[Token]]:
    """Cut behind the commas of ``words``, or before their loosest operators.

    >>> [joined(piece) for piece in pieces(tokens("a * b + c * (d - e) - f"))]
    ['a * b', '+ c * (d - e)', '- f']
    """
    flat = _outside_lambdas(words)
    if "," in flat:
        cuts = [i + 1 for i, text in enumerate(flat[:-1]) if text == ","]
    elif words[0].text == "lambda":
        cuts = []
    else:
        cuts = next((c for level in LOOSEST_FIRST if (c := _cuts(flat, level))), [])
    edges = [0, *cuts, len(words)]
    return [words[a:b] for a, b in itertools.pairwise(edges)]


def _outside_lambdas(words: Sequence[Token]) -> list[str]:
    """The words at the outermost level; what belongs to a lambda is hidden behind dots."""
    flat, hidden = [], False
    for word in words:
        outer = word.depth == words[0].depth
        flat.append("." if hidden or not outer else word.text)
        hidden = (hidden or word.text == "lambda") and not (outer and word.text == ":")
    return flat


def _cuts(flat: Sequence[str], level: tuple[str, ...]) -> list[int]:
    """Where the operators of one level stand, unary ones aside."""
    if level == ("for",) and "for" in flat and "else" not in flat:
        level = ("for", "if")
    cuts = []
    for i in range(1, len(flat)):
        two = f"{flat[i]} {flat[i + 1]}" if i + 1 < len(flat) else ""
        second = f"{flat[i - 1]} {flat[i]}" in OPERATORS
        if (flat[i] in level or two in level) and not second and flat[i - 1] not in SIGNS:
            cuts.append(i)
    return cuts


def bracket(words: Sequence[Token]) -> tuple[int, int] | None:
    """The outermost bracket that holds most: where it opens and closes."""
    edges = [i for i, w in enumerate(words) if w.depth == words[0].depth and w.text in BRACKETS]
    spans = [(b - a, a, b) for a, b in zip(edges[::2], edges[1::2]) if b > a + 1]
    return max(spans)[1:] if spans else None
