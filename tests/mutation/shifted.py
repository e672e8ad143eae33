"""Parts of an array that are written from its other parts, with coefficients that have a derivative as well."""

from __future__ import annotations

import numpy as np

from tests.mutation.registry import case, square, vector

THREE = np.array([0.7, -0.4, 0.9])


@case(vector(), 0.7)
def negative_coefficient(x, k):
    b = x * 2.0
    b[1:] += -k * b[:-1]
    return np.sum(b * b)


@case(vector(), 0.7)
def function_of_a_coefficient(x, k):
    b = x * 2.0
    b[1:] += np.sin(k) * b[:-1]
    return np.sum(b * b)


@case(vector(), THREE)
def coefficients(x, a):
    b = x * 2.0
    b[1:] -= -a * b[:-1]
    return np.sum(b * b)


@case(vector(), THREE)
def scaled_coefficients_in_trips(x, a):
    b = x * 2.0
    for _ in range(3):
        b[:-1] += 0.25 * a * b[1:]
        b[1:] -= a * b[:-1] * 0.5
    return np.sum(b * b)


@case(vector(), 0.7)
def both_neighbours(x, k):
    b = x * 2.0
    b[1:-1] += -k * (b[:-2] - 2.0 * b[1:-1] + b[2:])
    return np.sum(b * b)


@case(vector(), THREE)
def quotients(x, a):
    b = x * 2.0
    b[1:] += b[:-1] / np.exp(a)
    return np.sum(b * b)


@case(square(), 0.7)
def rows_and_columns(x, k):
    b = x * 2.0
    b[1:] += -k * b[:-1]
    b[:, :-1] -= np.cos(k) * b[:, 1:]
    return np.sum(b * b)


@case(square(), 0.7)
def products_of_matrices(x, k):
    b = x @ x
    b[1:] += (-k * x[:2, :2]) @ b[:-1]
    return np.sum(b * b)


@case(vector(), 0.7)
def through_a_view(x, k):
    b = x * 2.0
    head, tail = b[:-1], b[1:]
    tail += -k * head
    head *= np.sin(k) * tail
    return np.sum(b * b)


def sweep(b, k):
    b[1:] += -k * b[:-1]
    b[:-1] += np.exp(k) * b[1:]


@case(vector(), 0.7)
def in_a_helper(x, k):
    b = x * 2.0
    sweep(b, k)
    sweep(b, -k)
    return np.sum(b * b)
