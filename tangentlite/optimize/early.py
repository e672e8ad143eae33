"""Early: what is taken out of an array is used before the array is emptied or changed, and need not be copied.

In: a block, ``Scope``.
Out: the same block with fewer copies.
Next: refold.
"""

from __future__ import annotations

import ast
from collections import Counter

import gast

from tangentlite import syntax
from tangentlite.optimize.facts.scope import Scope
from tangentlite.optimize.replace import remade, replaced, unchanged
from tangentlite.optimize.temporaries import uses_up

FRESH = (gast.Mult, gast.Div, gast.Add, gast.Sub)


def early(body: list[gast.stmt], scope: Scope) -> list[gast.stmt]:
    """Use first, empty then.

    >>> from tangentlite.optimize.samples import show
    >>> show(early, '''
    ... t1 = by[1:-1].copy()
    ... by[1:-1] = 0.0
    ... bt2 = t1 * 0.5
    ... bx[2:] += bt2
    ... ''')
    bt2 = by[1:-1] * 0.5
    by[1:-1] = 0.0
    bx[2:] += bt2
    """
    if not any(map(_takes, syntax.statements(body))):
        return body
    reads = syntax.times_loaded(body)
    return _Early(scope, reads).block(body)


def _takes(statement: ast.AST) -> bool:
    """Whether a part of an array is copied."""
    match statement:
        case gast.Assign(
            value=gast.Call(
                func=gast.Attribute(value=gast.Subscript(), attr="copy"), args=[], keywords=[]
            )
        ):
            return True
    return False


class _Early:
    def __init__(self, scope: Scope, reads: Counter[str]) -> None:
        self._scope, self._reads = scope, reads

    def block(self, body: list[gast.stmt]) -> list[gast.stmt]:
        result = [self._inside(statement) for statement in body]
        result = [self._seen(result, k) for k in range(len(result))]
        k = 0
        while k + 2 < len(result):
            swapped = self._swapped(*result[k : k + 3])
            if swapped is not None:
                result[k : k + 3] = swapped
            k += 1
        return result

    def _seen(self, body: list[gast.stmt], at: int) -> gast.stmt:
        """A copy that is only read, as long as nobody writes into that of which it is one, need not be made.

        bt1 = by[1:].copy()        bt1 = by[1:]
        bx[:-1] += bt1 * w         bx[:-1] += bt1 * w
        """
        match body[at]:
            case (
                gast.Assign(
                    targets=[gast.Name(id=name)],
                    value=gast.Call(
                        func=gast.Attribute(
                            value=gast.Subscript(value=gast.Name(id=base)) as part, attr="copy"
                        ),
                        args=[],
                        keywords=[],
                    ),
                ) as take
            ) if self._scope.temporary(name) and self._scope.adjoint(base):
                if self._only_read(body[at + 1 :], name, base):
                    self._scope.view(name, base)
                    return remade(take, {"value": part})
        return body[at]

    def _only_read(self, rest: list[gast.stmt], name: str, base: str) -> bool:
        """Whether all reads of a name come before any write into its base, and none keeps what it reads."""
        left, touched = self._reads[name], self._scope.members(base) | {base, name}
        for statement in rest:
            if not left:
                return True
            here = sum(isinstance(n, gast.Name) and n.id == name for n in syntax.walk(statement))
            facts = self._scope.facts(statement)
            if here and not uses_up(statement, name, self._scope):
                return False
            left -= here
            written = facts.writes | facts.binds
            if facts.effect or facts.seen or (not touched.isdisjoint(written)):
                return False
        return not left

    def _inside(self, statement: gast.stmt) -> gast.stmt:
        changes: dict[str, object] = {}
        for name in ("body", "orelse"):
            inner = getattr(statement, name, None)
            if isinstance(inner, list) and inner:
                new = self.block(inner)
                if not unchanged(inner, new):
                    changes[name] = new
        return remade(statement, changes) if changes else statement

    def _swapped(self, take: gast.stmt, empty: gast.stmt, use: gast.stmt) -> list[gast.stmt] | None:
        match take, empty, use:
            case (
                gast.Assign(
                    targets=[gast.Name(id=taken)],
                    value=gast.Call(
                        func=gast.Attribute(value=gast.Subscript() as part, attr="copy"), args=[]
                    ),
                ),
                gast.Assign(targets=[gast.Subscript() as place], value=gast.Constant()),
                gast.Assign(targets=[gast.Name(id=made)], value=value),
            ) if self._same(part, place) and self._reads[taken] == 1 and made != taken:
                if self._fresh(value, taken) and self._apart(value, taken, part):
                    return [replaced(use, {taken: part}), empty]
        return None

    @staticmethod
    def _same(part: gast.Subscript, place: gast.Subscript) -> bool:
        return syntax.same(part.value, place.value) and syntax.same(part.slice, place.slice)

    def _fresh(self, value: gast.expr, taken: str) -> bool:
        """Whether the value is new memory, made of what was taken."""
        match value:
            case gast.BinOp(op=gast.Mult() | gast.Div()) | gast.UnaryOp(op=gast.USub()):
                return taken in syntax.loads(value) and self._scope.purity.pure(value)
        return False

    def _apart(self, value: gast.expr, taken: str, part: gast.Subscript) -> bool:
        """Whether the value reads nothing of what is emptied, but for what was taken."""
        if not isinstance(part.value, gast.Name):
            return False
        touched = self._scope.members(part.value.id) | {part.value.id}
        return touched.isdisjoint(syntax.loads(value) - {taken})
