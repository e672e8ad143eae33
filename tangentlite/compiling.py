"""Code of functions whose free names are cells: nothing is written into the module of a user.

In: the tree of a definition, a file name, cells.
Out: a function.
Next: emit, lowering.
"""

from __future__ import annotations

import ast
import copy
import functools
import sys
from collections.abc import Iterable, Mapping
from types import CellType, CodeType, FunctionType
from typing import Any

from tangentlite.parsing import parsed


def code_of(tree: ast.FunctionDef, file: str, cells: Iterable[str]) -> CodeType:
    """Compile inside a wrapper whose parameters are the cells, so that they are free variables.

    The wrapper exists in the tree only: line numbers are those of the text. A function that calls itself, and has no
    cell for that, asks for itself outside.
    """
    wrapper, known = _wrapper(), list(cells)
    wrapper.args.args = [ast.arg(cell, None, lineno=1, col_offset=0) for cell in known]
    outside = ast.Global([tree.name], lineno=1, col_offset=0)
    wrapper.body = [tree] if tree.name in known else [outside, tree]
    whole = ast.Module([wrapper], [])
    (outer,) = _codes(compile(whole, file, "exec", dont_inherit=True))
    (code,) = (c for c in _codes(outer) if c.co_name == tree.name)
    return _unwrapped(code)


def _wrapper() -> ast.FunctionDef:
    """``def wrapper(): ...`` as every version of Python has it."""
    wrapper = copy.copy(_parsed_wrapper())
    wrapper.args = copy.copy(wrapper.args)
    return wrapper


@functools.cache
def _parsed_wrapper() -> ast.FunctionDef:
    (wrapper,) = parsed("def wrapper(): ...").body
    assert isinstance(wrapper, ast.FunctionDef)
    return wrapper


def function_of(
    tree: ast.FunctionDef, file: str, cells: Mapping[str, CellType], scope: dict[str, Any]
) -> FunctionType:
    """The function that ``tree`` defines; ``cells`` come before the names of ``scope``."""
    code = code_of(tree, file, cells)
    closure = tuple(cells[free] for free in code.co_freevars)
    function = FunctionType(code, scope, tree.name, None, closure)
    function.__qualname__ = tree.name
    function.__module__ = scope.get("__name__", "")
    return function


def _codes(code: CodeType) -> list[CodeType]:
    return [c for c in code.co_consts if isinstance(c, CodeType)]


def _unwrapped(code: CodeType) -> CodeType:
    """The same code without a trace of the wrapper in the names that profilers print."""
    if sys.version_info < (3, 11):
        return code
    inner = tuple(_unwrapped(c) if isinstance(c, CodeType) else c for c in code.co_consts)
    name = code.co_qualname.removeprefix("wrapper.<locals>.")
    return code.replace(co_qualname=name, co_consts=inner)
