"""What a backward function may do to the arrays in the lists of its record: read them.

In: the tree of a kernel, what is known of its names.
Out: nothing, or an error.
Next: workshop.
"""

from __future__ import annotations

import ast
from collections.abc import Callable, Iterator
from typing import Any

from tangentlite import runtime
from tangentlite.errors import UnsupportedSyntaxError
from tangentlite.native.facts.known import ADD_AT, PUT, WRITERS, is_helper, is_one_of
from tangentlite.native.facts.names import loads, statements, stores
from tangentlite.native.facts.ranks import Names

GENERATED = "<generated"
WRITTEN = "`{}` puts something back into an array on a list, which compile= does not do here"


def check(tree: ast.FunctionDef, names: Names, meaning: Callable[[ast.expr], Any]) -> None:
    """Refuse to write into what came off a list of a record."""
    taken = set(_taken(tree, meaning))
    if not taken:
        return
    found = [s for s in statements(tree.body) if isinstance(s, ast.Assign)]
    more = True
    while more:
        views = [s for s in found if not names.is_fresh(s.value) and not _is_ours(s.value, meaning)]
        parts = {
            n for s in views if not taken.isdisjoint(loads(s.value)) for n in stores(s.targets)
        }
        more, taken = not parts <= taken, taken | parts
    if any(n in taken and names.ranks.get(n) != 0 for n in written(tree, meaning)):
        raise UnsupportedSyntaxError(WRITTEN.format(tree.name), None, "Leave compile= out.")


def _taken(tree: ast.FunctionDef, meaning: Callable[[ast.expr], Any]) -> Iterator[str]:
    """The names of what is taken from tapes of a record, and from its lists."""
    found = [s for s in statements(tree.body) if isinstance(s, ast.Assign)]
    parts = {n for s in found if _is_record(s.value, meaning) for n in stores(s.targets)}
    for statement in found:
        match statement.value:
            case ast.Call(func=ast.Attribute(value=ast.Name(id=name), attr="pop")):
                if name in parts:
                    yield from stores(statement.targets)


def _is_record(value: ast.expr, meaning: Callable[[ast.expr], Any]) -> bool:
    return isinstance(value, ast.Call) and meaning(value.func) is runtime.private


def _is_ours(value: ast.expr, meaning: Callable[[ast.expr], Any]) -> bool:
    """Whether a helper is called that was generated: it writes into nothing but adjoints that it is given."""
    meant: Any = meaning(value.func) if isinstance(value, ast.Call) else None
    return is_helper(meant) and meant.__code__.co_filename.startswith(GENERATED)


def touched(tree: ast.AST, meaning: Callable[[ast.expr], Any]) -> Iterator[str]:
    """The names through which something may be written, or what is on a list changed."""
    yield from written(tree, meaning)
    for node in ast.walk(tree):
        match node:
            case ast.Call(func=ast.Attribute(value=value), args=args) if meaning(node.func) is None:
                yield from loads(value)
                yield from (n for arg in args for n in loads(arg))
            case ast.Call(args=args, keywords=keywords):
                given = args if is_helper(meaning(node.func)) else [k.value for k in keywords]
                yield from (n for arg in given for n in loads(arg))


def written(tree: ast.AST, meaning: Callable[[ast.expr], Any]) -> Iterator[str]:
    """The names through which something may be written: stores, and calls for their effect."""
    for node in ast.walk(tree):
        match node:
            case ast.Subscript(value=value, ctx=ast.Store()):
                yield from loads(value)
            case ast.AugAssign(target=ast.Name(id=name)):
                yield name
            case ast.Call(func=ast.Attribute(value=value, attr="fill" | "sort" | "put")):
                yield from loads(value)
            case ast.Call(func=func, args=args) if not _is_ours(node, meaning):
                meant = meaning(func)
                given = args if is_helper(meant) else []
                added = isinstance(func, ast.Name) and func.id in (ADD_AT, PUT)
                given = args[:1] if added or is_one_of(meant, WRITERS) else given
                yield from (name for arg in given for name in loads(arg))
