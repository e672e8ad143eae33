"""What a user reads when a program that writes in place is refused: his own line and names, a reason, a next step."""

from __future__ import annotations

import copy
import re
import zlib
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

import tangentlite as tl

X = np.array([0.4, 1.3, -0.7])
MODES: dict[str, Callable[..., Any]] = {
    "reverse": lambda f, *args: tl.grad(f)(*args),
    "forward": lambda f, *args: tl.jvp(f)(*args, tangent=X),
    "split": lambda f, *args: tl.vjp(f)(*args),
}
CASES: list[tuple[Callable[..., Any], str, str, str, tuple[Any, ...]]] = []
TOTAL, RECORDS, TABLE = np.zeros(3), [1.0], {"a": 1.0}


class Thing:
    """An object with an array."""

    def __init__(self) -> None:
        self.array = np.zeros(3)


THING = Thing()


def says(line: str, reason: str, hint: str, *args: Any) -> Callable[[Any], Any]:
    """The line that a program is refused for, and words of the reason and of the hint."""

    def remember(function: Any) -> Any:
        CASES.append((function, line, reason, hint, args))
        return function

    return remember


class Table:
    def __init__(self, width):
        self.width = width

    def __getitem__(self, key):
        return self.width

    def get(self, key):
        return self.width * key


def made(x):
    return Table(x[0])


@says("[0] = x[0]", "lives outside the function", "write into a copy")
def attribute_global_store(x):
    THING.array[0] = x[0]
    return THING.array[0] * x[1]


@says("[0] = x[0]", "lives outside the function", "write into a copy")
def global_store(x):
    TOTAL[0] = x[0]
    return TOTAL[0] * x[1]


@says("append(x[0])", "lives outside the function", "write into a copy")
def global_append(x):
    RECORDS.append(x[0])
    return RECORDS[-1] * x[1]


@says('["a"] = x[0]', "lives outside the function", "write into a copy")
def global_dict(x):
    TABLE["a"] = x[0]
    return TABLE["a"] * x[1]


@says("update(a=x[0])", "lives outside the function", "write into a copy")
def global_dict_update(x):
    TABLE.update(a=x[0])
    return TABLE["a"] * x[1]


@says("view += x[1:]", "lives outside the function", "write into a copy")
def global_array_iadd(x):
    global_view = TOTAL[1:]
    global_view += x[1:]
    return np.sum(TOTAL * x)


@says("np.copyto", "lives outside the function", "write into a copy")
def global_fill(x):
    np.copyto(TOTAL, x)
    return np.sum(TOTAL * x)


@says("np.sin(x, out=", "lives outside the function", "write into a copy")
def global_out(x):
    np.sin(x, out=TOTAL)
    return np.sum(TOTAL * x)


@says("l * 2.5", "`*` between a list and a number", "np.array(items)")
def list_times_float(x):
    l = [x[0], x[1]]
    return np.sum(l * 2.5)


@says("m = l - 1.0", "`-` between a list and a number", "np.array(items)")
def list_minus(x):
    l = [x[0], x[1]]
    m = l - 1.0
    return m[0]


@says("e = d + 1.0", "`+` between a dict and a number", "Take the numbers out")
def dict_plus(x):
    d = {"a": x[0]}
    e = d + 1.0
    return e["a"]


@says("e = d | ", "`|` between a dict and a list", "np.array(items)")
def dict_or(x):
    d = {"a": x[0]}
    e = d | [x[1]]
    return e["a"]


@says('"a" * x[0]', "`*` between a str and a number", "Take the numbers out")
def string_plus(x):
    y = "a" * x[0]
    return y


@says(
    "y = e * 2.0",
    "cannot tell what `e` is: it holds values of different kinds",
    "values of one kind",
)
def mixed_list(x):
    l = [x[0], [x[1]], x]
    k = 0
    while k < 3:
        e = l[k]
        y = e * 2.0
        k = k + 2
    return np.sum(y)


@says(
    "return y * 2.0",
    "cannot tell what `y` is: it holds values of different kinds",
    "values of one kind",
)
def mixed_branch(x):
    if x[0] > 0:
        y = [x[0]]
    else:
        y = x[0]
    return y * 2.0


@says("y.append(x[1])", "`y` is a tuple", "list(items)")
def append_to_tuple(x):
    y = (x[0],)
    y.append(x[1])
    return y[0]


@says("y.append(x[0])", "no rule for the method `.append`", "Collect in a list")
def array_append_method(x):
    y = x * x
    y.append(x[0])
    return np.sum(y)


@says(".summe()", "no rule for the method `.summe`", "Did you mean `.sum`?")
def method_on_call(x):
    l = np.cumsum(x).summe()
    return l


