"""``scipy.linalg`` and ``scipy.integrate``, by NumPy.

In: arguments of SciPy's functions.
Out: stand-ins.
Next: signals.
"""

from __future__ import annotations

import numpy as np

from tangentlite import runtime as rt
from tangentlite.standins.table import stands_for


@stands_for("scipy.linalg.inv")
def inv(a, *, overwrite_a=False, check_finite=True):
    """As NumPy's."""
    return np.linalg.inv(a)


@stands_for("scipy.linalg.det")
def det(a, *, overwrite_a=False, check_finite=True):
    """As NumPy's."""
    return np.linalg.det(a)


@stands_for("scipy.linalg.pinv")
def pinv(a, *, check_finite=True):
    """As NumPy's."""
    return np.linalg.pinv(a)


@stands_for("scipy.linalg.norm")
def norm(a, ord=None, axis=None, keepdims=False, *, check_finite=True):
    """As NumPy's."""
    return np.linalg.norm(a, ord, axis, keepdims)


@stands_for("scipy.linalg.eigvalsh")
def eigvalsh(a, *, lower=True, overwrite_a=False, overwrite_b=False, check_finite=True):
    """As NumPy's."""
    return np.linalg.eigvalsh(a, "L" if lower else "U")


@stands_for("scipy.linalg.svdvals")
def svdvals(a, *, overwrite_a=False, check_finite=True):
    """As NumPy's."""
    return np.linalg.svd(a, compute_uv=False)


@stands_for("scipy.linalg.solve")
def solve(
    a,
    b,
    lower=False,
    *,
    transposed=False,
    assume_a=None,
    overwrite_a=False,
    overwrite_b=False,
    check_finite=True,
):
    """As NumPy's; of a symmetric matrix one triangle is read."""
    if assume_a in ("sym", "her", "pos", "symmetric", "hermitian", "positive definite"):
        half = np.tril(a) if lower else np.transpose(np.triu(a))
        return np.linalg.solve(half + np.transpose(np.tril(half, -1)), b)
    return np.linalg.solve(np.transpose(a) if transposed else a, b)


@stands_for("scipy.linalg.solve_triangular")
def solve_triangular(
    a, b, trans=0, lower=False, unit_diagonal=False, *, overwrite_b=False, check_finite=True
):
    """Only one triangle of the matrix is read."""
    half = np.tril(a) if lower else np.triu(a)
    if unit_diagonal:
        half = (
            half - np.diag(np.diag(half)) + np.eye(len(half), dtype=np.result_type(a, np.float32))
        )
    if trans == 0 or trans == "N":
        return np.linalg.solve(half, b)
    return np.linalg.solve(np.transpose(half), b)


@stands_for("scipy.linalg.cholesky")
def cholesky(a, lower=False, *, overwrite_a=False, check_finite=True):
    """The upper factor, unless the lower one is asked for; the triangle of that side is read."""
    if lower:
        return np.linalg.cholesky(a)
    return np.transpose(np.linalg.cholesky(np.transpose(a)))


@stands_for("scipy.linalg.cho_factor")
def cho_factor(a, lower=False, *, overwrite_a=False, check_finite=True):
    """The factor, and the side that it is on."""
    return cholesky(a, lower), lower


@stands_for("scipy.linalg.cho_solve")
def cho_solve(c_and_lower, b, *, overwrite_b=False, check_finite=True):
    """Two triangular systems."""
    factor, lower = c_and_lower
    left = np.tril(factor) if lower else np.transpose(np.triu(factor))
    return np.linalg.solve(np.transpose(left), np.linalg.solve(left, b))


@stands_for("scipy.linalg.lu_solve")
def lu_solve(lu_and_piv, b, trans=0, *, overwrite_b=False, check_finite=True):
    """Two triangular systems, of rows in another order."""
    lu, piv = lu_and_piv
    order = rt.swapped_rows(piv)
    ones = np.eye(len(lu), dtype=np.result_type(lu, np.float32))
    lower, upper = np.tril(lu, -1) + ones, np.triu(lu)
    if trans == 0:
        return np.linalg.solve(upper, np.linalg.solve(lower, b[order]))
    turned = np.linalg.solve(np.transpose(lower), np.linalg.solve(np.transpose(upper), b))
    return turned[np.argsort(order)]


@stands_for("scipy.linalg.block_diag")
def block_diag(*arrs):
    """Matrices along a diagonal."""
    whole = np.atleast_2d(arrs[0])
    for k in range(1, len(arrs)):
        part = np.atleast_2d(arrs[k])
        (rows, columns), (more, wide) = np.shape(whole), np.shape(part)
        whole = np.pad(whole, ((0, more), (0, wide))) + np.pad(part, ((rows, 0), (columns, 0)))
    return whole


@stands_for("scipy.linalg.toeplitz")
def toeplitz(c, r=None):
    """Constant diagonals: the first column, and the first row."""
    column = np.ravel(c)
    row = column if r is None else np.ravel(r)
    values = np.concatenate((np.flip(column), row[1:]))
    places = np.arange(len(row))[None, :] - np.arange(len(column))[:, None] + len(column) - 1
    return values[places]


