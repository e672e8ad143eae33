"""Factorizations, eliminations and Krylov methods that work in place."""

from __future__ import annotations

import numpy as np

from tests.kernels.corpus import (
    definite,
    dominant,
    kernel,
    normal,
    positive,
)


@kernel(A=dominant(4))
def crout(A):
    n = len(A)
    L, U = np.zeros((n, n)), np.eye(n)
    for j in range(n):
        for i in range(j, n):
            L[i, j] = A[i, j] - L[i, :j] @ U[:j, j]
        for i in range(j + 1, n):
            U[j, i] = (A[j, i] - L[j, :j] @ U[:j, i]) / L[j, j]
    return L, U


@kernel(A=definite(4))
def cholesky_by_rows(A):
    for i in range(len(A)):
        for j in range(i):
            A[i, j] = (A[i, j] - A[i, :j] @ A[j, :j]) / A[j, j]
            A[j, i] = 0.0
        A[i, i] -= A[i, :i] @ A[i, :i]
        A[i, i] = np.sqrt(A[i, i])


@kernel(A=definite(4), b=normal(4))
def ldlt_solve(A, b):
    n = len(A)
    for j in range(n):
        v = A[j, :j] * np.diagonal(A)[:j]
        A[j, j] -= A[j, :j] @ v
        A[j + 1 :, j] = (A[j + 1 :, j] - A[j + 1 :, :j] @ v) / A[j, j]
    for i in range(n):
        b[i] -= A[i, :i] @ b[:i]
    b /= np.diagonal(A)
    for i in range(n - 1, -1, -1):
        b[i] -= A[i + 1 :, i] @ b[i + 1 :]


@kernel(A=dominant(4))
def bareiss(A):
    M = A.copy()
    last = 1.0
    for k in range(3):
        for i in range(k + 1, 4):
            for j in range(k + 1, 4):
                M[i, j] = (M[i, j] * M[k, k] - M[i, k] * M[k, j]) / last
            M[i, k] = 0.0
        last = M[k, k]
    return M[3, 3]


@kernel(A=dominant(4))
def block_lu(A):
    h = 2
    for k in range(0, 4, h):
        D = A[k : k + h, k : k + h]
        D[1, 0] /= D[0, 0]
        D[1, 1] -= D[1, 0] * D[0, 1]
        R = A[k : k + h, k + h :]
        R[1] -= D[1, 0] * R[0]
        C = A[k + h :, k : k + h]
        C[:, 0] /= D[0, 0]
        C[:, 1] = (C[:, 1] - C[:, 0] * D[0, 1]) / D[1, 1]
        A[k + h :, k + h :] -= C @ R


@kernel(a=positive(7), b=positive(7, low=4.0, high=5.0), c=positive(7), d=normal(7))
def cyclic_reduction(a, b, c, d):
    n = len(d)
    x = np.zeros(n)
    step = 1
    while 2 * step < n + 1:
        for i in range(2 * step - 1, n, 2 * step):
            lo, hi = i - step, i + step
            f = a[i] / b[lo]
            b[i] -= f * c[lo]
            d[i] -= f * d[lo]
            a[i] = -f * a[lo]
            if hi < n:
                g = c[i] / b[hi]
                b[i] -= g * a[hi]
                d[i] -= g * d[hi]
                c[i] = -g * c[hi]
        step *= 2
    while step >= 1:
        for i in range(step - 1, n, 2 * step):
            s = d[i]
            if i - step >= 0:
                s -= a[i] * x[i - step]
            if i + step < n:
                s -= c[i] * x[i + step]
            x[i] = s / b[i]
        step //= 2
    return x


@kernel(B=dominant(5), b=normal(5))
def banded_solve(B, b):
    """Half bandwidth two, in the rows of the full matrix."""
    n = len(b)
    for k in range(n - 1):
        for i in range(k + 1, min(k + 3, n)):
            f = B[i, k] / B[k, k]
            for j in range(k + 1, min(k + 3, n)):
                B[i, j] -= f * B[k, j]
            b[i] -= f * b[k]
    for i in reversed(range(n)):
        for j in range(i + 1, min(i + 3, n)):
            b[i] -= B[i, j] * b[j]
        b[i] /= B[i, i]


