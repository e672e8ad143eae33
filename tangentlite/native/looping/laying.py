"""Stores of arrays into slices as loops of our own: Numba compiles long messages for what does not fit.

In: the tree of a kernel, what is known of its names.
Out: the same tree, changed in place.
Next: workshop.
"""

from __future__ import annotations

import ast
from collections.abc import Iterator
from itertools import count

from tangentlite.native.facts.names import loads, rebuild
from tangentlite.native.facts.ranks import Names


def laid(tree: ast.FunctionDef, names: Names) -> None:
    """``a[1:] = e`` is ``np.copyto(a[1:], e)``; ``a[1:] += e`` gives the part a name first.

    >>> from tangentlite.native.facts.known import Known
    >>> tree = ast.parse("def f(a, e):\\n    a[1:] = e\\n    a[1:] += e\\n    a[0] = 1.0").body[0]
    >>> given = {"a": Known(1, True), "e": Known(1, True)}
    >>> laid(tree, Names(tree.body, given, True, lambda node: None, lambda *use: Known()))
    >>> print(ast.unparse(tree))
    def f(a, e):
        np.copyto(a[1:], e)
        _p1 = a[1:]
        _p1 += e
        a[0] = 1.0
    """
    taken = {n.id for n in ast.walk(tree) if isinstance(n, ast.Name)}
    layer = _Layer(names, (n for k in count(1) if (n := f"_p{k}") not in taken))
    tree.body = [s for statement in tree.body for s in layer.changed(statement)]
    ast.fix_missing_locations(tree)


class _Layer:
    def __init__(self, names: Names, fresh: Iterator[str]) -> None:
        self._names, self._fresh = names, fresh

    def changed(self, statement: ast.stmt) -> list[ast.stmt]:
        """The statements in place of one."""
        rebuild(statement, lambda inner: [s for one in inner for s in self.changed(one)])
        match statement:
            case ast.Assign(targets=[ast.Subscript() as target], value=value) if self._is_laid(
                target, value
            ):
                call: ast.expr = ast.parse("np.copyto()", mode="eval").body
                assert isinstance(call, ast.Call)
                call.args = [self._part(target), self._apart(target, value)]
                return [ast.Expr(call)]
            case ast.AugAssign(target=ast.Subscript() as target, op=op, value=value) if (
                self._is_laid(target, value)
            ):
                name = next(self._fresh)
                part = ast.Assign([ast.Name(name, ast.Store())], self._part(target), lineno=0)
                value = self._apart(target, value)
                return [part, ast.AugAssign(ast.Name(name, ast.Store()), op, value)]
            case ast.AugAssign(target=ast.Name() as target, value=value) if self._is_array(
                target, value
            ):
                statement.value = self._apart(target, value)
        return [statement]

    def _is_laid(self, target: ast.Subscript, value: ast.expr) -> bool:
        """Whether an array of floats goes into a view of one, or what may be a number."""
        rank, inner = self._names.rank(target), self._names.rank(value)
        if not rank or not self._names.floating(target.value):
            return False
        if inner is None:
            return self._names.is_fresh(value) or not self._are_together(target, value)
        return self._names.floating(value) and 0 < inner <= rank

    def _is_array(self, target: ast.Name, value: ast.expr) -> bool:
        return bool(self._names.rank(target) and self._names.rank(value))

    def _part(self, target: ast.Subscript) -> ast.expr:
        return ast.Subscript(target.value, target.slice, ast.Load())

    def _apart(self, target: ast.expr, value: ast.expr) -> ast.expr:
        """The value, or a copy if it may lie in the array that is written: NumPy makes one, Numba does not."""
        if not self._are_together(target, value) or self._names.is_fresh(value):
            return value
        return ast.Call(ast.Attribute(value, "copy", ast.Load()), [], [])

    def _are_together(self, target: ast.expr, value: ast.expr) -> bool:
        array = target.value if isinstance(target, ast.Subscript) else target
        written = [n.id for n in ast.walk(array) if isinstance(n, ast.Name)]
        return any(self._names.meet(a, b) for a in written for b in loads(value))
