"""What holds of all commands: version, help, closed pipes, colors, JSON, completion, errors of the user's own file."""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from tangentlite import cli
from tangentlite.cli import COMMANDS

NAMES = [command.__name__.split(".")[-1] for command in COMMANDS]
BASH = shutil.which("bash")
SOURCE = """
import numpy as np

def loss(w, x):
    return np.sum(w * x)

def other(x):
    return x

class Layer:
    def __init__(self):
        self.w = 1.0

    def apply(self, x):
        return x * x
"""


@pytest.fixture
def file(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    path = tmp_path / "model_of_manners.py"
    path.write_text(SOURCE)
    monkeypatch.setattr(sys, "path", list(sys.path))
    monkeypatch.delitem(sys.modules, path.stem, raising=False)
    return path


def test_version(capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit) as raised:
        cli.main(["--version"])
    assert raised.value.code == 0
    assert capsys.readouterr().out.startswith("tangentlite ")


@pytest.mark.parametrize("name", NAMES)
def test_every_command_has_help_with_examples(
    name: str, capsys: pytest.CaptureFixture[str]
) -> None:
    with pytest.raises(SystemExit) as raised:
        cli.main([name, "--help"])
    assert raised.value.code == 0
    out = capsys.readouterr().out
    assert "examples:\n" in out
    assert f"tangentlite {name}" in out.split("examples:")[1]


@pytest.mark.parametrize(
    ("text", "shown"),
    [
        ("import nowhere_to_be_found\n", "No module named 'nowhere_to_be_found'"),
        ("def f(:\n    pass\n", "SyntaxError"),
        ("def g():\n    return missing\n\ng()\n", "NameError: name 'missing' is not defined"),
        ("import sys\nsys.exit('stop')\n", "SystemExit: stop"),
    ],
)
def test_errors_of_the_file_are_its_own(
    file: Path, capsys: pytest.CaptureFixture[str], text: str, shown: str
) -> None:
    file.write_text(text)
    assert cli.main(["show", f"{file}:f"]) == 1
    out, err = capsys.readouterr()
    assert out == ""
    assert err.startswith(f"tangentlite: {file} cannot be imported:\n")
    assert shown in err
    assert f'File "{file}", line ' in err
    assert "Traceback" not in err
    assert "importlib" not in err
    assert str(Path(cli.__file__).parent) not in err


@pytest.mark.parametrize("words", [["rules"], ["rules", "--json"], ["completion", "bash"]])
@pytest.mark.skipif(BASH is None, reason="there is no bash")
def test_closed_pipes(words: list[str]) -> None:
    line = f"set -o pipefail; {sys.executable} -m tangentlite {' '.join(words)} | true"
    done = subprocess.run([str(BASH), "-c", line], capture_output=True, text=True, check=False)
    assert done.stderr == ""
    assert done.returncode in (0, 141)


def test_color_on_demand(file: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert cli.main(["show", f"{file}:loss", "--color", "always"]) == 0
    assert "\x1b[" in capsys.readouterr().out
    for when in ("never", "auto"):
        assert cli.main(["show", f"{file}:loss", "--color", when]) == 0
        assert "\x1b[" not in capsys.readouterr().out


def test_json(file: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert cli.main(["show", f"{file}:loss", "--stages", "--json"]) == 0
    told = json.loads(capsys.readouterr().out)
    assert list(told["sources"])[0] == "source"
    assert cli.main(["rules", "--missing", "--json"]) == 0
    entries = json.loads(capsys.readouterr().out)
    assert {entry["state"] for entry in entries} == {"missing"}
    assert all(entry["instead"] for entry in entries)


def completed(directory: Path, line: str) -> list[str]:
    """What bash offers for a line that is being written."""
    script = f"""
    tangentlite() {{ {sys.executable} -m tangentlite "$@"; }}
    source <(tangentlite completion bash)
    COMP_LINE={line!r}; COMP_POINT=${{#COMP_LINE}}
    COMP_WORDS=(${{COMP_LINE//:/ : }})
    [[ $COMP_LINE == *[[:space:]:] ]] && COMP_WORDS+=("")
    COMP_CWORD=$((${{#COMP_WORDS[@]}} - 1))
    _tangentlite
    printf '%s\\n' "${{COMPREPLY[@]}}"
    """
    done = subprocess.run(
        [str(BASH), "-c", script],
        capture_output=True,
        text=True,
        check=True,
        cwd=directory,
        env={**os.environ, "PYTHONPATH": os.pathsep.join(sys.path)},
    )
    assert done.stderr == ""
    return done.stdout.split()


@pytest.mark.skipif(BASH is None, reason="there is no bash")
@pytest.mark.parametrize(
    ("line", "expected"),
    [
        ("tangentlite ", [*NAMES, "--help", "--version"]),
        ("tangentlite ch", ["check"]),
        ("tangentlite show --mode f", ["forward"]),
        ("tangentlite show --st", ["--stages"]),
        ("tangentlite show model", ["model_of_manners.py:"]),
        ("tangentlite show model_of_manners.py:", ["loss", "other", "Layer.apply"]),
        ("tangentlite check model_of_manners.py:L", ["Layer.apply"]),
        ("tangentlite check --args x model_of_manners.py:lo", ["loss"]),
        ("tangentlite completion z", ["zsh"]),
        ("tangentlite show --wrt ", []),
    ],
)
def test_bash_completes(file: Path, line: str, expected: list[str]) -> None:
    assert completed(file.parent, line) == expected


@pytest.mark.parametrize("shell", ["bash", "zsh", "fish"])
def test_scripts_know_every_command_and_option(
    shell: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert cli.main(["completion", shell]) == 0
    script = capsys.readouterr().out
    for name in NAMES:
        assert name in script
    for option in ("stages", "missing", "wrt", "order", "color"):
        assert f"-l {option}" in script if shell == "fish" else f"--{option}" in script
    program = shutil.which(shell)
    if program is not None:
        done = subprocess.run([program, "-n"], input=script, capture_output=True, text=True)
        assert (done.returncode, done.stderr) == (0, "")


def test_a_shell_must_be_named(capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit) as raised:
        cli.main(["completion"])
    assert raised.value.code == 2


def test_an_error_of_this_package_is_no_error_of_the_user(
    file: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def broken(options):
        raise KeyError("inside")

    monkeypatch.setattr("tangentlite.cli.rules.run", broken)
    broken.__code__ = broken.__code__.replace(co_filename=str(Path(cli.__file__).parent / "x.py"))
    with pytest.raises(KeyError):
        cli.main(["rules"])
