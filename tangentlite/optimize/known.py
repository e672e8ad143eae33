"""Known: a slice or an element that a temporary holds is not taken again.

In: the statements of a function, ``Scope``.
Out: the same with fewer subscripts.
Next: once.
"""

from __future__ import annotations

from dataclasses import dataclass

import gast

from tangentlite import syntax
from tangentlite.optimize.facts import Facts
from tangentlite.optimize.replace import inside, remade
from tangentlite.optimize.scope import TEMPORARY, Scope

Body = list[gast.stmt]
OPERATIONS = (gast.BinOp, gast.UnaryOp)


@dataclass(frozen=True)
class Held:
    """What a temporary holds, and the names that it is made of."""

    name: str
    part: gast.Subscript
    read: frozenset[str]


def known(body: Body, scope: Scope) -> Body:
    """Read the temporary where its slice is an operand, as long as nothing that both are made of changes.

    >>> from tangentlite.optimize.samples import show
    >>> show(known, '''
    ... t1 = x[:-1]
    ... y = t1 * t1 + (1.0 - x[:-1])
    ... x[0] = 2.0
    ... z = y * x[:-1]
    ... ''')
    t1 = x[:-1]
    y = t1 * t1 + (1.0 - t1)
    x[0] = 2.0
    z = y * x[:-1]
    """
    held = [h for s in syntax.statements(body) if (h := _held(s))]
    if not held:
        return body
    again = set(map(syntax.key, _again(body, {h.part.value.id for h in held})))
    wanted = {h.name for h in held if syntax.key(h.part) in again}
    return _Known(scope, wanted).block(body, []) if wanted else body


def _again(body: Body, bases: set[str]) -> list[gast.Subscript]:
    """The operands that are slices or elements of what temporaries hold some of."""
    return [
        part
        for node in syntax.nodes(body)
        if isinstance(node, OPERATIONS)
        for part in syntax.children(node)
        if isinstance(part, gast.Subscript)
        and isinstance(part.value, gast.Name)
        and part.value.id in bases
    ]


class _Known:
    def __init__(self, scope: Scope, wanted: set[str]) -> None:
        self._scope, self._wanted = scope, wanted

    def block(self, body: Body, outside: list[Held]) -> Body:
        held, result = list(outside), []
        for statement in body:
            if syntax.blocks(statement):
                held = self._left(held, statement)
                inner = list(held)
                statement = inside(statement, lambda block: self.block(block, inner))  # noqa: B023
            else:
                whole = held and not self._scope.facts(statement).effect
                statement = _said(statement, held) if whole else statement
                held = self._left(held, statement)
            result.append(statement)
            found = _held(statement)
            held += [found] if found and found.name in self._wanted else []
        return result if result != body else body

    def _left(self, held: list[Held], statement: gast.stmt) -> list[Held]:
        """What still holds after a statement, and anywhere in it, if it has blocks."""
        if not held:
            return held
        facts = self._scope.facts(statement)
        if facts.effect:
            return []
        return [h for h in held if facts.binds.isdisjoint(h.read) and not self._changes(facts, h)]

    def _changes(self, facts: Facts, held: Held) -> bool:
        writes, members = facts.writes, self._scope.members
        if not writes or not writes.isdisjoint(held.read):
            return bool(writes)
        return not all(writes.isdisjoint(members(name)) for name in held.read)


def _held(statement: gast.stmt) -> Held | None:
    """The temporary that a statement binds to a slice or an element."""
    match statement:
        case gast.Assign(
            targets=[gast.Name(id=name)],
            value=gast.Subscript(value=gast.Name(id=base)) as part,
        ) if TEMPORARY.fullmatch(name) and name != base and _is_plain(part.slice):
            return Held(name, part, frozenset({name, *syntax.loads(part)}))
    return None


def _is_plain(index: gast.expr) -> bool:
    """Whether an index is made of numbers and names only."""
    plain = (gast.Constant, gast.Name, gast.Slice, gast.Tuple, *OPERATIONS)
    return all(isinstance(n, plain) for n in syntax.walk(index) if isinstance(n, gast.expr))


def _said(statement: gast.stmt, held: list[Held]) -> gast.stmt:
    """A statement with temporaries for what they hold."""
    if not held or not isinstance(statement, gast.Assign | gast.AugAssign | gast.Return):
        return statement
    value = statement.value and _operands(statement.value, held)
    return statement if value is statement.value else remade(statement, {"value": value})


def _operands(node: gast.expr, held: list[Held]) -> gast.expr:
    changes: dict[str, object] = {}
    for field in node._fields:
        part = getattr(node, field, None)
        if isinstance(part, list):
            new: object = [_operands(p, held) if isinstance(p, gast.expr) else p for p in part]
            changes |= {field: new} if new != part else {}
        elif isinstance(part, gast.expr):
            operand = isinstance(node, OPERATIONS) and _named(part, held)
            new = operand or _operands(part, held)
            changes |= {field: new} if new is not part else {}
    return remade(node, changes) if changes else node


def _named(node: gast.expr, held: list[Held]) -> gast.expr | None:
    if isinstance(node, gast.Subscript):
        for one in held:
            if syntax.same(one.part, node):
                return syntax.at(syntax.name(one.name), node)
    return None
