"""Every refused construct: the error's type, file, line, caret and hint."""

from __future__ import annotations

import decimal
import linecache
import pickle
from typing import Any

import numpy as np
import pytest

import tangentlite as tl

STATE = np.zeros(3)


class Box:
    def __init__(self):
        self.value = 1.0


BOX = Box()


def imports(x):
    if x > 0.0:
        import no_such_module
    return x * no_such_module.pi


def stores_attribute(x):
    BOX.value = x
    return x * x


def adds_to_attribute(x):
    BOX.value += x
    return x * x


def unpacks_into_attribute(x):
    y, BOX.value = x, x
    return y * y


def takes(table):
    taken = table["u"]
    table["u"] = taken * 2.0
    return taken


def takes_beside_a_name_without_value(x):
    table = {"u": x * 1.0}
    if x[0] > 5.0:
        late = table["u"][1:]
    found = takes(table)
    found *= 2.0
    return found @ found + (late @ late if x[0] > 5.0 else 0.0)


def sets_shape(x):
    a = np.zeros(4)
    a.shape = (2, 2)
    return x * np.sum(a)


def deletes_attribute(x):
    del BOX.value
    return x


def resizes(x):
    a = np.zeros(3)
    a.resize(4)
    return x * np.sum(a)


def appends_left(x, queue):
    queue.appendleft(x)
    return x


def pops_left(x, queue):
    return x * queue.popleft()


def grows_while_walked(x):
    a = [x]
    for k, v in zip(range(9), a):
        if k < 4:
            a.append(v * x)
    return a[-1]


def shrinks_while_walked(x):
    a = {1: x, 2: x}
    for k in a:
        a.popitem()
    return x


def declares_global(x):
    global STATE
    STATE = x
    return x


def yields(x):
    yield x * x


async def asynchronous(x):
    return x * x


def defines_class(x):
    class Inner(type(x)):
        def of(self, v):
            return v * self

    return Inner(x).of(2.0)


def generates(x):
    g = (v * v for v in x)
    return sum(g) + sum(g)


def evaluates(x):
    return eval("x * x")


def names_locals(x):
    y = x
    return locals()["y"]


def calls_the_variable_of_a_comprehension(x):
    v = {1: x}
    ys = [v(x) for v in [x, x]]
    return np.sum(v[1]) + np.sum(ys[0])


def multiplies_a_list(x, n=2):
    return ([x, x] * n)[0]


def unknown_builtin(x):
    return float(decimal.Decimal(x))


def no_rule(x):
    return np.sum(np.asmatrix(x))


REFUSED = [
    (imports, "import no_such_module"),
    (sets_shape, "a.shape = (2, 2)"),
    (deletes_attribute, "del BOX.value"),
    (resizes, "a.resize(4)"),
    (appends_left, "queue.appendleft(x)"),
    (pops_left, "queue.popleft()"),
    (grows_while_walked, "a.append(v * x)"),
    (shrinks_while_walked, "a.popitem()"),
    (declares_global, "global STATE"),
    (yields, "yield x * x"),
    (asynchronous, "async def"),
    (defines_class, "class Inner"),
    (generates, "(v * v for v in x)"),
    (evaluates, 'eval("x * x")'),
    (names_locals, "locals()"),
]


@pytest.mark.parametrize(("function", "line"), REFUSED, ids=lambda v: getattr(v, "__name__", None))
def test_refused_with_place_and_hint(function: Any, line: str, refused: Any) -> None:
    refused(function, line)


@pytest.mark.parametrize(("function", "line"), REFUSED, ids=lambda v: getattr(v, "__name__", None))
def test_refused_in_a_helper_as_well(function: Any, line: str) -> None:
    space = {"helper": function, "np": np}
    text = "def caller(x):\n    return helper(x) * 2.0\n"
    if function in (appends_left, pops_left):
        text = "def caller(x):\n    return helper(x, [x]) * 2.0\n"
    file = f"<caller of {function.__name__}>"
    linecache.cache[file] = (len(text), None, text.splitlines(True), file)
    exec(compile(text, file, "exec"), space)
    with pytest.raises(tl.DerivativeError) as caught:
        tl.grad(space["caller"])(2.0)
    taken = "helper(x)" if function is yields else line  # a generator is refused where it is taken
    assert taken in caught.value.place.text


