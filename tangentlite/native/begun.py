"""Sums that begin with nothing: an array of zeros, where the call of a forward function tells of which shape.

In: the tree of a kernel, those of the helpers that come into it.
Out: the same trees, changed in place.
Next: spent.

Numba wants one type for a sum that a loop adds arrays to. A backward function that never reads ``w`` has no name for
it, but its forward function was given it: ``y, saved = f_forward(x, weights)``.
"""

from __future__ import annotations

import ast
from collections import Counter
from collections.abc import Callable, Mapping

from tangentlite import runtime
from tangentlite.native.names import bound, statements

Meaning = Callable[[ast.expr], object]


def unknown(zero: ast.Attribute, primal: str) -> ast.expr:
    """The lazy zero of the adjoint of what has another name, or none."""
    return ast.Call(ast.Attribute(zero.value, "zeros", ast.Load()), [ast.Constant(primal)], [])


class Begun:
    """What the forward functions that a kernel calls were given, by the name of the record that they gave."""

    def __init__(self, tree: ast.FunctionDef) -> None:
        times = Counter(n for s in statements(tree.body) for n in bound(s))
        params = {a.arg for a in tree.args.args}
        whole = {n for s in tree.body if isinstance(s, ast.Assign) for n in bound(s)}
        self._steady = {n for n in params if not times[n]} | {
            n for n in whole - params if times[n] == 1
        }
        self._given: dict[str, Mapping[str, str]] = {}

    def note(self, statement: ast.stmt, call: ast.Call, params: list[str]) -> None:
        """A call of a function with these parameters."""
        match statement:
            case ast.Assign(targets=[ast.Tuple(elts=[*_, ast.Name(id=record)])]):
                self._given[record] = {
                    param: arg.id
                    for param, arg in zip(params, call.args)
                    if isinstance(arg, ast.Name) and arg.id in self._steady
                }

    def of(self, call: ast.Call) -> Mapping[str, str]:
        """What the function was given whose record a backward function takes."""
        names = (n.id for a in call.args[:1] for n in ast.walk(a) if isinstance(n, ast.Name))
        return next((self._given[n] for n in names if n in self._given), {})


def begin(lines: list[ast.stmt], given: Mapping[str, str], meaning: Meaning) -> None:
    """Zeros of the shape of what was given.

    >>> lines = ast.parse("bw = rt.zeros('w')\\nbu = rt.zeros('u')").body
    >>> begin(lines, {"w": "weights"}, lambda node: runtime.zeros)
    >>> print("\\n".join(map(ast.unparse, lines)))
    bw = rt.zeros(weights)
    bu = rt.zeros('u')
    """
    for statement in statements(lines):
        primal = _unknown(statement, meaning)
        if primal is not None and primal in given:
            statement.value.args = [ast.Name(given[primal], ast.Load())]  # type: ignore[attr-defined]


def settle(tree: ast.FunctionDef, meaning: Meaning) -> None:
    """Of what nothing is known the sum begins with a number.

    >>> tree = ast.parse("def g(s, b):\\n bw = rt.zeros('w')").body[0]
    >>> settle(tree, lambda node: runtime.zeros)
    >>> print(ast.unparse(tree))
    def g(s, b):
        bw = 0.0
    """
    for statement in statements(tree.body):
        if _unknown(statement, meaning) is not None:
            statement.value = ast.Constant(0.0)  # type: ignore[attr-defined]


def _unknown(statement: ast.stmt, meaning: Meaning) -> str | None:
    match statement:
        case ast.Assign(value=ast.Call(func=func, args=[ast.Constant(value=str(primal))])) if (
            meaning(func) is runtime.zeros
        ):
            return primal
    return None
