"""The operators and brackets of a line: where it can be parted, and what holds it together.

In: words.
Out: how deep they stand, which brackets belong together, before which words a line may break.
Next: wrapping.
"""

from __future__ import annotations

import keyword
from collections.abc import Sequence

from tangentlite.exporting.lines import Word

WIDTH = 88
JOINED, COMPARED = 4, 5  # levels of operators, below
OPEN, CLOSE = frozenset("([{"), frozenset(")]}")
STRINGS = "strings that stand one after the other"
LEVELS: tuple[frozenset[str], ...] = tuple(
    frozenset(level.split())
    for level in (
        *(",", "for async", "if else", "or and", STRINGS, "in not is < <= > >= == !="),
        *("|", "^", "&", "<< >>", "+ -", "* / // % @"),
    )
)
Words = Sequence[Word]


def joined(words: Words) -> str:
    """The words as one text."""
    return "".join(" " * (w.space and i > 0) + w.text for i, w in enumerate(words))


def depths(words: Words) -> list[int]:
    """How many brackets are open round each word; a bracket stands outside itself."""
    found, depth = [], 0
    for word in words:
        if not word.string and word.text in CLOSE:
            depth -= 1
        found.append(depth)
        if not word.string and word.text in OPEN:
            depth += 1
    return found


def partner(words: Words, start: int) -> int:
    """Where the bracket closes that opens at ``start``."""
    flat = depths(words)
    return next(i for i in range(start + 1, len(words)) if flat[i] == flat[start])


def top(words: Words, text: str) -> list[int]:
    """Where a word stands outside all brackets."""
    return [i for i, (w, d) in enumerate(zip(words, depths(words))) if not d and w.text == text]


def magic(words: Words) -> bool:
    """Whether a comma stands before a closing bracket: such brackets stay open."""
    for i, word in enumerate(words):
        if word.text in CLOSE and i and words[i - 1].text == "," and not word.string:
            start = next(j for j in range(i) if partner_or(words, j) == i)
            inside = depths(words[start + 1 : i])
            commas = [w for w, d in zip(words[start + 1 : i], inside) if w.text == "," and not d]
            lone = len(commas) == 1 and (word.text == ")" and not is_call(words, start))
            if not lone and not (len(commas) == 1 and word.text == "]" and is_call(words, start)):
                return True
    return False


def partner_or(words: Words, start: int) -> int:
    """``partner``, -1 for what is no bracket."""
    word = words[start]
    return partner(words, start) if not word.string and word.text in OPEN else -1


def is_call(words: Words, start: int) -> bool:
    """Whether a bracket follows what it is applied to."""
    if not start or words[start].space:
        return False
    before = words[start - 1]
    named = before.text.isidentifier() and not keyword.iskeyword(before.text)
    return named or before.text in CLOSE or before.string


def loosest(words: Words) -> int | None:
    """The level of the loosest operators, 0 for commas; None if there are none."""
    return next((k for k in range(len(LEVELS)) if cuts(words, k)), None)


def cuts(words: Words, level: int) -> list[int]:
    """Before which words the operators of a level let a line break; after commas."""
    flat, wanted, found = depths(words), LEVELS[level], []
    hidden = [a or b for a, b in zip(_lambdas(words), _targets(words))]
    if level == JOINED:
        pairs = zip(range(1, len(words)), words, words[1:])
        return [i for i, a, b in pairs if a.string and b.string and not (flat[i] or hidden[i])]
    for i, word in enumerate(words):
        if flat[i] or word.string or word.text not in wanted or hidden[i]:
            continue
        if level == 0:
            found.append(i + 1)
        elif i and not signs(words, i) and not _second(words, i):
            if not (level == COMPARED and word.text == "not" and words[i + 1].text != "in"):
                if not (level == COMPARED and word.text == "in" and _in_for(words, i)):
                    found.append(i)
    if level == 2 and cuts(words, 1):
        return []
    if level == 1 and found:
        tests = [i for i in top(words, "if") if i > found[0] and not _ternary(words, i)]
        found += tests
    return sorted(found)


def _ternary(words: Words, i: int) -> bool:
    flat = depths(words)
    return any(not flat[j] and words[j].text == "else" for j in range(i, len(words)))


def _in_for(words: Words, i: int) -> bool:
    """Whether an ``in`` belongs to a ``for``."""
    flat = depths(words)
    for j in range(i - 1, -1, -1):
        if not flat[j] and words[j].text == "for":
            return True
        if not flat[j] and words[j].text in ("in", "if", "and", "or"):
            return False
    return False


def _lambdas(words: Words) -> list[bool]:
    """Which words stand in a lambda, up to a comma outside of it."""
    found, hidden, flat, colon = [], False, depths(words), False
    for word, depth in zip(words, flat):
        if not depth and word.text == "," and colon:
            hidden = False
        found.append(hidden)
        if not depth and word.text == "lambda" and not word.string:
            hidden, colon = True, False
        colon = colon or (hidden and not depth and word.text == ":")
    return found


def _targets(words: Words) -> list[bool]:
    """Which words stand between a ``for`` and its ``in``."""
    found, inside = [], False
    for word, depth in zip(words, depths(words)):
        if not depth and word.text == "in":
            inside = False
        found.append(inside)
        if not depth and word.text == "for" and not word.string:
            inside = True
    return found


def signs(words: Words, i: int) -> bool:
    """Whether a word that may be an operator is the sign of what follows."""
    before = words[i - 1] if i else Word("(", False)
    if before.string or before.text in CLOSE:
        return False
    operand = before.text.isidentifier() and not keyword.iskeyword(before.text)
    known = before.text in ("None", "True", "False", "...") or before.text[:1].isdigit()
    return words[i].text in ("+", "-", "*", "@", "~") and not (
        operand or known or before.text[0] == "."
    )


def _second(words: Words, i: int) -> bool:
    """The ``in`` of ``not in``, the ``not`` of ``is not``."""
    pair = words[i - 1].text, words[i].text
    return pair in (("not", "in"), ("is", "not"))
