"""Tuples, lists and dicts: as arguments, as values, as results, in loops and in calls."""

from __future__ import annotations

import array
from collections import UserDict
from typing import Any

import numpy as np
import pytest

import tangentlite as tl
from tests.programs.strict import case, cases, check, label, normal

LAYERS = [(normal(2, 3), normal(3)), (normal(3, 1), normal(1))]


@case((0.4, 0.7))
@case([0.4, 0.7])
def two_numbers(p):
    a, b = p
    return a * b * a + p[0] * p[1] + p[-1]


@case({"a": 0.4, "b": normal(3)})
def a_dict(p):
    return p["a"] * np.sum(p["b"] * p["b"]) + p["a"]


@case({"a": {"w": 0.4, "k": 3}, "b": [normal(3), (0.3, normal(2))]})
def a_nest(p):
    w = p["a"]["w"] * p["a"]["k"]
    x, (s, y) = p["b"]
    return w * np.sum(x * x) + s * np.sum(y) * w


@case((0.4, "name", None, 3, True))
def inert_leaves(p):
    x, name, nothing, k, flag = p
    if flag and nothing is None and name == "name":
        return x * x * k
    return x


@case(LAYERS, normal(4, 2))
def layers(params, x):
    for w, b in params:
        x = np.tanh(x @ w + b)
    return np.mean(x * x)


@case([{"w": 0.3, "b": 0.1}, {"w": -0.4, "b": 0.2}], 0.7)
def list_of_dicts(params, x):
    for p in params:
        x = np.tanh(p["w"] * x + p["b"])
    return x


@case({"one": 0.3, "two": 0.6})
def iteration_over_keys(p):
    s = 1.0
    for k in p:
        s = s * p[k] + p[k]
    return s


@case({"one": 0.3, "two": 0.6})
def iteration_over_items(p):
    s = 1.0
    for k, v in p.items():
        s = s * v + len(k)
    return s


@case({"one": 0.3, "two": 0.6})
def iteration_over_values(p):
    s = 1.0
    for v in p.values():
        s = s * v + v
    return s


@case(normal(3))
def tuple_as_value(x):
    p = (x, x * 2.0, [np.sum(x), x[0]])
    a, b, (c, d) = p
    return np.sum(a * b) * c + d * p[2][1]


@case(normal(3))
def dict_as_value(x):
    p = {"x": x, "s": np.sum(x), "inner": {"y": x * x}}
    return p["s"] * np.sum(p["inner"]["y"] * p["x"])


@case(0.4, 0.7)
def list_arithmetic_by_hand(x, y):
    a = [x, y, x * y]
    b = [v * v for v in a]
    c = [u * v for u, v in zip(a, b)]
    return c[0] + c[1] * c[2]


@case(0.4, 0.7)
def concatenated_tuples(x, y):
    a = (x, y)
    b = a + (x * y,)
    return b[0] * b[1] * b[2]


@case(0.4)
def repeated_list(x):
    a = [x, x * x] * 2
    return a[0] * a[1] * a[2] * a[3]


@case((0.4, 0.7, 1.1, -0.3))
@case([0.4, 0.7, 1.1, -0.3])
def slices_of_containers(p):
    a = p[1:]
    b = p[:-1]
    c = p[::2]
    return a[0] * b[0] + c[1] * a[-1] + b[2] * b[2]


@case((0.4, 0.7, 1.1, -0.3))
@case([0.4, 0.7, 1.1, -0.3])
@case(normal(4))
def starred_targets(p):
    a, *b, c = p
    d, *e = b
    return a * c + b[0] * b[1] + d * e[0]


@case([0.4, 0.7, 1.1])
def list_as_stack(xs):
    out = []
    for x in xs:
        out.append(x * x)
    s = 1.0
    while len(out) > 0:
        s = s * 1.5 + out.pop()
    return s


@case(normal(4))
def list_of_elements_to_array(x):
    out = []
    for v in x:
        if v > 0:
            out.append(v * v)
        else:
            out.append(v)
    return np.sum(np.array(out) * x)


@case(normal(4))
def stacked_rows(x):
    rows = [x * k for k in range(3)]
    return np.sum(np.stack(rows) @ x)


@case(normal(4))
def concatenated_list(x):
    parts = [x]
    for k in range(2):
        parts.append(np.sin(parts[-1]))
    return np.sum(np.concatenate(parts) ** 2)


