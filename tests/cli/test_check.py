"""``tangentlite check`` and ``bench``: where arguments come from, what is printed, exit codes."""

from __future__ import annotations

import json
import sys
from pathlib import Path

import pytest

from tangentlite import cli, rules

SOURCE = """
import numpy as np
import tangentlite as tl
from tangentlite import d

def loss(w, x, n=2):
    y = w
    for i in range(n):
        y = np.tanh(y * x)
    return np.sum(y * y)

def soft(x):
    return np.log1p(np.exp(x))

@tl.adjoint(soft)
def rule(y, x):
    d[x] = d[y] * np.exp(-x)

def wrong(x):
    a = x * 2.0
    return np.sum(soft(a))

def fails(x):
    return [][1]

def alone(x=2.0):
    return x * x

class Layer:
    def __init__(self):
        self.w = np.ones(2)

    def apply(self, x):
        return self.w * x

layer = Layer()
examples = (np.array([0.1, 0.2]), 0.5)
points = [(np.array([0.3]), 0.5), {"w": np.array([1.0]), "x": 0.1, "n": 3}]
each = {"loss": lambda: None, "wrong": (np.ones(2),)}

def made():
    return np.array([0.1]), 0.3

def broken():
    raise KeyError("no points")
"""


@pytest.fixture
def file(tmp_path: Path, monkeypatch: pytest.MonkeyPatch):
    path = tmp_path / "model_of_check.py"
    path.write_text(SOURCE)
    monkeypatch.setattr(sys, "path", list(sys.path))
    monkeypatch.delitem(sys.modules, path.stem, raising=False)
    with rules.restored():
        yield path


def run(file: Path, capsys: pytest.CaptureFixture[str], command: str, *words: str):
    name, function = command.split()
    code = cli.main([name, f"{file}:{function}", *words])
    out, err = capsys.readouterr()
    assert "Traceback" not in err
    return code, out, err


@pytest.mark.parametrize(
    "words",
    [
        (),
        ("--args", "(np.ones(3), 0.5)"),
        ("--args", "examples"),
        ("--at", "made"),
        ("--at", "points", "--order", "1"),
        ("--wrt", "w", "--mode", "reverse", "--seed", "3", "--rtol", "1e-5"),
    ],
)
def test_arguments(file: Path, capsys: pytest.CaptureFixture[str], words: tuple[str, ...]) -> None:
    code, out, err = run(file, capsys, "check loss", *words)
    assert (code, err) == (0, "")
    assert out.count("the derivatives agree") == (2 if "points" in words else 1)


def test_defaults_are_arguments(file: Path, capsys: pytest.CaptureFixture[str]) -> None:
    file.write_text(SOURCE.replace("examples = ", "others = "))
    assert run(file, capsys, "check alone")[0] == 0


def test_methods(file: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert run(file, capsys, "check layer.apply", "--args", "np.ones(2)")[0] == 0
    code, out, _ = run(file, capsys, "check Layer.apply", "--args", "(layer, np.ones(2))")
    assert code == 0
    assert out.startswith("Layer.apply, in self, x: ")


def test_a_wrong_rule(file: Path, capsys: pytest.CaptureFixture[str]) -> None:
    code, out, err = run(file, capsys, "check wrong", "--at", "each")
    assert (code, out) == (1, "")
    line = SOURCE.split("\n").index("    return np.sum(soft(a))") + 1
    assert f'File "{file}", line {line}\n        return np.sum(soft(a))\n' in err
    assert "The rule of `model_of_check.soft`" in err


def test_json(file: Path, capsys: pytest.CaptureFixture[str]) -> None:
    code, out, err = run(file, capsys, "check wrong", "--args", "1.0", "--json")
    assert (code, err) == (1, "")
    told = json.loads(out)
    assert not told["ok"]
    assert told["first"]["rule"]["callee"] == "model_of_check.soft"
    assert told["first"]["place"]["file"] == str(file)
    assert "is wrong in reverse mode" in told["message"]
    code, out, _ = run(file, capsys, "check loss", "--at", "points", "--json")
    assert code == 0
    assert [report["ok"] for report in json.loads(out)] == [True, True]


@pytest.mark.parametrize(
    ("command", "words", "message"),
    [
        ("check loss", ("--at", "nowhere"), "has no nowhere"),
        ("check loss", ("--args", "1 +"), "SyntaxError"),
        ("check loss", ("--args", "1 / 0"), "ZeroDivisionError: division by zero"),
        ("check loss", ("--at", "broken"), "KeyError: 'no points'"),
        ("check loss", ("--args", "(1.0,)"), "missing a required argument: 'x'"),
        ("check wrong", (), "what examples gives is no call of wrong(x)"),
        ("check fails", ("--args", "1.0"), "IndexError: list index out of range"),
        ("check loss", ("--wrt", "q"), "loss has no parameter 'q'; it has w, x, n"),
        ("check layer", ("--args", "1.0"), "layer in"),
        ("bench fails", ("--args", "1.0"), "IndexError: list index out of range"),
    ],
)
def test_refusals(
    file: Path,
    capsys: pytest.CaptureFixture[str],
    command: str,
    words: tuple[str, ...],
    message: str,
) -> None:
    code, out, err = run(file, capsys, command, *words)
    assert (code, out) == (1, "")
    assert err.startswith("tangentlite: ")
    assert message in err
    assert str(Path(cli.__file__).parent) not in err


def test_no_arguments(file: Path, capsys: pytest.CaptureFixture[str]) -> None:
    file.write_text(SOURCE.replace("examples = ", "others = "))
    code, _, err = run(file, capsys, "check loss")
    assert code == 1
    assert "loss(w, x, n=2) needs arguments." in err
    assert "--args '(np.ones(3), 2.0)'" in err


@pytest.mark.parametrize(
    "words", [("--args", "1", "--at", "a"), ("--order", "3"), ("--mode", "up")]
)
def test_wrong_usage(
    file: Path, capsys: pytest.CaptureFixture[str], words: tuple[str, ...]
) -> None:
    with pytest.raises(SystemExit) as raised:
        cli.main(["check", f"{file}:loss", *words])
    assert raised.value.code == 2


def test_bench(file: Path, capsys: pytest.CaptureFixture[str]) -> None:
    code, out, _ = run(file, capsys, "bench loss", "--rounds", "2")
    assert code == 0
    assert [line.split()[0] for line in out.splitlines()] == [
        "loss:",
        "function",
        "gradient",
        "tangent",
    ]
    code, out, _ = run(
        file,
        capsys,
        "bench Layer.apply",
        "--args",
        "(layer, np.ones(2))",
        "--json",
        "--rounds",
        "2",
    )
    assert code == 0
    seconds = json.loads(out)["seconds"]
    assert set(seconds) == {"function", "gradient", "tangent"}
    assert all(0.0 < told < 1.0 for told in seconds.values())
