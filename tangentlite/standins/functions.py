"""``scipy.linalg``: functions of matrices, and equations that are others in disguise.

In: arguments of SciPy's functions.
Out: stand-ins.
Next: signals.
"""

from __future__ import annotations

import numpy as np

from tangentlite import runtime as rt
from tangentlite.standins.table import stands_for


@stands_for("scipy.linalg.polar")
def polar(a, side="right"):
    """A matrix of orthonormal columns, and a root of the square."""
    u, s, vh = np.linalg.svd(a, full_matrices=False)
    if side == "right":
        return u @ vh, (np.conj(vh.T) * s) @ vh
    return u @ vh, (u * s) @ np.conj(u.T)


@stands_for("scipy.linalg.solve_continuous_lyapunov", "scipy.linalg.solve_lyapunov")
def solve_continuous_lyapunov(a, q):
    """``a x + x aᵀ = q``."""
    from scipy import linalg

    return linalg.solve_sylvester(a, np.conj(np.transpose(a)), q)


@stands_for("scipy.linalg.solve_discrete_lyapunov")
def solve_discrete_lyapunov(a, q, method=None):
    """``x - a x aᵀ = q``, as one system of equations."""
    count = np.size(q)
    whole = np.eye(count, dtype=np.result_type(a, np.float32)) - np.kron(a, np.conj(a))
    return np.reshape(np.linalg.solve(whole, np.ravel(q)), np.shape(q))


@stands_for("scipy.linalg.solve_toeplitz")
def solve_toeplitz(c_or_cr, b, *, check_finite=True):
    """As one system of equations."""
    from scipy import linalg

    if isinstance(c_or_cr, tuple):
        return np.linalg.solve(linalg.toeplitz(c_or_cr[0], c_or_cr[1]), b)
    return np.linalg.solve(linalg.toeplitz(c_or_cr), b)


@stands_for("scipy.linalg.solve_circulant")
def solve_circulant(c, b):
    """As one system of equations."""
    from scipy import linalg

    return np.linalg.solve(linalg.circulant(c), b)


def _triangles(a):
    """The order of the rows, the lower and the upper triangle of a square matrix."""
    from scipy import linalg

    if np.shape(a)[0] != np.shape(a)[1]:
        raise TypeError("scipy.linalg.lu is differentiated for square matrices")
    whole, pivots = linalg.lu_factor(a)
    one = np.eye(len(whole), dtype=np.result_type(a, np.float32))
    return np.argsort(rt.swapped_rows(pivots)), np.tril(whole, -1) + one, np.triu(whole)


@stands_for("scipy.linalg.lu")
def lu(a, *, overwrite_a=False, check_finite=True):
    """Which rows were swapped, and both triangles."""
    order, lower, upper = _triangles(a)
    return np.eye(len(lower), dtype=np.result_type(a, np.float32))[order], lower, upper


@stands_for("scipy.linalg.lu", permute_l=True)
def lu_of_rows(a, permute_l=True, overwrite_a=False, check_finite=True):
    """The rows of the lower triangle are swapped back."""
    order, lower, upper = _triangles(a)
    return lower[order], upper


@stands_for("scipy.linalg.companion")
def companion(a):
    """The matrix that has the roots of a polynomial for eigenvalues."""
    last = np.eye(np.size(a) - 2, np.size(a) - 1, dtype=np.result_type(a, np.float32))
    return np.concatenate((-a[None, 1:] / a[0], last))


@stands_for("scipy.linalg.khatri_rao")
def khatri_rao(a, b):
    """Products of columns."""
    return np.reshape(a[:, None, :] * b[None, :, :], (-1, np.shape(a)[1]))


@stands_for("scipy.linalg.convolution_matrix")
def convolution_matrix(a, n, mode="full"):
    """What multiplies a row to convolve it."""
    count = np.size(a)
    places = np.arange(n + count - 1)[:, None] - np.arange(n)[None, :]
    inside = np.logical_and(places >= 0, places < count)
    whole = np.append(a, np.zeros_like(a[:1]))[np.where(inside, places, count)]
    if mode == "full":
        return whole
    size = max(n, count) if mode == "same" else max(n, count) - min(n, count) + 1
    first = (len(whole) - size) // 2 if mode == "same" else min(n, count) - 1
    return whole[first : first + size]


@stands_for("scipy.linalg.eigvals")
def eigvals(a, *, overwrite_a=False, check_finite=True):
    """As NumPy's."""
    return np.linalg.eigvals(a)


@stands_for("scipy.linalg.eigh_tridiagonal", eigvals_only=True)
def eigvalsh_tridiagonal(d, e, eigvals_only=True, *, check_finite=True):
    """The values of the whole matrix."""
    return np.linalg.eigvalsh(np.diag(d) + np.diag(e, -1))


@stands_for("scipy.linalg.eigvalsh_tridiagonal")
def eigvals_of_diagonals(d, e, *, check_finite=True):
    """The values of the whole matrix."""
    return np.linalg.eigvalsh(np.diag(d) + np.diag(e, -1))


def _even_and_odd(A, turned):
    """The sum of the even terms of the exponential series, and that of the odd ones; ``turned``: with signs in turns.

    Of the matrix halved so often that it is small, then doubled as often.
    """
    size = np.linalg.norm(A, 1)
    halvings = max(0, int(np.ceil(np.log2(size))) + 1) if size > 0.0 else 0
    small = A / 2.0**halvings
    square = -(small @ small) if turned else small @ small
    one = np.eye(len(A), dtype=np.result_type(A, np.float32))
    even, odd, term = one, small, one
    for k in range(1, 12):
        term = term @ square / ((2 * k - 1) * (2 * k))
        even, odd = even + term, odd + term @ small / (2 * k + 1)
    for _ in range(halvings):
        even, odd = 2.0 * even @ even - one, 2.0 * odd @ even
    return even, odd


@stands_for("scipy.linalg.cosm")
def cosm(A):
    """The cosine of a matrix."""
    return _even_and_odd(A, True)[0]


@stands_for("scipy.linalg.sinm")
def sinm(A):
    """The sine of a matrix."""
    return _even_and_odd(A, True)[1]


@stands_for("scipy.linalg.tanm")
def tanm(A):
    """``cos⁻¹ sin``."""
    even, odd = _even_and_odd(A, True)
    return np.linalg.solve(even, odd)


@stands_for("scipy.linalg.coshm")
def coshm(A):
    """The hyperbolic cosine of a matrix."""
    return _even_and_odd(A, False)[0]


@stands_for("scipy.linalg.sinhm")
def sinhm(A):
    """The hyperbolic sine of a matrix."""
    return _even_and_odd(A, False)[1]


@stands_for("scipy.linalg.tanhm")
def tanhm(A):
    """``cosh⁻¹ sinh``."""
    even, odd = _even_and_odd(A, False)
    return np.linalg.solve(even, odd)
