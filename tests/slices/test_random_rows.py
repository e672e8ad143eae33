"""Random loops over rows say in slices what they say in loops."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import pytest

import tangentlite as tl
from tangentlite import frontend, slices
from tangentlite.optimize.numbers.forms import FLOAT
from tangentlite.slices import conditions
from tests.slices.random_rows import Writer
from tests.slices.test_random import loaded

WRT = ("x", "y", "F", "v", "w", "c")
GIVEN = {"x": 2, "y": 2, "F": 2, "v": 1, "w": 1, "c": FLOAT}


def made(seed: int, folder: Path) -> Any:
    """A function that stands in a file."""
    return loaded(folder / f"rows_{seed}.py", Writer(seed).text())


def arguments(size: int) -> list[Any]:
    draw = np.random.default_rng(5).normal
    return [
        *(0.4 * draw(size=(size, 3)) for _ in range(3)),
        0.4 * draw(size=3),
        0.4 * draw(size=size),
        0.3,
    ]


def check(seed: int, folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(conditions, "ARRAYS", 0)
    monkeypatch.setattr(conditions, "NUMBERS", 0)
    found = made(seed, folder)
    for size in (3, 7):
        given, known = arguments(size), arguments(size)
        gradient = tl.grad(found, wrt=WRT)(*given)
        loops = tl.grad(found, wrt=WRT, optimized=False)(*known)
        for a, b in zip([*gradient, *given], [*loops, *known]):
            np.testing.assert_allclose(a, b, rtol=1e-8, atol=1e-9)


@np.errstate(all="ignore")
@pytest.mark.parametrize("seed", range(15))
def test_random_rows(seed: int, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    check(seed, tmp_path, monkeypatch)


@pytest.mark.slow
@np.errstate(all="ignore")
@pytest.mark.parametrize("seed", range(15, 300))
def test_more_random_rows(seed: int, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    check(seed, tmp_path, monkeypatch)


def test_many_of_them_are_slices(tmp_path: Path) -> None:
    """Otherwise loops would be compared with loops."""
    read = [frontend.read(made(seed, tmp_path)) for seed in range(15)]
    found = [slices.sliced(function, GIVEN, True) for function in read]
    assert sum(bool(ways) for ways in found) >= 8
