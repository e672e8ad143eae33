"""Pickling by source, to another process and within one."""

from __future__ import annotations

import inspect
import math
import pickle
import subprocess
import sys
from types import CellType, FunctionType
from typing import Any

import pytest

import tangentlite as tl
from tangentlite import ir
from tangentlite.emit import module
from tangentlite.emit.travel import describe, rebuild
from tangentlite.syntax import parse

factor = 4.0
FAR = """
import inspect, pickle, sys
from tangentlite.emit.travel import rebuild
source, name, imports, values = pickle.load(sys.stdin.buffer)
(df,) = rebuild(source, name, imports, values)
assert inspect.getsource(df) == source
print(df(0.5), df.__doc__, df.__module__)
"""


def build(text: str, cells: dict[str, object], *defaults: object) -> Any:
    bound = {n: v if isinstance(v, CellType) else CellType(v) for n, v in cells.items()}
    functions = []
    for tree in parse(text):
        params = [ir.Param(a.id) for a in tree.args.args]
        last = [ir.Param(p.name, default=d) for p, d in zip(params[1:], defaults)]
        space = ir.Namespace(globals(), bound)
        params = (*params[: len(params) - len(last)], *last)
        functions.append(ir.Function(tree, tree.name, params, space, ir.Origin("f.py", 1, ())))
    return module(ir.Derived(tuple(functions), functions[0], ir.Request(wrt=("x",))))


def sent(unit: Any) -> tuple[FunctionType, ...]:
    imports, values = describe(unit.functions)
    parts = pickle.loads(pickle.dumps((unit.source, unit.functions[0].__name__, imports, values)))
    return rebuild(*parts)


def test_another_process() -> None:
    unit = build("def df(x, by):\n    return math.sin(x) * factor * c * by", {"c": 2.0}, 1.0)
    imports, values = describe(unit.functions)
    assert imports == {"math": "math"}
    data = pickle.dumps((unit.source, "df", imports, values))
    done = subprocess.run([sys.executable, "-c", FAR], input=data, capture_output=True, check=True)
    expected = f"{math.sin(0.5) * 8.0!r} Gradient of `df` with respect to `x`. {__name__}"
    assert done.stdout.decode().strip() == expected


def test_helpers_travel_as_text() -> None:
    helper = build("def g(x):\n    return x * k", {"k": 3.0}).functions[0]
    (df,) = sent(build("def df(x):\n    return g(x) + g(1.0)", {"g": helper}))
    assert df(2.0) == 9.0
    far = inspect.getclosurevars(df).nonlocals["g"]
    assert far is not helper
    assert inspect.getsource(far) == "def g(x):\n    return x * k\n"


def test_helpers_with_one_text_and_different_cells() -> None:
    one, two = (build("def g(x):\n    return x * k", {"k": k}).functions[0] for k in (2.0, 5.0))
    (df,) = sent(build("def df(x):\n    return g(x) + h(x)", {"g": one, "h": two}))
    assert df(1.0) == 7.0


def test_functions_that_name_each_other() -> None:
    there, back = CellType(), CellType()
    even = build("def even(n):\n    return n == 0 or odd(n - 1)", {"odd": there})
    odd = build("def odd(n):\n    return n > 0 and even(n - 1)", {"even": back})
    there.cell_contents, back.cell_contents = odd.functions[0], even.functions[0]
    (far,) = sent(even)
    assert far(10)
    assert not far(7)


def test_two_functions_of_one_text() -> None:
    unit = build(
        "def forward(x):\n    return x * k\n\ndef backward(x):\n    return forward(x) + k",
        {"k": 2.0},
    )
    forward, backward = sent(unit)
    assert (forward(3.0), backward(3.0)) == (6.0, 8.0)
    assert inspect.getclosurevars(backward).nonlocals["forward"] is forward


def test_names_that_are_not_bound_yet_are_left_out() -> None:
    unit = build("def df(x):\n    return missing if x is None else x", {"missing": CellType()})
    (df,) = sent(unit)
    assert df(1.0) == 1.0


def test_attributes_are_no_names() -> None:
    (df,) = sent(build("def df(x):\n    return x.factor", {}))
    assert "factor" not in df.__globals__


def test_what_pickle_cannot_name_is_its_own_error() -> None:
    unit = build("def df(x):\n    return g(x)", {"g": lambda x: x})
    with pytest.raises((pickle.PicklingError, AttributeError)):
        sent(unit)


def with_closures(x):
    k = 2.0 * x

    def g(a):
        return a * k

    return applied(g, x) + g(x)


def applied(f, x):
    return f(x) * x


def test_nested_functions_travel_and_are_shown() -> None:
    df = tl.grad(with_closures)
    assert pickle.loads(pickle.dumps(df))(0.5) == df(0.5)
    assert "def g(k, a):\n    return a * k\n" in df.source
