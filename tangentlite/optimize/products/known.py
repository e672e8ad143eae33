"""Known: a slice or an element that a temporary holds is not taken again.

In: the statements of a function, ``Scope``.
Out: the same with fewer subscripts.
Next: once.
"""

from __future__ import annotations

from dataclasses import dataclass

import gast

from tangentlite import syntax
from tangentlite.optimize.facts.scope import TEMPORARY, Scope
from tangentlite.optimize.replace import inside, remade

Body = list[gast.stmt]
OPERATIONS = (gast.BinOp, gast.UnaryOp)


@dataclass(frozen=True, eq=False)
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
    return _Known(scope, wanted).block(body) if wanted else body


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


class _Alive:
    """What temporaries hold at a statement, by the part, by the names read and by where their memory comes from."""

    def __init__(self, scope: Scope) -> None:
        self._scope = scope
        self._parts: dict[object, list[Held]] = {}
        self._reading: dict[str, set[Held]] = {}
        self._memory: dict[str, set[Held]] = {}
        self._new: list[
            Held
        ] = []  # not yet in _memory, which is asked for where something is written

    def __bool__(self) -> bool:
        return bool(self._parts)

    def add(self, held: Held) -> None:
        self._parts.setdefault(syntax.key(held.part), []).append(held)
        self._new.append(held)
        for name in held.read:
            self._reading.setdefault(name, set()).add(held)

    def drop(self, held: Held) -> None:
        if held not in self._reading.get(held.name, ()):
            return
        key = syntax.key(held.part)
        self._parts[key].remove(held)
        if not self._parts[key]:
            del self._parts[key]
        for name in held.read:
            self._reading[name].discard(held)

    def leave(self, statement: gast.stmt) -> None:
        """Keep what still holds after a statement, and anywhere in it, if it has blocks."""
        if not self._parts:
            return
        facts = self._scope.facts(statement)
        lost = [h for found in self._parts.values() for h in found] if facts.effect else []
        for name in facts.binds | facts.writes:
            lost += self._reading.get(name, ())
        for held in (*lost, *self._written(facts.writes)):
            self.drop(held)

    def _written(self, writes: frozenset[str]) -> list[Held]:
        """What is made of memory that is written through one of some names."""
        for held in self._new if writes else ():
            for origin in set().union(*map(self._scope.origins, held.read)):
                self._memory.setdefault(origin, set()).add(held)
        self._new = [] if writes else self._new
        own = writes & self._scope.local
        reached = {origin for name in own for origin in self._scope.origins(name)}
        return [h for origin in self._memory.keys() & reached for h in self._memory.pop(origin)]

    def name(self, node: gast.expr) -> gast.expr | None:
        """The temporary that holds a part."""
        match node:
            case gast.Subscript(value=gast.Name(id=base)) if self._reading.get(base):
                found = self._parts.get(syntax.key(node))
                return syntax.at(syntax.name(found[0].name), node) if found else None
        return None


class _Known:
    def __init__(self, scope: Scope, wanted: set[str]) -> None:
        self._scope, self._wanted, self._alive = scope, wanted, _Alive(scope)

    def block(self, body: Body) -> Body:
        result, alive, own = Body(), self._alive, list[Held]()
        for statement in body:
            if syntax.blocks(statement):
                alive.leave(statement)
                statement = inside(statement, self.block)
            else:
                whole = alive and not self._scope.facts(statement).effect
                statement = _said(statement, alive) if whole else statement
                alive.leave(statement)
            result.append(statement)
            found = _held(statement)
            if found and found.name in self._wanted:
                alive.add(found)
                own.append(found)
        for held in own:
            alive.drop(held)
        return result if result != body else body


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


def _said(statement: gast.stmt, alive: _Alive) -> gast.stmt:
    """A statement with temporaries for what they hold."""
    if not isinstance(statement, gast.Assign | gast.AugAssign | gast.Return):
        return statement
    value = statement.value and _operands(statement.value, alive)
    return statement if value is statement.value else remade(statement, {"value": value})


def _operands(node: gast.expr, alive: _Alive) -> gast.expr:
    changes: dict[str, object] = {}
    for field in node._fields:
        part = getattr(node, field, None)
        if isinstance(part, list):
            new: object = [_operands(p, alive) if isinstance(p, gast.expr) else p for p in part]
            changes |= {field: new} if new != part else {}
        elif isinstance(part, gast.expr):
            operand = isinstance(node, OPERATIONS) and alive.name(part)
            new = operand or _operands(part, alive)
            changes |= {field: new} if new is not part else {}
    return remade(node, changes) if changes else node
