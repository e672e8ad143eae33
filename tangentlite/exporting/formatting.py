"""A text in the form that formatters leave alone.

In: Python text, printed or taken from the sources of the runtime.
Out: the same program on lines of at most 88 columns.
Next: export.
"""

from __future__ import annotations

import ast
import itertools
import keyword
import re
from collections.abc import Iterator, Sequence

from tangentlite.exporting.lines import Line, Word, blanks, lines_of
from tangentlite.exporting.operators import (
    CLOSE,
    OPEN,
    WIDTH,
    depths,
    is_call,
    partner,
    partner_or,
    signs,
    top,
)
from tangentlite.exporting.wrapping import statement
from tangentlite.parsing import parsed


def formatted(text: str) -> str:
    """The text with its lines broken where they are too long.

    >>> print(formatted("x = f( 'a', y ** 2 )\\ndef g(): pass"), end="")
    x = f("a", y**2)
    <BLANKLINE>
    <BLANKLINE>
    def g():
        pass
    """
    lines = list(_blocks(lines_of(text)))
    rows: list[str] = []
    for line, count in zip(lines, blanks(lines)):
        rows += [""] * count
        rows += _rows(line)
    found = "\n".join(rows) + "\n"
    return found if ast.dump(parsed(found)) == ast.dump(parsed(text)) else text


def _blocks(lines: Iterator[Line]) -> Iterator[Line]:
    """``if x: y`` on two lines; a definition of which nothing is written on one."""
    found: list[Line] = []
    for line in lines:
        cut = _body(line)
        if cut and line.words[cut].text != "...":
            found.append(Line(line.level, line.words[:cut], None, line.blank))
            found.append(Line(line.level + 1, line.words[cut:], None, False, line.comment))
        else:
            found.append(line)
    for i, line in enumerate(found):
        alone = [w.text for w in line.words] == ["..."] and line.kept is None
        last = i + 1 == len(found) or found[i + 1].level < line.level
        head = found[i - 1] if i else line
        if alone and last and head.opens and head.level == line.level - 1 and not head.comment:
            found[i - 1] = Line(head.level, [*head.words, Word("...", True)], None, head.blank)
            found[i] = Line(-1, ())
    yield from (line for line in found if line.level >= 0)


def _body(line: Line) -> int:
    heads = "if elif else for while def class try except finally with".split()
    if line.kept is not None or line.words[0].text not in heads:
        return 0
    flat, hidden = depths(line.words), False
    for i, word in enumerate(line.words[:-1]):
        hidden = hidden or (word.text == "lambda" and not flat[i])
        if word.text == ":" and not flat[i] and not word.string:
            if hidden:
                hidden = False
                continue
            return i + 1
    return 0


def _rows(line: Line) -> list[str]:
    before = " " * (4 * line.level)
    if line.kept is not None:
        return [before + line.kept]
    rows = statement(spaced(quoted(line.words)), len(before))
    if line.comment and len(rows[-1] + line.comment) + 2 <= WIDTH:
        rows[-1] += "  " + line.comment
    elif line.comment:
        rows.insert(0, before + line.comment)
    return rows


def quoted(words: Sequence[Word]) -> list[Word]:
    """Strings between double quotes, unless they hold some."""
    return [Word(_quoted(w.text), w.space, True) if w.string else w for w in words]


def _quoted(text: str) -> str:
    """
    >>> _quoted("'a'"), _quoted("f'{x}'"), _quoted("'say \\"a\\"'"), _quoted(r"'\\t\\''")
    ('"a"', 'f"{x}"', '\\'say "a"\\'', '"\\\\t\\'"')
    """
    start = text.find("'")
    prefix, body = text[:start].lower(), text[start:]
    if start < 0 or '"' in prefix or body.startswith("'''"):
        return text
    inside = body[1:-1]
    if "f" in prefix or "r" in prefix:
        return text if '"' in inside or "\\'" in inside else f'{text[:start]}"{inside}"'
    new = re.sub(r"""\\(.)|(")""", _escaped, inside, flags=re.DOTALL)
    return text if new.count("\\") > inside.count("\\") else f'{text[:start]}"{new}"'


def _escaped(found: re.Match[str]) -> str:
    """An escape, or a quote, as it is written between double quotes."""
    if found[2]:
        return '\\"'
    return "'" if found[1] == "'" else found[0]


def spaced(words: Sequence[Word]) -> list[Word]:
    """One space where there is any; none inside brackets, nor round the power of simple operands."""
    found: list[Word] = []
    for i, word in enumerate(words):
        before = words[i - 1] if i else None
        space = word.space
        if before is not None and not before.string and before.text in OPEN:
            space = False
        if not word.string and (word.text in CLOSE or word.text in (",", ".")):
            space = word.text == "." and before is not None and before.text in ("import", "from")
        if before is not None and before.text == ".":
            space = word.text == "import"
        found.append(Word(word.text, space, word.string))
    return _slices(_powers(_signed(_generators(found))))


