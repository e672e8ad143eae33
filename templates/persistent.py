"""Arrays that keep their versions: made, handed on as values, longer or shorter by a row.

In: `PersistentArray`. Adjoints and tangents are arrays of NumPy.
Out: rules.
Next: runtime.
"""

from __future__ import annotations

import numpy as np

from tangentlite import runtime as rt
from tangentlite.persistent import PersistentArray
from tangentlite.rules.notation import b, d, rule


@rule(PersistentArray)
def persistent(values) -> p:
    d[p] = np.array(rt.filled(d[values], values))
    b[values] += rt.unbroadcast(b[p], values)


@rule(PersistentArray.version)
def version(p) -> q:
    """A value of its own, although nothing is copied."""
    d[q] = np.copy(d[p])
    b[p] += b[q]


@rule(PersistentArray.insert)
def insert(p, row) -> q:
    d[q] = rt.lengthened(d[p], d[row], p)
    b[p] += b[q][:-1]
    b[row] += rt.unbroadcast(b[q][-1], row)


@rule(PersistentArray.delete)
def delete(p) -> q:
    d[q] = d[p][:-1]
    b[p] += rt.lengthened(b[q], rt.ZERO, q)
