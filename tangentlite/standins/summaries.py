"""``scipy.stats``: numbers that sum up a sample.

In: arguments of SciPy's functions.
Out: stand-ins.
Next: densities.
"""

from __future__ import annotations

import numpy as np

from tangentlite.standins.table import stands_for


@stands_for("scipy.stats.zscore")
def zscore(a, axis=0, ddof=0):
    """Distances from the mean, in units of the deviation."""
    x = np.asarray(a)
    return (x - np.mean(x, axis, keepdims=True)) / np.std(x, axis, ddof=ddof, keepdims=True)


@stands_for("scipy.stats.moment")
def moment(a, order=1, axis=0):
    """A mean of powers of the distances from the mean."""
    x = np.asarray(a)
    return np.mean((x - np.mean(x, axis, keepdims=True)) ** order, axis)


@stands_for("scipy.stats.skew")
def skew(a, axis=0, bias=True):
    """The third moment, in units of the deviation."""
    value = moment(a, 3, axis) / moment(a, 2, axis) ** 1.5
    count = np.size(a) if axis is None else np.shape(a)[axis]
    return value if bias else value * np.sqrt(count * (count - 1.0)) / (count - 2.0)


@stands_for("scipy.stats.kurtosis")
def kurtosis(a, axis=0, fisher=True, bias=True):
    """The fourth moment, in units of the deviation."""
    value = moment(a, 4, axis) / moment(a, 2, axis) ** 2
    n = np.size(a) if axis is None else np.shape(a)[axis]
    if not bias:
        value = ((n * n - 1.0) * value - 3.0 * (n - 1.0) ** 2) / ((n - 2.0) * (n - 3.0)) + 3.0
    return value - 3.0 if fisher else value


@stands_for("scipy.stats.sem")
def sem(a, axis=0, ddof=1):
    """The deviation of the mean."""
    count = np.size(a) if axis is None else np.shape(a)[axis]
    return np.std(a, axis, ddof=ddof) / np.sqrt(np.asarray(count, np.result_type(a, np.float32)))


@stands_for("scipy.stats.variation")
def variation(a, axis=0, ddof=0):
    """The deviation, in units of the mean."""
    return np.std(a, axis, ddof=ddof) / np.mean(a, axis)


@stands_for("scipy.stats.gmean")
def gmean(a, axis=0, weights=None):
    """The mean of the logarithms."""
    return np.exp(np.average(np.log(a), axis, weights))


@stands_for("scipy.stats.hmean")
def hmean(a, axis=0, weights=None):
    """The mean of the inverses."""
    return 1.0 / np.average(1.0 / np.asarray(a), axis, weights)


@stands_for("scipy.stats.tmean")
def tmean(a, axis=None):
    """The mean, of all elements."""
    return np.mean(a, axis)


@stands_for("scipy.stats.iqr")
def iqr(x, axis=None, *, keepdims=False):
    """Between the quartiles."""
    low = np.quantile(x, 0.25, axis, keepdims=keepdims)
    return np.quantile(x, 0.75, axis, keepdims=keepdims) - low


@stands_for("scipy.stats.entropy")
def entropy(pk, qk=None, base=None, axis=0):
    """Of what is made a distribution first; relative to another one."""
    from scipy import special

    p = np.asarray(pk) / np.sum(pk, axis, keepdims=True)
    if qk is None:
        whole = np.sum(special.entr(p), axis)
    else:
        whole = np.sum(special.rel_entr(p, np.asarray(qk) / np.sum(qk, axis, keepdims=True)), axis)
    return whole if base is None else whole / np.log(base)


@stands_for("scipy.integrate.cumulative_trapezoid")
def cumulative_trapezoid(y, x=None, dx=1.0, axis=-1, initial=None):
    """The sums on the way of ``np.trapezoid``."""
    rows = np.moveaxis(np.asarray(y), axis, -1)
    steps = dx
    if x is not None:
        steps = np.diff(x if np.ndim(x) == 1 else np.moveaxis(x, axis, -1))
    areas = np.cumsum(steps * (rows[..., 1:] + rows[..., :-1]) / 2.0, -1)
    if initial is not None:
        areas = np.concatenate((np.full_like(areas[..., :1], initial), areas), -1)
    return np.moveaxis(areas, -1, axis)
