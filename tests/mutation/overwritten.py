"""What a rule reads backward was overwritten after it was read."""

from __future__ import annotations

import numpy as np

from tests.mutation.registry import W4, W33, W232, block, case, square, vector


@case(vector())
def read_through_views_and_overwritten(x):
    a = x * 1.0
    v = a[1:3]
    s = np.sin(v)
    v[:] = s * a[0]
    t = np.exp(0.3 * v)
    a[2] = t[0]
    r = v * v
    a.fill(x[0])
    return np.sum(s * t * r) + np.sum(W4 * v[0] * a)


@case(square())
def matrix_product_operand_overwritten(m):
    a = m * 1.0
    b = a @ m
    a[0] = b[1]
    c = a @ b.T
    b[:, 1] = c[0]
    d = b @ a[0]
    a.T[2] = d
    return np.sum(W33 * a * c) + d @ d


@case(square())
def solve_operand_overwritten(m):
    a = m + 4.0 * np.eye(3)
    b = m[0] * 1.0
    y = np.linalg.solve(a, b)
    a[1] *= y
    b[:] = y * b
    z = np.linalg.solve(a, b)
    a[2, 0] = z[1]
    return np.sum(y * z) + np.sum(W33 * a * a)


@case(vector())
def reductions_of_overwritten(x):
    a = x * x + 0.5
    p = np.prod(a)
    q = np.max(a)
    n = np.linalg.norm(a)
    s = np.std(a)
    a[:2] = p * 0.1
    r = np.prod(a) + np.min(a[2:])
    a *= n
    m = np.mean(a) * np.var(a)
    return p * q + n * s + r * m


@case(vector())
def scan_of_overwritten(x):
    a = x * 1.0
    c = np.cumprod(a + 2.0)
    a[1] = c[2] * 0.1
    d = np.cumsum(a)
    a -= d
    e = np.diff(a)
    a[:3] *= e
    return np.sum(W4 * a * c) + np.sum(e * d[1:])


@case(np.array([[0.5, -0.25, 1.0], [0.75, 0.5, -0.5], [-1.0, 0.25, 0.5]]))  # exact in any order
def einsum_of_overwritten(m):
    a = m * 1.0
    b = np.einsum("ij,jk->ki", a, m)
    a[0] = b[:, 1]
    c = np.einsum("ii,ij->j", b, a)
    b[1] = c
    np.einsum("ij,j->i", a, c, out=a[2])
    return np.sum(W33 * a * b) + c @ c


@case(vector(), 3)
def powers_of_overwritten(x, n):
    a = x * x + 0.3
    for k in range(n):
        b = a**2
        c = a**x
        a[k] = b[k + 1] * c[0]
        a[1:] = np.sqrt(a[1:] * a[1:] + c[1:])
    return np.sum(W4 * a)


@case(vector(), 3)
def loop_reads_old_and_new(x, n):
    a = x * 1.0
    h = np.zeros((n + 1, 4))
    h[0] = a
    for k in range(n):
        h[k + 1] = h[k] * a
        a[k] = h[k + 1, k + 1]
        a += h[k]
        a *= 0.6
    return np.sum(W4 * h[n] * a) + np.sum(h * h)


@case(vector(), 3)
def branch_in_a_loop_rebinds(x, n):
    a = x * 1.0
    b = a
    for k in range(n):
        if k % 2:
            b = a * x
            b[k] = a[0]
        else:
            a = b + x
            a[k + 1] *= b[k]
        b[0] += 0.1 * a[3]
    return np.sum(W4 * a * b)


@case(vector(), 4)
def view_by_a_loop(x, n):
    a = x * 1.0
    v = a[:2]
    for k in range(n):
        v[0] += v[1] * a[3]
        v = a[k % 3 : k % 3 + 2]
        v *= 0.8
    return np.sum(W4 * a * a) + v[0]


@case(square(), 4)
def row_by_a_loop(m, n):
    a = m * 1.0
    r = a[0]
    for k in range(n):
        s = a[(k + 1) % 3]
        s += r * a[k % 3, 1]
        r[k % 3] = s[0]
        r = s
    return np.sum(W33 * a * a) + r[1]


@case(square())
def pivot_rows(m):
    a = m * 1.0
    for j in range(2):
        p = j + np.argmax(np.abs(a[j:, j]))
        a[[j, p]] = a[[p, j]]
        f = a[j + 1 :, j] / a[j, j]
        a[j + 1 :] -= f[:, None] * a[j]
        a[j + 1 :, j] = f
    return np.sum(W33 * a)


