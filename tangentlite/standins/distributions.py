"""Distributions with more parameters than place and width, as ``scipy.stats`` has them.

In: points, and the parameters of a distribution.
Out: stand-ins.
Next: special.
"""

from __future__ import annotations

import math

import numpy as np

from tangentlite.standins.densities import HALF_LOG
from tangentlite.standins.table import stands_for


@stands_for("scipy.stats.norm.cdf")
def norm_cdf(x, loc=0.0, scale=1.0):
    """How much of a normal distribution is below."""
    from scipy import special

    return special.ndtr((x - loc) / scale)


@stands_for("scipy.stats.norm.sf")
def norm_sf(x, loc=0.0, scale=1.0):
    """How much of a normal distribution is above."""
    from scipy import special

    return special.ndtr(-(x - loc) / scale)


@stands_for("scipy.stats.norm.logcdf")
def norm_logcdf(x, loc=0.0, scale=1.0):
    """The logarithm of what is below."""
    from scipy import special

    return special.log_ndtr((x - loc) / scale)


@stands_for("scipy.stats.norm.logsf")
def norm_logsf(x, loc=0.0, scale=1.0):
    """The logarithm of what is above."""
    from scipy import special

    return special.log_ndtr(-(x - loc) / scale)


@stands_for("scipy.stats.norm.ppf")
def norm_ppf(q, loc=0.0, scale=1.0):
    """Below which point a part of a normal distribution is."""
    from scipy import special

    return loc + scale * special.ndtri(q)


@stands_for("scipy.stats.gamma.logpdf")
def gamma_logpdf(x, a, loc=0.0, scale=1.0):
    """The sum of waiting times."""
    from scipy import special

    z = (x - loc) / scale
    inside = np.where(z >= 0.0, z, 1.0)
    log = special.xlogy(a - 1.0, inside) - inside - special.gammaln(a) - np.log(scale)
    return np.where(z >= 0.0, log, -np.inf)


@stands_for("scipy.stats.gamma.pdf")
def gamma_pdf(x, a, loc=0.0, scale=1.0):
    """The sum of waiting times itself."""
    return np.exp(gamma_logpdf(x, a, loc, scale))


@stands_for("scipy.stats.gamma.cdf")
def gamma_cdf(x, a, loc=0.0, scale=1.0):
    """How much of it is below."""
    from scipy import special

    return special.gammainc(a, np.maximum((x - loc) / scale, 0.0))


@stands_for("scipy.stats.invgamma.logpdf")
def invgamma_logpdf(x, a, loc=0.0, scale=1.0):
    """The inverse of a sum of waiting times."""
    from scipy import special

    z = (x - loc) / scale
    inside = np.where(z > 0.0, z, 1.0)
    log = -(a + 1.0) * np.log(inside) - 1.0 / inside - special.gammaln(a) - np.log(scale)
    return np.where(z > 0.0, log, -np.inf)


@stands_for("scipy.stats.chi2.logpdf")
def chi2_logpdf(x, df, loc=0.0, scale=1.0):
    """A sum of squares."""
    return gamma_logpdf(x, 0.5 * df, loc, 2.0 * scale)


@stands_for("scipy.stats.chi2.pdf")
def chi2_pdf(x, df, loc=0.0, scale=1.0):
    """A sum of squares itself."""
    return np.exp(gamma_logpdf(x, 0.5 * df, loc, 2.0 * scale))


@stands_for("scipy.stats.chi2.cdf")
def chi2_cdf(x, df, loc=0.0, scale=1.0):
    """How much of it is below."""
    return gamma_cdf(x, 0.5 * df, loc, 2.0 * scale)


@stands_for("scipy.stats.beta.logpdf")
def beta_logpdf(x, a, b, loc=0.0, scale=1.0):
    """A part of a whole."""
    from scipy import special

    z = (x - loc) / scale
    within = np.logical_and(z >= 0.0, z <= 1.0)
    inside = np.where(within, z, 0.5)
    powers = special.xlogy(a - 1.0, inside) + special.xlog1py(b - 1.0, -inside)
    return np.where(within, powers - special.betaln(a, b) - np.log(scale), -np.inf)


