"""Programs that write into an array, which may be of either sort."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

import tangentlite as tl

PROGRAMS: list[Callable[[Any, Any], Any]] = []


def program(function: Callable[[Any, Any], Any]) -> Callable[[Any, Any], Any]:
    """Add a program of a matrix (5, 2), which it may write into, and a vector of 2."""
    PROGRAMS.append(function)
    return function


@program
def recurrence(p, w):
    for i in range(1, 5):
        p[i] = np.tanh(w * p[i - 1] + p[i])
    return np.sum(p[-1] * w)


@program
def sums_in_place(p, w):
    for i in range(4):
        p[i + 1] += w * p[i]
        p[i] -= 0.5 * w
    return np.sum(p * p)


@program
def elements(p, w):
    p[0, 1] = p[2, 0] * w[0]
    p[1, 0] += p[0, 1] ** 2
    return p[1, 0] * p[0, 1] + p[3, 1]


@program
def earlier_versions(p, w):
    kept = p.copy()
    p[1] = w * p[0]
    middle = p.copy()
    p[1] = np.sin(p[1]) * kept[1]
    return np.sum(p * kept * middle)


@program
def versions_in_a_loop(p, w):
    total = 0.0
    for i in range(1, 5):
        before = p.copy()
        p[i] = before[i] * p[i - 1] * w
        p[i - 1] = w
        total = total + np.sum(p[i] * before[i - 1]) + np.sum(before * p)
    return total


@program
def a_version_that_is_written(p, w):
    q = p.copy()
    q[0] = w * p[1]
    p[1] = q[0] * p[1]
    q[1] += p[1]
    return np.sum(p * p) + np.sum(q * q * q)


@program
def slices(p, w):
    p[1:] = p[:-1] * w
    p[::2] += p[0]
    p[:, 0] = p[:, 1] * w[0]
    return np.sum(np.cos(p[1:4]))


@program
def masks(p, w):
    rows = np.array([True, False, True, True, False])
    p[rows] = p[rows] ** 2 * w
    p[~rows, 1] = w[0]
    return np.sum(np.sin(p))


@program
def gathers(p, w):
    i = np.array([0, 2, 2, 4])
    y = p[i]
    p[i] = w * y
    p[np.array([1, 1, 3])] += w
    return np.sum(p * p) + np.sum(y[1])


@program
def the_whole(p, w):
    p += 0.5 * w
    p *= p
    p[...] = np.sin(p) + p[0]
    return np.sum(p * w)


@program
def plain_arrays_of_it(p, w):
    a = np.asarray(p) * 2.0
    p[0] = a[1] * w
    b = np.array(p)
    b[1] = p[0] * b[1]
    return np.sum(a * b) + np.sum(b @ p.T)


@program
def rows(p, w):
    total = np.zeros(2)
    for row in p:
        total = total + w * row**2
    for i, row in enumerate(p):
        p[i] = row * total
    return np.sum(p[0] * p[4]) + len(p) * p.shape[1] * np.mean(p)


@program
def another_name(p, w):
    q = p
    q[0] = w * p[1]
    p[1] = q[0] * w
    return np.sum(p[1] * q[0])


@program
def branches(p, w):
    for i in range(1, 5):
        if i % 2 == 0:
            p[i] = p[i - 1] * w
        else:
            p = p.copy()
            p[i] += np.sin(w)
    return np.sum(p * p)


def scaled(p, i, w):
    p[i] *= w
    return p[i] * p[0]


def looked_up(p, i):
    return p[i] * p[i - 1] + np.mean(p)


@program
def helpers(p, w):
    total = 0.0
    for i in range(1, 5):
        a = looked_up(p, i)
        total = total + np.sum(scaled(p, i, a))
        p[i - 1] = a * w
    return total + np.sum(looked_up(p, 2))


@program
def cell(p, w):
    """The recurrence of an LSTM without its matrices: gates, a state in p[:, 0], an output in p[:, 1]."""
    for t in range(1, 5):
        gate = 1.0 / (1.0 + np.exp(-(w[0] * p[t - 1, 1] + p[t, 0])))
        p[t, 0] = gate * p[t - 1, 0] + (1.0 - gate) * np.tanh(w[1] * p[t, 1])
        p[t, 1] = gate * np.tanh(p[t, 0])
    return p[4, 1] ** 2 + p[2, 0]


@program
def until(p, w):
    i = 0
    while i < 4 and np.sum(p[i] ** 2) < 50.0:
        p[i + 1] = p[i + 1] + w * p[i] * 1.5
        i += 1
    return np.sum(p[i]) * i


def longer(whole, w):
    """Handles that get another length: only with a `PersistentArray`."""
    p = whole.version()
    last = p.pop()
    for i in range(3):
        p.append(p[i] * w)
    q = p.insert(last * w).insert(w)
    p[0] = q[5]
    p.append(p[-1] * q[0])
    return np.sum(p[0] * q[0] * p[-1]) + np.sum(q * q) * whole[0, 1] + len(p)


def sets(p, w):
    q = p.set(0, w)
    p[1] = q[0] * w
    r = q.set((1, 1), p[1, 0]).delete()
    return np.sum(p * q) + np.sum(r**3)


def grown(x, w):
    p = tl.PersistentArray(np.zeros((0, 2)))
    for i in range(4):
        p.append(x[i] * w)
    for i in range(1, 4):
        p[i] = p[i - 1] * p[i]
    return np.sum(p * p) + len(p)


def in_a_list(x, w):
    kept = [tl.PersistentArray(x)]
    for i in range(3):
        q = kept[-1].version()
        q[i] = q[i + 1] * w
        kept.append(q)
    return np.sum(kept[0] * kept[1] * kept[3])


def handed_on_twice(x, w):
    p = tl.PersistentArray(x)
    y = looked_up_in_both(p, p, w)
    p[0] = w
    q = p
    z = looked_up_in_both(p, q, w)
    q[1] = p[0] * w
    return y + z * looked_up_in_both(q, p, w) + looked_up_in_both(p.copy(), p, w)


def looked_up_in_both(p, q, w):
    return np.sum(p[0] * q[1] * w)


def recursive(x, w):
    return backward_from(tl.PersistentArray(x), 3, w)


def backward_from(p, i, w):
    if i == 0:
        return np.sum(p[0] * w)
    p[i - 1] = p[i] * w
    return backward_from(p, i - 1, w) + np.sum(p[i])


def returned(x, w):
    p = tl.PersistentArray(x)
    q = with_first(p, w)
    p[0] = q[0] * w
    return np.sum(q[0] * p[0] * p[1])


def with_first(p, w):
    p = p.copy()
    p[0] *= w
    return p


def of_vectors(x, w):
    v = tl.PersistentArray(w)
    p = tl.PersistentArray(x.T)
    v[0] = p[1, 2] * v[1]
    v[1] *= v[0]
    p[:, 1] = v
    return np.dot(v, p[:, 3]) + np.linalg.norm(p) + np.sum(np.concatenate([v, p[0]]))


LENGTHS = (longer, sets)
WHOLE = (grown, in_a_list, handed_on_twice, recursive, returned, of_vectors)
