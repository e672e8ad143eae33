"""A function with its inserted code taken out: nothing has to be skipped when it is called.

In: a function with blocks ``with tl.insert_grad_of(x) as dx:``.
Out: the same function without them.
Next: api.
"""

from __future__ import annotations

import ast
from collections.abc import Callable
from types import CodeType, FunctionType, MethodType
from typing import Any, ParamSpec, TypeVar

from tangentlite import syntax
from tangentlite.compiling import function_of
from tangentlite.frontend import source, surgery
from tangentlite.ir import Namespace

P = ParamSpec("P")
R = TypeVar("R")
COPIED = ("__annotations__", "__doc__", "__kwdefaults__", "__module__", "__qualname__")


def primal(function: Callable[P, R]) -> Callable[P, R]:
    """``function`` without the blocks of ``tl.insert_grad_of`` in it: as fast as if they had never been written.

    What is the same: signature, defaults, closure, globals, and the lines that a debugger shows. The functions that
    it calls keep their blocks, which are skipped as ever.
    """
    if isinstance(function, MethodType):
        return MethodType(primal(function.__func__), function.__self__)
    if not isinstance(function, FunctionType):
        raise TypeError(f"tl.primal() takes a function or a method, not {type(function).__name__}")
    known = function.__dict__.get(surgery.PRIMAL)
    if known is None or known[0] is not function.__code__ or _differ(known[1], function):
        known = function.__dict__[surgery.PRIMAL] = function.__code__, _made(function)
    made: Callable[P, R] = known[1]
    return made


def _differ(made: FunctionType, function: FunctionType) -> bool:
    """Whether a function has got other defaults."""
    same = made.__defaults__ is function.__defaults__
    return not (same and made.__kwdefaults__ is function.__kwdefaults__)


def _made(function: FunctionType) -> FunctionType:
    if function.__name__ == "<lambda>":
        return function
    text = source.find(function)
    cells = dict(zip(function.__code__.co_freevars, function.__closure__ or (), strict=True))
    space = Namespace(function.__globals__, cells)
    body = surgery.without(text.node.body, space)
    if body is None:
        return function
    made = function_of(_definition(text, body, function), text.file, cells, function.__globals__)
    made.__code__ = _named(made.__code__, function.__code__)
    made.__name__, made.__defaults__ = function.__name__, function.__defaults__
    for name in COPIED:
        setattr(made, name, getattr(function, name))
    made.__dict__ |= {k: v for k, v in vars(function).items() if k != surgery.PRIMAL}
    made.__dict__[surgery.WHOLE] = function
    return made


def _definition(text: source.Text, body: list[Any], function: FunctionType) -> ast.FunctionDef:
    """The definition without decorators, on the lines where it stands in its file."""
    node = text.node
    new: Any = node.__class__.__new__(node.__class__)
    new.__dict__.update(node.__dict__)
    new.body, new.decorator_list = body, []
    new.name = f"{node.name} without blocks"  # no name of a variable: it may call itself by its own
    tree: Any = ast.fix_missing_locations(syntax.to_ast(syntax.copy(new)))
    owner = [*function.__qualname__.split("."), ""][-3] if "." in function.__qualname__ else ""
    for inner in ast.walk(tree):
        if isinstance(inner, ast.Attribute | ast.Name):
            publish(inner, owner)
    ast.increment_lineno(tree, text.line - 1)
    return tree  # type: ignore[no-any-return]


def _named(code: CodeType, like: CodeType) -> CodeType:
    names = {n: getattr(like, n) for n in ("co_name", "co_qualname") if hasattr(like, n)}
    return code.replace(**names)


def publish(node: ast.Attribute | ast.Name, owner: str) -> None:
    """The private names of a class, as Python spells them."""
    field = "attr" if isinstance(node, ast.Attribute) else "id"
    name = getattr(node, field)
    if name.startswith("__") and not name.endswith("__") and owner.strip("_").isidentifier():
        setattr(node, field, f"_{owner.lstrip('_')}{name}")
