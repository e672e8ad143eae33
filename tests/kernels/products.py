"""Products of matrices and vectors that overwrite their results."""

from __future__ import annotations

import numpy as np

from tests.kernels.corpus import dominant, kernel, normal


@kernel(A=normal(5, 6), x=normal(6))
def atax(A, x):
    return (A @ x) @ A


@kernel(A=normal(4, 5), x=normal(5), y=normal(5), tmp=normal(4), inert=("y", "tmp"))
def atax_loops(A, x, y, tmp):
    m, n = A.shape
    for i in range(n):
        y[i] = 0.0
    for i in range(m):
        tmp[i] = 0.0
        for j in range(n):
            tmp[i] += A[i, j] * x[j]
        for j in range(n):
            y[j] += A[i, j] * tmp[i]


@kernel(A=normal(6, 5), p=normal(5), r=normal(6), s=normal(5), q=normal(6), inert=("s", "q"))
def bicg(A, p, r, s, q):
    n, m = A.shape
    s[:] = 0.0
    for i in range(n):
        q[i] = 0.0
        for j in range(m):
            s[j] = s[j] + r[i] * A[i, j]
            q[i] = q[i] + A[i, j] * p[j]


@kernel(x1=normal(6), x2=normal(6), y_1=normal(6), y_2=normal(6), A=normal(6, 6))
def mvt(x1, x2, y_1, y_2, A):
    x1 += A @ y_1
    x2 += y_2 @ A


@kernel(
    alpha=1.5,
    beta=1.2,
    A=normal(5, 5),
    u1=normal(5),
    v1=normal(5),
    u2=normal(5),
    v2=normal(5),
    w=normal(5),
    x=normal(5),
    y=normal(5),
    z=normal(5),
)
def gemver(alpha, beta, A, u1, v1, u2, v2, w, x, y, z):
    A += np.outer(u1, v1) + np.outer(u2, v2)
    x += beta * y @ A + z
    w += alpha * A @ x


@kernel(alpha=1.5, beta=0.7, A=normal(6, 6), B=normal(6, 6), x=normal(6))
def gesummv(alpha, beta, A, B, x):
    n = x.shape[0]
    y = np.empty(n)
    tmp = np.empty_like(x)
    for i in range(n):
        tmp[i] = 0.0
        y[i] = 0.0
        for j in range(n):
            tmp[i] = A[i, j] * x[j] + tmp[i]
            y[i] = B[i, j] * x[j] + y[i]
        y[i] = alpha * tmp[i] + beta * y[i]
    return y


@kernel(alpha=1.5, beta=0.7, C=normal(4, 5), A=normal(4, 6), B=normal(6, 5))
def gemm(alpha, beta, C, A, B):
    C[:] = alpha * A @ B + beta * C


@kernel(alpha=1.5, beta=0.7, C=normal(4, 5), A=normal(4, 3), B=normal(3, 5))
def gemm_loops(alpha, beta, C, A, B):
    for i in range(C.shape[0]):
        C[i, :] *= beta
        for k in range(A.shape[1]):
            for j in range(C.shape[1]):
                C[i, j] += alpha * A[i, k] * B[k, j]


@kernel(alpha=1.5, beta=0.7, A=normal(4, 5), B=normal(5, 3), C=normal(3, 6), D=normal(4, 6))
def two_mm(alpha, beta, A, B, C, D):
    tmp = np.zeros((A.shape[0], B.shape[1]))
    for i in range(A.shape[0]):
        for j in range(B.shape[1]):
            for k in range(A.shape[1]):
                tmp[i, j] += alpha * A[i, k] * B[k, j]
    D *= beta
    D += tmp @ C


@kernel(A=normal(3, 4), B=normal(4, 5), C=normal(5, 3), D=normal(3, 4))
def three_mm(A, B, C, D):
    E = np.empty((A.shape[0], B.shape[1]))
    F = np.empty((C.shape[0], D.shape[1]))
    G = np.empty((E.shape[0], F.shape[1]))
    np.matmul(A, B, out=E)
    np.dot(C, D, out=F)
    np.dot(E, F, G)
    return G


@kernel(alpha=1.5, beta=0.7, C=normal(5, 5), A=normal(5, 4))
def syrk(alpha, beta, C, A):
    for i in range(A.shape[0]):
        C[i, : i + 1] *= beta
        for k in range(A.shape[1]):
            C[i, : i + 1] += alpha * A[i, k] * A[: i + 1, k]


