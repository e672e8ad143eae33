"""Chains and trees of objects, built in loops: pushed, popped, turned round, walked along."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

import tangentlite as tl
from tests.programs.strict import check

X = np.array([0.4, 1.3, 0.8])


class Node:
    def __init__(self, v, after=None):
        self.v, self.after = v, after


class Stack:
    def __init__(self):
        self.top = None

    def push(self, v):
        self.top = Node(v, self.top)

    def pop(self):
        v = self.top.v
        self.top = self.top.after
        return v


class Tree:
    def __init__(self, key, v):
        self.key, self.v, self.left, self.right = key, v, None, None


def walked_along(x):
    head = None
    for v in x:
        head = Node(v * v, head)
    s = 0.0
    while head is not None:
        s = s * 0.5 + head.v
        head = head.after
    return s


def written_out(x):
    node = Node(x[0], Node(x[1] * x[0], Node(x[2] ** 3)))
    s = 0.0
    while node is not None:
        s = s * 2 + node.v
        node = node.after
    return s


def pushed_and_popped(x):
    s = Stack()
    for v in x:
        s.push(v * v)
    a = s.pop()
    return a * s.pop() + a


def changed_at_the_end(x):
    head = None
    for k in range(4):
        head = Node(x[0] * k, head)
    last = head
    while last.after is not None:
        last = last.after
    last.v = x[1] ** 3
    s = 0.0
    while head:
        s = s + head.v * head.v
        head = head.after
    return s


def turned(head):
    before = None
    while head is not None:
        after = head.after
        head.after = before
        before = head
        head = after
    return before


def turned_round(x):
    head = turned(Node(x[0], Node(x[1] * x[0], Node(x[2] ** 3))))
    return head.v + 2 * head.after.v


def inserted(t, key, v):
    if t is None:
        return Tree(key, v)
    if key < t.key:
        t.left = inserted(t.left, key, v)
    else:
        t.right = inserted(t.right, key, v)
    return t


def total(t):
    return 0.0 if t is None else t.v * t.v + total(t.left) * 0.5 + total(t.right)


def sorted_into_a_tree(x):
    root = None
    for key, v in zip([2, 1, 3], x):
        root = inserted(root, key, v)
    return total(root)


class Link:
    def __init__(self, before=None):
        self.before, self.after, self.v = before, None, 0.0


def linked_both_ways(x):
    head = link = Link()
    for v in x:
        link.v = v * v
        link.after = Link(link)
        link = link.after
    s = 0.0
    while head.after is not None:
        head.v *= 1.5 if head.before is None else head.before.v
        s = s * 0.5 + head.v
        head = head.after
    return s


def what_only_the_part_holds(x):
    first, second = Link(), Link()
    second.v = x[0]
    second.before = Link()
    second.before.v = x[1] * x[2]
    first.after = second
    s, link = 0.0, first
    while link is not None:
        if link.before is not None:
            s += link.before.v * link.v
        s += link.v**2
        link = link.after
    return s


class Family:
    def __init__(self, v, parent=None):
        self.v, self.parent, self.left, self.right = v, parent, None, None


def with_parents(x):
    root = Family(x[0])
    root.left = Family(x[1], root)
    root.right = Family(x[2], root)
    root.left.left = Family(x[0] * x[1], root.left)
    s = 0.0
    for one in (root, root.left, root.right, root.left.left):
        s += one.v**2 if one.parent is None else one.v * one.parent.v
    return s


FIRST = (
    *(linked_both_ways, what_only_the_part_holds, with_parents),
    *(walked_along, written_out, pushed_and_popped, changed_at_the_end),
    *(turned_round, sorted_into_a_tree),
)


@pytest.mark.parametrize("f", FIRST, ids=lambda f: f.__name__)
def test_in_first_order(f: Any) -> None:
    """The second order of objects that are changed in loops is refused."""
    check(f, X, second=False)


@pytest.mark.parametrize("f", [walked_along, written_out], ids=lambda f: f.__name__)
def test_the_gradient_has_derivatives(f: Any) -> None:
    df, v, h = tl.grad(f), np.array([0.3, -1.0, 0.6]), 1e-5
    expected = (df(X + h * v) - df(X - h * v)) / (2 * h)
    np.testing.assert_allclose(tl.jvp(df)(X, tangent=v)[1], expected, rtol=1e-6)
    np.testing.assert_allclose(tl.vjp(df)(X)[1](v), expected, rtol=1e-6)
