"""Printing: the text parses to the tree that was printed, and evaluates to its constants."""

from __future__ import annotations

import ast
import math
import sys
from inspect import Parameter
from typing import Any

import gast
import numpy as np
import pytest

from tangentlite.emit.frequent import SourceGenerator
from tangentlite.emit.printer import function_text, text
from tangentlite.errors import UnsupportedSyntaxError
from tangentlite.ir import Function, Namespace, Origin, Param
from tangentlite.syntax import Blank, assign, comment, constant, expression, parse, quote

CONSTANTS = [-1, -1.5, -0.0, 0.0, -1j, 1j, 2 - 3j, complex(-0.0, 2.0), complex(0.0, -1.0), 10**400]
CONSTANTS += [math.inf, -math.inf, complex(0.0, math.inf), True, None, "a'b\"c\n", b"x", ...]
SNIPPETS = """\
a = 1, 2
c = b ** -2.0
d = p and q or r and not s
e = (-1.5).real
f = (x + y) * z - (a - (b - c))
g = -x ** 2, (-x) ** 2, 2 ** -x, (a ** b) ** c
h = a[1:, ::-2, None], a[i, (j, k)], a[i][j], a[:-1]
i = f"{a + b!r:>{w}} {{}} {(lambda u: u)(1)}"
j = lambda u, *v, w=1, **k: (u, v)
k = [i * j for i in a if i for j in b], {i: j for i, j in c}, {i for i in d}
l = a if b else c if d else e
m = (yes := 3) + yes
n = {**a, 'b': 2}
o, *p = q
r = f(*a, b, c=1, **d)(e).g[h]
s = a < b <= c != d, (a < b) < c, not a in b
t = (i for i in a)
u += 3; v @= w
assert a, 'message'
del a, b[0]
raise ValueError('x') from None
x = not (a or b) and (not c)
"""
BLOCKS = {
    "elif": "if a:\n    b\nelif c:\n    d\nelse:\n    e\n",
    "loops": "for i, (a, b) in enumerate(c):\n    break\nelse:\n    pass\nwhile a:\n    continue\n",
    "with": "with a as b, c():\n    pass\n",
    "try": "try:\n    a\nexcept (A, B) as e:\n    b\nexcept:\n    raise\nelse:\n    c\nfinally:\n    d\n",
    "match": "match a:\n    case [1, *_] if b:\n        c\n    case P(x=1) | None:\n        d\n    case _:\n        pass\n",
    "nested": "def f(x, /, y=1, *z, w, v=2, **k):\n    global g\n    return x\n",
}


@pytest.mark.parametrize("line", SNIPPETS.splitlines())
def test_statements(line: str) -> None:
    printed = text(parse(line))
    assert ast.dump(ast.parse(printed)) == ast.dump(ast.parse(line))


FREQUENT = """\
a = (1).real + 1.5.imag + (2)(3) + 1e300 * 1e-300
b = ((x + y) + z) - (x - (y - z)) * ((x / y) / z) // (x * (y % z))
c = (x ** y) ** z + x ** (y ** z) + (-x) ** 2 + (x @ y) @ (z @ x)
d = x << (y + 1) >> z | x & (y ^ z)
e = f(), f(x), f(x, y), f(*x), f(**x), f(k=1), f(x, *y, k=z, **w)
i = f((x, y)), f((yes := 1)), f(x for x in y), f(lambda: x, 1)
g = f(x)(y)[z].u.v(1)(x + y, k=x * y)
h = x[(y + z) * 2, f(1):f(x, 2)] + (x if y else z).u
"""


@pytest.mark.parametrize("line", FREQUENT.splitlines())
def test_frequent_nodes_are_printed_as_astor_prints_them(line: str) -> None:
    def plain(value: str, *_: Any) -> str:
        return repr(value)

    astor = SourceGenerator("    ", False, plain)
    astor.visit(ast.parse(line).body[0])
    assert text(parse(line)).strip() == "".join(astor.result).strip()


@pytest.mark.parametrize("name", BLOCKS)
def test_blocks(name: str) -> None:
    assert text(parse(BLOCKS[name])) == BLOCKS[name]


