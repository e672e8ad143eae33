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


@stands_for("scipy.stats.norm.isf")
def norm_isf(q, loc=0.0, scale=1.0):
    """Above which point a part of a normal distribution is."""
    from scipy import special

    return loc - scale * special.ndtri(q)


@stands_for("scipy.stats.laplace.pdf")
def laplace_pdf(x, loc=0.0, scale=1.0):
    """The two-sided exponential distribution itself."""
    return np.exp(laplace_logpdf(x, loc, scale))


@stands_for("scipy.stats.laplace.cdf")
def laplace_cdf(x, loc=0.0, scale=1.0):
    """How much of it is below."""
    z = (x - loc) / scale
    tail = 0.5 * np.exp(-np.abs(z))
    return np.where(z > 0.0, 1.0 - tail, tail)


@stands_for("scipy.stats.logistic.pdf")
def logistic_pdf(x, loc=0.0, scale=1.0):
    """The slope itself."""
    return np.exp(logistic_logpdf(x, loc, scale))


@stands_for("scipy.stats.logistic.cdf")
def logistic_cdf(x, loc=0.0, scale=1.0):
    """The logistic function."""
    from scipy import special

    return special.expit((x - loc) / scale)


@stands_for("scipy.stats.expon.pdf")
def expon_pdf(x, loc=0.0, scale=1.0):
    """Nothing below ``loc``."""
    return np.exp(expon_logpdf(x, loc, scale))


@stands_for("scipy.stats.cauchy.pdf")
def cauchy_pdf(x, loc=0.0, scale=1.0):
    """The density itself."""
    return np.exp(cauchy_logpdf(x, loc, scale))


@stands_for("scipy.stats.cauchy.cdf")
def cauchy_cdf(x, loc=0.0, scale=1.0):
    """How much of it is below."""
    return 0.5 + np.arctan((x - loc) / scale) / math.pi
