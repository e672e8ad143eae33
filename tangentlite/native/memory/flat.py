"""Records within records lie flat: each part has a place of its own on the list, and shares memory with its like alone.

In: the tree of a kernel with its helpers inside.
Out: the same tree, changed in place.
Next: ranks.
"""

from __future__ import annotations

import ast
from collections import Counter

from tangentlite.native.facts.names import blocks, loads, statements, stores
from tangentlite.native.memory.shelves import put_and_taken, shelves

Body = list[ast.stmt]


def flat(tree: ast.FunctionDef) -> bool:
    """Whether something was within.

    >>> text = "def f(x, n):\\n s = []\\n for i in range(n):\\n  r = (x, i)\\n  s.append((r, n))"
    >>> tree = ast.parse(text + "\\n for i in range(n):\\n  q, k = s.pop()\\n  a, b = q\\n  a[b] = k").body[0]
    >>> flat(tree)
    True
    >>> print(ast.unparse(tree.body[1:]))
    for i in range(n):
        s.append((x, i, n))
    for i in range(n):
        a, b, k = s.pop()
        a[b] = k
    """
    changed = False
    for shelf in shelves(tree.body):
        while _flattened(tree, shelf):
            changed = True
    return changed


def _flattened(tree: ast.FunctionDef, shelf: str) -> bool:
    puts, takes = put_and_taken(tree.body, shelf)
    if len(puts) != 1 or len(takes) != 1:
        return False
    (put, given), (take, taken) = puts[0], takes[0]
    times = Counter(stores(tree.body)), Counter(n for s in tree.body for n in loads(s))
    for place, (one, other) in enumerate(zip(given, taken)):
        if not (isinstance(one, ast.Name) and isinstance(other, ast.Name)):
            continue
        if any(count[n.id] != 1 for n in (one, other) for count in times):
            continue
        made, opened = _made(tree.body, put, one.id), _opened(tree.body, take, other.id)
        if made is not None and opened is not None and len(made) == len(opened):
            given[place : place + 1], taken[place : place + 1] = made, opened
            _drop(tree.body, one.id, other.id)
            return True
    return False


def _made(body: Body, put: ast.stmt, name: str) -> list[ast.expr] | None:
    """The parts of a record that is made before it is put on a list, if they are the same still."""
    block = _block(body, put)
    for place, statement in enumerate(block):
        match statement:
            case ast.Assign(targets=[ast.Name(id=target)], value=ast.Tuple(elts=parts)) if (
                target == name and all(isinstance(p, (ast.Name, ast.Constant)) for p in parts)
            ):
                end = block.index(put)
                read = {n for p in parts for n in loads(p)}
                same = place < end and read.isdisjoint(stores(block[place:end]))
                return parts if same else None
    return None


def _opened(body: Body, take: ast.stmt, name: str) -> list[ast.expr] | None:
    """The names of the parts, if nothing has these names between."""
    block = _block(body, take)
    for place, statement in enumerate(block):
        match statement:
            case ast.Assign(targets=[ast.Tuple(elts=parts)], value=ast.Name(id=read)) if (
                read == name and all(isinstance(p, ast.Name) for p in parts)
            ):
                names = {n for p in parts for n in stores([p])}
                between = block[block.index(take) : place]
                met = {n for s in between for n in (*loads(s), *stores([s]))}
                fine = between and names.isdisjoint(met) and len(names) == len(parts)
                return parts if fine else None
    return None


def _block(body: Body, statement: ast.stmt) -> Body:
    """The block in which a statement stands."""
    if statement in body:
        return body
    inner = [block for s in statements(body) for block in blocks(s) if statement in block]
    return inner[0]


def _drop(body: Body, one: str, other: str) -> None:
    for block in (body, *(block for s in list(statements(body)) for block in blocks(s))):
        for statement in list(block):
            match statement:
                case ast.Assign(targets=[ast.Name(id=name)], value=ast.Tuple()) if name == one:
                    block.remove(statement)
                case ast.Assign(targets=[ast.Tuple()], value=ast.Name(id=name)) if name == other:
                    block.remove(statement)
