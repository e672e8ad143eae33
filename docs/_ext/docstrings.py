"""Docstrings as the project writes them: lines that begin with a parameter and a colon are a list.

In: lines of docstrings.
Out: lines of reStructuredText.
"""

import re
from typing import Any

PARAMETER = re.compile(r"``\w+``:")


def listed(lines: list[str]) -> list[str]:
    """Items for the lines about parameters, up to the end of their paragraph."""
    result: list[str] = []
    inside = False
    for line in lines:
        starts = bool(PARAMETER.match(line))
        if starts and not inside and result and result[-1]:
            result.append("")
        inside = starts or (inside and bool(line))
        result.append(f"* {line}" if starts else f"  {line}" if inside else line)
    return result


def doubled(line: str) -> str:
    """`x` is code, as in Markdown."""
    return re.sub(r"(?<!`)`([^`]+)`(?![`_])", r"``\1``", line)


def process(app: Any, what: str, name: str, obj: Any, options: Any, lines: list[str]) -> None:
    lines[:] = [doubled(line) if not line.startswith(">>>") else line for line in listed(lines)]


def setup(app: Any) -> dict[str, bool]:
    app.connect("autodoc-process-docstring", process)
    return {"parallel_read_safe": True, "parallel_write_safe": True}
