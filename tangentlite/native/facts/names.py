"""The statements of a kernel, and the names in them.

In: trees of Python.
Out: statements, names.
Next: ranks.
"""

from __future__ import annotations

import ast
from collections.abc import Callable, Iterator, Mapping, Sequence

FIELDS = "body", "orelse"


def statements(body: list[ast.stmt]) -> Iterator[ast.stmt]:
    """The statements of a block and of all inside."""
    for statement in body:
        yield statement
        for block in blocks(statement):
            yield from statements(block)


def blocks(statement: ast.stmt) -> list[list[ast.stmt]]:
    """The blocks of a loop or a branch that hold something."""
    return [block for field in FIELDS if (block := getattr(statement, field, None))]


def rebuild(statement: ast.stmt, change: Callable[[list[ast.stmt]], list[ast.stmt]]) -> None:
    """Change each block of a loop or a branch that holds something.

    >>> loop = ast.parse("for k in x:\\n    a = 1\\n    b = 2").body[0]
    >>> rebuild(loop, lambda block: block[1:])
    >>> print(ast.unparse(loop))
    for k in x:
        b = 2
    """
    for field in FIELDS:
        if block := getattr(statement, field, None):
            setattr(statement, field, change(block))


def bound(statement: ast.stmt) -> Iterator[str]:
    """The names that a statement binds itself."""
    match statement:
        case ast.Assign(targets=targets):
            yield from stores(targets)
        case ast.AugAssign(target=target) | ast.For(target=target):
            yield from stores([target])


def loads(node: ast.AST) -> Iterator[str]:
    """The names that a tree reads."""
    for n in ast.walk(node):
        if isinstance(n, ast.Name) and isinstance(n.ctx, ast.Load):
            yield n.id


def reads(node: ast.AST) -> Iterator[str]:
    """The names that a tree reads, those to which it adds among them.

    >>> sorted(reads(ast.parse("x += y")))
    ['x', 'y']
    """
    yield from loads(node)
    for n in ast.walk(node):
        if isinstance(n, ast.AugAssign) and isinstance(n.target, ast.Name):
            yield n.target.id


def stores(nodes: Sequence[ast.AST]) -> Iterator[str]:
    """The names that trees bind."""
    for node in nodes:
        for n in ast.walk(node):
            if isinstance(n, ast.Name) and isinstance(n.ctx, ast.Store):
                yield n.id


def bindings(body: list[ast.stmt], ranks: Mapping[str, int]) -> Iterator[str]:
    """The names that statements bind, once for each place; arrays that are written in place are not bound."""
    for node in (n for statement in body for n in ast.walk(statement)):
        match node:
            case ast.Assign(targets=[ast.Name(id=name)], value=value):
                if not _is_sum(value, name):
                    yield name
            case ast.Assign(targets=targets):
                yield from stores(targets)
            case ast.For(target=target):
                yield from stores([target])
            case ast.AugAssign(target=ast.Name(id=name)) if not ranks.get(name, -1) > 0:
                yield name
            case ast.NamedExpr(target=target):
                yield from stores([target])


def begun_as(tree: ast.FunctionDef) -> Iterator[tuple[str, str]]:
    """Second names that a kernel begins with giving its parameters, which may be bound to something else later.

    >>> list(begun_as(ast.parse("def f(p, q):\\n a = p\\n n = 2\\n b = q").body[0]))
    [('a', 'p')]
    """
    params = {a.arg for a in tree.args.args}
    for statement in tree.body:
        match statement:
            case ast.Assign(targets=[ast.Name(id=name)], value=ast.Name(id=param)) if (
                param in params and name not in params
            ):
                yield name, param
            case _:
                return


def _is_sum(value: ast.expr, name: str) -> bool:
    """Whether a value is ``rt.summed(ba, e, a)``, which is ``ba``."""
    match value:
        case ast.Call(func=ast.Attribute(attr="summed"), args=[ast.Name(id=first), *_]):
            return first == name
    return False
