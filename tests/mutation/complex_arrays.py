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
