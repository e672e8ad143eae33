"""Dynamic programming, trees of prices, graphs."""

from __future__ import annotations

import numpy as np

from tests.kernels.corpus import integers, kernel, normal, positive


@kernel(path=positive(5, 5, low=0.2, high=4.0))
def floyd_warshall(path):
    for k in range(path.shape[0]):
        path[:] = np.minimum(path[:], np.add.outer(path[:, k], path[k, :]))


@kernel(path=positive(5, 5, low=0.2, high=4.0))
def floyd_warshall_loops(path):
    n = len(path)
    for k in range(n):
        for i in range(n):
            for j in range(n):
                if path[i, k] + path[k, j] < path[i, j]:
                    path[i, j] = path[i, k] + path[k, j]


def match(b1, b2):
    if b1 + b2 == 3:
        return 1
    return 0


@kernel(seq=integers(4, 8), pay=1.7)
def nussinov(seq, pay):
    """The table holds whole numbers: nothing flows through it."""
    N = len(seq)
    table = np.zeros((N, N), np.int32)
    for i in range(N - 1, -1, -1):
        for j in range(i + 1, N):
            if j - 1 >= 0:
                table[i, j] = max(table[i, j], table[i, j - 1])
            if i + 1 < N:
                table[i, j] = max(table[i, j], table[i + 1, j])
            if j - 1 >= 0 and i + 1 < N:
                if i < j - 1:
                    table[i, j] = max(table[i, j], table[i + 1, j - 1] + match(seq[i], seq[j]))
                else:
                    table[i, j] = max(table[i, j], table[i + 1, j - 1])
            for k in range(i + 1, j):
                table[i, j] = max(table[i, j], table[i, k] + table[k + 1, j])
    return pay * table[0, N - 1] + pay**2


@kernel(x=normal(6), inert=("x",))
def rounded(x):
    """A store into whole numbers ends the derivative."""
    counts = np.zeros(len(x), dtype=int)
    for i in range(len(x)):
        counts[i] = np.floor(4.0 * x[i])
    return counts * 0.5


@kernel(start=normal(3), transition=normal(3, 3), emission=normal(5, 3))
def forward_algorithm(start, transition, emission):
    alpha = np.zeros_like(emission)
    alpha[0] = start + emission[0]
    for t in range(1, len(emission)):
        for j in range(len(start)):
            scores = alpha[t - 1] + transition[:, j]
            top = np.max(scores)
            alpha[t, j] = emission[t, j] + top + np.log(np.sum(np.exp(scores - top)))
    return np.log(np.sum(np.exp(alpha[-1])))


@kernel(start=normal(3), transition=normal(3, 3), emission=normal(5, 3))
def viterbi(start, transition, emission):
    delta = np.empty(emission.shape)
    back = np.zeros(emission.shape, dtype=int)
    delta[0] = start + emission[0]
    for t in range(1, emission.shape[0]):
        scores = delta[t - 1][:, None] + transition
        back[t] = scores.argmax(axis=0)
        delta[t] = scores.max(axis=0) + emission[t]
    state = int(np.argmax(delta[-1]))
    total = delta[-1, state]
    for t in range(emission.shape[0] - 1, 0, -1):
        state = back[t, state]
        total += 0.1 * delta[t - 1, state]
    return total


@kernel(x=normal(5), y=normal(6))
def time_warping(x, y):
    n, m = len(x), len(y)
    D = np.full((n + 1, m + 1), np.inf)
    D[0, 0] = 0.0
    for i in range(1, n + 1):
        for j in range(1, m + 1):
            cost = (x[i - 1] - y[j - 1]) ** 2
            D[i, j] = cost + min(D[i - 1, j], D[i, j - 1], D[i - 1, j - 1])
    return D[n, m]


@kernel(x=normal(4), y=normal(5), gamma=0.7)
def soft_time_warping(x, y, gamma):
    n, m = len(x), len(y)
    R = np.zeros((n + 1, m + 1)) + 1e3
    R[0, 0] = 0.0
    for i in range(1, n + 1):
        for j in range(1, m + 1):
            before = np.array([R[i - 1, j - 1], R[i - 1, j], R[i, j - 1]])
            low = np.min(before)
            soft = low - gamma * np.log(np.sum(np.exp(-(before - low) / gamma)))
            R[i, j] = abs(x[i - 1] - y[j - 1]) ** 1.5 + soft
    return R[n, m]


@kernel(similarity=normal(4, 5), penalty=0.6)
def smith_waterman(similarity, penalty):
    H = np.zeros((similarity.shape[0] + 1, similarity.shape[1] + 1))
    best = 0.0
    for i in range(1, H.shape[0]):
        for j in range(1, H.shape[1]):
            H[i, j] = max(
                0.0,
                H[i - 1, j - 1] + similarity[i - 1, j - 1],
                H[i - 1, j] - penalty,
                H[i, j - 1] - penalty,
            )
            best = max(best, H[i, j])
    return best, H