def _generators(words: list[Word]) -> list[Word]:
    """``sum((x for x in xs))`` has a pair of parentheses too many."""
    for i in reversed(range(len(words) - 1)):
        call = [w.text for w in words[i : i + 2]] == ["(", "("] and is_call(words, i)
        if call and not words[i].string and not words[i + 1].string:
            end = partner(words, i + 1)
            inside = words[i + 2 : end]
            if words[end + 1].text == ")" and top(inside, "for") and not top(inside, ","):
                words[i + 1 : end + 1] = [
                    Word(inside[0].text, False, inside[0].string),
                    *inside[1:],
                ]
    return words


def _signed(words: list[Word]) -> list[Word]:
    """``-x**2`` is ``-(x**2)``: a sign before a power does not belong to what is raised."""
    for i in reversed(range(len(words))):
        if (
            words[i].text != "**"
            or words[i].string
            or not i
            or words[i - 1].text in (",", "(", "{")
        ):
            continue
        start = _start(words, i - 1)
        if start and words[start - 1].text in ("-", "+", "~") and signs(words, start - 1):
            end = _end(words, i + 1)
            first = Word(words[start].text, False, words[start].string)
            inside = [
                Word("(", words[start].space),
                first,
                *words[start + 1 : end],
                Word(")", False),
            ]
            words[start:end] = inside
    return words


def _start(words: Sequence[Word], i: int) -> int:
    """Where the operand begins that ends at ``i``."""
    while True:
        if not words[i].string and words[i].text in CLOSE:
            i = next(j for j in range(i) if partner_or(words, j) == i)
        before = words[i - 1] if i else None
        if before is not None and not before.string and before.text == ".":
            i -= 2
        elif (
            before is not None and words[i].text in OPEN and not words[i].space and _applied(before)
        ):
            i -= 1
        else:
            return i


def _end(words: Sequence[Word], i: int) -> int:
    """Where the operand ends that begins at ``i``."""
    while words[i].text in ("-", "+", "~") and not words[i].string:
        i += 1
    while i < len(words):
        if not words[i].string and words[i].text in OPEN:
            i = partner(words, i)
        after = words[i + 1] if i + 1 < len(words) else Word("", True)
        if after.text == "." or (after.text in ("(", "[") and not after.space):
            i += 2 if after.text == "." else 1
        elif after.text == "**":
            return _end(words, i + 2)
        else:
            return i + 1
    return i


def _applied(word: Word) -> bool:
    named = word.text.isidentifier() and not keyword.iskeyword(word.text)
    return word.string or named or word.text in CLOSE


def _powers(words: list[Word]) -> list[Word]:
    for i, word in enumerate(words):
        if (
            word.text == "**"
            and 0 < i < len(words) - 1
            and words[i - 1].text not in (",", "(", "{")
        ):
            hug = _simple_before(words, i) and _simple_after(words, i)
            words[i] = Word("**", not hug)
            words[i + 1] = Word(words[i + 1].text, not hug, words[i + 1].string)
    return words


def _simple_before(words: Sequence[Word], i: int) -> bool:
    """A name, a number or an attribute of a name."""
    if not _plain(words[i - 1]):
        return False
    i -= 1
    while i > 1 and words[i - 1].text == ".":
        if not words[i - 2].text.isidentifier():
            return False
        i -= 2
    return True


def _simple_after(words: Sequence[Word], i: int) -> bool:
    i += 1
    if words[i].text in ("-", "+", "~"):
        i += 1
    if i >= len(words) or not _plain(words[i]):
        return False
    while i + 2 < len(words) and words[i + 1].text == ".":
        i += 2
    return not (i + 1 < len(words) and words[i + 1].text in ("(", "[") and not words[i + 1].space)


def _plain(word: Word) -> bool:
    return not word.string and (
        word.text.isidentifier()
        or word.text[:1].isdigit()
        or (word.text[0] == "." and word.text[1:2].isdigit())
    )


def _slices(words: list[Word]) -> list[Word]:
    """Colons of slices have spaces round them where an end is more than a name or a number."""
    for start, word in enumerate(words):
        applied = (
            start
            and not word.space
            and (words[start - 1].text.isidentifier() or words[start - 1].text in CLOSE)
        )
        if word.text == "[" and not word.string and applied:
            _slice(words, start)
    return words


def _slice(words: list[Word], start: int) -> None:
    end = partner(words, start)
    flat = depths(words)
    own = [i for i in range(start + 1, end) if flat[i] == flat[start] + 1]
    colons = [i for i in own if words[i].text == ":" and not words[i].string]
    colons = [i for i in colons if not any(words[j].text == "lambda" for j in own if j < i)]
    commas = [start, *[i for i in own if words[i].text == ","], end]
    for left, right in itertools.pairwise(commas):
        inside = [i for i in colons if left < i < right]
        edges = [left, *inside, right]
        parts = [words[a + 1 : b] for a, b in itertools.pairwise(edges)]
        wide = any(not _short(p) for p in parts)
        for i in inside:
            first = i == left + 1
            spaced_ = words[i].space and words[left].text == "," if first else wide
            words[i] = Word(":", spaced_ and words[i - 1].text != ":")
            if i + 1 < right:
                after = words[i + 1]
                words[i + 1] = Word(after.text, wide and after.text != ":", after.string)


def _short(part: Sequence[Word]) -> bool:
    texts = [w.text for w in part]
    if texts[:1] in (["-"], ["+"]):
        texts = texts[1:]
    return len(texts) <= 1
