"""Random loops over places say in slices what they say in loops."""

from __future__ import annotations

import importlib.util
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import tangentlite as tl
from tangentlite import frontend, slices
from tangentlite.doors import sliced
from tangentlite.optimize.numbers.forms import FLOAT
from tangentlite.slices import conditions
from tests.slices.random_loops import Writer

WRT = ("x", "y", "A", "B", "c")
SIZES = (4, 9)


def made(seed: int, folder: Path) -> Callable[..., Any]:
    """A function that stands in a file."""
    return loaded(folder / f"loops_{seed}.py", Writer(seed).text())


def loaded(path: Path, text: str) -> Callable[..., Any]:
    """The function f of a text, written into a file."""
    path.write_text("import numpy as np\n\n\n" + text)
    spec = importlib.util.spec_from_file_location(path.stem, path)
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module.f  # type: ignore[no-any-return]


def arguments(size: int) -> list[Any]:
    draw = np.random.default_rng(7).normal
    shapes = [(size,), (size,), (size, size), (size, size)]
    return [*(0.5 * draw(size=shape) for shape in shapes), 0.3]


def result(call: Callable[..., Any], size: int) -> Any:
    """What a call gives, and what it leaves in its arguments; None if an index is outside."""
    given = arguments(size)
    try:
        return [*call(*given), *given]
    except IndexError:
        return None


def check(seed: int, folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(conditions, "ARRAYS", 0)
    monkeypatch.setattr(conditions, "NUMBERS", 0)
    found, known = made(seed, folder), made(seed, folder)
    pairs = [(size, result(tl.grad(found, wrt=WRT), size)) for size in SIZES]
    monkeypatch.setattr(sliced, "door", lambda *parts: None)
    for size, parts in pairs:
        whole = result(tl.grad(known, wrt=WRT), size)
        assert parts is not None or whole is None  # what nobody needs is not read
        for a, b in zip(parts or (), whole or ()):
            np.testing.assert_allclose(a, b, rtol=1e-9, atol=1e-10)


@np.errstate(all="ignore")
@pytest.mark.parametrize("seed", range(20))
def test_random_loops(seed: int, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    check(seed, tmp_path, monkeypatch)


@pytest.mark.slow
@np.errstate(all="ignore")
@pytest.mark.parametrize("seed", range(20, 400))
def test_more_random_loops(seed: int, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    check(seed, tmp_path, monkeypatch)


def test_many_of_them_are_slices(tmp_path: Path) -> None:
    """Otherwise loops would be compared with loops."""
    given = {"x": 1, "y": 1, "A": 2, "B": 2, "c": FLOAT}
    read = [frontend.read(made(seed, tmp_path)) for seed in range(20)]
    assert sum(bool(slices.sliced(function, given, True)) for function in read) >= 8
