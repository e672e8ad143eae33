"""Coordinates of a grid, as arrays that are made one by one.

In: ``np.meshgrid(x, y)`` of lines, ``np.mgrid[:n, :m]``.
Out: a tuple of what each is; None where it is not known to be that.
Next: told.
"""

from __future__ import annotations

import ast
from collections.abc import Callable

Rank = Callable[[ast.expr], int | None]
LETTERS = "xy", "ij"


def meshed(call: ast.Call, rank: Rank) -> ast.expr | None:
    """``np.meshgrid`` of two lines.

    >>> call = ast.parse("np.meshgrid(x, y, indexing='ij')", mode="eval").body
    >>> print(ast.unparse(meshed(call, lambda node: 1)))  # doctest: +NORMALIZE_WHITESPACE
    (np.broadcast_to(x[:, None], (len(x), len(y))).copy(),
     np.broadcast_to(y[None, :], (len(x), len(y))).copy())
    """
    order = "xy"
    for keyword in call.keywords:
        value = getattr(keyword.value, "value", None)
        if keyword.arg != "indexing" or value not in LETTERS:
            return None
        order = value
    if len(call.args) != 2 or any(isinstance(a, ast.Starred) or rank(a) != 1 for a in call.args):
        return None
    x, y = map(ast.unparse, call.args)
    if order == "ij":
        return _spread((f"({x})[:, None]", f"({y})[None, :]"), (f"len({x})", f"len({y})"))
    return _spread((f"({x})[None, :]", f"({y})[:, None]"), (f"len({y})", f"len({x})"))


def numbered(index: ast.expr) -> ast.expr | None:
    """``np.mgrid[a:b, c:d]``, of whole numbers."""
    parts = index.elts if isinstance(index, ast.Tuple) else []
    plain = [p for p in parts if isinstance(p, ast.Slice) and p.step is None and p.upper]
    if len(parts) != 2 or len(plain) != 2:
        return None
    bounds = [(ast.unparse(p.lower or ast.Constant(0)), ast.unparse(p.upper)) for p in plain]  # type: ignore[arg-type]
    lines = [f"np.arange({low}, {high})" for low, high in bounds]
    sizes = [f"max({high} - ({low}), 0)" for low, high in bounds]
    return _spread((f"{lines[0]}[:, None]", f"{lines[1]}[None, :]"), (sizes[0], sizes[1]))


def _spread(parts: tuple[str, str], sizes: tuple[str, str]) -> ast.expr:
    texts = [f"np.broadcast_to({part}, ({', '.join(sizes)})).copy()" for part in parts]
    return ast.parse(f"({', '.join(texts)})", mode="eval").body
