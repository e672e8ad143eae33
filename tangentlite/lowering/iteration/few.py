"""Loops that write into a few arrays, which they name, are their trips: each trip knows its array.

In: a ``for`` of the user over a tuple or a list that is written there.
Out: the statements of its trips, still to be lowered; None for other loops.
Next: loops.
"""

from __future__ import annotations

import gast

from tangentlite import syntax
from tangentlite.lowering.context import Context

TRIPS, STATEMENTS = 4, 40
OWN = (gast.FunctionDef, gast.Lambda, gast.ListComp, gast.GeneratorExp, gast.SetComp, gast.DictComp)


def written_out(statement: gast.For, context: Context) -> list[gast.stmt] | None:
    """The trips, one after the other.

    >>> from tangentlite.lowering.example import lowered
    >>> print(lowered("for a in (x, y):\\n    a[0] = 1.0", "x, y"))
    x[0] = 1.0
    y[0] = 1.0
    return None
    """
    elements = _plain(statement.iter)
    if elements is None or statement.orelse or syntax.parted(statement.body)[1]:
        return None
    bound = syntax.stores([statement.target, *statement.body])
    if not syntax.loads(statement.iter).isdisjoint(bound) or not _writes(statement):
        return None
    nodes = [n for s in statement.body for n in syntax.walk(s)]
    count = sum(isinstance(n, gast.stmt) for n in nodes) * len(elements)
    if count > STATEMENTS or any(isinstance(n, OWN) for n in nodes):
        return None
    return [s for element in elements for s in _trip(statement, element, context)]


def _trip(loop: gast.For, element: gast.expr, context: Context) -> list[gast.stmt]:
    """One trip, which says the array that it takes; a name that something else reads is bound besides."""
    stored, said, trip = syntax.stores(loop.body), dict[str, gast.expr](), list[gast.stmt]()
    for target, value in _bindings(loop.target, element):
        named = isinstance(target, gast.Name) and target.id not in stored
        if named and isinstance(value, gast.Name):
            said[target.id] = value
        if target.id not in said or _is_read_outside(target.id, loop, context):
            trip += context.quote("t = e", element, t=target, e=value)
    for inner in loop.body:
        made = _Say(said).visit(syntax.copy(inner))
        context.made[made] = inner
        trip.append(made)
    return trip


class _Say(gast.NodeTransformer):  # type: ignore[misc]
    def __init__(self, said: dict[str, gast.expr]) -> None:
        self._said = said

    def visit_Name(self, node: gast.Name) -> gast.expr:
        """The array in place of its name."""
        value = self._said.get(node.id)
        return node if value is None else syntax.at(syntax.copy(value), node)


def _is_read_outside(name: str, loop: gast.For, context: Context) -> bool:
    def count(tree: gast.AST) -> int:
        names = (n for n in syntax.walk(tree) if isinstance(n, gast.Name))
        return sum(n.id == name and isinstance(n.ctx, gast.Load) for n in names)

    return count(context.function.tree) > sum(map(count, loop.body))


def _plain(data: gast.expr) -> list[gast.expr] | None:
    """The elements, if they are names or tuples of names and constants."""
    match data:
        case gast.Tuple(elts=elts) | gast.List(elts=elts) if 1 < len(elts) <= TRIPS:
            return elts if all(map(_is_plain, elts)) else None
    return None


def _is_plain(element: gast.expr) -> bool:
    if isinstance(element, gast.Tuple):
        return all(map(_is_plain, element.elts))
    return isinstance(element, gast.Name | gast.Constant)


def _bindings(target: gast.expr, element: gast.expr) -> list[tuple[gast.expr, gast.expr]]:
    """What a trip binds, name by name: the elements are no targets."""
    match target, element:
        case gast.Tuple(elts=targets), gast.Tuple(elts=parts) if len(targets) == len(parts):
            return [pair for t, p in zip(targets, parts) for pair in _bindings(t, p)]
    return [(target, element)]


def _writes(loop: gast.For) -> bool:
    """Whether a trip writes into what it takes."""
    taken = syntax.stores(loop.target)
    for node in (n for s in loop.body for n in syntax.walk(s)):
        match node:
            case gast.Assign(targets=targets) if any(_base(t) in taken for t in targets):
                return True
            case gast.AugAssign(target=target) if _base(target) in taken:
                return True
    return False


def _base(target: gast.expr) -> str | None:
    """The name of what is written into."""
    inside = isinstance(target, gast.Subscript)
    while isinstance(target, gast.Subscript):
        target = target.value
    return target.id if inside and isinstance(target, gast.Name) else None
