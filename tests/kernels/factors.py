"""Factorisations and direct solvers that overwrite the matrix."""

from __future__ import annotations

import numpy as np

from tests.kernels.corpus import definite, dominant, kernel, normal, positive


@kernel(L=dominant(6), x=normal(6), b=normal(6), inert=("x",))
def trisolv(L, x, b):
    for i in range(x.shape[0]):
        x[i] = (b[i] - L[i, :i] @ x[:i]) / L[i, i]


@kernel(A=definite(5))
def cholesky(A):
    A[0, 0] = np.sqrt(A[0, 0])
    for i in range(1, A.shape[0]):
        for j in range(i):
            A[i, j] -= np.dot(A[i, :j], A[j, :j])
            A[i, j] /= A[j, j]
        A[i, i] -= np.dot(A[i, :i], A[i, :i])
        A[i, i] = np.sqrt(A[i, i])


@kernel(A=definite(6))
def cholesky_right_looking(A):
    n = A.shape[0]
    for k in range(n):
        A[k, k] **= 0.5
        A[k + 1 :, k] /= A[k, k]
        for j in range(k + 1, n):
            A[j:, j] -= A[j:, k] * A[j, k]
    for k in range(n):
        A[k, k + 1 :] = 0.0


@kernel(A=dominant(5))
def lu(A):
    for i in range(A.shape[0]):
        for j in range(i):
            A[i, j] -= A[i, :j] @ A[:j, j]
            A[i, j] /= A[j, j]
        for j in range(i, A.shape[0]):
            A[i, j] -= A[i, :i] @ A[:i, j]


@kernel(A=dominant(5), b=normal(5))
def ludcmp(A, b):
    n = A.shape[0]
    x = np.zeros_like(b)
    y = np.zeros_like(b)
    for i in range(n):
        for j in range(i):
            w = A[i, j]
            for k in range(j):
                w -= A[i, k] * A[k, j]
            A[i, j] = w / A[j, j]
        for j in range(i, n):
            w = A[i, j]
            for k in range(i):
                w -= A[i, k] * A[k, j]
            A[i, j] = w
    for i in range(n):
        y[i] = b[i] - A[i, :i] @ y[:i]
    for i in range(n - 1, -1, -1):
        x[i] = (y[i] - A[i, i + 1 :] @ x[i + 1 :]) / A[i, i]
    return x, y


@kernel(A=normal(5, 5), b=normal(5))
def gauss_with_pivoting(A, b):
    n = len(b)
    for k in range(n - 1):
        p = k + np.argmax(np.abs(A[k:, k]))
        if p != k:
            A[[k, p]] = A[[p, k]]
            b[k], b[p] = b[p], b[k]
        for i in range(k + 1, n):
            m = A[i, k] / A[k, k]
            A[i, k:] -= m * A[k, k:]
            b[i] -= m * b[k]
    for i in reversed(range(n)):
        b[i] = (b[i] - np.dot(A[i, i + 1 :], b[i + 1 :])) / A[i, i]
    return b


@kernel(A=normal(4, 4))
def permuted_lu(A):
    n = A.shape[0]
    U = A.copy()
    L = np.eye(n)
    P = np.arange(n)
    for k in range(n):
        pivot = np.argmax(abs(U[k:, k])) + k
        U[[k, pivot], k:] = U[[pivot, k], k:]
        L[[k, pivot], :k] = L[[pivot, k], :k]
        P[k], P[pivot] = P[pivot], P[k]
        L[k + 1 :, k] = U[k + 1 :, k] / U[k, k]
        U[k + 1 :, k:] -= np.outer(L[k + 1 :, k], U[k, k:])
    return L, U


@kernel(A=dominant(4))
def gauss_jordan_inverse(A):
    n = len(A)
    M = np.hstack([A, np.eye(n)])
    for i in range(n):
        M[i] /= M[i, i]
        for j in range(n):
            if j == i:
                continue
            M[j] -= M[j, i] * M[i]
    return M[:, n:]


@kernel(A=definite(5))
def ldl(A):
    n = A.shape[0]
    L = np.identity(n)
    D = np.zeros(n)
    for j in range(n):
        D[j] = A[j, j] - np.sum(L[j, :j] ** 2 * D[:j])
        for i in range(j + 1, n):
            L[i, j] = (A[i, j] - (L[i, :j] * L[j, :j]) @ D[:j]) / D[j]
    return L, D


@kernel(A=normal(6, 4))
def gramschmidt(A):
    Q = np.zeros_like(A)
    R = np.zeros((A.shape[1], A.shape[1]), dtype=A.dtype)
    for k in range(A.shape[1]):
        nrm = np.dot(A[:, k], A[:, k])
        R[k, k] = np.sqrt(nrm)
        Q[:, k] = A[:, k] / R[k, k]
        for j in range(k + 1, A.shape[1]):
            R[k, j] = np.dot(Q[:, k], A[:, j])
            A[:, j] -= Q[:, k] * R[k, j]
    return Q, R


