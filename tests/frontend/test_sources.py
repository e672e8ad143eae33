"""Where functions come from: files, scripts, archives, cells, prompts; and what is said where no text is kept."""

from __future__ import annotations

import code
import importlib
import linecache
import py_compile
import subprocess
import sys
import zipfile
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import tangentlite as tl

SAVE = "Save it in a file, or use IPython or Python 3.13."
MODULE = """import numpy as np
rate = 2.0
def f(x):
    return rate * np.sin(x) * x
g, h = lambda x: f(x) * x, lambda x: f(x) + x
"""
PROGRAM = """import tangentlite as tl
def f(x):
    return x * x * x

g, h = lambda x: f(x) * x, lambda x: f(x) + x
print(tl.grad(f)(2.0), tl.grad(g)(1.0), tl.grad(h)(1.0), tl.jvp(f)(2.0, tangent=1.0)[1])
print(tl.grad(tl.grad(f))(2.0))
"""
RESULTS = ["12.0 4.0 4.0 12.0", "12.0"]


def run(*words: str, text: str = "", folder: Any = None) -> subprocess.CompletedProcess[str]:
    command = [sys.executable, *words]
    return subprocess.run(
        command, input=text, cwd=folder, capture_output=True, text=True, check=False
    )


def right(f: Any, g: Any, h: Any) -> None:
    """``f``, ``g`` and ``h`` are those of MODULE."""
    x = np.array([0.4, 1.3])
    slope = 2.0 * (np.cos(x) * x + np.sin(x))
    bent = 2.0 * (2.0 * np.cos(x) - np.sin(x) * x)
    for k in range(2):
        assert tl.grad(f)(x[k]) == pytest.approx(slope[k])
        assert tl.jvp(f)(x[k], tangent=1.0)[1] == pytest.approx(slope[k])
        assert tl.grad(tl.grad(f))(x[k]) == pytest.approx(bent[k])
        assert tl.grad(g)(x[k]) == pytest.approx(slope[k] * x[k] + f(x[k]))
        assert tl.grad(h)(x[k]) == pytest.approx(slope[k] + 1.0)


def test_a_module(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "plain_module.py").write_text(MODULE)
    monkeypatch.syspath_prepend(tmp_path)
    module = importlib.import_module("plain_module")
    right(module.f, module.g, module.h)


