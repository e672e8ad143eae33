"""Python's own parser, also for threads that read at the same time.

In: text.
Out: the standard library's tree.
Next: trees, translation.
"""

from __future__ import annotations

import ast
from typing import Any

TRIES = 100


def parsed(text: str, mode: str = "exec") -> Any:
    """The tree of ``text``.

    CPython counts the depth of a tree that it makes in one place for all threads, and throws a tree away (SystemError)
    whenever another thread has counted meanwhile. The text is read again then.
    """
    for _ in range(TRIES):
        try:
            return ast.parse(text, mode=mode)
        except SystemError:
            continue
    return ast.parse(text, mode=mode)
