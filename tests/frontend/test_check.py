"""What is refused, where the caret stands, and what to write instead."""

from __future__ import annotations

from typing import Any

import pytest

from tangentlite import frontend
from tangentlite.errors import UnsupportedSyntaxError

REFUSED = {
    "class A: pass": "class A",
    "yield x": "yield",
    "x = yield from y": "yield",
    "global g": "global",
    "import math": "import",
    "from math import sin": "from",
    "try:\n    pass\nfinally:\n    pass": "try",
    "with x: pass": "with",
    "match x:\n    case 1: pass": "match",
    "for i in x: break": "break",
    "for i in x: continue": "continue",
    "while x:\n    if y: return x": "return x",
    "for i in x:\n    pass\nelse:\n    y = 1": "y = 1",
    "while x:\n    pass\nelse:\n    y = 1": "y = 1",
    "del x": "del",
    "def g(): pass": "def g",
    "return lambda: x": "lambda",
    "return {v for v in x}": "{v for",
    "return {v: v for v in x}": "{v:",
    "return (v for v in x)": "(v for",
    "return np.sum(v for v in x)": "(v for",
    "return sorted(v for v in x)": "(v for",
    "return {x, y}": "{x, y}",
    "return [*x, y]": "*x",
    "return x[*y, 1]": "*y",
    "return {**x}": "{**x}",
    "x[0] = y": "x[0]",
    "x[0] += y": "x[0]",
    "x.a = y": "x.a",
    "x.a += y": "x.a",
    "x, y[0] = y": "y[0]",
    "for x[0] in y: pass": "x[0]",
    "x.append(y)": "x.append",
    "z = y\nz.append(x)": "z.append",
    "z = []\nz = x\nz.append(x)": "z.append",
    "z = []\nreturn z.append(x)": "z.append",
    "z = [x, y]\nreturn z.pop(0)": "z.pop",
    "x.a.pop()": "x.a.pop",
    "z = [1]\nfor v in z: z.append(v)": "z.append",
    "z = [1]\nfor i, v in enumerate(z): z.pop()": "z.pop",
    "z = []\nz.extend(x)": "z.extend",
    "x.sort()": "x.sort",
    "x.fill(0)": "x.fill",
    "np.add(x, y, out=x)": "x)",
    "eval('x')": "eval",
    "return super().f(x)": "super",
}


@pytest.mark.parametrize("text", REFUSED)
def test_refused(text: str, define: Any) -> None:
    if text.startswith("return x[*") and not supports(text):
        pytest.skip("this Python does not parse it")
    lines = [f"    {line}" for line in text.splitlines()]
    function = define("\n".join(["def f(x, y):", *lines]))
    with pytest.raises(UnsupportedSyntaxError) as caught:
        frontend.read(function)
    error = caught.value
    assert error.place is not None
    assert error.place.text[error.place.column :].startswith(REFUSED[text])
    assert "not supported yet" in error.message
    assert error.hint.endswith(".")


def supports(text: str) -> bool:
    try:
        compile(f"def f(x, y): {text}", "", "exec")
    except SyntaxError:
        return False
    return True


def test_the_whole_message(define: Any) -> None:
    function = define("def f(x):\n    y = x\n    y[0] = 1.0\n    return y", "<message>")
    with pytest.raises(UnsupportedSyntaxError) as caught:
        frontend.read(function)
    assert str(caught.value) == (
        "writing into an array, list or dict is not supported yet\n"
        '  File "<message>", line 3\n'
        "        y[0] = 1.0\n"
        "        ^\n"
        "Make a new value: np.where(mask, new, old), np.concatenate, or a list of the parts."
    )


@pytest.mark.parametrize(("head", "caret"), [("x, *rest", "rest"), ("x, **rest", "rest")])
def test_star_parameters(head: str, caret: str, define: Any) -> None:
    with pytest.raises(UnsupportedSyntaxError, match="a parameter") as caught:
        frontend.read(define(f"def f({head}):\n    return x"))
    place = caught.value.place
    assert place is not None
    assert place.text[place.column :].startswith(caret)


def test_async(define: Any) -> None:
    with pytest.raises(UnsupportedSyntaxError, match="async def"):
        frontend.read(define("async def f(x):\n    return x"))


def test_nonlocal(define: Any) -> None:
    text = """
    def make():
        n = 0
        def inner(x):
            nonlocal n
            return x
        return inner
    """
    with pytest.raises(UnsupportedSyntaxError, match="nonlocal"):
        frontend.read(define(text)())


ACCEPTED = [
    "z = []\nz.append(x)\ny = z.pop()\nreturn y",
    "z: list = [x]\nz.append(y)\nreturn z",
    "z = [v for v in x]\nz.append(y)\nreturn z",
    "return np.sort(x), np.insert(x, 0, y)",
    "return x in {1, 2}",
    "a, *b = x\nreturn b",
    "return max(*x, **y)",
    "return sum(v for v in x), any(v for v in y)",
]


@pytest.mark.parametrize("text", ACCEPTED)
def test_accepted(text: str, define: Any) -> None:
    lines = [f"    {line}" for line in text.splitlines()]
    function = define("\n".join(["def f(x, y):", *lines]))
    assert frontend.read(function).params[0].name == "x"
