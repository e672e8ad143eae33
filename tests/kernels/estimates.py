"""Layers, filters, mixtures and alignments with buffers that are used again."""

from __future__ import annotations

import numpy as np

from tests.kernels.corpus import (
    definite,
    kernel,
    normal,
    positive,
    record,
    series,
)


@kernel(x=normal(6, 6))
def max_pool_strided(x):
    out = np.full((3, 3), -1e9)
    for i in range(2):
        for j in range(2):
            np.maximum(out, x[i::2, j::2], out=out)
    x[::2, ::2] -= out
    return out


@kernel(x=normal(2, 5, 5), k=normal(3, 2, 3, 3), b=normal(3))
def conv2d_strided(x, k, b):
    out = np.empty((3, 2, 2))
    for o in range(3):
        out[o] = b[o]
        for i in range(2):
            for j in range(2):
                out[o, i, j] += np.sum(x[:, 2 * i : 2 * i + 3, 2 * j : 2 * j + 3] * k[o])
    np.maximum(out, 0.1 * out, out=out)
    return out


@kernel(x=normal(2, 3), k=normal(2, 2), stride=2)
def transposed_convolution(x, k, stride):
    out = np.zeros((4, 6))
    for i in range(2):
        for j in range(3):
            out[stride * i : stride * i + 2, stride * j : stride * j + 2] += x[i, j] * k
    return out


@kernel(x=normal(3, 4), columns=normal(4, 9), inert=("columns",))
def im2col(x, columns):
    p = np.pad(x, 1)
    k = 0
    for i in range(3):
        for j in range(3):
            columns[:, k] = p[i : i + 2, j : j + 2].ravel()
            k += 1
    return columns @ columns.T


@kernel(x=normal(3, 4), h=normal(5), c=normal(5), W=normal(20, 9, scale=0.4), b=normal(20))
def lstm_preallocated(x, h, c, W, b):
    z = np.empty(9)
    gates = np.empty(20)
    hs = np.empty((3, 5))
    for t in range(3):
        z[:4], z[4:] = x[t], h
        np.matmul(W, z, out=gates)
        gates += b
        i, f, o, g = gates[:5], gates[5:10], gates[10:15], gates[15:]
        gates[:15] = 1.0 / (1.0 + np.exp(-gates[:15]))
        np.tanh(g, out=g)
        c *= f
        c += i * g
        h[:] = o * np.tanh(c)
        hs[t] = h
    return hs


@kernel(x=normal(4, 3), h=normal(3), W=normal(3, 3, scale=0.5), U=normal(3, 3, scale=0.5))
def gru(x, h, W, U):
    states = [h]
    for row in x:
        s = states[-1]
        z = 1.0 / (1.0 + np.exp(-(W @ row + U @ s)))
        candidate = np.tanh(row + U @ (z * s))
        candidate *= z
        candidate += (1.0 - z) * s
        states.append(candidate)
    return np.array(states[1:])


@kernel(x=normal(5, 3), gamma=normal(3), beta=normal(3), mean=normal(3), var=positive(3))
def batch_norm_in_place(x, gamma, beta, mean, var):
    m = x.mean(axis=0)
    x -= m
    v = np.mean(x * x, axis=0)
    x /= np.sqrt(v + 1e-3)
    mean *= 0.9
    mean += 0.1 * m
    var[...] = 0.9 * var + 0.1 * v
    x *= gamma
    x += beta


@kernel(x=normal(6, 2), centers=normal(3, 2))
def k_means_soft(x, centers):
    for _ in range(2):
        w = np.empty((6, 3))
        for j in range(3):
            w[:, j] = -np.sum((x - centers[j]) ** 2, axis=1)
        w -= w.max(axis=1, keepdims=True)
        np.exp(w, out=w)
        w /= w.sum(axis=1)[:, None]
        for j in range(3):
            centers[j] = w[:, j] @ x / np.sum(w[:, j])


@kernel(x=normal(5), mu=normal(2), var=positive(2), pi=positive(2))
def mixture_em(x, mu, var, pi):
    r = np.zeros((5, 2))
    for _ in range(2):
        for k in range(2):
            r[:, k] = pi[k] * np.exp(-0.5 * (x - mu[k]) ** 2 / var[k]) / np.sqrt(var[k])
        r /= np.sum(r, axis=1, keepdims=True)
        n = r.sum(axis=0)
        mu[:] = r.T @ x / n
        for k in range(2):
            var[k] = r[:, k] @ (x - mu[k]) ** 2 / n[k] + 0.1
        pi[:] = n / len(x)


