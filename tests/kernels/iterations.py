"""Iterations: solvers, eigenvalues, recurrences, polynomials."""

from __future__ import annotations

import numpy as np

from tests.kernels.corpus import definite, dominant, kernel, normal, positive


@kernel(A=dominant(5), b=normal(5), x=normal(5), omega=1.1)
def sor(A, b, x, omega):
    for sweep in range(3):
        for i in range(len(b)):
            sigma = 0.0
            for j in range(len(b)):
                if j != i:
                    sigma += A[i, j] * x[j]
            x[i] = (1 - omega) * x[i] + omega * (b[i] - sigma) / A[i, i]
    return x


@kernel(A=definite(6), b=normal(6))
def conjugate_gradient(A, b):
    x = np.zeros_like(b)
    r = b - A @ x
    p = r.copy()
    rs = r @ r
    for _ in range(4):
        Ap = A @ p
        alpha = rs / (p @ Ap)
        x += alpha * p
        r -= alpha * Ap
        new = r @ r
        p *= new / rs
        p += r
        rs = new
    return x


@kernel(A=definite(5), b=normal(5), x=normal(5))
def conjugate_gradient_until(A, b, x):
    r = b - np.dot(A, x)
    p = r.copy()
    rsold = np.dot(r, r)
    while np.sqrt(rsold) > 1e-2:
        Ap = np.dot(A, p)
        alpha = rsold / np.dot(p, Ap)
        x += alpha * p
        r -= alpha * Ap
        rsnew = np.dot(r, r)
        p[:] = r + (rsnew / rsold) * p
        rsold = rsnew


@kernel(A=definite(5), v=normal(5))
def power_iteration(A, v):
    w = np.empty_like(v)
    for _ in range(5):
        np.dot(A, v, out=w)
        v[:] = w / np.linalg.norm(w)
    return v @ A @ v


def smooth(u, f, h, sweeps):
    for _ in range(sweeps):
        for i in range(1, len(u) - 1):
            u[i] = 0.5 * (u[i - 1] + u[i + 1] + h * h * f[i])


def residual(u, f, h):
    r = np.zeros_like(u)
    r[1:-1] = f[1:-1] + (u[:-2] - 2.0 * u[1:-1] + u[2:]) / h**2
    return r


@kernel(u=normal(9), f=normal(9), h=0.125)
def v_cycle(u, f, h):
    smooth(u, f, h, 1)
    if len(u) > 3:
        r = residual(u, f, h)
        coarse_f = r[::2].copy()
        coarse_f[1:-1] = 0.25 * (r[1:-2:2] + 2.0 * r[2:-1:2] + r[3::2])
        coarse_u = np.zeros(len(coarse_f))
        v_cycle(coarse_u, coarse_f, 2.0 * h)
        u[::2] += coarse_u
        u[1::2] += 0.5 * (coarse_u[:-1] + coarse_u[1:])
    smooth(u, f, h, 1)