@pytest.mark.parametrize(
    ("function", "line"),
    [
        (stores_attribute, "BOX.value = x"),
        (adds_to_attribute, "BOX.value += x"),
        (unpacks_into_attribute, "y, BOX.value = x, x"),
    ],
)
def test_attributes_of_what_lives_outside(function: Any, line: str, refused: Any) -> None:
    refused(function, line, error=tl.AliasError)


def test_a_call_beside_a_name_that_may_have_no_value(refused: Any) -> None:
    function, line = takes_beside_a_name_without_value, "found = takes(table)"
    refused(function, line, "`late` may have no value", error=tl.AliasError, args=(np.ones(2),))


def test_the_variable_of_a_comprehension_has_the_name_that_the_user_gave_it(refused: Any) -> None:
    text = "cannot tell which function `v` is"
    refused(calls_the_variable_of_a_comprehension, "v(x)", text, args=(np.ones(2),))


def test_a_list_times_what_is_not_whole(refused: Any) -> None:
    refused(multiplies_a_list, "[x, x] * n", "items * int(n)", args=(1.0, 2.5))
    assert tl.grad(multiplies_a_list)(1.5, np.array([2.0, 3.0])) == 2.0
    assert tl.grad(multiplies_a_list)(1.5, 3) == 1.0


@pytest.mark.parametrize(
    ("function", "line", "name"),
    [(unknown_builtin, "decimal.Decimal(x", "Decimal"), (no_rule, "np.asmatrix(x)", "asmatrix")],
)
def test_missing_rules(function: Any, line: str, name: str, refused: Any) -> None:
    refused(function, line, name, error=tl.MissingRuleError)


def test_a_missing_rule_costs_nothing_where_nothing_flows() -> None:
    def scaled(x, a):
        return x * float(decimal.Decimal(a))

    assert tl.grad(scaled)(2.0, -4.0) == -4.0
    with pytest.raises(tl.MissingRuleError):
        tl.grad(scaled, "a")


@pytest.mark.parametrize("builtin", [np.floor, len, hash])
def test_functions_without_source(builtin: Any) -> None:
    with pytest.raises(tl.SourceUnavailableError, match="Python") as caught:
        tl.grad(builtin)
    assert caught.value.hint


def test_wrappers() -> None:
    with pytest.raises(tl.UnsupportedSyntaxError, match="__wrapped__"):
        tl.grad(np.save)


def test_text_that_is_gone() -> None:
    space: dict[str, Any] = {}
    exec("def lost(x):\n    return x * x", space)
    with pytest.raises(tl.SourceUnavailableError, match="lost"):
        tl.grad(space["lost"])


def test_one_root() -> None:
    names = [n for n in tl.__all__ if n.endswith("Error")]
    assert len(names) == 7
    assert all(issubclass(getattr(tl, n), tl.DerivativeError) for n in names)


def test_errors_travel() -> None:
    with pytest.raises(tl.UnsupportedSyntaxError) as caught:
        tl.grad(imports)
    other = pickle.loads(pickle.dumps(caught.value))
    assert type(other) is tl.UnsupportedSyntaxError
    assert str(other) == str(caught.value)
    assert other.place == caught.value.place


def test_the_whole_text() -> None:
    with pytest.raises(tl.UnsupportedSyntaxError) as caught:
        tl.grad(imports)
    file, line = caught.value.place.file, caught.value.place.line
    first, *rest = str(caught.value).splitlines()
    assert "an import" in first
    assert rest == [
        f'  File "{file}", line {line}',
        "            import no_such_module",
        "            ^",
        "There is no such module now: import what there is, or catch ImportError around it.",
    ]


def in_a_circle(xs):
    a = 1.0
    for item in xs:
        a = (a, item)
    return a[1]


def test_a_cause_is_looked_for_once() -> None:
    pushforward = tl.jvp(in_a_circle)
    with pytest.raises(tl.DerivativeError, match="cannot tell"):
        tl.vjp(pushforward)([0.5, 1.3], dxs=[1.0, 1.0])
