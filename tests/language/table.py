"""Writes docs/language.md: ``python -m tests.language.table``."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

from tests.language import arrays, exits, expressions, functions, names, objects
from tests.language.rows import Row, Section

PAGE = Path(__file__).resolve().parents[2] / "docs" / "language.md"
SECTIONS: tuple[Section, ...] = (
    exits.SECTION,
    expressions.SECTION,
    functions.SECTION,
    functions.DERIVATIVES,
    objects.SECTION,
    arrays.SECTION,
    names.SECTION,
    names.EFFECTS,
    names.SOURCES,
)
HEAD = """# The language

What Python may say in a function that is differentiated. Every row is a small program in `tests/language/`, whose derivatives
are compared with finite differences in reverse mode (joint and split), in forward mode and at second order, or a test that is
named there. What is refused says so with file, line and caret; the row has the error and what to write instead.

This page is written by `python -m tests.language.table`.
"""


def rows() -> Iterator[tuple[Section, Row]]:
    """All rows, with their sections."""
    for section in SECTIONS:
        for row in section.rows:
            yield section, row


def line(row: Row) -> str:
    """A row as text."""
    construct = row.construct.replace("|", "\\|")
    if row.refused is not None:
        fault = row.fault()
        first, *more = fault.hint.splitlines()
        hint = f"{first} {more[0].strip()}" if first.endswith(":") else first
        return f"| {construct} | `{type(fault).__name__}`. {hint} |"
    return f"| {construct} | yes{'' if row.second else ', first derivatives'} |"


def page() -> str:
    """The whole page."""
    parts = [HEAD]
    for section in SECTIONS:
        lines = [f"## {section.title}\n", "| | |", "|---|---|", *map(line, section.rows), ""]
        parts.append("\n".join(lines))
    return "\n".join(parts)


if __name__ == "__main__":
    PAGE.write_text(page(), encoding="utf-8")
