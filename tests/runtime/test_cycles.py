"""Objects that hold themselves, as arguments: parent pointers and rings."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
import pytest

import tangentlite as tl
from tangentlite.errors import UnsupportedSyntaxError

CIRCLE: list[Any] = []
CIRCLE.append(CIRCLE)


class Node:
    def __init__(self, value, parent=None):
        self.value, self.parent, self.children = value, parent, []


@dataclass
class Link:
    value: float
    after: Any = None
    before: Any = None


def family():
    root = Node(2.0)
    for value in (3.0, np.array([5.0, 7.0])):
        root.children.append(Node(value, root))
    return root


def ring():
    links = [Link(value) for value in (1.5, 2.5, 0.5)]
    for one, other in zip(links, links[1:] + links[:1]):
        one.after, other.before = other, one
    return links[0]


def by_parents(root):
    return sum(np.sum(child.value**2) * child.parent.value**3 for child in root.children)


def in_place(root):
    for child in root.children:
        child.parent.value = child.parent.value * np.sum(child.value)
    return root.value


def around(link):
    total, here = 0.0, link
    for k in range(5):
        total += (k + 1.0) * here.value * here.before.value**2
        here = here.after
    return total


def leaves(x, seen=None):
    """The numbers and arrays of a graph, each object once: where, and which."""
    seen = set() if seen is None else seen
    if id(x) in seen:
        return
    seen.add(id(x))
    parts = enumerate(x) if isinstance(x, list) else vars(x).items()
    for key, part in list(parts):
        if isinstance(part, float | np.ndarray):
            yield x, key
        elif part is not None:
            yield from leaves(part, seen)


def differences(f, make):
    """Central differences: one value moved, wherever it is held."""
    for k, _ in enumerate(leaves(make())):
        value = getattr(*list(leaves(make()))[k])
        found = np.zeros(np.shape(value))
        for index in np.ndindex(found.shape):
            shift = np.zeros(found.shape)
            shift[index] = 1e-6
            ends = []
            for sign in (1.0, -1.0):
                x = make()
                owner, key = list(leaves(x))[k]
                setattr(owner, key, value + sign * shift if found.shape else value + sign * 1e-6)
                ends.append(f(x))
            found[index] = (ends[0] - ends[1]) / 2e-6
        yield found


@pytest.mark.parametrize("f, make", [(by_parents, family), (in_place, family), (around, ring)])
def test_each_value_counts_wherever_it_is_held(f, make):
    gradient = tl.grad(f)(make())
    found = [getattr(*place) for place in leaves(gradient)]
    expected = list(differences(f, make))
    assert len(found) == len(expected)
    for one, other in zip(found, expected):
        np.testing.assert_allclose(one, other, rtol=1e-6)


@pytest.mark.parametrize("f, make", [(by_parents, family), (around, ring)])
def test_forward_mode_agrees(f, make):
    gradient, direction = tl.grad(f)(make()), make()
    tangent = tl.jvp(f)(make(), tangent=direction)[1]
    pairs = zip(leaves(gradient), leaves(direction))
    expected = sum(np.sum(getattr(*one) * getattr(*other)) for one, other in pairs)
    np.testing.assert_allclose(tangent, expected)


def test_the_gradient_holds_itself_as_the_argument_does():
    gradient = tl.grad(by_parents)(family())
    assert gradient.children[1].parent is gradient
    link = tl.grad(around)(ring())
    assert type(link) is Link
    assert link.after.after.after is link


def test_two_tangents_for_one_object_are_refused():
    direction = family()
    direction.children[0].parent = family()
    with pytest.raises(TypeError, match="two tangents"):
        tl.jvp(by_parents)(family(), tangent=direction)


def test_a_gradient_step():
    root = family()
    direction = tl.grad(by_parents)(root)
    _, slope = tl.jvp(by_parents)(root, tangent=direction)
    np.testing.assert_allclose(slope, sum(np.sum(getattr(*p) ** 2) for p in leaves(direction)))


def first(items):
    return items[0] * 2.0


def length(x):
    return x * len(str(CIRCLE))


def inside(x):
    return x * CIRCLE[0][0][0]


def test_lists_that_hold_themselves():
    items: list[Any] = [1.0]
    items.append(items)
    with pytest.raises(UnsupportedSyntaxError, match=r"`items` is a list that holds itself"):
        tl.grad(first)(items)
    with pytest.raises(UnsupportedSyntaxError, match="it holds itself"):
        tl.grad(inside)(1.0)
    assert tl.grad(length)(1.0) == len(str(CIRCLE))


def test_what_is_deep_is_not_taken_for_what_holds_itself():
    deep: Any = None
    for _ in range(5_000):
        deep = Node(1.0, deep)
    with pytest.raises(RecursionError):
        tl.grad(lambda node: node.value**2)(deep)
    while deep is not None:  # freed link by link
        deep = deep.parent
