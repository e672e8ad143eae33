"""The course: solutions pass the tests that students run, and what students begin with fails them all."""

from __future__ import annotations

import ast
import importlib.util
import os
import re
import shutil
import subprocess
import sys
from pathlib import Path
from xml.etree import ElementTree

import pytest

from tests.docs.pages import DOCS, ROOT, anchors, links, sources

COURSE = DOCS / "course"
EXERCISES = sorted(p.name for p in (COURSE / "exercises").glob("[0-9]*.py"))
NEEDED = {"12_pytorch": "torch", "13_jax": "jax"}
TO_WRITE = "raise NotImplementedError"
each = pytest.mark.parametrize("name", EXERCISES)


def outcomes(folder: Path, report: Path, *options: str) -> dict[str, list[tuple[str, str]]]:
    """For each exercise its tests: what became of them, and the message."""
    command = [sys.executable, "-m", "pytest", "-q", "-p", "no:cacheprovider"]
    command += ["-c", str(ROOT / "pyproject.toml"), f"--junitxml={report}", *options, str(folder)]
    kept = {k: v for k, v in os.environ.items() if not k.startswith("PYTEST_")}
    environment = {**kept, "PYTHONPATH": str(ROOT), "PYTHONDONTWRITEBYTECODE": "1"}
    done = subprocess.run(command, cwd=ROOT, env=environment, capture_output=True, text=True)
    assert done.returncode in (0, 1), done.stdout + done.stderr
    found: dict[str, list[tuple[str, str]]] = {}
    for case in ElementTree.parse(report).iter("testcase"):
        module = re.search(r"test_(\d\d_\w+)", f"{case.get('classname')}.{case.get('name')}")
        result = next((part for part in case if part.tag in ("failure", "error", "skipped")), None)
        outcome = "passed" if result is None else result.tag
        message = "" if result is None else f"{result.get('message')} {result.text}"
        found.setdefault(f"{module[1]}.py", []).append((outcome, message))
    return found


@pytest.fixture(scope="module")
def solved(tmp_path_factory: pytest.TempPathFactory) -> dict[str, list[tuple[str, str]]]:
    report = tmp_path_factory.mktemp("solved") / "report.xml"
    return outcomes(COURSE / "exercises", report, "--solutions")


@pytest.fixture(scope="module")
def begun(tmp_path_factory: pytest.TempPathFactory) -> dict[str, list[tuple[str, str]]]:
    return outcomes(COURSE / "exercises", tmp_path_factory.mktemp("begun") / "report.xml")


def is_there(name: str) -> bool:
    needed = NEEDED.get(name.removesuffix(".py"))
    return needed is None or importlib.util.find_spec(needed) is not None


@each
def test_solutions_pass(name: str, solved: dict[str, list[tuple[str, str]]]) -> None:
    if is_there(name):
        assert [(o, m) for o, m in solved[name] if o != "passed"] == []
    else:
        assert [o for o, _ in solved[name]] == ["skipped"]
        assert "is not installed" in solved[name][0][1]


@each
def test_what_students_begin_with_fails(name: str, begun: dict[str, list[tuple[str, str]]]) -> None:
    if is_there(name):
        assert [(o, m) for o, m in begun[name] if not fails_as_unwritten(o, m)] == []
    else:
        assert [o for o, _ in begun[name]] == ["skipped"]


def fails_as_unwritten(outcome: str, message: str) -> bool:
    return outcome == "failure" and message.startswith("NotImplementedError")


def test_no_exercise_is_left_out(
    solved: dict[str, list[tuple[str, str]]], begun: dict[str, list[tuple[str, str]]]
) -> None:
    assert sorted(solved) == sorted(begun) == EXERCISES
    assert [int(name[:2]) for name in EXERCISES] == list(range(1, len(EXERCISES) + 1))


def unwritten(tree: ast.AST) -> list[ast.FunctionDef]:
    """The functions whose body is to be written, in the order of the file."""
    functions = (n for n in ast.walk(tree) if isinstance(n, ast.FunctionDef))
    found = [f for f in functions if ast.unparse(f.body[-1]) == TO_WRITE]
    return sorted(found, key=lambda f: f.lineno)


def written(solution: ast.Module, student: ast.Module) -> list[ast.FunctionDef]:
    """The same functions of the solution."""
    names = [f.name for f in unwritten(student)]
    functions = [n for n in ast.walk(solution) if isinstance(n, ast.FunctionDef)]
    found = sorted((f for f in functions if f.name in names), key=lambda f: f.lineno)
    assert [f.name for f in found] == names
    return found


def parsed(folder: str, name: str) -> ast.Module:
    return ast.parse((COURSE / folder / name).read_text(encoding="utf-8"))


@each
def test_a_student_file_is_the_solution_without_its_bodies(name: str) -> None:
    student, solution = parsed("exercises", name), parsed("solutions", name)
    for function, full in zip(unwritten(student), written(solution, student)):
        assert ast.get_docstring(function), f"{function.name} does not say what is to be done"
        assert len(function.body) == 2
        full.body = [full.body[0], ast.parse(TO_WRITE).body[0]]
    assert unwritten(student)
    assert ast.dump(student) == ast.dump(solution)


MOST = max(len(unwritten(parsed("exercises", name))) for name in EXERCISES)


@pytest.mark.slow
@pytest.mark.parametrize("place", range(MOST))
def test_each_function_is_tested(place: int, tmp_path: Path) -> None:
    """Without the function at that place, an exercise is not solved."""
    shutil.copytree(COURSE / "exercises", tmp_path / "exercises")
    shutil.copytree(COURSE / "solutions", tmp_path / "solutions")
    without = {}
    for name in filter(is_there, EXERCISES):
        solution = parsed("solutions", name)
        functions = written(solution, parsed("exercises", name))
        if place < len(functions):
            without[name] = functions[place].name
            functions[place].body = ast.parse(TO_WRITE).body
            text = ast.unparse(solution)
            (tmp_path / "solutions" / name).write_text(text, encoding="utf-8")
    found = outcomes(tmp_path / "exercises", tmp_path / "report.xml", "--solutions")
    failing = {n for n, cases in found.items() if any(fails_as_unwritten(*c) for c in cases)}
    assert without
    assert failing == set(without)


@each
def test_a_page_leads_to_the_exercise_its_tests_and_its_solution(name: str) -> None:
    page = next(p for p in sources() if f"exercises/{name}" in links(p))
    assert page.parent == COURSE
    assert {f"exercises/test_{name}", f"solutions/{name}"} <= set(links(page))
    assert any(a.startswith(f"{int(name[:2])}-") for a in anchors(page))


def test_exercises_are_run_here_only(pytestconfig: pytest.Config) -> None:
    """``pytest`` collects none of them, for they fail until they are done."""
    command = [sys.executable, "-m", "pytest", "--collect-only", "-q", "docs"]
    done = subprocess.run(command, cwd=ROOT, capture_output=True, text=True)
    assert "docs/course/index.md" in done.stdout
    assert "course/exercises/" not in done.stdout
    assert "course/solutions/" not in done.stdout
