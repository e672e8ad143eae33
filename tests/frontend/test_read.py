"""Finding text, tree, parameters and namespace of a function."""

from __future__ import annotations

import functools
import math
from inspect import Parameter
from typing import Any

import gast
import numpy as np
import pytest

from tangentlite import frontend, syntax
from tangentlite.errors import SourceUnavailableError, UnsupportedSyntaxError
from tangentlite.ir import EMPTY


def body(function: Any) -> str:
    return "\n".join(syntax.unparse(s) for s in frontend.read(function).body)


def make(rate: float) -> Any:
    def inner(x: float) -> float:
        """Docstring.

        with less indentation
        """
        text = """
    kept
"""
        return x * rate * len(
  text)  # fmt: skip

    return inner


def test_indented_function_with_odd_lines_and_a_cell() -> None:
    read = frontend.read(make(3.0))
    assert body(make(3.0)) == "text = '\\n    kept\\n'\nreturn x * rate * len(text)"
    assert read.namespace.lookup("rate") == 3.0
    assert read.name == "inner"
    place = read.origin.place(read.body[1].value)
    assert place is not None
    assert place.file == __file__
    assert place.text[place.column :].startswith("x * rate")
    with open(__file__, encoding="utf-8") as file:
        assert file.read().splitlines()[place.line - 1] == place.text.rstrip("\n")


def twice(function: Any) -> Any:
    return function


@twice
@twice
def decorated(x, n=[1], *, k=2 + 1):  # noqa: B006
    return x * k


def test_decorators_are_dropped_and_defaults_are_objects() -> None:
    read = frontend.read(decorated)
    assert read.tree.decorator_list == []
    assert [p.name for p in read.params] == ["x", "n", "k"]
    assert read.params[0].default is EMPTY
    assert read.params[1].default is decorated.__defaults__[0]
    assert read.params[2].default == 3
    assert syntax.unparse(read.params[2].shown) == "2 + 1"
    assert [p.kind for p in read.params][2] is Parameter.KEYWORD_ONLY


def test_positional_only(define: Any) -> None:
    read = frontend.read(define("def f(a, /, b=1): return a"))
    assert [p.kind for p in read.params] == [
        Parameter.POSITIONAL_ONLY,
        Parameter.POSITIONAL_OR_KEYWORD,
    ]


square = lambda x: x * x  # noqa: E731
pair = (lambda x: x + 1, lambda x: x + 2, lambda x: lambda y: x * y)
same = (lambda x: x - 1, lambda x: x - 1)
broken = [
    lambda x, k=2: (
        x
        * k
    )
]  # fmt: skip


def test_lambdas() -> None:
    assert body(square) == "return x * x"
    assert frontend.read(square).name == "square"
    assert [body(f) for f in pair[:2]] == ["return x + 1", "return x + 2"]
    assert body(pair[2](3)) == "return x * y"
    assert frontend.read(pair[2](3)).namespace.lookup("x") == 3
    assert [body(f) for f in same] == ["return x - 1"] * 2
    assert frontend.read(pair[0]).name == "f"
    assert body(broken[0]) == "return x * k"
    assert frontend.read(broken[0]).params[1].default == 2


def test_lambdas_by_bytecode(monkeypatch: pytest.MonkeyPatch) -> None:
    from tangentlite.frontend import lambdas

    monkeypatch.setattr(lambdas, "_span", lambda code: None)
    assert [body(f) for f in pair[:2]] == ["return x + 1", "return x + 2"]
    assert body(pair[2](3)) == "return x * y"
    assert [body(f) for f in same] == ["return x - 1"] * 2


def test_columns_count_characters(define: Any) -> None:
    read = frontend.read(define("def f(x):\n    return 'äöü' * 0 + x.T"))
    place = read.origin.place(read.body[0].value.right)
    assert place is not None
    assert place.text[place.column :].startswith("x.T")


def test_generated_text_is_found(define: Any) -> None:
    function = define("def df(x, bx, i):\n    bx[i] += x\n    return bx", "<generated df>")
    assert body(function) == "bx[i] += x\nreturn bx"


def test_a_wrapper_is_read_as_itself(define: Any) -> None:
    """Reading through `functools.wraps` would differentiate another function than the one given."""
    text = """
    import functools
    def plain(x):
        return x * 3
    @functools.wraps(plain)
    def f(x):
        return plain(x) + 1
    """
    assert body(define(text)) == "return plain(x) + 1"


@pytest.mark.parametrize("value", [len, math.sin, str.upper])
def test_builtins_have_no_source(value: Any) -> None:
    with pytest.raises(SourceUnavailableError, match="has no Python source"):
        frontend.read(value)


class Model:
    def repr(self, x: float) -> str:
        return np.sin(x) + repr(np)

    def loss(self, x: float) -> float:
        return x

    def __call__(self, x: float) -> float:
        return x


@pytest.mark.parametrize(
    ("value", "message"),
    [
        (Model().loss, "bound method"),
        (functools.partial(decorated, 1), "functools.partial"),
        (Model, "is a class"),
        (Model(), "class `Model`"),
        (functools.lru_cache(decorated), "__wrapped__"),
    ],
)
def test_other_callables_are_refused(value: Any, message: str) -> None:
    with pytest.raises(UnsupportedSyntaxError, match=message):
        frontend.read(value)


def test_no_text() -> None:
    space: dict[str, Any] = {}
    exec("def f(x): return x", space)
    with pytest.raises(SourceUnavailableError, match="Save it in a file"):
        frontend.read(space["f"])


def test_edited_text_is_noticed(define: Any) -> None:
    function = define("def f(x):\n    return x", "<edited>")
    define("def g(x):\n    return x", "<edited>")
    with pytest.raises(SourceUnavailableError, match="has the file been edited"):
        frontend.read(function)


def test_edited_body_is_noticed(define: Any) -> None:
    function = define("def f(x):\n    return x * 2.0", "<edited body>")
    define("def f(x):\n    return x * 3.0", "<edited body>")
    with pytest.raises(SourceUnavailableError, match="has the file been edited"):
        frontend.read(function)


def test_unedited_text_is_not_refused() -> None:
    """Imported names, methods named like globals, nested scopes: the bytecode differs in form."""
    assert body(Model.repr) == "return np.sin(x) + repr(np)"
    assert frontend.read(Model.repr).name == "repr"
    assert body(imports) == "return functools.reduce(x, x)"


def imports(x):
    return functools.reduce(x, x)


def test_tree_is_a_function_definition() -> None:
    assert isinstance(frontend.read(square).tree, gast.FunctionDef)
