"""Products along axes that are written down as products of matrices, and axes of length one left out.

In: calls of a kernel, what is known of its names.
Out: expressions; None for what is not understood.
Next: told.
"""

from __future__ import annotations

import ast
from collections.abc import Callable
from typing import Any

import numpy as np

from tangentlite import runtime
from tangentlite.native.facts.known import SQUEEZED

Meaning = Callable[[ast.expr], Any]
SIDES = (runtime.tensordot_left, runtime.tensordot_right)


def contracted(node: ast.Call, names: Any, meaning: Meaning) -> ast.expr | None:
    """``np.tensordot(a, b, axes=([0], [0]))`` of matrices is ``a.T @ b``, the sum over both axes ``np.sum(a * b)``.

    >>> known = {"rank": lambda self, node: 2, "literal": lambda self, node: ast.literal_eval(node)}
    >>> names = type("Names", (), known)()
    >>> for axes in ("1", "([0], [1])", "([0, 1], [1, 0])"):
    ...     call = ast.parse(f"np.tensordot(a, b, {axes})", mode="eval").body
    ...     print(ast.unparse(contracted(call, names, lambda node: np.tensordot)))
    a @ b
    a.T @ b.T
    np.sum(a * b.T)
    """
    meant = meaning(node.func)
    if meant is not np.tensordot and meant not in SIDES:
        return None
    count = 2 if meant is np.tensordot else 3
    given = [*node.args[count:], *(k.value for k in node.keywords if k.arg == "axes")]
    x, y = node.args[count - 2 : count] if len(node.args) >= count else (None, None)
    if x is None or y is None or len(given) != 1 or len(node.keywords) > 1:
        return None
    ranks = names.rank(x), names.rank(y)
    axes = _axes(names.literal(given[0]), ranks)
    if axes is None:
        return None
    if len(axes[0]) == 2:
        return _elementwise(meant, node.args[0], x, y, axes[1] != [0, 1])
    turned = axes[0] != [ranks[0] - 1], axes[1] != [0]
    first, second = (_turned(a, turn) for a, turn in zip((x, y), turned))
    if meant is np.tensordot:
        return ast.BinOp(first, ast.MatMult(), second)
    side = SIDES.index(meant)
    name = ("matmul_left", "matmul_right")[side]
    func = ast.Attribute(node.func.value, name, ast.Load())  # type: ignore[attr-defined]
    return _turned(ast.Call(func, [node.args[0], first, second], []), turned[side])


def _axes(found: Any, ranks: tuple[Any, Any]) -> tuple[list[int], list[int]] | None:
    """The axes of both factors, lines or matrices, counted from the first."""
    if not set(ranks) <= {1, 2}:
        return None
    if found == 1 and type(found) is int:
        return [ranks[0] - 1], [0]
    if not isinstance(found, (tuple, list)) or len(found) != 2:
        return None
    pair = [
        [k] if type(k) is int else list(k) if isinstance(k, (tuple, list)) else [] for k in found
    ]
    if len(pair[0]) != len(pair[1]) or len(pair[0]) not in (1, 2):
        return None
    if any(type(k) is not int or not -r <= k < r for ks, r in zip(pair, ranks) for k in ks):
        return None
    left, right = ([k % rank for k in ks] for ks, rank in zip(pair, ranks))
    if len(left) == 2:
        if len({*left}) < 2 or len({*right}) < 2:
            return None
        left, right = [0, 1], [right[left.index(0)], right[left.index(1)]]
    return left, right


def _elementwise(meant: Any, b: ast.expr, x: ast.expr, y: ast.expr, turn: bool) -> ast.expr:
    """The sum of all products, or what it gives each factor."""
    if meant is np.tensordot:
        total: Any = ast.parse("np.sum()", mode="eval").body
        total.args = [ast.BinOp(x, ast.Mult(), _turned(y, turn))]
        return total  # type: ignore[no-any-return]
    return ast.BinOp(b, ast.Mult(), _turned(y if meant is SIDES[0] else x, turn))


def _turned(node: ast.expr, turn: bool) -> ast.expr:
    return ast.Attribute(node, "T", ast.Load()) if turn else node


def squeezed(array: ast.expr, names: Any) -> ast.expr | None:
    """``np.squeeze(a)`` without the axes of which it is known that their length is one: others must have another."""
    rank, ones = names.rank(array), names.known(array).ones
    if not rank:
        return None
    axes = ast.Tuple([ast.Constant(k) for k in ones], ast.Load())
    return ast.Call(ast.Name(SQUEEZED, ast.Load()), [array, axes], [])
