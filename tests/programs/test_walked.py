"""What a list takes in, and what is walked over without a loop: keys of dicts, tuples, ranges, objects that iterate."""

from __future__ import annotations

import math

import numpy as np
import pytest

import tangentlite as tl
from tests.programs.strict import case, cases, check, label

X = np.array([1.3, 0.7, 2.1])


class Held:
    """Something that holds a list, or walks over two numbers."""

    def __init__(self, a, b):
        self.a, self.b, self.items = a, b, [a]

    def __iter__(self):
        return iter((self.b, self.a))


@case(X)
def a_tuple_in_a_name(x):
    items, more = [x[0]], (x[1], x[2])
    same = items
    items += more
    return same[0] * same[1] ** 2 * same[2] ** 3


@case(X)
def tuples_in_a_loop(x):
    items = []
    for v in x:
        pair = (v, v**2)
        items += pair
    return items[0] * items[1] * items[3] * items[5]


@case(X)
def a_list_or_a_tuple(x):
    items = [x[0]]
    more = (x[1], x[2]) if x[0] > 0 else [x[1]]
    items += more
    return items[0] * items[1] * items[2]


@case(X)
def a_tuple_that_grows(x):
    items = (x[0],)
    same = items
    more = (x[1],)
    items += more
    return items[0] * items[1] + len(same) * x[2]


@case(X)
def an_attribute_that_takes_in_a_tuple(x):
    held, more = Held(x[0], x[1]), (x[1], x[2])
    for _ in range(2):
        held.items += more
    return held.items[0] * held.items[1] * held.items[4]


@case(X)
def an_element_that_takes_in_keys(x):
    rows, more = {"q": [x[0]]}, {3.0: x[1], 4.0: x[2]}
    rows["q"] += more
    return rows["q"][0] * rows["q"][1] * x[1] + rows["q"][2] * x[2]


@case(X)
def keys_and_ranges_taken_in(x):
    items, table = [x[0]], {1.0: x[1], 2.0: x[2]}
    items += table
    items += range(3)
    items.extend(table)
    items.append(x[1])
    return items[0] * items[2] * items[5] * items[6] * items[-1]


@case(X)
def keys_taken_in_where_a_loop_fills_them(x):
    table = {}
    for i in range(3):
        table[i] = x[i] * 2
    items = [x[0]]
    items += table
    items.extend(table)
    return items[2] * items[0] + items[6] * x[1]


@case(X)
def a_part_is_keys(x):
    items, table = [x[0], x[1], x[2]], {3.0: x[1], 2.0: x[2]}
    items[:2] = table
    items[1:2] = range(2)
    return items[0] * items[-1] + items[2] * x[1]


@case(X)
def keys_unpacked(x):
    table = {0: x[1], 1: x[2]}
    a, b = table
    return a * x[2] + b * x[0] * x[1]


@case(X)
def keys_unpacked_in_a_helper(x):
    return product_of_two({3.0: x[1], 2.0: x[2]}, x) + product_of_two((x[1], x[2]), x)


def product_of_two(pair, x):
    a, b = pair
    return a * b * x[0]


@case(X)
def the_largest_key(x):
    table = {0: x[1], 1: x[2]}
    return max(table) * x[0] + (min(table) + 2) * x[1] + math.fsum(table) * x[2]


@case(X)
def keys_as_arguments(x):
    table = {3.0: x[1], 2.0: x[2]}
    return weighted(*table, x[0]) + max(*table) * x[1]


def weighted(a, b, c):
    return a * a * b * c


@case(X)
def what_iterates_by_itself(x):
    held, items = Held(x[1], x[2]), [x[0], x[1]]
    items[1:] = held
    items.extend(held)
    a, b = held
    return a * a * b * items[0] * items[1] ** 2 * items[4]


@pytest.mark.parametrize(("function", "args", "options"), cases(__name__), ids=label)
def test_derivatives(function, args, options):
    check(function, *args, **options)


def test_a_sum_of_a_list_and_a_tuple_is_an_error_of_python() -> None:
    def added(x):
        items, more = [x[0]], (x[1], x[2])
        items = items + more
        return items[0]

    with pytest.raises(TypeError, match="can only concatenate list"):
        tl.grad(added)(X)
