"""Trees that are walked by recursion: nodes that lack what others have, and leaves without children."""

from __future__ import annotations

import numpy as np
import pytest

import tangentlite as tl
from tests.programs.strict import case, cases, check, label

X = np.arange(1.0, 5.0) / 3.0


class Node:
    def __init__(self, value, left=None, right=None):
        self.value, self.left, self.right = value, left, right

    def total(self):
        s = self.value**2
        if self.left is not None:
            s += self.left.total() * 0.5
        if self.right is not None:
            s += self.right.total() * 2.0
        return s


@case(X)
def branches_that_are_none(x):
    return Node(x[0], Node(x[1]), Node(x[2], Node(x[3]))).total()


@case(X)
def set_later(x):
    root = Node(x[0])
    root.left = Node(x[1])
    root.right = Node(x[2], right=Node(x[3]))
    return root.total()


def walk(node):
    if node["op"] == "leaf":
        return node["value"]
    values = [walk(a) for a in node["args"]]
    return sum(values) if node["op"] == "add" else np.prod(values)


@case(1.3, 0.7)
def nodes_with_other_keys(x, y):
    product = {"op": "mul", "args": [{"op": "leaf", "value": x}, {"op": "leaf", "value": y}]}
    tree = {"op": "add", "args": [product, {"op": "leaf", "value": 3.0 * x}]}
    return walk(tree) ** 2


def weighed(node):
    if "value" in node:
        return node["value"]
    return sum(w * weighed(c) for w, c in zip(node["weights"], node["children"]))


@case(1.3, 0.7)
def asked_for_a_key(x, y):
    inner = {"weights": [y], "children": [{"value": x * y}]}
    return weighed({"weights": [0.5, 2.0], "children": [{"value": x}, inner]}) ** 2


def collected(node):
    total = node.get("value", 0.0)
    for child in node.get("children", []):
        total += np.sin(collected(child))
    return total


@case(1.3, 0.7)
def keys_with_defaults(x, y):
    inner = {"value": x * y, "children": [{"value": 2.0 * x, "children": []}]}
    return collected({"value": x, "children": [{"value": y}, inner]}) ** 2


def looked_up(node):
    if node["kind"] == "number":
        return node["value"]
    try:
        return node["value"] * 2.0
    except KeyError:
        return looked_up(node["inner"]) * node["factor"]


@case(1.3, 0.7)
def a_key_that_is_missing_is_caught(x, y):
    return looked_up({"kind": "scaled", "factor": y, "inner": {"kind": "number", "value": x * x}})


def fill(d, value):
    d["k"] = value


class Holder:
    def __init__(self, d):
        self.d = d

    def put(self, value):
        self.d["k"] = value


@case(1.3)
def a_key_that_a_helper_puts_in(x):
    d = {"a": x}
    fill(d, x * x)
    return d["k"] * d["a"] if x > 0 else 0.0


@case(1.3)
def a_key_through_another_name(x):
    d = {"a": x}
    e = d
    e["k"] = x * x
    if x > 0:
        return d["k"] + d["a"]
    return 1.0


@case(1.3)
def a_key_through_an_object(x):
    d = {"a": x}
    Holder(d).put(x * x)
    if "k" in d:
        return d["k"] * d["a"]
    return 0.0


@case(1.3)
def a_key_of_the_trip_before(x):
    d = {"a": x}
    held = [d]
    y = 0.0
    for k in range(2):
        if k == 1:
            y = held[0]["k"]
        held[0]["k"] = x * x
    return y * d["k"]


@case(1.3)
def a_key_that_a_closure_puts_in(x):
    state = {"v": x}

    def step():
        if "n" not in state:
            state["n"] = 0.0
        state["n"] += state["v"]

    step()
    step()
    return state["n"] * x


class Sorted:
    def __init__(self):
        self.root = None

    def insert(self, v):
        node = Node(v)
        if self.root is None:
            self.root = node
            return
        at = self.root
        while True:
            if v < at.value:
                if at.left is None:
                    at.left = node
                    return
                at = at.left
            else:
                if at.right is None:
                    at.right = node
                    return
                at = at.right


@case(np.array([1.3, 0.7, 1.9, 0.4]), second=False)
def inserted(x):
    tree = Sorted()
    for v in x:
        tree.insert(v)
    return tree.root.total()


@pytest.mark.slow
def test_the_second_derivative_of_inserting_is_refused():
    """It was a RecursionError."""
    with pytest.raises(tl.DerivativeError, match="without end"):
        tl.hessian(inserted)(np.array([1.3, 0.7, 1.9, 0.4]))


@pytest.mark.parametrize("function, args, options", cases(__name__), ids=label)
def test_tree(function, args, options):
    check(function, *args, **options)


def lacks(node, x):
    if x > 0.0:
        return node["weight"] * x
    return node["value"] * x


def test_a_missing_key_raises_what_python_raises():
    with pytest.raises(KeyError, match="weight"):
        tl.grad(lambda x: lacks({"value": x}, x))(1.0)
    assert tl.grad(lambda x: lacks({"value": x}, x))(-2.0) == -4.0
