"""Pages of docs/ in pieces: sections, blocks of code, tables."""

from __future__ import annotations

import ast
import doctest
import importlib.util
import linecache
import re
from pathlib import Path
from typing import Any

DOCS = Path(__file__).parents[2] / "docs"
OPTIONS = doctest.ELLIPSIS | doctest.NORMALIZE_WHITESPACE


def sections(page: str) -> dict[str, str]:
    """The texts under the headings of a page."""
    parts = re.split(r"^## (.+)$", (DOCS / page).read_text(), flags=re.MULTILINE)
    return dict(zip(parts[1::2], parts[2::2]))


def blocks(text: str, language: str) -> list[str]:
    """The blocks of code in a language.

    >>> blocks("```python\\nx = 1\\n```\\n", "python")
    ['x = 1\\n']
    """
    return re.findall(rf"^```{language}\n(.*?)^```$", text, flags=re.MULTILINE | re.DOTALL)


def rows(text: str) -> list[tuple[str, ...]]:
    """The rows of the tables, without heads; each with the codes of its first two cells.

    >>> rows("| a | b |\\n|---|---|\\n| `f(x)` | `g(x)` | note |\\n")
    [('f(x)', 'g(x)')]
    """
    lines = re.findall(r"^\| `(.+?)` \| `(.+?)` \|.*$", text, flags=re.MULTILINE)
    return [tuple(cell.replace("\\|", "|") for cell in line) for line in lines]


def imported(code: str) -> set[str]:
    """The packages that a text imports."""
    found = set()
    for node in ast.walk(ast.parse(code)):
        if isinstance(node, ast.Import):
            found |= {a.name.partition(".")[0] for a in node.names}
        elif isinstance(node, ast.ImportFrom) and node.module:
            found.add(node.module.partition(".")[0])
    return found


def session(text: str) -> str:
    """The code that a text types behind ``>>>``."""
    return "".join(
        e.source for b in blocks(text, "pycon") for e in doctest.DocTestParser().get_examples(b)
    )


def missing(code: str) -> list[str]:
    """The packages that a text imports and that are not installed."""
    return sorted(p for p in imported(code) if importlib.util.find_spec(p) is None)


def keep(text: str, file: str) -> None:
    """Have a text found under the name of a file."""
    linecache.cache[file] = (len(text), None, text.splitlines(keepends=True), file)


def run(text: str, name: str, space: dict[str, Any]) -> None:
    """Run the sessions of a text in a namespace, which keeps what they bind; fails as doctests do."""
    test = doctest.DocTestParser().get_doctest("\n".join(blocks(text, "pycon")), {}, name, name, 0)
    test.globs = space
    for k, example in enumerate(
        test.examples
    ):  # functions can be read when the session is over, too
        keep(example.source, f"<doctest {name}[{k}]>")
    runner = doctest.DocTestRunner(optionflags=OPTIONS)
    report: list[str] = []
    runner.run(test, out=report.append, clear_globs=False)
    assert not runner.summarize(verbose=False).failed, "".join(report)
    assert test.examples, f"{name}: nothing to run"
