"""Lists and dicts that begin empty, or with integers or None, and are written later: also through other names."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

import tangentlite as tl
from tests.programs.strict import case, cases, check, label


def put(table, key, value):
    table[key] = value


def inner(table):
    return table["a"]


def fill(grid, x):
    for i in range(len(grid)):
        for j in range(len(grid[i])):
            grid[i][j] = x * (i + j)


def fibonacci(n, x, memo):
    if n in memo:
        return memo[n]
    memo[n] = fibonacci(n - 1, x, memo) * x + fibonacci(n - 2, x, memo)
    return memo[n]


@case(0.7, "k")
def key_of_an_empty_dict(x, key):
    table = {}
    table[key] = x * x
    return table[key]


@case(0.7)
def literal_key_of_an_empty_dict(x):
    table = {}
    table["b"] = x * x
    return table["b"]


@case(0.7)
def key_beside_an_integer(x):
    table = {"n": 0}
    table["b"] = x * x
    return table["b"] + table["n"]


@case(0.7)
def integer_overwritten(x):
    table = {"n": 0}
    table["n"] = x * x
    return table["n"]


@case(0.7)
def list_of_integers(x):
    values = [0, 0, 0]
    values[1] = x * x
    return values[1]


@case(0.7)
def list_of_a_text(x):
    values = [0, "a"]
    values[0] = x * x
    return values[0]


@case(0.7)
def list_of_nothing(x):
    values = [None, None]
    values[0] = x * x
    return values[0]


@case(0.7)
def both_elements_at_once(x):
    values = [0, 0]
    values[0], values[1] = x, x * x
    return values[0] * values[1]


@case(0.7, second=False)
def sums_that_begin_with_zero(x):
    total = {"n": 0, "sum": 0, "squares": 0}
    for v in [x, 2 * x, x * x]:
        total["n"] += 1
        total["sum"] += v
        total["squares"] = total["squares"] + v * v
    return total["squares"] - total["sum"] ** 2 / total["n"]


@case(0.7, second=False)
def sums_in_a_list(x):
    sums = [0] * 2
    total = 0
    for i in range(4):
        sums[i % 2] += x**i
        total += sums[0]
    return sums[0] * sums[1] + total


@case(0.7)
def counters_by_key(x):
    table = {}
    for key in ("a", "b", "a"):
        if key not in table:
            table[key] = 0
        table[key] += x * x
    return table["a"] * table["b"]


@case(0.7, 3, second=False)
def table_of_integers(x, n):
    table = [[0] * n for _ in range(n)]
    for i in range(n):
        for j in range(n):
            table[i][j] = x * i if j == 0 else table[i][j - 1] * x
    return table[n - 1][n - 1]


@case(0.7, 3, second=False)
def table_of_nothing(x, n):
    table = [[None] * n for _ in range(n)]
    for i in range(n):
        for j in range(n):
            table[i][j] = x * (i + 1) if j == 0 else table[i][j - 1] * x
    return table[n - 1][n - 1]


@case(0.7)
def element_of_an_element(x):
    rows = [[0, 0], [0, 0]]
    rows[0][1] = x * x
    return rows[0][1]


@case(0.7)
def dict_in_a_dict_in_a_dict(x):
    table = {"a": {"b": {"c": 0}}}
    part = table["a"]
    part["b"]["c"] = x * x
    return table["a"]["b"]["c"]


@case(0.7)
def another_name(x):
    values = [0, 0]
    other = values
    other[0] = x * x
    return values[0]


@case(0.7)
def part_of_a_state(x):
    state = {"position": [0, 0], "steps": 0}
    position = state["position"]
    position[0] = x
    position[1] += x * x
    return state["position"][0] * state["position"][1]


@case(0.7, second=False)
def part_given_by_a_helper(x):
    table = {"a": [0, 1]}
    part = inner(table)
    part[0] = x * x
    return table["a"][0]


@case(0.7, second=False)
def helper_that_stores(x):
    table, values = {}, [0, 0]
    put(table, "a", x * x)
    put(values, 1, x)
    return table["a"] * values[1]


@case(0.7, second=False)
def helper_that_fills(x):
    grid = [[0, 0], [0, 0]]
    row = grid[1]
    fill(grid, x)
    return row[1] * grid[0][1]


@case(0.7, second=False)
def recursion_with_a_memo(x):
    return fibonacci(4, x, {0: 0, 1: 1})


@case(0.7, second=False)
def rows_in_a_loop(x):
    grid = [[0, 1], [0, 1]]
    for i, row in enumerate(grid):
        row[i] = x ** (i + 1)
    return grid[1][1] * grid[0][0]


@case(0.7, second=False)
def values_of_a_dict(x):
    table = {"a": [0], "b": [0]}
    for value in table.values():
        value[0] = x * x
    return table["a"][0] + table["b"][0]


@case(0.7)
def shallow_copies(x):
    grid = [[0, 1], [0, 1]]
    a, b, c = list(grid), grid.copy(), grid[:]
    a[0][0] = x * x
    b[0][1] = x
    c[1][0] = x * x * x
    return grid[0][0] + grid[0][1] * grid[1][0]


@case(0.7, second=False)
def one_row_repeated(x):
    rows = [[0]] * 2
    rows[0][0] = x * x
    return rows[1][0]


@case(0.7)
def row_out_and_in(x):
    rows = [[0], [0]]
    row = rows.pop()
    row[0] = x * x
    rows.append(row)
    return rows[-1][0]


@case(0.7)
def rows_that_are_left(x):
    rows = [[0], [0], [0]]
    _, *rest = rows
    rest[0][0] = x * x
    return rows[1][0]


@case(0.7)
def list_that_grows(x):
    values = [0]
    values.append(x * x)
    values.extend([x, 1])
    values.insert(0, x * x * x)
    return values[0] + values[2] * values[3]


@case(0.7, second=False)
def dict_that_is_updated(x):
    table = {"a": 0}
    table.update(a=x * x)
    return table["a"] * table.setdefault("b", x)


@case(0.7)
def best_so_far(x):
    best = None
    for k in range(3):
        value = x * k - k * k
        if best is None or value > best:
            best = value
    return best


@pytest.mark.parametrize(("function", "args", "options"), cases(__name__), ids=label)
def test_program(function: Any, args: Any, options: Any) -> None:
    check(function, *args, **options)


def overwritten_function(x):
    functions = [np.sin]
    others = functions
    others[0] = np.cos
    return functions[0](x)


def test_a_function_overwritten_through_another_name() -> None:
    np.testing.assert_allclose(tl.grad(overwritten_function)(0.7), -np.sin(0.7))


KEPT: dict[str, Any] = {}
HISTORY: list[Any] = []


def keep(value):
    KEPT["last"] = value


def keep_later(value):
    keep(np.sin(value))


def last():
    return KEPT["last"]


def note(value):
    HISTORY.append(("value", float(value)))


def read_back(x):
    keep(x)
    return KEPT["last"] * x


def read_back_from_afar(x):
    keep_later(x)
    return last() * x


def noted(x):
    note(x)
    return x * x


class Register:
    items: list[Any] = []
    table = np.zeros(3)

    def add(self, value):
        self.items.append(value)


def in_a_class(x):
    Register.items.append(x)
    return Register.items[-1] * x


def in_a_class_by_its_object(x):
    register = Register()
    register.items.append(x)
    return register.items[-1] * x


def in_a_class_by_a_method(x):
    register = Register()
    register.add(x)
    return register.items[-1] * x


def in_an_array_of_a_class(x):
    register = Register()
    register.table[1] = x
    return register.table[1] * x


def in_a_function(x):
    note.last = [x]
    return note.last[0] * x


WRITTEN = [in_a_class, in_a_class_by_its_object, in_a_class_by_a_method, in_an_array_of_a_class]


@pytest.mark.parametrize("program", [*WRITTEN, in_a_function], ids=lambda f: f.__name__)
def test_classes_and_functions_are_outside(program: Any) -> None:
    with pytest.raises(tl.DerivativeError):
        tl.grad(program)(0.7)


@pytest.mark.parametrize("program", [read_back, read_back_from_afar], ids=lambda f: f.__name__)
def test_what_a_helper_keeps_outside_is_not_read_again(program: Any) -> None:
    for derivative in (tl.grad, tl.jvp):
        with pytest.raises(tl.AliasError, match="from where it is read again"):
            derivative(program)(0.7) if derivative is tl.grad else derivative(program)(
                0.7, tangent=1.0
            )


def test_what_a_helper_only_keeps_may_be_kept() -> None:
    HISTORY.clear()
    assert tl.grad(noted)(0.7) == pytest.approx(1.4)
    assert HISTORY == [("value", 0.7)]
