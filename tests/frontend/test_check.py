"""What is refused, where the caret stands, and what to write instead."""

from __future__ import annotations

from typing import Any

import pytest

from tangentlite import frontend
from tangentlite.errors import UnsupportedSyntaxError

REFUSED = {
    "if x:\n    class A: pass": "class A",
    "yield x": "yield",
    "x = yield from y": "yield",
    "global g\ng = x": "global",
    "if x:\n    import no_such_module": "import",
    "if x:\n    from no_such_module import sin": "from",
    "del x.a": "del",
    "del y, x.a": "del",
    "return (v for v in x)": "(v for",
    "return np.sum(v for v in x)": "(v for",
    "return x[*y, 1]": "*y",
    "x[*y, 1] = 2.0": "*y",
    "x.shape = (3, 1)": "x.shape",
    "x.resize(3)": "x.resize",
    "x.itemset(0, y)": "x.itemset",
    "x.setfield(y, float)": "x.setfield",
    "x.byteswap(inplace=True)": "x.byteswap",
    "x[1:].resize(2)": "x[1:].resize",
    "x.a.resize(1)": "x.a.resize",
    "x.appendleft(y)": "x.appendleft",
    "z = y\nreturn z.popleft()": "z.popleft",
    "z = x\nz.extendleft(y)": "z.extendleft",
    "z = [1]\nfor v in z: z.remove(v)": "z.remove",
    "z = [1]\nfor i, v in enumerate(z): z.pop()": "z.pop",
    "z = [1]\nfor v in reversed(z): z.insert(0, v)": "z.insert",
    "z = [1]\nfor v in z:\n    if v: z.remove(v)": "z.remove",
    "z = {1: x}\nfor k in z: z.setdefault(k, y)": "z.setdefault",
    "z = {1: x}\nfor k in z: z.popitem()": "z.popitem",
    "vars()": "vars",
    "eval('x')": "eval",
}


@pytest.mark.parametrize("text", REFUSED)
def test_refused(text: str, define: Any) -> None:
    if "[*" in text and not supports(text):
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
    function = define("def f(x):\n    y = x\n    y.strides = 8\n    return y", "<message>")
    with pytest.raises(UnsupportedSyntaxError) as caught:
        frontend.read(function)
    assert str(caught.value) == (
        "writing an attribute is not supported yet\n"
        '  File "<message>", line 3\n'
        "        y.strides = 8\n"
        "        ^\n"
        "Bind the value to a local name."
    )


def test_a_method_that_writes(define: Any) -> None:
    function = define("def f(x):\n    x.resize(3)\n    return x", "<method>")
    with pytest.raises(UnsupportedSyntaxError) as caught:
        frontend.read(function)
    assert caught.value.message == (
        "the method `resize`, which writes in place, is not supported yet"
    )
    assert caught.value.hint == "Write `np.resize(x, shape)`."


def test_async(define: Any) -> None:
    with pytest.raises(UnsupportedSyntaxError, match="async def"):
        frontend.read(define("async def f(x):\n    return x"))


ACCEPTED = [
    "z = []\nz.append(x)\ny = z.pop()\nreturn y",
    "z: list = [x]\nz.append(y)\nreturn z",
    "z = [v for v in x]\nz.append(y)\nreturn z",
    "return np.sort(x), np.insert(x, 0, y), np.resize(x, 3), np.partition(x, 1)",
    "x[0] = y\nx[1:, None] += y\ndel x[0], y",
    "x, y[0] = y, x[0]\nfor x[0] in y: pass",
    "x.append(y)\nz = x.pop(0)\nx.extend(y)\nz = x\nz.sort()\nreturn z.append(x)",
    "z = [x]\nfor v in y: z.append(v)",
    "x.update(y)\nx.fill(0)\nnp.add(x, y, out=x)",
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
