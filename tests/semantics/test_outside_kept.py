"""What lies outside the function: the derivative sees what was read, and what was written stays written."""

from __future__ import annotations

import copy
import enum
from typing import Any

import numpy as np
import pytest

import tangentlite as tl

ARRAY, NUMBERS = np.ones(3), [1.0, 2.0]
TABLE: dict[str, Any] = {"k": 2.0, "a": np.ones(3)}


class Settings:
    def __init__(self) -> None:
        self.w, self.n, self.seen = np.ones(3), 0, []


SETTINGS = Settings()


def captured() -> Any:
    inner = np.ones(3)

    def overwrites_what_is_captured(x):
        y = np.sum(inner * x)
        inner[0] = 4.0
        return y * y

    return overwrites_what_is_captured


def overwrites_an_array(x):
    y = np.sum(ARRAY * x)
    ARRAY[0] = 5.0
    return y * y


def overwrites_an_array_in_a_dict(x):
    y = np.sum(TABLE["a"] * x)
    TABLE["a"][0] = 7.0
    return y * y


def overwrites_an_array_in_an_object(x):
    y = np.sum(SETTINGS.w * x)
    SETTINGS.w[0] = 9.0
    return y * y


@pytest.mark.parametrize(
    ("f", "line"),
    [
        (captured(), "inner[0] = 4.0"),
        (overwrites_an_array, "ARRAY[0] = 5.0"),
        (overwrites_an_array_in_a_dict, '["a"][0] = 7.0'),
        (overwrites_an_array_in_an_object, ".w[0] = 9.0"),
    ],
)
def test_what_the_derivative_reads_is_not_overwritten(f: Any, line: str, refused: Any) -> None:
    refused(f, line, "outside the function", error=tl.AliasError)


def writes_first(x):
    ARRAY[0] = ARRAY[0] + 1.0
    y = np.sum(ARRAY * x)
    return y * y


def writes_numbers_in_a_list(x):
    y = NUMBERS[0] * x[0]
    NUMBERS[0] = 5.0
    return y * y


def writes_numbers_in_a_dict(x):
    y = TABLE["k"] * x[0]
    TABLE["k"] = 7.0
    return y * y * TABLE["k"]


def counts_in_an_object(x):
    y = np.sum(SETTINGS.w * x)
    SETTINGS.n += 1
    SETTINGS.n = SETTINGS.n + 1
    SETTINGS.seen.append(3)
    return y * y * SETTINGS.n


def sets_another_array(x):
    y = np.sum(SETTINGS.w * x)
    SETTINGS.w = np.full(3, 3.0)
    return y * y * np.sum(SETTINGS.w)


def writes_in_a_loop(x):
    s = 0.0
    for i in range(3):
        s = s + x[i] * ARRAY[i] * NUMBERS[0]
        ARRAY[i] = ARRAY[i] + 1.0
        NUMBERS[0] = NUMBERS[0] + 1.0
    return s * s


def as_they_were() -> None:
    ARRAY[:], NUMBERS[:] = 1.0, [1.0, 2.0]
    TABLE.clear()
    TABLE.update(k=2.0, a=np.ones(3))
    Settings.__init__(SETTINGS)


def state() -> str:
    return repr((ARRAY, NUMBERS, TABLE, vars(SETTINGS)))


def differences(f: Any, x: np.ndarray) -> np.ndarray:
    slopes = []
    for step in 1e-6 * np.eye(3):
        as_they_were()
        above = f(x + step)
        as_they_were()
        slopes.append((above - f(x - step)) / 2e-6)
    return np.array(slopes)


PROGRAMS = [
    writes_first,
    writes_numbers_in_a_list,
    writes_numbers_in_a_dict,
    counts_in_an_object,
    sets_another_array,
    writes_in_a_loop,
]


@pytest.mark.parametrize("f", PROGRAMS, ids=lambda f: f.__name__)
def test_it_stays_written(f: Any) -> None:
    x, v = np.array([0.3, 0.5, 0.7]), np.array([1.0, -2.0, 0.5])
    expected = differences(f, x)
    as_they_were()
    f(x)
    left = state()
    for find in (
        lambda: tl.grad(f)(x) @ v,
        lambda: tl.grad(f, optimized=False)(x) @ v,
        lambda: tl.vjp(f)(x)[1](1.0) @ v,
        lambda: tl.jvp(f)(x, tangent=v)[1],
    ):
        as_they_were()
        np.testing.assert_allclose(find(), expected @ v, rtol=1e-6)
        assert state() == left
    as_they_were()
    bent = copy.deepcopy(tl.jvp(tl.grad(f))(x, tangent=v)[1])
    assert state() == left
    as_they_were()
    above = differences(f, x + 1e-4 * v)
    np.testing.assert_allclose(bent, (above - differences(f, x - 1e-4 * v)) / 2e-4, rtol=1e-4)
    as_they_were()


class Mode(enum.Enum):
    PLAIN, SQUARED = 1, 2


def by_mode(x, mode=Mode.PLAIN):
    table = {Mode.PLAIN: x, Mode.SQUARED: x * x}
    return np.sum(table[mode]) if mode is Mode.PLAIN else np.sum(table[Mode.SQUARED] * x)


def test_members_of_an_enumeration(confirm: Any) -> None:
    confirm(by_mode, np.array([0.3, 0.5]), Mode.SQUARED)
    confirm(by_mode, np.array([0.3, 0.5]))
