"""The command line: what it prints, and how it refuses."""

from __future__ import annotations

import io
import re
import subprocess
import sys
from pathlib import Path

import pytest

from tangentlite import cli
from tangentlite.highlight import highlight

SOURCE = """
import numpy as np

def loss(w, x):
    return np.sum(w * x)

class Layer:
    def apply(self, x):
        return x * x

def refused(x):
    return unknown_function(x)
"""


@pytest.fixture
def file(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    path = tmp_path / "model_of_cli.py"
    path.write_text(SOURCE)
    monkeypatch.setattr(sys, "path", list(sys.path))
    monkeypatch.delitem(sys.modules, path.stem, raising=False)
    return path


def test_show(file: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert cli.main(["show", f"{file}:loss"]) == 0
    shown = capsys.readouterr().out
    assert shown.startswith("def dloss_dw(w, x")
    compile(shown, "shown", "exec")


def test_wrt_by_name_and_by_position(file: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert cli.main(["show", f"{file}:loss", "--wrt", "x"]) == 0
    by_name = capsys.readouterr().out
    assert cli.main(["show", f"{file}:loss", "--wrt", "1"]) == 0
    assert capsys.readouterr().out == by_name
    assert cli.main(["show", f"{file}:loss", "--wrt", "w", "--wrt", "x"]) == 0
    assert re.search(r"return .*,", capsys.readouterr().out)


def test_forward_mode(file: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert cli.main(["show", f"{file}:loss", "--mode", "forward"]) == 0
    assert "dw" in capsys.readouterr().out


def test_stages(file: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert cli.main(["show", f"{file}:loss", "--stages"]) == 0
    assert capsys.readouterr().out.count("\n# ") >= 2


@pytest.mark.parametrize(
    ("target", "message"),
    [
        ("{}:missing", "has no missing. It has loss, Layer, refused."),
        ("{}:Layer.missing", "has no Layer.missing"),
        ("{}:np", "is module, not a function"),
        ("nowhere.py:loss", "nowhere.py: no such file"),
        ("{}", "write FILE.py:function"),
    ],
)
def test_not_found(
    file: Path, capsys: pytest.CaptureFixture[str], target: str, message: str
) -> None:
    assert cli.main(["show", target.format(file)]) == 1
    out, err = capsys.readouterr()
    assert out == ""
    assert err.startswith("tangentlite: ")
    assert message in err


def test_a_refusal_has_no_traceback(file: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert cli.main(["show", f"{file}:refused"]) == 1
    out, err = capsys.readouterr()
    assert out == ""
    assert "unknown_function" in err
    assert "Traceback" not in err


@pytest.mark.parametrize(
    "argv", [[], ["show"], ["show", "a.py:f", "--mode", "sideways"], ["paint"]]
)
def test_wrong_usage_is_two(argv: list[str], capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit) as raised:
        cli.main(argv)
    assert raised.value.code == 2
    assert "usage:" in capsys.readouterr().err


@pytest.mark.parametrize("argv", [["--help"], ["show", "--help"]])
def test_help_has_examples(argv: list[str], capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit) as raised:
        cli.main(argv)
    assert raised.value.code == 0
    assert "tangentlite show model.py:loss " in capsys.readouterr().out


def test_the_module_runs(file: Path) -> None:
    command = [sys.executable, "-m", "tangentlite", "show", f"{file}:loss"]
    done = subprocess.run(command, capture_output=True, text=True, check=True)
    assert done.stdout.startswith("def dloss_dw(w, x")
    assert "\x1b" not in done.stdout


class Terminal(io.StringIO):
    def isatty(self) -> bool:
        return True


def test_colors_are_for_terminals(file: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("TERM", "xterm")
    monkeypatch.delenv("NO_COLOR", raising=False)
    monkeypatch.setattr(sys, "stdout", screen := Terminal())
    assert cli.main(["show", f"{file}:loss"]) == 0
    assert "\x1b[" in screen.getvalue()
    monkeypatch.setenv("NO_COLOR", "1")
    monkeypatch.setattr(sys, "stdout", screen := Terminal())
    assert cli.main(["show", f"{file}:loss"]) == 0
    assert "\x1b[" not in screen.getvalue()


def test_highlighting_adds_colors_only() -> None:
    source = 'def f(x):\n    # if 1\n    return \'a # b\', x2 + 1.5e-3j, """c\nd""" or g.is_x\n'
    colored = highlight(source)
    assert re.sub(r"\x1b\[[\d;]*m", "", colored) == source
    for style, text in [("2;3", "# if 1"), ("32", "'a # b'"), ("36", "1.5e-3j"), ("1;34", "f")]:
        assert f"\x1b[{style}m{text}\x1b[0m" in colored
    assert "x2 + " in colored
    assert " g.is_x" in colored
