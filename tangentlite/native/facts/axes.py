"""Axes as they are written down: new ones are ``None``, and a name of a number is the number.

In: statements of a generated function, what their names mean.
Out: the same statements without such names.
Next: spelling.
"""

from __future__ import annotations

import ast
import copy
from collections import Counter
from collections.abc import Callable, Iterator
from typing import Any

import numpy as np

from tangentlite.native.facts.names import loads, rebuild, statements, stores

Body = list[ast.stmt]
Meaning = Callable[[ast.expr], Any]


def without_new_axes(body: Body, meaning: Meaning) -> Body:
    """The block, changed in place.

    >>> body = ast.parse("t1 = np.newaxis\\nif c:\\n    y = x[:, t1]").body
    >>> print("\\n".join(map(ast.unparse, without_new_axes(body, lambda e: np))))
    if c:
        y = x[:, None]
    """
    named = Counter(n for s in statements(body) for n in _named(s, meaning))
    nodes = [n for s in body for n in ast.walk(s)]
    places = Counter(p.id for n in nodes for p in _places(n) if isinstance(p, ast.Name))
    bound, read = Counter(stores(body)), Counter(n for s in body for n in loads(s))
    gone = {n for n in named if bound[n] == named[n] and read[n] == places[n]}
    put = _Put(meaning, gone)
    return [
        put.visit(s) for s in _without(body, lambda s: any(n in gone for n in _named(s, meaning)))
    ]


def with_written_axes(body: Body) -> Body:
    """Names of numbers as axes, changed in place.

    >>> body = ast.parse("t1 = (1, 2)\\ny = np.max(x, axis=t1)").body
    >>> print(ast.unparse(with_written_axes(body)[1]))
    y = np.max(x, axis=(1, 2))
    """
    bound, written = Counter(stores(body)), dict[str, list[ast.expr]]()
    for statement in statements(body):
        match statement:
            case ast.Assign(targets=[ast.Name(id=name)], value=value) if is_written_down(value):
                written.setdefault(name, []).append(value)
    alike = {name for name, values in written.items() if len({*map(ast.unparse, values)}) == 1}
    known = {n: written[n][0] for n in alike if len(written[n]) == bound[n]}
    for node in (n for s in body for n in ast.walk(s)) if known else ():
        match node:
            case ast.keyword(arg="axis", value=ast.Name(id=name)) if name in known:
                node.value = copy.deepcopy(known[name])
            case ast.Call(func=ast.Attribute(), args=args):
                node.args = [_told(a, known) for a in args]
    return body


def _told(arg: ast.expr, known: dict[str, ast.expr]) -> ast.expr:
    """Several axes that have a name, as they are."""
    axes = known.get(arg.id) if isinstance(arg, ast.Name) else None
    return copy.deepcopy(axes) if isinstance(axes, ast.Tuple) else arg


def is_written_down(axis: ast.expr) -> bool:
    """Whether an axis is a number, or a tuple of them."""
    try:
        found = ast.literal_eval(axis)
    except ValueError:
        return False
    parts = found if isinstance(found, tuple) else (found,)
    return found is None or all(type(k) is int for k in parts)


def widened(counts: tuple[str, ...], index: ast.expr) -> tuple[str, ...]:
    """The lengths of an array with new axes; none for a part of it.

    >>> widened(("n", "m"), ast.parse("a[:, None]", mode="eval").body.slice)
    ('n', '1', 'm')
    """
    found, waiting = [], list(counts)
    for part in index.elts if isinstance(index, ast.Tuple) else [index]:
        if isinstance(part, ast.Constant) and part.value is None:
            found.append("1")
        elif waiting and isinstance(part, ast.Slice) and ast.unparse(part) == ":":
            found.append(waiting.pop(0))
        else:
            return ()
    return (*found, *waiting) if counts else ()


def _named(statement: ast.stmt, meaning: Meaning) -> Iterator[str]:
    match statement:
        case ast.Assign(targets=[ast.Name(id=name)], value=value) if _is_new(value, meaning):
            yield name


def _is_new(node: ast.AST, meaning: Meaning) -> bool:
    return isinstance(node, ast.Attribute) and node.attr == "newaxis" and meaning(node.value) is np


def _places(node: ast.AST) -> list[ast.expr]:
    """What stands between the brackets of a subscript."""
    if not isinstance(node, ast.Subscript):
        return []
    return node.slice.elts if isinstance(node.slice, ast.Tuple) else [node.slice]


def _without(body: Body, is_gone: Callable[[ast.stmt], bool]) -> Body:
    left = [s for s in body if not is_gone(s)]
    for statement in left:
        rebuild(statement, lambda inner: _without(inner, is_gone) or [ast.Pass()])
    return left


class _Put(ast.NodeTransformer):
    def __init__(self, meaning: Meaning, names: set[str]) -> None:
        self._meaning, self._names = meaning, names

    def visit_Name(self, node: ast.Name) -> ast.expr:
        """A name of the new axis."""
        return ast.Constant(None) if node.id in self._names else node

    def visit_Attribute(self, node: ast.Attribute) -> ast.expr:
        """``np.newaxis``."""
        if _is_new(node, self._meaning):
            return ast.Constant(None)
        self.generic_visit(node)
        return node


def as_call(part: ast.expr) -> ast.expr:
    """A slice as a call."""
    if not isinstance(part, ast.Slice):
        return part
    bounds = [part.lower, part.upper, *([part.step] if part.step else [])]
    return ast.Call(ast.Name("slice", ast.Load()), [b or ast.Constant(None) for b in bounds], [])


def as_slice(part: ast.expr) -> ast.expr:
    """A call of ``slice`` as one; anything else as it is."""
    match part:
        case ast.Call(func=ast.Name(id="slice"), args=[low, high, *step]):
            bounds = [
                None if isinstance(b, ast.Constant) and b.value is None else b
                for b in (low, high, *step)
            ]
            return ast.Slice(*bounds)
    return part
