"""An axis that is added to a part of an array is one of the part: one subscript says both.

In: the tree of a kernel, what is known of its names.
Out: the same tree, changed in place.
Next: told.
"""

from __future__ import annotations

import ast
from typing import Any


def widened(tree: ast.FunctionDef, names: Any) -> bool:
    """Whether a subscript of a subscript became one.

    >>> tree = ast.parse("def f(a, k):\\n    return a[:, k, 1:][:, None, :] * a[:, k][..., None]").body[0]
    >>> names = type("Names", (), {"rank": lambda self, node: {"a": 3, "k": 0}.get(ast.unparse(node))})()
    >>> widened(tree, names)
    True
    >>> print(ast.unparse(tree.body[0]))
    return a[:, k, None, 1:] * a[:, k][..., None]
    """
    widener = _Widener(names)
    widener.visit(tree)
    if widener.changed:
        ast.fix_missing_locations(tree)
    return widener.changed


class _Widener(ast.NodeTransformer):
    def __init__(self, names: Any) -> None:
        self._names, self.changed = names, False

    def visit_Subscript(self, node: ast.Subscript) -> ast.expr:
        """``a[:, k][:, None]``."""
        self.generic_visit(node)
        match node:
            case ast.Subscript(value=ast.Subscript(value=ast.Name(), slice=index) as part) if all(
                map(_is_whole, _parts(node.slice))
            ):
                inner = self._inner(part.value, _parts(index))
                found = _joint(inner, _parts(node.slice)) if inner is not None else None
                if found is not None:
                    self.changed = True
                    return ast.Subscript(part.value, ast.Tuple(found, ast.Load()), node.ctx)
        return node

    def _inner(self, array: ast.expr, parts: list[ast.expr]) -> list[ast.expr] | None:
        """What is taken along each axis of an array; None if an index may be an array."""
        rank = self._names.rank(array)
        plain = all(isinstance(p, ast.Slice) or self._names.rank(p) == 0 for p in parts)
        if not rank or not plain or len(parts) > rank:
            return None
        return [*parts, *(ast.Slice() for _ in range(rank - len(parts)))]


def _parts(index: ast.expr) -> list[ast.expr]:
    return index.elts if isinstance(index, ast.Tuple) else [index]


def _is_whole(part: ast.expr) -> bool:
    """``:`` or ``None``."""
    match part:
        case ast.Slice(lower=None, upper=None, step=None) | ast.Constant(value=None):
            return True
    return False


def _joint(inner: list[ast.expr], outer: list[ast.expr]) -> list[ast.expr] | None:
    """The axes of both; None if there are too many."""
    found, waiting = list[ast.expr](), list(outer)
    for part in inner:
        if isinstance(part, ast.Slice):
            while waiting and isinstance(waiting[0], ast.Constant):
                found.append(waiting.pop(0))
            waiting = waiting[1:]
        found.append(part)
    return None if any(isinstance(p, ast.Slice) for p in waiting) else [*found, *waiting]
