"""Restored: what is put back as it was is left where it is, and what is added to that is added there.

In: the statements of a function, ``Scope``.
Out: the same with fewer stores and copies.
Next: gather.
"""

from __future__ import annotations

import gast

from tangentlite import runtime, syntax
from tangentlite.optimize.facts.scope import Scope
from tangentlite.optimize.facts.solid import is_part
from tangentlite.optimize.products.late import taken
from tangentlite.optimize.replace import inside, remade, replaced
from tangentlite.optimize.sums.gather import sum_of
from tangentlite.optimize.temporaries import uses_up

Body = list[gast.stmt]


def restored(body: Body, scope: Scope) -> Body:
    """Do not store what a place holds; what is read before anything is written there need not be copied.

    >>> from tangentlite.optimize.samples import show
    >>> show(restored, '''
    ... bx = np.zeros(n)
    ... t1 = bx[1:-1].copy()
    ... bt2 = t1 * 0.1
    ... bx[1:-1] = t1
    ... bx[2:] += bt2
    ... ''')
    bx = np.zeros(n)
    bt2 = bx[1:-1] * 0.1
    bx[2:] += bt2

    >>> show(restored, '''
    ... bx = np.zeros(n)
    ... t1 = bx[1:-1].copy()
    ... bt2 = t1 * 0.1
    ... bx[1:-1] = -bt2
    ... bx[2:] += bt2
    ... bx[1:-1] += t1
    ... ''')
    bx = np.zeros(n)
    bt2 = bx[1:-1] * 0.1
    bx[1:-1] -= bt2
    bx[2:] += bt2
    """
    if not any(_is_store(s) for s in syntax.statements(body)):
        return body
    return _Restored(body, scope).block(body)


def _is_store(statement: gast.stmt) -> bool:
    match statement:
        case gast.Assign(targets=[gast.Subscript(value=gast.Name())]):
            return True
    return False