@kernel(A=normal(5, 4))
def householder(A):
    """The triangular factor, in place; the reflectors are given back."""
    m, n = A.shape
    V = np.zeros_like(A)
    for k in range(n):
        x = A[k:, k]
        v = x.copy()
        v[0] += np.sign(x[0]) * np.sqrt(np.sum(x * x))
        v /= np.sqrt(np.sum(v * v))
        A[k:, k:] -= 2.0 * np.outer(v, v @ A[k:, k:])
        V[k:, k] = v
    return V


def rotate(c, s, row, other):
    for k in range(len(row)):
        t = c * row[k] + s * other[k]
        other[k] = c * other[k] - s * row[k]
        row[k] = t


@kernel(A=normal(4, 4))
def givens(A):
    Q = np.eye(A.shape[0])
    for j in range(A.shape[1] - 1):
        for i in range(A.shape[0] - 1, j, -1):
            r = np.hypot(A[i - 1, j], A[i, j])
            c, s = A[i - 1, j] / r, A[i, j] / r
            rotate(c, s, A[i - 1], A[i])
            rotate(c, s, Q[i - 1], Q[i])
    return Q


@kernel(a=normal(6), b=positive(7, low=3.0, high=4.0), c=normal(6), d=normal(7))
def thomas(a, b, c, d):
    n = len(d)
    for i in range(1, n):
        w = a[i - 1] / b[i - 1]
        b[i] = b[i] - w * c[i - 1]
        d[i] = d[i] - w * d[i - 1]
    x = b
    x[-1] = d[-1] / b[-1]
    for i in range(n - 2, -1, -1):
        x[i] = (d[i] - c[i] * x[i + 1]) / b[i]
    return x


@kernel(a=normal(5), b=positive(5, low=3.0, high=4.0), c=normal(5), d=normal(5, 3))
def thomas_columns(a, b, c, d):
    cp = np.zeros_like(c)
    dp = np.zeros_like(d)
    cp[0] = c[0] / b[0]
    dp[0] = d[0] / b[0]
    for i in range(1, len(b)):
        denom = b[i] - a[i] * cp[i - 1]
        cp[i] = c[i] / denom
        dp[i] = (d[i] - a[i] * dp[i - 1]) / denom
    for i in range(len(b) - 2, -1, -1):
        dp[i] -= cp[i] * dp[i + 1]
    return dp


@kernel(a=normal(6), b=positive(6, low=4.0, high=5.0), c=normal(6), d=normal(6))
def cyclic_tridiagonal(a, b, c, d):
    """Sherman and Morrison round two sweeps."""
    n = len(b)
    gamma = -b[0]
    diagonal = b.copy()
    diagonal[0] -= gamma
    diagonal[n - 1] -= c[n - 1] * a[0] / gamma
    u = np.zeros(n)
    u[0] = gamma
    u[-1] = c[-1]
    y = thomas_columns(a, diagonal, c, np.stack([d, u], axis=1))
    v = a[0] / gamma
    factor = (y[0, 0] + v * y[-1, 0]) / (1.0 + y[0, 1] + v * y[-1, 1])
    return y[:, 0] - factor * y[:, 1]


@kernel(r=normal(6, scale=0.2))
def durbin(r):
    y = np.empty_like(r)
    alpha = -r[0]
    beta = 1.0
    y[0] = -r[0]
    for k in range(1, r.shape[0]):
        beta *= 1.0 - alpha * alpha
        alpha = -(r[k] + np.dot(np.flip(r[:k]), y[:k])) / beta
        y[:k] += alpha * np.flip(y[:k])
        y[k] = alpha
    return y


@kernel(t=normal(11, scale=0.2), y=normal(6))
def levinson(t, y):
    """A Toeplitz system whose entries are ``t[n - 1 + i - j]``, with a unit added on the diagonal."""
    n = len(y)
    t[n - 1] += 1.5
    f = np.zeros(n)
    b = np.zeros(n)
    x = np.zeros(n)
    f[0] = b[0] = 1.0 / t[n - 1]
    x[0] = y[0] * f[0]
    for k in range(1, n):
        ef = eb = ex = 0.0
        for j in range(k):
            ef += t[n - 1 + k - j] * f[j]
            eb += t[n - 2 - j] * b[j]
            ex += t[n - 1 + k - j] * x[j]
        scale = 1.0 / (1.0 - ef * eb)
        new = scale * f[: k + 1] - ef * scale * np.concatenate(([0.0], b[:k]))
        b[1 : k + 1] = scale * b[:k]
        b[0] = 0.0
        b[: k + 1] -= eb * scale * f[: k + 1]
        f[: k + 1] = new
        x[: k + 1] += (y[k] - ex) * b[: k + 1]
    return x


@kernel(x=positive(5, low=0.0, high=5.0), f=normal(5), z=0.7)
def newton_interpolation(x, f, z):
    x += np.arange(len(x)) * 6.0
    c = f.copy()
    for k in range(1, len(x)):
        c[k:] = (c[k:] - c[k - 1 : -1]) / (x[k:] - x[:-k])
    value = c[-1]
    for k in range(len(x) - 2, -1, -1):
        value = value * (z - x[k]) + c[k]
    return c, value