@kernel(weight=positive(5, low=0.3, high=1.0), temperature=0.5)
def soft_edit_distance(weight, temperature):
    """Two rows that change places."""
    previous = np.arange(6) * 0.8
    current = np.zeros(6)
    for i in range(4):
        current[0] = previous[0] + 0.9
        for j in range(1, 6):
            options = -np.array(
                [previous[j] + 1.0, current[j - 1] + 0.7, previous[j - 1] + weight[j - 1]]
            )
            current[j] = -temperature * np.log(np.sum(np.exp(options / temperature)))
        previous, current = current, previous
    return previous[-1]


@kernel(S=100.0, K=97.0, r=0.05, sigma=0.3, T=1.0, n=5)
def binomial_call(S, K, r, sigma, T, n):
    dt = T / n
    u = np.exp(sigma * np.sqrt(dt))
    d = 1.0 / u
    p = (np.exp(r * dt) - d) / (u - d)
    V = np.zeros(n + 1)
    for j in range(n + 1):
        V[j] = max(S * u**j * d ** (n - j) - K, 0.0)
    for i in range(n - 1, -1, -1):
        for j in range(i + 1):
            V[j] = np.exp(-r * dt) * (p * V[j + 1] + (1.0 - p) * V[j])
    return V[0]


@kernel(spot=positive(3, low=36.0, high=44.0), strike=40.3, rate=0.06, vol=0.2, steps=5)
def american_put(spot, strike, rate, vol, steps):
    dt = 1.0 / steps
    up = np.exp(vol * np.sqrt(dt))
    prices = np.empty((len(spot), steps + 1))
    prob = (np.exp(rate * dt) - 1.0 / up) / (up - 1.0 / up)
    disc = np.exp(-rate * dt)
    powers = up ** np.arange(-steps, steps + 1, 2)
    prices[:] = spot[:, np.newaxis] * powers
    values = np.maximum(strike - prices, 0.0)
    for level in range(steps, 0, -1):
        values[:, :-1] = disc * (prob * values[:, 1:] + (1.0 - prob) * values[:, :-1])
        prices[:, :level] = prices[:, :level] * up
        np.maximum(values[:, :level], strike - prices[:, :level], out=values[:, :level])
    return values[:, 0]


@kernel(
    rates=positive(5, low=0.01, high=0.05), maturities=np.arange(1.0, 6.0), inert=("maturities",)
)
def bootstrap_discounts(rates, maturities):
    discounts = np.zeros(len(rates))
    for i in range(len(rates)):
        coupons = 0.0
        for j in range(i):
            coupons += rates[i] * discounts[j]
        discounts[i] = (1.0 - coupons) / (1.0 + rates[i])
    return discounts


@kernel(v=normal(5), reward=normal(5, 2), P=positive(2, 5, 5), discount=0.8)
def value_iteration(v, reward, P, discount):
    P /= P.sum(axis=2, keepdims=True)
    for _ in range(3):
        q = np.empty((5, 2))
        for action in range(2):
            q[:, action] = reward[:, action] + discount * (P[action] @ v)
        v[:] = q.max(axis=1)


@kernel(links=positive(5, 5), damping=0.85)
def page_rank(links, damping):
    n = links.shape[0]
    np.fill_diagonal(links, 0.0)
    links /= links.sum(axis=0)
    rank = np.full(n, 1.0 / n)
    for _ in range(4):
        rank[:] = damping * (links @ rank) + (1.0 - damping) / n
    return rank


@kernel(potential=normal(5), coupling=normal(4))
def belief_propagation(potential, coupling):
    right = np.zeros((5, 2))
    left = np.zeros((5, 2))
    spins = np.array([-1.0, 1.0])
    for i in range(1, 5):
        for s in range(2):
            energy = right[i - 1] + potential[i - 1] * spins + coupling[i - 1] * spins * spins[s]
            right[i, s] = np.log(np.exp(energy).sum())
    for i in range(3, -1, -1):
        for s in range(2):
            energy = left[i + 1] + potential[i + 1] * spins + coupling[i] * spins * spins[s]
            left[i, s] = np.log(np.exp(energy).sum())
    belief = right + left + np.outer(potential, spins)
    belief -= np.log(np.exp(belief).sum(axis=1, keepdims=True))
    return np.exp(belief[:, 1])


@kernel(weight=positive(6), edges=np.array([[0, 1], [1, 2], [0, 2], [2, 3], [3, 1], [1, 0]]))
def graph_laplacian(weight, edges):
    L = np.zeros((4, 4))
    for w, (i, j) in zip(weight, edges):
        L[i, i] += w
        L[j, j] += w
        L[i, j] -= w
        L[j, i] -= w
    return L


@kernel(cost=positive(4, 5, low=0.1, high=3.0))
def seam(cost):
    """The cheapest way down, in place, borders by padding with infinity."""
    for i in range(1, cost.shape[0]):
        above = np.pad(cost[i - 1], 1, mode="constant", constant_values=1e9)
        cost[i] += np.minimum(np.minimum(above[:-2], above[1:-1]), above[2:])
    return cost[-1].min()