@case(0.7, 1.3)
def list_takes_in_what_is_no_list(x, y):
    items = [x, y]
    other = items
    items += (x * y,)
    items += (v * 2.0 for v in (x, y))
    items += {"k": x}.values()
    items += map(lambda v: v * v, items[:2])
    pair = (x, y)
    pair += (x * x,)
    return sum(v * k for k, v in enumerate(other)) * pair[2]


class Holder:
    def __init__(self, value):
        self.items, self.pair = [value], (value,)


@case(0.7, 1.3)
def list_in_an_object_a_dict_and_a_cell(x, y):
    holder, table, rows = Holder(x), {"k": [x]}, [x, y]
    items, values, other = holder.items, table["k"], rows
    times = lambda v: v * rows[2]
    holder.items += (y, x * y)
    holder.pair += (y,)
    table["k"] += (y, x * x)
    rows += (x * y, 2.0)
    return items[2] * holder.pair[1] + values[1] * values[2] + times(x) * other[3] * len(items)


@case(normal(3, 3))
def nested_comprehension(m):
    values = [m[i, j] * m[j, i] for i in range(3) for j in range(i) if i != 1]
    table = [[v * v for v in row] for row in m]
    return values[0] * values[1] + table[0][1] * table[2][2]


@case(normal(4))
def sum_of_a_comprehension(x):
    return sum([v * v * i for i, v in enumerate(x)]) + sum(v for v in x)


@case([0.4, 0.7, 1.1], 1)
def index_known_at_run_time(xs, k):
    return xs[k] * xs[k - 1] + xs[-k] * xs[k]


@case({"a": 0.4, "b": 0.6}, "b")
def key_known_at_run_time(p, k):
    return p[k] * p[k] + p["a"]


@case((0.4, 0.7), 1)
def tuple_index_known_at_run_time(p, k):
    return p[k] ** 3 * p[0]


@case([0.4, 0.7, 1.1])
def loop_over_indices(xs):
    s = 0.0
    for i in range(len(xs)):
        for j in range(i):
            s = s + xs[i] * xs[j]
    return s


@case([normal(2), normal(3), normal(1)])
def arrays_of_different_lengths(xs):
    s = 1.0
    for x in xs:
        s = s * np.sum(x * x)
    return s


@case([0.4, normal(3)])
def number_and_array(xs):
    s = 1.0
    for x in xs:
        s = s * x
    return np.sum(s * s)


@case([(0.3, normal(2)), (0.5, normal(2))])
def list_of_tuples(ps):
    s = 0.0
    for a, v in ps:
        s = s + a * np.sum(v * v)
    for k, (a, v) in enumerate(ps):
        s = s * a + v[k]
    return s


@case(0.4, 0.7)
def swap_through_a_tuple(x, y):
    p = (x, y)
    for _ in range(3):
        p = (p[1], p[0] * p[1])
    return p[0] + p[1] * x


@case(0.4)
def state_is_a_tuple_in_a_while(x):
    state = (x, 1.0, 0)
    while state[2] < 3:
        a, b, n = state
        state = (a * b + x, b * a, n + 1)
    return state[0] * state[1]


@case(0.4)
def state_is_a_dict_in_a_loop(x):
    s = {"pos": x, "vel": 1.0}
    for _ in range(3):
        s = {"pos": s["pos"] + 0.1 * s["vel"], "vel": s["vel"] - 0.1 * s["pos"]}
    return s["pos"] * s["vel"]


@case(0.4, True)
@case(0.4, False)
def container_in_a_branch(x, flag):
    if flag:
        p = (x, x * x)
    else:
        p = (2.0, x)
    return p[0] * p[1] + x


@case(0.4, True)
@case(0.4, False)
def list_grows_in_a_branch(x, flag):
    out = [x]
    if flag:
        out.append(x * x)
    return out[-1] * out[0]


@case((0.4, 0.7))
def same_element_twice(p):
    q = (p[0], p[0], p[1])
    r = (q, q)
    return r[0][0] * r[1][1] * r[0][2] + q[0]


@case([0.4, 0.7])
def alias_of_a_list(p):
    q = p
    r = [q, p]
    return q[0] * p[1] + r[0][1] * r[1][0]


@case([[0.4, 0.7], [1.1, 0.3]])
def matrix_of_lists(m):
    return m[0][0] * m[1][1] - m[0][1] * m[1][0]


