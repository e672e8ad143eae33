"""Imports point one way: every module may import only from the lines above its own."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parent.parent
LAYERS = """
values parsing progress
errors translation trees persistent compiling
lines conditions
naming syntax ir
scopes slips
runtime
standins
rules
frontend
lowering
analysis
differentiate
optimize
slices
tables
emit
links glances
knowledge
summaries
pipeline arguments
arguments guards readiness
readings
sharing
looks observed
doors
derivative jacobians
traveled
twins
remembering
wrappers
methods
native
specializing
without_blocks
api
pictures
highlight
check reports learn exporting
cli
__main__
"""
RANK = {name: rank for rank, line in enumerate(LAYERS.split("\n")) for name in line.split()}
FOR_TEMPLATES = {"runtime", "rules.notation", "templates", "persistent"}


def imports(text: str, package: str) -> Iterator[str]:
    """Yield the tangentlite modules that ``text``, in ``package``, imports anywhere in it."""
    for node in ast.walk(ast.parse(text)):
        match node:
            case ast.Import(names=names):
                found = [n.name for n in names]
            case ast.ImportFrom(module=module, names=names, level=level):
                parts = package.split(".")[: len(package.split(".")) - level + 1] if level else []
                base = ".".join([*parts, *([module] if module else [])])
                found = [f"{base}.{n.name}" for n in names]
            case _:
                continue
        yield from (f.removeprefix("tangentlite.") for f in found if f.startswith("tangentlite."))
        if any(f == "tangentlite" for f in found):
            yield "api"  # the package itself shows the public names


def package_of(path: Path) -> str:
    return ".".join(path.relative_to(ROOT).parent.parts)


def offenses(text: str, package: str, layer: str) -> list[str]:
    targets = [(t, t.split(".")[0]) for t in imports(text, package)]
    return [t for t, top in targets if top != layer and RANK.get(top, 0) >= RANK[layer]]


def modules() -> list[Path]:
    package = ROOT / "tangentlite"
    found = [
        *package.glob("*.py"),
        *(p for d in package.iterdir() if d.is_dir() for p in d.rglob("*.py")),
    ]
    return sorted(p for p in found if "templates" not in p.relative_to(package).parts)


@pytest.mark.parametrize("path", modules(), ids=lambda p: str(p.relative_to(ROOT)))
def test_imports_point_one_way(path: Path) -> None:
    layer = path.relative_to(ROOT / "tangentlite").parts[0].removesuffix(".py")
    if layer != "__init__":
        assert layer in RANK, f"{layer} has no place in LAYERS"
        assert not offenses(path.read_text(), package_of(path), layer)


@pytest.mark.parametrize("path", sorted((ROOT / "templates").rglob("*.py")), ids=lambda p: p.stem)
def test_templates_import_the_notation_and_what_runs_only(path: Path) -> None:
    for target in imports(path.read_text(), "tangentlite.templates"):
        assert any(target == a or target.startswith(a + ".") for a in FOR_TEMPLATES), target


@pytest.mark.parametrize(
    "text",
    [
        "from tangentlite.api import grad",
        "from tangentlite import emit",
        "import tangentlite.optimize.prune",
        "from ..pipeline import derive",
        "from .. import api",
        "def f():\n    from tangentlite.emit import module",
        "import tangentlite",
    ],
)
def test_upward_imports_are_found(text: str) -> None:
    assert offenses(text, "tangentlite.lowering", "lowering")


@pytest.mark.parametrize(
    "text",
    [
        "from tangentlite.ir import Function",
        "from . import anf",
        "from ..syntax import quote",
        "import numpy",
    ],
)
def test_downward_imports_are_allowed(text: str) -> None:
    assert not offenses(text, "tangentlite.lowering", "lowering")
