"""Functions of libraries that are said with others: a call of one is compiled as a call of its stand-in.

A stand-in is a plain function that does what the library's does; its derivative is compiled like that of a helper.

In: a callable of the library.
Out: the function that stands in for it.
Next: rules.
"""

from __future__ import annotations

from tangentlite.standins import (
    areas,
    arrays,
    averages,
    calling,
    changing,
    complexes,
    counting,
    densities,
    distances,
    distributions,
    filters,
    frozen,
    functions,
    heaps,
    histograms,
    iterators,
    laws,
    matrices,
    members,
    newer,
    parameters,
    polynomials,
    roots,
    shortcuts,
    signals,
    special,
    summaries,
    tables,
    transforms,
    ufuncs,
)
from tangentlite.standins.table import Standin, entries, find, find_literal

__all__ = [
    "Standin",
    "areas",
    "arrays",
    "averages",
    "calling",
    "changing",
    "complexes",
    "counting",
    "densities",
    "distances",
    "distributions",
    "entries",
    "filters",
    "frozen",
    "find",
    "find_literal",
    "functions",
    "heaps",
    "histograms",
    "iterators",
    "laws",
    "matrices",
    "members",
    "newer",
    "parameters",
    "polynomials",
    "roots",
    "shortcuts",
    "signals",
    "special",
    "summaries",
    "tables",
    "transforms",
    "ufuncs",
]
