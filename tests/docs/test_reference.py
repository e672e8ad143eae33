"""The reference leaves nothing out: public names, errors, commands; the pictures are current."""

from __future__ import annotations

import doctest
import re
import runpy
from pathlib import Path

import pytest

import tangentlite as tl
from tangentlite.cli import COMMANDS
from tests.docs.pages import DOCS


def text(page: str) -> str:
    return (DOCS / page).read_text(encoding="utf-8")


def test_every_public_name_is_in_the_reference() -> None:
    named = re.findall(r"(?m)^\.\. (?:auto)?\w+:: tangentlite\.(\w+)", text("reference/api.md"))
    assert sorted(set(named)) == sorted(named)
    assert set(tl.__all__) == set(named)


def errors(root: type[BaseException] = tl.DerivativeError) -> list[str]:
    ours = [e for e in root.__subclasses__() if e.__module__.startswith("tangentlite.")]
    return [name for e in ours for name in (e.__name__, *errors(e))]


@pytest.mark.parametrize("name", errors())
def test_every_error_has_a_cause_and_a_cure_that_run(name: str) -> None:
    """Its section has a program that raises it (or the error that it is), and after that one that raises nothing."""
    page = text("errors.md")
    assert f"| [`{name}`](#{name.lower()})" in page or f", [`{name}`](#{name.lower()})" in page
    section = re.search(rf"(?ms)^## `{name}`$(.*?)(?=^## |\Z)", page)
    assert section, name
    examples = doctest.DocTestParser().get_examples(section[1])
    raised = [e.exc_msg for e in examples if e.exc_msg]
    bases = [e.__name__ for e in (*_named(name).__mro__,)]
    assert any(m and m.startswith(f"tangentlite.errors.{b}:") for m in raised for b in bases[:-3])
    if name != "SourceUnavailableError":  # whose cure is a file
        assert not examples[-1].exc_msg


def _named(name: str) -> type:
    from tangentlite import errors as module

    return getattr(module, name)  # type: ignore[no-any-return]


def test_every_command_is_in_the_reference() -> None:
    page = text("command-line.md")
    for command in COMMANDS:
        assert f"tangentlite {command.__name__.rpartition('.')[2]}" in page


def test_pictures_are_current(tmp_path: Path) -> None:
    drawn = dict(runpy.run_path(str(DOCS / "pictures" / "draw.py"))["pictures"]())
    kept = {p.stem: p.read_text(encoding="utf-8") for p in (DOCS / "pictures").glob("*.svg")}
    assert drawn.keys() == kept.keys()
    for name, svg in drawn.items():
        assert svg.strip() == kept[name].strip(), f"{name}: run python docs/pictures/draw.py"


def test_every_picture_is_shown() -> None:
    shown = re.findall(r"\]\(pictures/(\w+)\.svg\)", text("explanation.md"))
    assert set(shown) == {p.stem for p in (DOCS / "pictures").glob("*.svg")}
