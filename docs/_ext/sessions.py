"""Sessions of Python: a source that is printed in one is colored as Python, and blocks end with their last line.

In: blocks of pages.
Out: the same with colors.
"""

import re
from collections.abc import Iterator
from typing import Any

from docutils import nodes
from pygments.lexers.python import PythonConsoleLexer, PythonLexer
from pygments.token import Generic

SOURCE = re.compile(r"(def|class|import|from|@\w+|# \w+|# Tangent)\b")


class Session(PythonConsoleLexer):
    """Prompts and outputs; outputs that are source are source."""

    def get_tokens_unprocessed(self, text: str) -> Iterator[Any]:
        held: list[tuple[int, str]] = []
        for index, token, value in super().get_tokens_unprocessed(text):
            if token is Generic.Output:
                held.append((index, value))
                continue
            yield from shown(held)
            held = []
            yield index, token, value
        yield from shown(held)


def shown(held: list[tuple[int, str]]) -> Iterator[Any]:
    """The tokens of one output."""
    output = "".join(value for _, value in held)
    if not SOURCE.match(output):
        yield from ((index, Generic.Output, value) for index, value in held)
        return
    for index, token, value in PythonLexer().get_tokens_unprocessed(output):
        yield held[0][0] + index, token, value


def without_last_lines(app: Any, doctree: Any) -> None:
    for block in doctree.findall(nodes.literal_block):
        if block.rawsource == block.astext():
            block.rawsource = block.astext().rstrip("\n")
            block[:] = [nodes.Text(block.rawsource)]


def setup(app: Any) -> dict[str, bool]:
    app.add_lexer("pycon", Session)
    app.connect("doctree-read", without_last_lines)
    return {"parallel_read_safe": True, "parallel_write_safe": True}
