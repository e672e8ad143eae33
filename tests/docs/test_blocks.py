"""Every block of code is run: as a doctest, or as files and commands."""

from __future__ import annotations

import doctest
import fnmatch
import json
import os
import re
import runpy
import shlex
import subprocess
import sys
from pathlib import Path

import pytest

from tests.docs.pages import DOCS, ROOT, Block, blocks, pages, sources

RUN_ELSEWHERE = runpy.run_path(str(DOCS / "conftest.py"))["RUN_ELSEWHERE"]
EVERY = [block for page in pages() for block in blocks(page)]
ALL = [block for block in EVERY if block.page.name not in RUN_ELSEWHERE]
FILE = re.compile(r"# (\w+\.py)\n")
FLAGS = doctest.ELLIPSIS | doctest.NORMALIZE_WHITESPACE
DIRECTIVES = {"{toctree}", "{eval-rst}"}
SET_UP = re.compile(
    r"(make [a-z]+|python3 -m venv \.venv|\. \.venv/bin/activate|pip install -e \S+"
    r"|python -m pytest( docs/course/exercises/test_\w+\.py)?"
    r"|\.venv/bin/python -m pytest tests/golden --regold|git diff tests/golden"
    r"|\.venv/bin/python -m tests\.docs\.outputs|\.venv/bin/python docs/pictures/draw\.py)(\s+#.*)?"
)


def of(*languages: str) -> list[Block]:
    return [block for block in ALL if block.language in languages]


def place(block: Block) -> str:
    return block.place


def test_blocks_are_of_a_kind_that_is_run_or_checked() -> None:
    known = {"pycon", "python", "console", "bash", "text", "json", *DIRECTIVES}
    assert [b.place for b in EVERY if b.language not in known] == []


def test_pages_that_are_run_elsewhere_are_run_there() -> None:
    tests = "".join(p.read_text(encoding="utf-8") for p in ROOT.glob("tests/ecosystem/*.py"))
    for name in RUN_ELSEWHERE:
        if (DOCS / name).exists():
            assert f'"{name}"' in tests, name


def test_blocks_of_json_are_json() -> None:
    for block in EVERY:
        if block.language == "json":
            assert json.loads(block.text), block.place


def test_examples_are_in_blocks_that_pytest_collects(pytestconfig: pytest.Config) -> None:
    patterns = pytestconfig.getoption("doctestglob")
    collected = [ROOT / part for part in pytestconfig.getini("testpaths")]
    for block in ALL:
        examples = doctest.DocTestParser().get_examples(block.text)
        assert bool(examples) == (block.language == "pycon"), block.place
        if examples:
            assert any(fnmatch.fnmatch(block.page.name, p) for p in patterns), block.place
            assert any(p in (block.page, *block.page.parents) for p in collected), block.place


def test_few_examples_are_skipped_and_they_write_files() -> None:
    for block in of("pycon"):
        for example in doctest.DocTestParser().get_examples(block.text):
            if example.options.get(doctest.SKIP):
                assert re.search(r'"[\w.]+\.(html|svg)"', example.source), block.place


@pytest.mark.parametrize("block", of("python"), ids=place)
def test_blocks_of_python_are_files_of_a_page_whose_commands_run(block: Block) -> None:
    assert FILE.match(block.text)
    assert any(b.language == "console" for b in blocks(block.page))


@pytest.mark.parametrize("block", of("bash"), ids=place)
def test_shell_blocks_only_set_up(block: Block) -> None:
    targets = re.findall(r"(?m)^(\w+):", (ROOT / "Makefile").read_text(encoding="utf-8"))
    for command in re.split(r"\n|&&", block.text):
        command = command.strip().replace('"', "")
        if command:
            assert SET_UP.fullmatch(command), f"{block.place}: {command}"
        if command.startswith("make"):
            assert command.split()[1] in targets, f"{block.place}: {command}"


@pytest.mark.parametrize("block", of("text"), ids=place)
def test_commands_in_texts_are_commands(block: Block) -> None:
    from tangentlite.cli import COMMANDS

    known = {command.__name__.rpartition(".")[2] for command in COMMANDS}
    for line in block.text.splitlines():
        if line.startswith("tangentlite "):
            assert line.split()[1] in known, block.place


def with_commands() -> list[Path]:
    pages = [p for p in sources() if p.name not in RUN_ELSEWHERE]
    return [p for p in pages if any(b.language == "console" for b in blocks(p))]


@pytest.mark.parametrize("page", with_commands(), ids=lambda p: str(p.relative_to(DOCS)))
def test_commands_give_what_the_page_shows(page: Path, tmp_path: Path) -> None:
    """The files of the page are written where they stand, the commands run in their folder, in order."""
    environment = commands(tmp_path)
    for block in blocks(page):
        if block.language == "python" and (found := FILE.match(block.text)):
            (tmp_path / found[1]).write_text(block.text, encoding="utf-8")
        elif block.language == "console":
            for command, want in sessions(block):
                got = shell(command, tmp_path, environment)
                assert doctest.OutputChecker().check_output(want, got, FLAGS), (
                    f"{block.place}: {command}\n{got}"
                )


def test_a_wrong_output_is_noticed(tmp_path: Path) -> None:
    block = Block(DOCS / "index.md", 1, "console", "$ echo one\ntwo\n")
    ((command, want),) = sessions(block)
    got = shell(command, tmp_path, commands(tmp_path))
    assert got == "one\n"
    assert not doctest.OutputChecker().check_output(want, got, FLAGS)


def sessions(block: Block) -> list[tuple[str, str]]:
    """Commands with their outputs."""
    parts = re.split(r"(?m)^\$ (.*)\n", block.text)
    assert not parts[0], f"{block.place}: an output before the first command"
    return list(zip(parts[1::2], parts[2::2]))


def commands(folder: Path) -> dict[str, str]:
    """The environment of a shell that has ``python`` and ``tangentlite``."""
    programs = folder / ".programs"
    programs.mkdir()
    python = shlex.quote(sys.executable)
    for name, words in (("python", python), ("tangentlite", f"{python} -m tangentlite")):
        (programs / name).write_text(f'#!/bin/sh\nexec {words} "$@"\n', encoding="utf-8")
        (programs / name).chmod(0o755)
    path = f"{programs}{os.pathsep}{os.environ['PATH']}"
    kept = {k: v for k, v in os.environ.items() if k != "PYTEST_ADDOPTS"}
    return {**kept, "PATH": path, "PYTHONPATH": str(ROOT), "PYTHONDONTWRITEBYTECODE": "1"}


def shell(command: str, folder: Path, environment: dict[str, str]) -> str:
    done = subprocess.run(
        ["bash", "-c", command],
        cwd=folder,
        env=environment,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
        timeout=120,
    )
    return done.stdout
