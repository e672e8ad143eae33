"""Functions and methods of NumPy that write into what they are given, or into ``out``."""

from __future__ import annotations

import numpy as np

from tests.mutation.registry import W4, W33, block, case, square, vector


@case(vector())
def multiplied_twice_at_one_place(x):
    a = x * 1.0
    np.multiply.at(a, [0, 0, 2, 0], x[::-1])
    return np.sum(W4 * a * a)


@case(vector())
def quotients_and_powers_at_places(x):
    a = x * x
    np.divide.at(a, [0, -1, 0], x[1:] + 3.0)
    np.power.at(a, [1, 1], 2.0)
    np.negative.at(a, [3, 3, 3])
    np.exp.at(a, [0, 2])
    return np.sum(W4 * a * a)


@case(vector())
def greatest_at_places(x):
    a = x * 1.0
    np.maximum.at(a, [0, 0, 1], 2.0 * x[1:])
    np.minimum.at(a, slice(2, 4), x[0] * x[:2])
    return np.sum(W4 * a * a)


@case(square(), vector())
def products_at_places_of_a_matrix(y, x):
    m = y * 1.0
    np.multiply.at(m, ([0, 2, 0], [1, 1, 1]), x[:3])
    np.multiply.at(m, [1, 1], x[0])
    np.multiply.at(m.T, (slice(None), [0, 0]), m[:, :2])
    np.multiply.at(m, m > 0.5, x[1])
    return np.sum(W33 * m * m)


@case(vector())
def products_of_what_is_written(x):
    a = x * 1.0
    np.multiply.at(a, [1, 2, 3], a[:3])
    np.multiply.at(a[1:], [0, 0], a[:2])
    return np.sum(W4 * a)


@case(vector())
def method_put_in_a_loop(x):
    a = x * 1.0
    for k in range(3):
        a.put([k, k + 1], a[k] * x[:1])
    return np.sum(W4 * a * a)


@case(square())
def partition_in_place(y):
    m = y * 1.0
    m.partition(1)
    m[:, 0].partition((0, 2))
    np.cos(m).partition(1, axis=0)
    return np.sum(m[1] * m[1] * m[:, 0])


@case(square())
def sorted_by_a_stable_method(y):
    m = y * 1.0
    m[0].sort(kind="stable")
    m.sort(0, "mergesort")
    return np.sum(W33 * m * m)


@case(vector(), square())
def shuffled_rows_and_columns(x, y):
    a, m = x * 1.0, y * 1.0
    rng = np.random.default_rng(3)
    rng.shuffle(a)
    rng.shuffle(m[:, 1:], axis=1)
    rng.shuffle(m.T)
    np.random.seed(4)
    np.random.shuffle(a[::2])
    return np.sum(W4 * a * a) * np.sum(W33 * m * m)


@case(vector())
def numbers_without_gaps(x):
    a = x * 1.0
    np.nan_to_num(a, copy=False)
    np.nan_to_num(a[1:], copy=False)
    return np.sum(W4 * a * a)


@case(vector())
def clipped_into_itself(x):
    a = x * 1.0
    np.clip(a, -0.5, 0.9, out=a)
    np.clip(a, -0.4, None, a)
    a.clip(-0.3, x[0] + 0.5, out=a)
    a[1:].clip(a[:-1], 0.7, a[1:])
    return np.sum(W4 * a * a)


@case(vector())
def scans_into_arrays(x):
    a, b = x * 1.0, np.zeros(4)
    np.cumsum(a, out=b)
    np.cumprod(b, out=a)
    a.cumsum(out=a[::-1])
    np.cumsum(a, 0, None, b)
    np.add.accumulate(b[1:], out=b[:3])
    return np.sum(W4 * a * b)


@case(square())
def products_into_arrays(m):
    c = np.zeros((3, 3))
    np.dot(m, m, out=c)
    np.dot(m, c, c)
    np.matmul(c, m, out=c.T)
    np.matmul(c, m, c)
    m.dot(c, c)
    np.einsum("ij,jk->ik", m, c, out=c, optimize=True)
    return np.sum(W33 * c)


@case(square())
def reductions_into_rows(m):
    c = m * 1.0
    np.sum(c * c, axis=0, out=c[0])
    np.mean(c, axis=1, out=c[1])
    np.max(m, axis=1, out=c[2])
    c.sum(axis=0, out=c[2])
    np.prod(c, 0, None, c[:, 1])
    m.max(0, c[0])
    np.add.reduce(m, axis=1, out=c[:, 2])
    return np.sum(W33 * c * c)


@case(square())
def reductions_of_operators(m):
    a = np.add.reduce(m) * np.multiply.reduce(m, axis=1)
    b = np.maximum.reduce(m) * np.multiply.accumulate(m, axis=1)
    return np.sum(a * b) * np.minimum.reduce(m, axis=None)


