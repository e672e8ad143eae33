"""The rules of the house that a machine can count."""

from __future__ import annotations

import ast
import re
import shutil
import subprocess
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parent.parent
FOLDERS = {"templates", "tangentlite", "tests", "examples", "docs", ".ci", ".github"}
NAMELESS = {"utils", "util", "misc", "helpers", "helper", "common", "tools"}
MODULE, FUNCTION, RULE = 350, 40, 6
IN_OUT = re.compile(r"^In: .*^Out: .*^Next: ", re.MULTILINE | re.DOTALL)


def product() -> list[Path]:
    folders = [p for p in (ROOT / "tangentlite").iterdir() if p.is_dir() and not p.is_symlink()]
    inner = [p for folder in folders for p in folder.rglob("*.py")]
    return sorted([*(ROOT / "tangentlite").glob("*.py"), *inner])


def name(path: Path) -> str:
    return str(path.relative_to(ROOT))


@pytest.mark.parametrize(
    "path", [*product(), *sorted((ROOT / "templates").rglob("*.py"))], ids=name
)
def test_modules_are_small(path: Path) -> None:
    assert len(path.read_text().splitlines()) <= MODULE


@pytest.mark.parametrize("path", product(), ids=name)
def test_functions_are_small(path: Path) -> None:
    long = [
        f"{node.name}: {size}"
        for node in ast.walk(ast.parse(path.read_text()))
        if isinstance(node, (ast.FunctionDef, ast.AsyncFunctionDef))
        and (size := node.end_lineno - node.lineno + 1 - documentation(node)) > FUNCTION
    ]
    assert not long


def documentation(node: ast.FunctionDef | ast.AsyncFunctionDef) -> int:
    """The lines of the docstring: prose and examples are not counted against a function."""
    first = node.body[0]
    return first.end_lineno - first.lineno + 1 if ast.get_docstring(node) is not None else 0


@pytest.mark.parametrize("path", sorted((ROOT / "templates").rglob("*.py")), ids=name)
def test_rules_are_short(path: Path) -> None:
    long = {
        node.name: size
        for node in ast.walk(ast.parse(path.read_text()))
        if isinstance(node, ast.FunctionDef)
        and (size := node.end_lineno - node.body[0].lineno + 1 - documentation(node)) > RULE
    }
    assert not long


@pytest.mark.parametrize("path", product(), ids=name)
def test_modules_say_what_goes_in_and_out(path: Path) -> None:
    documented = ast.get_docstring(ast.parse(path.read_text()))
    assert documented
    assert path.name == "__init__.py" or IN_OUT.search(documented)


@pytest.mark.parametrize("path", product(), ids=name)
def test_modules_are_named_for_an_idea(path: Path) -> None:
    assert path.stem not in NAMELESS


def test_templates_are_reached_through_the_package() -> None:
    link = ROOT / "tangentlite" / "templates"
    assert link.is_symlink()
    assert link.resolve() == ROOT / "templates"


def test_top_level_folders() -> None:
    if not (ROOT / ".git").exists() or shutil.which("git") is None:
        pytest.skip("not a git checkout")
    listed = subprocess.run(
        ["git", "ls-files"], cwd=ROOT, capture_output=True, text=True, check=True
    )
    folders = {line.split("/")[0] for line in listed.stdout.splitlines() if "/" in line}
    assert folders <= FOLDERS


def test_the_reading_map_names_what_exists() -> None:
    page = (ROOT / "CONTRIBUTING.md").read_text()
    table = re.findall(r"^\| `([^`]+)` \|", page, re.MULTILINE)
    assert len(table) > 10
    assert [path for path in table if not (ROOT / path).exists()] == []


def test_makefile_has_the_commands_that_readme_names() -> None:
    named = set(re.findall(r"^make ([\w-]+)", (ROOT / "README.md").read_text(), re.MULTILINE))
    assert {"demo", "test"} <= named
    targets = set(re.findall(r"^([\w-]+):", (ROOT / "Makefile").read_text(), re.MULTILINE))
    assert named <= targets