@kernel(A=normal(4, 4))
def hessenberg(A):
    n = len(A)
    for k in range(n - 2):
        v = A[k + 1 :, k].copy()
        v[0] += np.sign(v[0]) * np.sqrt(v @ v)
        v /= np.sqrt(v @ v)
        A[k + 1 :, k:] -= 2.0 * np.outer(v, v @ A[k + 1 :, k:])
        A[:, k + 1 :] -= 2.0 * np.outer(A[:, k + 1 :] @ v, v)


@kernel(A=definite(4), v=normal(4))
def lanczos(A, v):
    m = 3
    alpha, beta = np.zeros(m), np.zeros(m)
    Q = np.zeros((m + 1, 4))
    Q[0] = v / np.linalg.norm(v)
    for k in range(m):
        w = A @ Q[k]
        alpha[k] = w @ Q[k]
        w -= alpha[k] * Q[k]
        if k > 0:
            w -= beta[k - 1] * Q[k - 1]
        beta[k] = np.sqrt(w @ w)
        Q[k + 1] = w / beta[k]
    return alpha, beta, Q


@kernel(A=dominant(4, scale=0.5), b=normal(4))
def arnoldi_residual(A, b):
    m = 3
    Q, H = np.zeros((4, m + 1)), np.zeros((m + 1, m))
    Q[:, 0] = b / np.sqrt(b @ b)
    for k in range(m):
        w = A @ Q[:, k]
        for j in range(k + 1):
            H[j, k] = Q[:, j] @ w
            w -= H[j, k] * Q[:, j]
        H[k + 1, k] = np.sqrt(w @ w)
        Q[:, k + 1] = w / H[k + 1, k]
    y = np.linalg.solve(H.T @ H, H[0] * np.sqrt(b @ b))
    return Q[:, :m] @ y


@kernel(A=dominant(4, scale=0.3), b=normal(4), x=normal(4))
def bicgstab(A, b, x):
    r = b - A @ x
    r0 = r.copy()
    rho = alpha = omega = 1.0
    v, p = np.zeros(4), np.zeros(4)
    for _ in range(2):
        rho_new = r0 @ r
        beta = (rho_new / rho) * (alpha / omega)
        rho = rho_new
        p -= omega * v
        p *= beta
        p += r
        v = A @ p
        alpha = rho / (r0 @ v)
        s = r - alpha * v
        t = A @ s
        omega = (t @ s) / (t @ t)
        x += alpha * p + omega * s
        r = s - omega * t


@kernel(A=definite(4), b=normal(4), x=normal(4))
def chebyshev_iteration(A, b, x):
    d, c = 2.0, 1.0
    r = b - A @ x
    p, alpha = r * 0.0, 0.0
    for k in range(4):
        if k == 0:
            p[:] = r
            alpha = 1.0 / d
        else:
            beta = (c * alpha / 2.0) ** 2
            alpha = 1.0 / (d - beta / alpha)
            p *= beta
            p += r
        x += alpha * p
        r -= alpha * (A @ p)


@kernel(A=definite(4))
def newton_schulz_inverse(A):
    X = A.T / np.sum(A * A)
    R, I2 = np.empty_like(A), 2.0 * np.eye(4)
    for _ in range(4):
        np.matmul(A, X, out=R)
        np.subtract(I2, R, out=R)
        X[:] = X @ R
    return X


@kernel(A=normal(4, 3))
def modified_gram_schmidt(A):
    R = np.zeros((3, 3))
    for k in range(3):
        q = A[:, k]
        R[k, k] = np.sqrt(np.sum(q * q))
        q /= R[k, k]
        for j in range(k + 1, 3):
            R[k, j] = q @ A[:, j]
            A[:, j] -= R[k, j] * q
    return R
