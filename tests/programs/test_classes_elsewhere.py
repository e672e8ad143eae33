"""Objects of classes that another module defines, and whose methods read globals of that module."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

import tangentlite as tl
from tests.programs import standard_air
from tests.programs.standard_air import Air, Balloon

HEIGHTS = 7.0  # another one than theirs


def air(z):
    a = Air(z)
    return a.warmth + a.pressure + a.sound


def warmer_air(z, by):
    a = standard_air.Air(z, by)
    return a.sound * HEIGHTS


def floats_up(z):
    b = Balloon(z)
    return b.rise(1.5).lift + b.total() * HEIGHTS


def with_names_of_theirs(z, standard_air=3.0, WARMTH=2.0):
    return Balloon(z).total() * WARMTH + standard_air


def in_a_loop(z, n):
    total = 0.0
    for k in range(n):
        total += Balloon(z + k).rise(0.5).z ** 2
    return total


def walks(z, scaled=2.0):
    total = 0.0
    for v in standard_air.Falling(z):
        total += v * v
    for v in standard_air.Rising(z):
        total += v * HEIGHTS
    return total * scaled + sum(v for v in standard_air.Falling(z))


def generates(z):
    return sum(v * v for v in standard_air.warmer(z)) + list(standard_air.warmer(z))[-1]


def manages(z):
    with standard_air.scaled(z) as y:
        w = y * y
    with standard_air.Heated(z) as h:
        w += h.z**2
    return w + h.z


def notes(z):
    return standard_air.Noted(z).z ** 2


@pytest.mark.parametrize("height", (5.5, 15.5, 25.0))
def test_layers_of_air(height: float, confirm: Any) -> None:
    confirm(air, height)
    confirm(warmer_air, height, 2.0)


@pytest.mark.parametrize("program", (floats_up, with_names_of_theirs))
def test_methods(program: Any, confirm: Any) -> None:
    confirm(program, 1.5, second=False)
    confirm(program, np.array(1.5), second=False)


def test_in_a_loop(confirm: Any) -> None:
    confirm(in_a_loop, 1.5, 3, second=False)


@pytest.mark.parametrize("program", (walks, generates, manages))
def test_walks_and_managers(program: Any, confirm: Any) -> None:
    confirm(program, 1.5, second=False)


@pytest.mark.parametrize("program", (walks, generates, manages))
def test_a_number_that_changes_there(program: Any, monkeypatch: Any) -> None:
    slope = tl.grad(program)
    before = slope(1.5)
    monkeypatch.setattr(standard_air, "RADIUS", 3.0)
    monkeypatch.setattr(standard_air, "WEIGHTS", {"ground": 1.0, "above": 0.5})
    wanted = (program(1.5 + 1e-5) - program(1.5 - 1e-5)) / 2e-5
    assert slope(1.5) == pytest.approx(wanted, rel=1e-7)
    assert slope(1.5) != before


def test_what_changes_there_is_seen() -> None:
    slope = tl.grad(in_a_loop)

    def wanted(z: float) -> float:
        return (in_a_loop(z + 1e-5, 2) - in_a_loop(z - 1e-5, 2)) / 2e-5

    before = dict(standard_air.WEIGHTS)
    try:
        assert slope(1.5, 2) == pytest.approx(wanted(1.5), rel=1e-8)
        standard_air.WEIGHTS["above"] = 7.0
        assert slope(1.5, 2) == pytest.approx(wanted(1.5), rel=1e-8)
        standard_air.WEIGHTS = {"ground": 1, "above": np.float64(0.5)}
        assert slope(1.5, 2) == pytest.approx(wanted(1.5), rel=1e-8)
    finally:
        standard_air.WEIGHTS = before


def test_what_is_kept_there_is_refused() -> None:
    with pytest.raises(tl.AliasError):
        tl.grad(notes)(1.5)
