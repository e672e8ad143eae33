"""Python as HTML: a line is an element, words are colored.

In: text.
Out: HTML, escaped.
Next: listing.
"""

from __future__ import annotations

import keyword
from html import escape

from tangentlite.highlight import WORDS

MARKS = {"comment": "c", "string": "s", "number": "n", "keyword": "k", "define": "d"}


def clean(text: str) -> str:
    """Escaped, without characters that no page may hold or that turn the order of what is read.

    >>> clean("</script>\\u202e\\x00")
    '&lt;/script&gt;\\\\u202e\\\\x00'
    """
    shown = (
        c if c in "\t " or c.isprintable() else c.encode("unicode_escape").decode() for c in text
    )
    return escape("".join(shown))


def colored(lines: list[str]) -> list[str]:
    """The lines as HTML.

    >>> colored(["return x  # <b>"])
    ['<i class="k">return</i> x  <i class="c"># &lt;b&gt;</i>']
    """
    text = "\n".join(lines)
    found = [""]
    end = 0
    for match in WORDS.finditer(text):
        _put(found, text[end : match.start()], "")
        kind, word = match.lastgroup or "", match.group()
        if kind == "word":
            kind = "keyword" if keyword.iskeyword(word) else ""
        _put(found, word, MARKS.get(kind, ""))
        end = match.end()
    _put(found, text[end:], "")
    return found


def _put(lines: list[str], text: str, mark: str) -> None:
    """A piece of text that may reach over several lines."""
    for k, part in enumerate(text.split("\n")):
        if k:
            lines.append("")
        if part:
            said = clean(part)
            lines[-1] += f'<i class="{mark}">{said}</i>' if mark else said
