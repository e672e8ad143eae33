"""Colors for Python on a terminal: keywords, strings, numbers, comments, names of functions.

In: source text.
Out: the same text with escape sequences.
Next: cli.
"""

from __future__ import annotations

import keyword
import re

BOLD = "1"
STYLES = {"comment": "2;3", "string": "32", "number": "36", "keyword": "1;35", "define": "1;34"}
WORDS = re.compile(
    r"""(?P<comment>\#[^\n]*)
    |(?P<string>[rbfRBF]{0,2}(?:\"{3}.*?\"{3}|'{3}.*?'{3}|"(?:\\.|[^"\\\n])*"|'(?:\\.|[^'\\\n])*'))
    |(?P<define>(?<=def\ )\w+)
    |(?P<number>(?<![\w.])(?:\d[\d_]*\.?\d*|\.\d+)(?:[eE][+-]?\d+)?[jJ]?)
    |(?P<word>[^\W\d]\w*)""",
    re.VERBOSE | re.DOTALL,
)


def highlight(source: str, style: str = "") -> str:
    """Color Python source, or all of it in one style.

    >>> highlight("return x  # done")
    '\\x1b[1;35mreturn\\x1b[0m x  \\x1b[2;3m# done\\x1b[0m'
    """
    return _painted(source, style) if style else WORDS.sub(_paint, source)


def _paint(match: re.Match[str]) -> str:
    kind, text = match.lastgroup or "", match.group()
    if kind == "word" and keyword.iskeyword(text):
        kind = "keyword"
    return _painted(text, STYLES[kind]) if kind in STYLES else text


def _painted(text: str, style: str) -> str:
    return f"\x1b[{style}m{text}\x1b[0m"