@kernel(alpha=1.5, beta=0.7, C=normal(5, 5), A=normal(5, 4), B=normal(5, 4))
def syr2k(alpha, beta, C, A, B):
    for i in range(A.shape[0]):
        C[i, : i + 1] *= beta
        for k in range(A.shape[1]):
            C[i, : i + 1] += A[: i + 1, k] * alpha * B[i, k] + B[: i + 1, k] * alpha * A[i, k]


@kernel(alpha=1.5, beta=0.7, C=normal(4, 5), A=normal(4, 4), B=normal(4, 5))
def symm(alpha, beta, C, A, B):
    temp2 = np.empty((C.shape[1],), dtype=C.dtype)
    C *= beta
    for i in range(C.shape[0]):
        for j in range(C.shape[1]):
            C[:i, j] += alpha * B[i, j] * A[i, :i]
            temp2[j] = B[:i, j] @ A[i, :i]
        C[i, :] += alpha * B[i, :] * A[i, i] + alpha * temp2


@kernel(alpha=1.5, A=normal(5, 5), B=normal(5, 4))
def trmm(alpha, A, B):
    for i in range(B.shape[0]):
        for j in range(B.shape[1]):
            B[i, j] += np.dot(A[i + 1 :, i], B[i + 1 :, j])
    B *= alpha


@kernel(NR=2, NQ=3, NP=4, A=normal(2, 3, 4), C4=normal(4, 4))
def doitgen(NR, NQ, NP, A, C4):
    A[:] = np.reshape(np.reshape(A, (NR, NQ, 1, NP)) @ C4, (NR, NQ, NP))


@kernel(A=normal(2, 3, 4), C4=normal(4, 4), total=normal(4), inert=("total",))
def doitgen_loops(A, C4, total):
    for r in range(A.shape[0]):
        for q in range(A.shape[1]):
            for p in range(A.shape[2]):
                total[p] = 0.0
                for s in range(A.shape[2]):
                    total[p] += A[r, q, s] * C4[s, p]
            for p in range(A.shape[2]):
                A[r, q, p] = total[p]


@kernel(A=normal(4, 4), B=normal(4, 4), block=2)
def blocked_product(A, B, block):
    n = len(A)
    C = np.zeros_like(A)
    for i in range(0, n, block):
        for j in range(0, n, block):
            tile = C[i : i + block, j : j + block]
            for k in range(0, n, block):
                tile += A[i : i + block, k : k + block] @ B[k : k + block, j : j + block]
    return C


@kernel(A=dominant(5, scale=0.1), order=5)
def exponential_series(A, order):
    total = np.eye(len(A))
    term = np.eye(len(A))
    scratch = np.empty_like(A)
    for k in range(1, order + 1):
        np.matmul(term, A, out=scratch)
        scratch /= k
        term, scratch = scratch, term
        total += term
    return total


@kernel(x=normal(4), y=normal(3), z=normal(2))
def kronecker(x, y, z):
    out = np.zeros((len(x), len(y) * len(z)))
    for i, xi in enumerate(x):
        row = out[i]
        for j in range(len(y)):
            row[j * len(z) : (j + 1) * len(z)] = xi * y[j] * z
    return out


def strassen(A, B):
    n = len(A)
    if n == 1:
        return A * B
    h = n // 2
    a, b, c, d = A[:h, :h], A[:h, h:], A[h:, :h], A[h:, h:]
    e, f, g, k = B[:h, :h], B[:h, h:], B[h:, :h], B[h:, h:]
    p1, p2, p3 = strassen(a, f - k), strassen(a + b, k), strassen(c + d, e)
    p4, p5 = strassen(d, g - e), strassen(a + d, e + k)
    p6, p7 = strassen(b - d, g + k), strassen(a - c, e + f)
    C = np.empty_like(A)
    C[:h, :h] = p5 + p4 - p2 + p6
    C[:h, h:] = p1 + p2
    C[h:, :h] = p3 + p4
    C[h:, h:] = p1 + p5 - p3 - p7
    return C


@kernel(A=normal(4, 4), B=normal(4, 4))
def product_by_seven(A, B):
    return strassen(A, B)
