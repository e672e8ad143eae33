"""Elements and properties of objects that are set and augmented: an array that they give is written in place."""

from __future__ import annotations

import numpy as np

from tests.mutation.registry import W4, W33, case, square, vector


class Field:
    """An array with a name."""

    def __init__(self, data):
        self.data = data

    def __getitem__(self, k):
        return self.data[k]

    def __setitem__(self, k, v):
        self.data[k] = v


class Shelf:
    """A property, and another that scales."""

    def __init__(self, u):
        self._u = u

    @property
    def u(self):
        return self._u

    @u.setter
    def u(self, v):
        self._u = v

    @property
    def half(self):
        return self._u * 0.5

    @half.setter
    def half(self, v):
        self._u = v * 2.0


@case(vector())
def every_way_to_set_an_element(x):
    f = Field(x * 1.0)
    f[0] = f[1] * f[2]
    f[1] += f[0]
    f[2:] *= f[:2]
    f[0], f[-1] = f[-1], f[0] * 2.0
    f[::2] -= 1.5
    f[3] **= 2
    return np.sum(W4 * f.data * f.data)


@case(square())
def keys_of_several_parts(m):
    f = Field(m * 1.0)
    f[1, 1:] += f[0, :2]
    f[..., 0] *= f[2, 2]
    f[:, [0, 2]] -= f[:, [1, 0]]
    f[0][1] += 2.0 * f[1][1]
    f[2][:2] *= f[0, 0]
    return np.sum(W33 * f.data * f.data)


@case(vector())
def element_of_a_list_has_another_name(x):
    a = x * 1.0
    f = Field([a, x * 2.0])
    f[0] *= f[1]
    f[1] = f[0]
    f[1] += x
    return np.sum(W4 * a * a) + np.sum(f[0])


@case(vector())
def number_in_a_list_is_replaced(x):
    s = x[0] * 1.0
    f = Field([s, x[1]])
    f[0] *= f[1]
    f[1] += s
    return f[0] * s + f[1] * x[2]


@case(vector(), 3)
@case(vector(), 0)
def elements_in_a_loop(x, n):
    f = Field(x * 1.0)
    for i in range(n):
        f[i + 1] += f[i] * f[i]
        f[: i + 1] *= 1.1
    return np.sum(W4 * f.data)


@case(vector())
def property_has_another_name(x):
    a = x * 1.0
    p = Shelf(a)
    q = p.u
    p.u += x * q
    p.u *= 1.5
    p.u[1:] -= a[:-1]
    return np.sum(W4 * a * q)


@case(vector())
def property_of_a_number(x):
    s = x[0] * 1.0
    p = Shelf(s)
    p.u *= 2.0
    p.u += x[1]
    p.half -= x[2]
    return s * p.u * p.half


@case(vector())
def property_that_computes(x):
    a = x * 1.0
    p = Shelf(a)
    p.half += x
    p.half *= 3.0
    return np.sum(W4 * a * p.u)
