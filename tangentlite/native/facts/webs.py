"""One name for one value: a name that blocks bind apart from each other becomes several.

In: the tree of a kernel.
Out: the same tree, renamed in place.
Next: ranks.
"""

from __future__ import annotations

import ast
from collections import Counter
from collections.abc import Iterator

from tangentlite.native.facts.names import blocks, bound, statements


def parted(tree: ast.FunctionDef) -> None:
    """Rename.

    >>> text = "def f(n):\\n for i in range(n):\\n  t = i\\n  g(t)\\n for j in range(n):\\n  t = j\\n  g(t)"
    >>> tree = ast.parse(text).body[0]
    >>> parted(tree)
    >>> [line.strip() for line in ast.unparse(tree).splitlines() if "t" in line and "g" not in line]
    ['t = i', 't_2 = j']
    """
    params = {a.arg for a in tree.args.args}
    taken = {n.id for n in ast.walk(tree) if isinstance(n, ast.Name)} | params
    _off_lists(tree, taken)
    found = (s for s in statements(tree.body) if not isinstance(s, ast.AugAssign))
    times = Counter(n for s in found for n in bound(s))
    _renew(tree, params, taken)
    for name, count in times.items():
        if count > 1 and name not in params:
            scopes = list(_scopes(tree.body, name))
            if len(scopes) == count and _covers(tree, name, scopes):
                for scope in scopes[1:]:
                    _rename(scope, name, _another(name, taken))


def _off_lists(tree: ast.FunctionDef, taken: set[str]) -> None:
    """What a loop takes off a list before it reads such a name, which nothing reads behind, has a name of its own.

    >>> text = "def f(p, s):\\n while s:\\n  p = g(p)\\n for i in s:\\n  p, k = s.pop()\\n  g(p)\\n return s"
    >>> tree = ast.parse(text).body[0]
    >>> _off_lists(tree, {"p", "s", "i", "k"})
    >>> [line.strip() for line in ast.unparse(tree).splitlines() if "p" in line]
    ['def f(p, s):', 'p = g(p)', 'p_2, k = s.pop()', 'g(p_2)']
    """
    params = {a.arg for a in tree.args.args}
    for place, loop in enumerate(tree.body):
        if not isinstance(loop, (ast.For, ast.While)):
            continue
        for k, statement in enumerate(loop.body):
            for name in _taken_off(statement):
                outside = [*tree.body[:place], *tree.body[place + 1 :]]
                others = name in params or any(_places(s, name) for s in outside)
                head = [loop.iter, loop.target] if isinstance(loop, ast.For) else [loop.test]
                before = [*head, *loop.body[:k], *tree.body[place + 1 :]]
                if others and not any(_places(s, name) for s in before):
                    _rename([loop], name, _another(name, taken))


def _taken_off(statement: ast.stmt) -> list[str]:
    match statement:
        case ast.Assign(
            targets=[ast.Tuple()],
            value=ast.Call(func=ast.Attribute(value=ast.Name(), attr="pop"), args=[]),
        ):
            return list(bound(statement))
    return []


def _renew(tree: ast.FunctionDef, params: set[str], taken: set[str]) -> None:
    """A parameter that is bound to something new, made of it or not, has another name from there on.

    >>> tree = ast.parse("def f(b, x):\\n g(b)\\n b = h(x)\\n x = x / 2\\n for i in x:\\n  b[i] = 0").body[0]
    >>> _renew(tree, {"b", "x"}, {"b", "x", "i"})
    >>> [line.strip() for line in ast.unparse(tree).splitlines()[1:]]
    ['g(b)', 'b_2 = h(x)', 'x_2 = x / 2', 'for i in x_2:', 'b_2[i] = 0']
    """
    met, made = set[str](), set[str]()
    for place, statement in enumerate(tree.body):
        match statement:
            case ast.Assign(targets=[ast.Name(id=name) as target], value=value) if (
                name in params - met and (not _places(value, name) or _is_made(value))
            ) or (name in made and _is_made(value)):
                made.add(other := _another(name.removesuffix("_2"), taken))
                _rename([target, *tree.body[place + 1 :]], name, other)
        met.update(n for s in statements([statement]) for n in bound(s))


def _is_made(value: ast.expr) -> bool:
    """Whether a value is worked out, and not what it is worked out of."""
    match value:
        case ast.Call(func=ast.Attribute(value=ast.Name(id="np")), keywords=[]):
            return True
    return isinstance(value, (ast.BinOp, ast.UnaryOp))


def _scopes(body: list[ast.stmt], name: str) -> Iterator[list[ast.AST]]:
    """For each plain binding what follows it in its block, up to the next one."""
    open_scope: list[ast.AST] | None = None
    for statement in body:
        if isinstance(statement, ast.Assign) and name in bound(statement):
            if open_scope is not None:
                open_scope.append(statement.value)
                yield open_scope
            open_scope = [*statement.targets]
            continue
        if open_scope is not None:
            open_scope.append(statement)
            continue
        if isinstance(statement, ast.For) and name in bound(statement):
            yield [statement.target, *statement.body]
            continue
        for block in blocks(statement):
            yield from _scopes(block, name)
    if open_scope is not None:
        yield open_scope


def _covers(tree: ast.FunctionDef, name: str, scopes: list[list[ast.AST]]) -> bool:
    """Whether each place where a name stands belongs to one binding."""
    inside = sum(_places(part, name) for scope in scopes for part in scope)
    return inside == sum(_places(s, name) for s in tree.body)


def _places(tree: ast.AST, name: str) -> int:
    return sum(isinstance(n, ast.Name) and n.id == name for n in ast.walk(tree))


def _rename(scope: list[ast.AST], name: str, other: str) -> None:
    for part in scope:
        for node in ast.walk(part):
            if isinstance(node, ast.Name) and node.id == name:
                node.id = other


def _another(name: str, taken: set[str]) -> str:
    count = 2
    while f"{name}_{count}" in taken:
        count += 1
    taken.add(f"{name}_{count}")
    return f"{name}_{count}"
