"""Again: a product of an adjoint that was made a few statements before is not made again.

In: the statements of a function, ``Scope``.
Out: the same with fewer products.
Next: late.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator

import gast

from tangentlite import syntax
from tangentlite.optimize.facts.buffers import Buffers
from tangentlite.optimize.facts.scope import Scope
from tangentlite.optimize.replace import inside, remade, replaced
from tangentlite.optimize.temporaries import numbered, uses_up

Body = list[gast.stmt]


def again(body: Body, scope: Scope, named: bool = False) -> Body:
    """Name what is multiplied, and read it where it is multiplied again; if ``named``, only what has names already.

    >>> from tangentlite.optimize.samples import show
    >>> show(again, '''
    ... bx = np.zeros(n)
    ... bt1 = np.cos(x)
    ... bt2 = bt1 * 0.125
    ... bx[1:] += bt2
    ... bx[1:-1] -= bt2 * 2.0
    ... bt4 = bt1 * 0.125
    ... bx[1:-1] -= bt4 * 2.0
    ... ''')
    bx = np.zeros(n)
    bt1 = np.cos(x)
    bt2 = bt1 * 0.125
    bx[1:] += bt2
    t1 = bt2 * 2.0
    bx[1:-1] -= t1
    bx[1:-1] -= t1
    """
    if named and gast.AugAssign not in scope.kinds:
        return body
    products = Counter(
        syntax.unparse(p) for s in syntax.statements(body) if (p := _product(s, scope, named))
    )
    if all(times == 1 for times in products.values()):
        return body
    return _Again(body, scope, named).block(body)


def _product(statement: gast.AST, scope: Scope, named: bool) -> gast.BinOp | None:
    """The product of an adjoint and a number or a name that a statement names or adds to a part of an array."""
    if named and not isinstance(statement, gast.Assign):
        return None
    match statement:
        case (
            gast.Assign(targets=[gast.Name()], value=value)
            | gast.AugAssign(target=gast.Subscript(), op=gast.Add() | gast.Sub(), value=value)
        ):
            match value:
                case gast.BinOp(left=gast.Name(id=left), op=gast.Mult(), right=right):
                    plain = isinstance(right, gast.Name) or isinstance(
                        getattr(right, "value", None), float
                    )
                    mine = scope.adjoint(left) and scope.temporary(left)
                    return value if plain and mine else None
    return None


class _Again:
    def __init__(self, body: Body, scope: Scope, named: bool) -> None:
        self._scope, self._buffers, self._named = scope, Buffers(body, scope), named
        self._loads, self._bound = syntax.times_loaded(body), syntax.times_stored(body)
        self._fresh = numbered(body, scope)

    def block(self, body: Body) -> Body:
        result = [inside(s, self.block) if syntax.blocks(s) else s for s in body]
        start = 0
        while start < len(result):
            product = _product(result[start], self._scope, self._named)
            if product is not None:
                result = self._shared(result, start, product)
            start += 1
        return result

    def _shared(self, body: Body, start: int, product: gast.BinOp) -> Body:
        """The statements with one name for a product, from where it is made first."""
        first = body[start]
        name = first.targets[0].id if isinstance(first, gast.Assign) else None
        if name is not None and not self._is_read_only(body[start + 1 :], name):
            return body
        kept = frozenset(syntax.loads(product)) | ({name} if name else set())
        places = list(self._again(body, start, product, kept))
        if not places:
            return body
        head = body[:start]
        if name is None:
            name = next(self._fresh)
            head.append(syntax.at(syntax.assign(name, product), first))
            first = remade(first, {"value": syntax.name(name)})
        tail: Body = []
        holes: dict[str, gast.expr] = {}
        for k, statement in enumerate(body[start + 1 :], start + 1):
            if k not in places:
                remark = isinstance(statement, syntax.Comment | syntax.Blank)
                tail.append(replaced(statement, holes) if holes and not remark else statement)
            elif isinstance(statement, gast.Assign):
                holes[statement.targets[0].id] = syntax.name(name)
            else:
                tail.append(remade(statement, {"value": syntax.name(name)}))
        self._loads[name] += sum(self._loads.pop(n) for n in holes)
        return [*head, first, *tail]

    def _again(
        self, body: Body, start: int, product: gast.BinOp, kept: frozenset[str]
    ) -> Iterator[int]:
        """Where the same is made, as long as nothing that it is made of changes."""
        for k in range(start, len(body)):
            statement = body[k]
            if syntax.blocks(statement) or isinstance(statement, gast.Return):
                return
            made = _product(statement, self._scope, self._named) if k > start else None
            if made is not None and syntax.same(made, product):
                named = isinstance(statement, gast.Assign)
                if not named or self._is_read_only(body[k + 1 :], statement.targets[0].id):
                    yield k
            facts = self._scope.facts(statement)
            changed = {n for w in facts.writes for n in self._buffers.sharing(w)} | facts.writes
            if facts.effect or not kept.isdisjoint(changed | (facts.binds if k > start else set())):
                return

    def _is_read_only(self, rest: Body, name: str) -> bool:
        """Whether a name is bound once, and nothing but read in the rest of its block."""
        scope = self._scope
        if not (scope.adjoint(name) and scope.temporary(name) and self._bound[name] == 1):
            return False
        whole = syntax.times_loaded(rest)[name] == self._loads[name]
        readers = (s for s in rest if name in syntax.loads(s))
        plain = name not in scope.captured and whole
        return plain and all(uses_up(s, name, scope) for s in readers)