@case(block())
def copies_in_an_order(t):
    a = t.copy(order="F")
    b, c = a.copy("K"), np.copy(a, order="A")
    b.ravel(order="K")[1] *= t[0, 1, 0]
    c.reshape(-1)[0] = 3.0 * t[0, 0, 0]
    return np.sum(a * b * c)


@case(vector())
def conversion_without_a_copy(x):
    a = x * 1.0
    b, c = a.astype(float, copy=False), a.astype(float)
    b[0] = a[1] * a[2]
    c[1] = b[0]
    return np.sum(W4 * a * a * c)


@case(square())
def indices_beside_elements(y):
    m = y * 1.0
    for (i, j), v in np.ndenumerate(m):
        m[j, i] = v * y[i, j]
    for place, v in np.ndenumerate(m.T):
        m[place] += v
    return np.sum(W33 * m)


@case(vector())
def imaginary_parts_stored(x):
    z = x + 1j * x * x
    z.imag[1] = x[0] * x[2]
    z.imag[2:] = x[:2]
    z.imag[:2] *= z.real[1] + x[:2]
    z[::2].imag += 2.0 * x[:2]
    return np.sum(W4 * (z * z).real) + np.sum(z.imag * z.real)


@case(vector())
def parts_bound_as_attributes(x):
    z = x + 1j * x * x
    z.imag = x * x * x
    z.real = z.imag * x[0]
    z.imag -= z.real
    z.real *= 2.0
    z.real[1:] -= z.imag[:-1]
    z.imag = 0.5
    return np.sum(W4 * (z * z * z).real)


@case(vector())
def real_part_of_real_numbers(x):
    a = x * 1.0
    a.real = x * x
    a.real[1:] *= x[0]
    return np.sum(W4 * a * a)


@case(vector(), raises="ValueError")
def imaginary_part_of_real_numbers(x):
    a = x * 1.0
    a.imag[1] = x[0]
    return np.sum(a)


@case(vector(), raises="ValueError")
def too_long_an_imaginary_part(x):
    z = x + 1j * x
    z.imag[1:] = x
    return np.sum(z.real)


@case(vector())
def parts_given_as_out(x):
    m = np.zeros((2, 4))
    y = np.sin(x, out=m[0, :])
    y[1] *= 2.0
    np.add(m[0, 1:], x[1:], m[1, :-1])
    np.cumsum(m[1], out=m[0, ::-1])
    np.dot(np.outer(x, x), x, out=m[1, :])
    a = np.zeros(4)
    np.add(a[:-1], x[1:], out=a[1:])
    np.add(a[1:], x[0], out=a[:3])
    return np.sum(W4 * m * m) + y[0] + np.sum(W4 * a)


@case(vector(), raises="ValueError")
def part_given_as_out_that_is_too_small(x):
    a = np.zeros(4)
    np.add(x, np.ones((2, 4)), out=a[:])
    return np.sum(a)


@case(vector(), raises="UFuncTypeError")
def part_of_integers_given_as_out(x):
    k = np.zeros(4, dtype=int)
    np.multiply(x[1:], 2.0, out=k[1:])
    return np.sum(x * x) + k[0]


@case(vector(1))
def writes_in_tests(x):
    a = x * 1.0
    if np.copyto(a, x * 2.0) is None and not np.put(a, 1, x[0]):
        a[1] *= 2.0
    if np.multiply(a, 2.0, out=a)[1] > 0.0 or a.cumsum(out=a)[0] < 9.0:
        a[2] *= x[3]
    d = {"a": x[0]}
    if d.setdefault("b", x[1]) > -9.0 and d.pop("a") < 5.0:
        d["c"] = d["b"] * 2.0
    while not (d.pop("b", 7.0) > 6.0):
        a[3] += d["c"]
    return np.sum(W4 * a * a) + sum(d.values())


@case(vector())
def cleaned_where_it_stands(x):
    y = x * x
    y[1:3] = np.nan, np.inf
    z = np.nan_to_num(y, copy=False, nan=3.0, posinf=2.0)
    z[0] *= x[1]
    y[3] = np.nan
    np.nan_to_num(y[1:], False, 0.5)
    return np.sum(W4 * y * x)


@case(vector())
def copied_with_a_casting_that_is_named(x):
    y = x * x
    np.copyto(y, x[::-1], casting="same_kind")
    np.copyto(y[:2], x[0] * x[2], "unsafe", x[:2] > x[1])
    return np.sum(W4 * y)


@case(vector())
def diagonal_of_a_tall_matrix(x):
    a = np.outer(np.append(x, x), x[:2])
    b = a.copy()
    np.fill_diagonal(a, x[0] * x[3], wrap=True)
    np.fill_diagonal(b, x, wrap=False)
    return np.sum(W4[:2] * (a + b) * b)
