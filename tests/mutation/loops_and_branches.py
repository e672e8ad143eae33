"""Loops and branches round writes: recurrences, zero trips, rows, temporaries, exits, restoring."""

from __future__ import annotations

import numpy as np

from tests.mutation.registry import W4, W33, case, square, vector


@case(vector(), 0.6)
def recurrence(x, w):
    y = np.zeros(4)
    for i in range(1, 4):
        y[i] = w * y[i - 1] + x[i]
    return np.sum(y * y)


@case(vector(), 0.6)
def nonlinear_recurrence_over_the_argument(x, w):
    for i in range(1, len(x)):
        x[i] = np.tanh(w * x[i - 1] * x[i])
    return np.sum(W4 * x)


@case(vector())
def backwards(x):
    for i in range(2, -1, -1):
        x[i] *= x[i + 1]
    return np.sum(W4 * x)


@case(vector(), 0)
@case(vector(), 3)
def perhaps_no_trip(x, n):
    a = x * 1.0
    for i in range(n):
        a[i] = a[i + 1] * x[i]
    return np.sum(W4 * a * a)


@case(square(), 0)
@case(square(), 2)
def perhaps_no_rows(m, n):
    a = m * 1.0
    for row in a[:n]:
        row *= row[0]
        row[1] = m[2, 2]
    return np.sum(W33 * a * a)


@case(square())
def rows_updated(m):
    for row in m:
        row += m[0] * row[1]
        row[2] = row[0] * row[1]
    return np.sum(W33 * m * m)


@case(square())
def rows_with_their_number(m):
    for i, row in enumerate(m):
        row[i] = m[i - 1, 0] * row[0]
        row *= 0.5 + i
    return np.sum(W33 * m * m)


@case(square(), vector())
def rows_of_two_arrays(m, x):
    a = np.zeros((3, 4))
    for row, source, s in zip(a, m, x):
        row[:3] = source * s
        source *= 2.0
        row[3] = source[1]
    return np.sum(W4 * a * a) + np.sum(W33 * m)


@case(square())
def rows_reversed(m):
    for row in reversed(m):
        row -= m[1] * row[0]
    for row in m[::-1]:
        row *= m[2, 0]
    return np.sum(W33 * m * m)


@case(square())
def columns_updated(m):
    for column in m.T:
        column *= column[1]
        column[0] += m[2, 2]
    return np.sum(W33 * m * m)


@case(square())
def names_of_elements_rebind(m):
    total = 0.0
    for row in m:
        for v in row:
            v *= 2.0
            total += v * v
    return total * np.sum(W33 * m)


@case(vector())
def elements_read_while_they_are_written(x):
    a = x * 1.0
    total = 0.0
    for i, v in enumerate(a):
        a[(i + 1) % 4] = v * x[i]
        total += v * a[i]
    return total + np.sum(W4 * a)


@case(vector())
def temporary_in_a_loop(x):
    total = np.zeros(4)
    for i in range(3):
        t = np.zeros(4)
        t[i] = x[i] * total[i + 1] + x[0]
        t[i + 1] = t[i] * x[3]
        total += t
    return np.sum(W4 * total * total)


@case(vector())
def buffer_used_again(x):
    t = np.empty(4)
    total = 0.0
    for i in range(3):
        t[:] = x * (i + 1)
        t[i] = t[i + 1] * x[0]
        total += np.sum(np.sin(t))
    return total


@case(vector(), 3)
def two_buffers_in_turn(x, n):
    u = np.zeros((2, 4))
    u[0] = x
    for k in range(n):
        now, new = u[k % 2], u[(k + 1) % 2]
        new[1:] = now[:-1] * now[1:]
        new[0] = now[3]
    return np.sum(W4 * u[0]) + np.sum(u[1] * u[1])


@case(vector(), 3)
def relaxation(x, n):
    u = x * 1.0
    for _ in range(n):
        u[1:-1] = 0.5 * (u[:-2] + u[2:]) * u[1:-1]
    return np.sum(W4 * u * u)


@case(square())
def nested_loops(m):
    a = m * 1.0
    for i in range(3):
        for j in range(i):
            a[i, j] -= a[j, j] * a[i, j - 1]
            a[j, i] = a[i, j]
    return np.sum(W33 * a * a)


@case(square())
def decomposition(m):
    a = m @ m.T + 4.0 * np.eye(3)
    for j in range(3):
        a[j, j] = np.sqrt(a[j, j] - np.sum(a[j, :j] ** 2))
        for i in range(j + 1, 3):
            a[i, j] = (a[i, j] - np.sum(a[i, :j] * a[j, :j])) / a[j, j]
            a[j, i] = 0.0
    return np.sum(W33 * a)


