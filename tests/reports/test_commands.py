"""``tangentlite report`` and ``tangentlite graph``."""

from __future__ import annotations

import subprocess
import sys
import xml.etree.ElementTree as ET
from pathlib import Path

import pytest

import tangentlite as tl
from tangentlite.cli import main
from tests.reports.markup import Page

TEXT = """\
import numpy as np

X = np.array([0.5, 1.0])


def loss(x, scale=1.0):
    return np.sum(np.sin(x) * scale)
"""


@pytest.fixture
def file(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    path = tmp_path / "model.py"
    path.write_text(TEXT)
    return path


def test_a_page_is_written_under_the_name_of_the_function(file, capsys) -> None:
    assert main(["report", f"{file}:loss"]) == 0
    assert capsys.readouterr().err == "wrote loss.html\n"
    assert Page(Path("loss.html").read_text(encoding="utf-8")).faults == []


def test_an_example_and_a_file(file) -> None:
    assert main(["report", f"{file}:loss", "--args", "X, scale=2.0", "-o", "page.html"]) == 0
    page = Path("page.html").read_text(encoding="utf-8")
    assert "gradient in x" in page
    assert "array([1.755165, 1.080605])" in page


def test_standard_output_is_the_page_alone(file) -> None:
    for command, begin in (("report", "<!DOCTYPE html>"), ("graph", "<svg ")):
        done = subprocess.run(
            [sys.executable, "-m", "tangentlite", command, f"{file}:loss", "-o", "-"],
            capture_output=True, text=True, check=True, encoding="utf-8",
        )  # fmt: skip
        assert done.stdout.startswith(begin)
        assert done.stderr == ""


def test_pictures_of_functions_and_of_gradients(file, capsys) -> None:
    assert main(["graph", f"{file}:loss", "--args", "X", "-o", "-"]) == 0
    picture = capsys.readouterr().out
    assert ET.fromstring(picture).tag.endswith("svg")
    assert "∂" in picture
    assert main(["graph", f"{file}:loss", "--wrt", "x"]) == 0
    assert "tlg-derived" in Path("loss.svg").read_text(encoding="utf-8")


@pytest.mark.parametrize("command", ["report", "graph"])
def test_what_is_wrong_is_said_shortly(file, command, capsys) -> None:
    for words, said in (
        ([f"{file}:gone"], "has no gone"),
        ([f"{file}:loss", "--args", "Y"], "NameError: name 'Y' is not defined"),
        ([f"{file}:loss", "--args", "1,,"], "SyntaxError"),
        ([f"{file}:loss", "-o", "no/such/folder/x"], "cannot be written"),
        ([f"{file}:loss", "--wrt", "q"], "has no parameter 'q'"),
    ):
        assert main([command, *words]) == 1
        found = capsys.readouterr()
        assert found.out == ""
        assert said in found.err
        assert "Traceback" not in found.err
        assert found.err.count("\n") == 1 or "cannot be evaluated" in found.err
    with pytest.raises(SystemExit, match="2"):
        main([command])


def test_the_commands_have_help_with_examples(capsys) -> None:
    for command in ("report", "graph"):
        with pytest.raises(SystemExit, match="0"):
            main([command, "--help"])
        assert "examples:" in capsys.readouterr().out


def test_both_names_are_public() -> None:
    assert {"graph", "report"} <= set(tl.__all__)
