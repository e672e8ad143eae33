"""``scipy.spatial.distance``: how far points are from each other.

In: arguments of SciPy's functions.
Out: stand-ins.
Next: summaries.
"""

from __future__ import annotations

import numpy as np

from tangentlite.standins.table import stands_for


def _measured(u, v, metric, p):
    """The distances of the vectors in the last axes."""
    if metric == "euclidean":
        return np.linalg.norm(u - v, None, -1)
    if metric == "sqeuclidean":
        return np.sum((u - v) ** 2, -1)
    if metric == "cityblock":
        return np.sum(np.abs(u - v), -1)
    if metric == "chebyshev":
        return np.max(np.abs(u - v), -1)
    if metric == "minkowski":
        return np.linalg.norm(u - v, p, -1)
    if metric == "canberra":
        away, both = np.abs(u - v), np.abs(u) + np.abs(v)
        return np.sum(np.where(both > 0, away / np.where(both > 0, both, 1.0), 0.0), -1)
    if metric == "braycurtis":
        return np.sum(np.abs(u - v), -1) / np.sum(np.abs(u + v), -1)
    if metric == "correlation":
        u, v = u - np.mean(u, -1, keepdims=True), v - np.mean(v, -1, keepdims=True)
    elif metric != "cosine":
        raise TypeError(f"scipy.spatial.distance: the metric {metric} is not differentiated")
    return 1.0 - np.sum(u * v, -1) / (np.linalg.norm(u, None, -1) * np.linalg.norm(v, None, -1))


@stands_for("scipy.spatial.distance.cdist")
def cdist(XA, XB, metric="euclidean", *, p=2):
    """Of each point of one set from each of another."""
    return _measured(
        np.asarray(XA, np.float64)[:, None, :], np.asarray(XB, np.float64)[None, :, :], metric, p
    )


@stands_for("scipy.spatial.distance.pdist")
def pdist(X, metric="euclidean", *, p=2):
    """Of all pairs of points."""
    rows = np.asarray(X, np.float64)
    one, other = np.triu_indices(len(rows), 1)
    return _measured(rows[one], rows[other], metric, p)


@stands_for("scipy.spatial.distance.squareform")
def squareform(X):
    """A row of distances as a symmetric matrix, and back."""
    x = np.asarray(X)
    if np.ndim(x) == 2:
        return x[np.triu_indices(len(x), 1)]
    count = int(np.ceil(np.sqrt(2 * len(x))))
    one, other = np.triu_indices(count, 1)
    places = np.full((count, count), len(x))
    places[one, other] = np.arange(len(x))
    places[other, one] = np.arange(len(x))
    return np.append(x, np.zeros_like(x[:1]))[places]


@stands_for("scipy.spatial.distance.euclidean")
def euclidean(u, v):
    """The length of the way."""
    return np.linalg.norm(np.subtract(u, v))


@stands_for("scipy.spatial.distance.sqeuclidean")
def sqeuclidean(u, v):
    """The square of that."""
    return np.sum(np.subtract(u, v) ** 2)


@stands_for("scipy.spatial.distance.cityblock")
def cityblock(u, v):
    """Along the axes."""
    return np.sum(np.abs(np.subtract(u, v)))


@stands_for("scipy.spatial.distance.chebyshev")
def chebyshev(u, v):
    """Along the longest axis."""
    return np.max(np.abs(np.subtract(u, v)))


@stands_for("scipy.spatial.distance.minkowski")
def minkowski(u, v, p=2):
    """A norm of any order."""
    return np.linalg.norm(np.subtract(u, v), p)


@stands_for("scipy.spatial.distance.cosine")
def cosine(u, v):
    """One less the cosine of the angle."""
    return _measured(np.asarray(u, np.float64), np.asarray(v, np.float64), "cosine", 2)


@stands_for("scipy.spatial.distance.correlation")
def correlation(u, v):
    """One less the coefficient of correlation."""
    return _measured(np.asarray(u, np.float64), np.asarray(v, np.float64), "correlation", 2)


@stands_for("scipy.spatial.distance.canberra")
def canberra(u, v):
    """Each axis by its size."""
    return _measured(np.asarray(u, np.float64), np.asarray(v, np.float64), "canberra", 2)


@stands_for("scipy.spatial.distance.braycurtis")
def braycurtis(u, v):
    """All by the size of the sum."""
    return _measured(np.asarray(u, np.float64), np.asarray(v, np.float64), "braycurtis", 2)


@stands_for("scipy.spatial.distance.mahalanobis")
def mahalanobis(u, v, VI):
    """In units of a covariance, whose inverse is given."""
    way = np.subtract(u, v)
    square = way @ VI @ way
    apart = square > 0  # flat where both points are one
    return np.sqrt(np.where(apart, square, 1.0)) * apart
