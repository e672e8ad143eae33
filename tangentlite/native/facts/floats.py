"""Which expressions have floating elements for sure.

In: expressions of a kernel, the names of floating arrays and numbers.
Out: whether.
Next: ranks.
"""

from __future__ import annotations

import ast
from collections.abc import Callable
from typing import Any

import numpy as np

from tangentlite import runtime
from tangentlite.native.facts.known import ARITHMETIC, SHAPED, SQUARE, is_counting, is_one_of

Meaning = Callable[[ast.expr], Any]


def is_floating(node: ast.expr, floats: set[str], meaning: Meaning) -> bool:
    """Whether elements are floats, whatever the arguments are."""
    match node:
        case ast.Name(id=name):
            return name in floats
        case ast.Constant(value=value):
            return isinstance(value, float)
        case ast.UnaryOp(operand=operand):
            return is_floating(operand, floats, meaning)
        case ast.BinOp(left=left, op=op, right=right) if isinstance(op, (*ARITHMETIC, ast.MatMult)):
            either = is_floating(left, floats, meaning) or is_floating(right, floats, meaning)
            return either or isinstance(op, ast.Div)
        case ast.Subscript(value=ast.Tuple(elts=[_, *_] as parts)):
            return all(is_floating(part, floats, meaning) for part in parts)
        case ast.Subscript(value=value) | ast.Attribute(value=value, attr="T"):
            return is_floating(value, floats, meaning)
        case ast.Call(func=ast.Attribute(value=array, attr="copy"), args=[]):
            return is_floating(array, floats, meaning)
        case ast.Call():
            return _is_floating_call(node, floats, meaning)
    return False


def _is_floating_call(call: ast.Call, floats: set[str], meaning: Meaning) -> bool:
    meant, args = meaning(call.func), call.args
    if is_counting(call.func, meant):
        return False
    types = all(_is_floating_type(k, floats, meaning) for k in call.keywords)
    alike = meant in (runtime.zeros, runtime.storage, runtime.room)
    if alike or is_one_of(meant, (*SHAPED, *SQUARE)):
        return len(args) == 1 and types
    if any(k.arg == "dtype" for k in call.keywords):
        return types
    if meant is np.full_like:
        return is_floating(args[0], floats, meaning)
    return any(is_floating(arg, floats, meaning) for arg in args)


def _is_floating_type(keyword: ast.keyword, floats: set[str], meaning: Meaning) -> bool:
    match keyword:
        case ast.keyword(arg="dtype", value=ast.Attribute(value=array, attr="dtype")):
            return is_floating(array, floats, meaning)
        case ast.keyword(arg="dtype", value=value):
            return meaning(value) is np.float64 or ast.unparse(value) == "float"
    return False
