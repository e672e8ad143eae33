"""What is told to write by `out=` and is no function of NumPy; what writes while a sum is made."""

from __future__ import annotations

import operator

import numpy as np

from tests.mutation.registry import W4, case, vector


class Solver:
    """Methods with an ``out`` of their own."""

    def __init__(self, k):
        self.k = k

    def apply(self, a, out):
        out[:2] = a[:2] * self.k
        return a

    def step(self, a, out=None):
        if out is None:
            return a * 3.0
        out[0] = a[1] * self.k
        return a * 5.0

    def dot(self, a, weights=None):
        if weights is None:
            return a[0]
        weights[0] = a[1]
        return np.sum(a * weights)

    def run(self, a, b):
        return np.sum(W4 * self.step(a, out=b))


@case(vector(), vector(1))
def a_method_with_out(x, y):
    solver = Solver(x[0])
    solver.apply(y, out=x)
    z = solver.step(y, out=x)
    return np.sum(W4 * x * z)


@case(vector(), vector(1))
def a_method_with_out_of_self(x, y):
    return Solver(2.0).run(x, y) + np.sum(x * y)


@case(vector(), vector(1))
def a_method_with_out_of_what_a_list_holds(x, y):
    z = y
    for solver in [Solver(2.0), Solver(3.0)]:
        z = solver.step(y, out=x)
    return np.sum(W4 * x) + np.sum(z * x)


@case(vector(), vector(1))
def a_method_that_arrays_have_too(x, y):
    solver = Solver(2.0)
    return solver.dot(x, y) + np.sum(W4 * x * y)


@case(vector(), vector(1))
def methods_of_the_class(x, y):
    np.ndarray.__imul__(x, y)
    np.ndarray.put(x, [1], y[0])
    np.ndarray.__setitem__(y, slice(0, 2), x[2:])
    np.ndarray.clip(y, -0.7, 0.95, y)
    return np.sum(W4 * x * y)


@case(vector(), vector(1))
def operators_by_their_names(x, y):
    z = x.__iadd__(y)
    z.__setitem__(0, y[1])
    z.__imul__(y)
    operator.ipow(y, 2)
    return np.sum(W4 * x * y)


@case(vector(), vector(1))
def branches_of_a_statement(x, y):
    x.__imul__(2.0) if y[0] > 9.0 else x.fill(y[1])
    np.multiply(x, y, out=x) if y[0] < 9.0 else None
    x[0] < 9.0 and x.put([0], y[2] * y[3])
    x[0] > 9.0 or np.copyto(y, x)
    return np.sum(W4 * x * y)


@case(vector(), vector(1))
def sum_with_what_overwrites_it(x, y):
    x[0] += np.multiply(x, 2.0, x)[1]
    x[1] += x.__imul__(y)[0]
    y[:2] += np.add(y, x, out=y)[:2]
    return np.sum(W4 * x * y)


@case(vector(), vector(1))
def sum_with_what_is_popped(x, y):
    items, others = list(x), list(y)
    items[0] += items.pop(0)
    items[-1] += items.pop()
    same = others
    same[-1] -= others.pop(-2)
    return items[0] * items[-1] + others[-1] * others[0]


@case(vector(), vector(1))
def sum_with_what_is_popped_from_a_list_of_arrays(x, y):
    rows = [x, y]
    rows[0] += rows.pop(0)[::-1]
    return np.sum(W4 * rows[0]) + np.sum(x * y)


if np.from_dlpack(np.ones(1)).flags.writeable:  # since NumPy 2.1

    @case(vector(), vector(1))
    def memory_given_by_dlpack(x, y):
        z = np.from_dlpack(x)
        z *= y
        return np.sum(W4 * x * y)


@case(vector(), vector(1))
def memory_given_by_frombuffer(x, y):
    z = np.frombuffer(x)
    z[1:] = y[:-1] * x[0]
    return np.sum(W4 * x * y)


@case(vector(), vector(1))
def walked_over_side_by_side(x, y):
    total = 0.0
    for k, (a, b) in enumerate(np.broadcast(x[:2, None], y)):
        total += a * b * k
    pairs = [a * a * b for a, b in np.broadcast(x, y)]
    return total + np.sum(W4 * np.array(pairs)) * np.zeros(np.broadcast(x, y).shape).size


@case(vector(), vector(1))
def walked_over_side_by_side_while_one_changes(x, y):
    total = 0.0
    for a, b in np.broadcast(x, y):
        total += a * b
        x[2] += total
    return total + np.sum(W4 * x)
