"""More distributions of ``scipy.stats``: logarithms of densities and of probabilities.

In: points, and the parameters of a distribution.
Out: stand-ins.
Next: special.
"""

from __future__ import annotations

import math

import numpy as np

from tangentlite.standins.densities import HALF_LOG
from tangentlite.standins.table import stands_for


def _log(z):
    """The logarithm, of what is positive."""
    return np.log(np.where(z > 0.0, z, 1.0))


@stands_for("scipy.stats.rayleigh.logpdf")
def rayleigh_logpdf(x, loc=0.0, scale=1.0):
    """The length of a normal vector in the plane."""
    z = (x - loc) / scale
    return np.where(z > 0.0, _log(z) - 0.5 * z * z - np.log(scale), -np.inf)


@stands_for("scipy.stats.maxwell.logpdf")
def maxwell_logpdf(x, loc=0.0, scale=1.0):
    """The length of a normal vector in space."""
    z = (x - loc) / scale
    inside = 0.5 * math.log(2.0 / math.pi) + 2.0 * _log(z) - 0.5 * z * z - np.log(scale)
    return np.where(z > 0.0, inside, -np.inf)


@stands_for("scipy.stats.gumbel_l.logpdf")
def gumbel_l_logpdf(x, loc=0.0, scale=1.0):
    """Of the smallest of many."""
    z = (x - loc) / scale
    return z - np.exp(z) - np.log(scale)


@stands_for("scipy.stats.halfcauchy.logpdf")
def halfcauchy_logpdf(x, loc=0.0, scale=1.0):
    """The upper half of a Cauchy distribution."""
    z = (x - loc) / scale
    return np.where(z >= 0.0, math.log(2.0 / math.pi) - np.log1p(z * z) - np.log(scale), -np.inf)


@stands_for("scipy.stats.truncnorm.logpdf")
def truncnorm_logpdf(x, a, b, loc=0.0, scale=1.0):
    """A normal distribution between two points."""
    from scipy import special

    z = (x - loc) / scale
    whole = np.log(special.ndtr(b) - special.ndtr(a))
    inside = -0.5 * z * z - HALF_LOG - np.log(scale) - whole
    return np.where(np.logical_and(z >= a, z <= b), inside, -np.inf)


@stands_for("scipy.stats.vonmises.logpdf")
def vonmises_logpdf(x, kappa, loc=0.0, scale=1.0):
    """On a circle."""
    from scipy import special

    z = (x - loc) / scale
    return kappa * special.cosm1(z) - np.log(2.0 * math.pi * special.i0e(kappa)) - np.log(scale)


@stands_for("scipy.stats.gennorm.logpdf")
def gennorm_logpdf(x, beta, loc=0.0, scale=1.0):
    """Tails between those of Laplace and those of a box."""
    from scipy import special

    z = np.abs((x - loc) / scale)
    return np.log(0.5 * beta) - special.gammaln(1.0 / beta) - z**beta - np.log(scale)


@stands_for("scipy.stats.f.logpdf")
def f_logpdf(x, dfn, dfd, loc=0.0, scale=1.0):
    """The ratio of two sums of squares."""
    from scipy import special

    z = (x - loc) / scale
    m, n = 0.5 * dfn, 0.5 * dfd
    head = m * np.log(1.0 * dfn) + n * np.log(1.0 * dfd) - special.betaln(m, n) - np.log(scale)
    inside = head + (m - 1.0) * _log(z) - (m + n) * np.log(dfd + dfn * np.where(z > 0.0, z, 1.0))
    return np.where(z > 0.0, inside, -np.inf)


@stands_for("scipy.stats.invgauss.logpdf")
def invgauss_logpdf(x, mu, loc=0.0, scale=1.0):
    """When a path first reaches a level."""
    z = (x - loc) / scale
    there = np.where(z > 0.0, z, 1.0)
    away = (there / mu - 1.0) ** 2 / (2.0 * there)
    inside = -HALF_LOG - 1.5 * np.log(there) - away - np.log(scale)
    return np.where(z > 0.0, inside, -np.inf)


@stands_for("scipy.stats.loguniform.logpdf", "scipy.stats.reciprocal.logpdf")
def loguniform_logpdf(x, a, b, loc=0.0, scale=1.0):
    """Even in the logarithm."""
    z = (x - loc) / scale
    inside = -_log(z) - np.log(np.log(b / a)) - np.log(scale)
    return np.where(np.logical_and(z >= a, z <= b), inside, -np.inf)


