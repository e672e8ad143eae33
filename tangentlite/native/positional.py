"""Calls of helpers by position, with the defaults that are left out: Numba is given functions without them.

In: statements of a generated function, what their names mean.
Out: the same statements, changed in place.
Next: spelling.
"""

from __future__ import annotations

import ast
import inspect
from collections.abc import Callable
from typing import Any

from tangentlite.native.facts.known import is_helper

Meaning = Callable[[ast.expr], Any]
STARS = (inspect.Parameter.VAR_POSITIONAL, inspect.Parameter.VAR_KEYWORD)
PLAIN = (int, float, bool, str, type(None))


def by_position(body: list[ast.stmt], meaning: Meaning) -> None:
    """Calls whose arguments fit no parameters, or leave out what is not a plain value, stay as they are.

    >>> def helper(x, n=2, *, scale=1.0): ...
    >>> helper.__module__ = "model"
    >>> tree = ast.parse("y = helper(a, scale=b)")
    >>> by_position(tree.body, lambda node: helper)
    >>> print(ast.unparse(tree))
    y = helper(a, 2, b)
    """
    for call in [n for s in body for n in ast.walk(s) if isinstance(n, ast.Call)]:
        meant = meaning(call.func)
        if is_helper(meant):
            args = _placed(call, inspect.signature(meant))
            if args is not None:
                call.args, call.keywords = args, []


def _placed(call: ast.Call, signature: inspect.Signature) -> list[ast.expr] | None:
    named = {k.arg: k.value for k in call.keywords if k.arg is not None}
    apart = any(isinstance(a, ast.Starred) for a in call.args) or len(named) < len(call.keywords)
    if apart or any(p.kind in STARS for p in signature.parameters.values()):
        return None
    try:
        given = signature.bind(*call.args, **named)
    except TypeError:
        return None
    left = [p for n, p in signature.parameters.items() if n not in given.arguments]
    if not all(type(p.default) in PLAIN and p.default == p.default for p in left):
        return None
    given.apply_defaults()
    return [a if isinstance(a, ast.expr) else _written(a) for a in given.arguments.values()]


def _written(value: Any) -> ast.expr:
    """A plain value, as its text: ``inf`` has none.

    >>> print(ast.unparse(_written(-2.5)), ast.unparse(_written(float("-inf"))))
    -2.5 -1e309
    """
    if isinstance(value, float) and value in (float("inf"), float("-inf")):
        return ast.parse("1e309" if value > 0 else "-1e309", mode="eval").body
    return ast.parse(repr(value), mode="eval").body
