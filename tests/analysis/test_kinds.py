"""Kinds of all names at the end of small functions, as text."""

from __future__ import annotations

import random
import textwrap
from typing import Any

import numpy as np
import pytest

from tangentlite.analysis.given import of
from tangentlite.analysis.joining import join
from tangentlite.analysis.kinds import (
    FLOAT,
    ZERO_KIND,
    Again,
    Dict,
    Inert,
    Kind,
    List,
    Nothing,
    Num,
    Object,
    Tuple,
    Unknown,
    floating,
    forget,
)

CASES = {
    "broadcasting is the union of symbols": (
        """
        def f(x, w):
            a = x * w
            b = np.sin(a)
            c = a + 2.0
            return np.sum(b)
        """,
        """
        x: num[x]
        w: num[w]
        a: num[w x]
        b: num[w x]
        c: num[w x]
        y: num[]
        """,
    ),
    "integers, truth values and literals": (
        """
        def f(x):
            n = len(x)
            m = x > 0.0
            k = 2
            c = 1.5
            h = "text"
            return x * n * k
        """,
        """
        x: num[x]
        n: int[]
        m: bool[new]
        k: 2
        c: 1.5
        h: inert
        y: num[x]
        """,
    ),
    "containers keep the kinds of their elements, not their shapes": (
        """
        def f(x):
            p = (x, 1.0, None)
            l = [x, x * 2.0]
            d = {"a": x, "b": np.sum(x)}
            e = d["b"]
            q, r = p[0], p[1]
            return e
        """,
        """
        x: num[x]
        p: (num[?], float[], nothing)
        l: [num[?], num[?]]
        d: {a: num[?], b: num[]}
        e: num[]
        q: num[new]
        r: float[]
        """,
    ),
    "a loop that keeps its shape": (
        """
        def f(x, n):
            y = x
            i = 0
            while i < n:
                y = y * x
                i = i + 1
            return y
        """,
        """
        x: num[x]
        n: num[n]
        y: num[x]
        i: int[]
        """,
    ),
    "a shape that may be either's gets a name of its own": (
        """
        def f(x, flag):
            if flag:
                y = x
                z = 1.0
            else:
                y = np.sum(x)
                z = 2
            return y
        """,
        """
        x: num[x]
        flag: num[flag]
        y: num[new]
        z: num[]
        """,
    ),
    "a list that grows": (
        """
        def f(x):
            s = []
            for v in x:
                s.append(v * v)
            a = np.array(s)
            return np.sum(a)
        """,
        """
        x: num[x]
        s: list of num[?]
        i: int[]
        v: num[new]
        a: num[new]
        y: num[]
        """,
    ),
    "helpers are asked for what they return": (
        """
        def g(a, b):
            return a * b


        def f(x):
            y = g(x, x)
            z = g(2.0, 3.0)
            return y
        """,
        """
        x: num[x]
        y: num[x]
        z: float[]
        """,
    ),
}


@pytest.mark.parametrize("name", CASES)
def test_kinds_at_the_end(name: str, kinds: Any) -> None:
    text, expected = CASES[name]
    assert kinds(text) == textwrap.dedent(expected).strip()


def test_the_kinds_of_arguments_flow_on(kinds: Any) -> None:
    text = "def f(x, w):\n    a = x * 2.0\n    b = w[0]\n    return a"
    given = (FLOAT, Tuple((FLOAT, Num())))
    assert kinds(text, kinds=given) == "x: float[]\nw: (float[], num[?])\na: float[]\nb: float[]"


ATOMS = (
    Num(),
    FLOAT,
    Num(frozenset({"x"})),
    Num(frozenset(), "int"),
    Nothing(),
    Inert("str"),
    ZERO_KIND,
)


