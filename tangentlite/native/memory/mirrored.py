"""Loops that put items on a list, and loops that take them off in the opposite order: which numbers are the same.

In: the tree of a kernel, where a list is used.
Out: names of numbers, in the words of both.
Next: rederived.
"""

from __future__ import annotations

import ast
import copy
from collections import Counter

from tangentlite.native.facts.names import loads, stores
from tangentlite.native.spelling import downward

Body = list[ast.stmt]
LEAVES = (ast.Break, ast.Continue, ast.Return, ast.Try)


def mirrored(tree: ast.FunctionDef, put: ast.stmt, taken: ast.stmt) -> dict[str, str]:
    """What the numbers of the loops round the one place are called round the other; nothing if that is not sure.

    >>> text = "for i in range(n):\\n    for j in range(i, 9):\\n        s.append(j)\\n"
    >>> text += "for k in range(n - 1, -1, -1):\\n    for l in range(8, k - 1, -1):\\n        x = s.pop()"
    >>> tree = ast.parse("def f(n, s):\\n    " + text.replace("\\n", "\\n    ")).body[0]
    >>> inner = [loop.body[0].body[0] for loop in tree.body]
    >>> mirrored(tree, *inner)
    {'i': 'k', 'j': 'l'}
    """
    here, there = _loops(tree.body, put), _loops(tree.body, taken)
    if not here or not there or len(here) != len(there) or here[0] is there[0]:
        return {}
    times = Counter(stores(tree.body)) + Counter(a.arg for a in tree.args.args)
    inside = set(stores([here[0], there[0]]))
    found: dict[str, str] = {}
    for one, other in zip(here, there):
        names = {n for bound in _bounds(one) for n in loads(bound)} - {"len", "max", "min"}
        still = all(n in found or (times[n] == 1 and n not in inside) for n in names)
        if not still or _turned(one, found) != ast.unparse(other.iter):
            return {}
        pair = ast.unparse(one.target), ast.unparse(other.target)
        if any(times[n] != 1 for n in pair):
            return {}
        found[pair[0]] = pair[1]
    return found


def _loops(body: Body, wanted: ast.stmt) -> list[ast.For]:
    """The loops round a statement, from outside, if there is nothing else round it, and none is left early."""
    for statement in body:
        if not isinstance(statement, ast.For) or not any(n is wanted for n in ast.walk(statement)):
            continue
        if any(isinstance(n, LEAVES) for n in ast.walk(statement)) or statement.orelse:
            return []
        if any(s is wanted for s in statement.body):
            return [statement]
        inner = _loops(statement.body, wanted)
        return [statement, *inner] if inner else []
    return []


def _bounds(loop: ast.For) -> list[ast.expr]:
    match loop:
        case ast.For(
            target=ast.Name(), iter=ast.Call(func=ast.Name(id="range"), args=bounds, keywords=[])
        ):
            return bounds
    return []


def _turned(loop: ast.For, names: dict[str, str]) -> str:
    """The numbers of a loop, from the last to the first, in the words of the other sweep."""
    bounds = copy.deepcopy(_bounds(loop))
    for node in (n for bound in bounds for n in ast.walk(bound)):
        if isinstance(node, ast.Name):
            node.id = names.get(node.id, node.id)
    return ast.unparse(downward(bounds)) if bounds else ""
