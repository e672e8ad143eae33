"""Arrays of complex numbers that are written, and their real and imaginary parts."""

from __future__ import annotations

import numpy as np

from tests.mutation.registry import W4, case, vector


@case(vector())
def real_part_of_a_complex(x):
    z = np.zeros(4, dtype=complex)
    re = z.real
    re[:] = x
    z *= 1.0 + 0.5j
    re[1:] += re[:-1]
    return np.sum(W4 * (z * z * 1j).real)


@case(vector())
def real_part_of_some_complex(x):
    z = x + 1j * x * x
    v = z[1:].real
    v *= x[0]
    z[2] = z[1] * 1j
    return np.sum((z * z * 1j).real) + np.sum(v * v)


@case(vector())
def imaginary_part_of_a_complex(x):
    z = np.zeros(4, dtype=complex)
    im = z.imag
    im[:] = x
    z *= 1.0 + 0.5j
    im[1:] += im[:-1]
    return np.sum(W4 * (z * z * 1j).real)


@case(vector())
def imaginary_part_at_once(x):
    z = x + 1j * x * x
    z.imag[1:] = x[1:] * 2.0
    z[0] = 1j * z.imag[1] * z.real[2]
    return np.sum((z * z * 1j).real)


@case(vector())
def imaginary_of_a_real(x):
    a = x * 1.0
    a[1] = x[0] * a[2]
    r = a.real
    a[2] *= a[1]
    return np.sum(W4 * a * r) + np.sum(a.imag)


@case(vector())
def complex_values(x):
    z = x * (1.0 + 2.0j)
    w = z * 1.0
    z[1] = w[0] * z[2]
    w[2] = np.conj(z[1])
    z += w * 1j
    z[::2] *= w[1::2]
    return np.sum(W4 * np.abs(z)) + np.sum((w * w).imag)


@case(vector())
def real_stored_in_complex_and_back(x):
    z = np.zeros((2, 4), complex)
    z[0] = x
    z[1] = np.exp(1j * x)
    z[0, 1:] = z[1, 1:] * z[0, :-1]
    a = np.zeros(4)
    a[:] = z[0].real * z[1].imag
    a[1] += (z[1, 2] * z[0, 0]).real
    z[1] = a
    return np.sum(W4 * a * a) + np.sum(np.abs(z) ** 2)


@case(vector())
def complex_scalars_in_a_loop(x):
    z = x * (0.5 + 1.0j)
    s = 1.0 + 0.0j
    for k in range(3):
        s = s * z[k] + x[k + 1]
        z[k + 1] += s
    return (s * np.sum(z)).real


@case(vector())
def complex_butterfly(x):
    z = np.zeros(4, complex)
    z[:] = x
    z[:2], z[2:] = z[:2] + z[2:], z[:2] - z[2:]
    w = np.exp(-0.5j * np.pi * np.arange(2))
    z[2:] *= w
    z[::2], z[1::2] = z[::2] + z[1::2], z[::2] - z[1::2]
    return np.sum(W4 * (z * z).imag) + np.sum(W4 * (z * np.conj(z)).real)


def rotate(z, angle):
    z *= np.exp(1j * angle)
    z[0] = z[1] * 2.0
    return z


@case(vector(), 0.3)
def complex_helper(x, angle):
    z = x + 1j * x[::-1]
    w = rotate(z, angle)
    w += rotate(z * 1.0, x[0])
    return np.sum(W4 * (w * z).real)


@case(vector())
def complex_into_real_by_parts(x):
    z = np.exp(1j * x) * x
    a = np.empty((2, 4))
    a[0], a[1] = z.real, z.imag
    a[1] *= a[0]
    z.real[1:] = a[0, :-1]
    y = z.real + z.imag
    y[0] *= a[1, 0]
    return np.sum(W4 * y * y)


@case(vector())
def conjugate_in_place(x):
    z = x * (1.0 - 1.0j)
    np.conj(z, out=z)
    z *= z + 1.0
    w = z.conj()
    w[1:] *= z[:-1]
    np.multiply(z, w, out=w)
    return np.sum(W4 * w.real) + np.sum(w.imag)


@case(vector())
def complex_sums(x):
    z = x * 1j + x * x
    z[1:] = np.cumsum(z)[:-1]
    m = np.outer(z, z.conj())
    m[0] = m[:, 1] * z
    v = m @ z
    v -= np.mean(v)
    return np.sum(W4 * (v * m[2]).real) + np.trace(m).real


@case(vector(), np.array([1j, 0.5 - 1j, 0.2 + 0j, 2.0 + 1j]))
def complex_argument_written(x, c):
    c *= x
    c[0] = np.sum(c)
    x[1:] += c[1:].real * x[0]
    d = c
    d[2] = c[1] * x[3]
    return np.sum(W4 * (c * d).imag * x)


@case(vector(), {"c": np.array([1j, 0.5 - 1j]), "s": 0.3 + 0.2j})
def complex_in_a_dict(x, p):
    z = np.zeros(4, complex)
    z[:2] = p["c"] * x[:2]
    z[2:] = p["s"] * x[2:] + z[0]
    z *= p["s"]
    return np.sum(W4 * (z * z).real)


@case(np.array([0.31, -0.83], np.float32), vector())
def single_complex(f, x):
    z = f * np.complex64(1.0 + 0.5j)
    z[0] = z[1] * f[0]
    y = x[:2] * z
    y[1] += z[0]
    return float(np.sum((y * y).real)) + np.sum(x * x)


@case(vector(), 2.0)
def real_power_of_complex(x, p):
    z = x + 2j
    z **= 2
    w = z**p
    w[0] = np.sqrt(z[1]) * x[0]
    w /= z
    return np.sum(W4 * (w * np.log(z)).imag)


@case(np.array([[0.3, -1.2], [0.8, 0.4]]), np.array([0.7, 0.4]))
def products_with_complex_ones(m, u):
    k = m * (1.0 + 2.0j)
    m[0] *= 2.0
    u[1:] += u[:-1]
    y = np.outer(k[0], u) + (m @ k) * (u @ k) + np.dot(k, m) * (k[1] @ u)
    m[0] = 2.0
    u[0] = 0.5
    return np.sum(np.abs(y)) + np.sum(m * m) + np.sum(u)


@case(np.array([[0.3, -1.2], [0.8, 0.4]]), np.array([0.7, 0.4]))
def products_with_converted_ones(m, u):
    k = m.astype(complex) * np.full((2, 2), u[0] * 1j)
    m[0] *= 2.0
    u[1:] += u[:-1]
    y = m @ np.asarray(m, dtype=complex) + np.outer(u, k[1]) + k @ u
    m[0] = 2.0
    u[0] = 0.5
    return np.sum(np.abs(y)) + np.sum(m * m) + np.sum(u)
