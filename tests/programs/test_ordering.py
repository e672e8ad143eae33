"""``min`` and ``max`` of objects: in lists, several, with one comparison only, with a key."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

import tangentlite as tl
from tests.programs.strict import check

X = np.array([0.4, 1.3, 0.8])


class Both:
    def __init__(self, v):
        self.v = v

    def __lt__(self, other):
        return self.v < other.v

    def __gt__(self, other):
        return self.v > other.v


class Less:
    def __init__(self, v):
        self.v = v

    def __lt__(self, other):
        return self.v < other.v


def of_a_list(x):
    return min([Both(v * v) for v in x]).v * max([Both(x[0]), Both(x[1])]).v


def of_several(x):
    return min(Both(x[0] * 3), Both(x[1] * x[2])).v * max(Less(x[0]), Less(x[1]), Less(x[2])).v


def by_a_key(x):
    return min([Both(x[0]), Both(x[1])], key=lambda p: -p.v).v * x[2]


@pytest.mark.parametrize("f", [of_a_list, of_several, by_a_key], ids=lambda f: f.__name__)
def test_objects(f: Any) -> None:
    check(f, X)


def test_none_at_all() -> None:
    def of_nothing(x):
        return max([Both(v) for v in x]).v

    with pytest.raises(ValueError, match="empty"):
        tl.grad(of_nothing)(np.zeros(0))
