"""Where a line breaks that is too long: as the formatters do that most people use.

In: the words of a logical line.
Out: lines of at most 88 columns, as far as words allow.
Next: formatting.
"""

from __future__ import annotations

import itertools
from collections.abc import Iterator, Sequence

from tangentlite.exporting.lines import Word
from tangentlite.exporting.operators import (
    CLOSE,
    OPEN,
    WIDTH,
    Words,
    cuts,
    depths,
    is_call,
    joined,
    loosest,
    magic,
    partner,
    partner_or,
    top,
)
from tangentlite.values import immutable

ASSIGN = frozenset("= += -= *= /= //= %= @= &= |= ^= >>= <<= **= :=".split())
LEADS = frozenset(
    "return if elif while for assert raise del yield await with in else lambda".split()
)
PLAIN = frozenset("def class async from import case match assert with @ del".split())


@immutable(eq=False)
class Part:
    """Words with what stands before and after them on their lines."""

    head: str
    words: Words
    tail: str


def statement(words: Words, indent: int) -> list[str]:
    """The lines of a statement."""
    words = _bare(words)
    line = " " * indent + joined(words)
    if len(line) <= WIDTH and not magic(words):
        return [line]
    tail, block = "", words[-1].text == ":"
    if block:
        words, tail = words[:-1], ":"
    if words[0].text == "case":
        return [line]
    if words[0].text in ("def", "class", "async"):
        return _definition(words, indent, tail)
    if words[0].text in ("from", "import"):
        return _import(words, indent)
    if words[0].text == "assert" and (cut := top(words, ",")):
        return _assertion(words, cut[0], indent)
    split = _lead(words)
    head = joined(words[:split]) + " " * bool(split)
    if len(" " * indent + head) >= WIDTH and (target := _targets_of(words[:split])):
        parts = [" " * (indent + 4) + joined(p) + "," * (p[-1].text != ",") for p in target]
        last = Part(") = ", stripped(words[split:]), tail)
        return [" " * indent + "(", *parts, *_right(last, indent)]
    return list(_right(Part(head, stripped(words[split:]), tail), indent))


def _targets_of(words: Words) -> list[Words]:
    """The names that an assignment binds, if it is one of several at once."""
    if len(top(words, "=")) != 1 or words[-1].text != "=":
        return []
    names = words[:-1]
    if partner_or(names, 0) == len(names) - 1:
        names = names[1:-1]
    return _pieces(names, cuts(names, 0)) if top(names, ",") else []


def _bare(words: Words) -> Words:
    """A statement without parentheses that only hold its expression together."""
    end = len(words) - (words[-1].text == ":")
    split = 0 if words[0].text in PLAIN else _lead(words)
    return [*words[:split], *stripped(words[split:end]), *words[end:]]


def _lead(words: Words) -> int:
    """How many words stand before the expression that may break."""
    if words[0].text == "yield" and len(words) > 1 and words[1].text == "from":
        return 2
    assigned = [i for i, w in enumerate(words) if w.text in ASSIGN and not depths(words)[i]]
    if assigned and words[0].text not in ("assert", "lambda"):
        return assigned[-1] + 1
    if words[0].text == "for":
        return top(words, "in")[0] + 1
    return int(words[0].text in LEADS)


def stripped(words: Words) -> Words:
    """Without parentheses that only hold an expression together over its lines."""
    while len(words) > 2 and words[0].text == "(" and partner(words, 0) == len(words) - 1:
        inside = words[1:-1]
        texts = {w.text for w, d in zip(inside, depths(inside)) if not d}
        if texts & {",", "for", "yield", ":=", "async"} or any("\n" in w.text for w in inside):
            break
        words = [Word(inside[0].text, words[0].space, inside[0].string), *inside[1:]]
    return words


def _definition(words: Words, indent: int, tail: str) -> list[str]:
    start = next((i for i, w in enumerate(words) if w.text == "("), None)
    if start is None:
        return [" " * indent + joined(words) + tail]
    end = partner(words, start)
    head, after = joined(words[: start + 1]), joined(words[end:]) + tail
    return list(_bracketed(Part(head, words[start + 1 : end], after), indent))


def _import(words: Words, indent: int) -> list[str]:
    cut = next((i for i, w in enumerate(words) if w.text == "import"), 0)
    names = stripped_import(words[cut + 1 :])
    line = " " * indent + joined([*words[: cut + 1], *names])
    if len(line) <= WIDTH or words[0].text == "import":
        return [line]
    head = joined(words[: cut + 1]) + " ("
    return list(_bracketed(Part(head, names, ")"), indent, True))


def stripped_import(names: Words) -> Words:
    """The names without their parentheses."""
    if names and names[0].text == "(":
        names = [Word(names[1].text, True), *names[2:-1]]
        return names[:-1] if names[-1].text == "," else names
    return names


def _assertion(words: Words, cut: int, indent: int) -> list[str]:
    first = Part("assert ", stripped(words[1:cut]), ",")
    second = stripped(words[cut + 1 :])
    line = f"assert {joined(words[1:cut])}, "
    if len(" " * indent + line) < WIDTH:
        return list(_right(Part(line, second, ""), indent))
    *before, last = _right(first, indent)
    return [*before, *_right(Part(last.lstrip() + " ", second, ""), indent)]


