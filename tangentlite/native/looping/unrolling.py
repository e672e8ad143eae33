"""Short loops trip by trip, where they walk arrays of a few elements.

In: statements of a kernel, the names of such arrays.
Out: statements.
Next: small.
"""

from __future__ import annotations

import ast
import copy
from collections.abc import Container

from tangentlite.native.facts.names import rebuild, statements, stores

Body = list[ast.stmt]
FEW, MANY = 4, 64
LEFT = (ast.Break, ast.Continue, ast.Return, ast.Is, ast.IsNot)


def number(node: ast.expr) -> int | None:
    """The whole number that is written down, or worked out of such.

    >>> [number(ast.parse(text, mode="eval").body) for text in ("3 - 1 - 1", "-1", "n", "0.5")]
    [1, -1, None, None]
    """
    match node:
        case ast.Constant(value=value) if type(value) is int:
            return value
        case ast.UnaryOp(op=ast.USub(), operand=operand):
            found = number(operand)
            return None if found is None else -found
        case ast.BinOp(left=left, op=ast.Add() | ast.Sub() as op, right=right):
            one, other = number(left), number(right)
            if one is None or other is None:
                return None
            return one + other if isinstance(op, ast.Add) else one - other
    return None


def unrolled(body: Body, arrays: Container[str]) -> Body:
    """The statements, with every trip written down of loops whose variable is in an index of one of the arrays.

    >>> text = "for i in range(n):\\n    for k in range(2):\\n        b[i, k] = d[k]"
    >>> print("\\n".join(map(ast.unparse, unrolled(ast.parse(text).body, {"d"}))))
    for i in range(n):
        b[i, 0] = d[0]
        b[i, 1] = d[1]
        k = 1
    """
    done: Body = []
    for statement in body:
        trips = _trips(statement)
        if isinstance(statement, ast.For) and trips and _walks(statement, arrays):
            done += unrolled(_written(statement, trips), arrays)
        else:
            rebuild(statement, lambda inner: unrolled(inner, arrays))
            done.append(statement)
    return done


def _trips(loop: ast.stmt) -> list[int]:
    """The numbers that a variable takes, if they are few and nothing leaves the loop or binds the variable."""
    match loop:
        case ast.For(
            target=ast.Name(id=name), iter=ast.Call(func=ast.Name(id="range"), args=args), orelse=[]
        ):
            ends = [number(a) for a in args]
            inner = list(statements(loop.body))
            if None in ends or len(inner) * FEW > MANY or name in stores(loop.body):
                return []
            if any(isinstance(n, LEFT) for s in loop.body for n in ast.walk(s)):
                return []
            found = range(*[e for e in ends if e is not None])
            return list(found) if 0 < len(found) <= FEW else []
    return []


def _walks(loop: ast.For, arrays: Container[str]) -> bool:
    variable = ast.unparse(loop.target)
    for node in (n for s in loop.body for n in ast.walk(s)):
        match node:
            case ast.Subscript(value=ast.Name(id=name), slice=index) if name in arrays:
                if any(isinstance(n, ast.Name) and n.id == variable for n in ast.walk(index)):
                    return True
    return False


def _written(loop: ast.For, trips: list[int]) -> Body:
    """The trips; a variable that the user named keeps its last value."""
    name, done = ast.unparse(loop.target), Body()
    for trip in trips:
        done += [_Put(name, trip).visit(s) for s in copy.deepcopy(loop.body)]
    last = f"{name} = {trips[-1]}"
    return done if name[:1] == "_" and name[1:].isdigit() else [*done, *ast.parse(last).body]


class _Put(ast.NodeTransformer):
    def __init__(self, name: str, trip: int) -> None:
        self._name, self._trip = name, trip

    def visit_Name(self, node: ast.Name) -> ast.expr:
        return ast.Constant(self._trip) if node.id == self._name else node
