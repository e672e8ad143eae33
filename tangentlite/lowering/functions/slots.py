"""Functions that may be called by one name capture a variable at one place.

In: the functions inside a function, each with what it captures.
Out: the same, in another order and with holes where they meet.
Next: captures.
"""

from __future__ import annotations

from collections import Counter
from typing import Any

import gast

from tangentlite import scopes, syntax
from tangentlite.lowering.functions.plans import HOLE, Nested


def aligned(nested: dict[Any, Nested], body: list[Any]) -> None:
    """What closures in one list or dict hold has the same meaning at the same place.

    >>> from tangentlite.lowering.example import lowered
    >>> text = "p, q = x, [x]\\nreturn h([lambda v: v * x, lambda v: v * x + p, lambda v: q[v]])"
    >>> for line in lowered(text, "x").splitlines():
    ...     print(line) if "closure" in line else None
    t1 = rt.closure(lambda_1, x, ..., ...)
    t2 = rt.closure(lambda_2, x, p, ...)
    t3 = rt.closure(lambda_3, ..., ..., q)
    """
    kept = _kept(body)
    found = [
        one
        for node, one in nested.items()
        if one.captured
        and (node in kept or one.name in kept or getattr(node, "decorator_list", ()))
    ]
    if len({one.captured for one in found}) < 2:
        return
    often = Counter(v for one in found for v in one.captured)
    order = sorted(often, key=lambda v: (-often[v], v))
    for one in found:
        one.captured = tuple(v if v in one.captured else HOLE for v in order)


def _kept(body: list[Any]) -> set[Any]:
    """The functions, and names of functions, that are more than called, or handed to a function that is."""
    found: set[Any] = set()
    for node in scopes.inside(body):
        plain = isinstance(node, gast.Call) and isinstance(node.func, gast.Name)
        parts = [] if plain else [p for p in syntax.children(node) if p is not _called(node)]
        for part in parts:
            if isinstance(part, gast.Lambda):
                found.add(part)
            elif isinstance(part, gast.Name) and isinstance(part.ctx, gast.Load):
                found.add(part.id)
    return found


def _called(node: Any) -> Any:
    return node.func if isinstance(node, gast.Call) else None