@case(vector())
def insertion_sort(x):
    for i in range(1, 4):
        j = i
        while j > 0 and x[j - 1] > x[j]:
            x[j - 1], x[j] = x[j], x[j - 1]
            j -= 1
    return np.sum(W4 * x * x)


@case(vector(), 5.0)
@case(vector(), 0.1)
def while_on_a_written_value(x, limit):
    a = x * 1.0
    a[0] = 0.5
    while a[0] < limit:
        a[0] = a[0] * 2.0 + x[1] * x[1]
        a[1:] *= 0.9
    return np.sum(W4 * a * a)


@case(vector(), 1.0)
@case(vector(), -1.0)
def store_in_a_branch(x, side):
    a = x * 1.0
    if side > 0.0:
        a[1] = a[0] * a[2]
        a[3] *= a[1]
    else:
        a = a * x
        a[2] = side * x[0]
    return np.sum(W4 * a * a)


@case(vector())
def test_on_a_written_element(x):
    a = x * 1.0
    for i in range(3):
        if a[i] > 0.0:
            a[i + 1] = a[i] * a[i + 1]
        else:
            a[i] = -a[i + 1]
    return np.sum(W4 * a * a)


@case(vector())
def test_reads_what_is_written_later(x):
    a = x * 1.0
    total = 0.0
    if a[0] * a[2] > 0.1:
        total = a[0] * a[1]
        a[0] = -1.0
    a[2] = x[3]
    return total * a[2] + np.sum(W4 * a)


@case(vector())
def ternary_and_conditional_alias(x):
    a, b = x * 1.0, x * x
    for i in range(4):
        (a if i % 2 else b)[i] += a[0] * b[3]
    return np.sum(W4 * a * b)


@case(vector())
def value_saved_before_it_is_overwritten(x):
    a = x * 1.0
    total = 0.0
    for i in range(4):
        old = a[i]
        a[i] = old * old
        a[i - 1] = old * a[i]
        total += old
    return total * np.sum(W4 * a)


@case(vector())
def restored_by_the_program(x):
    a = x * 1.0
    old = a.copy()
    a *= x[0]
    s = np.sum(W4 * a * a)
    a[:] = old
    return s * np.sum(a * old)


@case(vector())
def array_rebound_in_the_loop(x):
    a = x * 1.0
    b = a
    for i in range(3):
        a[i] = b[i + 1] * a[i]
        if i == 1:
            a = a * 2.0
    return np.sum(W4 * a * b)


@case(vector())
def comprehension_reads_before_a_write(x):
    a = x * 1.0
    parts = [a[i:] for i in range(3)]
    sums = [np.sum(p) for p in parts]
    a[3] = x[0] * sums[1]
    return sums[0] * parts[2][1] + np.sum(W4 * a)


@case(vector())
def return_in_a_branch_after_a_write(x):
    a = x * 1.0
    a[1] = a[0] * a[2]
    if a[1] > 0.1:
        a *= a[1]
        return np.sum(W4 * a * a)
    a[0] = 3.0
    return np.sum(a)


@case(vector())
def break_after_a_write(x):
    a = x * 1.0
    for i in range(3):
        a[i + 1] *= a[i]
        if a[i + 1] < 0.0:
            a[0] = x[2]
            break
        a[i] = 0.0
    return np.sum(W4 * a * a)


@case(vector())
def continue_before_a_write(x):
    a = x * 1.0
    for i in range(3):
        if a[i] < 0.0:
            continue
        a[i + 1] += a[i] * x[0]
    return np.sum(W4 * a * a)


@case(vector())
def return_in_a_loop_after_a_write(x):
    a = x * 1.0
    for i in range(3):
        a[i] *= a[i + 1]
        if a[i] < -0.1:
            return np.sum(W4 * a * a)
    return np.sum(a)


@case(vector())
def no_trip_of_a_number_in_the_text(x):
    a = x * 1.0
    b = a
    b *= x[::-1]
    a[0] += b[1]
    for _ in range(0):
        pass
    b[1:] -= a[:-1] * x[2]
    for i in range(3, 1):
        b = b * i
    return np.sum(W4 * a)


@case(vector())
def no_trip_in_a_branch_and_in_a_loop(x):
    a = x * 1.0
    b = a
    for k in range(2):
        b += x * k
        for _ in range(0):
            b = b + 1.0
        if x[k] > 0.0:
            b *= 2.0
            for _ in range(0, 3, -1):
                b = b * 2.0
    return np.sum(W4 * a * b)
