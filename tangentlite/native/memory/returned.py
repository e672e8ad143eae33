"""Arrays that a helper gives back as it was given them: they have their names already.

In: the tree of a kernel, what is known of its names.
Out: the same tree, changed in place.
Next: ranks.

A name that is bound once keeps its lengths, and shares no memory with what a loop binds.
"""

from __future__ import annotations

import ast
from collections.abc import Callable
from typing import Any

from tangentlite.native.facts.known import is_helper
from tangentlite.native.facts.names import statements, stores


def returned(tree: ast.FunctionDef, names: Any, meaning: Callable[[ast.expr], Any]) -> bool:
    """``c, b = helper(a, b)`` binds ``b`` to itself: another name stands for it; whether there was any.

    >>> from types import SimpleNamespace
    >>> tree = ast.parse("def f(a, b):\\n c, b = helper(a, b)\\n return c").body[0]
    >>> def helper(a, b):
    ...     return a * b, b
    >>> helper.__module__ = "of the user"
    >>> names = SimpleNamespace(known=lambda call: SimpleNamespace(same=(-1, 1)))
    >>> returned(tree, names, lambda node: helper)
    True
    >>> print(ast.unparse(tree.body[0]))
    c, _same1 = helper(a, b)
    """
    taken = {*stores(tree.body), *(a.arg for a in tree.args.args)}
    count = 0
    for statement in statements(tree.body):
        for target in _itself(statement, names, meaning):
            count += 1
            while f"_same{count}" in taken:
                count += 1
            target.id = f"_same{count}"
    return count > 0


def _itself(statement: ast.stmt, names: Any, meaning: Callable[[ast.expr], Any]) -> list[ast.Name]:
    """The targets that are bound to what they are."""
    match statement:
        case ast.Assign(targets=[target], value=ast.Call(func=func, args=args) as call) if (
            is_helper(meaning(func)) and not call.keywords
        ):
            parts = target.elts if isinstance(target, ast.Tuple) else [target]
            given = names.known(call).same
            pairs = zip(parts, given) if len(parts) == len(given) else ()
            return [
                part
                for part, k in pairs
                if -1 < k < len(args) and isinstance(part, ast.Name) and _is(args[k], part.id)
            ]
    return []


def _is(arg: ast.expr, name: str) -> bool:
    return isinstance(arg, ast.Name) and arg.id == name
