"""Loading: names are bound as the compiler said, and tools find the text."""

from __future__ import annotations

import inspect
import io
import linecache
import math
import pdb
import traceback
from inspect import Parameter
from types import CellType, FunctionType

import pytest

from tangentlite import ir
from tangentlite.emit import Unit, module
from tangentlite.emit.assemble import sources
from tangentlite.syntax import comment, parse

scale = 3.0


def derived(
    text: str,
    cells: dict[str, object] | None = None,
    request: ir.Request | None = None,
    **defaults: object,
) -> ir.Derived:
    """The functions of ``text``, in this module's globals."""
    bound = {n: v if isinstance(v, CellType) else CellType(v) for n, v in (cells or {}).items()}
    space = ir.Namespace(globals(), bound)
    functions = []
    for tree in parse(text):
        names = [a.id for a in tree.args.args]
        params = tuple(ir.Param(n, default=defaults.get(n, ir.EMPTY)) for n in names)
        functions.append(ir.Function(tree, tree.name, params, space, ir.Origin(__file__, 1, ())))
    return ir.Derived(tuple(functions), functions[0], request or ir.Request(wrt=("x",)))


def load(text: str, cells: dict[str, object] | None = None, **defaults: object) -> FunctionType:
    return module(derived(text, cells, **defaults)).functions[0]


def test_globals_are_read_when_called(monkeypatch: pytest.MonkeyPatch) -> None:
    df = load("def df(x):\n    return scale * x")
    assert df(2.0) == 6.0
    monkeypatch.setitem(globals(), "scale", 5.0)
    assert df(2.0) == 10.0


def test_cells_win_over_globals_and_builtins() -> None:
    df = load("def df(x):\n    return scale * len + x", {"scale": 7.0, "len": 2.0})
    assert df(0.0) == 14.0
    assert scale == 3.0


def test_the_cells_of_a_closure_are_shared() -> None:
    count = CellType(0)
    df = load("def df(x):\n    nonlocal count\n    count += 1\n    return x", {"count": count})
    df(1.0), df(1.0)
    assert count.cell_contents == 2


def test_inner_functions_see_cells() -> None:
    df = load(
        "def df(x):\n    def inner(u):\n        return u * rt\n    return inner(x)", {"rt": 2.0}
    )
    assert df(4.0) == 8.0


def test_functions_of_one_text_see_each_other() -> None:
    pair = "def odd(n):\n    return n > 0 and even(n - 1)\n\ndef even(n):\n    return n == 0 or odd(n - 1)"
    odd, even = module(derived(pair)).functions
    assert odd(7)
    assert even(8)


def test_equal_names_in_different_namespaces() -> None:
    first = derived("def f(x):\n    return scale * x", {"scale": 10.0}).functions[0]
    second = derived("def g(x):\n    return scale * x").functions[0]
    f, g = module(ir.Derived((first, second), first, ir.Request(wrt=("x",)))).functions
    assert (f(1.0), g(1.0)) == (10.0, 3.0)


def test_defaults_are_objects_not_text() -> None:
    default = [1.0]
    df = load("def df(x, y, by):\n    return y", y=default, by=1.0)
    assert df(0.0) is default
    assert df.__defaults__ == (default, 1.0)


def test_keyword_only_defaults() -> None:
    whole = derived("def df(x):\n    return by")
    (f,) = whole.functions
    by = ir.Param("by", Parameter.KEYWORD_ONLY, default=1.0)
    f = ir.Function(f.tree, f.name, (*f.params, by), f.namespace, f.origin)
    unit = module(ir.Derived((f,), f, whole.request))
    assert unit.source.startswith("def df(x, *, by=1.0):\n")
    assert unit.functions[0](0.0) == 1.0
    assert unit.functions[0](0.0, by=2.0) == 2.0


def test_names_and_documentation() -> None:
    df = load("def df(x):\n    return lambda: 'text'")
    assert (df.__name__, df.__qualname__, df.__module__) == ("df", "df", __name__)
    assert df.__doc__ == "Gradient of `df` with respect to `x`."
    assert df(0).__qualname__ == "df.<locals>.<lambda>" or not hasattr(df.__code__, "co_qualname")


@pytest.mark.parametrize(
    ("request_", "expected"),
    [
        (
            ir.Request(wrt=("x", "y"), output="value, gradient"),
            "Value and gradient of `df` with respect to `x` and `y`.",
        ),
        (ir.Request(wrt=("x",), mode="forward"), "Tangent of `df` with respect to `x`."),
        (ir.Request(wrt=("x",), motion="split"), "Forward sweep of `df` with respect to `x`."),
    ],
)
def test_documentation_follows_the_request(request_: ir.Request, expected: str) -> None:
    unit = module(derived("def df(x, y):\n    return x", request=request_))
    assert unit.functions[0].__doc__ == expected


def test_tools_find_the_text() -> None:
    whole = derived("def df(x):\n    y = 1.0 / x\n    return y\n\ndef dg(x):\n    return x")
    whole.functions[0].tree.body.insert(0, comment("Forward"))
    unit = module(whole)
    linecache.checkcache()
    assert (
        inspect.getsource(unit.functions[0])
        == "def df(x):\n    # Forward\n    y = 1.0 / x\n    return y\n"
    )
    assert inspect.getsource(unit.functions[1]) == "def dg(x):\n    return x\n"
    with pytest.raises(ZeroDivisionError) as raised:
        unit.functions[0](0.0)
    last = traceback.extract_tb(raised.tb)[-1]
    assert (last.filename, last.lineno, last.line, last.name) == (unit.file, 3, "y = 1.0 / x", "df")


def test_the_debugger_stops_on_lines_that_can_be_read() -> None:
    df = load("def df(x):\n    y = rt * x\n    z = y + 1.0\n    return z", {"rt": 2.0})
    screen = io.StringIO()
    debugger = pdb.Pdb(stdin=io.StringIO("step\nnext\nnext\nprint(y)\ncontinue\n"), stdout=screen)
    debugger.use_rawinput = False
    assert debugger.runcall(df, 3.0) == 7.0
    for shown in ("-> y = rt * x", "-> z = y + 1.0", "-> return z", "6.0"):
        assert shown in screen.getvalue()


def test_super_finds_its_class() -> None:
    class Base:
        def f(self) -> float:
            return 2.0

    class Child(Base):
        def f(self) -> float:
            return -1.0

    df = load("def df(self):\n    return super().f()", {"__class__": Child})
    assert df(Child()) == 2.0


def test_equal_input_gives_equal_text_and_file() -> None:
    one, two = (
        module(derived("def df(x):\n    return x")),
        module(derived("def df(x):\n    return x")),
    )
    assert (one.source, one.file) == (two.source, two.file)
    assert one.file.startswith("<generated: tangentlite df ")


def test_nothing_is_written_into_the_module() -> None:
    before = set(globals())
    load("def df(x):\n    return rt * x", {"rt": 1.0})(2.0)
    assert set(globals()) == before


def test_sources_shows_every_text_once() -> None:
    unit = module(derived("def df(x):\n    return math.sin(x)"))
    helper = Unit("def g(): pass\n", "file")
    assert unit.functions[0](0.5) == math.sin(0.5)
    assert sources(unit, [helper, helper, unit]) == unit.source + "\n\n" + helper.source
