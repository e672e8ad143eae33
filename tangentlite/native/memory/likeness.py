"""Arrays that are only asked how long they are: a part of another array answers as well.

In: an expression on arrays, where an array is read.
Out: a part of an array, of the same lengths.
Next: rederived.
"""

from __future__ import annotations

import ast
from collections.abc import Callable, Iterator
from typing import Any

from tangentlite import runtime
from tangentlite.native.facts.known import ARITHMETIC, is_elementwise
from tangentlite.native.facts.names import loads

Meaning = Callable[[ast.expr], Any]
ASKS = (runtime.unbroadcast, runtime.unreduce, runtime.kept, runtime.spread, runtime.broadcast)


def only_asked(tree: ast.FunctionDef, name: str, meaning: Meaning) -> bool:
    """Whether nothing but the lengths of what a name stands for are read.

    >>> tree = ast.parse("def f(x, a):\\n y = rt.unreduce(x, a, 0) * a.shape[0]").body[0]
    >>> [only_asked(tree, name, lambda node: runtime.unreduce) for name in "ax"]
    [True, False]
    """
    asked = sum(_asks(node, name, meaning) for node in ast.walk(tree))
    reads = sum(n == name for s in tree.body for n in loads(s))
    return asked == reads > 0


def _asks(node: ast.AST, name: str, meaning: Meaning) -> bool:
    match node:
        case ast.Attribute(value=ast.Name(id=other), attr="shape"):
            return other == name
        case ast.Call(func=func, args=[_, ast.Name(id=other), *_]) if other == name:
            return any(meaning(func) is f for f in ASKS)
    return False


def likeness(value: ast.expr, names: Any, meaning: Meaning) -> ast.Subscript | None:
    """A part of an array that is as long as what elements of parts of it, cut alike, are made to.

    >>> rank = lambda self, n: 0 if type(n) in (ast.Name, ast.Constant) else 2
    >>> names = type("Names", (), {"rank": rank, "ranks": {"L": 3}})()
    >>> texts = ["L[:, i, :j] * L[:, k, :j]", "L[:, i] * L[:, i, :j]", "L[:, i, :j] ** 2"]
    >>> found = [likeness(ast.parse(t, mode="eval").body, names, lambda node: None) for t in texts]
    >>> [part and ast.unparse(part) for part in found]
    ['L[:, i, :j]', None, 'L[:, i, :j]']
    """
    parts = list(_parts(value, names, meaning))
    cuts = {_cut(part, names) for part in parts}
    whole = len(cuts) == 1 and None not in cuts
    return parts[0] if whole and isinstance(parts[0], ast.Subscript) else None


def _parts(node: ast.expr, names: Any, meaning: Meaning) -> Iterator[ast.expr]:
    """The arrays whose elements are met together."""
    if names.rank(node) == 0:
        return
    match node:
        case ast.UnaryOp(operand=operand):
            yield from _parts(operand, names, meaning)
        case ast.BinOp(left=left, op=op, right=right) if isinstance(op, ARITHMETIC):
            yield from _parts(left, names, meaning)
            yield from _parts(right, names, meaning)
        case ast.Call(func=func, args=args, keywords=[]) if is_elementwise(meaning(func), node):
            for arg in args:
                yield from _parts(arg, names, meaning)
        case _:
            yield node


def _cut(node: ast.expr, names: Any) -> tuple[str, ...] | None:
    """The array of a part, and its slices for all axes; an index for an axis that is left out."""
    match node:
        case ast.Subscript(value=ast.Name(id=name), slice=index):
            parts = index.elts if isinstance(index, ast.Tuple) else [index]
            rank = names.ranks.get(name, 0)
            plain = all(isinstance(p, ast.Slice) or names.rank(p) == 0 for p in parts)
            if plain and 0 < len(parts) <= rank and not any(map(_is_other, parts)):
                texts = [ast.unparse(p) if isinstance(p, ast.Slice) else "" for p in parts]
                return (name, *texts, *[":"] * (rank - len(parts)))
    return None


def _is_other(part: ast.expr) -> bool:
    """``None`` and ``...``."""
    return isinstance(part, ast.Constant) and type(part.value) is not int
