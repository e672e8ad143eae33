"""Sums of outer products that wait for others, one by one.

In: a sum, vectors, the pairs that wait.
Out: stand-ins.
Next: signals.
"""

from __future__ import annotations

import numpy as np

from tangentlite import runtime as rt
from tangentlite.standins.table import stands_for


@stands_for(rt.add_outer)
def add_outer(b, x, y, rows):
    """At once."""
    return b + np.outer(x, y)


@stands_for(rt.add_rows)
def add_rows(b, rows):
    """None wait."""
    return b
