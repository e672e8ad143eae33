"""Programs that raise: what NumPy and Python say no to, in the middle of a function that is differentiated.

Each says by ``mark`` how far it came. A program that is ``refused`` is one that the compiler does not take.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import numpy as np

import tangentlite as tl

TRACE: list[int] = []
X = np.array([0.4, 1.3, -0.7])


@dataclass(frozen=True)
class Program:
    """A function and arguments with which it fails."""

    function: Callable[..., Any]
    args: tuple[Any, ...]
    refused: bool = False


PROGRAMS: list[Program] = []


def fails(*args: Any, refused: bool = False) -> Callable[[Callable[..., Any]], Callable[..., Any]]:
    """Remember a function, with the arguments after the first array."""

    def remember(function: Callable[..., Any]) -> Callable[..., Any]:
        PROGRAMS.append(Program(function, (X.copy(), *args), refused))
        return function

    return remember


@tl.inactive
def mark(k: int) -> None:
    """Note that a program came this far."""
    TRACE.append(k)


# Casting ------------------------------------------------------------------------------------------


@fails()
def copyto_of_floats_into_integers(x):
    k = np.zeros(3, int)
    x[0] = x[1] * x[2]
    mark(1)
    np.copyto(k, x)
    mark(2)
    return np.sum(x * k)


@fails()
def copyto_of_a_larger_array(x):
    y = np.zeros(2)
    mark(1)
    np.copyto(y, x * x)
    mark(2)
    return np.sum(y)


@fails()
def copyto_with_a_mask_of_another_shape(x):
    y = x * x
    mark(1)
    np.copyto(y, x, where=np.array([True, False]))
    mark(2)
    return np.sum(y)


@fails()
def floats_added_to_integers(x):
    k = np.zeros(3, int)
    x *= 2.0
    mark(1)
    k += x
    mark(2)
    return np.sum(x * k)


@fails()
def floats_added_to_some_integers(x):
    k = np.zeros(3, int)
    x *= 2.0
    mark(1)
    k[1:] += x[1:]
    mark(2)
    return np.sum(x * k)


@fails(np.arange(3))
def integers_divided_in_place(x, k):
    mark(1)
    k /= 2
    mark(2)
    return np.sum(x * k)


@fails()
def booleans_subtracted_in_place(x):
    b = x > 0.0
    mark(1)
    b -= True
    mark(2)
    return np.sum(x * b)


@fails()
def floats_or_in_place(x):
    y = x * x
    mark(1)
    y |= 1
    mark(2)
    return np.sum(y)


@fails()
def floats_and_in_place(x):
    y = x * x
    mark(1)
    y &= x > 0.0
    mark(2)
    return np.sum(y)


@fails()
def floats_shifted_in_place(x):
    mark(1)
    x <<= 1
    mark(2)
    return np.sum(x)


@fails()
def a_string_stored_in_an_array(x):
    y = x * x
    mark(1)
    y[0] = "one"
    mark(2)
    return np.sum(y)


@fails()
def none_added_in_place(x):
    y = x * x
    mark(1)
    y += None
    mark(2)
    return np.sum(y)


@fails()
def a_complex_number_stored_in_an_array(x):
    y = x * x
    mark(1)
    y[0] = 1.0 + 2.0j
    mark(2)
    return np.sum(y)


@fails()
def complex_numbers_added_in_place(x):
    y = x * x
    mark(1)
    y += 1.0j * x
    mark(2)
    return np.sum(y)


# Shapes -------------------------------------------------------------------------------------------


@fails(np.ones((2, 3)))
def a_larger_array_added_in_place(x, m):
    y = x * x
    mark(1)
    y += m
    mark(2)
    return np.sum(y)


@fails(np.ones((2, 3)))
def a_larger_array_multiplied_into_the_argument(x, m):
    x[0] = x[1] * x[2]
    mark(1)
    x *= m
    mark(2)
    return np.sum(x)


@fails(np.ones(2))
def a_shorter_array_added_in_place(x, v):
    mark(1)
    x += v
    mark(2)
    return np.sum(x * x)


@fails(np.ones(2))
def a_shorter_array_added(x, v):
    x[0] = 1.0
    mark(1)
    y = x * v
    mark(2)
    return np.sum(y)


@fails()
def a_longer_list_stored(x):
    y = x * x
    mark(1)
    y[:2] = [x[0], x[1], x[2]]
    mark(2)
    return np.sum(y)


@fails()
def a_longer_array_stored(x):
    y = x * x
    mark(1)
    y[:2] = x
    mark(2)
    return np.sum(y)


@fails()
def an_array_stored_in_an_element(x):
    y = x * x
    mark(1)
    y[0] = x
    mark(2)
    return np.sum(y)


@fails()
def a_row_of_another_length(x):
    y = np.zeros((2, 2))
    mark(1)
    y[0] = x
    mark(2)
    return np.sum(y)


@fails()
def out_of_another_shape(x):
    y = np.zeros(2)
    mark(1)
    np.multiply(x, x, out=y)
    mark(2)
    return np.sum(y)


@fails()
def out_of_integers(x):
    y = np.zeros(3, int)
    mark(1)
    np.exp(x, out=y)
    mark(2)
    return np.sum(y * x)


@fails()
def out_that_is_a_list(x):
    y = [0.0, 0.0, 0.0]
    mark(1)
    np.sin(x, out=y)
    mark(2)
    return y[0] * x[1]


@fails()
def a_product_into_another_shape(x):
    y = np.zeros(3)
    mark(1)
    np.dot(np.outer(x, x), x[:2], out=y)
    mark(2)
    return np.sum(y)


@fails()
def reshaped_to_another_size(x):
    x[0] = 3.0
    mark(1)
    y = x.reshape(2, 2)
    mark(2)
    return np.sum(y)


@fails(-1)
def zeros_of_a_negative_dimension(x, n):
    mark(1)
    y = np.zeros(n)
    mark(2)
    y[0] = x[0]
    return np.sum(y)


@fails(-2)
def full_of_a_negative_dimension(x, n):
    mark(1)
    y = np.full((3, n), x[0])
    mark(2)
    return np.sum(y)


@fails()
def concatenated_with_another_rank(x):
    x[1] = x[0]
    mark(1)
    y = np.concatenate([x, np.outer(x, x)])
    mark(2)
    return np.sum(y)


@fails()
def stacked_with_another_length(x):
    mark(1)
    y = np.stack([x, x[1:]])
    mark(2)
    return np.sum(y)


@fails()
def an_axis_that_is_not_there(x):
    x *= x
    mark(1)
    y = np.sum(x, axis=1)
    mark(2)
    return np.sum(y)


@fails()
def a_product_that_does_not_fit(x):
    x *= x
    mark(1)
    y = np.outer(x, x) @ x[:2]
    mark(2)
    return np.sum(y)


# Indices ------------------------------------------------------------------------------------------


@fails(3)
def an_element_that_is_not_there(x, k):
    x[0] = x[1]
    mark(1)
    y = x[k] * 2.0
    mark(2)
    return y


@fails(3)
def a_store_past_the_end(x, k):
    x[0] = x[1] * x[2]
    mark(1)
    x[k] = 2.0 * x[0]
    mark(2)
    return np.sum(x)


@fails(-4)
def a_store_before_the_start(x, k):
    y = x * x
    mark(1)
    y[k] += x[0]
    mark(2)
    return np.sum(y)


@fails(4)
def a_loop_that_runs_too_far(x, n):
    for i in range(n):
        mark(i)
        x[i] = x[i] * x[i]
    return np.sum(x)


@fails()
def too_many_indices(x):
    y = x * x
    mark(1)
    y[0, 1] = x[0]
    mark(2)
    return np.sum(y)


@fails()
def an_index_that_is_a_float(x):
    y = x * x
    mark(1)
    y[1.0] = x[0]
    mark(2)
    return np.sum(y)


@fails()
def an_index_that_is_a_string(x):
    y = x * x
    mark(1)
    y["a"] = x[0]
    mark(2)
    return np.sum(y)


@fails(np.array([0, 5]))
def a_list_of_indices_past_the_end(x, k):
    mark(1)
    x[k] = 0.0
    mark(2)
    return np.sum(x)


@fails(np.array([True, False]))
def a_mask_of_another_shape(x, b):
    mark(1)
    x[b] = 0.0
    mark(2)
    return np.sum(x)


@fails(np.array([True, False, True]))
def too_many_values_for_a_mask(x, b):
    y = x * x
    mark(1)
    y[b] = x
    mark(2)
    return np.sum(y)


@fails(np.array([True, False]))
def a_mask_of_another_shape_read(x, b):
    x[0] = 1.0
    mark(1)
    y = x[b]
    mark(2)
    return np.sum(y)


@fails(np.array([0, 5]))
def take_past_the_end(x, k):
    x[0] = 1.0
    mark(1)
    y = np.take(x, k)
    mark(2)
    return np.sum(y)


@fails(np.array([0, 5]))
def add_at_past_the_end(x, k):
    mark(1)
    np.add.at(x, k, 1.0)
    mark(2)
    return np.sum(x * x)


@fails()
def fill_diagonal_of_a_vector(x):
    mark(1)
    np.fill_diagonal(x, 1.0)
    mark(2)
    return np.sum(x)


@fails()
def place_with_nothing(x):
    y = x * x
    mark(1)
    np.place(y, y > 0.0, [])
    mark(2)
    return np.sum(y)


@fails(np.array([True, False]))
def place_with_another_mask(x, b):
    y = x * x
    mark(1)
    np.place(y, b, [x[0]])
    mark(2)
    return np.sum(y)


@fails(np.array([True, False]))
def putmask_with_another_mask(x, b):
    y = x * x
    mark(1)
    np.putmask(y, b, x)
    mark(2)
    return np.sum(y)


@fails(np.array([0, 7]))
def put_past_the_end(x, k):
    y = x * x
    mark(1)
    np.put(y, k, x[0])
    mark(2)
    return np.sum(y)


# Memory that must not be written ------------------------------------------------------------------


@fails()
def a_broadcast_view_written(x):
    y = np.broadcast_to(x, (2, 3))
    mark(1)
    y[0, 0] = x[1]
    mark(2)
    return np.sum(y)


@fails()
def a_broadcast_view_added_to(x):
    y = np.broadcast_to(x, (2, 3))
    mark(1)
    y += 1.0
    mark(2)
    return np.sum(y)


@fails()
def a_diagonal_written(x):
    y = np.outer(x, x)
    d = np.diagonal(y)
    mark(1)
    d[0] = x[0]
    mark(2)
    return np.sum(y)


@fails(refused=True)
def locked_by_the_program(x):
    y = x * x
    y.flags.writeable = False
    mark(1)
    y[0] = 1.0
    mark(2)
    return np.sum(y)


@fails()
def an_element_of_a_tuple_stored(x):
    z = (x[0], x[1])
    mark(1)
    z[0] = 2.0
    mark(2)
    return z[0] * x[1]


@fails()
def an_element_of_a_tuple_added_to(x):
    z = (x[0], x[1])
    mark(1)
    z[0] += 1.0
    mark(2)
    return z[0] * x[1]


@fails()
def an_array_in_a_tuple_added_to(x):
    z = (x * x, x[1])
    mark(1)
    z[0] += 1.0
    mark(2)
    return np.sum(z[0] * x[1])


@fails()
def a_number_written(x):
    y = x[0]
    mark(1)
    y[0] = 1.0
    mark(2)
    return y * x[1]


# Lists and dicts ----------------------------------------------------------------------------------


@fails()
def popped_from_an_empty_list(x):
    l = [x[0]]
    a = l.pop()
    mark(1)
    b = l.pop()
    mark(2)
    return a * b


@fails([])
def popped_from_an_empty_argument(x, l):
    x[0] = 2.0
    mark(1)
    a = l.pop()
    mark(2)
    return a * x[0]


@fails()
def popped_past_the_end(x):
    l = [x[0], x[1]]
    mark(1)
    a = l.pop(5)
    mark(2)
    return a * l[0]


@fails()
def removed_what_is_not_there(x):
    l = [x[0], 2.0]
    mark(1)
    l.remove(7.0)
    mark(2)
    return l[0] * x[1]


@fails()
def the_index_of_what_is_not_there(x):
    l = [1.0, 2.0]
    x[0] = 3.0
    mark(1)
    k = l.index(7.0)
    mark(2)
    return x[k] * x[1]


@fails(2)
def an_element_of_a_list_that_is_not_there(x, k):
    l = [x[0], x[1]]
    l[0] = x[2]
    mark(1)
    y = l[k]
    mark(2)
    return y * x[0]


@fails(2)
def stored_past_the_end_of_a_list(x, k):
    l = [x[0], x[1]]
    mark(1)
    l[k] = x[2]
    mark(2)
    return l[0] * x[0]


@fails(2)
def added_past_the_end_of_a_list(x, k):
    l = [x[0], x[1]]
    mark(1)
    l[k] += x[2]
    mark(2)
    return l[0] * x[0]


@fails(2)
def deleted_past_the_end_of_a_list(x, k):
    l = [x[0], x[1]]
    mark(1)
    del l[k]
    mark(2)
    return l[0] * x[0]


@fails(2)
def a_longer_part_of_a_list(x, k):
    l = [x[0], x[1], x[2]]
    mark(1)
    l[::2] = [x[0], x[1], x[2]]
    mark(2)
    return l[0] * x[0]


@fails(refused=True)
def extended_by_a_number(x):
    l = [x[0]]
    mark(1)
    l.extend(3.0)
    mark(2)
    return l[0] * x[0]


@fails(refused=True)
def a_list_and_a_number(x):
    l = [x[0]]
    mark(1)
    l += 3.0
    mark(2)
    return l[0] * x[0]


@fails()
def a_list_and_a_tuple(x):
    l = [x[0]]
    mark(1)
    l = l + (x[1],)
    mark(2)
    return l[0] * x[0]


@fails()
def a_key_that_is_not_there(x):
    d = {"a": x[0]}
    d["c"] = x[1]
    mark(1)
    y = d["b"]
    mark(2)
    return y * x[1]


@fails("b")
def a_key_that_is_not_known(x, k):
    d = {"a": x[0]}
    mark(1)
    y = d[k]
    mark(2)
    return y * x[1]


@fails()
def a_key_deleted_that_is_not_there(x):
    d = {"a": x[0]}
    mark(1)
    del d["b"]
    mark(2)
    return d["a"] * x[1]


@fails("b")
def a_key_popped_that_is_not_there(x, k):
    d = {"a": x[0]}
    mark(1)
    y = d.pop(k)
    mark(2)
    return d["a"] * y


@fails("b")
def a_key_added_to_that_is_not_there(x, k):
    d = {"a": x[0]}
    mark(1)
    d[k] += x[1]
    mark(2)
    return d["a"] * x[1]


@fails({"a": 2.0})
def a_key_of_an_argument_that_is_not_there(x, d):
    d["a"] = x[0]
    mark(1)
    y = d["b"]
    mark(2)
    return y * x[1]


@fails()
def a_dict_changed_while_it_is_walked(x):
    d = {"a": x[0], "b": x[1]}
    y = 0.0
    for k in d:
        mark(1)
        y = y + d[k]
        d[k + "c"] = x[2]
    mark(2)
    return y


@fails({"a": 1.0, "b": 2.0}, refused=True)
def an_argument_changed_while_it_is_walked(x, d):
    y = 0.0
    for k in d:
        mark(1)
        y = y + d[k] * x[0]
        d.pop(k)
    mark(2)
    return y


@fails()
def a_key_that_is_a_list(x):
    d = {"a": x[0]}
    mark(1)
    d[[1]] = x[1]
    mark(2)
    return d["a"] * x[1]


@fails()
def unpacked_into_too_few(x):
    x[0] = 2.0
    mark(1)
    a, b = x
    mark(2)
    return a * b


@fails()
def unpacked_into_too_many(x):
    l = [x[0], x[1]]
    l.append(x[2])
    mark(1)
    a, b, c, d = l
    mark(2)
    return a * b * c * d


# Names, calls, and what the program raises itself -------------------------------------------------


@fails(0)
def a_name_that_is_not_bound(x, n):
    for i in range(n):
        y = x[i]
    mark(1)
    z = y * x[0]
    mark(2)
    return z


@fails(refused=True)
def a_method_that_is_not_there(x):
    x[0] = 2.0
    mark(1)
    y = x.summe()
    mark(2)
    return y


@fails(1)
def a_helper_that_raises(x, k):
    x[0] = x[1]
    mark(1)
    y = _raises(x, k)
    mark(2)
    return np.sum(y)


def _raises(u, k):
    u[1] = u[0] * 2.0
    mark(7)
    if k:
        raise ValueError("k must be zero")
    return u * u


@fails()
def an_assertion(x):
    x[0] = -1.0
    mark(1)
    assert x[0] > 0.0, "positive numbers only"
    mark(2)
    return np.sum(np.log(x))


@fails(0)
def divided_by_zero(x, n):
    s = 2.0
    x[0] = s
    mark(1)
    t = s / n
    mark(2)
    return t * x[1]


@fails(-1.0)
def outside_the_domain_of_math(x, s):
    x[0] = 2.0
    mark(1)
    t = s**0.5 + math.sqrt(s)
    mark(2)
    return t * x[1]


@fails()
def a_matrix_that_is_singular(x):
    a = np.zeros((3, 3))
    a[0, 0] = x[0]
    mark(1)
    y = np.linalg.solve(a, x)
    mark(2)
    return np.sum(y)


@fails()
def a_truth_value_of_an_array(x):
    x[0] = 2.0
    mark(1)
    if x > 0.0:
        x[1] = 3.0
    mark(2)
    return np.sum(x)


@fails(refused=True)
def too_many_arguments_for_a_helper(x):
    mark(1)
    y = _raises(x, 0, 1)
    mark(2)
    return np.sum(y)
