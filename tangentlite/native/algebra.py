"""Products of matrices and systems of equations go to functions of our own: those of Numba take seconds to compile.

In: the tree of a kernel whose statements are loops, what is known of its names.
Out: the same tree, changed in place.
Next: workshop.
"""

from __future__ import annotations

import ast
from collections.abc import Callable
from typing import Any

import numpy as np

from tangentlite.native.facts.known import OUTER, PRODUCT, SOLVED, is_one_of
from tangentlite.native.facts.ranks import Names


def brief(tree: ast.FunctionDef, names: Names, meaning: Callable[[ast.expr], Any]) -> None:
    """``a @ x`` is ``_product(a, x)``, ``np.linalg.solve(a, x)`` is ``_solve(a, x)``.

    >>> tree = ast.parse("def f(a, x):\\n    return np.linalg.solve(a.T, a @ x)").body[0]
    >>> brief(tree, None, lambda node: eval(ast.unparse(node), {"np": np}))
    >>> print(ast.unparse(tree))
    def f(a, x):
        return _solve(a.T, _product(a, x))
    """
    _Brief(names, meaning).visit(tree)
    ast.fix_missing_locations(tree)


class _Brief(ast.NodeTransformer):
    def __init__(self, names: Names, meaning: Callable[[ast.expr], Any]) -> None:
        self._names, self._meaning = names, meaning

    def visit_BinOp(self, node: ast.BinOp) -> ast.expr:
        self.generic_visit(node)
        return _called(PRODUCT, node.left, node.right) if isinstance(node.op, ast.MatMult) else node

    def visit_Call(self, node: ast.Call) -> ast.expr:
        self.generic_visit(node)
        if node.keywords or not isinstance(node.func, ast.Attribute):
            return node
        meant = self._meaning(node.func)
        if is_one_of(meant, SOLVED):
            return _called(SOLVED[meant], *node.args)
        if meant is np.outer and len(node.args) == 2:
            return _called(OUTER, *node.args)
        if meant is np.dot and all(self._names.rank(a) in (1, 2) for a in node.args):
            return _called(PRODUCT, *node.args)
        return node


def _called(name: str, *args: ast.expr) -> ast.expr:
    return ast.Call(ast.Name(name, ast.Load()), list(args), [])
