"""Integrals as SciPy finds them, and where to look at a function so that a sum is its integral.

In: a function and limits.
Out: integrals; places, and weights of what is there.
Next: library.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from tangentlite.errors import DerivativeError

GOLDEN = 0.3819660112501051
NARROW = 2e-4
BENT = (
    "what is integrated jumps, bends or has no bound inside: where it does may depend on the input"
)
SPLIT = "Say where, in order: `quad(f, a, b, points=(p, …))`; or integrate in another variable."
PLACES, WEIGHTS = (x.tolist() for x in np.polynomial.legendre.leggauss(16))


def area(f: Any, low: Any, high: Any, args: Any, points: Any, **options: Any) -> tuple[Any, Any]:
    """What ``scipy.integrate.quad`` gives: the integral and how far it may be off."""
    from scipy.integrate import quad

    found = quad(f, low, high, args=args, points=points, **options)
    return found[0], found[1]


def settled(whole: Any, rest: Any, value: Any, error: Any) -> Any:
    """The value of an integral, as it moves with the sum ``whole``, which is ``rest`` now and should be near to it.

    >>> settled(2.0, 2.0, 2.0000001, 1e-6)
    2.0000001
    """
    if not abs(whole - value) <= 10.0 * error + 1e-6 * abs(value):
        raise DerivativeError(BENT, None, SPLIT)
    return value + (whole - rest)


def between(f: Any, low: Any, high: Any, args: Any) -> tuple[list[float], list[float]]:
    """Places between 0 and 1, and weights."""
    width = high - low
    return _summed(lambda u: f(low + width * u, *args), 0.0)


def beyond(f: Any, start: Any, sign: float, args: Any) -> tuple[list[float], list[float]]:
    """Distances from ``start``, upwards or downwards without end, and weights."""
    places, weights = _summed(
        lambda u: f(start + sign * u / (1.0 - u), *args) / (1.0 - u) ** 2, 0.0
    )
    shares = [w / (1.0 - u) ** 2 for u, w in zip(places, weights)]
    return [sign * u / (1.0 - u) for u in places], shares


def everywhere(f: Any, args: Any) -> tuple[list[float], list[float]]:
    """Places on the whole line, and weights."""

    def rise(u: float) -> float:
        return (1.0 + u * u) / (1.0 - u * u) ** 2

    places, weights = _summed(lambda u: f(u / (1.0 - u * u), *args) * rise(u), -1.0)
    return [u / (1.0 - u * u) for u in places], [w * rise(u) for u, w in zip(places, weights)]


def _summed(g: Callable[[float], Any], first: float) -> tuple[list[float], list[float]]:
    """Places and weights for a function between ``first`` and 1, in parts in which it is smooth.

    They do not begin at halves: a jump there would not be seen.
    """
    middle = first + GOLDEN * (1.0 - first)
    places: list[float] = []
    weights: list[float] = []
    for low, high in ((first, middle), (middle, 1.0)):
        for start, end in _parts(g, low, high):
            half = 0.5 * (end - start)
            places += [start + half * (1.0 + p) for p in PLACES]
            weights += [half * w for w in WEIGHTS]
    return places, weights


def _parts(g: Callable[[float], Any], low: float, high: float) -> list[tuple[float, float]]:
    """Between which limits a function is as smooth as a polynomial; it is refused if these come too near."""
    from scipy.integrate import quad

    half = 0.5 * (high - low)
    scale = sum(half * w * abs(g(low + half * (1.0 + p))) for p, w in zip(PLACES, WEIGHTS))
    close = {"epsabs": max(1e-12 * scale, 1e-300), "epsrel": 1e-12}
    told = quad(g, low, high, limit=200, full_output=1, **close)
    count = told[2]["last"]
    parts = list(zip(told[2]["alist"][:count].tolist(), told[2]["blist"][:count].tolist()))
    if count >= 200 or min(end - start for start, end in parts) < NARROW:
        raise DerivativeError(BENT, None, SPLIT)
    return parts
