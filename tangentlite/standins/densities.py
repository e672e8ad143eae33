"""Logarithms of the densities of common distributions, as ``scipy.stats`` has them.

In: points, and the parameters of a distribution.
Out: stand-ins.
Next: special.
"""

from __future__ import annotations

import math

import numpy as np

from tangentlite.standins.table import stands_for

HALF_LOG = 0.5 * math.log(2.0 * math.pi)


@stands_for("scipy.stats.norm.logpdf")
def norm_logpdf(x, loc=0.0, scale=1.0):
    """The normal distribution."""
    z = (x - loc) / scale
    return -0.5 * z * z - np.log(scale) - HALF_LOG


@stands_for("scipy.stats.norm.pdf")
def norm_pdf(x, loc=0.0, scale=1.0):
    """The normal distribution itself."""
    return np.exp(norm_logpdf(x, loc, scale))


@stands_for("scipy.stats.expon.logpdf")
def expon_logpdf(x, loc=0.0, scale=1.0):
    """Nothing below ``loc``."""
    z = (x - loc) / scale
    return np.where(z >= 0.0, -z - np.log(scale), -np.inf)


@stands_for("scipy.stats.laplace.logpdf")
def laplace_logpdf(x, loc=0.0, scale=1.0):
    """The two-sided exponential distribution."""
    return -np.abs((x - loc) / scale) - np.log(2.0 * scale)


@stands_for("scipy.stats.logistic.logpdf")
def logistic_logpdf(x, loc=0.0, scale=1.0):
    """The slope of the logistic function."""
    z = np.abs((x - loc) / scale)
    return -z - 2.0 * np.log1p(np.exp(-z)) - np.log(scale)


@stands_for("scipy.stats.cauchy.logpdf")
def cauchy_logpdf(x, loc=0.0, scale=1.0):
    """Without a mean."""
    z = (x - loc) / scale
    return -np.log(math.pi * (1.0 + z * z)) - np.log(scale)


@stands_for("scipy.stats.uniform.logpdf")
def uniform_logpdf(x, loc=0.0, scale=1.0):
    """Between ``loc`` and ``loc + scale``."""
    z = (x - loc) / scale
    return np.where(np.logical_and(z >= 0.0, z <= 1.0), -np.log(scale) + 0.0 * z, -np.inf)
