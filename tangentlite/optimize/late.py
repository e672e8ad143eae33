"""Late: an array is emptied when what it held was used, so that this need not be copied.

In: the finished statements of a function, ``Scope``.
Out: the same with fewer copies.
Next: emit.
"""

from __future__ import annotations

from collections import Counter

import gast

from tangentlite import syntax
from tangentlite.optimize.buffers import Buffers
from tangentlite.optimize.gather import is_part
from tangentlite.optimize.replace import inside, remade
from tangentlite.optimize.scope import Scope

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
    def __init__(self, body: Body, scope: Scope) -> None:
        self._scope = scope
        self._loads = syntax.times_loaded(body)
        self._buffers = Buffers(body, scope)

    def block(self, body: Body) -> Body:
        result = [inside(s, self.block) if syntax.blocks(s) else s for s in body]
        k = 0
        while k + 1 < len(result):
            found = taken(result[k])
            if found is not None and self._stores(result[k + 1], *found):
                result[k:] = self._multiplied(result[k:], *found) or self._moved(result[k:], *found)
            k += 1
        return result

    def _stores(self, statement: gast.stmt, name: str, part: gast.Subscript) -> bool:
        """Whether a statement writes into the part of an adjoint that was copied."""
        match statement:
            case gast.Assign(targets=[gast.Subscript(value=gast.Name(id=base), slice=index)]):
                same = base == part.value.id and syntax.same(index, part.slice)
                return same and self._scope.temporary(name) and self._scope.adjoint(base)
        return False

    def _multiplied(self, body: Body, name: str, part: gast.Subscript) -> Body | None:
        """The store of a product of what was there before, as a product in place."""
        base = part.value.id
        match body[1]:
            case gast.Assign(
                targets=[place], value=gast.BinOp(left=gast.Name(id=left), op=gast.Mult(), right=e)
            ) if left == name and self._loads[name] == 1:
                apart = self._buffers.sharing(base).isdisjoint(syntax.loads(e))
                if apart and is_part(part.slice) and self._scope.purity.pure(e):
                    product = gast.AugAssign(place, gast.Mult(), e)
                    return [syntax.at(product, body[1]), *body[2:]]
        return None

    def _moved(self, body: Body, name: str, part: gast.Subscript) -> Body:
        """The statements with the array emptied where all that was taken out of it was used."""
        take, empty = body[:2]
        end = self._end(body, name, part) if isinstance(empty.value, gast.Constant) else None
        if end is None:
            return body
        return [remade(take, {"value": part}), *body[2:end], empty, *body[end:]]

    def _end(self, body: Body, name: str, part: gast.Subscript) -> int | None:
        """The first place after all uses; None if the array is needed before."""
        base, indices = part.value.id, syntax.loads(part.slice)
        held, seen = {name}, Counter[str]()
        for k, statement in enumerate(body[2:], 2):
            if syntax.blocks(statement) or isinstance(statement, syntax.Comment | syntax.Blank):
                return None
            facts = self._scope.facts(statement)
            touched = self._buffers.sharing(base) - held
            changed = facts.binds | facts.writes
            if facts.effect or facts.seen or not indices.isdisjoint(changed):
                return None
            if not touched.isdisjoint(facts.reads | changed) or not held.isdisjoint(facts.writes):
                return None
            seen += syntax.times_loaded([statement])
            if not held.isdisjoint(facts.reads) and not self._uses_up(statement, held):
                return None
            if all(seen[n] == self._loads[n] for n in held):
                return k + 1
        return None

    def _uses_up(self, statement: gast.stmt, held: set[str]) -> bool:
        """Whether a statement keeps nothing of what is held but under a name, which is held then."""
        match statement:
            case gast.AugAssign(target=gast.Subscript(slice=index)):
                return held.isdisjoint(syntax.loads(index))
            case gast.Assign(targets=[gast.Name(id=made)], value=value):
                if not self._scope.purity.pure(value):
                    return False
                if not held.isdisjoint(self._scope.sources(value)):
                    held.add(made)
                return self._scope.generated(made) and made not in self._scope.captured
        return False
