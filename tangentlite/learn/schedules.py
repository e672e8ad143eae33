"""Learning-rate schedules: functions of the number of steps that were made.

In: a rate to begin with.
Out: what an optimizer takes for its rate.
Next: searches.

>>> halved = steps(0.8, every=10, factor=0.5)
>>> halved(0), halved(9), halved(10), halved(25)
(0.8, 0.8, 0.4, 0.2)
>>> [round(cosine(1.0, 4)(k), 3) for k in range(6)]
[1.0, 0.854, 0.5, 0.146, 0.0, 0.0]
>>> [round(warmup(0.4, 4)(k), 3) for k in range(5)]
[0.1, 0.2, 0.3, 0.4, 0.4]
"""

from __future__ import annotations

import math
from collections.abc import Callable

Schedule = Callable[[int], float]


def steps(rate: float, every: int, factor: float = 0.1) -> Schedule:
    """The rate times ``factor``, again after each ``every`` steps."""
    return lambda count: rate * factor ** (count // every)


def exponential(rate: float, factor: float) -> Schedule:
    """The rate times ``factor`` after each step."""
    return lambda count: rate * factor**count


def inverse(rate: float, slower: float) -> Schedule:
    """``rate / (1 + slower * count)``."""
    return lambda count: rate / (1.0 + slower * count)


def cosine(rate: float, length: int, last: float = 0.0) -> Schedule:
    """From the rate down to ``last`` within ``length`` steps, along half a cosine."""

    def schedule(count: int) -> float:
        part = min(count / length, 1.0)
        return last + (rate - last) * 0.5 * (1.0 + math.cos(math.pi * part))

    return schedule


def warmup(rate: float | Schedule, length: int) -> Schedule:
    """From nearly nothing up to a rate, or a schedule, within ``length`` steps."""

    def schedule(count: int) -> float:
        full = rate(count) if callable(rate) else rate
        return full * min((count + 1) / length, 1.0)

    return schedule