@pytest.mark.parametrize("value", CONSTANTS, ids=repr)
def test_constants_keep_their_value_and_sign(value: object) -> None:
    found: dict[str, object] = {}
    exec(text([assign("x", constant(value))]), found)
    assert type(found["x"]) is type(value)
    assert repr(found["x"]) == repr(value)


@pytest.mark.parametrize("value", [-1, -1.5, -1j, 2 - 3j, 3])
@pytest.mark.parametrize(
    "template", ["x = c ** 2", "x = 2 ** c", "x = c.real", "x = -c", "x = a - c"]
)
def test_negative_constants_in_context(value: complex, template: str) -> None:
    found: dict[str, object] = {"a": 2.0}
    exec(text(quote(template, c=constant(value))), found)
    assert found["x"] == eval(template.removeprefix("x = "), {"c": value, "a": 2.0})


def test_nan() -> None:
    found: dict[str, float] = {}
    exec(text(quote("x = c * 1.0", c=constant(math.nan))), found)
    assert math.isnan(found["x"])


def test_numpy_constants_are_refused() -> None:
    with pytest.raises(TypeError, match="not a literal"):
        text([assign("x", constant(np.float64(2.0)))])


def test_a_tuple_of_one_is_seen() -> None:
    assert text(parse("x, = saved, (y,)")) == "(x,) = saved, (y,)\n"
    assert text(parse("return x,\na[i,] = f((x,))")) == "return (x,)\na[(i,)] = f((x,))\n"


def test_comments_and_blank_lines() -> None:
    loop = parse("for i in n:\n    a = b")[0]
    loop.body.insert(0, comment("Grad of: a = b"))
    assert text([comment("Backward"), loop, Blank(), *parse("c = d")]) == (
        "# Backward\nfor i in n:\n    # Grad of: a = b\n    a = b\n\nc = d\n"
    )


def test_a_block_of_comments_has_a_statement() -> None:
    branch = parse("if a:\n    pass")[0]
    branch.body = [comment("nothing")]
    assert text([branch]) == "if a:\n    # nothing\n    pass\n"


def test_printing_leaves_the_tree_alone() -> None:
    shared = expression("-x")
    tree = assign("y", gast.BinOp(shared, gast.Pow(), shared))
    before = gast.dump(tree)
    assert text([tree]) == "y = (-x) ** -x\n"
    assert gast.dump(tree) == before
    assert "_pp" not in shared.__dict__


def test_docstrings() -> None:
    source = 'def f():\n    """One.\n\n    Two.\n    """\n    return \'a\'\n'
    assert text(parse(source)) == source
    hard = parse("def f():\n    'back\\\\slash'\n")
    assert ast.dump(ast.parse(text(hard))) == ast.dump(ast.parse("def f():\n    'back\\\\slash'\n"))


def function(tree: gast.FunctionDef, *params: Param) -> Function:
    return Function(tree, tree.name, params, Namespace({}), Origin("file.py", 1, ()))


def test_parameters_come_from_the_function() -> None:
    (tree,) = parse("@decorator\ndef f(x: int) -> float:\n    return x")
    params = (
        Param("a", Parameter.POSITIONAL_ONLY),
        Param("x", default=None, shown=expression("np.pi")),
        Param("xs", Parameter.VAR_POSITIONAL),
        Param("by", Parameter.KEYWORD_ONLY, default=-1.0),
        Param("size", Parameter.KEYWORD_ONLY, default=object()),
        Param("rest", Parameter.VAR_KEYWORD),
    )
    assert function_text(function(tree, *params)) == (
        "def f(a, /, x=np.pi, *xs, by=-1.0, size=..., **rest):\n    return x\n"
    )


@pytest.mark.skipif(sys.version_info < (3, 12), reason="syntax of Python 3.12")
def test_type_parameters_are_refused() -> None:
    (tree,) = parse("def f[T](x: T):\n    return x")
    with pytest.raises(UnsupportedSyntaxError, match="type parameters"):
        function_text(function(tree))