def _right(part: Part, indent: int) -> Iterator[str]:
    """An expression of a statement: it breaks in its last bracket, or between parentheses of its own."""
    words = part.words
    line = " " * indent + part.head + joined(words) + part.tail
    if len(line) <= WIDTH and not magic(words):
        yield line
        return
    commas = top(words, ",")
    if commas:
        yield from _bracketed(Part(part.head + "(", words, ")" + part.tail), indent, True)
        return
    opened = _best(part, indent)
    if opened is not None and _omits(words):
        yield from _opened(part, opened, indent)
    elif len(words) == 1 and len(" " * (indent + 4) + words[0].text) > WIDTH:
        yield line
    else:
        yield " " * indent + part.head + "("
        yield from _inner(Part("", words, ""), indent + 4)
        yield " " * indent + ")" + part.tail


def _best(part: Part, indent: int) -> int | None:
    """The last bracket before which the line is short enough."""
    words, flat = part.words, depths(part.words)
    found = [i for i, w in enumerate(words) if not w.string and w.text in OPEN and not flat[i]]
    for start in reversed(found):
        end = partner(words, start)
        if end == start + 1:
            continue
        if len(" " * indent + part.head + joined(words[: start + 1])) <= WIDTH:
            if len(" " * indent + joined(words[end:]) + part.tail) <= WIDTH:
                return start
    return None


def _omits(words: Words) -> bool:
    """Whether an expression can do without parentheses round it."""
    level = loosest(words)
    if level is None:
        return True
    if len(cuts(words, level)) > 1:
        return False
    if words[0].text in OPEN and not words[0].string and partner(words, 0) > 1:
        return True
    if words[-1].text not in CLOSE or words[-1].string or words[-2].text in OPEN:
        return False
    start = next(i for i in range(len(words)) if partner_or(words, i) == len(words) - 1)
    return words[-1].text != "]" or not is_call(
        words, start
    )  # a subscript is no pair of parentheses


def _bracketed(part: Part, indent: int, apart: bool = False) -> Iterator[str]:
    """What stands between brackets, on lines of its own; ``apart``: each part on one."""
    yield " " * indent + part.head.rstrip()
    yield from _inside(part.words, indent + 4, apart)
    yield " " * indent + part.tail


def _opened(part: Part, opened: int, indent: int) -> Iterator[str]:
    """An expression whose bracket at ``opened`` breaks: arguments may share a line, what is displayed may not."""
    words, end = part.words, partner(part.words, opened)
    head, after = part.head + joined(words[: opened + 1]), joined(words[end:]) + part.tail
    call = words[opened].text == "(" and is_call(words, opened)
    yield from _bracketed(Part(head, words[opened + 1 : end], after), indent, not call)


def _inside(words: Words, indent: int, apart: bool) -> Iterator[str]:
    line = " " * indent + joined(words)
    ends = words[-1].text == ","
    several = bool(cuts(words, 0))
    if len(line) <= WIDTH and not ends and not (apart and several) and not magic(words):
        yield line
        return
    if not several:
        yield from _inner(Part("", words, ""), indent)
        return
    if ends:
        words = words[:-1]
    for piece in _pieces(words, cuts(words, 0)):
        words = piece[:-1] if piece[-1].text == "," else piece
        yield from _inner(Part("", words, ","), indent)


def _pieces(words: Words, edges: Sequence[int]) -> list[Words]:
    all_ = [0, *[e for e in edges if 0 < e < len(words)], len(words)]
    return [words[a:b] for a, b in itertools.pairwise(all_)]


def _inner(part: Part, indent: int) -> Iterator[str]:
    """An expression inside brackets: it breaks before its loosest operators, else in its last bracket."""
    words = part.words
    line = " " * indent + part.head + joined(words) + part.tail
    if len(line) <= WIDTH and not magic(words):
        yield line
        return
    split = _named(words)
    if split:
        head = part.head + joined(words[:split]) + (" " if words[split].space else "")
        value = Part(head, words[split:], part.tail)
        plain = loosest(value.words) is None
        yield from _trailers(value, indent) if plain else _right(value, indent)
        return
    level = loosest(words)
    if level is None:
        yield from _trailers(part, indent)
        return
    pieces = _pieces(words, cuts(words, level))
    for piece in pieces:
        lead = _operators(piece) if piece is not pieces[0] else 0
        head = joined(piece[:lead]) + " " * bool(lead)
        head = part.head if piece is pieces[0] else head
        tail = part.tail if piece is pieces[-1] else ""
        yield from _inner(Part(head, piece[lead:], tail), indent)


def _operators(words: Words) -> int:
    """How many words a piece begins with that are its operator."""
    if words[0].string:
        return 0
    if words[0].text == "for":
        return top(words, "in")[0] + 1
    pair = [w.text for w in words[:2]]
    return 2 if pair in (["not", "in"], ["is", "not"], ["async", "for"]) else 1


def _named(words: Words) -> int:
    """The words before the value of ``name=value``, ``key: value``, ``*value`` and ``lambda``."""
    flat = depths(words)
    if words[0].text in ("*", "**"):
        return 1
    if words[0].text == "lambda" or cuts(words, 1):
        return 0
    for i, word in enumerate(words):
        if not flat[i] and not word.string and word.text in ("=", ":", ":="):
            return i + 1
    return 0


def _trailers(part: Part, indent: int) -> Iterator[str]:
    """An expression without operators: it breaks in its last bracket for which there is room."""
    opened = _best(part, indent)
    if opened is None:
        yield " " * indent + part.head + joined(part.words) + part.tail
        return
    yield from _opened(part, opened, indent)
