"""Long lines: where they break, and that breaking changes nothing."""

from __future__ import annotations

import ast

import pytest
from hypothesis import given, settings, strategies as st

from tangentlite.emit.wrap import wrap

LONG = {
    "sum": (
        "bx = first_operand * second_operand + np.sin(third_operand) * weights - momentum * velocity",
        """\
bx = (
    first_operand * second_operand
    + np.sin(third_operand) * weights
    - momentum * velocity
)""",
    ),
    "call": (
        "y = np.einsum('ijk,kl->ijl', some_array_with_name[1:-1, :, None], another_array_, optimize=True)",
        """\
y = np.einsum(
    'ijk,kl->ijl', some_array_with_name[1:-1, :, None], another_array_, optimize=True
)""",
    ),
    "arguments": (
        "y = np.einsum('ijk,kl->ijl', some_array_with_name[1:-1, :, None], another_array_with_name, x=f'{a}')",
        """\
y = np.einsum(
    'ijk,kl->ijl',
    some_array_with_name[1:-1, :, None],
    another_array_with_name,
    x=f'{a}',
)""",
    ),
    "indented return": (
        "    return bx_with_a_long_name, by_with_a_long_name, bz_with_a_long_name, bw_with_long_name",
        """\
    return (
        bx_with_a_long_name, by_with_a_long_name, bz_with_a_long_name, bw_with_long_name
    )""",
    ),
    "test": (
        "if first_condition_name > 0 and not (second_condition < 3 or third_condition) and fourth is not None:",
        """\
if (
    first_condition_name > 0
    and not (second_condition < 3 or third_condition)
    and fourth is not None
):""",
    ),
    "definition": (
        "def df_dfirst_parameter(first_parameter, second_parameter, *, third_parameter=1.0, fourth=None, **rest):",
        """\
def df_dfirst_parameter(
    first_parameter, second_parameter, *, third_parameter=1.0, fourth=None, **rest
):""",
    ),
    "lambda": (
        "f = g(lambda first, second: first + second * 3.0 - first / second, key=lambda z, w: z + 1, last=-12345)",
        """\
f = g(
    lambda first, second: first + second * 3.0 - first / second,
    key=lambda z, w: z + 1,
    last=-12345,
)""",
    ),
    "comment": (
        "    # Grad of: y = np.einsum('ijk,kl->ijl', some_array_with_name[1:-1, :, None], another_array_with_name)",
        """\
    # Grad of: y = np.einsum('ijk,kl->ijl', some_array_with_name[1:-1, :, None],
    #     another_array_with_name)""",
    ),
}


@pytest.mark.parametrize("name", LONG)
def test_breaks(name: str) -> None:
    line, expected = LONG[name]
    assert wrap(line) == expected


def test_short_lines_and_texts_stay() -> None:
    assert wrap("x = 1") == "x = 1"
    text = 'x = """' + "a" * 100 + '\n"""'
    assert wrap(text) == text


def test_what_cannot_be_broken_stays() -> None:
    line = "import " + ", ".join(c * 30 for c in "abcd")
    assert wrap(line) == line
    assert wrap("x = " + "a" * 100) == "x = " + "a" * 100


names = st.sampled_from([c * n for c in "abcxyz" for n in (1, 9, 17)])


def grown(inner: st.SearchStrategy[str]) -> st.SearchStrategy[str]:
    infix = st.sampled_from(
        "+ - * / @ ** < == and or in".split() + ["not in", "is not", "if a else"]
    )
    listed = st.lists(inner, min_size=1, max_size=5).map(", ".join)
    return st.one_of(
        st.tuples(inner, infix, inner).map(lambda t: f"({t[0]}) {t[1]} {t[2]}"),
        st.tuples(inner, infix, inner).map(lambda t: f"{t[0]} {t[1]} ({t[2]})"),
        st.tuples(names, listed).map(lambda t: f"{t[0]}({t[1]})"),
        st.tuples(names, listed).map(lambda t: f"{t[0]}[{t[1]}]"),
        listed.map(lambda t: f"[{t}]"),
        inner.map(lambda t: f"-({t})"),
        inner.map(lambda t: f"(not {t})"),
        inner.map(lambda t: f"(lambda u, v: {t})"),
        st.tuples(inner, inner).map(lambda t: f"[{t[0]} for i in ({t[1]}) if i]"),
        inner.map(lambda t: f"{{'k': {t}}}"),
    )


@settings(max_examples=150, deadline=None)
@given(st.recursive(names, grown, max_leaves=25), st.sampled_from([0, 4, 16]))
def test_breaking_keeps_the_tree(expression: str, indent: int) -> None:
    line = ast.unparse(ast.parse(f"result = {expression}"))
    broken = wrap(" " * indent + line)
    assert ast.dump(ast.parse(broken.strip())) == ast.dump(ast.parse(line))
