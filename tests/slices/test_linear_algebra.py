"""Linear algebra of benchmarks, place by place."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from tests.slices.taken import case, cases, check


@case("SV", value=False)
def atax(A, x):
    m, n = A.shape
    y = np.zeros(n)
    tmp = np.zeros(m)
    for i in range(n):
        y[i] = 0.0
    for i in range(m):
        tmp[i] = 0.0
        for j in range(n):
            tmp[i] = tmp[i] + A[i, j] * x[j]
        for j in range(n):
            y[j] = y[j] + A[i, j] * tmp[i]
    return np.sum(y * y)


@case("SVV", value=False)
def bicg(A, p, r):
    n, m = A.shape
    s = np.zeros(m)
    q = np.zeros(n)
    for i in range(n):
        q[i] = 0.0
        for j in range(m):
            s[j] = s[j] + r[i] * A[i, j]
            q[i] = q[i] + A[i, j] * p[j]
    return np.sum(s * s) + np.sum(q * q)


@case("SVVVV")
def mvt(A, x1, x2, y1, y2):
    n = A.shape[0]
    for i in range(n):
        for j in range(n):
            x1[i] = x1[i] + A[i, j] * y1[j]
    for i in range(n):
        for j in range(n):
            x2[i] = x2[i] + A[j, i] * y2[j]
    return np.sum(x1 * x2)


@case("SVVVVVVVVNN")
def gemver(A, u1, v1, u2, v2, w, x, y, z, alpha, beta):
    n = A.shape[0]
    for i in range(n):
        for j in range(n):
            A[i, j] = A[i, j] + u1[i] * v1[j] + u2[i] * v2[j]
    for i in range(n):
        for j in range(n):
            x[i] = x[i] + beta * A[j, i] * y[j]
    for i in range(n):
        x[i] = x[i] + z[i]
    for i in range(n):
        for j in range(n):
            w[i] = w[i] + alpha * A[i, j] * x[j]
    return np.sum(w * w)


@case("SPVNN")
def gesummv(A, B, x, alpha, beta):
    n = A.shape[0]
    tmp = np.zeros(n)
    y = np.zeros(n)
    for i in range(n):
        tmp[i] = 0.0
        y[i] = 0.0
        for j in range(n):
            tmp[i] = A[i, j] * x[j] + tmp[i]
            y[i] = B[i, j] * x[j] + y[i]
        y[i] = alpha * tmp[i] + beta * y[i]
    return np.sum(y * y)


@case("SPPNN")
def symm(A, B, C, alpha, beta):
    m, n = C.shape
    for i in range(m):
        for j in range(n):
            temp2 = 0.0
            for k in range(i):
                C[k, j] += alpha * B[i, j] * A[i, k]
                temp2 += B[k, j] * A[i, k]
            C[i, j] = beta * C[i, j] + alpha * B[i, j] * A[i, i] + alpha * temp2
    return np.sum(C * C)


@case("SPPNN", value=False)
def syr2k(A, B, C, alpha, beta):
    n, m = A.shape
    for i in range(n):
        for j in range(i + 1):
            C[i, j] *= beta
        for k in range(m):
            for j in range(i + 1):
                C[i, j] += A[j, k] * alpha * B[i, k] + B[j, k] * alpha * A[i, k]
    return np.sum(C * C)


@case("SPN")
def trmm(A, B, alpha):
    m, n = B.shape
    for i in range(m):
        for j in range(n):
            for k in range(i + 1, m):
                B[i, j] += A[k, i] * B[k, j]
            B[i, j] = alpha * B[i, j]
    return np.sum(B * B)


@case("SPPPNN")
def mm2(A, B, C, D, alpha, beta):
    n = A.shape[0]
    tmp = np.zeros((n, n))
    for i in range(n):
        for j in range(n):
            tmp[i, j] = 0.0
            for k in range(n):
                tmp[i, j] += alpha * A[i, k] * B[k, j]
    for i in range(n):
        for j in range(n):
            D[i, j] *= beta
            for k in range(n):
                D[i, j] += tmp[i, k] * C[k, j]
    return np.sum(D * D)


@case("QP")
def doitgen(Q3, C4):
    nr, nq, np_ = Q3.shape
    s = np.zeros(np_)
    for r in range(nr):
        for q in range(nq):
            for p in range(np_):
                s[p] = 0.0
                for k in range(np_):
                    s[p] += Q3[r, q, k] * C4[k, p]
            for p in range(np_):
                Q3[r, q, p] = s[p]
    return np.sum(Q3 * Q3)


@case("P", value=False)
def covariance(data):
    n, m = data.shape
    mean = np.zeros(m)
    cov = np.zeros((m, m))
    for j in range(m):
        mean[j] = 0.0
        for i in range(n):
            mean[j] += data[i, j]
        mean[j] /= n
    for i in range(n):
        for j in range(m):
            data[i, j] -= mean[j]
    for i in range(m):
        for j in range(i, m):
            cov[i, j] = 0.0
            for k in range(n):
                cov[i, j] += data[k, i] * data[k, j]
            cov[i, j] /= n - 1.0
            cov[j, i] = cov[i, j]
    return np.sum(cov * cov)


@case("S", value=False)
def gramschmidt(A):
    m, n = A.shape
    R = np.zeros((n, n))
    Q = np.zeros((m, n))
    for k in range(n):
        nrm = 0.0
        for i in range(m):
            nrm += A[i, k] * A[i, k]
        R[k, k] = np.sqrt(nrm)
        for i in range(m):
            Q[i, k] = A[i, k] / R[k, k]
        for j in range(k + 1, n):
            R[k, j] = 0.0
            for i in range(m):
                R[k, j] += Q[i, k] * A[i, j]
            for i in range(m):
                A[i, j] = A[i, j] - Q[i, k] * R[k, j]
    return np.sum(R * R * R)


@case("SV", slices=False)
def ludcmp(A, b):
    n = A.shape[0]
    x = np.zeros(n)
    y = np.zeros(n)
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
        w = b[i]
        for j in range(i):
            w -= A[i, j] * y[j]
        y[i] = w
    for i in range(n - 1, -1, -1):
        w = y[i]
        for j in range(i + 1, n):
            w -= A[i, j] * x[j]
        x[i] = w / A[i, i]
    return np.sum(x * x)


@pytest.mark.parametrize("f", cases(globals()))
def test_slices_say_what_loops_say(f: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    check(f, monkeypatch)