@stands_for("scipy.stats.beta.pdf")
def beta_pdf(x, a, b, loc=0.0, scale=1.0):
    """A part of a whole itself."""
    return np.exp(beta_logpdf(x, a, b, loc, scale))


@stands_for("scipy.stats.beta.cdf")
def beta_cdf(x, a, b, loc=0.0, scale=1.0):
    """How much of it is below."""
    from scipy import special

    return special.betainc(a, b, np.clip((x - loc) / scale, 0.0, 1.0))


@stands_for("scipy.stats.t.logpdf")
def t_logpdf(x, df, loc=0.0, scale=1.0):
    """A mean over its deviation."""
    from scipy import special

    z = (x - loc) / scale
    top = special.gammaln(0.5 * (df + 1.0)) - special.gammaln(0.5 * df)
    log = top - 0.5 * np.log(math.pi * df) - np.log(scale)
    return log - 0.5 * (df + 1.0) * np.log1p(z * z / df)


@stands_for("scipy.stats.t.pdf")
def t_pdf(x, df, loc=0.0, scale=1.0):
    """A mean over its deviation itself."""
    return np.exp(t_logpdf(x, df, loc, scale))


@stands_for("scipy.stats.t.cdf")
def t_cdf(x, df, loc=0.0, scale=1.0):
    """How much of it is below."""
    from scipy import special

    return special.stdtr(df, (x - loc) / scale)


@stands_for("scipy.stats.t.logcdf")
def t_logcdf(x, df, loc=0.0, scale=1.0):
    """The logarithm of what is below."""
    return np.log(t_cdf(x, df, loc, scale))


@stands_for("scipy.stats.lognorm.logpdf")
def lognorm_logpdf(x, s, loc=0.0, scale=1.0):
    """A product of many factors."""
    z = (x - loc) / scale
    inside = np.where(z > 0.0, z, 1.0)
    far = np.log(inside) / s
    log = -0.5 * far * far - np.log(s * inside * scale) - HALF_LOG
    return np.where(z > 0.0, log, -np.inf)


@stands_for("scipy.stats.halfnorm.logpdf")
def halfnorm_logpdf(x, loc=0.0, scale=1.0):
    """The size of a normal number."""
    z = (x - loc) / scale
    return np.where(z >= 0.0, 0.5 * math.log(2.0 / math.pi) - np.log(scale) - 0.5 * z * z, -np.inf)


@stands_for("scipy.stats.weibull_min.logpdf")
def weibull_min_logpdf(x, c, loc=0.0, scale=1.0):
    """The first of many failures."""
    from scipy import special

    z = (x - loc) / scale
    inside = np.where(z >= 0.0, z, 1.0)
    log = np.log(c) + special.xlogy(c - 1.0, inside) - inside**c - np.log(scale)
    return np.where(z >= 0.0, log, -np.inf)


@stands_for("scipy.stats.pareto.logpdf")
def pareto_logpdf(x, b, loc=0.0, scale=1.0):
    """A long tail."""
    z = (x - loc) / scale
    inside = np.where(z >= 1.0, z, 1.0)
    return np.where(z >= 1.0, np.log(b) - (b + 1.0) * np.log(inside) - np.log(scale), -np.inf)


@stands_for("scipy.stats.gumbel_r.logpdf")
def gumbel_r_logpdf(x, loc=0.0, scale=1.0):
    """The largest of many."""
    z = (x - loc) / scale
    return -z - np.exp(-z) - np.log(scale)


@stands_for("scipy.stats.poisson.logpmf")
def poisson_logpmf(k, mu, loc=0):
    """Counts of rare events: the derivative is that in ``mu``."""
    from scipy import special

    count = np.floor(k - loc)
    return special.xlogy(count, mu) - special.gammaln(count + 1.0) - mu