@stands_for("scipy.stats.skewnorm.logpdf")
def skewnorm_logpdf(x, a, loc=0.0, scale=1.0):
    """A normal distribution that leans to one side."""
    from scipy import special

    z = (x - loc) / scale
    return math.log(2.0) - HALF_LOG - 0.5 * z * z + special.log_ndtr(a * z) - np.log(scale)


@stands_for("scipy.stats.expon.cdf")
def expon_cdf(x, loc=0.0, scale=1.0):
    """How much is below."""
    z = (x - loc) / scale
    return np.where(z > 0.0, -np.expm1(-z), 0.0)


@stands_for("scipy.stats.expon.sf")
def expon_sf(x, loc=0.0, scale=1.0):
    """How much is above."""
    z = (x - loc) / scale
    return np.where(z > 0.0, np.exp(-z), 1.0)


@stands_for("scipy.stats.expon.logsf")
def expon_logsf(x, loc=0.0, scale=1.0):
    """The logarithm of that."""
    z = (x - loc) / scale
    return np.where(z > 0.0, -z, 0.0)


@stands_for("scipy.stats.gamma.sf")
def gamma_sf(x, a, loc=0.0, scale=1.0):
    """How much is above."""
    from scipy import special

    return special.gammaincc(a, (x - loc) / scale)


@stands_for("scipy.stats.gamma.logcdf")
def gamma_logcdf(x, a, loc=0.0, scale=1.0):
    """The logarithm of what is below."""
    from scipy import special

    return np.log(special.gammainc(a, (x - loc) / scale))


@stands_for("scipy.stats.geom.logpmf")
def geom_logpmf(k, p, loc=0):
    """How many trials a success takes."""
    from scipy import special

    z = k - loc
    return np.where(z >= 1, special.xlog1py(z - 1.0, -p) + np.log(p), -np.inf)


@stands_for("scipy.stats.nbinom.logpmf")
def nbinom_logpmf(k, n, p, loc=0):
    """How many failures several successes take."""
    from scipy import special

    z = k - loc
    ways = special.gammaln(z + n) - special.gammaln(z + 1.0) - special.gammaln(1.0 * n)
    return np.where(z >= 0, ways + n * np.log(p) + special.xlog1py(z, -p), -np.inf)


@stands_for("scipy.stats.betabinom.logpmf")
def betabinom_logpmf(k, n, a, b, loc=0):
    """How many of several trials succeed, with a chance that is drawn."""
    from scipy import special

    z = k - loc
    ways = -np.log(n + 1.0) - special.betaln(n - z + 1.0, z + 1.0)
    return ways + special.betaln(z + a, n - z + b) - special.betaln(a, b)


@stands_for("scipy.stats.multinomial.logpmf")
def multinomial_logpmf(x, n, p):
    """How often each of several things happens."""
    from scipy import special

    counts = special.xlogy(x, p) - special.gammaln(np.asarray(x) + 1.0)
    return special.gammaln(n + 1.0) + np.sum(counts, -1)


def _read(matrix):
    """The symmetric matrix of which the lower triangle is read."""
    return np.tril(matrix) + np.transpose(np.tril(matrix, -1))


@stands_for("scipy.stats.wishart.logpdf")
def wishart_logpdf(x, df, scale):
    """The sum of squares of normal vectors."""
    from scipy import special

    count = np.shape(scale)[-1]
    half = 0.5 * df
    scale = _read(scale)
    size = half * count * math.log(2.0) + half * np.linalg.slogdet(scale)[1]
    inside = (half - 0.5 * (count + 1)) * np.linalg.slogdet(_read(x))[1]
    return (
        inside
        - 0.5 * np.trace(np.linalg.solve(scale, x))
        - size
        - special.multigammaln(half, count)
    )


@stands_for("scipy.stats.multivariate_t.logpdf")
def multivariate_t_logpdf(x, loc=None, shape=1, df=1):
    """With heavy tails, in several dimensions."""
    from scipy import special

    away = np.asarray(x) if loc is None else np.asarray(x) - loc
    count = np.shape(away)[-1]
    matrix = shape * np.eye(count) if np.ndim(shape) < 2 else _read(shape)
    solved = np.swapaxes(np.linalg.solve(matrix, np.swapaxes(np.atleast_2d(away), 0, 1)), 0, 1)
    square = np.sum(np.atleast_2d(away) * solved, -1)
    half = 0.5 * (df + count)
    size = special.gammaln(half) - special.gammaln(0.5 * df) - 0.5 * count * np.log(df * math.pi)
    value = size - 0.5 * np.linalg.slogdet(matrix)[1] - half * np.log1p(square / df)
    return value[0] if np.ndim(away) == 1 else value
