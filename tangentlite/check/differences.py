"""Derivatives by differences, each with an estimate of its error.

In: a function of one number, whose values are vectors.
Out: ``Estimate``: the derivative at zero for each entry, how far it may be off, and where it has a kink.
Next: judging.

Central differences for steps that shrink are extrapolated to step zero (Richardson's table, as Ridders uses it): the
entry of the table whose neighbors agree best is the answer, and how well they agree is its error. If they do not agree,
a kink or a large scale is near, and the steps start smaller. The same values give the derivatives to the right and to
the left.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from tangentlite.check.nests import Vector
from tangentlite.values import immutable, replace

RANGES = ((-4, 8), (-13, 5), (-20, 5), (-27, 4))  # the exponent of the first step, how many
WIDER = (
    (2, 6),
    (12, 6),
    (22, 6),
    (32, 6),
)  # may confirm what is found for numbers that are nearly zero
RATIO = 1.9  # of one step to the next; what is rounded should not meet the same number twice
CLOSE = 1e-10
Ranges = tuple[tuple[int, int], ...]
NEAR, FARTHER = 2.0**-38, 2.0**-25  # steps that tell rounding in double and in single precision
ROUNDING, SAFETY = 8.0, 10.0
KINK = 1e-5


@immutable(eq=False)
class Estimate:
    """A derivative: ``value`` and ``error`` for each entry; at a ``kink`` it is between ``low`` and ``high``.

    ``noise``: how far values of the function are off by rounding. ``others``: what longer steps give, with errors,
    where that contradicts: a function may be a staircase, by rounding inside it or on purpose, and nobody knows which.
    """

    value: Vector
    error: Vector
    low: Vector
    high: Vector
    kink: Any
    noise: Vector
    others: tuple[tuple[Vector, Vector], ...] = ()

    def part(self, where: slice) -> Estimate:
        """The estimate of some entries."""
        names = [name for name in self.__match_args__ if name != "others"]
        own = {name: getattr(self, name)[where] for name in names}
        others = tuple((value[where], error[where]) for value, error in self.others)
        return replace(self, **own, others=others)

    @property
    def decided(self) -> Any:
        """Where the differences say what the derivative is."""
        return (self.error <= 1e-3 * np.abs(self.value)) | (self.error <= 1e-12)


class _Table:
    """The extrapolations of one kind of difference: ``found`` has the best of each range of steps, long steps first."""

    def __init__(self, size: int, order: int) -> None:
        self.size, self.order = size, order
        self.found: list[tuple[Vector, Vector]] = []

    def restart(self) -> None:
        """Begin another range of steps."""
        self.rows: list[Vector] = []
        self.found.append((np.full(self.size, np.nan), np.full(self.size, np.inf)))

    def add(self, difference: Vector, floor: Vector) -> None:
        """Add the difference for the next shorter step."""
        row = [difference]
        for k, above in enumerate(self.rows):
            factor = RATIO ** (self.order * (k + 1))
            row.append(row[k] + (row[k] - above) / (factor - 1.0))
            others = [row[k], above, *self.rows[k + 1 : k + 2]]
            apart = np.max([np.abs(row[-1] - other) for other in others], axis=0)
            self.found[-1] = _better((row[-1], apart + floor), self.found[-1])
        self.rows = row

    def best(self) -> tuple[Vector, Vector]:
        """The shortest steps are believed; longer ones make them more exact where they agree."""
        value, error = self.found[-1]
        for long, rough in self.found[-2::-1]:
            agrees = np.isnan(value) | (np.abs(long - value) <= SAFETY * (error + rough))
            value, error = _better((long, np.where(agrees, rough, np.inf)), (value, error))
        return value, error

    def contradictions(self) -> tuple[tuple[Vector, Vector], ...]:
        """What longer steps give where it cannot be what is believed."""
        value, error = self.best()
        return tuple(
            (long, np.where(np.abs(long - value) > SAFETY * (error + rough), rough, np.inf))
            for long, rough in self.found[:-1]
        )


def _better(one: tuple[Vector, Vector], other: tuple[Vector, Vector]) -> tuple[Vector, Vector]:
    better = one[1] < other[1]  # false where it is not a number
    return np.where(better, one[0], other[0]), np.where(better, one[1], other[1])


def derivative(
    function: Callable[[float], Vector], eps: float, ranges: Ranges = RANGES
) -> Estimate:
    """The derivative of ``function`` at zero, whose values are exact up to ``eps``.

    >>> found = derivative(lambda t: np.array([np.sin(t), abs(t), 1e8 * np.exp(3.0 * t)]), 2.0**-52)
    >>> found.value.round(3), found.kink
    (array([1.e+00, 0.e+00, 3.e+08]), array([False,  True, False]))
    """
    with np.errstate(all="ignore"):
        return _estimate(function, function(0.0), eps, ranges)


def _estimate(
    function: Callable[[float], Vector], center: Vector, eps: float, ranges: Ranges
) -> Estimate:
    middle, right, left = (_Table(center.size, order) for order in (2, 1, 1))
    noise = _noise(function, center)
    for first, count in ranges:
        for table in (middle, right, left):
            table.restart()
        for step in 0.93 * 2.0**first / RATIO ** np.arange(count):
            up, down = function(step), function(-step)
            difference = (up - down) / (2.0 * step)
            size = np.fmax(np.abs(center), np.fmax(np.abs(up), np.abs(down)))
            floor = ROUNDING * np.fmax(eps * (size + np.abs(difference)), noise) / step
            middle.add(difference, floor)
            right.add((up - center) / step, 2.0 * floor)
            left.add((center - down) / step, 2.0 * floor)
            if _settled(middle, floor):
                return _joined(middle, right, left, noise)
    return _joined(middle, right, left, noise)


def _noise(function: Callable[[float], Vector], center: Vector) -> Vector:
    """How far values are off by rounding inside the function: what third differences of near points leave.

    Those of single precision show at longer steps only, where curvature shows, too: that shrinks with the step.
    """
    near = _third([function(k * NEAR) if k else center for k in (-2, -1, 0, 1, 2)])
    values = [function(k * FARTHER) if k else center for k in (-4, -2, -1, 0, 1, 2, 4)]
    whole, half = _third([*values[:2], values[3], *values[5:]]), _third(values[1:6])
    noise = np.where(
        (whole < 6.0 * half) | (half == 0.0), np.max([whole, half, near], axis=0), near
    )
    return np.where(np.isfinite(noise), 0.5 * noise, 0.0)


def _third(values: list[Vector]) -> Vector:
    found: Vector = np.abs(np.diff(values, 3, axis=0)).max(axis=0)
    return found


def _settled(table: _Table, floor: Vector) -> bool:
    value, error = table.found[-1]
    return bool(np.all(error <= np.maximum(CLOSE * np.abs(value), 4.0 * floor)))


def _joined(middle: _Table, right: _Table, left: _Table, noise: Vector) -> Estimate:
    """What the three tables say together."""
    value, error = middle.best()
    (up, up_error), (down, down_error) = right.best(), left.best()
    for side, rough in ((up, up_error), (down, down_error)):  # a function on one side only
        alone = np.isnan(value) & ~np.isnan(side)
        value, error = np.where(alone, side, value), np.where(alone, rough, error)
    both = up_error + down_error
    kink = np.abs(up - down) > 100.0 * both + KINK * np.maximum(np.abs(up), np.abs(down))
    low = np.where(kink, np.minimum(up, down), value)
    high = np.where(kink, np.maximum(up, down), value)
    error = np.where(kink, both, error)
    return Estimate(value, error, low, high, kink, noise, middle.contradictions())
