"""What docs/rules.md says is what the registry says, and little is missing."""

from __future__ import annotations

import cmath
import math
import sys
from pathlib import Path

import numpy as np
import pytest

from tangentlite import cli
from tangentlite.rules import coverage

PAGE = Path(__file__).resolve().parents[2] / "docs" / "rules.md"
HERE = (np, np.linalg, np.fft, math, cmath)
NEWEST = tuple(map(int, np.__version__.split(".")[:2])) >= (2, 3)
SHOWN = NEWEST and sys.version_info[:2] == (3, 11)


@pytest.mark.skipif(not SHOWN, reason="the page lists the functions of Python 3.11, NumPy 2.3")
def test_the_page_is_up_to_date() -> None:
    """To write it anew: put what ``coverage.page`` gives below the heading of the tables."""
    text = PAGE.read_text().partition("## Tables\n")[2].strip()
    assert text == coverage.page(coverage.survey(HERE))


def test_what_is_missing_has_a_reason() -> None:
    missing = [e for e in coverage.survey(HERE) if e.state == "missing"]
    assert [e.name for e in missing if not (e.reason and e.instead)] == []


@pytest.mark.parametrize("module", HERE, ids=lambda m: m.__name__)
def test_little_is_missing(module) -> None:
    (found,) = coverage.counts(coverage.survey([module])).values()
    assert found["missing"] <= 0.035 * (found["rule"] + found["missing"])  # NumPy 2.0 has fewer


def test_places_are_those_of_the_rules() -> None:
    root = PAGE.parents[1]
    for entry in coverage.survey(HERE):
        file, _, line = entry.place.partition(":")
        if line:
            assert (root / file).read_text().splitlines()[int(line) - 1].strip(), entry
        elif file:
            assert (root / file).is_file(), entry


def test_the_command_lists_all(capsys: pytest.CaptureFixture[str]) -> None:
    assert cli.main(["rules"]) == 0
    text = capsys.readouterr().out
    assert "numpy.fft.ifft" in text
    assert "templates/fourier.py:" in text
    assert cli.main(["rules", "--missing"]) == 0
    text = capsys.readouterr().out
    assert "numpy.nditer" in text
    assert "numpy.fft.ifft" not in text