@stands_for("scipy.linalg.expm")
def expm(A):
    """A Taylor polynomial of the matrix halved so often that it is small, squared as often."""
    size = np.linalg.norm(A, 1)
    halvings = max(0, int(np.ceil(np.log2(size))) + 2) if size > 0.0 else 0
    small = A / 2.0**halvings
    whole = np.eye(len(A), dtype=np.result_type(A, np.float32))
    term = whole
    for k in range(1, 19):
        term = term @ small / k
        whole = whole + term
    for _ in range(halvings):
        whole = whole @ whole
    return whole


@stands_for("scipy.integrate.trapezoid")
def trapezoid(y, x=None, dx=1.0, axis=-1):
    """As NumPy's."""
    return np.trapezoid(y, x, dx, axis)


@stands_for("scipy.integrate.simpson")
def simpson(y, x=None, *, dx=1.0, axis=-1):
    """Parabolas through three points each; the last step of an even number of points has one of its own."""
    y = np.moveaxis(np.asarray(y), axis, -1)
    count = np.shape(y)[-1]
    if x is None:
        steps = dx * np.ones(count - 1)
    else:
        steps = np.diff(x if np.ndim(x) == 1 else np.moveaxis(x, axis, -1))
    if count < 3:
        return 0.5 * np.sum(steps * (y[..., 1:] + y[..., :-1]), -1)
    last = count - 1 if count % 2 else count - 2
    h, k = steps[..., 0:last:2], steps[..., 1:last:2]
    first = (2.0 - k / h) * y[..., 0 : last - 1 : 2]
    middle = (h + k) ** 2 / (h * k) * y[..., 1:last:2]
    third = (2.0 - h / k) * y[..., 2 : last + 1 : 2]
    area = np.sum((h + k) / 6.0 * (first + middle + third), -1)
    if count % 2:
        return area
    h, k = steps[..., -1], steps[..., -2]
    alpha = (2.0 * h * h + 3.0 * h * k) / (6.0 * (k + h))
    beta = (h * h + 3.0 * h * k) / (6.0 * k)
    gamma = h**3 / (6.0 * k * (k + h))
    return area + alpha * y[..., -1] + beta * y[..., -2] - gamma * y[..., -3]


@stands_for("scipy.linalg.solve_banded")
def solve_banded(l_and_u, ab, b, *, overwrite_b=False, overwrite_ab=False, check_finite=True):
    """A matrix in diagonal form."""
    return rt.solve_bands(ab, b, l_and_u[0], l_and_u[1])


@stands_for("scipy.linalg.eigh", eigvals_only=True)
def eigenvalues(
    a,
    b=None,
    *,
    lower=True,
    eigvals_only=True,
    overwrite_a=False,
    overwrite_b=False,
    check_finite=True,
):
    """Nothing but the values."""
    from scipy import linalg

    if b is None:
        return np.linalg.eigvalsh(a, "L" if lower else "U")
    return linalg.eigh(a, b, lower=lower)[0]


@stands_for("scipy.linalg.svd")
def svd(a, full_matrices=True, *, overwrite_a=False, check_finite=True):
    """As NumPy's."""
    return np.linalg.svd(a, full_matrices)


@stands_for("scipy.linalg.svd", compute_uv=False)
def singular_values(
    a, full_matrices=True, compute_uv=False, *, overwrite_a=False, check_finite=True
):
    """Nothing but the values."""
    return np.linalg.svd(a, compute_uv=False)


@stands_for("scipy.linalg.qr")
def qr(a, *, overwrite_a=False, check_finite=True):
    """As NumPy's, of a matrix that is not tall."""
    if np.shape(a)[0] > np.shape(a)[1]:
        raise TypeError("scipy.linalg.qr of a tall matrix is differentiated with mode='economic'")
    return np.linalg.qr(a)


@stands_for("scipy.linalg.qr", mode="economic")
def thin_qr(a, mode="economic", *, overwrite_a=False, check_finite=True):
    """As NumPy's."""
    return np.linalg.qr(a)


@stands_for("scipy.linalg.qr", mode="r")
def qr_triangle(a, mode="r", *, overwrite_a=False, check_finite=True):
    """The triangle, in a tuple; below it there are zeros if the matrix is tall."""
    triangle = np.linalg.qr(a, "r")
    return (np.pad(triangle, ((0, np.shape(a)[0] - np.shape(triangle)[0]), (0, 0))),)


@stands_for("scipy.linalg.pinvh")
def pinvh(a, *, lower=True, check_finite=True):
    """One triangle of the matrix is read."""
    half = np.tril(a) if lower else np.transpose(np.triu(a))
    return np.linalg.pinv(half + np.transpose(np.tril(half, -1)))


@stands_for("scipy.linalg.lstsq")
def lstsq(a, b, *, overwrite_a=False, overwrite_b=False, check_finite=True):
    """As NumPy's."""
    return np.linalg.lstsq(a, b)


@stands_for("scipy.linalg.circulant")
def circulant(c):
    """Each column is the one before, moved on by one."""
    places = np.arange(np.size(c))
    return np.ravel(c)[(places[:, None] - places[None, :]) % np.size(c)]


@stands_for("scipy.linalg.hankel")
def hankel(c, r=None):
    """Constant across: the first column, and the last row, of which the first element is not read."""
    column = np.ravel(c)
    row = np.zeros_like(column) if r is None else np.ravel(r)
    values = np.concatenate((column, row[1:]))
    return values[np.arange(len(column))[:, None] + np.arange(len(row))[None, :]]
