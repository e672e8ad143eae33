"""Reading a function: its tree, its parameters, what its free names mean.

In: a function object.
Out: ``ir.Function``.
Next: lowering.
"""

from __future__ import annotations

import functools
import inspect
from collections.abc import Callable
from types import FunctionType, MethodType
from typing import Any
from weakref import WeakKeyDictionary

import gast

from tangentlite import syntax
from tangentlite.errors import SourceUnavailableError, UnsupportedSyntaxError
from tangentlite.frontend import (
    bodies,
    carried,
    check,
    checkpoints,
    classes,
    counters,
    deques,
    dispatched,
    imports,
    own_class,
    parameters,
    source,
    surgery,
)
from tangentlite.ir import Function, Namespace, Origin
from tangentlite.standins.table import STEPWISE
from tangentlite.translation import deep

_nested: WeakKeyDictionary[FunctionType, tuple[tuple[Any, ...], dict[Any, Any]]] = (
    WeakKeyDictionary()
)


@deep
def read(function: Callable[..., Any], fenced: bool = True) -> Function:
    """The tree of ``function``, ready to be lowered; ``fenced``: refused where it cannot be.

    >>> import linecache
    >>> text = "def f(x):\\n    return x * rate\\n"
    >>> linecache.cache["<generated read>"] = (len(text), None, text.splitlines(True), "")
    >>> space = {"rate": 3.0}
    >>> exec(compile(text, "<generated read>", "exec"), space)
    >>> read(space["f"]).name, read(space["f"]).namespace.lookup("rate")
    ('f', 3.0)
    """
    plain = _plain(function)
    made: Function | None = getattr(plain, "__lifted__", None)
    if made is not None:
        return check.check(made) if fenced else made
    whole = getattr(plain, surgery.WHOLE, None)
    text = source.find(whole or plain)
    origin = Origin(text.file, text.line, text.lines)
    tree = _published(_tree(text), source.owner(plain))
    cells = dict(zip(plain.__code__.co_freevars, plain.__closure__ or (), strict=True))
    written = Function(
        tree=tree,
        name=text.name,
        params=tuple(parameters.params(text.node.args, plain)),
        namespace=Namespace(plain.__globals__, cells),
        origin=origin,
        nested=_kept(plain, text),
    )
    own = dispatched.resolved(bodies.opened(imports.resolved(written)))
    apart = classes.resolved(carried.carried(own))
    looping = checkpoints.resolved(apart)
    direct = surgery.taken_out(looping, drop=whole is not None)
    read_ = own_class.resolved(counters.resolved(deques.resolved(direct)))
    return check.check(read_) if fenced else read_


@deep
def lacks(function: FunctionType) -> bool:
    """Whether a name in the text of a function may mean nothing: ``read`` knows more, and takes longer."""
    if hasattr(function, "__lifted__") or hasattr(function, surgery.WHOLE):
        return True
    code = function.__code__
    cells = dict(zip(code.co_freevars, function.__closure__ or (), strict=True))
    means = Namespace(function.__globals__, cells).binds
    own = {*code.co_varnames, *code.co_cellvars}
    names = syntax.contents([source.find(function).node]).names
    return any(name not in own and not means(name) for name in names)


def _kept(function: FunctionType, text: source.Text) -> dict[Any, Any]:
    """What was made of a function, as long as its text and its defaults are the same."""
    key = (text, function.__defaults__, function.__kwdefaults__)
    known = _nested.get(function)
    if known is None or any(a is not b for a, b in zip(key, known[0])):
        known = _nested[function] = key, {}
    return known[1]


def _plain(function: Callable[..., Any]) -> FunctionType:
    if isinstance(function, FunctionType):
        steps: Callable[[], FunctionType] | None = getattr(function, STEPWISE, None)
        return steps() if steps is not None else function
    shown = source.describe(function)
    if isinstance(function, MethodType):
        raise _refuse(f"`{shown}` is a bound method", "write a function that takes the object")
    if isinstance(function, functools.partial):
        raise _refuse("a functools.partial", "write a function that fills in the arguments")
    if inspect.isclass(function):
        raise _refuse(f"`{shown}` is a class", "write a function that makes the object")
    if hasattr(function, "__wrapped__"):
        hint = "pass the function inside (its `__wrapped__`) if the wrapper adds nothing"
        raise _refuse(f"`{shown}` is a wrapper that is not a function", hint)
    if hasattr(type(function).__call__, "__code__"):
        hint = "write a function that calls it"
        raise _refuse(f"an object of class `{type(function).__name__}`", hint)
    raise SourceUnavailableError(
        f"`{shown}` has no Python source", None, "Wrap the call in a Python function."
    )


def _refuse(what: str, instead: str) -> UnsupportedSyntaxError:
    message = f"{what}: only plain functions can be differentiated yet"
    return UnsupportedSyntaxError(message, None, f"Instead, {instead}.")


def _tree(text: source.Text) -> gast.FunctionDef:
    """The definition without decorators and docstring; a lambda as a function that returns."""
    node = text.node
    if isinstance(node, gast.Lambda):
        body = [syntax.at(gast.Return(node.body), node.body)]
        made = gast.FunctionDef(text.name, node.args, body, [], None, None, [])
        return syntax.at(made, node)
    tree: gast.FunctionDef = node.__class__.__new__(node.__class__)
    tree.__dict__.update(node.__dict__)
    tree.decorator_list = []
    match node.body:
        case [gast.Expr(value=gast.Constant(value=str())), *rest]:
            tree.body = rest or [syntax.at(gast.Pass(), node.body[0])]
    return tree


def _published(tree: gast.FunctionDef, owner: str) -> gast.FunctionDef:
    """Private names of a class as Python spells them: ``x.__w`` is ``x._C__w``."""
    if not owner:
        return tree
    tree = syntax.copy(tree)
    for node in syntax.walk(tree):
        if isinstance(node, gast.Attribute) and node.attr.startswith("__"):
            if not node.attr.endswith("__"):
                node.attr = f"_{owner.lstrip('_')}{node.attr}"
    return tree
