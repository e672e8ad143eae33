"""Functions of ``math`` that only newer Pythons have.

In: what the calls say.
Out: plain functions, differentiated like any user's.
Next: standins.
"""

from __future__ import annotations

import math

from tangentlite.standins.table import stands_for


@stands_for(*([math.sumprod] if hasattr(math, "sumprod") else []))
def sumprod(p, q):
    """``math.sumprod``, of Python 3.12.

    >>> sumprod([1.0, 2.0], [3.0, 4.0])
    11.0
    """
    if len(p) != len(q):
        raise ValueError("Inputs are not the same length")
    total = 0.0
    for k in range(len(p)):
        total = total + p[k] * q[k]
    return total


@stands_for(*([math.fma] if hasattr(math, "fma") else []))
def fma(x, y, z):
    """``math.fma``, of Python 3.13.

    >>> fma(2.0, 3.0, 4.0)
    10.0
    """
    return x * y + z
