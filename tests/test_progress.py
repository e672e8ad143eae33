"""Long work says on a terminal how far it is, and nowhere else."""

from __future__ import annotations

import os
import re
import signal
import subprocess
import sys
from pathlib import Path

import pytest

import tangentlite
from tangentlite import progress

pty = pytest.importorskip("pty", reason="there are no pseudo-terminals here")
MODEL = """
import time
import numpy as np

def slow(x):
    pause()
    return np.sum(np.sin(x) * x)

def pause():
    time.sleep(0.05)

EXAMPLE = (np.ones(3),)
"""
RUN = """
import signal, sys
signal.signal(signal.SIGINT, signal.default_int_handler)  # a shell's background has none
from tangentlite import progress
progress.PATIENCE = 0.0
from tangentlite.cli import main
sys.exit(main(sys.argv[1:]))
"""
COMMANDS = {
    "check": ["check", "model.py:slow", "--args", "np.ones(3)"],
    "bench": ["bench", "model.py:slow", "--args", "np.ones(3)", "--rounds", "2"],
    "report": ["report", "model.py:slow", "--args", "np.ones(3)", "-o", "page.html"],
}
SAID = {"report": "wrote page.html"}


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    (tmp_path / "model.py").write_text(MODEL)
    return tmp_path


def started(folder: Path, command: list[str], error: int) -> subprocess.Popen[bytes]:
    env = {**os.environ, "PYTHONPATH": str(Path(tangentlite.__file__).parents[1]), "COLUMNS": "60"}
    return subprocess.Popen(
        [sys.executable, "-c", RUN, *command],
        cwd=folder,
        env=env,
        stdin=subprocess.DEVNULL,
        stdout=subprocess.PIPE,
        stderr=error,
        start_new_session=True,
    )


def on_terminal(folder: Path, command: list[str], interrupted: bool = False) -> tuple[int, str]:
    """The exit code of a command, and what a terminal gets as its standard error."""
    screen, end = pty.openpty()
    process = started(folder, command, end)
    os.close(end)
    seen, sent = b"", False
    try:
        while part := os.read(screen, 1 << 12):
            seen += part
            if interrupted and not sent and b"(" in seen:
                sent = True
                process.send_signal(signal.SIGINT)
    except OSError:  # the other end is closed
        pass
    finally:
        os.close(screen)
        out, _ = process.communicate(timeout=60)
    return process.returncode, seen.decode()


def left(text: str) -> str:
    """What stands on the last line in the end."""
    line = ""
    for part in re.split("(\r)", text.replace("\r\n", "\n").rpartition("\n")[2]):
        line = (
            ""
            if part == "\r" and not line.strip()
            else part + line[len(part) :]
            if part != "\r"
            else line
        )
    return line.strip()


@pytest.mark.parametrize("name", COMMANDS)
def test_on_a_terminal(name: str, folder: Path) -> None:
    code, seen = on_terminal(folder, COMMANDS[name])
    assert code == 0, seen
    what = {"check": "checking slow: ", "bench": "timing slow: ", "report": "timing the "}[name]
    assert seen.count(f"\r{what}") > 1
    seen = seen.removesuffix(SAID.get(name, "") + "\r\n" * (name in SAID))
    assert "\n" not in seen, "one line, which is written over"
    assert left(seen) == "", "and wiped away"
    assert max(map(len, seen.split("\r"))) < 60


@pytest.mark.parametrize("name", COMMANDS)
def test_in_a_pipe(name: str, folder: Path) -> None:
    process = started(folder, COMMANDS[name], subprocess.PIPE)
    _, error = process.communicate(timeout=60)
    assert process.returncode == 0
    assert error.decode().strip() == SAID.get(name, "")


def test_an_interrupt_leaves_a_clean_line(folder: Path) -> None:
    code, seen = on_terminal(folder, COMMANDS["check"], interrupted=True)
    assert code == 130
    assert "Traceback" not in seen
    assert left(seen) in ("", "interrupted")


def test_short_work_says_nothing(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(sys.stderr, "isatty", lambda: True, raising=False)
    with progress.Progress("working") as told:
        told("a moment")
    assert capsys.readouterr().err == ""
