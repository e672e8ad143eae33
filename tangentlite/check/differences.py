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
from tangentlite.values import immutable

RANGES = ((-4, 8), (-13, 5), (-20, 5), (-27, 4))  # the exponent of the first step, how many
WIDER = ((2, 6), (12, 6), (22, 6), (32, 6))  # for numbers that are nearly zero
CLOSE = 1e-10
ROUNDING = 8.0
KINK = 1e-5


@immutable(eq=False)
class Estimate:
    """A derivative: ``value`` and ``error`` for each entry; at a ``kink`` it is between ``low`` and ``high``."""

    value: Vector
    error: Vector
    low: Vector
    high: Vector
    kink: Any

    @property
    def decided(self) -> Any:
        """Where the differences say what the derivative is."""
        return (self.error <= 1e-3 * np.abs(self.value)) | (self.error <= 1e-12)


class _Table:
    """The best extrapolations so far of one kind of difference."""

    def __init__(self, size: int, order: int) -> None:
        self.order, self.rows = order, list[Vector]()
        self.value, self.error = np.full(size, np.nan), np.full(size, np.inf)

    def restart(self) -> None:
        self.rows = []

    def add(self, difference: Vector, floor: Vector) -> None:
        """Add the difference for a step half as long as the last."""
        row = [difference]
        for k, above in enumerate(self.rows):
            factor = 2.0 ** (self.order * (k + 1))
            row.append(row[k] + (row[k] - above) / (factor - 1.0))
            apart = np.maximum(np.abs(row[-1] - row[k]), np.abs(row[-1] - above))
            self._keep(row[-1], apart + floor)
        self.rows = row

    def _keep(self, value: Vector, error: Vector) -> None:
        better = error < self.error  # false where it is not a number
        self.value = np.where(better, value, self.value)
        self.error = np.where(better, error, self.error)


Ranges = tuple[tuple[int, int], ...]


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
    for first, count in ranges:
        for table in (middle, right, left):
            table.restart()
        for step in 2.0 ** (first - np.arange(count)):
            up, down = function(step), function(-step)
            difference = (up - down) / (2.0 * step)
            size = np.fmax(np.abs(center), np.fmax(np.abs(up), np.abs(down)))
            floor = ROUNDING * eps * (size + np.abs(difference)) / step
            middle.add(difference, floor)
            right.add((up - center) / step, 2.0 * floor)
            left.add((center - down) / step, 2.0 * floor)
            if _settled(middle, floor):
                return _joined(middle, right, left)
    return _joined(middle, right, left)


def _settled(table: _Table, floor: Vector) -> bool:
    enough = np.maximum(CLOSE * np.abs(table.value), 4.0 * floor)
    return bool(np.all(table.error <= enough))


def _joined(middle: _Table, right: _Table, left: _Table) -> Estimate:
    """What the three tables say together."""
    value, error = middle.value, middle.error
    for side in (right, left):  # where the function is defined on one side only
        alone = np.isnan(value) & ~np.isnan(side.value)
        value, error = np.where(alone, side.value, value), np.where(alone, side.error, error)
    apart = np.abs(right.value - left.value)
    largest = np.maximum(np.abs(right.value), np.abs(left.value))
    kink = apart > 100.0 * (right.error + left.error) + KINK * largest
    low = np.where(kink, np.minimum(right.value, left.value), value)
    high = np.where(kink, np.maximum(right.value, left.value), value)
    error = np.where(kink, right.error + left.error, error)
    return Estimate(value, error, low, high, kink)
