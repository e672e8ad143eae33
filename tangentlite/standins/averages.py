"""Averages and spreads: `statistics` in plain Python.

In: numbers, as a list, a tuple or an array.
Out: stand-ins.
Next: histograms.
"""

from __future__ import annotations

import math
import statistics

import numpy as np

from tangentlite.standins.table import stands_for


def _some(data, least):
    """The data as a list of at least so many."""
    values = list(data)
    if len(values) < least:
        raise statistics.StatisticsError("not enough data points")
    return values


@stands_for(statistics.mean)
def mean(data):
    """`statistics.mean`.

    >>> mean([1.0, 2.0, 6.0])
    3.0
    """
    values = _some(data, 1)
    return sum(values) / len(values)


@stands_for(statistics.fmean)
def fmean(data, weights=None):
    """`statistics.fmean`.

    >>> fmean([1, 2, 6]), fmean([1.0, 4.0], [1.0, 3.0])
    (3.0, 3.25)
    """
    values = _some(data, 1)
    if weights is None:
        return sum(values) / len(values)
    shares = list(weights)
    if len(shares) != len(values):
        raise statistics.StatisticsError("data and weights must be the same length")
    return sum([w * v for w, v in zip(shares, values)]) / sum(shares)


@stands_for(statistics.geometric_mean)
def geometric_mean(data):
    """`statistics.geometric_mean`.

    >>> round(geometric_mean([1.0, 4.0]), 12)
    2.0
    """
    values = _some(data, 1)
    return math.exp(sum([math.log(v) for v in values]) / len(values))


@stands_for(statistics.harmonic_mean)
def harmonic_mean(data, weights=None):
    """`statistics.harmonic_mean`.

    >>> round(harmonic_mean([40.0, 60.0]), 12)
    48.0
    """
    values = _some(data, 1)
    shares = [1.0] * len(values) if weights is None else list(weights)
    return sum(shares) / sum([w / v for w, v in zip(shares, values)])


def _squares(values, center):
    """The sum of the squared distances from a center, the mean if None is given."""
    middle = sum(values) / len(values) if center is None else center
    return sum([(v - middle) ** 2 for v in values])


@stands_for(statistics.pvariance)
def pvariance(data, mu=None):
    """`statistics.pvariance`.

    >>> pvariance([1.0, 3.0])
    1.0
    """
    values = _some(data, 1)
    return _squares(values, mu) / len(values)


@stands_for(statistics.variance)
def variance(data, xbar=None):
    """`statistics.variance`.

    >>> variance([1.0, 3.0])
    2.0
    """
    values = _some(data, 2)
    return _squares(values, xbar) / (len(values) - 1)


@stands_for(statistics.pstdev)
def pstdev(data, mu=None):
    """`statistics.pstdev`.

    >>> pstdev([1.0, 3.0])
    1.0
    """
    values = _some(data, 1)
    if mu is None:
        return float(np.std(values))
    return float(np.linalg.norm(np.asarray(values) - mu)) / math.sqrt(len(values))


@stands_for(statistics.stdev)
def stdev(data, xbar=None):
    """`statistics.stdev`.

    >>> stdev([1.0, 3.0, 5.0])
    2.0
    """
    values = _some(data, 2)
    if xbar is None:
        return float(np.std(values, ddof=1))
    return float(np.linalg.norm(np.asarray(values) - xbar)) / math.sqrt(len(values) - 1)


@stands_for(statistics.median)
def median(data):
    """`statistics.median`.

    >>> median([3.0, 1.0, 2.0]), median([4.0, 1.0, 2.0, 3.0])
    (2.0, 2.5)
    """
    values = sorted(_some(data, 1))
    half = len(values) // 2
    if len(values) % 2 == 1:
        return values[half]
    return (values[half - 1] + values[half]) / 2


@stands_for(statistics.median_low)
def median_low(data):
    """`statistics.median_low`.

    >>> median_low([4.0, 1.0, 2.0, 3.0])
    2.0
    """
    values = sorted(_some(data, 1))
    return values[(len(values) - 1) // 2]


@stands_for(statistics.median_high)
def median_high(data):
    """`statistics.median_high`.

    >>> median_high([4.0, 1.0, 2.0, 3.0])
    3.0
    """
    values = sorted(_some(data, 1))
    return values[len(values) // 2]


@stands_for(statistics.covariance)
def covariance(x, y):
    """`statistics.covariance`.

    >>> covariance([1.0, 2.0, 3.0], [1.0, 2.0, 6.0])
    2.5
    """
    a, b = list(x), list(y)
    n = len(a)
    if len(b) != n:
        raise statistics.StatisticsError(
            "covariance requires that both inputs have same number of data points"
        )
    if n < 2:
        raise statistics.StatisticsError("covariance requires at least two data points")
    first, second = float(sum(a)) / n, float(sum(b)) / n
    return float(sum([(a[k] - first) * (b[k] - second) for k in range(n)])) / (n - 1)


@stands_for(statistics.correlation)
def correlation(x, y):
    """`statistics.correlation`.

    >>> correlation([1.0, 2.0, 3.0], [2.0, 4.0, 6.0])
    1.0
    """
    a, b = list(x), list(y)
    return covariance(a, b) / (covariance(a, a) * covariance(b, b)) ** 0.5


@stands_for(statistics.linear_regression)
def linear_regression(x, y, *, proportional=False):
    """`statistics.linear_regression`.

    >>> linear_regression([1.0, 2.0, 3.0], [3.0, 5.0, 7.0])
    LinearRegression(slope=2.0, intercept=1.0)
    """
    a, b = list(x), list(y)
    if proportional:
        slope = float(sum([a[k] * b[k] for k in range(len(a))]) / sum([v * v for v in a]))
        return statistics.LinearRegression(slope, 0.0)
    slope = covariance(a, b) / covariance(a, a)
    return statistics.LinearRegression(
        slope, float(sum(b) / len(b)) - slope * float(sum(a) / len(a))
    )
