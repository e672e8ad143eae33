"""Lists of tuples that are put on and taken off in one kernel: what has one place in them shares memory with its like.

In: statements of a kernel.
Out: the names of such lists; groups of names.
Next: ranks.
"""

from __future__ import annotations

import ast
from collections import Counter
from collections.abc import Iterator

from tangentlite.native.facts.names import loads, statements, stores

Use = tuple[ast.stmt, list[ast.expr]]


def shelves(body: list[ast.stmt]) -> dict[str, int]:
    """The lists, and how many parts their items have.

    >>> shelves(ast.parse("s = []\\ns.append((x, y))\\na, b = s.pop()\\nt = []\\nt.append((a, b))\\nf(t)").body)
    {'s': 2}
    """
    found = list(statements(body))
    uses = [(name, len(parts)) for s in found for name, parts in used(s)]
    times, counts = Counter(name for name, _ in uses), dict(uses)
    reads = Counter(n for s in body for n in loads(s))
    made = Counter(n for s in body for n in stores([s]))
    return {
        name: counts[name]
        for name, count in times.items()
        if reads[name] == count and made[name] == 1 and len({n for m, n in uses if m == name}) == 1
    }


def shelved(statement: ast.stmt, known: dict[str, int]) -> list[list[str]] | None:
    """For each part of what is put on a list or taken off it, the names that share memory; None elsewhere."""
    for name, parts in used(statement):
        if name in known:
            return [[f"{name}.{k}", *loads(part), *stores([part])] for k, part in enumerate(parts)]
    return None


def places(known: dict[str, int]) -> Iterator[str]:
    """The names of the places of lists."""
    return (f"{name}.{k}" for name, count in known.items() for k in range(count))


def put_and_taken(body: list[ast.stmt], shelf: str) -> tuple[list[Use], list[Use]]:
    """Where items are put on a list, and where they are taken off: statements, and the parts of the items."""
    uses = [(s, parts) for s in statements(body) for name, parts in used(s) if name == shelf]
    puts = [use for use in uses if isinstance(use[0], ast.Expr)]
    return puts, [use for use in uses if isinstance(use[0], ast.Assign)]


def used(statement: ast.stmt) -> Iterator[tuple[str, list[ast.expr]]]:
    """The list onto which a statement puts an item, or off which it takes one, with the parts of the item."""
    match statement:
        case ast.Expr(
            value=ast.Call(
                func=ast.Attribute(value=ast.Name(id=name), attr="append"),
                args=[ast.Tuple(elts=parts)],
            )
        ):
            yield name, parts
        case ast.Assign(
            targets=[ast.Tuple(elts=parts)],
            value=ast.Call(func=ast.Attribute(value=ast.Name(id=name), attr="pop"), args=[]),
        ):
            yield name, parts