@case([[0.4, 0.7], [1.1, 0.3]], normal(2))
def list_to_array(m, v):
    return np.sum((np.array(m) @ v) ** 2)


@case([0.4, 0.7])
def numpy_function_on_a_list(p):
    return np.sum(np.array(p) ** 2) * p[0]


@case(0.4, second=False)
def tuple_result(x):
    return x * x, np.sin(x)


@case(normal(3), second=False)
def nested_result(x):
    return [x * 2.0, (np.sum(x), {"k": x[0] * x})]


@case(normal(3), 0.5, second=False)
def dict_result(x, y):
    return {"sum": np.sum(x) * y, "x": x, "y": y, "n": 3}


@case((0.4, [0.7, normal(2)]), second=False)
def result_is_a_container_parameter(p):
    return p


@case((0.4, 0.7), second=False)
def result_is_a_slice(p):
    return (p[1], *(p[0] * 2.0, 3.0))


@case([1.5, 2.5], ())
@case([1.5, 2.5], [])
def empty_container(xs, none):
    s = xs[0]
    for v in none:
        s = s * v
    return s * xs[1]


@case([])
def empty_argument(xs):
    s = 1.0
    for x in xs:
        s = s * x
    return s


@case((np.float32(0.5), normal(3).astype(np.float32), 0.25))
def mixed_precision_container(p):
    return p[0] * np.sum(p[1]) * p[2]


@case({1: 0.4, (0, 1): 0.5, None: 0.6})
def keys_of_all_kinds(p):
    return p[1] * p[0, 1] * p[None]


@case([0.4, 0.7, 1.1])
def reversed_and_sorted_indices(xs):
    s = 0.0
    for x in reversed(xs):
        s = s * x + x
    for i, x in enumerate(xs, 1):
        s = s + i * x * x
    return s


@case([0.4, 0.7], [1.1, 0.3])
def zipped_lists(a, b):
    s = 0.0
    for x, y in zip(a, b):
        s += x * y * x
    return s


@case([0.4, 0.7])
def list_of_list(p):
    q = list(p)
    r = tuple(q)
    return q[0] * r[1] * r[0]


@case(normal(3))
def any_and_all(x):
    if all([v < 10 for v in x]) and any(x > -10):
        return x[0] * x[1]
    return x[2]


@case(0.7)
def slices_with_a_name(x):
    odd, rest = slice(1, None, 2), slice(1, None)
    items = [x * k for k in range(6)]
    whole = [x, x * x, 1.0]
    whole[rest] = [x**3]
    return sum(items[odd]) * whole[1] + sum(whole[rest])


def part(items, which):
    return items[which]


@case(np.array([0.4, 1.3, 0.8]))
def slices_for_lists_and_arrays(x):
    items = [v * v for v in x]
    return sum(part(items, slice(1, 3))) + np.sum(part(x, slice(0, 2)) ** 2)


@case(0.7)
def pushed_by_a_nested_function(x):
    items = [x, x * x]

    def push(v):
        items.append(v)

    for _ in range(3):
        push(items[-1] * x)
    return sum(items)


@pytest.mark.parametrize(("function", "args", "options"), cases(__name__), ids=label)
def test_program(function: Any, args: Any, options: Any) -> None:
    check(function, *args, **options)


class Doubled(UserDict[str, Any]):
    def __getitem__(self, key: str) -> Any:
        return super().__getitem__(key) * 2


class Halved(dict[str, Any]):
    def __getitem__(self, key: str) -> Any:
        return super().__getitem__(key) / 2


def doubled(x):
    d = Doubled()
    d["a"] = x
    return d["a"] * x


def halved(x):
    d = Halved()
    d["a"] = x
    return d["a"] * x


def begun_with_numbers(x):
    d = UserDict({"a": 1.0})
    d["a"] = x
    return d["a"] * x


def places(x):
    d = array.array("d", [1.0, 2.0])
    d[0] = x
    return d[0] * d[1]


@pytest.mark.parametrize("f", [doubled, halved, begun_with_numbers, places], ids=label)
def test_containers_of_other_classes_are_no_arrays(f: Any) -> None:
    """What is stored in them comes back as their class says."""
    with pytest.raises(tl.DerivativeError):
        tl.grad(f)(0.7)
    with pytest.raises(tl.DerivativeError):
        tl.jvp(f)(0.7, tangent=1.0)
