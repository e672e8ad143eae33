"""The logical lines of a file, and the blank lines between them.

In: Python text.
Out: ``Line``: words, how far indented, what is kept as it is.
Next: wrapping, formatting.
"""

from __future__ import annotations

import io
import tokenize
from collections.abc import Iterator, Sequence

from tangentlite.values import field, immutable

OPENING = ("def ", "class ", "async def ", "@")
SKIPPED = (tokenize.NL, tokenize.ENDMARKER)


@immutable(eq=False)
class Word:
    """A token as text; an f-string is one; ``space``: one stands before it."""

    text: str
    space: bool
    string: bool = False


@immutable(eq=False)
class Line:
    """A statement, the head of a block or a comment: its words, or the text of what is not to be changed."""

    level: int
    words: Sequence[Word]
    kept: str | None = None
    blank: bool = False
    comment: str = field(default="")

    @property
    def first(self) -> str:
        """Its first words."""
        return self.kept if self.kept is not None else " ".join(w.text for w in self.words[:2])

    @property
    def opens(self) -> bool:
        """Whether a definition begins here."""
        return self.kept is None and f"{self.first} ".startswith(OPENING)


def lines_of(text: str) -> Iterator[Line]:
    """Cut a text into its logical lines."""
    rows = text.splitlines(keepends=True)
    level, gathered, last = 0, list[tokenize.TokenInfo](), 0
    for token in tokenize.generate_tokens(io.StringIO(text).readline):
        if token.type == tokenize.INDENT:
            level += 1
        elif token.type == tokenize.DEDENT:
            level -= 1
        elif token.type == tokenize.COMMENT and not gathered:
            yield Line(_level(token, level), (), token.string, token.start[0] - last > 1)
            last = token.end[0]
        elif token.type == tokenize.NEWLINE:
            yield _line(gathered, level, rows, gathered[0].start[0] - last > 1)
            last, gathered = token.end[0], []
        elif token.type not in SKIPPED or (gathered and token.type == tokenize.COMMENT):
            gathered.append(token)


def _level(token: tokenize.TokenInfo, level: int) -> int:
    """A comment is indented as it stands: its block may begin, or have ended, here."""
    return token.start[1] // 4


def _line(tokens: list[tokenize.TokenInfo], level: int, rows: list[str], blank: bool) -> Line:
    comment = ""
    if tokens[-1].type == tokenize.COMMENT:
        comment = tokens.pop().string
    inside = any(t.type == tokenize.COMMENT for t in tokens)
    words = list(_words(tokens, rows))
    if inside or any("\n" in w.text for w in words):
        first, last = tokens[0], tokens[-1]
        kept = "".join(rows[first.start[0] - 1 : last.end[0]]).rstrip("\n")[first.start[1] :]
        return Line(level, words, kept, blank)
    return Line(level, words, None, blank, comment)


def _words(tokens: Sequence[tokenize.TokenInfo], rows: Sequence[str]) -> Iterator[Word]:
    """The tokens; the parts of f-strings, as Python 3.12 cuts them, together."""
    nested, begin, end = 0, (0, 0), (0, 0)
    for token in tokens:
        name = tokenize.tok_name[token.type]
        if name in ("FSTRING_START", "TSTRING_START"):
            nested, begin = nested + 1, begin if nested else token.start
        elif name in ("FSTRING_END", "TSTRING_END"):
            nested -= 1
            if not nested:
                yield Word(_between(rows, begin, token.end), _apart(begin, end), True)
                end = token.end
        elif not nested and token.string.strip():
            yield Word(token.string, _apart(token.start, end), name == "STRING")
            end = token.end


def _apart(start: tuple[int, int], end: tuple[int, int]) -> bool:
    return start > end


def _between(rows: Sequence[str], start: tuple[int, int], end: tuple[int, int]) -> str:
    if start[0] == end[0]:
        return rows[start[0] - 1][start[1] : end[1]]
    middle = rows[start[0] : end[0] - 1]
    return rows[start[0] - 1][start[1] :] + "".join(middle) + rows[end[0] - 1][: end[1]]


def blanks(lines: Sequence[Line]) -> list[int]:
    """How many empty lines stand before each line.

    Two round definitions of the file, one round those inside; comments belong to what follows.
    """
    counts, open_levels = [], list[int]()
    for i, line in enumerate(lines):
        ended = [k for k in open_levels if k >= line.level]
        open_levels = [k for k in open_levels if k < line.level]
        count = int(line.blank)
        before = lines[i - 1] if i else None
        if before is None:
            count = 0
        elif line.level > before.level:
            count = int(_leads(lines, i).opens and not before.opens)
        elif before.first.startswith("@") and before.kept is None:
            count = 0
        elif _leads(lines, i).opens and not _follows_comment(before, line):
            count = 1 if line.level else 2
        elif ended and not _follows_comment(before, line):
            count = 2 if not line.level else 1
        if line.opens and not line.first.startswith("@"):
            open_levels.append(line.level)
        counts.append(count)
    return counts


def _leads(lines: Sequence[Line], i: int) -> Line:
    """The first line from here that is no comment."""
    level = lines[i].level
    while lines[i].first.startswith("#") and i + 1 < len(lines) and not lines[i + 1].blank:
        if lines[i + 1].level != level:
            break
        i += 1
    return lines[i]


def _follows_comment(before: Line, line: Line) -> bool:
    return before.first.startswith("#") and before.level == line.level and not line.blank
