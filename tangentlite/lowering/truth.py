"""Truth values and tests: what may be kept whole because nothing flows through it.

In: an expression.
Out: whether it is inert, whether it needs statements, whether evaluating it again is harmless.
Next: values, anf.
"""

from __future__ import annotations

import ast
from types import FunctionType

import gast
import numpy as np

from tangentlite import syntax
from tangentlite.frontend.check import gives_nothing
from tangentlite.lowering import effects, outputs
from tangentlite.lowering.context import Context

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
CHANGING |= {"__setitem__", "__delitem__", "__iadd__", "__isub__", "__imul__", "__itruediv__"}


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


def needs(node: ast.AST, context: Context) -> bool:
    """Whether part of ``node`` can only be said by statements."""
    stack = [node]
    while stack:
        item = stack.pop()
        if isinstance(item, STATEMENTS):
            return True
        if isinstance(item, gast.Call) and effects.may_write(item.func, context):
            return True
        match item:
            case gast.Call(func=gast.Attribute(value=gast.Name(id=name), attr=attr)):
                if attr in CHANGING and name in context.locals:
                    return True
            case gast.Call(func=gast.Name(id="isinstance")) if context.is_builtin("isinstance"):
                return True  # where that is decided, what it guards is left out
        if isinstance(item, gast.Call):
            if gives_nothing(context.meaning(item.func)) or outputs.has_out(item, context):
                return True
        stack.extend(syntax.children(item))
    return False


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
    """Whether evaluating ``node`` may write into arrays: it has ``out=``, or calls a user's function."""
    stack = [node]
    while stack:
        item = stack.pop()
        if isinstance(item, gast.Call):
            given = any(k.arg == "out" for k in item.keywords)
            if given or not _only_reads(item.func, context):
                return True
        stack.extend(syntax.children(item))
    return False


def _only_reads(func: gast.expr, context: Context) -> bool:
    if isinstance(func, gast.Attribute) and context.meaning(func.value) is None:
        return hasattr(np.ndarray, func.attr) or func.attr in STACK
    meaning = context.meaning(func)
    return _is_library(meaning) or _module(meaning).startswith("tangentlite.")


def _is_library(callee: object) -> bool:
    return callee is not None and _module(callee).split(".")[0] in ("numpy", "builtins", "math")


def _module(callee: object) -> str:
    if isinstance(callee, FunctionType):
        return str(callee.__globals__.get("__name__"))
    return str(getattr(callee, "__module__", None) or type(callee).__module__)
