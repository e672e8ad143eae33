"""Output is tested as text and as numbers: see case.py for the form of the files in cases/."""

from __future__ import annotations

from pathlib import Path

import pytest

from . import numbers
from .case import read

CASES = sorted((Path(__file__).parent / "cases").glob("*.py"))


@pytest.mark.parametrize("path", CASES, ids=lambda p: p.stem)
def test_text(path: Path, regold: bool) -> None:
    case = read(path)
    source = case.derive().source
    if regold:
        case.write(source)
    else:
        assert source == case.expected, f"review, then: pytest {path.parent.parent} --regold"


@pytest.mark.parametrize("path", CASES, ids=lambda p: p.stem)
def test_numbers(path: Path) -> None:
    case = read(path)
    derivative = case.derive()
    compared = 0
    for point in numbers.points(case):
        numbers.agree(case, derivative, point)
        compared += 1
    assert compared


@pytest.mark.parametrize("path", CASES, ids=lambda p: p.stem)
def test_width(path: Path) -> None:
    assert max(map(len, read(path).expected.splitlines())) <= 88


def test_there_are_cases() -> None:
    assert CASES
