"""Every statement of the normal form knows the user's statement and the place it came from."""

from __future__ import annotations

import gast
import pytest

from tangentlite import lowering, syntax
from tangentlite.ir import Function
from tangentlite.lowering.example import function

TEXT = """\
a, *b = x
s = 0
for i, v in enumerate(zip(x, b)):
    s += v[0] * (i if v else 2)
    while g(s) > 1 and (w := s):
        s = s - any(q > w for q in x)
if s > 1:
    if a:
        return [u * 2 for u in x]
else:
    print(f"{s}")
return s * x[1:2]"""


def statements(body: list[gast.stmt]) -> list[gast.stmt]:
    found = []
    for statement in body:
        found.append(statement)
        for block in syntax.blocks(statement):
            found += statements(block)
    return found


@pytest.fixture
def read() -> Function:
    return function(TEXT, "x")


def test_sources_are_the_users_statements(read: Function) -> None:
    normal = lowering.normalize(read)
    own = set(statements(read.body))
    lowered = statements(normal.function.body)
    assert set(normal.sources) == set(lowered)
    assert set(normal.sources.values()) <= own
    assert {syntax.unparse(s) for s in own - set(normal.sources.values())} == set()


def test_every_node_has_a_place(read: Function) -> None:
    for statement in lowering.normalize(read).function.body:
        for node in syntax.walk(statement):
            if isinstance(node, gast.stmt | gast.expr):
                assert 2 <= node.lineno <= len(read.origin.lines)
                assert read.origin.place(node) is not None


def test_a_temporary_stands_where_its_value_stands() -> None:
    normal = lowering.normalize(function("return x * np.sin(x + 1)", "x"))
    columns = [s.col_offset for s in normal.function.body]
    assert columns[:2] == ["    return x * np.sin(x + 1)".index(p) for p in ("x + 1", "np")]


def test_the_tree_is_not_changed(read: Function) -> None:
    before = syntax.copy(read.tree)
    lowering.normalize(read)
    assert syntax.same(read.tree, before)


def test_normal_form_of_normal_form(read: Function) -> None:
    """Lowering what is lowered changes nothing but split statements' names."""
    first = lowering.normalize(function("y = np.sin(x) * 2 + x\nreturn y", "x"))
    again = lowering.normalize(first.function)
    assert syntax.unparse(again.function.tree) == syntax.unparse(first.function.tree)


def test_names_know_every_name(read: Function) -> None:
    normal = lowering.normalize(read)
    used = syntax.loads(normal.function.body) | syntax.stores(normal.function.body)
    assert all(name in normal.names for name in used)
    assert normal.names.fresh("g") == "g_1"


def test_the_runtime_has_a_free_name() -> None:
    normal = lowering.normalize(function("rt = 1\na, b = x\nreturn a + rt", "x"))
    assert "rt_1.unpack(x, 2)" in syntax.unparse(normal.function.tree)
    assert normal.function.namespace.resolve("rt_1.unpack")


def test_long_functions_and_long_sums() -> None:
    lines = "\n".join(f"v{k} = v{k - 1} * 2 + 1" for k in range(1, 3000))
    normal = lowering.normalize(function(f"v0 = x\n{lines}\nreturn v2999", "x"))
    assert len(normal.function.body) == 2 * 2999 + 2
    total = " + ".join(["x"] * 150)
    assert len(lowering.normalize(function(f"return {total}", "x")).function.body) == 150


def test_a_shadowed_builtin_is_refused() -> None:
    with pytest.raises(Exception, match="`range` is rebound here"):
        lowering.normalize(function("range = 3\nfor v in x:\n    print(v)\nreturn range", "x"))
