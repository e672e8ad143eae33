"""Blocks in which NumPy is told what to warn of: machine code does not warn.

In: statements of a generated function, what their names mean.
Out: statements.
Next: spelling.
"""

from __future__ import annotations

import ast
from collections.abc import Callable
from typing import Any

import numpy as np

Meaning = Callable[[ast.expr], Any]
QUIET = ("ignore", "warn", "print")


def without_warnings(body: list[ast.stmt], meaning: Meaning) -> list[ast.stmt]:
    """``with np.errstate(…)`` is its block, unless it is to raise.

    >>> text = "with np.errstate(all='ignore'):\\n    a = 1\\nwith np.errstate(over='raise'):\\n    b = 1"
    >>> print("\\n".join(map(ast.unparse, without_warnings(ast.parse(text).body, lambda e: np.errstate))))
    a = 1
    with np.errstate(over='raise'):
        b = 1
    """
    return _Opened(meaning).visit(ast.Module(body, [])).body  # type: ignore[no-any-return]


class _Opened(ast.NodeTransformer):
    def __init__(self, meaning: Meaning) -> None:
        self._meaning = meaning

    def visit_With(self, node: ast.With) -> ast.stmt | list[ast.stmt]:
        self.generic_visit(node)
        return node.body if all(map(self._is_quiet, node.items)) else node

    def _is_quiet(self, item: ast.withitem) -> bool:
        match item:
            case ast.withitem(context_expr=ast.Call(func=func, args=[], keywords=named)):
                said = [k.value for k in named]
                quiet = all(isinstance(v, ast.Constant) and v.value in QUIET for v in said)
                return quiet and self._meaning(func) is np.errstate
        return False
