"""What is kept for the other sweep and read no more once statements are loops, or kept twice, is not kept.

In: the tree of a kernel whose statements are loops.
Out: the same tree, changed in place.
Next: rowwise.
"""

from __future__ import annotations

import ast
from collections import Counter

from tangentlite.native.facts.names import blocks, loads, statements, stores
from tangentlite.native.memory.shelves import Use, put_and_taken, shelves

Body = list[ast.stmt]


def without_unread(tree: ast.FunctionDef) -> None:
    """Lists hold what is read, once.

    >>> text = "s = []\\nfor i in range(n):\\n    s.append((x, i, y, x))\\n"
    >>> text += "for i in range(n):\\n    x, k, d, b = s.pop()\\n    x[k] = b[0]"
    >>> tree = ast.parse("def f(x, y, n):\\n    " + text.replace("\\n", "\\n    ")).body[0]
    >>> without_unread(tree)
    >>> print(ast.unparse(tree))
    def f(x, y, n):
        s = []
        for i in range(n):
            s.append((x, i))
        for i in range(n):
            x, k = s.pop()
            x[k] = x[0]
    """
    for shelf, count in shelves(tree.body).items():
        puts, takes = put_and_taken(tree.body, shelf)
        if not puts or not takes:
            continue
        if len(puts) == len(takes) == 1:
            _once(tree, puts[0], takes[0])
        read = {n for s in statements(tree.body) for n in (*loads(s), *_added(s))}
        gone = {k for k in range(count) if all(_is_unread(t[k], read) for _, t in takes)}
        if len(gone) == count:
            gone.discard(0)
        for _, parts in (*puts, *takes):
            parts[:] = [p for k, p in enumerate(parts) if k not in gone]


def _added(statement: ast.stmt) -> list[str]:
    """The name that holds the array to which a statement adds."""
    match statement:
        case ast.AugAssign(target=ast.Name(id=name)):
            return [name]
    return []


def _is_unread(part: ast.expr, read: set[str]) -> bool:
    return isinstance(part, ast.Name) and part.id not in read


def _once(tree: ast.FunctionDef, put: Use, taken: Use) -> None:
    """What is put on a list twice has one name when it is taken off; the other is read no more."""
    times = Counter(stores(tree.body))
    reads = Counter(n for s in tree.body for n in loads(s))
    behind = _behind(tree.body, taken[0])
    changed = set(stores(behind))
    first: dict[str, str] = {}
    for one, other in zip(put[1], taken[1]):
        match one, other:
            case ast.Name(id=name), ast.Name(id=again):
                pass
            case _:
                continue
        met = [n for s in behind for n in ast.walk(s) if _is(n, again)]
        alone = times[again] == 1 and len(met) == reads[again]
        if name not in first and again not in changed:
            first[name] = again
        elif name in first and alone:
            for node in met:
                node.id = first[name]  # type: ignore[attr-defined]


def _is(node: ast.AST, name: str) -> bool:
    return isinstance(node, ast.Name) and node.id == name


def _behind(body: Body, wanted: ast.stmt) -> Body:
    """What follows a statement in its block."""
    if wanted in body:
        return body[body.index(wanted) + 1 :]
    inner = (b for s in body for b in blocks(s) if any(t is wanted for t in statements(b)))
    return _behind(next(inner), wanted)
