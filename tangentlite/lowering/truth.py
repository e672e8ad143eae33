"""Truth values and tests: what may be kept whole because nothing flows through it.

In: an expression.
Out: whether it is inert, whether it needs statements, whether evaluating it again is harmless.
Next: values, anf.
"""

from __future__ import annotations

import ast
from types import FunctionType
from typing import Any

import gast
import numpy as np

from tangentlite import syntax
from tangentlite.frontend import writing
from tangentlite.frontend.check import gives_nothing
from tangentlite.frontend.consumers import LEFT
from tangentlite.lowering import effects
from tangentlite.lowering.arrays import outputs
from tangentlite.lowering.context import Context
from tangentlite.lowering.flow.guards import is_generated

STATEMENTS = (
    gast.NamedExpr,
    gast.IfExp,
    gast.ListComp,
    gast.SetComp,
    gast.DictComp,
    gast.GeneratorExp,
)
STACK = ("append", "pop")
CHANGING = {
    *STACK,
    "setdefault",
    "update",
    "popitem",
    "insert",
    "remove",
    "extend",
    "sort",
    "reverse",
}
CHANGING |= {
    "clear",
    "add",
    "discard",
    "popleft",
    "appendleft",
    "extendleft",
    "rotate",
    "fill",
    "put",
}
CHANGING |= writing.METHODS


def is_truth(node: ast.AST) -> bool:
    """Whether ``node`` is inert: a comparison, ``not``, or ``and``/``or`` of inert expressions."""
    match node:
        case gast.Compare() | gast.UnaryOp(op=gast.Not()):
            return True
        case gast.BoolOp(values=values):
            return all(map(is_truth, values))
        case gast.Constant(value=bool()):
            return True
    return False


WALKED = ("__len__", "__iter__")  # what numbers lack


def needs(node: ast.AST, context: Context) -> bool:
    """Whether part of ``node`` can only be said by statements."""
    stack = [node]
    while stack:
        item = stack.pop()
        if isinstance(item, STATEMENTS) or effects.hands_on(item, context):
            return True
        if isinstance(item, gast.Call) and _stands_apart(item, context):
            return True
        stack.extend(syntax.children(item))
    return False


def _stands_apart(call: gast.Call, context: Context) -> bool:
    """Whether a call is a statement of its own in a test: it may write, or tells what is left out."""
    match call.func:
        case gast.Attribute(value=gast.Name(id=name), attr=attr):
            if attr in CHANGING and name in context.locals:
                return True
        case gast.Name(id=("isinstance" | "callable") as name) if context.is_builtin(name):
            return True  # where that is decided, what it guards is left out
        case gast.Name(id="hasattr") if context.is_builtin("hasattr"):
            return isinstance(call.args[-1], gast.Constant) and call.args[-1].value in WALKED
    meaning = context.meaning(call.func)
    if _takes(call, meaning, context) or meaning is np.isscalar or meaning is np.iterable:
        return True
    if effects.may_write(call.func, context) or gives_nothing(meaning):
        return True
    return writing.says_so(call.keywords) or outputs.has_out(call, context)


def _takes(call: gast.Call, meaning: Any, context: Context) -> bool:
    """Whether a call takes elements of an iterator, which is followed by statements."""
    match call.func:
        case gast.Attribute(value=gast.Name(id=name)) if name in context.suspended:
            return True
        case gast.Name(id=name) if name == LEFT:
            return True
    return meaning is next


def quiet(node: ast.AST, context: Context) -> bool:
    """Whether ``node`` calls nothing but builtins and functions of NumPy."""
    stack = [node]
    while stack:
        item = stack.pop()
        if isinstance(item, gast.Call) and not _is_library(context.meaning(item.func)):
            return False
        stack.extend(syntax.children(item))
    return True


def writes(node: ast.AST, context: Context) -> bool:
    """Whether evaluating ``node`` may write: it has ``out=``, takes from a list, or calls a user's function."""
    stack = [node]
    while stack:
        item = stack.pop()
        if effects.hands_on(item, context):
            return True
        if isinstance(item, gast.Call):
            if writing.says_so(item.keywords) or outputs.has_out(item, context):
                return True
            if _takes(item, context.meaning(item.func), context):
                return True
            if not _only_reads(item.func, context):
                return True
        stack.extend(syntax.children(item))
    return False


def _only_reads(func: gast.expr, context: Context) -> bool:
    if isinstance(func, gast.Attribute) and context.meaning(func.value) is None:
        pops = func.attr in STACK and is_generated(context)
        return pops or writing.is_reading(func.attr)
    meaning = context.meaning(func)
    module = _module(meaning)
    ours = module.startswith("tangentlite.") and not module.startswith(writing.AS_IF_OWN)
    return _is_library(meaning) or ours


def _is_library(callee: object) -> bool:
    return callee is not None and _module(callee).split(".")[0] in ("numpy", "builtins", "math")


def _module(callee: object) -> str:
    if isinstance(callee, FunctionType):
        return str(callee.__globals__.get("__name__"))
    return str(getattr(callee, "__module__", None) or type(callee).__module__)
