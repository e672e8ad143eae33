"""Debuggers, coverage and pytest-benchmark in processes of their own, as docs/ecosystem.md shows them."""

from __future__ import annotations

import os
import re
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

import tangentlite
from tests.ecosystem import dap, pages

SECTIONS = pages.sections("ecosystem.md")


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """The files that the page shows."""
    for text in SECTIONS.values():
        for block in pages.blocks(text, "python"):
            name = block.splitlines()[0].removeprefix("# ")
            (tmp_path / name).write_text(block)
    return tmp_path


def run(folder: Path, *command: str, typed: str = "") -> str:
    """What a command prints."""
    paths = [str(Path(tangentlite.__file__).parents[1]), os.environ.get("PYTHONPATH", "")]
    path = os.pathsep.join(filter(None, paths))
    done = subprocess.run(
        [sys.executable, *command],
        cwd=folder,
        input=typed,
        capture_output=True,
        text=True,
        timeout=120,
        env={**os.environ, "PYTHONPATH": path, "NO_COLOR": "1", "COLUMNS": "200"},
    )
    return done.stdout + done.stderr


def shown(section: str) -> tuple[list[str], list[str]]:
    """What is typed in the section's session, and what is printed there."""
    (text,) = pages.blocks(SECTIONS[section], "text")
    lines = text.splitlines()[1:]
    typed = [line.removeprefix("(Pdb) ") for line in lines if line.startswith("(Pdb) ")]
    return typed, [line for line in lines if not line.startswith("(Pdb) ")]


def appear_in_order(lines: list[str], output: str) -> None:
    """Each line is printed behind the one before it; dots stand for anything."""
    place = 0
    for line in lines:
        wanted = ".*?".join(re.escape(part) for part in line.split("..."))
        found = re.compile(wanted).search(output, place)
        assert found, f"{line!r} is not in\n{output[place:]}"
        place = found.end()


def test_pdb(folder: Path) -> None:
    typed, printed = shown("pdb")
    output = run(folder, "-m", "pdb", "model.py", typed="\n".join(typed) + "\n")
    appear_in_order([line for line in printed if "B" not in line[:6]], output)


def test_pdb_steps_in_and_out(folder: Path) -> None:
    typed = "tbreak 5\ncontinue\nstep\nstep\nlist\nreturn\nquit\n"
    (folder / "twice.py").write_text(
        "import numpy as np\nfrom model import dloss\nw, x = np.ones((1, 2)), np.ones(2)\n"
        "dloss(w, x)\nslope = dloss(w, x)\nprint(slope)\n"
    )
    output = run(folder, "-m", "pdb", "twice.py", typed=typed)
    assert "<generated: tangentlite dloss_dw" in output.split("twice.py(5)")[1]
    assert "y = np.tanh(w @ x)" in output
    assert "--Return--" in output


def test_ipdb(folder: Path) -> None:
    pytest.importorskip("ipdb", reason="ipdb not installed")
    typed = "tbreak 14\nc\nb dloss\nc\nn\nn\np y\nll\nc\nq\n"
    output = re.sub(r"\x1b\[[0-9;]*m", "", run(folder, "-m", "ipdb", "model.py", typed=typed))
    appear_in_order(
        [
            "<generated: tangentlite dloss_dw",
            "array([0.63514895])",
            "bw = rt.matmul_left",
            "[[0.378",
        ],
        output,
    )


@pytest.fixture
def debugging(folder: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[dap.Session]:
    pytest.importorskip("debugpy", reason="debugpy not installed")
    monkeypatch.setenv("PYTHONPATH", str(Path(tangentlite.__file__).parents[1]))
    session = dap.Session(folder / "model.py")
    yield session
    session.close()


def test_debugpy(debugging: dap.Session) -> None:
    it = debugging
    it.ask("initialize", adapterID="test", linesStartAt1=True, pathFormat="path")
    it.send("attach", justMyCode=False)
    it.until("initialized")
    (found,) = it.ask("setFunctionBreakpoints", breakpoints=[{"name": "dloss_dw"}])["breakpoints"]
    assert found["verified"]
    it.send("configurationDone")
    thread, frame = it.stopped()
    assert frame["name"] == "dloss_dw"
    source = frame["source"]
    text = it.ask("source", source=source, sourceReference=source["sourceReference"])["content"]
    assert text.startswith("def dloss_dw(w, x, *, by_1=1.0):\n    # Forward\n")
    line = 1 + text.splitlines().index("    by = 2.0 * by_1 * y")
    it.ask("setBreakpoints", source=source, breakpoints=[{"line": line}])
    it.send("continue", threadId=thread)
    thread, frame = it.stopped()
    assert (frame["name"], frame["line"]) == ("dloss_dw", line)
    y = it.ask("evaluate", expression="float(y[0])", frameId=frame["id"], context="watch")["result"]
    assert y.startswith("0.635")
    it.send("next", threadId=thread)
    thread, frame = it.stopped()
    assert frame["line"] == line + 2  # a comment is between
    it.send("continue", threadId=thread)
    it.until("terminated")


def test_coverage(folder: Path) -> None:
    pytest.importorskip("coverage", reason="coverage not installed")
    (text,) = pages.blocks(SECTIONS["coverage"], "text")
    commands = [line.split()[1:] for line in text.splitlines() if line.startswith("$")]
    output, report = (run(folder, "-m", *command) for command in commands)
    assert output.strip() == text.splitlines()[1]
    percent = {line.split()[0]: line.split()[-1] for line in report.splitlines() if ".py" in line}
    assert set(percent) == {"model.py", "dloss.py"}
    assert int(percent["dloss.py"].rstrip("%")) > 30


def test_coverage_counts_no_text_without_file(folder: Path) -> None:
    pytest.importorskip("coverage", reason="coverage not installed")
    output = run(folder, "-m", "coverage", "run", "--branch", "--source=.", "model.py")
    assert output.strip() == "[[0.37892085 0.18946043]]"
    report = run(folder, "-m", "coverage", "report")
    assert "generated" not in report
    assert re.search(r"^model\.py .*\b\d+%", report, flags=re.MULTILINE)


def test_benchmark(folder: Path) -> None:
    pytest.importorskip("pytest_benchmark", reason="pytest-benchmark not installed")
    options = ["--benchmark-max-time=0.05", "--benchmark-min-rounds=2", "-p", "no:cacheprovider"]
    output = run(folder, "-m", "pytest", "test_speed.py", "-q", *options)
    assert "2 passed" in output
    assert "test_compiling" in output


def test_kernprof(folder: Path) -> None:
    pytest.importorskip("line_profiler", reason="line_profiler not installed")
    (folder / "profiled.py").write_text(
        "import numpy as np\nfrom line_profiler import profile\nfrom model import dloss\n"
        "watched = profile(dloss)\nfor _ in range(3):\n    watched(np.ones((1, 2)), np.ones(2))\n"
    )
    output = run(folder, "-m", "kernprof", "-lv", "profiled.py")
    (line,) = [line for line in output.splitlines() if "bw = " in line]
    assert line.split()[1] == "3"
