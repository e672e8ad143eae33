"""What nothing reads once statements are loops: views, copies, and products that were asked for their shape.

In: the statements of a kernel.
Out: the statements without them; of a product the test of its lengths stays.
Next: loops.
"""

from __future__ import annotations

import ast
from collections.abc import Iterator, Mapping, Set

from tangentlite.native.facts.names import loads, rebuild, statements
from tangentlite.native.looping.nests import MISMATCH

SOLID, COPY = "np.ascontiguousarray", "rt.own"


class Idle:
    """``views``: the names that stand for parts of arrays; ``ranks``: how many axes names have."""

    def __init__(self, views: Set[str], ranks: Mapping[str, int]) -> None:
        self._views, self._ranks, self._dropped = views, ranks, True

    def without(self, body: list[ast.stmt]) -> list[ast.stmt]:
        """The statements that are left.

        >>> text = "v = a[1:]\\nm = np.ascontiguousarray(a) @ np.ascontiguousarray(b).T\\nc = a @ d\\nreturn c"
        >>> idle = Idle({"v"}, dict.fromkeys("abcdm", 2))
        >>> print("\\n".join(map(ast.unparse, idle.without(ast.parse(text).body))))  # doctest: +ELLIPSIS
        if a.shape[1] != b.shape[1]:
            raise ValueError('shapes differ...')
        c = a @ d
        return c
        """
        while self._dropped:
            self._dropped = False
            body = self._left(body, {n for s in body for n in (*loads(s), *_added(s))})
        return body

    def _left(self, body: list[ast.stmt], read: set[str]) -> list[ast.stmt]:
        kept = [part for s in body for part in self._spared(s, read)]
        for statement in kept:
            rebuild(statement, lambda inner: self._left(inner, read) or [ast.Pass()])
        return kept

    def _spared(self, statement: ast.stmt, read: set[str]) -> list[ast.stmt]:
        """What is left of a statement."""
        left = [statement]
        match statement:
            case ast.Assign(targets=[ast.Name(id=name)], value=value) if name not in read:
                is_copy = isinstance(value, ast.Call) and ast.unparse(value.func) == COPY
                is_view = name in self._views and isinstance(value, (ast.Subscript, ast.Name))
                if is_view or is_copy:
                    left = []
                elif isinstance(value, ast.BinOp) and isinstance(value.op, ast.MatMult):
                    left = self._tested(value) or left
        self._dropped |= left != [statement]
        return left

    def _tested(self, product: ast.BinOp) -> list[ast.stmt]:
        """The test whether two arrays may be multiplied; none if their axes are not known."""
        one, other = self._length(product.left, -1), self._length(product.right, 0)
        if one is None or other is None:
            return []
        return ast.parse(f"if {one} != {other}:\n    raise ValueError({MISMATCH!r})").body

    def _length(self, node: ast.expr, axis: int) -> str | None:
        match node:
            case ast.Attribute(value=inner, attr="T"):
                return self._length(inner, -1 - axis)
            case ast.Call(func=func, args=[array]) if ast.unparse(func) == SOLID:
                return self._length(array, axis)
            case ast.Name(id=name) if self._ranks.get(name) in (1, 2):
                return f"{name}.shape[{axis % self._ranks[name]}]"
        return None


def _added(statement: ast.stmt) -> Iterator[str]:
    """The names that hold the arrays to which a statement adds."""
    for part in statements([statement]):
        match part:
            case ast.AugAssign(target=ast.Name(id=name)):
                yield name
