"""``scipy.linalg``: equations and factors that NumPy has not.

In: matrices.
Out: rules.
Next: scipy_special.
"""

from __future__ import annotations

import numpy as np
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


@rule(sl.eigh)
def eigh(
    a, c=None, *, lower=True, overwrite_a=False, overwrite_b=False, check_finite=True
) -> (w, v):
    """``a v = c v w``, with ``vᵀ c v`` the unit matrix."""
    moved = rt.mirrored(d[a], rt.side(lower)) @ v - rt.mirrored(d[c], rt.side(lower)) @ v * w
    d[w] = np.diagonal(rt.mT(v) @ moved)
    d[v] = rt.eigh_turned(rt.mT(v) @ moved, rt.mirrored(d[c], rt.side(lower)), w, rt.real_only(v))
    back = rt.eigh_unturned(b[w], b[v], w, rt.real_only(v))
    b[a] += rt.unmirrored(v @ back @ rt.mT(v), rt.side(lower))
    b[c] -= rt.eigh_unscaled(back, b[v], w, v, rt.side(lower))


@rule(sl.sqrtm)
def sqrtm(a) -> s:
    """``s ds + ds s = da``."""
    d[s] = sl.solve_sylvester(s, s, d[a])
    b[a] += rt.unbroadcast(sl.solve_sylvester(rt.mT(s), rt.mT(s), b[s]), a)


@rule(sl.lu_factor)
def lu_factor(a, *, overwrite_a=False, check_finite=True) -> (lu, piv):
    """Both factors in one matrix, and which rows were swapped."""
    d[lu] = rt.lu_moved(d[a], lu, piv)
    b[a] += rt.lu_unmoved(b[lu], lu, piv)


@rule(sl.logm)
def logm(a) -> y:
    """The logarithm of ``[[a, da], [0, a]]`` has in its corner the derivative."""
    d[y] = rt.corner(sl.logm(rt.doubled(a, d[a])))
    b[a] += rt.corner(sl.logm(rt.doubled(rt.mT(a), b[y])))


@rule(sl.fractional_matrix_power, constant=("t",))
def fractional_matrix_power(a, t) -> y:
    """The power of ``[[a, da], [0, a]]`` has in its corner the derivative."""
    d[y] = rt.corner(sl.fractional_matrix_power(rt.doubled(a, d[a]), t))
    b[a] += rt.corner(sl.fractional_matrix_power(rt.doubled(rt.mT(a), b[y]), t))
