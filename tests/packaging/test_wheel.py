"""The wheel and the source distribution, built and used outside of the checkout."""

from __future__ import annotations

import importlib.util
import re
import subprocess
import sys
import tarfile
import venv
import zipfile
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parent.parent.parent
NO_NETWORK = re.compile(
    "Failed to establish a new connection|name resolution|Name or service not known"
    "|Max retries exceeded|Network is unreachable|ConnectionError|Connection refused"
)
USE = """
import tangentlite as tl, tangentlite.templates, pathlib
assert "site-packages" in tl.__file__, tl.__file__
def f(x):
    return x * x * x
print(tl.grad(f)(3.0))
"""


def run(*command: object, cwd: Path) -> str:
    """The output of a command; only a missing network is an excuse."""
    done = subprocess.run(list(map(str, command)), cwd=cwd, capture_output=True, text=True)
    if done.returncode and (found := NO_NETWORK.search(done.stderr + done.stdout)):
        print(done.stderr)
        pytest.skip(f"no network to install from: {found.group()}")
    assert done.returncode == 0, done.stdout + done.stderr
    return done.stdout


@pytest.fixture(scope="module")
def dist(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with the sdist and the wheel built from it."""
    out = tmp_path_factory.mktemp("dist")
    isolation = ["--no-isolation"] if importlib.util.find_spec("hatchling") else []
    run(sys.executable, "-m", "build", *isolation, "--outdir", out, ROOT, cwd=out)
    return out


def python_files(folder: str) -> set[str]:
    return {str(p.relative_to(ROOT / folder)) for p in (ROOT / folder).rglob("*.py")}


def test_the_wheel_holds_rules_and_types(dist: Path) -> None:
    (wheel,) = dist.glob("*.whl")
    names = set(zipfile.ZipFile(wheel).namelist())
    assert {f"tangentlite/templates/{name}" for name in python_files("templates")} <= names
    assert "tangentlite/py.typed" in names
    sheets = {"reports/page.css", "reports/page.js", "pictures/graph.css"}
    assert {f"tangentlite/{name}" for name in sheets} <= names
    assert all(n.startswith("tangentlite") for n in names)


def test_the_sdist_holds_the_rules(dist: Path) -> None:
    (sdist,) = dist.glob("*.tar.gz")
    with tarfile.open(sdist) as archive:
        names = {name.partition("/")[2] for name in archive.getnames()}
    assert {f"tangentlite/templates/{name}" for name in python_files("templates")} <= names
    assert {"pyproject.toml", "LICENSE", "README.md"} <= names


def test_the_wheel_differentiates(dist: Path, tmp_path: Path) -> None:
    (wheel,) = dist.glob("*.whl")
    folder = tmp_path / "venv"
    venv.create(folder, with_pip=True, symlinks=sys.platform != "win32")
    python = folder / ("Scripts/python.exe" if sys.platform == "win32" else "bin/python")
    run(
        python,
        "-m",
        "pip",
        "install",
        "--quiet",
        "--disable-pip-version-check",
        wheel,
        cwd=tmp_path,
    )
    script = tmp_path / "use.py"
    script.write_text(USE)
    assert run(python, script, cwd=tmp_path).strip() == "27.0"
    shown = run(python, "-m", "tangentlite", "show", f"{script}:f", cwd=tmp_path)
    assert "def df_dx(x" in shown