@kernel(x=normal(2), P=definite(2), z=normal(3), q=0.1, r=0.3)
def extended_kalman(x, P, z, q, r):
    F = np.eye(2)
    for obs in z:
        F[0, 1] = 0.1
        F[1, 0] = -0.1 * np.cos(x[0])
        x[0], x[1] = x[0] + 0.1 * x[1], x[1] - 0.1 * np.sin(x[0])
        P[:] = F @ P @ F.T
        P[np.diag_indices(2)] += q
        H = np.array([2.0 * x[0], 0.0])
        S = H @ P @ H + r
        K = P @ H / S
        x += K * (obs - x[0] ** 2)
        P -= np.outer(K, H @ P)


@kernel(y=normal(3), A=normal(3, 3, scale=0.4), dt=0.2)
def dormand_prince(y, A, dt):
    k = np.zeros((4, 3))
    tmp = np.empty(3)
    table = [[], [0.5], [0.0, 0.75], [2 / 9, 1 / 3, 4 / 9]]
    for _ in range(2):
        for s in range(4):
            tmp[:] = y
            for j, a in enumerate(table[s]):
                tmp += dt * a * k[j]
            k[s] = np.tanh(A @ tmp) - 0.3 * tmp
        y += dt * (2 * k[0] + 3 * k[1] + 4 * k[2]) / 9
    error = dt * np.sum(np.abs(k[3] - k[0]))
    return error


@kernel(pos=normal(3, 2, scale=2.0), vel=normal(3, 2), mass=positive(3), dt=0.05)
def verlet_with_cached_forces(pos, vel, mass, dt):
    force, new = np.zeros((3, 2)), np.zeros((3, 2))
    for _ in range(2):
        new.fill(0.0)
        for i in range(3):
            for j in range(i):
                d = pos[i] - pos[j]
                f = mass[i] * mass[j] * d / (d @ d + 0.2) ** 1.5
                new[i] -= f
                new[j] += f
        vel += 0.5 * dt * (force + new) / mass[:, None]
        pos += dt * vel + 0.5 * dt**2 * new / mass[:, np.newaxis]
        force, new = new, force


@kernel(start=normal(3), move=normal(3, 3), emit=normal(3, 4), tokens=np.array([0, 2, 1, 3, 2]))
def forward_backward(start, move, emit, tokens):
    n = len(tokens)
    alpha, beta = np.zeros((n, 3)), np.zeros((n, 3))
    alpha[0] = start + emit[:, tokens[0]]
    for t in range(1, n):
        s = alpha[t - 1][:, None] + move
        m = s.max(axis=0)
        alpha[t] = m + np.log(np.sum(np.exp(s - m), axis=0)) + emit[:, tokens[t]]
    for t in range(n - 2, -1, -1):
        s = move + emit[:, tokens[t + 1]] + beta[t + 1]
        m = np.max(s, axis=1)
        beta[t] = m + np.log(np.exp(s - m[:, None]).sum(axis=1))
    gamma = alpha + beta
    gamma -= gamma.max(axis=1, keepdims=True)
    np.exp(gamma, out=gamma)
    gamma /= gamma.sum(axis=1, keepdims=True)
    return gamma


@kernel(price=positive(5), weight=np.array([1, 2, 3, 1, 2]), capacity=5)
def knapsack(price, weight, capacity):
    best = np.zeros(capacity + 1)
    for i, w in enumerate(weight):
        for c in range(capacity, w - 1, -1):
            if best[c - w] + price[i] > best[c]:
                best[c] = best[c - w] + price[i]
    return best


@kernel(dims=positive(5))
def matrix_chain(dims):
    n = 4
    cost = np.zeros((n, n))
    for span in range(1, n):
        for i in range(n - span):
            j = i + span
            cost[i, j] = 1e9
            for k in range(i, j):
                c = cost[i, k] + cost[k + 1, j] + dims[i] * dims[k + 1] * dims[j + 1]
                if c < cost[i, j]:
                    cost[i, j] = c
    return cost


@kernel(a=normal(4), b=normal(5), cost=0.3)
def needleman_wunsch_soft(a, b, cost):
    D = np.zeros((5, 6))
    D[1:, 0] = cost * np.arange(1, 5)
    D[0, 1:] = cost * np.arange(1, 6)
    for i in range(1, 5):
        for j in range(1, 6):
            options = np.array(
                [
                    D[i - 1, j - 1] + (a[i - 1] - b[j - 1]) ** 2,
                    D[i - 1, j] + cost,
                    D[i, j - 1] + cost,
                ]
            )
            D[i, j] = -np.log(np.sum(np.exp(-options)))
    return D[4, 5]