def test_a_package_in_an_archive(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    with zipfile.ZipFile(tmp_path / "packed.zip", "w") as archive:
        archive.writestr("packed/__init__.py", "")
        archive.writestr("packed/part.py", MODULE)
    monkeypatch.syspath_prepend(tmp_path / "packed.zip")
    module = importlib.import_module("packed.part")
    right(module.f, module.g, module.h)


def test_a_script_that_goes_elsewhere(tmp_path: Path) -> None:
    text = "import os, tempfile\nos.chdir(tempfile.gettempdir())\n" + PROGRAM
    (tmp_path / "script.py").write_text(text)
    done = run("script.py", folder=tmp_path)
    assert done.stdout.split("\n")[:2] == RESULTS, done.stderr


def cell(number: int, text: str, space: dict[str, Any]) -> None:
    """What IPython does with a cell: its text stays, under a name that is no file."""
    name = f"<ipython-input-{number}-0123456789ab>"
    linecache.cache[name] = (len(text), None, text.splitlines(True), name)
    exec(compile(text, name, "exec"), space)


def test_cells() -> None:
    space: dict[str, Any] = {"__name__": "__main__", "np": np}
    cell(1, "rate = 1.0\ndef f(x): return rate * x", space)
    cell(2, MODULE, space)
    right(space["f"], space["g"], space["h"])
    df = tl.grad(space["g"])
    assert df(0.0) == 0.0
    cell(3, "def f(x):\n    return 3.0 * x", space)
    assert tl.grad(space["f"])(2.0) == 3.0
    assert df(2.0) == 12.0


@pytest.mark.parametrize("words", [("-c", PROGRAM), ("-",), ("-i", "-q")])
def test_where_no_text_is_kept(words: tuple[str, ...]) -> None:
    done = run(*words, text="" if "-c" in words else PROGRAM)
    if sys.version_info >= (3, 13) and "-" not in words:
        shown = done.stdout.replace(">>> ", "").replace("... ", "").split("\n")
        assert [line for line in shown if line][:2] == RESULTS, done.stderr
        return
    assert "SourceUnavailableError: the text of `f` is not to be found" in done.stderr
    assert "at a prompt, by `python -c`, from stdin, or by exec" in done.stderr
    assert SAVE in done.stderr


def test_a_console_inside_a_program() -> None:
    console = code.InteractiveConsole()
    for line in ("def f(x):", "    return x * x", ""):
        console.push(line)
    with pytest.raises(tl.SourceUnavailableError, match="at a prompt") as caught:
        tl.grad(console.locals["f"])
    assert caught.value.hint == SAVE


def test_code_of_a_magic() -> None:
    space: dict[str, Any] = {}
    exec(compile("def f(x): return x * x", "<timed exec>", "exec"), space)
    with pytest.raises(tl.SourceUnavailableError, match="as <timed exec>") as caught:
        tl.grad(space["f"])
    assert "a notebook cell of its own" in caught.value.hint


def test_compiled_files_alone(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    text = tmp_path / "bare_module.py"
    text.write_text(MODULE)
    py_compile.compile(str(text), str(tmp_path / "bare_module.pyc"))
    text.unlink()
    monkeypatch.syspath_prepend(tmp_path)
    for function in (importlib.import_module("bare_module").f,) * 2:
        with pytest.raises(tl.SourceUnavailableError, match=r"bare_module.py cannot be read"):
            tl.grad(function)


def test_code_that_registers_its_text(define: Any) -> None:
    assert tl.grad(define("def f(x):\n    return x * x", "<a template of mine>"))(3.0) == 6.0


def test_text_with_asserts_that_was_edited(define: Any) -> None:
    f = define("def f(x):\n    assert x > 0.0\n    return x * 2.0", "<edited assert>")
    assert tl.grad(f)(1.0) == 2.0
    define("def f(x):\n    assert x > 0.0\n    return x * 3.0", "<edited assert>")
    assert tl.grad(f)(1.0) == 2.0  # written before, and right
    with pytest.raises(tl.SourceUnavailableError, match="has the file been edited"):
        tl.value_and_grad(f)(1.0)


# fmt: off
squares, cubes = lambda x: x * x, lambda x: x * x * x
factors = [lambda x, k=k: x * k for k in (2.0, 3.0)]
nested = lambda x: (lambda y: y * x)(x) * x
same = [lambda x: x * x, lambda x: x * x]
chosen = {"a": lambda x: x * 2.0, "b": lambda x: 2.0 * x, "c": lambda *, x: 2.0 + x}
spread = (lambda x: x
          * 5.0, lambda x:
          x * 7.0)
# fmt: on


class Lambdas:
    square = lambda self, x: x * x
    pair = (staticmethod(lambda x: x * 4.0), staticmethod(lambda x: x * 4.5))


@pytest.mark.parametrize(
    ("f", "slope"),
    [
        (squares, 6.0),
        (cubes, 27.0),
        (factors[0], 2.0),
        (factors[1], 3.0),
        (nested, 27.0),
        (same[1], 6.0),
        (chosen["a"], 2.0),
        (chosen["b"], 2.0),
        (spread[0], 5.0),
        (spread[1], 7.0),
        (Lambdas().square, 6.0),
        (Lambdas.pair[1], 4.5),
    ],
)
def test_lambdas_on_one_line(f: Any, slope: float) -> None:
    assert tl.grad(f)(3.0) == slope
    assert tl.jvp(f)(3.0, tangent=1.0)[1] == slope


def test_a_lambda_with_a_keyword() -> None:
    assert tl.grad(chosen["c"], wrt="x")(x=3.0) == 1.0
