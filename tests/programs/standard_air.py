"""Classes of another module, whose methods read what that module holds."""

from __future__ import annotations

from contextlib import contextmanager
from math import exp, sqrt
from typing import Any

HEIGHTS = [0.0, 11.0, 20.0]
WARMTH = [288.15, 216.65, 216.65]
SLOPES = [-6.5, 0.0, 1.0]
RADIUS = 6356.766
WEIGHTS = {"ground": 2.0, "above": 3.0}
SEEN: list[Any] = []


class Air:
    def __init__(self, height: float, warmer: float = 0.0) -> None:
        self.height = RADIUS * height / (RADIUS + height)
        i = self._layer(self.height)
        self.slope = SLOPES[i]
        self.warmth = WARMTH[i] + self.slope * (self.height - HEIGHTS[i])
        if self.slope == 0.0:
            self.pressure = exp(-self.height / WARMTH[i])
        else:
            self.pressure = (WARMTH[i] / self.warmth) ** (1.0 / self.slope)
        self.warmth += warmer
        self.sound = self._speed(self.warmth)

    @staticmethod
    def _layer(height: float) -> int:
        for k, bottom in enumerate(HEIGHTS):
            if bottom >= height:
                return k - 1
        return 2

    @staticmethod
    def _speed(warmth: float) -> float:
        return sqrt(RADIUS * warmth)


class Based:
    def __init__(self, z: Any) -> None:
        self.z = z * WEIGHTS["ground"]


class Balloon(Based):
    def __init__(self, z: Any) -> None:
        super().__init__(z)
        self.table = {"first": RADIUS, "second": self.z}
        self.steps = [h * self.z for h in WARMTH[:2]]

    def rise(self, by: Any) -> Any:
        self.z *= by * WEIGHTS["above"]
        return self

    @property
    def lift(self) -> Any:
        return RADIUS * self.z

    def total(self) -> Any:
        return sum(h * s for h, s in zip(HEIGHTS, self.steps)) + self.table["second"]


class Falling:
    def __init__(self, z: Any) -> None:
        self.z, self.at = z * RADIUS, 0

    def __iter__(self) -> Any:
        return self

    def __next__(self) -> Any:
        if self.at >= len(WARMTH):
            raise StopIteration
        self.at += 1
        return self.z * WARMTH[self.at - 1]


class Rising:
    def __init__(self, z: Any) -> None:
        self.z = z

    def __iter__(self) -> Any:
        for h in HEIGHTS:
            yield self.z * h * WEIGHTS["ground"]


def warmer(z: Any) -> Any:
    for t in WARMTH:
        z = z * WEIGHTS["above"] + t
        yield z


@contextmanager
def scaled(z: Any) -> Any:
    yield z * RADIUS


class Heated:
    def __init__(self, z: Any) -> None:
        self.z = z

    def __enter__(self) -> Any:
        self.z *= RADIUS
        return self

    def __exit__(self, *reason: Any) -> None:
        self.z += WARMTH[0]


class Noted:
    def __init__(self, z: Any) -> None:
        self.z = z
        SEEN.append(z)