@kernel(d=positive(4, 4))
def soft_floyd_warshall(d):
    for k in range(4):
        for i in range(4):
            d[i] = -np.logaddexp(-d[i], -(d[i, k] + d[k]))


@kernel(x=normal(3, 6), w=positive(6))
def weighted_histograms(x, w):
    bins = np.zeros((3, 4))
    which = np.array([0, 3, 1, 1, 0, 2])
    for row, out in zip(x, bins):
        np.add.at(out, which, row * w)
        out[which[:3]] *= w[:3]
    return bins


@kernel(u=normal(9, scale=0.5), f=normal(9), h=0.125)
def full_multigrid(u, f, h):
    coarse_f, coarse_u = np.zeros(5), np.zeros(5)
    for _ in range(2):
        for parity in (1, 2):
            u[parity:-1:2] = 0.5 * (
                u[parity - 1 : -2 : 2] + u[parity + 1 :: 2] + h * h * f[parity:-1:2]
            )
        r = np.zeros(9)
        r[1:-1] = f[1:-1] + (u[:-2] - 2.0 * u[1:-1] + u[2:]) / (h * h)
        coarse_f[1:-1] = 0.25 * (r[1:-2:2] + 2.0 * r[2:-1:2] + r[3::2])[: len(coarse_f) - 2]
        coarse_u.fill(0.0)
        for _ in range(3):
            for i in range(1, 4):
                coarse_u[i] = 0.5 * (coarse_u[i - 1] + coarse_u[i + 1] + 4.0 * h * h * coarse_f[i])
        u[::2] += coarse_u
        u[1::2] += 0.5 * (coarse_u[:-1] + coarse_u[1:])


@kernel(p=normal(4, 4), b=normal(4, 4), omega=1.3)
def sor_wavefront(p, b, omega):
    for _ in range(2):
        for s in range(2, 5):
            for i in range(1, 3):
                j = s - i
                if 1 <= j <= 2:
                    new = 0.25 * (p[i - 1, j] + p[i + 1, j] + p[i, j - 1] + p[i, j + 1] - b[i, j])
                    p[i, j] = (1.0 - omega) * p[i, j] + omega * new
        p[0], p[-1] = p[1], p[-2]
        p[:, 0] = p[:, 1]


@kernel(
    params=record(w=normal(3, 2), b=normal(2)),
    state=record(w=positive(3, 2), b=positive(2)),
    x=normal(4, 3),
)
def rmsprop(params, state, x):
    for _ in range(2):
        y = np.tanh(x @ params["w"] + params["b"])
        e = (1.0 - y * y) * y
        grads = {"w": x.T @ e, "b": e.sum(axis=0)}
        for key in ("w", "b"):
            state[key] *= 0.9
            state[key] += 0.1 * grads[key] ** 2
            params[key] -= 0.1 * grads[key] / (np.sqrt(state[key]) + 1e-3)


@kernel(layers=series(3, normal(3, 3, scale=0.5)), x=normal(3), skip=normal(3))
def residual_list(layers, x, skip):
    acts = [x]
    for k, W in enumerate(layers):
        W *= 0.9
        a = np.tanh(W @ acts[k])
        a += acts[k] * skip
        acts.append(a)
        acts[k] *= 0.5
    return acts[-1]


@kernel(img=positive(4, 5), sigma=0.6)
def bilateral(img, sigma):
    out = np.zeros_like(img)
    norm = np.zeros_like(img)
    p = np.pad(img, 1, mode="edge")
    for dy in range(3):
        for dx in range(3):
            q = p[dy : dy + 4, dx : dx + 5]
            w = np.exp(-((q - img) ** 2) / sigma)
            out += w * q
            norm += w
    out /= norm
    img[:] = out
    return norm


@kernel(x=normal(5), y=normal(5), length=positive(1), noise=0.2)
def gaussian_process(x, y, length, noise):
    K = np.empty((5, 5))
    for i in range(5):
        for j in range(i + 1):
            K[i, j] = K[j, i] = np.exp(-0.5 * ((x[i] - x[j]) / length[0]) ** 2)
        K[i, i] += noise
    L = np.linalg.cholesky(K)
    a = y.copy()
    for i in range(5):
        a[i] = (a[i] - L[i, :i] @ a[:i]) / L[i, i]
    return 0.5 * a @ a + np.sum(np.log(np.diagonal(L)))
