"""Which values there are in one array or another.

In: arrays, as sets of their values.
Out: stand-ins.
Next: calling.
"""

from __future__ import annotations

import numpy as np

from tangentlite.standins.table import stands_for


@stands_for(np.union1d)
def union1d(ar1, ar2):
    """The values of both."""
    return np.unique(np.concatenate((np.ravel(ar1), np.ravel(ar2))))


@stands_for(np.setdiff1d)
def setdiff1d(ar1, ar2, assume_unique=False):
    """The values of the first that the second lacks."""
    values = np.ravel(ar1) if assume_unique else np.unique(ar1)
    return values[np.isin(values, ar2, invert=True)]


@stands_for(np.setxor1d)
def setxor1d(ar1, ar2, assume_unique=False):
    """The values that one of them has."""
    first = np.ravel(ar1)[np.isin(np.ravel(ar1), ar2, invert=True)]
    second = np.ravel(ar2)[np.isin(np.ravel(ar2), ar1, invert=True)]
    return np.unique(np.concatenate((first, second)))


@stands_for(np.intersect1d)
def intersect1d(ar1, ar2, assume_unique=False):
    """The values of both at once, which are told by the first."""
    values = np.sort(np.ravel(ar1)) if assume_unique else np.unique(ar1)
    return values[np.isin(values, ar2)]
