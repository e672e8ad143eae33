"""Functions of NumPy in the words that loops are made of, and types as Numba spells them.

In: a call of a generated function, what its names mean.
Out: an expression.
Next: spelling.
"""

from __future__ import annotations

import ast
from collections.abc import Callable
from typing import Any

import numpy as np

from tangentlite.native.facts.known import SHAPED, is_one_of

Meaning = Callable[[ast.expr], Any]
DTYPES: dict[Any, str] = {int: "int64", float: "float64", bool: "bool_", complex: "complex128"}
LOW, HIGH = ("a_min", "min"), ("a_max", "max")


def worded(node: ast.Call, meaning: Meaning) -> ast.expr:
    """A call in other words.

    >>> def meaning(node):
    ...     return {"float": float, "np.clip": np.clip}.get(ast.unparse(node))
    >>> texts = ["np.zeros(n, dtype=float)", "x.astype(float)", "np.clip(x, 0.0, n)", "x.clip(max=1.0)"]
    >>> for text in texts:
    ...     print(ast.unparse(worded(ast.parse(text, mode="eval").body, meaning)))
    np.zeros(n, dtype=np.float64)
    x.astype(np.float64)
    np.minimum(np.maximum(x, 0.0), n)
    np.minimum(x, 1.0)
    """
    meant = meaning(node.func)
    attr = node.func.attr if isinstance(node.func, ast.Attribute) else ""
    for keyword in node.keywords:
        if keyword.arg == "dtype":
            keyword.value = _typed(keyword.value, meaning)
    if attr == "astype" or (is_one_of(meant, SHAPED) and len(node.args) > 1):
        node.args[attr != "astype" :] = [_typed(a, meaning) for a in node.args[attr != "astype" :]]
    if meant is np.roll and [k.arg for k in node.keywords] == ["axis"] and len(node.args) == 2:
        node.args, node.keywords = [*node.args, node.keywords[0].value], []
    if meant is np.clip and node.args:
        return _clipped(node, node.args[0], node.args[1:]) or node
    if meant is None and attr == "clip":
        return _clipped(node, node.func.value, node.args) or node  # type: ignore[attr-defined]
    return node


def as_copy(call: ast.Call, meaning: Meaning) -> bool:
    """``np.array`` of an array is a copy of it; whether the call, which is changed, asks for nothing else.

    >>> calls = [ast.parse(f"np.array(x{rest})", mode="eval").body for rest in ("", ", float", ", copy=True")]
    >>> all(as_copy(call, lambda node: {"float": float}.get(ast.unparse(node))) for call in calls)
    True
    >>> print(*map(ast.unparse, calls), sep=", ")
    x.copy(), x.astype(np.float64), x.copy()
    """
    array, *kinds = call.args
    named = {k.arg: k.value for k in call.keywords}
    copies = named.pop("copy", None)
    kinds += [named.pop("dtype")] if "dtype" in named else []
    plain = copies is None or (isinstance(copies, ast.Constant) and copies.value is True)
    if named or len(kinds) > 1 or not plain:
        return False
    call.func = ast.Attribute(array, "astype" if kinds else "copy", ast.Load())
    call.args, call.keywords = [_typed(kind, meaning) for kind in kinds], []
    return True


def _typed(node: ast.expr, meaning: Meaning) -> ast.expr:
    """``float`` is ``np.float64``."""
    name = next((text for kind, text in DTYPES.items() if meaning(node) is kind), None)
    return node if name is None else ast.parse(f"np.{name}", mode="eval").body


def _clipped(node: ast.Call, x: ast.expr, bounds: list[ast.expr]) -> ast.expr | None:
    """What is clipped is a maximum, and then a minimum; None for a call with anything but bounds."""
    found = dict(zip(("min", "max"), bounds))
    for keyword in node.keywords:
        side = "min" if keyword.arg in LOW else "max" if keyword.arg in HIGH else ""
        if not side or side in found:
            return None
        found[side] = keyword.value
    if len(bounds) > len(LOW) or not found:
        return None
    for side, name in (("min", "maximum"), ("max", "minimum")):
        bound = found.get(side)
        if bound is not None and not (isinstance(bound, ast.Constant) and bound.value is None):
            func = ast.Attribute(ast.Name("np", ast.Load()), name, ast.Load())
            x = ast.Call(func, [x, bound], [])
    return x
