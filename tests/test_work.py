"""Compiling is linear: four times the text takes four times the calls of functions, and no line takes too many."""

from __future__ import annotations

import gc
import linecache
import sys
from collections.abc import Callable
from types import FrameType
from typing import Any

import numpy as np
import pytest

import tangentlite as tl
from tangentlite import optimize, pipeline

STRAIGHT = ("    y{i} = np.sin(y{before}) * w + {i}.0\n", "y{last}")
BRANCHES = (
    "    if w > {i}.0:\n        y{i} = y{before} * w\n    else:\n        y{i} = np.sin(y{before})\n",
    "y{last}",
)
LOOPS = ("    for i{i} in range(3):\n        y0 = np.sin(y0) * w\n", "y0")
WRITES = (
    "    u[{i} % 3] = v[1] * w\n    v[{i} % 2:] = np.sin(u[{i} % 2:])\n    u[1:] += v[:-1] * x[1:]\n",
    "u * v",
)
ZIPS = ("    for p, q in zip(x, w):\n        y0 = y0 + p * q * {i}.0\n", "y0")
COMPREHENSIONS = ("    y{i} = y{before} + sum([w * k for k in range(3)])\n", "y{last}")
EXTREMA = ("    y{i} = np.sin(y{before}) + np.max(w * {i}.0) + np.mean(x)\n", "y{last}")
ITEMS = ('    d["p"] = d["p"] * 0.5 + w\n    d["q"] = d["p"] * x\n', 'd["q"]')
COUNTERS = (
    "    n{i} = 0\n    while n{i} < 2:\n        y0 = np.tanh(y0) + w\n        n{i} += 1\n",
    "y0",
)
VIEWS = ("    a{i} = u[{i} % 2 :]\n    a{i} *= 2.0\n", "u")
STORES = ("    u[1] = np.sin(u[2]) * x[0]\n    u[2] = u[0] * x[1]\n", "u")
TRIPS = ("    for i in range(3):\n        u[i + 1] = np.sin(u[i]) * x[i]\n", "u")
LONG_LOOP = ("        u[0] = np.sin(u[1]) * x[i]\n        u[1] = u[0] * x[2]\n", "u")
NEW = ("    a{i} = np.zeros(x.shape)\n    a{i}[0] = x[1] * y0[2]\n    y0 = y0 + a{i}\n", "y0")
ATTRIBUTES = ("    o.p = np.sin(o.q) * w\n    o.q = o.p + x\n", "o.p")
PARTS = ("    a{i} = u[1:]\n    a{i} *= x[0]\n", "u")
SHAPES = {
    "line": STRAIGHT,
    "if": BRANCHES,
    "for": LOOPS,
    "in place": WRITES,
    "zip": ZIPS,
    "comprehension": COMPREHENSIONS,
    "extremum": EXTREMA,
    "item": ITEMS,
    "counter": COUNTERS,
    "view": VIEWS,
    "attribute": ATTRIBUTES,
}
RUN = {
    "for": LOOPS,
    "zip": ZIPS,
    "comprehension": COMPREHENSIONS,
    "item": ITEMS,
    "store": STORES,
    "stores in trips": TRIPS,
    "parts": PARTS,
    "new array": NEW,
    "one loop": LONG_LOOP,
}
FEW, MANY = 50, 200
TEN_LINES = """
import numpy as np

def f(x, y):
    a = x * y
    b = np.sin(a) + x
    c = b / (1.0 + y)
    d = np.exp(-c)
    if d > 0.5:
        e = d * a
    else:
        e = d + b
    s = e * e
    return s + c
"""


def program(piece: str, result: str, count: int) -> Callable[..., Any]:
    """A function of ``count`` pieces."""
    text = "import numpy as np\n\nclass Two:\n    def __init__(self, p, q):\n        self.p = p\n        self.q = q\n"
    text += "\ndef f(x, w):\n    y0 = x\n"
    text += "    o = Two(x, w)\n" if "o.p" in piece else ""
    text += "    u, v = np.zeros(x.shape), x * w\n" if "u[" in piece else ""
    text += "    for i in range(2):\n" if piece.startswith("        ") else ""
    text += '    d = {"p": x, "q": w}\n' if "d[" in piece else ""
    text += "".join(piece.format(i=i, before=i - 1) for i in range(1, count + 1))
    text += f"    return np.sum({result.format(last=count)})\n"
    return written(text, f"<program of {count}: {piece!r}>")


