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
from collections.abc import Callable, Iterator, Mapping
from types import MappingProxyType

from tangentlite import runtime
from tangentlite.native.facts.known import LIKE
from tangentlite.native.facts.names import blocks, bound, statements

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
        self._top = {id(s) for s in tree.body}
        self._given: dict[str, Mapping[str, str]] = {}
        self._made: dict[str, Mapping[str, str]] = {}

    def note(self, statement: ast.stmt, call: ast.Call, params: list[str]) -> None:
        """A call of a function with these parameters."""
        match statement:
            case ast.Assign(targets=[ast.Tuple(elts=[*_, ast.Name(id=record)])]):
                self._given[record] = {
                    param: arg.id
                    for param, arg in zip(params, call.args)
                    if isinstance(arg, ast.Name) and arg.id in self._steady
                }

    def keep(self, statement: ast.stmt, body: list[ast.stmt], names: Mapping[str, str]) -> None:
        """What a function that becomes part of the kernel binds for sure, and the names that this has there."""
        match statement:
            case ast.Assign(targets=[ast.Tuple(elts=[*_, ast.Name(id=record)])]) if (
                id(statement) in self._top
            ):
                found = {n for s in body if isinstance(s, ast.Assign) for n in bound(s)}
                self._made[record] = {n: new for n, new in names.items() if new in found}

    def of(self, call: ast.Call) -> tuple[Mapping[str, str], Mapping[str, str]]:
        """What the function was given, and what it bound, whose record a backward function takes."""
        names = [n.id for a in call.args[:1] for n in ast.walk(a) if isinstance(n, ast.Name)]
        tables = self._given, self._made
        given, made = (next((t[n] for n in names if n in t), {}) for t in tables)
        return given, made


def begin(
    lines: list[ast.stmt],
    given: Mapping[str, str],
    meaning: Meaning,
    made: Mapping[str, str] = MappingProxyType({}),
) -> None:
    """Zeros of the shape of what was given, or made.

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
        elif primal is not None and primal in made:
            like: list[ast.expr] = [ast.Name(made[primal], ast.Load())]
            statement.value = ast.Call(ast.Name(LIKE, ast.Load()), like, [])  # type: ignore[attr-defined]


def settle(tree: ast.FunctionDef, meaning: Meaning) -> None:
    """A sum is like what is added to it; of what nothing is known the sum begins with a number.

    >>> text = "def g(s, b):\\n u = s * b\\n bw = rt.zeros('w')\\n bv = rt.zeros('v')"
    >>> tree = ast.parse(text + "\\n for k in range(9):\\n  bv = bv - rt.unbroadcast(b * k, u)").body[0]
    >>> meanings = {"rt.zeros": runtime.zeros, "rt.unbroadcast": runtime.unbroadcast}
    >>> settle(tree, lambda node: meanings.get(ast.unparse(node)))
    >>> print(ast.unparse(tree))
    def g(s, b):
        u = s * b
        bw = 0.0
        bv = rt.zeros(u)
        for k in range(9):
            bv = bv - rt.unbroadcast(b * k, u)
    """
    _settle(tree.body, meaning)


def _settle(body: list[ast.stmt], meaning: Meaning) -> None:
    for place, statement in enumerate(body):
        for inner in blocks(statement):
            _settle(inner, meaning)
        match statement:
            case ast.Assign(targets=[ast.Name(id=name)], value=ast.Call(args=args) as call) if (
                _unknown(statement, meaning) is not None
            ):
                before = {n for s in body[:place] if isinstance(s, ast.Assign) for n in bound(s)}
                behind = list(statements(body[place + 1 :]))
                before -= {n for s in behind for n in bound(s)}
                found = (like for s in behind for like in _likes(s, name, meaning))
                like = next(found, "")
                args[0] = ast.Name(like, ast.Load())
                statement.value = call if like in before else ast.Constant(0.0)
            case ast.Assign() if _unknown(statement, meaning) is not None:
                statement.value = ast.Constant(0.0)


def _likes(statement: ast.stmt, total: str, meaning: Meaning) -> Iterator[str]:
    """The array of whose shape is what a statement adds to a sum."""
    match statement:
        case ast.Assign(
            targets=[ast.Name(id=name)],
            value=ast.BinOp(
                left=ast.Name(id=same),
                op=ast.Add() | ast.Sub(),
                right=ast.Call(func=func, args=[_, ast.Name(id=like)]),
            ),
        ) if name == same == total and meaning(func) is runtime.unbroadcast:
            yield like


def _unknown(statement: ast.stmt, meaning: Meaning) -> str | None:
    match statement:
        case ast.Assign(value=ast.Call(func=func, args=[ast.Constant(value=str(primal))])) if (
            meaning(func) is runtime.zeros
        ):
            return primal
    return None