def random_kind(seed: random.Random, depth: int = 2) -> Kind:
    if depth == 0 or seed.random() < 0.5:
        return seed.choice(ATOMS)
    items = tuple(random_kind(seed, depth - 1) for _ in range(seed.randint(0, 2)))
    if seed.random() < 0.5:
        return Tuple(items, seed.choice(("tuple", "list")))
    if seed.random() < 0.5:
        return Dict(tuple("ab"[: len(items)]), items)
    return List(items[0] if items else None)


def test_join_is_a_join() -> None:
    """Joining is idempotent, and repeating it changes nothing more: the solver comes to an end."""
    seed = random.Random(5)
    for _ in range(500):
        a, b = random_kind(seed), random_kind(seed)
        assert join(a, a, "s") == a
        both = join(a, b, "s")
        assert join(both, b, "s") == both, (a, b)
        assert forget(forget(a)) == forget(a)


def test_unlike_kinds_are_unknown() -> None:
    for a, b in [(FLOAT, Tuple((FLOAT,))), (Inert("set"), FLOAT)]:
        assert isinstance(join(a, b, "s"), Unknown)
        assert isinstance(join(b, a, "s"), Unknown)


def test_tuples_of_different_lengths_are_lists_that_may_be_tuples() -> None:
    assert join(Tuple((FLOAT,)), Tuple(()), "s") == List(FLOAT, loose=True)
    assert join(Tuple((FLOAT,), "list"), Tuple((), "list"), "s") == List(FLOAT)


def test_a_text_or_a_number_is_a_number() -> None:
    assert join(Inert("str"), FLOAT, None) == join(FLOAT, Inert("str"), None) == Num(optional=True)


@pytest.mark.parametrize(
    ("value", "expected"),
    [
        (1.0, Num(frozenset())),
        (3, Num(frozenset(), "int")),
        (True, Num(frozenset(), "bool")),
        (np.bool_(True), Num(frozenset(), "bool")),
        (np.int64(3), Num(frozenset(), "int")),
        (np.float32(3), Num(frozenset())),
        (np.ones(2), Num()),
        (np.ones(2, int), Num(None, "int")),
        (np.ones(2, bool), Num(None, "bool")),
        (None, Nothing()),
        ("text", Inert("str")),
        (slice(2), Inert("slice")),
        ([1.0, 2.0], List(Num())),
        ([], List(None)),
        ((1.0, None), Tuple((Num(), Nothing()))),
        ([1.0, (2.0,)], Tuple((Num(), Tuple((Num(),))), "list")),
        ({"w": 1.0, "n": "t"}, Dict(("w", "n"), (Num(), Inert("str")))),
    ],
    ids=repr,
)
def test_the_kind_of_a_value(value: Any, expected: Kind) -> None:
    assert of(value) == expected


class Node:
    def __init__(self, value: Any, below: Any = None) -> None:
        self.value, self.below = value, below


def test_objects_are_known_by_class_and_attributes() -> None:
    kind = of(Node(2.0))
    assert kind == Object(("below", "value"), (Nothing(), Num()), owner=Node)


def test_a_tree_has_one_kind_however_deep() -> None:
    deep = of(Node(1.0, Node(2.0, Node(3.0))))
    assert deep == of(Node(1.0, Node(2.0)))
    assert isinstance(deep, Object)
    assert deep.items[0] == Again(Node, optional=True)


def test_an_object_that_holds_itself() -> None:
    ring = Node(1.0)
    ring.below = ring
    assert of(ring) == Object(("below", "value"), (Again(Node), Num()), owner=Node)


def test_foreign_objects_are_unknown_and_say_so() -> None:
    kind = of(object())
    assert isinstance(kind, Unknown)
    assert "object" in kind.why


def test_what_a_derivative_may_flow_through() -> None:
    flows = (Num(), FLOAT, Tuple((Inert("str"), FLOAT)), List(None), List(FLOAT), Unknown("?"))
    assert all(map(floating, flows))
    inert = (
        Num(None, "int"),
        Num(None, "bool"),
        Inert("str"),
        Nothing(),
        Tuple(()),
        List(Inert("str")),
    )
    assert not any(map(floating, inert))
