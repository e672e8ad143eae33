"""Classes and helpers of a user, in modules of their own: no tangentlite here."""

from __future__ import annotations

from collections import namedtuple
from dataclasses import dataclass, field
from enum import Enum
from typing import Any

import numpy as np

Point = namedtuple("Point", "x y")


class Color(Enum):
    RED = 1
    BLUE = 2


@dataclass
class Layer:
    w: Any
    b: float = 0.5
    seen: list = field(default_factory=list)

    def apply(self, x):
        return np.sum(np.tanh(self.w * x) + self.b)


class Spring:
    rest = 1.0

    def __init__(self, k, x):
        self.k = k
        self.x = x

    @property
    def stretch(self):
        return self.x - self.rest

    def energy(self):
        """Half of
        k times the square.
        """
        return 0.5 * self.k * self.stretch**2


class BadStepError(ValueError):
    pass


def zeros(x):
    return x * x * 0.5


def like(x, n=2):
    "Single quotes, an f-string and a long line: what printers make of them."
    label = f"{n!r}: {'x'}"
    total = x
    for _ in range(n):
        total = total * 1.5 + len(label) * 0.01 + (0.25 if n > 1 and len(label) > 2 else 0.125) * x
    return total