@stands_for("scipy.stats.poisson.pmf")
def poisson_pmf(k, mu, loc=0):
    """Counts of rare events themselves."""
    return np.exp(poisson_logpmf(k, mu, loc))


@stands_for("scipy.stats.poisson.cdf")
def poisson_cdf(k, mu, loc=0):
    """How likely it is that there are no more."""
    from scipy import special

    return special.pdtr(np.floor(k - loc), mu)


@stands_for("scipy.stats.binom.logpmf")
def binom_logpmf(k, n, p, loc=0):
    """Successes among tries: the derivative is that in ``p``."""
    from scipy import special

    count = np.floor(k - loc)
    ways = special.gammaln(n + 1.0) - special.gammaln(count + 1.0)
    ways = ways - special.gammaln(n - count + 1.0)
    return ways + special.xlogy(count, p) + special.xlog1py(n - count, -p)


@stands_for("scipy.stats.bernoulli.logpmf")
def bernoulli_logpmf(k, p, loc=0):
    """One try."""
    return binom_logpmf(k, 1, p, loc)


@stands_for("scipy.stats.dirichlet.logpdf")
def dirichlet_logpdf(x, alpha):
    """Parts of a whole."""
    from scipy import special

    alpha = np.asarray(alpha)
    x = np.concatenate((x, 1.0 - np.sum(x, 0, keepdims=True))) if len(x) < len(alpha) else x
    norm = np.sum(special.gammaln(alpha)) - special.gammaln(np.sum(alpha))
    return np.sum(special.xlogy(alpha - 1.0, x.T), -1) - norm


@stands_for("scipy.stats.dirichlet.pdf")
def dirichlet_pdf(x, alpha):
    """Parts of a whole themselves."""
    return np.exp(dirichlet_logpdf(x, alpha))


@stands_for("scipy.stats.multivariate_normal.logpdf")
def multivariate_normal_logpdf(x, mean=None, cov=1, allow_singular=False):
    """Normal numbers that go together; the matrix of their covariances is not singular."""
    cov = np.asarray(cov)
    size = np.shape(cov)[0] if np.ndim(cov) else max(np.size(mean), 1)
    if np.ndim(cov) < 2:
        cov = cov * np.eye(size)
    away = np.asarray(x) if mean is None else x - np.asarray(mean)
    if size == 1:
        away = np.expand_dims(away, -1) if np.shape(away)[-1:] != (1,) else away
    root = np.linalg.cholesky(cov)
    turned = np.linalg.solve(root, np.reshape(away, (-1, size)).T)
    half = np.sum(np.log(np.diagonal(root)))
    squares = np.reshape(np.sum(turned * turned, 0), np.shape(away)[:-1])
    return -0.5 * squares - half - size * HALF_LOG


@stands_for("scipy.stats.multivariate_normal.pdf")
def multivariate_normal_pdf(x, mean=None, cov=1, allow_singular=False):
    """Normal numbers that go together, themselves."""
    return np.exp(multivariate_normal_logpdf(x, mean, cov))


@stands_for("scipy.stats.multivariate_normal.entropy")
def multivariate_normal_entropy(mean=None, cov=1):
    """How much they vary."""
    cov = np.asarray(cov)
    size = np.shape(cov)[0] if np.ndim(cov) else max(np.size(mean), 1)
    if np.ndim(cov) < 2:
        cov = cov * np.eye(size)
    return size * (HALF_LOG + 0.5) + np.sum(np.log(np.diagonal(np.linalg.cholesky(cov))))


@stands_for("scipy.special.multigammaln")
def multigammaln(a, d):
    """The gamma function of matrices."""
    from scipy import special

    halves = 0.5 * np.arange(d)
    whole = np.sum(special.gammaln(np.expand_dims(a, -1) - halves), -1)
    return whole + 0.25 * d * (d - 1) * math.log(math.pi)
