"""Arrays of integers held in lists, dicts and objects: their adjoints are forgotten, those of their views as well."""

from __future__ import annotations

from types import SimpleNamespace
from typing import Any

import numpy as np
import pytest


def views_in_a_list(x):
    a = np.array([1, 2, 3, 4])
    views = [a[1:], a.reshape(2, 2), a[::-1].T]
    views.append(np.reshape(a, (4,)))
    y = x[:3] * views[0]
    z = np.sum(views[1] * x[0]) + np.sum(views[2] * x)
    return np.sum(y) * z + np.sum(views.pop() * x * x)


def floats_are_cut_off(x):
    a = np.array([1, 2, 3, 4])
    b = a.reshape(2, 2)
    b[0] = 7
    v = x[0] * x[1]
    a[1] = v * 10
    return np.sum(b * x[2]) + v


def floats_after_integers(x):
    a = np.zeros(4, dtype=int)
    held = {"view": a[None, :], "number": a[1]}
    v = x[0] * 4
    held["view"][0, 1] = v
    w = held["view"] * x
    held["view"] = w
    return np.sum(held["view"] ** 2) + v + held["number"] * v


def attributes_that_become_floats(x):
    held = SimpleNamespace()
    held.a = np.arange(4)[:, None]
    held.b = held.a.T
    held.b = held.b * x
    held.a = held.a + x
    return np.sum(held.b) + np.sum(held.a**2)


@pytest.mark.parametrize(
    "program",
    [views_in_a_list, floats_are_cut_off, floats_after_integers, attributes_that_become_floats],
)
def test_right_in_every_mode(program: Any, confirm: Any) -> None:
    confirm(program, np.array([0.3, 0.5, 0.7, 1.1]))
