"""Late: an array is emptied when what it held was used, so that this need not be copied.

In: the finished statements of a function, ``Scope``.
Out: the same with fewer copies.
Next: emit.
"""

from __future__ import annotations

from collections import Counter

import gast

from tangentlite import syntax
from tangentlite.optimize.facts.buffers import Buffers
from tangentlite.optimize.facts.scope import Scope
from tangentlite.optimize.facts.solid import is_part
from tangentlite.optimize.replace import inside, remade

Body = list[gast.stmt]


def late(body: Body, scope: Scope) -> Body:
    """Use all first, empty then.

    >>> from tangentlite.optimize.samples import show
    >>> show(late, '''
    ... bx = np.zeros(n)
    ... by = np.zeros(n)
    ... t1 = by[1:-1].copy()
    ... by[1:-1] = 0.0
    ... bx[1:] += t1
    ... bt2 = t1 * y
    ... by[:-2] += bt2
    ... ''')
    bx = np.zeros(n)
    by = np.zeros(n)
    t1 = by[1:-1]
    bx[1:] += t1
    bt2 = t1 * y
    by[1:-1] = 0.0
    by[:-2] += bt2

    What is multiplied, and that is all, is multiplied where it is.

    >>> show(late, '''
    ... t1 = by[1:].copy()
    ... by[1:] = t1 * y
    ... ''')
    by[1:] *= y
    """
    if "copy" not in scope.attributes or not any(map(taken, syntax.statements(body))):
        return body
    return _Late(body, scope).block(body)


def taken(statement: gast.AST) -> tuple[str, gast.Subscript] | None:
    """The name that holds a copy of a part of an array, and that part."""
    match statement:
        case gast.Assign(
            targets=[gast.Name(id=name)],
            value=gast.Call(
                func=gast.Attribute(value=gast.Subscript(value=gast.Name()) as part, attr="copy"),
                args=[],
                keywords=[],
            ),
        ):
            return name, part
    return None


class _Late:
    """What is written there may be something else than zero.

    >>> from tangentlite.optimize.samples import show
    >>> show(late, '''
    ... by = np.zeros(n)
    ... t1 = by[1:].copy()
    ... by[1:] = y * t1
    ... bx = t1 * z
    ... ''')
    by = np.zeros(n)
    t1 = by[1:]
    bx = t1 * z
    by[1:] = y * t1

    Or it is written much later.

    >>> show(late, '''
    ... by = np.zeros(n)
    ... t1 = by[1:].copy()
    ... bx = t1 * z
    ... print(bx)
    ... by[1:] = bx
    ... ''')
    by = np.zeros(n)
    t1 = by[1:]
    bx = t1 * z
    print(bx)
    by[1:] = bx
    """

    def __init__(self, body: Body, scope: Scope) -> None:
        self._scope = scope
        self._loads = syntax.times_loaded(body)
        self._buffers = Buffers(body, scope)

    def block(self, body: Body) -> Body:
        result = [inside(s, self.block) if syntax.blocks(s) else s for s in body]
        k = 0
        while k + 1 < len(result):
            found = taken(result[k])
            if found is not None and self._scope.temporary(found[0]):
                if self._scope.adjoint(found[1].value.id):
                    result[k:] = self._used(result[k:], *found)
            k += 1
        return result

    def _used(self, body: Body, name: str, part: gast.Subscript) -> Body:
        """The statements from a copy on, without it, and with the array written where all that it held was used."""
        found = self._ends(body, name, part)
        if found is None:
            return body
        store, end = found
        take = [remade(body[0], {"value": part})]
        if not store:
            return [*take, *body[1:]]
        written = self._multiplied(body[store], name)
        if written is not body[store] and self._loads[name] == 1:
            take = []
        return [*take, *body[1:store], *body[store + 1 : end], written, *body[end:]]

    def _stores(self, statement: gast.stmt, part: gast.Subscript) -> bool:
        """Whether a statement writes into the part of an adjoint that was copied."""
        match statement:
            case gast.Assign(targets=[gast.Subscript(value=gast.Name(id=base), slice=index)]):
                return base == part.value.id and syntax.same(index, part.slice)
        return False

    def _multiplied(self, store: gast.stmt, name: str) -> gast.stmt:
        """The store of a product of what was there before, as a product in place."""
        place = store.targets[0]
        match store.value:
            case gast.BinOp(left=gast.Name(id=left), op=gast.Mult(), right=e) if left == name:
                apart = self._buffers.sharing(place.value.id).isdisjoint(syntax.loads(e))
                if apart and is_part(place.slice):
                    return syntax.at(gast.AugAssign(place, gast.Mult(), e), store)
        return store

    def _ends(self, body: Body, name: str, part: gast.Subscript) -> tuple[int, int] | None:
        """Where the array is written (0: later), and the first place after all uses; None if it is needed before."""
        stays = syntax.loads(part.slice)
        held, seen, store = {name}, Counter[str](), 0
        for k, statement in enumerate(body[1:], 1):
            if syntax.blocks(statement) or isinstance(statement, syntax.Comment | syntax.Blank):
                return None
            seen += syntax.times_loaded([statement])
            if not store and self._stores(statement, part):
                if not self._scope.purity.pure(statement.value):
                    return None
                store, stays = k, stays | self._scope.facts(statement).reads
            elif not self._passes(statement, part.value.id, held, stays, bool(store)):
                return None
            if all(seen[n] == self._loads[n] for n in held):
                return store, k + 1
        return None

    def _passes(
        self, statement: gast.stmt, base: str, held: set[str], stays: set[str], stored: bool
    ) -> bool:
        """Whether a statement may come before the store, and what is held be a view of the array for it."""
        facts = self._scope.facts(statement)
        if facts.effect or facts.seen or not stays.isdisjoint(facts.binds):
            return False
        touched = self._buffers.sharing(base) - held
        if not (touched | held).isdisjoint(facts.writes) or base in facts.binds:
            return False
        if stored and not touched.isdisjoint(facts.reads):
            return False
        changed = facts.writes - {base}
        if changed and any(not self._scope.members(n).isdisjoint(changed) for n in stays - held):
            return False
        return held.isdisjoint(facts.reads) or self._uses_up(statement, held)

    def _uses_up(self, statement: gast.stmt, held: set[str]) -> bool:
        """Whether a statement keeps nothing of what is held but under a name, which is held then."""
        match statement:
            case gast.AugAssign(target=gast.Subscript(slice=index)):
                return held.isdisjoint(syntax.loads(index))
            case gast.Assign(targets=[gast.Subscript(slice=index)]) if is_part(index):
                return held.isdisjoint(syntax.loads(index))
            case gast.AugAssign(target=gast.Name(), value=value):
                return held.isdisjoint(self._scope.sources(value))
            case gast.Assign(targets=[gast.Name(id=made)], value=value):
                if not self._scope.purity.pure(value):
                    return False
                if not held.isdisjoint(self._scope.sources(value)):
                    held.add(made)
                return made not in self._scope.user | self._scope.captured
        return False