def written(text: str, file: str) -> Callable[..., Any]:
    """The function f of a text."""
    linecache.cache[file] = (len(text), None, text.splitlines(keepends=True), file)
    space: dict[str, Any] = {"__name__": file}
    exec(compile(text, file, "exec"), space)
    function: Callable[..., Any] = space["f"]
    return function


def calls(function: Callable[..., Any], *args: Any) -> int:
    """How many functions are called, of Python and of C, to write the gradient, or that for some arguments."""
    count = 0

    def note(frame: FrameType, event: str, argument: object) -> None:
        nonlocal count
        count += event in ("call", "c_call")

    before = sys.getprofile()
    sys.setprofile(note)
    try:
        gradient = tl.grad(function)
        assert (gradient(*args) is not None) if args else gradient.source
    finally:
        sys.setprofile(before)
    return count


@pytest.mark.parametrize("shape", SHAPES.values(), ids=SHAPES)
def test_the_work_grows_with_the_text(shape: tuple[str, str]) -> None:
    calls(program(*shape, 2))  # rules are read and shapes of laws looked up once
    few, many = (calls(program(*shape, count)) for count in (FEW, MANY))
    assert many < 1.03 * (MANY / FEW) * few


@pytest.mark.parametrize("shape", RUN.values(), ids=RUN)
def test_so_does_the_work_for_ranks(shape: tuple[str, str]) -> None:
    given = np.ones(4), np.ones(4)
    calls(program(*shape, 2), *given)
    few, many = (calls(program(*shape, count), *given) for count in (FEW, MANY))
    assert many < 1.03 * (MANY / FEW) * few


def test_ten_lines_take_few_calls() -> None:
    calls(written(TEN_LINES, "<ten lines, first>"))
    assert calls(written(TEN_LINES, "<ten lines>")) < 30_800


def test_next_to_no_garbage_is_left() -> None:
    def gradient(file: str) -> Callable[..., Any]:
        function = written(TEN_LINES, file)
        assert tl.grad(function)(0.3, 0.4) and tl.grad(function).source
        return function

    def left(file: str) -> int:
        gc.collect()
        kept = gradient(file)
        assert kept
        return gc.collect()

    gradient("<clean ten lines, first>")
    gc.disable()
    try:
        assert min(left(f"<clean ten lines {k}>") for k in range(3)) < 50
    finally:
        gc.enable()


def powers(x, n):
    y = x
    for _ in range(n):
        y = y * x
    return y


def test_a_text_that_nobody_asks_for_is_not_improved(monkeypatch: pytest.MonkeyPatch) -> None:
    improved: list[Any] = []

    def noted(derived: Any, *rest: Any) -> Any:
        improved.append(derived)
        return improve(derived, *rest)

    improve = optimize.improve
    monkeypatch.setattr(optimize, "improve", noted)
    gradient = tl.grad(powers)
    assert not improved
    assert gradient(2.0, 2) == 12.0
    assert [derived.request.kinds is None for derived in improved] == [False]
    for _ in range(2):
        assert "rt.like" in gradient.source  # that for any arguments
        assert [derived.request.kinds is None for derived in improved] == [False, True]


def pushed(xs):
    """There is no text for just any arguments: a number cannot be appended to."""
    xs.append(2.0 * xs[0])
    return xs[0] * xs[-1]


def test_a_text_that_is_refused_is_not_written_again(monkeypatch: pytest.MonkeyPatch) -> None:
    written: list[Any] = []

    def noted(function: Any, *rest: Any, **options: Any) -> Any:
        written.append(function)
        return derive(function, *rest, **options)

    derive = pipeline.derive
    monkeypatch.setattr(pipeline, "derive", noted)
    gradient = tl.grad(pushed)
    assert len(written) == 1
    assert gradient([3.0]) == [12.0]
    assert len(written) == 2
    assert gradient([3.0]) == [12.0]
    assert len(written) == 2
    with pytest.raises(tl.DerivativeError):
        tl.grad(pushed, wrt="xs", name="again").source
