"""Integrals over a half-line and over all numbers, to full precision, for every element of an array.

In: an integrand that takes arrays with one axis more, its scale, how far it reaches.
Out: arrays.
Next: incomplete.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from tangentlite.runtime.singular import QUIET

STEP = 1.0 / 24.0
AT_ONCE = 2_000_000


def half_line(integrand: Callable[[Any], Any], scale: Any, reach: Any) -> Any:
    """The integral from 0 to infinity of what varies over ``scale`` and is nothing beyond ``reach``.

    >>> round(float(half_line(lambda w: np.exp(-w), 1.0, 50.0)), 14)
    1.0
    """
    scale = np.asarray(scale, float)
    v = np.arange(-3.7, _logarithm(reach, scale) + 0.5, STEP)
    far = np.exp(v - np.exp(-v))
    return _summed(lambda at, weight: integrand(scale[..., None] * at) * weight, far, v) * scale


def _logarithm(reach: Any, scale: Any) -> float:
    with np.errstate(**QUIET):
        ratio = np.asarray(np.divide(reach, scale))
    ratio = ratio[np.isfinite(ratio) & (ratio > 0)]
    return float(np.log(np.max(ratio, initial=1.0)))


def _summed(term: Callable[[Any, Any], Any], far: Any, v: Any) -> Any:
    weight = STEP * far * (1.0 + np.exp(-v))
    return in_parts(lambda k: term(far[k], weight[k]), np.arange(len(v)))


def in_parts(term: Callable[[Any], Any], nodes: Any) -> Any:
    """The sum of ``term`` over nodes, a last axis, so many at once as memory takes; nothing counts as zero.

    >>> float(in_parts(lambda k: 2.0 * k, np.arange(4.0)))
    12.0
    """
    total: Any = 0.0
    with np.errstate(**QUIET):
        count = max(1, AT_ONCE // max(1, np.size(term(nodes[:1]))))
        for k in range(0, len(nodes), count):
            values = term(nodes[k : k + count])
            total = total + np.sum(np.where(np.isnan(values), 0.0, values), -1)
    return total


def whole_line(integrand: Callable[[Any], Any], center: Any, scale: Any, reach: float) -> Any:
    """The integral over all numbers of what is gathered about ``center``.

    >>> round(float(whole_line(lambda v: np.exp(-v * v), 1.0, 1.0, 40.0)) ** 2, 12)
    3.14159265359
    """
    center, scale = np.asarray(center, float)[..., None], np.asarray(scale, float)[..., None]
    end = float(np.arcsinh(reach / max(float(np.min(scale, initial=1.0)), 1e-12)))
    found = in_parts(
        lambda w: integrand(center + scale * np.sinh(w)) * np.cosh(w),
        np.arange(-end, end + STEP, STEP),
    )
    return found * STEP * scale[..., 0]
