"""docs/ecosystem.md, section by section, with the real tools; what is not installed is skipped."""

from __future__ import annotations

from typing import Any

import pytest

from tests.ecosystem import pages

SECTIONS = pages.sections("ecosystem.md")
SESSIONS = [name for name, text in SECTIONS.items() if ">>>" in text]


@pytest.mark.parametrize("name", SESSIONS)
def test_section(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    text = SECTIONS[name]
    if missing := pages.missing(pages.session(text)):
        pytest.skip(f"{name}: {', '.join(missing)} not installed")
    space: dict[str, Any] = {"__name__": "__main__"}
    pages.run(text, name, space)


def test_every_section_runs_somewhere() -> None:
    """Those without a session are run by test_tools."""
    others = ["pdb", "ipdb", "debugpy, and editors that use it", "coverage", "pytest-benchmark"]
    assert sorted([*SESSIONS, *others]) == sorted(SECTIONS)
