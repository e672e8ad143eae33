"""``scipy.linalg``: equations and factors that NumPy has not.

In: matrices.
Out: rules.
Next: scipy_special.
"""

from __future__ import annotations

import scipy.linalg as sl

from tangentlite import runtime as rt
from tangentlite.rules.notation import b, d, rule


@rule(sl.solve_sylvester)
def solve_sylvester(a, c, q) -> x:
    """``a x + x c = q``."""
    back = sl.solve_sylvester(rt.mT(a), rt.mT(c), b[x])
    d[x] = sl.solve_sylvester(a, c, d[q] - d[a] @ x - x @ d[c])
    b[q] += rt.unbroadcast(back, q)
    b[a] -= rt.unbroadcast(back @ rt.mT(x), a)
    b[c] -= rt.unbroadcast(rt.mT(x) @ back, c)


@rule(sl.sqrtm)
def sqrtm(a) -> s:
    """``s ds + ds s = da``."""
    d[s] = sl.solve_sylvester(s, s, d[a])
    b[a] += rt.unbroadcast(sl.solve_sylvester(rt.mT(s), rt.mT(s), b[s]), a)


@rule(sl.lu_factor)
def lu_factor(a) -> (lu, piv):
    """Both factors in one matrix, and which rows were swapped."""
    d[lu] = rt.lu_moved(d[a], lu, piv)
    b[a] += rt.lu_unmoved(b[lu], lu, piv)