@says("z = y.ctypes", "attribute `.ctypes` of an array", "outside the function")
def attribute_unknown2(x):
    y = x * x
    z = y.ctypes
    return np.sum(y) + z


@says("np.asmatrix(x)", "no rule for `np.asmatrix`", "tl.inactive(np.asmatrix)")
def no_rule(x):
    y = np.asmatrix(x)
    return np.sum(y)


@says("zlib.compress(y)", "might write into what it is given", "make a new value")
def no_rule_effect(x):
    y = x * x
    zlib.compress(y)
    return np.sum(y)


@says("y.resize(2)", "the method `resize`", "np.resize(x, shape)")
def method_shuffle(x):
    y = x * x
    y.resize(2)
    return np.sum(y)


@says('mode="wrap"', "`np.put` with these arguments", "np.put(a, indices, values)")
def put_mode(x):
    y = x * x
    np.put(y, [0, 9], x[1], mode="wrap")
    return np.sum(y)


@says("wrap=x[0] > 0.0", "`np.fill_diagonal` with these arguments", "np.fill_diagonal(a, values)")
def fill_diagonal_wrap(x):
    y = np.outer(x, x)
    np.fill_diagonal(y, x[0], wrap=x[0] > 0.0)
    return np.sum(y)


@says("np.divmod.at", "`np.divmod.at` is not differentiated", "store")
def add_at_other(x):
    y = x * x
    np.divmod.at(y, [0, 0], x[1], x[2])
    return np.sum(y)


@says("y.sort(key=abs)", "takes no `key` or `reverse`", "np.sort(x)[::-1]")
def sort_key(x):
    y = x * x
    y.sort(key=abs)
    return np.sum(y)


@says("y.shape = ", "writing an attribute", "np.reshape(y, shape)")
def set_shape(x):
    y = x * x
    y.shape = (3, 1)
    return np.sum(y)


@says("del l[0]", "changing `l` while a loop walks over it", "Walk over a copy")
def walk_del(x):
    l = [x[0], x[1]]
    for v in l:
        del l[0]
    return l[0]


@says("for k in d", "its keys are numbers through which a derivative may flow", "in a list")
def active_keys(x):
    d = {x[0]: 1.0, x[1]: 2.0}
    return sum(k * d[k] for k in d)


@says("rng.gamma(x[0])", "no rule for `rng.gamma`", "scale * rng.gamma(2.0")
def drawn_around(x):
    rng = np.random.default_rng(3)
    return rng.gamma(x[0]) * x[1]


@says("max({x[0], x[1]})", "a set of numbers through which a derivative may flow", "in a list")
def set_of_numbers(x):
    return max({x[0], x[1]}) * x[0]


@says("map(abs", "no rule for `map`", "list(map(…))")
def map_that_waits(x):
    waves = map(abs, x)
    return (sum(waves) + sum(waves)) * x[0]


@says("l[1] * l[2]", "`l.extend` got what is not known to be a list", "values of one kind")
def list_extend_number(x):
    l = [x[0]]
    l.extend(2.0 * x[1])
    return l[1] * l[2]


@says("l += 3.0", "`+` between a list and a number", "np.array(items)")
def list_iadd_number(x):
    l = [x[0]]
    l += 3.0
    return l[0] * x[0]


@says("x.view(np.int64)", "np.ndarray.view: the rule", "tl.adjoint")
def view_dtype(x):
    y = x.view(np.int64)
    y[0] = 1
    return np.sum(x)


@says("y.swap()", "no rule for the method `.swap`", "Arrays have nothing of that name.")
def swap_method(x):
    y = x * x
    y.swap()
    return np.sum(y)


@pytest.mark.parametrize("mode", MODES)
@pytest.mark.parametrize("case", CASES, ids=lambda case: case[0].__name__)
def test_a_refusal_is_about_the_user_s_own_text(case: Any, mode: str) -> None:
    function, line, reason, hint, args = case
    with pytest.raises(tl.DerivativeError) as caught:
        MODES[mode](function, X.copy(), *copy.deepcopy(args))
    fault = caught.value
    assert fault.place is not None
    assert fault.place.file == __file__
    assert line in fault.place.text
    assert reason in fault.message
    assert hint in fault.hint
    assert not re.search(r"\bt\d+\b|: *$|…", fault.message)


def test_every_case_is_found() -> None:
    assert len(CASES) >= 36


def test_a_method_named_like_that_of_a_dict_is_the_user_s():
    def f(x):
        return made(x).get(2)

    x = np.array([0.4, 1.3, 0.7])
    assert np.isfinite(tl.grad(f)(x)).all()
