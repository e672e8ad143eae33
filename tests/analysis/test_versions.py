"""Which binding each statement reads."""

from __future__ import annotations

import re
import textwrap

import pytest

from tangentlite import syntax
from tangentlite.analysis import numbering
from tangentlite.analysis.versions import Versions

CASES = {
    "each binding is a version": (
        """
        y = x * x
        y = y + x
        return y
        """,
        """
        y = x * x  # reads x@1, makes y@2
        y = y + x  # reads x@1 y@2, makes y@3
        return y  # reads y@3
        """,
    ),
    "branches read what was there, and make a version where they meet": (
        """
        y = x
        if p:
            y = y + x
        return y
        """,
        """
        y = x  # reads x@1, makes y@2
        if p:  # makes y@3
        y = y + x  # reads x@1 y@2, makes y@4
        return y  # reads y@3
        """,
    ),
    "a trip of a loop reads the version of its start": (
        """
        y = x
        for i in range(n):
            z = y + i
            y = z * x
        return y
        """,
        """
        y = x  # reads x@1, makes y@2
        for i in range(n):  # makes i@3 y@4 z@5
        z = y + i  # reads i@6 y@7, makes z@8
        y = z * x  # reads x@1 z@8, makes y@9
        return y  # reads y@4
        """,
    ),
}


def shown(text: str) -> tuple[str, Versions]:
    body = syntax.quote(textwrap.dedent(text).strip())
    found = numbering.study(["x"], body)
    made: dict[object, set[str]] = {}
    for statement, names in found.after.items():
        made[statement] = {v.placeholder for v in names.values() if v.statement is statement}
    lines = []
    for statement in (s for s in body for s in syntax.walk(s)):
        if statement in found.reads:
            reads = sorted(v.placeholder for v in found.reads[statement].values())
            bound = made.get(statement) or {
                v.placeholder for s, v in found.made.items() if s is statement
            }
            line = syntax.unparse(statement).splitlines()[0]
            notes = [f"reads {' '.join(reads)}"] * bool(reads) + [
                f"makes {' '.join(sorted(bound))}"
            ] * bool(bound)
            lines.append(f"{line}  # {', '.join(notes)}")
    return renumbered("\n".join(lines)), found


def renumbered(text: str) -> str:
    """The versions in the order in which they are met."""
    met: dict[str, int] = {}
    return re.sub(r"@(\d+)", lambda m: f"@{met.setdefault(m[1], len(met) + 1)}", text)


@pytest.mark.parametrize("name", CASES)
def test_reads_and_makes(name: str) -> None:
    text, expected = CASES[name]
    assert shown(text)[0] == textwrap.dedent(expected).strip()


def test_certain_only_if_every_path_binds() -> None:
    _, found = shown(
        "if p:\n    a = x\n    b = x\nelse:\n    a = x * x\nfor i in range(n):\n    c = x\nreturn a"
    )
    certain = {name: version.certain for name, version in found.at_end.items()}
    assert certain == {"x": True, "a": True, "b": False, "i": False, "c": False}


def test_overwritten_later() -> None:
    _, found = shown("a = x\nif p:\n    b = a\nb = x\nreturn a")
    inner = next(v for v in found.made.values() if v.name == "b")
    assert inner.scope.kind == "branch"
    assert inner.overwritten()
    assert not found.at_end["a"].overwritten()
    assert not found.at_end["b"].overwritten()
