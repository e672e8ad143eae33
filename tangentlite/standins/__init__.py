"""Functions of libraries that are said with others: a call of one is compiled as a call of its stand-in.

A stand-in is a plain function that does what the library's does; its derivative is compiled like that of a helper.

In: a callable of the library.
Out: the function that stands in for it.
Next: rules.
"""

from __future__ import annotations

from tangentlite.standins import (
    arrays,
    averages,
    calling,
    complexes,
    densities,
    distributions,
    heaps,
    histograms,
    iterators,
    matrices,
    members,
    newer,
    parameters,
    polynomials,
    signals,
    special,
    transforms,
    ufuncs,
)
from tangentlite.standins.table import Standin, entries, find, find_literal

__all__ = [
    "Standin",
    "arrays",
    "averages",
    "calling",
    "complexes",
    "densities",
    "distributions",
    "entries",
    "find",
    "find_literal",
    "heaps",
    "histograms",
    "iterators",
    "matrices",
    "members",
    "newer",
    "parameters",
    "polynomials",
    "signals",
    "special",
    "transforms",
    "ufuncs",
]