@case(square())
def at_on_two_axes(m):
    a = np.zeros((3, 3))
    i, j = np.array([0, 1, 1, 2]), np.array([2, 1, 1, 0])
    np.add.at(a, (i, j), m[i, j] * m[j, i])
    a[i, j] += m[0, 0]
    np.add.at(a, (slice(None), 1), m[2])
    np.add.at(a.T, 0, a[1])
    return np.sum(W33 * a * a)


@case(block())
def mixed_indices(t):
    a = t * 1.0
    k = np.array([1, 0, 1])
    a[k, [0, 1, 2]] *= a[0, :, :]
    a[:, k[:2], 0] = a[1, 1:, :]
    a[..., [1, 0]] += a
    a[a > 0.5] = t[1, 2, 1]
    return np.sum(W232 * a * a)


@case(block())
def index_none_and_negative(t):
    a = t * 1.0
    v = a[:, ::-1, None]
    v[0, :, 0] = a[1] * a[-1, -1, -1]
    w = a[::-1, 1]
    w[0] += v[1, 0, 0]
    a[-1, ..., -1] *= a[0, :, 0]
    return np.sum(W232 * a * a)


@case(vector())
def indices_from_a_search(x):
    a = np.sort(x) * 1.0
    k = np.searchsorted(a, 0.5)
    a[k] *= a[k - 1]
    i = np.nonzero(a > 0.3)[0]
    a[i] = a[i] * a[i[0]]
    i[0] = 3
    a[i] += x[i]
    return np.sum(W4 * a * a)


@case(vector(), 3)
def while_with_changing_bounds(x, n):
    a = x * 1.0
    low, high = 0, n
    while low < high:
        a[low], a[high] = a[high] * a[low], a[low]
        a[low:high] += a[high]
        low += 1
        high -= 1
    return np.sum(W4 * a * a)


@case(vector())
def stack_of_one_array(x):
    stack = []
    a = x * 1.0
    for k in range(3):
        stack.append(a)
        a[k] *= a[k + 1]
    b = stack.pop()
    b[0] = 1.5
    return np.sum(W4 * a * b * stack[0])


@case(vector(), vector(1))
def dict_of_aliases(x, u):
    d = {"p": x * 1.0, "q": u * 1.0}
    d["r"] = d["p"]
    d["r"][1] = d["q"][0]
    d["p"], d["q"] = d["q"], d["p"]
    d["q"] *= d["p"]
    d["p"][2] += d["r"][3]
    return np.sum(W4 * d["p"] * d["q"])


@case(square())
def zip_of_rows_and_columns(m):
    a = m * 1.0
    for r, c in zip(a, a.T):
        r += c
        c[0] = r[2] * r[1]
    return np.sum(W33 * a * a)


@case(vector())
def delayed_reads(x):
    a = x * 1.0
    v = a[:]
    w = v[...]
    z = np.sin(w) + v
    a[1] = z[1]
    p = w * z
    v[2] = p[0]
    z[:] = a
    q = w * z * p
    w[3] = q[1]
    return np.sum(W4 * q * a) + np.sum(z)


@case(vector())
def tuple_assignment_of_slices(x):
    a = x * 1.0
    a[:2], a[2:] = a[2:].copy(), a[:2] * x[0]
    a[0], a[1], a[2] = a[2], a[0] * a[1], a[1]
    (a[3], b), c = (a[0] * 2.0, a[1:3]), a[3]
    b *= c
    return np.sum(W4 * a * a)


@case(vector())
def index_that_changes_after_its_store(x):
    a = x * 1.0
    s = np.sum(a * x)
    k, mask = np.array([1, 1, 0]), x > 0.5
    j, places = k[1:], [3, 2]
    a[k] += 0.3
    a[mask] = 0.4
    k[0] = 2
    s += np.sum(a * a)
    a[j] = x[j] * x[0]
    j[0] = 3
    a[places] *= 0.7
    mask[:] = ~mask
    places[0] = 1
    return s + np.sum(a * a * a)


def marked(a, k):
    a[k] = 0.3 * a[0]
    k[0] = (k[0] + 1) % 4


@case(vector())
def index_that_a_procedure_changes(x):
    a, k = x * 1.0, [np.array([3, 1])]
    s = 0.0
    for _ in range(3):
        s += np.sum(a * a)
        marked(a, k[0])
        k[0][1] = k[0][0] - 1
    return s + np.sum(a * a)


@case(vector(), np.array(0.7))
def number_in_an_array_is_swapped(x, z):
    z[...] = z * x[0]
    z[()], z[...] = z[...], x[1] * z
    x[2], z[()] = z[()], x[3]
    return np.sum(W4 * x * x) * z
