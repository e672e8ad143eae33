"""Dicts written in place: stores, update, setdefault, pop, ``del``, ``|=``, arrays as values; sets."""

from __future__ import annotations

import numpy as np

from tests.mutation.registry import W4, case, vector

P = {"a": 0.4, "b": -0.7, "k": 3}


@case(dict(P))
def value_of_an_argument(p):
    p["a"] = p["b"] * p["a"]
    p["b"] = p["a"] * p["a"]
    return p["a"] * p["b"] + p["k"] * p["a"]


@case(dict(P))
def new_key_in_an_argument(p):
    p["c"] = p["a"] * p["b"]
    p["a"] = p["c"] * 2.0
    return p["c"] * p["a"]


@case(dict(P))
def augmented_value(p):
    p["a"] += p["b"]
    p["b"] *= p["a"]
    p["a"] -= p["b"] * p["a"]
    return p["a"] * p["b"]


@case(vector())
def filled_in_a_loop(x):
    d = {}
    for k in range(4):
        d[k] = x[k] * x[k - 1]
        d[k % 2] += x[0]
    return d[0] * d[1] + d[3] * d[2]


@case(vector())
def grouped_sums(x):
    d = {}
    for k, v in enumerate(x):
        if k % 2 in d:
            d[k % 2] += v * v
        else:
            d[k % 2] = v
    return d[0] * d[1]


@case(vector())
def get_with_a_default(x):
    d = {}
    for k in (0, 1, 0, 2):
        d[k] = d.get(k, x[3]) * x[k]
    return d[0] * d[1] + d[2] * d.get("none", x[1])


@case(vector())
def setdefault_gives_what_is_there(x):
    d = {"a": x[0] * x[1]}
    p = d.setdefault("a", x[2])
    q = d.setdefault("b", x[2] * x[3])
    d["b"] = d["b"] * 2.0
    return p * q * d["b"]


@case(vector())
def setdefault_of_lists(x):
    d = {}
    for k, v in enumerate(x):
        d.setdefault(k % 2, []).append(v * v)
    d[0][1] *= d[1][0]
    return d[0][0] * d[0][1] + d[1][1] * d[1][0]


@case(vector(), gap="values of dicts of unknown kinds")
def update_from_a_dict_and_by_names(x):
    d = {"a": x[0], "b": x[1]}
    e = d
    d.update({"b": x[2] * x[0], "c": x[3]})
    e.update(a=d["b"] * d["c"], d=x[1])
    d.update([("e", x[0] * x[0])])
    return d["a"] * e["b"] + e["d"] * d["e"]


@case(vector())
def union_in_place(x):
    d = {"a": x[0], "b": x[1]}
    e = d
    d |= {"b": x[2] * x[1]}
    f = d | {"a": x[3]}
    e["a"] = e["a"] * 2.0
    return d["a"] * e["b"] + f["a"] * f["b"]


@case(vector())
def pop_and_delete(x):
    d = {"a": x[0] * x[1], "b": x[2], "c": x[3]}
    a = d.pop("a")
    none = d.pop("a", x[1])
    del d["c"]
    d["a"] = none * d["b"]
    key, last = d.popitem()
    return a * last + d["b"] * len(d) * len(key)


@case(dict(P))
def pop_from_an_argument(p):
    a = p.pop("a")
    p["a"] = a * p["b"]
    return p["a"] * a


@case(vector())
def cleared(x):
    d = {"a": x[0]}
    a = d["a"] * x[1]
    d.clear()
    d["a"] = x[2] * a
    return a * d["a"]


@case(vector())
def copy_is_shallow(x):
    d = {"a": x * 1.0, "s": x[0]}
    e = d.copy()
    f = dict(d)
    e["a"][1] = x[2] * x[3]
    e["s"] = 2.0
    f["a"] *= x[0]
    return np.sum(W4 * d["a"] * d["a"]) * d["s"] * e["s"]


@case({"w": vector(), "b": 0.3, "inner": {"v": vector(1)}})
def arrays_of_an_argument(p):
    p["w"][1] = p["b"] * p["w"][0]
    p["w"] += p["inner"]["v"]
    p["inner"]["v"][2:] = p["w"][:2]
    p["inner"]["w"] = p["w"]
    p["inner"]["w"] *= 2.0
    return np.sum(W4 * p["w"] * p["inner"]["v"])


@case({"a": vector(), "b": vector(1)})
def step_of_every_parameter(p):
    for key in p:
        p[key] -= 0.3 * np.sin(p[key])
        p[key] = p[key] * p["a"]
    for key, value in p.items():
        value[0] = value[1] * value[2]
    return np.sum(W4 * p["a"] * p["b"])


@case({"a": vector(), "b": vector(1)})
def values_walked_and_written(p):
    for value in p.values():
        value *= value[0]
    return np.sum(W4 * p["a"] * p["b"])


@case(vector())
def dict_of_lists_of_arrays(x):
    d = {"rows": [x * 1.0, x * x]}
    rows = d["rows"]
    rows[0][1] = d["rows"][1][2]
    d["rows"][1] *= rows[0]
    d["rows"] = rows + [np.sin(x)]
    rows.append(x)
    d["rows"][2][0] = rows[2][3]
    return np.sum(W4 * d["rows"][1] * d["rows"][2])


@case(vector())
def keys_of_tuples(x):
    table = {}
    for i in range(3):
        for j in range(2):
            table[i, j] = x[i] * x[j + 1] + table.get((i - 1, j), 0.0)
    table[0, 0] *= table[2, 1]
    return table[2, 0] * table[0, 0] + table[1, 1]


@case(vector())
def memo_of_a_recursion(x):
    memo = {}

    def value(k):
        if k not in memo:
            memo[k] = x[k] if k < 2 else value(k - 1) * value(k - 2) + x[k % 4]
        return memo[k]

    return value(6) + memo[3]


@case(vector())
def swapped_values(x):
    d = {"a": x * 1.0, "b": x * x}
    a = d["a"]
    d["a"], d["b"] = d["b"], d["a"]
    d["a"][1] = a[0] * 2.0
    d["b"] += d["a"]
    return np.sum(W4 * a * d["a"] * d["b"])


@case(vector())
def sets_are_inert(x):
    seen = {0}
    s = x[0]
    for k in (1, 2, 1, 3, 0):
        if k not in seen:
            seen.add(k)
            s = s * x[k] + k
    seen.discard(0)
    seen |= {7}
    seen.remove(1)
    return s * len(seen)


@case(dict(P), raises="KeyError")
def delete_what_is_not_there(p):
    del p["c"]
    return p["a"]


@case(dict(P), raises="KeyError")
def augmented_key_is_missing(p):
    p["c"] += p["a"]
    return p["c"]


@case(vector())
def list_in_a_dict_grows(x):
    groups = {}
    groups[0] = []
    for i in range(3):
        groups[0].append(x[i] * x[i + 1] * i)
    return groups[0][1] * x[0] + groups[0][2] ** 2


def filled_while_a_part_is_walked(table, w):
    for i, row in enumerate(table["v"]):
        table["u"] += 0.4 * row
        table[i] = w[i] = table["u"][0]


@case(vector(), vector(1))
def grows_while_a_part_of_it_is_walked(x, y):
    w, u = x * 1.0, y * 1.0
    filled_while_a_part_is_walked({"u": u, "v": x}, w)
    return np.sum(w * w) + np.sum(u * x)
