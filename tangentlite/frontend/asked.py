"""Whether a value is a deque or an OrderedDict is not told by derivatives, where these are lists and dicts.

In: a node of a function, and what expressions mean.
Out: the part of the node that names such a type.
Next: check.
"""

from __future__ import annotations

import collections
from collections.abc import Callable, Iterable
from typing import Any

import gast

HELD = {collections.deque: list, collections.OrderedDict: dict}
KINDS = (*HELD, *HELD.values())
HINT = "Ask for `collections.abc.Sequence` or `Mapping`, or pass a flag that tells."


def asked_type(node: Any, meaning: Callable[[Any], Any], made: Iterable[Any]) -> Any:
    """The name of a deque's or an OrderedDict's type in ``isinstance``, a comparison or a pattern; None without one.

    ``made``: what the function calls. Where it makes a deque, a list is not told from it, either.
    """
    named = [(n, m) for n in _types(node) if any((m := meaning(n)) is kind for kind in KINDS)]
    if not named:
        return None
    calls = tuple(made)
    unsure = [*HELD, *(HELD[kind] for kind in HELD if any(c is kind for c in calls))]
    return next((n for n, m in named if any(m is kind for kind in unsure)), None)


def _types(node: Any) -> list[Any]:
    """The expressions in a node with which a type is compared."""
    match node:
        case gast.Call(func=gast.Name(id="isinstance" | "issubclass"), args=[_, types]):
            return _elements(types)
        case gast.Compare(left=left, comparators=others):
            return [n for side in (left, *others) for n in _elements(side) if _names(n)]
        case gast.MatchClass(cls=cls):
            return [cls]
    return []


def _elements(node: Any) -> list[Any]:
    match node:
        case gast.Tuple(elts=parts) | gast.List(elts=parts) | gast.Set(elts=parts):
            return [e for part in parts for e in _elements(part)]
        case gast.BinOp(left=left, op=gast.BitOr(), right=right):
            return [*_elements(left), *_elements(right)]
    return [node]


def _names(node: Any) -> bool:
    return isinstance(node, gast.Name | gast.Attribute)
