"""A generated function in two: a door that checks and finishes in Python, and a kernel for Numba.

In: the tree of a generated function, its namespace.
Out: the trees of both.
Next: workshop.
"""

from __future__ import annotations

import ast
import copy
from collections.abc import Callable, Iterator
from types import CellType, ModuleType
from typing import Any

from tangentlite import runtime
from tangentlite.emit.module import Unit
from tangentlite.ir import Namespace
from tangentlite.native.spelling import spelled
from tangentlite.parsing import parsed

Meaning = Callable[[ast.expr], Any]
ENTRY = (runtime.numbers, runtime.numeric, runtime.alike, runtime.own)


def trees_of(unit: Unit) -> dict[str, ast.FunctionDef]:
    """The functions of a unit's text, by name."""
    return {s.name: s for s in parsed(unit.source).body if isinstance(s, ast.FunctionDef)}


def meaning_in(space: Namespace) -> Meaning:
    """What tells the object that a name or a dotted path stands for; None for anything else."""

    def of(node: ast.expr) -> Any:
        if not isinstance(node, (ast.Name, ast.Attribute)):
            return None
        try:
            return space.resolve(ast.unparse(node))
        except (KeyError, AttributeError):
            return None

    return of


def inside(tree: ast.FunctionDef, space: Namespace) -> Namespace:
    """The namespace as a function sees it: what it binds itself means nothing outside.

    >>> tree = ast.parse("def twice(f, v): return f(f(v))").body[0]
    >>> space = inside(tree, Namespace({"f": abs, "g": abs}))
    >>> meaning_in(space)(ast.Name("f")), meaning_in(space)(ast.Name("g"))
    (None, <built-in function abs>)
    """
    nodes = list(ast.walk(tree))
    own = {n.arg for n in nodes if isinstance(n, ast.arg)} | set(_names(tree.body, ast.Store))
    return space.extended({name: CellType() for name in own if space.binds(name)})


def plain(tree: ast.FunctionDef, space: Namespace) -> ast.FunctionDef:
    """A helper: all of it is compiled."""
    params = [a.arg for a in tree.args.args + tree.args.kwonlyargs]
    body = spelled(tree.body, set(params), meaning_in(space))
    return ast.fix_missing_locations(_like(tree, tree.name, _arguments(params), body))


def divided(
    tree: ast.FunctionDef, name: str, space: Namespace
) -> tuple[ast.FunctionDef, ast.FunctionDef]:
    """The door and the kernel of a generated function.

    Values that the kernel reads from outside are arguments of it: Numba would keep those of the first call.
    """
    meaning = meaning_in(space)
    params = [a.arg for a in tree.args.args + tree.args.kwonlyargs]
    begin = next((k for k, s in enumerate(tree.body) if not _is_entry(s, meaning)), 0)
    end = len(tree.body) - isinstance(tree.body[-1], ast.Return)
    inner, last = tree.body[begin:end], tree.body[end:]
    stored = set(_names(inner, ast.Store))
    outside = (n for n in _names(inner, ast.Load) if n not in stored and n not in params)
    values = [n for n in dict.fromkeys(outside) if space.binds(n) and _is_value(space.lookup(n))]
    results = list(dict.fromkeys(n for n in _names(last, ast.Load) if n in stored))
    returned = ast.parse(f"return ({', '.join(results)},)" if results else "return None").body
    body = spelled([*inner, *returned], {*params, *values}, meaning)
    kernel = _like(tree, name, _arguments([*params, *values]), body)
    call = f"{name}({', '.join([*params, *values])})"
    text = f"({', '.join(results)},) = {call}" if results else call
    door = _like(tree, tree.name, tree.args, [*tree.body[:begin], *ast.parse(text).body, *last])
    return ast.fix_missing_locations(door), ast.fix_missing_locations(kernel)


def _is_value(found: Any) -> bool:
    return not (isinstance(found, ModuleType) or callable(found))


def _like(
    tree: ast.FunctionDef, name: str, args: ast.arguments, body: list[ast.stmt]
) -> ast.FunctionDef:
    made = copy.copy(tree)
    made.name, made.args, made.body = name, args, body
    return made


def _arguments(params: list[str]) -> ast.arguments:
    return ast.arguments([], [ast.arg(p, None) for p in params], None, [], [], None, [])


def _is_entry(statement: ast.stmt, meaning: Callable[[ast.expr], Any]) -> bool:
    """Whether a statement checks or copies arguments."""
    match statement:
        case ast.Expr(value=ast.Call(func=func)) | ast.Assign(value=ast.Call(func=func)):
            return any(meaning(func) is entry for entry in ENTRY)
    return False


def free_names(tree: ast.FunctionDef) -> set[str]:
    """The names that a function reads and does not bind."""
    params = {a.arg for a in tree.args.args}
    return set(_names(tree.body, ast.Load)) - set(_names(tree.body, ast.Store)) - params


def _names(trees: list[Any], context: type) -> Iterator[str]:
    for tree in trees:
        for node in ast.walk(tree):
            if isinstance(node, ast.Name) and isinstance(node.ctx, context):
                yield node.id