class _Restored:
    def __init__(self, body: Body, scope: Scope) -> None:
        self._scope = scope
        self._loads = syntax.times_loaded(body)

    def block(self, body: Body) -> Body:
        result = [inside(s, self.block) if syntax.blocks(s) else s for s in body]
        start = 0
        while start < len(result):
            found = _part(result[start])
            if found is not None and self._is_own(*found):
                put = self._put(result, start, *found)
                left = self._without(result, put, *found) if put is not None else None
                if left is not None:
                    self._loads[found[0]] -= 1
                    result = [*left[:start], *self._uncopied(left[start:], *found)]
            start += 1
        return result

    def _is_own(self, name: str, part: gast.Subscript) -> bool:
        plain = self._scope.temporary(name) and name not in self._scope.captured
        return plain and self._scope.adjoint(part.value.id)

    def _put(self, body: Body, start: int, name: str, part: gast.Subscript) -> int | None:
        """Where something is stored into the place again; None if something was written before."""
        memory = self._memory(name, part)
        for end in range(start + 1, len(body)):
            statement = body[end]
            if _is_store(statement) and _is_place(statement.targets[0], part):
                return end
            if not self._is_quiet(statement, memory):
                return None
        return None

    def _memory(self, name: str, part: gast.Subscript) -> set[str]:
        names = {name, *syntax.loads(part)}
        return names.union(*map(self._scope.members, names))

    def _is_quiet(self, statement: gast.stmt, memory: set[str]) -> bool:
        """Whether a statement binds and writes nothing of what is held there."""
        if syntax.blocks(statement) or isinstance(statement, gast.Return):
            return False
        facts = self._scope.facts(statement)
        return not (facts.effect or facts.seen or memory & (facts.binds | facts.writes))

    # What is put back -----------------------------------------------------------------------

    def _without(self, body: Body, put: int, name: str, part: gast.Subscript) -> Body | None:
        """The statements without the store, and without the sum by which what was there comes back."""
        store = body[put]
        if isinstance(store.value, gast.Name) and store.value.id == name:
            return [*body[:put], *body[put + 1 :]]
        solid = is_part(part.slice) or part.value.id in self._scope.solid
        back = self._back(body, put, name, part) if solid else None
        if back is None or name in syntax.loads(store.targets[0]):
            return None
        return [*body[:put], *self._added(store), *body[put + 1 : back], *body[back + 1 :]]

    def _added(self, store: gast.stmt) -> Body:
        """A store to what was zero before as a sum to what is there."""
        match store.value:
            case gast.Constant(value=0.0):
                return []
            case gast.UnaryOp(op=gast.USub(), operand=value):
                op: gast.operator = gast.Sub()
            case value:
                op = gast.Add()
        return [syntax.at(gast.AugAssign(store.targets[0], op, value), store)]

    def _back(self, body: Body, put: int, name: str, part: gast.Subscript) -> int | None:
        """Where the copy is added to the place again, if there are only sums to the array between."""
        base, memory = part.value.id, self._memory(name, part)
        for end in range(put + 1, len(body)):
            statement = body[end]
            if syntax.blocks(statement) or isinstance(statement, gast.Return):
                return None
            if self._is_sum(statement, name, part):
                return end
            facts = self._scope.facts(statement)
            held, changed = {base, *self._scope.members(base)}, {*facts.binds, *facts.writes}
            if sum_of(statement, self._scope) == base:
                touched, changed = syntax.loads(statement.value), {*facts.binds}
            else:
                touched = {*facts.reads, *facts.writes}
            if facts.effect or facts.seen or held & touched or memory & changed:
                return None
        return None

    def _is_sum(self, statement: gast.stmt, name: str, part: gast.Subscript) -> bool:
        """Whether a statement adds the copy to its place."""
        match statement:
            case gast.AugAssign(target=target, op=gast.Add(), value=gast.Name(id=added)):
                return added == name and _is_place(target, part)
            case gast.AugAssign(
                target=target,
                op=gast.Add(),
                value=gast.Call(func=func, args=[gast.Name(id=added), gast.Subscript() as like]),
            ) if added == name and self._scope.purity.means(func, (runtime.unbroadcast,)):
                alike = isinstance(like.value, gast.Name) and f"b{like.value.id}" == part.value.id
                same = alike and syntax.same(like.slice, part.slice)
                return same and _is_place(target, part)
        return False

    # What need not be copied ----------------------------------------------------------------

    def _uncopied(self, body: Body, name: str, part: gast.Subscript) -> Body:
        """The statements without the copy, where it is read up before anything is written."""
        memory = self._memory(name, part)
        left, first = syntax.times_loaded(body)[name], body[1] if len(body) > 1 else body[0]
        if self._loads[name] != left:
            return body
        if left == 0:
            return body[1:]
        if left == 1 and syntax.times_loaded([first])[name] and self._reads_up(first, name):
            return [replaced(first, {name: part}), *body[2:]]
        for statement in body[1:]:
            here = syntax.times_loaded([statement])[name]
            if here and not self._reads_up(statement, name):
                return body
            left -= here
            if left == 0:
                return [remade(body[0], {"value": part}), *body[1:]]
            if not self._is_quiet(statement, memory):
                return body
        return body

    def _reads_up(self, statement: gast.stmt, name: str) -> bool:
        """Whether a statement makes new numbers of what it reads, before it writes."""
        used_up = uses_up(statement, name, self._scope)
        return used_up and name not in self._scope.sources(statement.value)


def _part(statement: gast.stmt) -> tuple[str, gast.Subscript] | None:
    """The name that holds a part of an array or a copy of that, and the part."""
    match statement:
        case gast.Assign(
            targets=[gast.Name(id=name)], value=gast.Subscript(value=gast.Name()) as part
        ):
            return name, part
    return taken(statement)


def _is_place(target: gast.expr, part: gast.Subscript) -> bool:
    """Whether a part is stored where it was taken."""
    match target:
        case gast.Subscript(value=gast.Name(id=base), slice=index):
            return base == part.value.id and syntax.same(index, part.slice)
    return False
