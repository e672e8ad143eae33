"""Lists and dicts that change through one name and are read through another: what is in them changes for both."""

from __future__ import annotations

import numpy as np

from tests.mutation.registry import W4, case, vector


@case(vector())
def reversed_through_another_name(x):
    a = [x[0], x * x]
    b = a
    a.reverse()
    y = b[0]
    y += 1.0
    return np.sum(W4 * a[0] * a[0]) * a[1]


@case(vector())
def grown_by_augmented_assignment(x):
    a = [x[0], x[1]]
    b = a
    b += [x * x]
    y = a[-1]
    y += x
    return np.sum(W4 * b[2] * b[2]) * a[0]


@case(vector())
def repeated_by_augmented_assignment(x):
    a = [x[0], x[1] * x[2]]
    b = a
    b *= 2
    return a[-1] * a[2] * x[3]


@case(vector())
def grown_and_unpacked(x):
    a = b = [x[0]]
    a.append(x[1] * x[2])
    p, q = b
    return p * q * x[3]


@case(vector())
def grown_in_a_list(x):
    a = [[x[0]], [x[1]]]
    b = a[0]
    b.append(x[2] * x[3])
    return a[0][1] * a[1][0]


@case(vector())
def keys_with_other_values(x):
    d = {"a": x[0], "b": x * x}
    e = d
    d["a"], d["b"] = d["b"], d["a"]
    y = e["a"]
    y += x
    return np.sum(W4 * d["a"] * d["a"]) * e["b"]


def put_an_array(items, x):
    items[0] = x * x


@case(vector())
def changed_by_a_helper(x):
    a = [x[0], x[1]]
    b = a
    put_an_array(a, x)
    y = b[0]
    y += x
    return np.sum(W4 * a[0] * a[0]) * x[2]


@case(vector())
def changed_in_a_loop(x):
    a = [x[0], x[1]]
    b = a
    y = x[3]
    for _ in range(2):
        y = b[0]
        y += x[0]
        a[0] = x * x * a[1]
    return np.sum(W4 * b[0] * b[0]) * x[2] + np.sum(W4 * y)


RATE = 0.7
SETTINGS = {"rate": 0.5, "table": np.array([0.2, 0.9, 1.4])}
STARTS = (0.5, 2.5)


def shifted(v, t):
    t += 0.3
    return v * t


@case(vector())
def numbers_from_outside(x):
    t, u = RATE, SETTINGS["rate"]
    t += x[0]
    u *= t * x[1]
    total = shifted(x, RATE)[2]
    for start in STARTS:
        start *= x[2]
        total += start * t
    for entry in SETTINGS["table"]:
        entry -= x[3]
        total *= entry
    pair = [RATE, u]
    pair[0] += pair[1]
    z = np.asarray(RATE)
    z += pair[0]
    return total * u * z
