"""Which expressions have whole numbers of 64 bits as elements for sure: they may be indices, and masks are not.

In: expressions of a kernel, the names of such arrays and numbers.
Out: whether.
Next: ranks.
"""

from __future__ import annotations

import ast
from collections.abc import Callable
from typing import Any

import numpy as np

from tangentlite.native.facts.known import CHOSEN, is_one_of

Meaning = Callable[[ast.expr], Any]
OPERATORS = (ast.Add, ast.Sub, ast.Mult, ast.FloorDiv, ast.Mod)
KEEPING = (np.minimum, np.maximum, np.arange, np.add, np.subtract, np.multiply)
FOUND = (np.argsort, np.argmax, np.argmin, np.searchsorted, np.flatnonzero, len)


def is_whole(node: ast.expr, wholes: set[str], meaning: Meaning) -> bool:
    """Whether elements are whole numbers, whatever the arguments are.

    >>> texts = ["i", "i[1:] + 1", "x.shape[0] - 1", "i / 2", "x"]
    >>> [is_whole(ast.parse(t, mode="eval").body, {"i"}, lambda node: None) for t in texts]
    [True, True, True, False, False]
    """
    match node:
        case ast.Name(id=name):
            return name in wholes
        case ast.Constant(value=value):
            return type(value) is int
        case ast.UnaryOp(op=ast.USub() | ast.UAdd(), operand=operand):
            return is_whole(operand, wholes, meaning)
        case ast.BinOp(left=left, op=op, right=right) if isinstance(op, OPERATORS):
            return is_whole(left, wholes, meaning) and is_whole(right, wholes, meaning)
        case ast.Subscript(value=ast.Attribute(attr="shape")) | ast.Attribute(attr="size" | "ndim"):
            return True
        case ast.Subscript(value=ast.Tuple(elts=[_, *_] as parts)):
            return all(is_whole(part, wholes, meaning) for part in parts)
        case ast.Subscript(value=value) | ast.Attribute(value=value, attr="T"):
            return is_whole(value, wholes, meaning)
        case ast.Call():
            return _is_whole_call(node, wholes, meaning)
    return False


def _is_whole_call(call: ast.Call, wholes: set[str], meaning: Meaning) -> bool:
    match call:
        case ast.Call(func=ast.Attribute(attr="astype"), args=[kind], keywords=[]):
            return meaning(kind) is np.int64
        case ast.Call(func=ast.Attribute(value=array, attr="copy"), args=[]):
            return is_whole(array, wholes, meaning)
        case ast.Call(func=ast.Name(id=name), args=[array, _]) if name == CHOSEN:
            return is_whole(array, wholes, meaning)
        case ast.Call(func=ast.Name(id="int" | "len"), keywords=[]):
            return True
    meant = meaning(call.func)
    kinds = [k.value for k in call.keywords if k.arg == "dtype"]
    if kinds:
        return meaning(kinds[0]) is np.int64
    if is_one_of(meant, KEEPING):
        return bool(call.args) and all(is_whole(a, wholes, meaning) for a in call.args)
    return is_one_of(meant, FOUND)
