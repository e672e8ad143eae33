"""Running a normal form beside the function it came from."""

from __future__ import annotations

import ast
import copy
import linecache
import textwrap
import types
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

from tangentlite import frontend, lowering, syntax

COUNT = iter(range(10**9))


def define(text: str, **space: Any) -> Any:
    """The last function that ``text`` defines, with source."""
    text = textwrap.dedent(text).lstrip("\n")
    file = f"<lowering test {next(COUNT)}>"
    linecache.cache[file] = (len(text), None, text.splitlines(True), file)
    names = {"np": np, **space}
    exec(compile(text, file, "exec"), names)
    return [v for v in names.values() if isinstance(v, types.FunctionType)][-1]


def shown(text: str, **space: Any) -> str:
    """The body of the normal form of a function, as text."""
    normal = lowering.normalize(frontend.read(define(text, **space)))
    return "\n".join(syntax.unparse(s) for s in normal.function.body)


def executable(function: Any) -> Callable[..., Any]:
    """A function that runs the normal form of ``function``."""
    read = lowering.normalize(frontend.read(function)).function
    tree = syntax.copy(read.tree)
    tree.args.defaults, tree.args.kw_defaults = [], [None] * len(tree.args.kwonlyargs)
    cells = dict(read.namespace.cells)
    wrapper = syntax.quote(f"def wrapper({', '.join(cells)}):\n    pass")[0]
    wrapper.body = [tree]
    module = ast.Module([syntax.to_ast(wrapper)], [])
    code = compile(ast.fix_missing_locations(module), "<normal form>", "exec")
    space: dict[str, Any] = {}
    exec(code, space)
    inner = [c for c in space["wrapper"].__code__.co_consts if isinstance(c, types.CodeType)][0]
    closure = tuple(cells[name] for name in inner.co_freevars)
    made = types.FunctionType(inner, function.__globals__, "f", function.__defaults__, closure)
    made.__kwdefaults__ = function.__kwdefaults__
    return made


def outcome(function: Callable[..., Any], args: tuple[Any, ...], log: list[Any]) -> Any:
    """What a call gives or raises, and what it logged."""
    log.clear()
    try:
        result: Any = function(*copy.deepcopy(args))
    except Exception as error:
        result = (type(error), str(error) if not isinstance(error, NameError) else "")
    return repr(result), list(log)


@pytest.fixture
def agree() -> Callable[..., None]:
    """Checks that a function and its normal form do the same, effects and their order included."""

    def check(text: str, *inputs: tuple[Any, ...], **space: Any) -> None:
        log: list[Any] = []

        def note(name: Any, value: Any = None) -> Any:
            log.append(name)
            return name if value is None else value

        function = define(text, note=note, **space)
        lowered = executable(function)
        for args in inputs:
            assert outcome(lowered, args, log) == outcome(function, args, log)

    return check


@pytest.fixture
def normal() -> Callable[..., str]:
    """The text of a normal form."""
    return shown
