"""``tangentlite export``: files, the standard output, and the check for CI."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest

from tangentlite import cli

MODEL = """
import numpy as np

RATE = 2.0

class Layer:
    def __init__(self, w):
        self.w = w

    def apply(self, x):
        return np.sum(self.w * x) ** 2

def loss(w, x):
    return np.sum(w * x) * RATE

def first(xs):
    return xs[0] * xs[1]
"""


@pytest.fixture
def file(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    path = tmp_path / "model_of_export.py"
    path.write_text(MODEL)
    monkeypatch.setattr(sys, "path", list(sys.path))
    monkeypatch.delitem(sys.modules, path.stem, raising=False)
    return path


def run(path: Path) -> dict[str, object]:
    scope: dict[str, object] = {"__name__": path.stem}
    exec(path.read_text(), scope)
    return scope


def test_a_file_is_written(file: Path) -> None:
    out = file.with_name("loss_grad.py")
    assert cli.main(["export", f"{file}:loss", "--wrt", "w", "-o", str(out)]) == 0
    assert "--output loss_grad.py" in out.read_text()
    assert str(file.parent) not in out.read_text()
    found = run(out)["dloss_dw"](np.ones(2), np.arange(2.0))  # type: ignore[operator]
    assert found.tolist() == [0.0, 2.0]


def test_the_standard_output(file: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert cli.main(["export", f"{file}:loss", "--name", "slope", "--value-and-grad"]) == 0
    shown = capsys.readouterr().out
    assert "def slope(w, x, *, by=1.0):" in shown
    assert "--value-and-grad --name slope" in shown


def test_the_check(file: Path, capsys: pytest.CaptureFixture[str]) -> None:
    out = file.with_name("loss_grad.py")
    words = ["export", f"{file}:loss", "-o", str(out)]
    assert cli.main([*words, "--check"]) == 1
    assert "does not exist" in capsys.readouterr().err
    assert cli.main(words) == 0
    assert cli.main([*words, "--check"]) == 0
    assert not capsys.readouterr().err
    file.write_text(MODEL.replace("2.0", "3.25"))  # another length: no stale bytecode
    command = [sys.executable, "-m", "tangentlite", *words, "--check"]
    done = subprocess.run(command, capture_output=True, text=True)
    assert done.returncode == 1
    assert "is not up to date; write it again: tangentlite export" in done.stderr
    assert cli.main([*words[:2], "--check"]) == 2


def test_an_example(
    file: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    out = file.with_name("apply_grad.py")
    example = "Layer(np.ones(2)), np.ones(2)"
    words = ["export", f"{file}:Layer.apply", "--wrt", "x", "--example", example, "-o", str(out)]
    assert cli.main(words) == 0
    assert "example=(Layer(np.ones(2)), np.ones(2),)" in out.read_text()
    assert "from model_of_export import Layer" in out.read_text()
    monkeypatch.delitem(sys.modules, file.stem)
    assert cli.main([*words, "--check"]) == 0
    assert cli.main([*words[:-3], "Layer(", "-o", "-"]) == 1
    assert "--example 'Layer('" in capsys.readouterr().err


def test_help(capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit) as caught:
        cli.main(["export", "--help"])
    assert caught.value.code == 0
    assert "tangentlite export model.py:loss --wrt w -o loss_grad.py" in capsys.readouterr().out
