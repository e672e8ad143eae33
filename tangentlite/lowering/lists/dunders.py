"""Methods that stand for operators and subscripts: ``x.__mul__(y)``, ``x.__getitem__(i)``, ``x.item(i, j)``.

In: a call of the user.
Out: the operator, the subscript; None for any other call.
Next: anf.
"""

from __future__ import annotations

from typing import Any

import gast
import numpy as np

from tangentlite import syntax
from tangentlite.lowering.context import Context, read, remade
from tangentlite.standins import changing

OPERATORS = {
    "__add__": gast.Add,
    "__sub__": gast.Sub,
    "__mul__": gast.Mult,
    "__truediv__": gast.Div,
    "__pow__": gast.Pow,
    "__matmul__": gast.MatMult,
    "__mod__": gast.Mod,
}
IN_PLACE = {f"__{f.__name__}__": f for f in changing.OPERATORS}
HOLDING = (np.ndarray, list, dict)
CALLED = {"__len__": "len", "__abs__": "abs", "__float__": "float", "__int__": "int"}


def plain(node: gast.Call, context: Context) -> gast.expr | None:
    """What a method call stands for.

    >>> from tangentlite.lowering.example import lowered
    >>> print(lowered("return x.__mul__(2.0) + x.item(1, 2)", "x"))
    t1 = x * 2.0
    t2 = x[1, 2]
    t3 = t2.item()
    y = t1 + t3
    return y
    """
    node = bound(node, context)
    match node:
        case gast.Call(func=gast.Attribute(value=owner, attr=name), args=args, keywords=[]):
            given = context.meaning(node.func) is None and not context.is_method(node.func)
            if given and not any(isinstance(a, gast.Starred) for a in args):
                return _said(node, owner, name, args, context)
    return None


def bound(node: gast.Call, context: Context) -> gast.Call:
    """A method that is called by its class, as one of its first argument.

    >>> from tangentlite.lowering.example import lowered
    >>> print(lowered("np.ndarray.fill(x, 2)\\nreturn x", "x"))
    x[...] = 2
    return x
    """
    meaning = context.meaning(node.func)
    if getattr(meaning, "__objclass__", None) not in HOLDING or not node.args:
        return node
    owner, *args = node.args
    if not callable(meaning) or any(isinstance(a, gast.Starred) for a in node.args):
        return node
    func = syntax.at(gast.Attribute(owner, meaning.__name__, gast.Load()), node)
    return remade(node, func=func, args=args)


def _said(
    node: gast.Call, owner: gast.expr, name: str, args: list[gast.expr], context: Context
) -> gast.expr | None:
    made: Any = None
    if name in OPERATORS and len(args) == 1:
        made = gast.BinOp(owner, OPERATORS[name](), args[0])
    elif name in IN_PLACE and len(args) == 1:
        function = IN_PLACE[name]
        called = read(context.module(function.__name__, function), node)
        made = gast.Call(called, [owner, args[0]], [])
    elif name == "__neg__" and not args:
        made = gast.UnaryOp(gast.USub(), owner)
    elif name == "__getitem__" and len(args) == 1:
        made = gast.Subscript(owner, args[0], gast.Load())
    elif name in CALLED and not args:
        made = gast.Call(read(context.builtin(CALLED[name], node), node), [owner], [])
    elif name == "item" and len(args) == 1 and isinstance(args[0], gast.Constant):
        flat = syntax.at(gast.Attribute(owner, "flat", gast.Load()), node)
        place = syntax.at(gast.Subscript(flat, args[0], gast.Load()), node)
        return remade(node, func=remade(node.func, value=place), args=[])
    elif name == "item" and (len(args) > 1 or (args and isinstance(args[0], gast.Tuple))):
        index = args[0] if len(args) == 1 else syntax.at(gast.Tuple(args, gast.Load()), node)
        place = syntax.at(gast.Subscript(owner, index, gast.Load()), node)
        return remade(node, func=remade(node.func, value=place), args=[])
    return None if made is None else syntax.at(made, node)
