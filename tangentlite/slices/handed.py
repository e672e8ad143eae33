"""Handed: arrays that are made, filled, and handed on under another name: ``u = new``.

In: the statements of a function.
Out: ``handed``: the assignments that hand an array on, after which its first name is not used; ``turns``: whether
    arrays change names among each other.
Next: sizes.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

import gast

from tangentlite import syntax


def handed(body: Sequence[Any]) -> list[gast.Assign]:
    """Assignments of a name that the same block has bound before, and that nothing outside these statements uses.

    >>> def show(text):
    ...     print(*map(syntax.unparse, handed(syntax.parse(text))), sep="; ")
    >>> show("for t in range(n):\\n    new = np.zeros(n)\\n    new[0] = u[1]\\n    u = new\\ns = u[0]")
    u = new
    >>> show("new = np.zeros(n)\\nfor t in range(n):\\n    new[0] = u[1]\\n    u = new")
    <BLANKLINE>
    """
    uses = _uses(body)
    return [made for block in _blocks(body) for made in _handed_in(block, uses)]


def _handed_in(block: Sequence[Any], uses: dict[str, int]) -> Iterator[gast.Assign]:
    bound: dict[str, int] = {}
    for k, statement in enumerate(block):
        match statement:
            case gast.Assign(targets=[gast.Name()], value=gast.Name(id=name)) if name in bound:
                if _uses(block[bound[name] : k + 1])[name] == uses[name]:
                    yield statement
            case gast.Assign(targets=[gast.Name(id=name)]):
                bound[name] = k


def _uses(body: Sequence[Any]) -> dict[str, int]:
    found: dict[str, int] = {}
    for node in syntax.nodes(body):
        if isinstance(node, gast.Name):
            found[node.id] = found.get(node.id, 0) + 1
    return found


def _blocks(body: Sequence[Any]) -> Iterator[Sequence[Any]]:
    yield body
    for statement in body:
        for name in ("body", "orelse"):
            yield from _blocks(getattr(statement, name, None) or [])


def turns(left: list[Any], right: list[Any]) -> bool:
    """Whether names are bound to each other's values."""
    both = (*left, *right)
    return all(isinstance(e, gast.Name) for e in both) and sorted(e.id for e in left) == sorted(
        e.id for e in right
    )