@kernel(u=normal(8), f=normal(8))
def two_grids(u, f):
    def restrict(fine, coarse):
        for i in range(len(coarse)):
            coarse[i] = 0.5 * (fine[2 * i] + fine[2 * i + 1])

    def prolong(coarse, fine):
        for i in range(len(coarse)):
            fine[2 * i] += coarse[i]
            fine[2 * i + 1] += coarse[i]

    r = f - 2.0 * u
    r[1:] += u[:-1]
    r[:-1] += u[1:]
    coarse = np.empty(len(u) // 2)
    restrict(r, coarse)
    coarse *= 0.4
    prolong(coarse, u)


@kernel(x=positive(6, low=1.0, high=2.0), target=positive(6, low=3.0, high=8.0))
def newton_cube_root(x, target):
    for _ in range(4):
        for i in range(len(x)):
            x[i] -= (x[i] ** 3 - target[i]) / (3.0 * x[i] ** 2)


@kernel(x=positive(2, low=1.0, high=1.5), a=0.4)
def newton_system(x, a):
    jacobian = np.zeros((2, 2))
    f = np.zeros(2)
    for _ in range(3):
        f[0] = x[0] ** 2 + x[1] ** 2 - 4.0
        f[1] = x[0] * x[1] - a
        jacobian[0, :] = 2.0 * x
        jacobian[1, 0], jacobian[1, 1] = x[1], x[0]
        x -= np.linalg.solve(jacobian, f)
    return x


@kernel(x=positive(6, low=0.5, high=3.0))
def masked_newton(x):
    """Square roots; entries stop when they are good enough."""
    y = x.copy()
    active = np.ones(len(x), dtype=bool)
    for _ in range(6):
        y[active] = 0.5 * (y[active] + x[active] / y[active])
        active &= np.abs(y * y - x) > 1e-3
        if not active.any():
            break
    return y


@kernel(c=normal(6), x=normal(5))
def horner(c, x):
    p = np.zeros_like(x)
    for k in range(len(c) - 1, -1, -1):
        p *= x
        p += c[k]
    return p


@kernel(c=normal(6), shift=0.7)
def taylor_shift(c, shift):
    n = len(c)
    for i in range(n - 1):
        for j in range(n - 2, i - 1, -1):
            c[j] += shift * c[j + 1]
    return c


@kernel(c=normal(6), x=normal(4, scale=0.5))
def clenshaw(c, x):
    b1 = np.zeros_like(x)
    b2 = np.zeros_like(x)
    for k in range(len(c) - 1, 0, -1):
        b1, b2 = 2.0 * x * b1 - b2 + c[k], b1
    return x * b1 - b2 + c[0]


@kernel(x=normal(4, scale=0.5), n=6)
def chebyshev_table(x, n):
    T = np.ones((n, len(x)))
    T[1] = x
    for k in range(2, n):
        T[k] = 2.0 * x * T[k - 1] - T[k - 2]
    return T


@kernel(x=normal(4, scale=0.5))
def legendre_out(x):
    p0, p1, work = np.ones_like(x), x.copy(), np.empty_like(x)
    for k in range(1, 5):
        np.multiply(x, p1, out=work)
        work *= (2.0 * k + 1.0) / (k + 1.0)
        p0 *= -k / (k + 1.0)
        p0 += work
        p0, p1 = p1, p0
    return p1


@kernel(points=normal(5, 2), t=0.3)
def de_casteljau(points, t):
    for r in range(1, len(points)):
        for i in range(len(points) - r):
            points[i] = (1.0 - t) * points[i] + t * points[i + 1]
    return points[0]


@kernel(x=2.4, t=np.array([0.0, 0.0, 0.0, 0.0, 1.2, 2.1, 3.3, 4.0, 4.0, 4.0, 4.0]), c=normal(7))
def de_boor(x, t, c, p=3):
    k = p
    while not t[k] <= x < t[k + 1]:
        k += 1
    d = [c[j + k - p] for j in range(p + 1)]
    for r in range(1, p + 1):
        for j in range(p, r - 1, -1):
            alpha = (x - t[j + k - p]) / (t[j + 1 + k - r] - t[j + k - p])
            d[j] = (1.0 - alpha) * d[j - 1] + alpha * d[j]
    return d[p]


@kernel(A=definite(4))
def jacobi_eigenvalues(A):
    n = len(A)
    for p in range(n - 1):
        for q in range(p + 1, n):
            theta = 0.5 * np.arctan2(2.0 * A[p, q], A[q, q] - A[p, p])
            c, s = np.cos(theta), np.sin(theta)
            rows = A[[p, q], :].copy()
            A[p, :] = c * rows[0] - s * rows[1]
            A[q, :] = s * rows[0] + c * rows[1]
            columns = A[:, [p, q]].copy()
            A[:, p] = c * columns[:, 0] - s * columns[:, 1]
            A[:, q] = s * columns[:, 0] + c * columns[:, 1]
    return np.diag(A)


@kernel(d=positive(5, low=2.0, high=5.0), e=normal(4, scale=0.5))
def tridiagonal_qr(d, e):
    """Two sweeps on a symmetric tridiagonal matrix, kept as two arrays."""
    n = len(d)
    for sweep in range(2):
        shift = d[n - 1] - 0.3
        x, z = d[0] - shift, e[0]
        for k in range(n - 1):
            r = np.sqrt(x * x + z * z)
            c, s = x / r, -z / r
            w = d[k] - d[k + 1]
            u = (w * s + 2.0 * c * e[k]) * s
            d[k] -= u
            d[k + 1] += u
            e[k] = e[k] * (c * c - s * s) + w * c * s
            x = e[k]
            if k > 0:
                e[k - 1] = r
            if k < n - 2:
                z = -s * e[k + 1]
                e[k + 1] = c * e[k + 1]


@kernel(J=normal(5, 5, scale=0.4), h=normal(5), m=normal(5, scale=0.1))
def mean_field(J, h, m):
    for sweep in range(3):
        for i in range(len(m)):
            m[i] = 0.5 * m[i] + 0.5 * np.tanh(h[i] + J[i] @ m - J[i, i] * m[i])


@kernel(x=normal(5), A=normal(5, 5, scale=0.2))
def anderson_history(x, A):
    history = np.zeros((3, len(x)))
    for k in range(5):
        history[1:] = history[:-1]
        history[0] = np.tanh(A @ x + 0.5)
        x = 0.6 * history[0] + 0.3 * history[1] + 0.1 * history[2]
    return x, history


@kernel(f=normal(9), a=0.2, b=1.4)
def romberg(f, a, b):
    R = np.zeros((4, 4))
    n = len(f) - 1
    for i in range(4):
        step = n >> i
        h = (b - a) / (1 << i)
        R[i, 0] = h * (0.5 * f[0] + 0.5 * f[n] + np.sum(f[step:n:step]))
        for k in range(1, i + 1):
            R[i, k] = R[i, k - 1] + (R[i, k - 1] - R[i - 1, k - 1]) / (4**k - 1)
    return R[3, 3]


@kernel(A=positive(4, 4, low=0.1, high=0.4), b=normal(4))
def jacobi_until_steady(A, b):
    x = np.zeros_like(b)
    for k in range(200):
        new = b - 0.5 * A @ x
        change = np.max(np.abs(new - x))
        x = new
        if change < 1e-12:
            break
    else:
        raise ArithmeticError("no convergence")
    return x


@kernel(x=positive(5, low=0.5, high=3.0))
def bracketed_roots(x):
    """Newton's steps, halved where they leave the bracket."""
    out = np.zeros_like(x)
    for i in range(len(x)):
        low, high, y = 0.0, 1.0 + x[i], 1.0
        while True:
            step = (y * y * y - x[i]) / (3.0 * y * y)
            if abs(step) < 1e-10:
                break
            y = y - step
            if y <= low or y >= high:
                y = 0.5 * (low + high)
                continue
            out[i] = y
    return out


@kernel(x=normal(6), tol=1e-3, inert=("tol",))
def series_until_small(x, tol):
    total, term = np.ones_like(x), np.ones_like(x)
    for k in range(1, 40):
        term = term * x / k
        if np.max(np.abs(term)) < tol:
            return total + 0.5 * term
        total += term
    return total
